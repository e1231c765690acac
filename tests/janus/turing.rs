//! Reversible Turing machines: rules that write a symbol, and rules that move the head.

use proptest::prelude::*;
use retrograde::prelude::*;

/// Symbols are small numbers, and the blank is zero.
const BLANK: u8 = 0;

#[derive(Clone, Copy, Debug)]
enum Action {
    /// Where this symbol stands, write that one.
    Write(u8, u8),
    Left,
    Right,
}

#[derive(Clone, Copy, Debug)]
struct Rule {
    from: u32,
    action: Action,
    to: u32,
}

/// The tape: the symbol under the head, and what lies on both sides, next to the head on top.
#[derive(Clone, Debug, Default, PartialEq)]
struct Tape {
    left: Stack<u8>,
    head: u8,
    right: Stack<u8>,
}

impl Tape {
    fn of(symbols: &[u8]) -> Self {
        Self { right: symbols.iter().rev().copied().collect(), ..Self::default() }
    }

    fn to_vec(&self) -> Vec<u8> {
        let right = self.right.as_slice().iter().rev();
        self.left.as_slice().iter().chain([&self.head]).chain(right).copied().collect()
    }
}

/// Puts a symbol away. The end of the tape is blank, and is not stored.
#[reversible]
fn put(symbol: &mut u8, side: &mut Stack<u8>) {
    if (*symbol != BLANK || !side.is_empty(), !side.is_empty()) {
        side.push(symbol);
    }
}

#[reversible]
fn move_right(tape: &mut Tape) {
    put(&mut tape.head, &mut tape.left);
    !put(&mut tape.head, &mut tape.right);
}

/// The symbol that a rule reads or writes.
fn reads(rule: &Rule, symbol: u8) -> bool {
    match rule.action {
        Action::Write(read, _) => read == symbol,
        Action::Left | Action::Right => true,
    }
}

fn writes(rule: &Rule, symbol: u8) -> bool {
    match rule.action {
        Action::Write(_, written) => written == symbol,
        Action::Left | Action::Right => true,
    }
}

/// The change of the symbol.
fn change(rule: &Rule) -> u8 {
    match rule.action {
        Action::Write(read, written) => read ^ written,
        Action::Left | Action::Right => 0,
    }
}

#[reversible]
fn apply(rule: &Rule, state: &mut u32, tape: &mut Tape) {
    if (*state == rule.from && reads(rule, tape.head), *state == rule.to && writes(rule, tape.head))
    {
        *state ^= rule.from ^ rule.to;
        tape.head ^= change(rule);
        if matches!(rule.action, Action::Right) {
            move_right(tape);
        } else if matches!(rule.action, Action::Left) {
            !move_right(tape);
        }
    }
}

/// Runs a machine from its first state to its last one.
#[reversible]
fn run(rules: &[Rule], first: u32, last: u32, tape: &mut Tape) {
    let mut state = first;
    while (state != last, state != first) {
        for rule in rules {
            apply(rule, &mut state, tape);
        }
    }
    unlet!(state = last);
}

/// Adds one to a binary number, whose lowest bit comes first: bit 0 is the symbol 1, and bit 1 is 2.
fn increment() -> Vec<Rule> {
    let rule = |from, action, to| Rule { from, action, to };
    use Action::{Left, Right, Write};
    vec![
        rule(1, Write(BLANK, BLANK), 2),
        rule(2, Right, 3),
        rule(3, Write(1, 2), 4),
        rule(3, Write(2, 1), 2),
        rule(3, Write(BLANK, BLANK), 4),
        rule(4, Left, 5),
        rule(5, Write(1, 1), 4),
        rule(5, Write(BLANK, BLANK), 6),
    ]
}

#[test]
fn eleven_and_one() {
    let rules = increment();
    let mut tape = Tape::of(&[2, 2, 1, 2]);
    run(&rules, 1, 6, &mut tape);
    assert_eq!(tape, Tape::of(&[1, 1, 2, 2]));
    run::inverse(&rules, 1, 6, &mut tape);
    assert_eq!(tape, Tape::of(&[2, 2, 1, 2]));
}

proptest! {
    #[test]
    fn there_and_back(bits in prop::collection::vec(1_u8..=2, 0..20)) {
        let rules = increment();
        let number = |bits: &[u8]| bits.iter().rev().fold(0, |n, bit| 2 * n + u64::from(bit - 1));
        let start = Tape::of(&bits);
        let mut tape = start.clone();
        run(&rules, 1, 6, &mut tape);
        let after = tape.to_vec();
        prop_assert_eq!(after.len(), bits.len() + 1);
        prop_assert_eq!(number(&after[1..]), (number(&bits) + 1) % (1 << bits.len()));
        run::inverse(&rules, 1, 6, &mut tape);
        prop_assert_eq!(&tape, &start);

        // The machine run backwards takes one away.
        run::inverse(&rules, 1, 6, &mut tape);
        let before = tape.to_vec();
        prop_assert_eq!((number(&before[1..]) + 1) % (1 << bits.len()), number(&bits));
        run(&rules, 1, 6, &mut tape);
        prop_assert_eq!(&tape, &start);
    }
}
