//! The interpreter itself: each row of the table of statements, there and back, on programs
//! whose values are known; and the checks, each on a program that breaks its promise.

use retrograde_interpreter::expansion::expand;
use retrograde_interpreter::machine::{Argument, Direction, run};
use retrograde_interpreter::number::{Dual, Number};
use retrograde_interpreter::program::Program;
use retrograde_interpreter::stop::Failure;
use retrograde_interpreter::value::Value;

fn number(value: f64) -> Argument<f64> {
    Argument::Lent(Value::Number(value))
}

fn integer(value: i128) -> Argument<f64> {
    Argument::Lent(Value::Integer(value, "i64"))
}

fn count(value: i128) -> Argument<f64> {
    Argument::Given(Value::Integer(value, "usize"))
}

fn list(values: &[f64]) -> Argument<f64> {
    Argument::Lent(Value::List(values.iter().map(|value| Value::Number(*value)).collect()))
}

/// All numbers and integers of the arguments.
fn held(arguments: &[Argument<f64>]) -> Vec<f64> {
    fn collect(value: &Value<f64>, into: &mut Vec<f64>) {
        match value {
            Value::Number(number) => into.push(number.value()),
            Value::Integer(number, _) => into.push(*number as f64),
            Value::Bool(b) => into.push(f64::from(*b)),
            Value::List(parts) | Value::Tuple(parts) => {
                parts.iter().for_each(|part| collect(part, into))
            }
            Value::Struct(_, fields) => fields.iter().for_each(|(_, field)| collect(field, into)),
            other => panic!("{other}"),
        }
    }
    let mut into = Vec::new();
    arguments.iter().for_each(|argument| collect(argument.value(), &mut into));
    into
}

fn go(source: &str, direction: Direction, arguments: &mut [Argument<f64>]) -> Result<(), Failure> {
    let file = syn::parse_file(source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    run(&Program::new(file), &["f"], direction, arguments).map(|_| ())
}

/// The function takes the arguments to what is expected, and backwards to where they were.
#[track_caller]
fn there_and_back(source: &str, arguments: Vec<Argument<f64>>, expected: &[f64]) {
    let mut now = arguments.clone();
    go(source, Direction::Forward, &mut now)
        .unwrap_or_else(|failure| panic!("{failure:?}\n{source}"));
    assert_eq!(held(&now), expected, "forward\n{source}");
    go(source, Direction::Backward, &mut now)
        .unwrap_or_else(|failure| panic!("{failure:?}\n{source}"));
    assert_eq!(held(&now), held(&arguments), "backward\n{source}");
}

/// The function breaks a promise, and the message says which.
#[track_caller]
fn breaks(source: &str, mut arguments: Vec<Argument<f64>>, part_of_message: &str) {
    match go(source, Direction::Forward, &mut arguments) {
        Err(Failure::Loud(text)) => assert!(text.contains(part_of_message), "{text}\n{source}"),
        other => panic!("{other:?}\n{source}"),
    }
}

#[test]
fn sums_and_differences() {
    let source =
        "#[reversible] fn f(y: &mut f64, x: &f64) { *y += 2.0 * *x; *y -= x.powi(2) + 1.0; }";
    there_and_back(source, vec![number(1.0), number(3.0)], &[-3.0, 3.0]);
}

#[test]
fn exclusive_or() {
    let source = "#[reversible] fn f(y: &mut i64, x: &i64) { *y ^= *x; }";
    there_and_back(source, vec![integer(12), integer(10)], &[6.0, 10.0]);
    let source = "#[reversible] fn f(sum: &mut bool, carry: &mut bool, a: &bool, b: &bool) {
        *sum ^= *a ^ *b; *carry ^= *a && *b; }";
    let bits = [false, false, true, true].map(|bit| Argument::Lent(Value::Bool(bit)));
    there_and_back(source, bits.to_vec(), &[0.0, 1.0, 1.0, 1.0]);
}

