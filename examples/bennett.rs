//! Bennett's trade of time for space, written in the language.
//!
//! A reversible program may not overwrite a state by the next one, so a
//! simulation of N steps holds N + 1 states. Bennett's algorithm holds about
//! k log N instead: it cuts the steps into `k` blocks, runs them (the P
//! process), and runs all but the last of them backwards (the Q process), which
//! leaves only the first and the last state; and a block is run in the same
//! way. With N = kⁿ, that takes (2k − 1)ⁿ steps and n(k − 1) + 2 states. The
//! gradient of N steps costs no more states: it is the same walk, backwards.
//!
//! `cargo run --release --example bennett`

use retrograde::prelude::*;
use std::cell::Cell;

/// What a run costs.
#[derive(Debug, Default)]
pub struct Cost {
    /// How often the step was run, forwards or backwards.
    pub calls: Cell<usize>,
    /// The most states that were held at once.
    pub peak: Cell<usize>,
}

impl Cost {
    fn count(&self, states: usize) {
        self.calls.set(self.calls.get() + 1);
        self.peak.set(self.peak.get().max(states));
    }
}

/// From the state at `base`, makes the one at `base + len`, and leaves none in
/// between.
///
/// `step(next, state)` adds to a `next` of zero what follows from `state`.
/// There are `k` blocks, at least two; where `k` does not divide `len`, the
/// last block is shorter, and there may be fewer.
#[reversible]
pub fn bennett<T, F>(
    step: &F,
    state: &mut Map<usize, T>,
    k: usize,
    base: usize,
    len: usize,
    #[constant] cost: &Cost,
) where
    T: Arithmetic,
    F: for<'a> Reversible<(&'a mut T, &'a T)>,
{
    host! {
        assert!(k >= 2, "one block would be as long as the whole");
    }
    if len == 1 {
        let mut next = T::zero();
        step(&mut next, &state[base]);
        // It moves in, and leaves zero behind.
        state.insert(base + 1, &mut next);
        host! {
            cost.count(state.len());
        }
    } else if len > 1 {
        let block = len.div_ceil(k);
        let last = (len - 1) / block;
        for j in 0..last {
            bennett(step, state, k, base + j * block, block, cost);
        }
        bennett(step, state, k, base + last * block, len - last * block, cost);
        for j in (0..last).rev() {
            !bennett(step, state, k, base + j * block, block, cost);
        }
    }
}

/// `next += 2 state`.
#[reversible]
pub fn double(next: &mut f64, state: &f64) {
    *next += 2.0 * *state;
}

fn main() {
    println!("doubling a number 1024 times");
    println!("{:>6} {:>9} {:>7}   result", "k", "calls", "states");
    for k in [2, 4, 32, 1024] {
        let cost = Cost::default();
        let mut state = Map::from_iter([(0, 2_f64.powi(-512))]);
        bennett(&double {}, &mut state, k, 0, 1024, &cost);
        let result = state[1024].log2();
        println!("{k:>6} {:>9} {:>7}   2^{result}", cost.calls.get(), cost.peak.get());
        bennett::inverse(&double {}, &mut state, k, 0, 1024, &cost);
        assert_eq!(state, Map::from_iter([(0, 2_f64.powi(-512))]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs `len` steps there and back; gives the number of calls and the peak
    /// of the way there.
    fn costs(k: usize, len: usize) -> (usize, usize) {
        let (there, back) = (Cost::default(), Cost::default());
        let start = Map::from_iter([(1, 1.0)]);
        let mut state = start.clone();
        bennett(&double {}, &mut state, k, 1, len, &there);
        assert_eq!(state[len + 1], 2_f64.powi(len as i32));
        assert_eq!(state.len(), if len == 0 { 1 } else { 2 });
        bennett::inverse(&double {}, &mut state, k, 1, len, &back);
        assert_eq!(state, start);
        assert_eq!(there.calls, back.calls);
        assert_eq!(there.peak, back.peak);
        (there.calls.get(), there.peak.get())
    }

    #[test]
    fn powers_of_k_cost_what_the_theory_says() {
        assert_eq!(costs(4, 256), (2401, 14));
        assert_eq!(costs(2, 16), (81, 6));
        assert_eq!(costs(3, 243), (3125, 12));
        for (k, n) in [(2_usize, 1), (2, 7), (3, 4), (5, 3), (7, 2), (100, 1)] {
            let len = k.pow(n as u32);
            assert_eq!(costs(k, len), ((2 * k - 1).pow(n as u32), n * (k - 1) + 2));
        }
    }

    #[test]
    fn a_thousand_steps_in_twelve_states() {
        let cost = Cost::default();
        let mut state = Map::from_iter([(0, 2_f64.powi(-1000))]);
        bennett(&double {}, &mut state, 2, 0, 1024, &cost);
        assert_eq!((cost.calls.get(), cost.peak.get()), (59049, 12));
        assert_eq!(state[1024], 2_f64.powi(24));
    }

    #[test]
    fn every_length_is_reached() {
        for k in 2..6 {
            for len in 0..60 {
                let (calls, peak) = costs(k, len);
                assert!(calls >= len && peak <= len + 1);
            }
        }
    }

    #[test]
    fn gradients_of_many_steps() {
        // Each step turns `x` into `a x (1 − x)`: chaotic, so it cannot be guessed.
        #[reversible]
        fn logistic<T: Real>(next: &mut T, state: &T) {
            *next += 3.75 * *state * (1.0 - *state);
        }
        for (k, len) in [(2, 1), (2, 16), (3, 20)] {
            let mut expected = Dual::<f64>::variable(0.3, 0);
            for _ in 0..len {
                expected = expected * (Dual::constant(1.0) - expected) * Dual::constant(3.75);
            }
            let (there, back) = (Cost::default(), Cost::default());
            let mut state = Map::from_iter([(0, 0.3)]);
            bennett(&logistic {}, &mut state, k, 0, len, &there);
            let mut shadow = Map::from_iter([(0, 0.0), (len, 1.0)]);
            bennett::adjoint(&logistic {}, &mut state, &mut shadow, k, 0, len, &back);
            assert_eq!((state.len(), shadow.len()), (1, 1));
            assert!((state[0] - 0.3).abs() < 1e-15);
            let error = shadow[0] / expected.tangents[0] - 1.0;
            assert!(error.abs() < 1e-12, "{k} {len}: {error}");
            // As often and with as many states as on the way there.
            assert_eq!((there.calls, there.peak), (back.calls, back.peak));
        }
    }

    #[test]
    fn states_of_another_type() {
        #[reversible]
        fn turn(next: &mut Complex<f64>, state: &Complex<f64>) {
            *next += *state * Complex::new(0.0, 1.0);
        }
        let start = Map::from_iter([(0, Complex::new(3.0, 4.0))]);
        let mut state = start.clone();
        bennett(&turn {}, &mut state, 2, 0, 10, &Cost::default());
        assert_eq!(state[10], Complex::new(-3.0, -4.0));
        bennett::inverse(&turn {}, &mut state, 2, 0, 10, &Cost::default());
        assert_eq!(state, start);
    }
}
