//! Runs generated kernels in all directions, as Rust and as the text that devices get,
//! and compares all bits.

use retrograde::device::{Function, Type};
use retrograde::prelude::*;
use retrograde_gpu::{Buffer, Device, Error, Grid, Launch};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many points a kernel is run at, and how many are looked at for those.
const POINTS: usize = 3;
const TRIED: u64 = 6;

#[derive(Clone, Copy, Debug, PartialEq, Device, Differentiable)]
#[repr(C)]
pub struct Body<T> {
    pub a: T,
    pub b: [T; 2],
    pub c: Duo<T>,
    pub d: [T; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Device, Differentiable)]
#[repr(C)]
pub struct Duo<T>(pub T, pub T);

/// How a kernel is launched.
#[derive(Clone, Copy, Debug)]
pub struct How {
    pub checked: bool,
    /// Whether gradients of what is only read are said to belong to one index.
    pub own: bool,
}

impl How {
    pub fn with<'a, F: Function, G: Grid>(
        self,
        launch: Launch<'a, F, G>,
        read: &[&'a str],
    ) -> Launch<'a, F, G> {
        let mut launch = launch.exact();
        if self.checked {
            launch = launch.checked();
        }
        if self.own {
            for name in read {
                launch = launch.own(name);
            }
        }
        launch
    }
}

/// What was computed: what it is, and its numbers.
pub type Outcome = Vec<(String, Vec<f64>)>;

/// A program on one kind of numbers.
pub struct Program {
    pub seed: u64,
    pub numbers: &'static str,
    /// Whether all bits are those of the function, or sums may have another order.
    pub exact: bool,
    pub run: fn(&Device, How, &[u64]) -> Result<Outcome, Error>,
}

/// What a buffer holds.
pub trait Element: Type {
    fn made(next: &mut dyn FnMut() -> f64) -> Self;
    fn list(&self, to: &mut Vec<f64>);
}

impl Element for f64 {
    fn made(next: &mut dyn FnMut() -> f64) -> Self {
        next()
    }
    fn list(&self, to: &mut Vec<f64>) {
        to.push(*self);
    }
}

impl Element for f32 {
    fn made(next: &mut dyn FnMut() -> f64) -> Self {
        next() as f32
    }
    fn list(&self, to: &mut Vec<f64>) {
        to.push(f64::from(*self));
    }
}

impl<T: Element, const N: usize> Element for [T; N] {
    fn made(next: &mut dyn FnMut() -> f64) -> Self {
        std::array::from_fn(|_| T::made(next))
    }
    fn list(&self, to: &mut Vec<f64>) {
        self.iter().for_each(|number| number.list(to));
    }
}

impl<T: Element> Element for Body<T> {
    fn made(next: &mut dyn FnMut() -> f64) -> Self {
        let [a, b0, b1, c0, c1, d0, d1] = <[T; 7]>::made(next);
        Body { a, b: [b0, b1], c: Duo(c0, c1), d: [d0, d1] }
    }
    fn list(&self, to: &mut Vec<f64>) {
        [self.a, self.b[0], self.b[1], self.c.0, self.c.1, self.d[0], self.d[1]].list(to);
    }
}

/// The elements of an argument at some points, `count` at each.
pub fn elements<T: Element>(points: &[u64], argument: u64, count: usize) -> Vec<T> {
    let mut all = Vec::new();
    for point in points {
        let mut random = Random(1000 * point + argument);
        all.extend((0..count).map(|_| T::made(&mut || random.number())));
    }
    all
}

/// Notes what a buffer holds.
pub fn note<T: Element>(outcome: &mut Outcome, what: &str, from: &Buffer<T>) -> Result<(), Error> {
    let mut numbers = Vec::new();
    from.download()?.iter().for_each(|element| element.list(&mut numbers));
    outcome.push((what.to_string(), numbers));
    Ok(())
}

/// What differs between two outcomes.
fn difference(expected: &Outcome, found: &Outcome, tolerance: f64) -> Option<String> {
    for ((what, expected), (_, found)) in expected.iter().zip(found) {
        for (i, (a, b)) in expected.iter().zip(found).enumerate() {
            let near = (a - b).abs() <= tolerance * a.abs().max(1.0);
            if a.to_bits() != b.to_bits() && !(a.is_nan() && b.is_nan()) && !near {
                return Some(format!("{what}: number {i} is {b:?} instead of {a:?}"));
            }
        }
    }
    None
}

/// The lines of an error that say what is wrong.
fn shortened(error: &Error) -> String {
    let text = error.to_string();
    if std::env::var("RETROGRADE_SHOW").is_ok() {
        return text;
    }
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("error")).take(6).collect();
    if lines.is_empty() { text } else { lines.join("\n") }
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    // Kernels are compiled one after the other: several processes share the programs.
    let shares: Vec<usize> = std::env::args().filter_map(|n| n.parse().ok()).collect();
    let [share, of] = shares[..] else { panic!("which share of how many?") };
    let cpu = Device::cpu();
    let emulated = Device::emulated().expect("a folder for kernels");
    let (mut reached, mut refused) = (0, 0);
    for program in programs::programs().iter().skip(share).step_by(of) {
        let Program { seed, numbers, exact, run } = program;
        // Minus zero and zero are equal, but not the same.
        let tolerance = match (exact, numbers.ends_with("f32")) {
            (true, _) => -1.0,
            (false, true) => 1e-4,
            (false, false) => 1e-11,
        };
        // Each way takes as many compilations as there are directions.
        let checked = How { checked: true, own: seed % 4 == 0 };
        let ways = [How { checked: false, own: seed % 4 == 1 }, checked];
        let ways = &ways[..if seed % 2 == 0 { 2 } else { 1 }];
        // A check that fails stops the function, where a kernel without checks goes on.
        let points: Vec<u64> = (1000 * seed..1000 * seed + TRIED)
            .filter(|point| {
                let whole = || run(&cpu, ways[0], &[*point]).expect("runs here");
                let done = catch_unwind(AssertUnwindSafe(whole)).is_ok();
                refused += usize::from(!done);
                done
            })
            .take(POINTS)
            .collect();
        if points.is_empty() {
            continue;
        }
        reached += points.len();
        let expected = run(&cpu, ways[0], &points).expect("runs here");
        for &how in ways {
            let failure = match run(&emulated, how, &points) {
                Ok(found) => difference(&expected, &found, tolerance),
                Err(error) => Some(shortened(&error)),
            };
            if let Some(failure) = failure {
                let failure = failure.replace('\n', "\\n");
                println!("FAILED {seed} {numbers}, {how:?}: {failure}");
                break;
            }
        }
    }
    println!("COUNTS {reached} {refused}");
}
