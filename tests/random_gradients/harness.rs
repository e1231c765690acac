//! Runs generated programs at random points, in all directions and on all kinds
//! of numbers, and compares what must be equal.

use retrograde::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many points each program is run at.
const POINTS: u64 = 3;
/// How many numbers a state has.
const NUMBERS: usize = 44;

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Body<T> {
    pub a: T,
    pub b: [T; 2],
    pub c: (T, T),
    pub d: Vec<T>,
}

/// Everything that a program may have as an argument.
#[derive(Clone, Debug)]
pub struct State<T> {
    pub x: T,
    pub y: T,
    pub z: T,
    pub c: T,
    pub b: T,
    pub v: Vec<T>,
    pub w: Vec<T>,
    pub q: [T; 4],
    pub m: Vec<Vec<T>>,
    pub g: [[T; 3]; 2],
    pub p: (T, T),
    pub u: [(T, T); 2],
    pub s: Body<T>,
}

impl<T: Clone> State<T> {
    /// Of numbers, each from its place in the list.
    fn new(mut number: impl FnMut(usize) -> T) -> Self {
        let mut at = 0..;
        let mut next = || number(at.next().expect("there is a next number"));
        State {
            x: next(),
            y: next(),
            z: next(),
            c: next(),
            b: next(),
            v: (0..5).map(|_| next()).collect(),
            w: (0..5).map(|_| next()).collect(),
            q: std::array::from_fn(|_| next()),
            m: (0..3).map(|_| vec![next(), next()]).collect(),
            g: std::array::from_fn(|_| std::array::from_fn(|_| next())),
            p: (next(), next()),
            u: [(next(), next()), (next(), next())],
            s: Body {
                a: next(),
                b: std::array::from_fn(|_| next()),
                c: (next(), next()),
                d: vec![next(), next()],
            },
        }
    }

    /// All numbers, in the order of [`State::new`].
    fn list(&self) -> Vec<T> {
        let mut list = vec![&self.x, &self.y, &self.z, &self.c, &self.b];
        list.extend(self.v.iter().chain(&self.w).chain(&self.q));
        list.extend(self.m.iter().flatten().chain(self.g.iter().flatten()));
        list.extend([&self.p.0, &self.p.1]);
        list.extend(self.u.iter().flat_map(|(a, b)| [a, b]));
        list.push(&self.s.a);
        list.extend(self.s.b.iter().chain([&self.s.c.0, &self.s.c.1]).chain(&self.s.d));
        list.into_iter().cloned().collect()
    }
}

/// What a number of the list is called.
fn name(index: usize) -> String {
    let lists = [("v", 5), ("w", 5), ("q", 4), ("m", 6), ("g", 6), ("p", 2), ("u", 4)];
    let mut rest = index;
    for name in ["x", "y", "z", "c", "b"] {
        if rest == 0 {
            return name.into();
        }
        rest -= 1;
    }
    for (name, length) in lists {
        if rest < length {
            return match name {
                "m" => format!("m[{}][{}]", rest / 2, rest % 2),
                "g" => format!("g[{}][{}]", rest / 3, rest % 3),
                "p" => format!("p.{rest}"),
                "u" => format!("u[{}].{}", rest / 2, rest % 2),
                _ => format!("{name}[{rest}]"),
            };
        }
        rest -= length;
    }
    ["s.a", "s.b[0]", "s.b[1]", "s.c.0", "s.c.1", "s.d[0]", "s.d[1]"][rest].into()
}

type Direction<T> = fn(&mut State<T>);
type WithGradient<T> = fn(&mut State<T>, &mut State<T>);

/// The directions of a program on one kind of numbers.
pub struct On<T> {
    pub forward: Direction<T>,
    pub inverse: Direction<T>,
    pub adjoint: WithGradient<T>,
    pub inverse_adjoint: WithGradient<T>,
    /// The adjoint that need not restore the values.
    pub gradient: WithGradient<T>,
}