#[test]
fn names() {
    let source = "#[reversible] fn f(area: &mut f64, a: &f64, b: &f64) {
        let s = *a + *b; let (half, twice) = (0.5 * s, 2.0 * s); *area += half * twice; }";
    there_and_back(source, vec![number(0.0), number(1.0), number(2.0)], &[9.0, 1.0, 2.0]);
}

#[test]
fn a_name_for_a_place() {
    let source = "#[reversible] fn f(v: &mut [f64]) { let r = &mut v[1]; *r += 3.0; *r -= 1.0; }";
    there_and_back(source, vec![list(&[1.0, 2.0])], &[1.0, 4.0]);
    let source = "#[reversible] fn f(v: &mut [f64]) {
        let (low, high) = v.split_at_mut(1); low[0] += high[1]; high[0] += low[0]; }";
    there_and_back(source, vec![list(&[1.0, 2.0, 4.0])], &[5.0, 7.0, 4.0]);
}

#[test]
fn ancillas() {
    let source = "#[reversible] fn f(y: &mut f64, xs: &[f64]) {
        let mut s = 0.0;
        for x in xs { s += *x; }
        *y += s * s;
        !for x in xs { s += *x; };
    }";
    there_and_back(source, vec![number(1.0), list(&[1.0, 2.0])], &[10.0, 1.0, 2.0]);
    let source = "#[reversible] fn f(y: &mut i64, n: &i64) {
        let (mut a, mut b) = (0, 1);
        for _ in 0..*n { a += b; swap(&mut a, &mut b); }
        *y += a;
        for _ in 0..*n { swap(&mut a, &mut b); a -= b; }
    }";
    there_and_back(source, vec![integer(0), integer(10)], &[55.0, 10.0]);
}

#[test]
fn ancillas_that_end_with_another_value() {
    let source = "#[reversible] fn f(y: &mut i64, n: &i64) {
        let mut k = 0; for _ in 0..*n { k += 1; *y += k; } unlet!(k = *n); }";
    there_and_back(source, vec![integer(0), integer(10)], &[55.0, 10.0]);
}

#[test]
fn computing() {
    let source = "#[reversible] fn f(y: &mut f64, x: &mut f64, c: &f64) {
        #[compute] { *x -= *c; let mut s = 0.0; s += *x * 2.0; }
        *y += *x * s;
    }";
    there_and_back(source, vec![number(1.0), number(7.0), number(4.0)], &[19.0, 7.0, 4.0]);
    // Several in one block, and inside of each other's scopes.
    let source = "#[reversible] fn f(y: &mut f64, x: &f64) {
        #[compute] { let mut a = 0.0; a += *x; }
        { #[compute] { let mut b = 0.0; b += a * a; } *y += b; }
        #[compute] { let mut c = 0.0; c -= a; }
        *y += c;
    }";
    there_and_back(source, vec![number(0.0), number(3.0)], &[6.0, 3.0]);
}

#[test]
fn branches() {
    let source = "#[reversible] fn f(y: &mut f64, x: &f64) {
        if *x > 1.0 { *y += 1.0; } else if *x > 0.0 { *y += 2.0; } else { *y -= 4.0; } }";
    for (x, y) in [(2.0, 1.0), (0.5, 2.0), (-1.0, -4.0)] {
        there_and_back(source, vec![number(0.0), number(x)], &[y, x]);
    }
    let source = "#[reversible] fn f(x: &mut i64) { if (*x > 0, *x > 10) { *x += 10; } }";
    for (start, end) in [(3, 13.0), (0, 0.0), (-4, -4.0)] {
        there_and_back(source, vec![integer(start)], &[end]);
    }
    let source =
        "#[reversible] fn f(x: &mut i64, y: &mut i64) { if (*x > 1, _) { *x -= 1; *y += 1; } }";
    there_and_back(source, vec![integer(9), integer(0)], &[8.0, 1.0]);
    there_and_back(source, vec![integer(1), integer(0)], &[1.0, 0.0]);
}

