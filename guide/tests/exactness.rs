//! The table of the chapter on numbers: every cell is tried out.

use retrograde::check::Check;
use retrograde::num::UndoableXor;
use retrograde::prelude::*;
use std::fmt::{self, Debug};
use std::marker::PhantomData;

/// What a cell of the table says.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    Exact,
    RoundOff,
    NotOffered,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Exact => "exact",
            Verdict::RoundOff => "up to round-off",
            Verdict::NotOffered => "not offered",
        })
    }
}

/// Numbers without a pattern, the same in every run.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 ^ (self.0 >> 29)
    }
    /// Of either sign, and of very different magnitudes.
    fn float(&mut self) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
        unit * [1.0, 30.0, 1000.0, 0.01][self.bits() as usize >> 5 & 3]
    }
}

/// A type of the table.
trait Sample: Clone + Check + Debug {
    fn sample(random: &mut Random) -> Self;
    /// All of the value: not only what `==` looks at.
    fn bits(&self) -> Vec<u64>;
    /// Within round-off. (Exact types are compared exactly by `Check`.)
    fn near(&self, other: &Self) -> bool {
        let steps = |(a, b): (u64, u64)| (a.wrapping_sub(b) as i64).unsigned_abs();
        let exact = self.magnitude() == 0.0 && other.magnitude() == 0.0;
        let apart = self.bits().into_iter().zip(other.bits()).map(steps).max();
        self.agrees(other, retrograde::check::Slack::half_the_digits(1000.0))
            || exact && apart < Some(1000)
    }
}

macro_rules! samples {
    ($($type:ty: |$random:ident| $sample:expr, |$value:ident| $bits:expr;)+) => {$(
        impl Sample for $type {
            fn sample($random: &mut Random) -> Self {
                $sample
            }
            fn bits(&self) -> Vec<u64> {
                let $value = self;
                $bits.into()
            }
        }
    )+};
}

samples! {
    i64: |r| (r.bits() >> 8) as i64 - (1 << 55), |x| [*x as u64];
    bool: |r| r.bits() >> 63 == 1, |x| [u64::from(*x)];
    f32: |r| r.float() as f32, |x| [u64::from(x.to_bits())];
    f64: |r| r.float(), |x| [x.to_bits()];
    Complex<f64>: |r| Complex::new(r.float(), r.float()), |x| [x.re.to_bits(), x.im.to_bits()];
    DoubleDouble: |r| DoubleDouble::from(r.float()) / 3.0, |x| [x.hi().to_bits(), x.lo().to_bits()];
    Dual<f64>: |r| Dual { value: r.float(), tangents: [r.float()] }, |x| [x.value.to_bits(), x.tangents[0].to_bits()];
    Fixed43: |r| Fixed43::from_f64(r.float()), |x| [x.to_bits() as u64];
    Logarithmic<f64>: |r| Logarithmic::from_ln(r.float()), |x| x.log.bits();
    Logarithmic<Fixed43>: |r| Logarithmic::from_ln(Fixed43::sample(r)), |x| x.log.bits();
    Tropical<i64>: |r| Tropical(i64::sample(r)), |x| x.0.bits();
    Tropical<f64>: |r| Tropical(f64::sample(r)), |x| x.0.bits();
}

#[reversible]
fn add<T: AdditiveGroup>(y: &mut T, x: &T) {
    *y += *x;
}

#[reversible]
fn xor<T: UndoableXor + Clone>(y: &mut T, x: &T) {
    *y ^= *x;
}

#[reversible]
fn multiply<T: MultiplicativeGroup + Clone>(y: &mut T, x: &T) {
    *y *= *x;
}

#[reversible]
fn exchange<T>(y: &mut T, x: &mut T) {
    swap(y, x);
}

#[reversible]
fn negate<T: AdditiveGroup>(x: &mut T) {
    neg(x);
}

#[reversible]
fn rotate<T: Elementary>(a: &mut T, b: &mut T, angle: &T) {
    rot(a, b, angle);
}

#[reversible]
fn mix<T: Arithmetic>(a: &mut T, b: &mut T) {
    hadamard(a, b);
}

/// Runs something there and back on many values.
fn tried<T: Sample>(there_and_back: impl Fn(&mut T, &mut T, &T)) -> Verdict {
    let mut random = Random(1);
    let mut verdict = Verdict::Exact;
    for _ in 0..20_000 {
        let (a, b, c) = (T::sample(&mut random), T::sample(&mut random), T::sample(&mut random));
        let (mut a_now, mut b_now) = (a.clone(), b.clone());
        there_and_back(&mut a_now, &mut b_now, &c);
        if a_now.bits() == a.bits() && b_now.bits() == b.bits() {
            continue;
        }
        verdict = Verdict::RoundOff;
        assert!(a_now.near(&a) && b_now.near(&b), "{a:?}, {b:?} became {a_now:?}, {b_now:?}");
    }
    verdict
}