/// A program.
pub struct Program {
    pub seed: u64,
    pub exact: bool,
    pub generic: On<f64>,
    pub dual: Direction<Dual<f64, NUMBERS>>,
    pub fixed: Option<On<Fixed43>>,
    /// With the type written out, as the two below.
    pub double: On<f64>,
    pub single: Option<On<f32>>,
    /// With the type written out, and generic.
    pub complex: [Option<On<Complex<f64>>>; 2],
}

/// What was found in all runs.
#[derive(Default)]
struct Findings {
    seed: u64,
    point: u64,
    checked: usize,
    fixed: usize,
    single: usize,
    complex: usize,
    refused: usize,
    wild: usize,
    failed: bool,
}

/// A number with a distance.
trait Number: Clone + std::fmt::Debug {
    fn size(&self) -> f64;
    fn distance(&self, other: &Self) -> f64;
}

impl Number for f64 {
    fn size(&self) -> f64 {
        f64::abs(*self)
    }
    fn distance(&self, other: &Self) -> f64 {
        f64::abs(self - other)
    }
}

impl Number for f32 {
    fn size(&self) -> f64 {
        f64::from(f32::abs(*self))
    }
    fn distance(&self, other: &Self) -> f64 {
        f64::from(f32::abs(self - other))
    }
}

impl Number for Complex<f64> {
    fn size(&self) -> f64 {
        self.norm()
    }
    fn distance(&self, other: &Self) -> f64 {
        (self - other).norm()
    }
}

/// Exactly.
impl Number for Fixed43 {
    fn size(&self) -> f64 {
        f64::abs(self.to_f64())
    }
    fn distance(&self, other: &Self) -> f64 {
        if self == other { 0.0 } else { f64::INFINITY }
    }
}

impl Findings {
    fn fail(&mut self, what: &str, text: &str) {
        if !self.failed {
            let (seed, point) = (self.seed, self.point);
            println!("FAILED {seed} at point {point}: {what}: {text}");
        }
        self.failed = true;
    }

