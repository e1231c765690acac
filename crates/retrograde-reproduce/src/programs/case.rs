//! A program as something to be run and compared, whatever its state.

use crate::measure::assert_near;
use crate::programs::program::{Program, numbers};
use crate::programs::tapes::{TAPES, derivative, tapes};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// What to do with a program.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// The function in plain Rust.
    Value,
    /// The reversible function.
    Call,
    /// The adjoint in plain Rust.
    AdjointByHand,
    /// The gradient in plain Rust.
    GradientByHand,
    /// The adjoint of the reversible function.
    Adjoint,
    /// The same without restoring what nobody needs.
    Gradient,
    /// The gradient by one of the tapes.
    Tape(usize),
}

impl Run {
    /// What can be done without a tape.
    pub const PLAIN: [Run; 6] = [
        Run::Value,
        Run::Call,
        Run::AdjointByHand,
        Run::GradientByHand,
        Run::Adjoint,
        Run::Gradient,
    ];

    /// What can be done with one.
    pub const TAPES: [Run; TAPES] = [Run::Tape(0), Run::Tape(1)];
}

/// Does the same thing so many times, always from the same start, and gives the
/// time that this took.
pub type Runner<'a> = Box<dyn FnMut(usize) -> Duration + 'a>;

/// A [`Program`].
pub trait Case: Sync {
    fn name(&self) -> String;
    /// See [`Program::by_hand`].
    fn by_hand(&self) -> &'static str;
    fn runner(&self, run: Run) -> Runner<'_>;
    /// All versions must give the same.
    fn compare(&self);
}

impl<P: Program + Sync> Case for P {
    fn name(&self) -> String {
        Program::name(self)
    }

    fn by_hand(&self) -> &'static str {
        Program::by_hand(self)
    }

    fn runner(&self, run: Run) -> Runner<'_> {
        let mut start = self.start();
        let function: fn(&mut P::State) = match run {
            Run::Value => P::value_by_hand,
            Run::Call => P::call,
            Run::AdjointByHand => P::adjoint_by_hand,
            Run::GradientByHand => P::gradient_by_hand,
            Run::Adjoint => P::adjoint,
            Run::Gradient => P::gradient_alone,
            Run::Tape(k) => {
                let x = P::arguments(&start);
                let gradient = tapes::<P>()[k].gradient;
                return Box::new(move |calls| {
                    timed(calls, || {
                        black_box(black_box(gradient)(black_box(self), black_box(&x)));
                    })
                });
            }
        };
        if !matches!(run, Run::Value | Run::Call) {
            P::value_by_hand(&mut start);
        }
        // Neither the data nor the function is known where it is called.
        Box::new(move |calls| {
            let mut state = start.clone();
            let function = black_box(function);
            timed(calls, || function(black_box(&mut state)))
        })
    }

    fn compare(&self) {
        let start = self.start();
        let mut ours = start.clone();
        P::call(&mut ours);
        let mut alone = ours.clone();
        let mut by_hand = start.clone();
        P::value_by_hand(&mut by_hand);
        let mut alone_by_hand = by_hand.clone();
        P::adjoint(&mut ours);
        P::gradient_alone(&mut alone);
        P::adjoint_by_hand(&mut by_hand);
        P::gradient_by_hand(&mut alone_by_hand);
        let (x, gradient) = (P::arguments(&start), P::gradient(&ours));
        let name = Program::name(self);
        let near = |what: &str, found: &[f64], expected: &[f64]| {
            assert_near(&format!("{what} ({name})"), found, expected, 1e-10);
        };
        near("the restored arguments", &P::arguments(&ours), &x);
        near("the adjoint by hand", &P::gradient(&by_hand), &gradient);
        near("the gradient by hand", &P::gradient(&alone_by_hand), &gradient);
        near("the gradient alone", &P::gradient(&alone), &gradient);
        let direction = numbers(99, x.len());
        let along = derivative(self, &x, &direction);
        let sum: f64 = gradient.iter().zip(&direction).map(|(g, v)| g * v).sum();
        let size: f64 = gradient.iter().zip(&direction).map(|(g, v)| (g * v).abs()).sum();
        assert!(
            (along - sum).abs() <= 1e-10 * size,
            "{name}: {along} by dual numbers, {sum} by the adjoint"
        );
        for tape in tapes::<P>() {
            near(tape.name, &(tape.gradient)(self, &x), &gradient);
        }
    }
}

fn timed(calls: usize, mut run: impl FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        run();
    }
    start.elapsed()
}
