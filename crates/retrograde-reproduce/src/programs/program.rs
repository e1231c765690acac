//! What every program of the benchmark provides.

use crate::programs::tapes::Function;

/// A function with its gradient, in three versions: reversible, by hand, and as
/// one that tapes can record.
pub trait Program: Function + 'static {
    /// The arguments of the function and their shadows.
    type State: Clone;

    fn name(&self) -> String;

    /// What the adjoint and the gradient by hand do besides adding to the gradient.
    fn by_hand(&self) -> &'static str {
        ""
    }

    /// Everything before the call, with the gradient with respect to what the
    /// function changes in its shadow. All other shadows are zero.
    fn start(&self) -> Self::State;

    /// The function in plain Rust.
    fn value_by_hand(state: &mut Self::State);

    /// The reversible function.
    fn call(state: &mut Self::State);

    /// The adjoint in plain Rust, after the call.
    fn adjoint_by_hand(state: &mut Self::State);

    /// The gradient in plain Rust, where it can leave out something that the
    /// adjoint restores.
    fn gradient_by_hand(state: &mut Self::State) {
        Self::adjoint_by_hand(state);
    }

    /// The adjoint of the reversible function, after the call.
    fn adjoint(state: &mut Self::State);

    /// As [`Program::adjoint`], but need not restore the values.
    fn gradient_alone(state: &mut Self::State);

    /// What the arguments that have a gradient hold, one after the other.
    fn arguments(state: &Self::State) -> Vec<f64>;

    /// What their shadows hold, in the same order.
    fn gradient(state: &Self::State) -> Vec<f64>;
}

/// Numbers between −½ and ½ without a pattern, the same ones in every run.
pub fn sequence(seed: u64) -> impl Iterator<Item = f64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    })
}

/// The first of them, after those that are still like the seed.
pub fn numbers(seed: u64, n: usize) -> Vec<f64> {
    sequence(seed).skip(10).take(n).collect()
}

/// A sum of products in several sums at once, which the compiler puts side by
/// side in a register.
#[inline]
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    const LANES: usize = 8;
    assert_eq!(x.len(), y.len());
    let mut sums = [0.0; LANES];
    let (xs, ys) = (x.chunks_exact(LANES), y.chunks_exact(LANES));
    let rest: f64 = xs.remainder().iter().zip(ys.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in xs.zip(ys) {
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum += x * y;
        }
    }
    sums.iter().sum::<f64>() + rest
}