#[test]
fn loops() {
    let source = "#[reversible] fn f(x: &mut i64, n: &mut i64) {
        while (*x + 7 <= 40, *n > 0) { *x += 7; *n += 1; } }";
    there_and_back(source, vec![integer(3), integer(0)], &[38.0, 5.0]);
    let source = "#[reversible] fn f(v: &mut [f64]) {
        for i in 1..v.len() { v[i] += v[i - 1]; }
        for i in (0..=2).rev() { v[i] += 1.0; }
        for i in (0..3).step_by(2) { v[1] += v[i]; }
    }";
    there_and_back(source, vec![list(&[1.0, 2.0, 4.0])], &[2.0, 14.0, 8.0]);
    let source = "#[reversible] fn f(ys: &mut [f64], xs: &[f64]) {
        for (i, (y, x)) in ys.iter_mut().zip(xs).enumerate() { *y += *x * i as f64; }
        for pair in ys.chunks_exact_mut(2) { pair[0] += pair[1]; } }";
    there_and_back(source, vec![list(&[0.0; 2]), list(&[3.0, 5.0])], &[5.0, 5.0, 3.0, 5.0]);
    // Of no pass.
    let source = "#[reversible] fn f(y: &mut f64, xs: &[f64]) { for x in xs { *y += *x; } for i in 3..3 { *y += i as f64; } }";
    there_and_back(source, vec![number(1.0), list(&[])], &[1.0]);
}

#[test]
fn calls() {
    let source = "
        #[reversible] fn g(y: &mut f64, x: &f64) { *y += *x * *x; }
        #[reversible] fn f(y: &mut f64, a: &f64, b: &f64) {
            g(y, a); !g(y, b); g::inverse(y, &1.0); !{ *y += 1.0; g(y, &3.0); };
        }";
    there_and_back(source, vec![number(0.0), number(5.0), number(4.0)], &[-2.0, 5.0, 4.0]);
    let source = "
        #[reversible] fn fibonacci(out: &mut i64, n: usize) {
            if n < 2 { *out += n as i64; } else { fibonacci(out, n - 1); fibonacci(out, n - 2); } }
        #[reversible] fn f(out: &mut i64, n: usize) { fibonacci(out, n); }";
    there_and_back(source, vec![integer(0), count(10)], &[55.0, 10.0]);
}

#[test]
fn methods_and_operators_of_ones_own() {
    let source = "
        struct Pair { a: f64, b: f64 }
        impl Pair {
            #[reversible] fn shear(&mut self, by: &f64) { self.a += self.b * *by; }
            fn len(&self) -> f64 { self.a * self.b }
        }
        impl Sub for Pair { type Output = Pair;
            fn sub(self, o: Pair) -> Pair { Pair { a: self.a - 2.0 * o.a, b: o.b } } }
        impl AddAssign for Pair { fn add_assign(&mut self, o: Pair) { self.a += 10.0 * o.a; } }
        impl SubAssign for Pair { fn sub_assign(&mut self, o: Pair) { self.a -= 10.0 * o.a; } }
        #[reversible] fn f(p: &mut Pair, q: &Pair, y: &mut f64) {
            p.shear(&2.0); !p.shear(&1.0); p.shear_inverse(&3.0);
            *y += q.len();
            *p += *q;
            let d = *q - *q;
            *y += d.a;
        }";
    let pair = |a: f64, b: f64| {
        let fields = vec![("a".into(), Value::Number(a)), ("b".into(), Value::Number(b))];
        Argument::Lent(Value::Struct("Pair".into(), fields))
    };
    there_and_back(
        source,
        vec![pair(1.0, 2.0), pair(3.0, 5.0), number(0.0)],
        &[27.0, 2.0, 3.0, 5.0, 12.0],
    );
}

