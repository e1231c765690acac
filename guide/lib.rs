//! The guide of Retrograde. Each chapter is a module, so that its programs are
//! run as documentation tests.

#[doc = include_str!("src/introduction.md")]
pub mod introduction {}

#[doc = include_str!("src/language.md")]
pub mod language {}

#[doc = include_str!("src/updates.md")]
pub mod updates {}

#[doc = include_str!("src/ancillas.md")]
pub mod ancillas {}

#[doc = include_str!("src/control_flow.md")]
pub mod control_flow {}

#[doc = include_str!("src/calls.md")]
pub mod calls {}

#[doc = include_str!("src/places.md")]
pub mod places {}

#[doc = include_str!("src/generic.md")]
pub mod generic {}

#[doc = include_str!("src/checks.md")]
pub mod checks {}

#[doc = include_str!("src/instructions.md")]
pub mod instructions {}

#[doc = include_str!("src/containers.md")]
pub mod containers {}

#[doc = include_str!("src/numbers.md")]
pub mod numbers {}

#[doc = include_str!("src/linear_algebra.md")]
pub mod linear_algebra {}

#[doc = include_str!("src/library.md")]
pub mod library {}

#[doc = include_str!("src/derivatives.md")]
pub mod derivatives {}

#[doc = include_str!("src/adjoint_line_by_line.md")]
pub mod adjoint_line_by_line {}

#[doc = include_str!("src/rules.md")]
pub mod rules {}

#[doc = include_str!("src/calculus.md")]
pub mod calculus {}

#[doc = include_str!("src/schedules.md")]
pub mod schedules {}

/// Whole programs.
pub mod applications {
    #[doc = include_str!("src/applications/gmm.md")]
    pub mod gmm {}

    #[doc = include_str!("src/applications/bundle_adjustment.md")]
    pub mod bundle_adjustment {}

    #[doc = include_str!("src/applications/graph_embedding.md")]
    pub mod graph_embedding {}

    #[doc = include_str!("src/applications/complex_log.md")]
    pub mod complex_log {}
    #[doc = include_str!("src/applications/in_place.md")]
    pub mod in_place {}
    #[doc = include_str!("src/applications/sparse.md")]
    pub mod sparse {}
    #[doc = include_str!("src/applications/bessel.md")]
    pub mod bessel {}

    #[doc = include_str!("src/applications/leapfrog.md")]
    pub mod leapfrog {}

    #[doc = include_str!("src/applications/flows.md")]
    pub mod flows {}

    #[doc = include_str!("src/applications/tensors.md")]
    pub mod tensors {}

    #[doc = include_str!("src/applications/wave.md")]
    pub mod wave {}

    #[doc = include_str!("src/applications/not_reproduced.md")]
    pub mod not_reproduced {}
}

#[doc = include_str!("src/why.md")]
pub mod why {}

#[doc = include_str!("src/why_at_run_time.md")]
pub mod why_at_run_time {}

#[doc = include_str!("src/cookbook.md")]
pub mod cookbook {}

#[doc = include_str!("src/how_it_works.md")]
pub mod how_it_works {}

#[doc = include_str!("src/coming_from.md")]
pub mod coming_from {}

#[doc = include_str!("src/nilang.md")]
pub mod nilang {}

/// Runs something that must break a promise, and compares what it says with the
/// text under the heading `section` of [`why_at_run_time`]; where it happened is
/// left out.
pub fn stops_as_shown(section: &str, run: impl FnOnce() + std::panic::UnwindSafe) {
    let shown = text_below(include_str!("src/why_at_run_time.md"), section);
    let panic = std::panic::catch_unwind(run).expect_err("a check must fail");
    let error = panic.downcast::<retrograde::InvertibilityError>().expect("a broken promise");
    let without_place = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with("  --> ")).map(String::from).collect()
    };
    assert_eq!(without_place(&error.to_string()), without_place(shown));
}

/// Runs something that must panic, and compares its message with the text under
/// the heading `section` of [`calculus`].
pub fn panics_as_shown(section: &str, run: impl FnOnce() + std::panic::UnwindSafe) {
    let shown = text_below(include_str!("src/calculus.md"), section);
    let panic = std::panic::catch_unwind(run).expect_err("an assertion must fail");
    assert_eq!(*panic.downcast::<String>().expect("a message"), shown);
}

/// The first text below a heading of a chapter.
fn text_below<'a>(chapter: &'a str, section: &str) -> &'a str {
    let (_, text) = chapter.split_once(&format!("\n## {section}\n")).expect("such a heading");
    let (_, text) = text.split_once("```text\n").expect("a message below it");
    let (shown, _) = text.split_once("\n```").expect("the end of the message");
    shown
}

#[doc = include_str!("src/gpu.md")]
pub mod gpu {}