/// Answers by methods of its own where the bounds of an operation hold. Rust
/// prefers these to the methods of [`NotOffered`].
struct Probe<T>(PhantomData<T>);

trait NotOffered {
    fn add(&self) -> Verdict {
        Verdict::NotOffered
    }
    fn xor(&self) -> Verdict {
        Verdict::NotOffered
    }
    fn multiply(&self) -> Verdict {
        Verdict::NotOffered
    }
    fn negate(&self) -> Verdict {
        Verdict::NotOffered
    }
    fn rotate(&self) -> Verdict {
        Verdict::NotOffered
    }
    fn mix(&self) -> Verdict {
        Verdict::NotOffered
    }
}

impl<T> NotOffered for Probe<T> {}

impl<T: Sample + AdditiveGroup> Probe<T> {
    fn add(&self) -> Verdict {
        tried::<T>(|a, _, c| {
            add(a, c);
            add::inverse(a, c);
        })
    }
}

impl<T: Sample + UndoableXor> Probe<T> {
    fn xor(&self) -> Verdict {
        tried::<T>(|a, _, c| {
            xor(a, c);
            xor::inverse(a, c);
        })
    }
}

impl<T: Sample + MultiplicativeGroup> Probe<T> {
    fn multiply(&self) -> Verdict {
        tried::<T>(|a, _, c| {
            multiply(a, c);
            multiply::inverse(a, c);
        })
    }
}

impl<T: Sample> Probe<T> {
    fn exchange(&self) -> Verdict {
        tried::<T>(|a, b, _| {
            exchange(a, b);
            exchange::inverse(a, b);
        })
    }
}

impl<T: Sample + AdditiveGroup> Probe<T> {
    fn negate(&self) -> Verdict {
        tried::<T>(|a, _, _| {
            negate(a);
            negate::inverse(a);
        })
    }
}

impl<T: Sample + Elementary> Probe<T> {
    fn rotate(&self) -> Verdict {
        tried::<T>(|a, b, c| {
            // Not beyond a turn: of a complex number, the cosine grows fast.
            let angle = c.clone() * T::from_f64(1e-3);
            rotate(a, b, &angle);
            rotate::inverse(a, b, &angle);
        })
    }
}

impl<T: Sample + Arithmetic> Probe<T> {
    fn mix(&self) -> Verdict {
        tried::<T>(|a, b, _| {
            mix(a, b);
            mix::inverse(a, b);
        })
    }
}

/// The row of a type, as it must stand in the table.
macro_rules! rows {
    ($($type:ty),+) => {
        vec![$({
            let probe = Probe::<$type>(PhantomData);
            let name = stringify!($type).replace(' ', "");
            let cells = [
                probe.add(),
                probe.xor(),
                probe.multiply(),
                probe.exchange(),
                probe.negate(),
                probe.rotate(),
                probe.mix(),
            ];
            (name, cells.map(|verdict| verdict.to_string()).to_vec())
        }),+]
    };
}

/// The cells of a row of a markdown table.
fn cells(row: &str) -> Vec<String> {
    row.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect()
}

#[test]
fn the_table_is_right() {
    let chapter = include_str!("../src/numbers.md");
    let heading = "| type | `+=` `-=` | `^=` | `*=` `/=` | `swap` | `neg` | `rot` | `hadamard` |";
    let (_, table) = chapter.split_once(heading).expect("the table");
    let lines = table.trim_start().lines().skip(1).take_while(|line| line.starts_with('|'));
    let written: Vec<_> = lines
        .map(|line| {
            let mut cells = cells(line);
            let name = cells.remove(0);
            (name.trim_matches('`').to_string(), cells)
        })
        .collect();
    let true_rows = rows![
        i64,
        bool,
        f32,
        f64,
        Complex<f64>,
        DoubleDouble,
        Dual<f64>,
        Fixed43,
        Logarithmic<f64>,
        Logarithmic<Fixed43>,
        Tropical<i64>,
        Tropical<f64>
    ];
    for (name, cells) in &true_rows {
        println!("| `{name}` | {} |", cells.join(" | "));
    }
    assert_eq!(written, true_rows);
}