#[test]
fn instructions() {
    let source = "#[reversible] fn f(a: &mut f64, b: &mut f64, n: &mut i64) {
        swap(a, b); neg(a); inc(n); inc(n); dec(n); add_constant(b, 2.0); !sub_constant(b, 1.0); !swap(a, b); }";
    there_and_back(source, vec![number(1.0), number(2.0), integer(7)], &[4.0, -2.0, 8.0]);
    let source = "
        #[instruction(inverse = unshear)] fn shear(a: &mut f64, b: &f64) { *a += 3.0 * *b; }
        #[instruction(inverse = shear)] fn unshear(a: &mut f64, b: &f64) { *a -= 3.0 * *b; }
        #[reversible] fn f(a: &mut f64, b: &f64) { shear(a, b); shear(a, b); !unshear(a, b); }";
    there_and_back(source, vec![number(1.0), number(2.0)], &[19.0, 2.0]);
    let mut turned = vec![number(3.0), number(4.0)];
    let source =
        "#[reversible] fn f(a: &mut f64, b: &mut f64) { rot(a, b, &0.3); hadamard(a, b); }";
    go(source, Direction::Forward, &mut turned).unwrap();
    assert!((held(&turned)[0].hypot(held(&turned)[1]) - 5.0).abs() < 1e-12);
    go(source, Direction::Backward, &mut turned).unwrap();
    assert!(held(&turned).iter().zip([3.0, 4.0]).all(|(a, b)| (a - b).abs() < 1e-12));
}

#[test]
fn host_code_runs_in_both_directions() {
    let source = "#[reversible] fn f(y: &mut f64, x: &f64) { *y += *x; host! { assert!(*y > 0.0); } *y += *x; }";
    there_and_back(source, vec![number(0.0), number(1.0)], &[2.0, 1.0]);
    breaks(source, vec![number(0.0), number(-1.0)], "does not hold");
}

#[test]
fn functions_as_values() {
    let source = "
        #[reversible] fn double(next: &mut f64, previous: &f64) { *next += 2.0 * *previous; }
        #[reversible] fn chain<F>(step: &F, xs: &mut [f64]) { for i in 1..xs.len() { step(&mut xs[i], &xs[i - 1]); } }
        #[reversible] fn f(xs: &mut [f64]) { chain(&double {}, xs); }";
    there_and_back(source, vec![list(&[1.0, 0.0, 0.0])], &[1.0, 2.0, 4.0]);
}

#[test]
fn broken_promises() {
    let ancilla = "#[reversible] fn f(y: &mut f64, x: &f64) { let mut a = 0.0; a += *x; *y += a; }";
    breaks(ancilla, vec![number(0.0), number(1.0)], "the ancilla a holds 1.0, expected 0.0");
    let released =
        "#[reversible] fn f(y: &mut i64) { let mut k = 0; k += 2; *y += k; unlet!(k = 3); }";
    breaks(released, vec![integer(0)], "the ancilla k holds");
    let operand =
        "#[reversible] fn f(v: &mut [f64], i: usize, j: usize) { let n = v[i]; v[j] += 1.0; }";
    breaks(operand, vec![list(&[1.0, 2.0]), count(1), count(1)], "became");
    let condition =
        "#[reversible] fn f(v: &mut [f64], i: usize) { if v[i] > 0.0 { v[0] -= 9.0; } }";
    breaks(condition, vec![list(&[1.0]), count(0)], "after the branch");
    let after = "#[reversible] fn f(x: &mut i64) { if (*x > 0, *x > 10) { *x += 1; } }";
    breaks(after, vec![integer(1)], "after the branch");
    let entry = "#[reversible] fn f(x: &mut i64) { while (*x < 3, *x > 0) { *x += 1; } }";
    breaks(entry, vec![integer(1)], "in a loop");
    let indices = "#[reversible] fn f(v: &mut [f64], i: usize, j: usize) { v[i] += v[j]; }";
    breaks(indices, vec![list(&[1.0, 2.0]), count(1), count(1)], "reads what it writes");
    let twice =
        "#[reversible] fn f(v: &mut [f64], i: usize, j: usize) { swap(&mut v[i], &mut v[j]); }";
    breaks(twice, vec![list(&[1.0, 2.0]), count(1), count(1)], "passed twice");
    let lengths = "#[reversible] fn f(ys: &mut [f64], xs: &[f64]) { for (y, x) in ys.iter_mut().zip(xs) { *y += *x; } }";
    breaks(lengths, vec![list(&[1.0]), list(&[1.0, 2.0])], "lengths 1 and 2");
    let bounds = "#[reversible] fn f(v: &mut [f64]) { v[2] += 1.0; }";
    breaks(bounds, vec![list(&[1.0])], "out of bounds");
    let bounds =
        "#[reversible] fn f(n: &mut i64, y: &mut f64) { for _ in 0..*n { *y += 1.0; *n += 1; } }";
    breaks(bounds, vec![integer(2), number(0.0)], "the bounds changed");
}

