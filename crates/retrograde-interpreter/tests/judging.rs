//! The judge: that it can say no, and what it says of two thousand programs.

use retrograde_interpreter::arguments::{Manner, random_arguments};
use retrograde_interpreter::generator::{Category, program};
use retrograde_interpreter::judge::{Case, Verdict, judge};
use retrograde_interpreter::shrink::shrink;
use retrograde_interpreter::tally::{PASSES, Tally};
use retrograde_interpreter::value::Value;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

fn case(source: &str) -> Case {
    let (length, seed) = (4, 7);
    let manner = Manner { length, decimal: false };
    let arguments = random_arguments(source, "f", manner, seed).expect("arguments of known types");
    Case { source: source.into(), function: "f".into(), arguments, length, seed, about: vec![] }
}

/// A program whose rule by hand is the one that is given.
fn with_rule(rule: &str) -> String {
    format!(
        "#[differentiable(pullback = rule)]
        fn square(x: f64) -> f64 {{ x * x }}
        fn rule(g: &f64, x: f64, d_x: &mut f64) {{ {rule} }}
        #[reversible]
        fn f(y: &mut f64, z: &mut f64, x: &f64) {{
            *z += x.sin();
            {{ let n = *x + 1.0; *y += n * 0.5; *z -= n; }}
            *y += square(*x) + *x;
        }}"
    )
}

#[test]
fn a_wrong_gradient_is_found_and_made_small() {
    assert_eq!(judge(&case(&with_rule("*d_x += 2.0 * x * *g;")), &[]), Verdict::Right);
    let wrong = case(&with_rule("*d_x += 2.0 * *g;"));
    let verdict = judge(&wrong, &[]);
    let Verdict::Wrong(text) = &verdict else { panic!("{verdict:?}") };
    assert!(text.starts_with("adjoint") && text.contains("by x it is"), "{text}");
    let (small, told) = shrink(&wrong, &[], &verdict);
    assert!(matches!(told, Verdict::Wrong(_)), "{told:?}");
    assert!(small.source.contains("*y += square(*x)"), "{}", small.source);
    assert!(!small.source.contains("sin") && !small.source.contains("let n"), "{}", small.source);
}

#[test]
fn a_wrong_inverse_is_found() {
    let program = |back: &str| {
        format!(
            "#[instruction(inverse = down, adjoint = up_adjoint, inverse_adjoint = down_adjoint)]
            fn up(a: &mut f64) {{ *a += 1.0; }}
            #[instruction(inverse = up, adjoint = down_adjoint, inverse_adjoint = up_adjoint)]
            fn down(a: &mut f64) {{ *a -= {back}; }}
            fn up_adjoint(a: &mut f64, _d_a: &mut f64) {{ down(a); }}
            fn down_adjoint(a: &mut f64, _d_a: &mut f64) {{ up(a); }}
            #[reversible]
            fn f(y: &mut f64, z: &mut f64) {{ up(y); *z += *y; }}"
        )
    };
    assert_eq!(judge(&case(&program("1.0")), &[]), Verdict::Right);
    let verdict = judge(&case(&program("1.5")), &[]);
    // The source runs the same wrong inverse, so what it says is that it does not come back.
    let says = |text: &String| text.contains("forget") || text.contains("digits were lost");
    assert!(matches!(&verdict, Verdict::Loud(text) if says(text)), "{verdict:?}");
}

#[test]
fn loud_refused_and_unknown_are_told_apart() {
    let loud = "#[reversible] fn f(v: &mut [f64]) { v[9] += 1.0; }";
    assert!(matches!(judge(&case(loud), &[]), Verdict::Loud(_)));
    let refused = "#[reversible] fn f(y: &mut f64) { *y += *y; }";
    assert!(matches!(judge(&case(refused), &[]), Verdict::Refused(_)));
    let unknown = "#[reversible] fn f(y: &mut f64) { *y += mystery(2.0); }";
    assert!(matches!(judge(&case(unknown), &[]), Verdict::Unknown(_)));
}

/// Two equal numbers, of which going back one is larger by a bit.
fn tie(source: &str) -> Verdict {
    let arguments =
        vec![Value::List(vec![Value::Number(0.9), Value::Number(0.8)]), Value::Number(0.9)];
    judge(&Case { arguments, ..case(source) }, &[])
}

#[test]
fn a_kink_has_two_derivatives_and_a_jump_has_none() {
    let kink = "#[reversible] fn f(s: &mut [f64; 2], u: &f64) {
        s[1] += s[0].max(*u); s[0] += u.powi(2);
    }";
    assert_eq!(tie(kink), Verdict::Right);
    // The rule by hand takes the other side of a jump.
    let jump = "#[differentiable(pullback = rule)]
        fn step(x: f64, u: f64) -> f64 { if x > u { 2.0 * x } else { x } }
        fn rule(g: &f64, _x: f64, d_x: &mut f64, _u: f64, _d_u: &mut f64) { *d_x += 2.0 * *g; }
        #[reversible] fn f(s: &mut [f64; 2], u: &f64) { s[1] += step(s[0], *u); }";
    assert!(matches!(tie(jump), Verdict::Wrong(_)), "{:?}", tie(jump));
}

/// The condition is taken out of the block, and reads a name of it.
#[test]
fn a_decision_inside_of_a_block_finds_its_names() {
    let source = "#[reversible] fn f(y: &mut f64, v: &mut f64, x: &f64) {
        *v += x.sin();
        *y += { let t = -*x; t * (if t > *v { t } else { *x }) };
        *v += x.cos();
    }";
    assert_eq!(judge(&case(source), &[]), Verdict::Right);
}

#[test]
fn categories_have_names() {
    for category in Category::ALL {
        assert_eq!(Category::named(category.name()), Some(category));
    }
}

#[test]
fn a_seed_names_a_program() {
    assert_eq!(program(17, &Category::ALL).source, program(17, &Category::ALL).source);
    assert_ne!(program(17, &Category::ALL).source, program(18, &Category::ALL).source);
}

/// Each with all passes or with one of them off, in turn. More programs, and every pass for
/// each of them: `cargo run --release -p retrograde-interpreter -- --programs 1000000`.
#[test]
fn two_thousand_programs_are_right_or_loud() {
    let (next, tally) = (AtomicU64::new(0), Mutex::new(Tally::default()));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= 2_000 {
                return;
            }
            let case = program(seed, &Category::ALL);
            let turn = seed as usize % (PASSES.len() + 1);
            let off = PASSES.get(turn).map_or(Vec::new(), |pass| vec![*pass]);
            let verdict = judge(&case, &off);
            tally.lock().expect("a count").count(&verdict, true, &case.about);
            proc_macro2::extra::invalidate_current_thread_spans();
            if matches!(verdict, Verdict::Wrong(_) | Verdict::Unknown(_)) {
                let (small, told) = shrink(&case, &off, &verdict);
                panic!(
                    "program {seed} without {off:?}: {told:?}\n{}\n{:?}",
                    small.source, small.arguments
                );
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, Into::into) {
            std::thread::Builder::new()
                .stack_size(256 << 20)
                .spawn_scoped(scope, work)
                .expect("a thread");
        }
    });
    let tally = tally.into_inner().expect("a count");
    println!("{tally}");
    assert_eq!(tally.programs, 2_000);
    assert!(tally.loud_share() < 20.0, "too many programs do not run\n{tally}");
}
