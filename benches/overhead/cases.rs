//! What is measured: each program in three versions, with the data that it runs on.

use crate::by_hand;
use retrograde::prelude::Complex;
use std::hint::black_box;

type C = Complex<f64>;

/// Which way to run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Direction {
    Forward,
    Inverse,
}

/// A program on its data: runs in a direction, so many times, and gives a
/// number that depends on the result.
pub type Version = Box<dyn FnMut(Direction, usize) -> f64>;

/// A program, by its name, and its versions: by hand, with checks, and without.
pub struct Case {
    pub name: &'static str,
    pub versions: [fn() -> Version; 3],
}

/// Neither the data nor the function is known to the compiler where it is called.
fn version<S: 'static>(
    mut state: S,
    forward: fn(&mut S),
    inverse: fn(&mut S),
    digest: fn(&S) -> f64,
) -> Version {
    Box::new(move |direction, times| {
        let run = black_box(match direction {
            Direction::Forward => forward,
            Direction::Inverse => inverse,
        });
        for _ in 0..times {
            run(black_box(&mut state));
        }
        digest(&state)
    })
}

/// A case. `programs` is the module of the programs with or without checks.
macro_rules! case {
    (
        $name:literal, $module:ident::$function:ident, $by_hand:path, $by_hand_inverse:path,
        $state:expr, |$s:ident| $arguments:tt, $digest:expr
    ) => {
        Case {
            name: $name,
            versions: [
                case!(checked, $by_hand, $by_hand_inverse, $state, |$s| $arguments, $digest),
                case!(
                    checked, programs::$module::$function, programs::$module::$function::inverse,
                    $state, |$s| $arguments, $digest
                ),
                case!(
                    unchecked, programs::$module::$function, programs::$module::$function::inverse,
                    $state, |$s| $arguments, $digest
                ),
            ],
        }
    };
    (
        $programs:ident, $forward:path, $inverse:path,
        $state:expr, |$s:ident| $arguments:tt, $digest:expr
    ) => {
        || {
            #[allow(unused_imports)]
            use crate::$programs as programs;
            version($state, |$s| $forward $arguments, |$s| $inverse $arguments, $digest)
        }
    };
}

pub const CASES: &[Case] = &[
    case!(
        "rrfib, n = 20",
        fibonacci::rrfib,
        by_hand::rrfib,
        by_hand::rrfib_inverse,
        (1 << 40, 20),
        |s| (&mut s.0, s.1),
        |s| s.0 as f64
    ),
    case!(
        "complex log, ancilla",
        complex_log::log_with_ancilla,
        by_hand::log,
        by_hand::log_inverse,
        (C::new(0.5, 0.25), C::new(3.0, -4.0)),
        |s| (&mut s.0, &s.1),
        |s| s.0.re + s.0.im
    ),
    case!(
        "complex log, compute",
        complex_log::log_with_compute,
        by_hand::log,
        by_hand::log_inverse,
        (C::new(0.5, 0.25), C::new(3.0, -4.0)),
        |s| (&mut s.0, &s.1),
        |s| s.0.re + s.0.im
    ),
    case!(
        "complex log, expression",
        complex_log::log,
        by_hand::log,
        by_hand::log_inverse,
        (C::new(0.5, 0.25), C::new(3.0, -4.0)),
        |s| (&mut s.0, &s.1),
        |s| s.0.re + s.0.im
    ),
    case!(
        "affine 1000 x 1000",
        affine::affine,
        by_hand::affine,
        by_hand::affine_inverse,
        Layer::new(1000, 1000),
        |s| (&mut s.y, &s.w, &s.b, &s.x),
        |s| s.y.iter().sum()
    ),
    case!(
        "affine, by columns",
        affine::affine_by_columns,
        by_hand::affine_by_columns,
        by_hand::affine_by_columns_inverse,
        Layer::new(1000, 1000),
        |s| (&mut s.y, &s.w, &s.b, &s.x),
        |s| s.y.iter().sum()
    ),
    case!(
        "sparse A x, 5% of 1000 x 1000",
        sparse::multiply,
        by_hand::multiply,
        by_hand::multiply_inverse,
        {
            let a = programs::sparse::Csc::from_dense(1000, 1000, &sparse_entries(1_000_000));
            (numbers(1000), a, numbers(1000))
        },
        |s| (&mut s.0, &s.1, &s.2),
        |s| s.0.iter().sum()
    ),
    case!(
        "leapfrog step, ten bodies",
        leapfrog::step,
        by_hand::step,
        by_hand::step_inverse,
        (programs::leapfrog::System::solar(), 1e-3),
        |s| (&mut s.0, &s.1),
        |s| s.0.energy() + s.0.positions[3].x
    ),
    case!(
        "FFT, N = 4096",
        fft::fft,
        by_hand::fft,
        by_hand::fft_inverse,
        (complex_numbers(4096), programs::fft::twiddles(4096)),
        |s| (&mut s.0, &s.1),
        |s| s.0[1].re + s.0[1234].im
    ),
];

/// The data of `y += W x + b`.
struct Layer {
    y: Vec<f64>,
    w: Vec<f64>,
    b: Vec<f64>,
    x: Vec<f64>,
}

impl Layer {
    fn new(rows: usize, columns: usize) -> Self {
        Layer {
            y: numbers(rows),
            w: numbers(rows * columns),
            b: numbers(rows),
            x: numbers(columns),
        }
    }
}

/// Numbers between −½ and ½ without a pattern, the same ones in every run.
fn sequence() -> impl Iterator<Item = f64> {
    let mut state = 1_u64;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    })
}

fn numbers(n: usize) -> Vec<f64> {
    sequence().take(n).collect()
}

fn complex_numbers(n: usize) -> Vec<C> {
    sequence().zip(sequence().skip(n)).map(|(re, im)| C::new(re, im)).take(n).collect()
}

/// Of which 5% are not zero.
fn sparse_entries(n: usize) -> Vec<f64> {
    sequence().map(|x| if x.abs() < 0.025 { x } else { 0.0 }).take(n).collect()
}