#[test]
fn what_is_not_known_is_said() {
    let source = "#[reversible] fn f(y: &mut f64, x: &f64) { *y += mystery(*x); }";
    let failure = go(source, Direction::Forward, &mut [number(0.0), number(1.0)]);
    assert_eq!(failure, Err(Failure::Unknown("the function mystery".into())));
}

#[test]
fn derivatives_by_dual_numbers() {
    let source = "
        fn square(x: f64) -> f64 { let mut y = 0.0; for _ in 0..2 { y += 0.5 * x * x; } return y; }
        #[reversible] fn f(y: &mut f64, xs: &[f64]) {
            #[compute] { let mut s = 0.0; for x in xs { s += square(*x); } }
            *y += s.sqrt(); }";
    let program = Program::new(syn::parse_file(source).unwrap());
    let dual = |value, slope| Value::Number(Dual { value, slope });
    let xs = Value::List(vec![dual(3.0, 0.0), dual(4.0, 1.0)]);
    let mut arguments = [Argument::Lent(dual(1.0, 0.0)), Argument::Lent(xs)];
    run(&program, &["f"], Direction::Forward, &mut arguments).unwrap();
    let Value::Number(y) = arguments[0].value() else { panic!() };
    assert_eq!((y.value(), y.slope), (6.0, 0.8));
}

#[test]
fn items_in_blocks_are_told_apart() {
    let source = "
        struct Pair { a: f64 }
        const _: () = { fn hidden(x: f64) -> f64 { 2.0 * x }
            impl Pair { fn twice(&self) -> f64 { hidden(self.a) } } };
        const _: () = { fn hidden(x: f64) -> f64 { 3.0 * x }
            impl Pair { fn thrice(&self) -> f64 { hidden(self.a) } } };
        #[reversible] fn f(y: &mut f64, p: &Pair) { *y += p.twice() + p.thrice(); }";
    let pair = Value::Struct("Pair".into(), vec![("a".into(), Value::Number(1.0))]);
    there_and_back(source, vec![number(0.0), Argument::Lent(pair)], &[5.0, 1.0]);
}

/// Emitted code asks the struct which of its fields have a gradient.
#[test]
fn a_field_that_is_constant_gets_no_gradient() {
    let source = "
        #[derive(Clone, Differentiable)]
        struct Line { slope: f64, #[constant] at: f64 }
        #[reversible]
        fn f(y: &mut f64, line: &Line) { *y += line.slope * line.at; }";
    let file = syn::parse_file(source).expect("Rust");
    let emitted = Program::new(expand(&file, &[]).expect("it compiles"));
    let line = |slope, at| {
        let fields = [("slope", slope), ("at", at)];
        let fields = fields.map(|(name, value)| (name.into(), Value::Number(value)));
        Argument::Lent(Value::Struct("Line".into(), fields.into()))
    };
    let mut arguments = [number(6.0), number(5.0), line(2.0, 3.0), line(0.5, 0.25)];
    run(&emitted, &["f", "adjoint"], Direction::Forward, &mut arguments).expect("it runs");
    assert_eq!(held(&arguments), [0.0, 5.0, 2.0, 3.0, 15.5, 0.25]);
}
