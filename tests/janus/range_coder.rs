//! Asymmetric numeral systems with ranges: symbols are pushed into one number.

use proptest::prelude::*;
use retrograde::prelude::*;

/// How often each symbol comes among `total`, and how often the symbols before it.
struct Model {
    counts: Vec<u64>,
    starts: Vec<u64>,
    total: u64,
}

impl Model {
    fn new(counts: &[u64]) -> Self {
        let starts = counts.iter().scan(0, |sum, count| Some(std::mem::replace(sum, *sum + count)));
        Self { counts: counts.to_vec(), starts: starts.collect(), total: counts.iter().sum() }
    }

    /// The symbol on top of a state.
    fn top(&self, state: u64) -> usize {
        self.starts
            .iter()
            .rposition(|start| *start <= state % self.total)
            .expect("starts begin at 0")
    }

    /// The state with a symbol on top.
    fn with(&self, state: u64, symbol: usize) -> u64 {
        let count = self.counts[symbol];
        state / count * self.total + self.starts[symbol] + state % count
    }

    /// The state without the symbol on top.
    fn without(&self, state: u64) -> u64 {
        let symbol = self.top(state);
        state / self.total * self.counts[symbol] + state % self.total - self.starts[symbol]
    }
}

/// Moves the symbols into the state; they become zero.
#[reversible]
fn encode(state: &mut u64, symbols: &mut [usize], model: &Model) {
    for symbol in symbols {
        let mut next = model.with(*state, *symbol);
        *symbol -= model.top(next);
        *state -= model.without(next);
        swap(state, &mut next);
        unlet!(next = 0);
    }
}

#[test]
fn of_four_symbols() {
    let model = Model::new(&[3, 1]);
    let (mut state, mut symbols) = (0, [1, 0, 1, 0]);
    encode(&mut state, &mut symbols, &model);
    assert_eq!((state, symbols), (25, [0; 4]));
    encode::inverse(&mut state, &mut symbols, &model);
    assert_eq!((state, symbols), (0, [1, 0, 1, 0]));
}

proptest! {
    #[test]
    fn there_and_back(
        counts in prop::collection::vec(1_u64..5, 1..6),
        letters in prop::collection::vec(any::<usize>(), 0..12),
        begin in 0_u64..1000,
    ) {
        let model = Model::new(&counts);
        let letters: Vec<_> = letters.iter().map(|letter| letter % counts.len()).collect();
        let (mut state, mut symbols) = (begin, letters.clone());
        encode(&mut state, &mut symbols, &model);
        prop_assert!(symbols.iter().all(|symbol| *symbol == 0));
        encode::inverse(&mut state, &mut symbols, &model);
        prop_assert_eq!((state, symbols), (begin, letters));
    }

    /// Every number is the code of some symbols.
    #[test]
    fn back_and_there(code in any::<u64>(), counts in prop::collection::vec(1_u64..5, 1..6)) {
        let model = Model::new(&counts);
        let (mut state, mut symbols) = (code, [0; 8]);
        encode::inverse(&mut state, &mut symbols, &model);
        encode(&mut state, &mut symbols, &model);
        prop_assert_eq!((state, symbols), (code, [0; 8]));
    }
}
