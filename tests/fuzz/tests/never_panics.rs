//! The compiler answers whatever it is given: it does not panic, it does not hang, and what it
//! gives back is Rust.
//!
//! For ten million inputs: `cargo run --profile fuzz -p retrograde-fuzz -- --inputs 10000000`.

use retrograde_fuzz::corpus::{self, Program};
use retrograde_fuzz::entry::Entry;
use retrograde_fuzz::input::Input;
use retrograde_fuzz::search::{Search, run};
use std::time::Duration;

/// How many random inputs there are; RETROGRADE_INPUTS=1000000 for a longer search.
const INPUTS: u64 = 10_000;

/// How long an answer may take, on a machine that others use, too, without optimisation.
const LIMIT: Duration = Duration::from_secs(20);

#[test]
fn random_inputs() {
    let inputs = std::env::var("RETROGRADE_INPUTS")
        .ok()
        .map_or(INPUTS, |n| n.parse().expect("RETROGRADE_INPUTS is a number"));
    let programs = corpus::programs();
    assert!(programs.len() > 1500, "{} programs were found", programs.len());
    let search = Search { seed: 0, from: 0, inputs, threads: 2, limit: LIMIT };
    let report = search.run(&programs, |_, _| {});
    let defects: Vec<_> = report.defects.iter().map(ToString::to_string).collect();
    assert!(defects.is_empty(), "{}", defects.join("\n\n"));
    // Inputs that fail at the first token would find nothing.
    assert!(report.parsed > inputs / 5, "{} of {inputs} inputs were Rust", report.parsed);
    assert!(report.accepted > inputs / 20, "{} of {inputs} inputs compiled", report.accepted);
}

#[test]
fn programs_as_they_are() {
    for program in corpus::programs() {
        assert_answers(&program);
    }
}

fn assert_answers(program: &Program) {
    if let Err(wrong) = run(&Input::of(program), LIMIT) {
        panic!("{wrong:?}\n{:?}({})\n{}", program.entry, program.attribute, program.item);
    }
}

/// What was wrong once.
#[test]
fn found_before() {
    let most = i128::MAX;
    let far = |index: &str| format!("fn f(c: &mut [f64], n: usize) {{ c[n] += c[{index}]; }}");
    let [plus, before, minus] =
        [format!("n + {most} + 1"), format!("1 + (n + {most})"), format!("n - 2 - {most}")]
            .map(|index| far(&index));
    let doubled: String = (1..60).map(|i| format!("let k{i} = k{} + k{};", i - 1, i - 1)).collect();
    let doubled = format!(
        "fn f(y: &mut [f64], x: &[f64], n: usize) {{
            for i in 0..n {{ let k0 = i; {doubled} y[k59] += x[k59 * k58]; }}
        }}"
    );
    use Entry::{
        AssertGradient, DeriveAdditiveGroup, DeriveDevice, DeriveDifferentiable, Differentiable,
        Reversible,
    };
    for (entry, item) in [
        // Numbers beyond all integers, in indices.
        (Reversible, &*plus),
        (Reversible, &*before),
        (Reversible, &*minus),
        // Adapters without their argument.
        (
            Reversible,
            "fn f(y: &mut f64, c: &[f64]) { for x in c.windows(2).skip() { *y += x[0]; } }",
        ),
        (
            Reversible,
            "fn f(y: &mut f64, c: &[f64]) { for x in c.windows(2).step_by() { *y += x[0]; } }",
        ),
        // Names that stand for themselves, and for more than one can hold.
        (
            Reversible,
            "fn f(y: &mut [f64], x: &[f64], n: usize) {
            for i in 0..n { let k = i + k; y[k] += x[k]; }
        }",
        ),
        (
            Reversible,
            "fn f(y: &mut [f64], x: &[f64], n: usize) {
            for i in 0..n { let j = i + k; let k = j + 1; y[k] += x[j]; }
        }",
        ),
        (Reversible, &*doubled),
        // What is called like a function, and is none.
        (Reversible, "fn f(x: &mut f64) { for i in 0..3 { Self(x); } }"),
        (Reversible, "fn f(x: &mut f64) { super(x); crate(x); self(x); }"),
        (AssertGradient, "crate(&mut y)"),
        // Types that need parentheses.
        (Reversible, "fn f(y: &mut f64, x: impl Into<f64> + Copy) { *y += 1.0; }"),
        (Reversible, "fn f(y: &mut f64, x: dyn A + B) { *y += 1.0; }"),
        (DeriveAdditiveGroup, "struct S<T> { a: T, b: dyn A + B }"),
        (DeriveDifferentiable, "struct S<T> { a: T, b: dyn A + B }"),
        (DeriveDevice, "#[repr(C)] struct S<T> { a: T, b: A + }"),
        // Names that need `r#`.
        (Reversible, "fn r#gen(&mut self) { self.r#type += 1.0; self.r#gen(); T::r#fn(x); }"),
        (Reversible, "fn f(x: &mut f64) { x.fn_inverse(); x.self_inverse(); x.r#self_inverse(); }"),
        (Reversible, "fn f(y: &mut f64, x: &X) { let z: &f64 = x.r#fn(); *y += *z; }"),
        (
            Reversible,
            "fn f(y: &mut f64, n: &usize) {
            let mut r#type = 0.5;
            for _ in 0..*n { r#type += 0.1; }
            *y += r#type;
            for _ in 0..*n { r#type -= 0.1; }
        }",
        ),
        (
            Reversible,
            "fn f(y: &mut f64, c: &[f64], d: &mut [f64]) {
            for r#type in c { *y += *r#type; }
            for r#type in d.iter_mut() { *r#type += 1.0; }
        }",
        ),
        // Integers that are made of floats, compared.
        (
            Reversible,
            "fn f(i: usize, y: &mut [f64], x: &[f64]) { if x[i] as u32 == 'c' as u32 { } }",
        ),
        (Reversible, "fn f(y: &mut f64, x: &[f64]) { if x[0] as i64 == 3 { *y += 1.0; } }"),
        (Differentiable, "fn r#fn(&self, r#type: f64) -> f64 { r#type * r#type }"),
        (AssertGradient, "x.r#fn(&mut y)"),
        (AssertGradient, "X::r#fn(&mut y)"),
    ] {
        let (attribute, item) = (String::new(), item.to_string());
        assert_answers(&Program { entry, attribute, item });
    }
}
