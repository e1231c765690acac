//! Run-length encoding: each value once, with how often it comes in a row.

use proptest::prelude::*;
use retrograde::prelude::*;

/// Moves a text of numbers that are not zero, with a zero at its end, into `runs`.
#[reversible]
fn encode(text: &mut [u32], runs: &mut [u32]) {
    let mut i = 0;
    let mut j = 0;
    while (text[i] != 0, j > 0) {
        swap(&mut text[i], &mut runs[j]);
        runs[j + 1] += 1;
        i += 1;
        while (text[i] == runs[j], runs[j + 1] > 1) {
            text[i] -= runs[j];
            runs[j + 1] += 1;
            i += 1;
        }
        j += 2;
    }
    while (j > 0, runs[j] != 0) {
        j -= 2;
        i -= runs[j + 1] as usize;
    }
}

#[test]
fn of_six_numbers() {
    let (mut text, mut runs) = ([1, 1, 2, 2, 2, 1, 0], [0; 14]);
    encode(&mut text, &mut runs);
    assert_eq!((text, &runs[..7]), ([0; 7], &[1, 2, 2, 3, 1, 1, 0][..]));
    encode::inverse(&mut text, &mut runs);
    assert_eq!((text, runs), ([1, 1, 2, 2, 2, 1, 0], [0; 14]));
}

/// The same with stacks: from the end of the text, so that its first run is on top.
#[reversible]
fn encode_stack(text: &mut Stack<u32>, runs: &mut Stack<(u32, u32)>) {
    while (!text.is_empty(), !runs.is_empty()) {
        let mut run = (0, 0);
        text.pop(&mut run.0);
        run.1 += 1;
        while (text.top() == Some(&run.0), run.1 > 1) {
            text.pop_copy(&run.0);
            run.1 += 1;
        }
        runs.push(&mut run);
    }
}

#[test]
fn of_six_numbers_on_a_stack() {
    let start = Stack::from_iter([1, 1, 2, 2, 2, 1]);
    let (mut text, mut runs) = (start.clone(), Stack::new());
    encode_stack(&mut text, &mut runs);
    assert!(text.is_empty());
    assert_eq!(runs.as_slice(), [(1, 1), (2, 3), (1, 2)]);
    encode_stack::inverse(&mut text, &mut runs);
    assert_eq!((text, runs.is_empty()), (start, true));
}

/// Runs whose neighbours have the same value are no code of a text.
#[test]
fn no_text_of_two_runs_that_should_be_one() {
    let decode = || encode::inverse(&mut [0; 7], &mut [2, 1, 2, 3, 0, 0, 0]);
    let stopped = std::panic::catch_unwind(decode).expect_err("no text has these runs");
    assert!(stopped.is::<InvertibilityError>());
}

proptest! {
    #[test]
    fn there_and_back(numbers in prop::collection::vec(1_u32..4, 0..30)) {
        let mut text = [0; 31];
        text[..numbers.len()].copy_from_slice(&numbers);
        let (start, mut runs) = (text, [0; 64]);
        encode(&mut text, &mut runs);
        let pairs = runs.chunks_exact(2).take_while(|run| run[0] != 0);
        let again: Vec<_> = pairs.flat_map(|run| std::iter::repeat_n(run[0], run[1] as usize)).collect();
        prop_assert_eq!((&again, text), (&numbers, [0; 31]));
        encode::inverse(&mut text, &mut runs);
        prop_assert_eq!((text, runs), (start, [0; 64]));
    }

    #[test]
    fn stacks_there_and_back(numbers in prop::collection::vec(0_u32..3, 0..30)) {
        let start = Stack::from_iter(numbers);
        let (mut text, mut runs) = (start.clone(), Stack::new());
        encode_stack(&mut text, &mut runs);
        prop_assert!(text.is_empty());
        encode_stack::inverse(&mut text, &mut runs);
        prop_assert_eq!((text, runs.is_empty()), (start, true));
    }
}