    fn compare<T: Number>(&mut self, what: &str, found: &[T], expected: &[T], tolerance: &[f64]) {
        if found.len() != expected.len() {
            let text = format!("{} numbers, expected {}", found.len(), expected.len());
            return self.fail(what, &text);
        }
        for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
            // Not a number is near to nothing.
            let near = found.distance(expected) <= tolerance[i];
            if !near {
                let text = format!("{} is {found:?}, expected {expected:?}", name(i));
                return self.fail(what, &text);
            }
        }
    }

    /// What a run makes of a state; `None` if it panicked.
    fn run<S: Clone>(&mut self, what: &str, state: &S, run: impl Fn(&mut S)) -> Option<S> {
        let mut state = state.clone();
        let result = catch_unwind(AssertUnwindSafe(|| run(&mut state)));
        let Err(payload) = result else { return Some(state) };
        // A decision that is too close to be taken again is said, and not taken.
        let close = payload
            .downcast_ref::<InvertibilityError>()
            .is_some_and(|error| matches!(error.broken, retrograde::error::Broken::Decision));
        if close {
            self.refused += 1;
        } else {
            self.fail(what, &message(&*payload));
        }
        None
    }

    /// All directions, from a point where the function gives `after`: back, and
    /// there again with gradients. Gives the gradient with respect to the inputs.
    fn around<T: Number>(
        &mut self,
        what: &str,
        on: &On<T>,
        before: &State<T>,
        after: &State<T>,
        weights: &State<T>,
        tolerance: f64,
    ) -> Option<Vec<T>> {
        let largest = |state: &State<T>| state.list().iter().map(T::size).fold(1.0, f64::max);
        let scale = largest(before).max(largest(after));
        let near = |scale: f64| vec![tolerance * scale; NUMBERS];
        let named = |direction: &str| format!("{what} {direction}");
        let back = self.run(&named("inverse"), after, on.inverse)?;
        self.compare(&named("inverse"), &back.list(), &before.list(), &near(scale));
        let start = (after.clone(), weights.clone());
        let restored =
            self.run(&named("adjoint"), &start, |(state, shadow)| (on.adjoint)(state, shadow))?;
        let gradient = restored.1.list();
        let (values, found) = (before.list(), restored.0.list());
        self.compare(&named("adjoint, values"), &found, &values, &near(scale));
        let near = near(scale.max(largest(&restored.1)));
        let again = self.run(&named("inverse adjoint"), &restored, |(state, shadow)| {
            (on.inverse_adjoint)(state, shadow);
        })?;
        self.compare(&named("inverse adjoint, values"), &again.0.list(), &after.list(), &near);
        self.compare(&named("inverse adjoint, shadows"), &again.1.list(), &weights.list(), &near);
        let alone = self.run(&named("gradient alone"), &start, |(state, shadow)| {
            (on.gradient)(state, shadow)
        })?;
        self.compare(&named("gradient alone"), &alone.1.list(), &gradient, &near);
        Some(gradient)
    }

    fn check(&mut self, program: &Program) -> Option<()> {
        let mut random = Random(program.seed * 1000 + self.point);
        let before = State::new(|_| random.number());
        let weights = State::new(|_| random.number());
        let mut after = before.clone();
        if let Err(payload) =
            catch_unwind(AssertUnwindSafe(|| (program.generic.forward)(&mut after)))
        {
            println!("{} is refused: {}", program.seed, message(&*payload));
            self.refused += 1;
            return None;
        }
        if !after.list().iter().all(|value| value.abs() < 40.0) {
            self.wild += 1;
            return None;
        }
        // The Jacobian by dual numbers, and its transpose applied to the weights.
        let values = before.list();
        let duals = State::new(|i| Dual::<f64, NUMBERS>::variable(values[i], i));
        let duals = self.run("forward on dual numbers", &duals, program.dual)?.list();
        let found: Vec<f64> = duals.iter().map(|dual| dual.value).collect();
        let tiny = vec![1e-12; NUMBERS];
        self.compare("values of dual numbers", &found, &after.list(), &tiny);
        let rows = duals.iter().zip(weights.list());
        let (mut expected, mut size) = (vec![0.0; NUMBERS], vec![1.0; NUMBERS]);
        for (row, weight) in rows {
            for (i, slope) in row.tangents.iter().enumerate() {
                expected[i] += slope * weight;
                size[i] += (slope * weight).abs();
            }
        }
        if !size.iter().all(|size| *size < 1e5) {
            self.wild += 1;
            return None;
        }
        // Round-off in a value that is restored changes all slopes a little.
        let largest = size.iter().copied().fold(1.0, f64::max);
        let near: Vec<f64> = size.iter().map(|size| 1e-9 * (size + 0.01 * largest)).collect();
        let generic = &program.generic;
        let gradient = self.around("generic", generic, &before, &after, &weights, 1e-9)?;
        self.compare("generic gradient", &gradient, &expected, &near);
        // The same with the type written out.
        let double = self.run("f64 forward", &before, program.double.forward)?;
        self.compare("f64 forward", &double.list(), &after.list(), &tiny);
        let gradient = self.around("f64", &program.double, &before, &double, &weights, 1e-9)?;
        self.compare("f64 gradient", &gradient, &expected, &near);
        self.checked += 1;
        if let Some(fixed) = &program.fixed {
            self.check_fixed(fixed, &values, &weights, program.exact);
        }
        if let Some(single) = &program.single {
            self.check_single(single, &values, &weights.list(), &after.list(), &expected, &size);
        }
        for complex in program.complex.iter().flatten() {
            self.check_complex(complex, &mut random);
        }
        Some(())
    }

    /// To the last bit.
    fn check_fixed(
        &mut self,
        on: &On<Fixed43>,
        values: &[f64],
        weights: &State<f64>,
        exact: bool,
    ) -> Option<()> {
        let before = State::new(|i| Fixed43::from_f64(values[i]));
        let mut after = before.clone();
        // Large numbers do not fit; branches may differ after rounding.
        catch_unwind(AssertUnwindSafe(|| (on.forward)(&mut after))).ok()?;
        if !exact {
            return None;
        }
        let weights = weights.list();
        let weights = State::new(|i| Fixed43::from_f64(weights[i]));
        self.around("Fixed43", on, &before, &after, &weights, 1e-9)?;
        self.fixed += 1;
        Some(())
    }

    /// Nearly as with double precision.
    fn check_single(
        &mut self,
        on: &On<f32>,
        values: &[f64],
        weights: &[f64],
        after: &[f64],
        expected: &[f64],
        size: &[f64],
    ) -> Option<()> {
        let before = State::new(|i| values[i] as f32);
        let weights = State::new(|i| weights[i] as f32);
        let mut found = before.clone();
        // A check may stop where less precision is left.
        catch_unwind(AssertUnwindSafe(|| (on.forward)(&mut found))).ok()?;
        let rounded = |list: &[f64]| -> Vec<f32> { list.iter().map(|x| *x as f32).collect() };
        let far = found.list().iter().zip(after).any(|(a, b)| (f64::from(*a) - b).abs() > 1e-3);
        if far {
            // Another branch, by rounding.
            return None;
        }
        let gradient = self.around("f32", on, &before, &found, &weights, 2e-4)?;
        let largest = size.iter().copied().fold(1.0, f64::max);
        let near: Vec<f64> = size.iter().map(|size| 2e-4 * (size + 0.1 * largest)).collect();
        self.compare("f32 gradient", &gradient, &rounded(expected), &near);
        self.single += 1;
        Some(())
    }

    /// Against differences of the real and imaginary parts.
    fn check_complex(&mut self, on: &On<Complex<f64>>, random: &mut Random) -> Option<()> {
        let mut number = || Complex::new(random.number().abs(), 0.5 * random.number());
        let before = State::new(|_| number());
        let weights = State::new(|_| number());
        let at = |list: &[Complex<f64>]| -> Option<Vec<Complex<f64>>> {
            let mut state = State::new(|i| list[i]);
            catch_unwind(AssertUnwindSafe(|| (on.forward)(&mut state))).ok()?;
            let list = state.list();
            list.iter().all(|z| z.norm() < 40.0).then_some(list)
        };
        let after = at(&before.list())?;
        let after = State::new(|i| after[i]);
        let gradient = self.around("complex", on, &before, &after, &weights, 1e-9)?;
        let mut expected = Vec::new();
        let mut near = Vec::new();
        let step = 2e-4;
        for i in 0..NUMBERS {
            let mut parts = [0.0; 2];
            let mut size = 1.0;
            for (part, direction) in
                parts.iter_mut().zip([Complex::new(step, 0.0), Complex::new(0.0, step)])
            {
                let moved = |by: f64| {
                    let mut list = before.list();
                    list[i] += direction * by;
                    at(&list)
                };
                let [a, b, c, d] = [moved(1.0)?, moved(-1.0)?, moved(2.0)?, moved(-2.0)?];
                for (j, weight) in weights.list().iter().enumerate() {
                    let slope = (8.0 * (a[j] - b[j]) - (c[j] - d[j])) / (12.0 * step);
                    let term = weight.re * slope.re + weight.im * slope.im;
                    *part += term;
                    size += term.abs();
                }
            }
            expected.push(Complex::new(parts[0], parts[1]));
            near.push(size);
        }
        let largest = near.iter().copied().fold(1.0, f64::max);
        if largest > 1e4 {
            return None;
        }
        let near: Vec<f64> = near.iter().map(|size| 1e-6 * (size + largest)).collect();
        self.compare("complex gradient", &gradient, &expected, &near);
        self.complex += 1;
        Some(())
    }
}

fn message(payload: &(dyn std::any::Any + Send)) -> String {
    if let Some(error) = payload.downcast_ref::<InvertibilityError>() {
        return format!("{error:?}");
    }
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_string()
}

fn main() {
    // The panics of programs are caught; one of this file is its own error.
    std::panic::set_hook(Box::new(|panic| {
        if panic.location().is_some_and(|place| place.file() == file!()) {
            eprintln!("{panic}");
        }
    }));
    let mut findings = Findings::default();
    for program in programs::programs() {
        findings.seed = program.seed;
        findings.failed = false;
        for point in 0..POINTS {
            findings.point = point;
            findings.check(&program);
        }
    }
    let Findings { checked, fixed, single, complex, refused, wild, .. } = findings;
    println!("COUNTS {checked} {fixed} {single} {complex} {refused} {wild}");
}
