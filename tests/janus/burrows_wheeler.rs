//! The Burrows–Wheeler transform in place, one letter at a time from the end.

use proptest::prelude::*;
use retrograde::prelude::*;

/// The end of a text, below all letters.
const END: u8 = b'$';

fn place_of_end(text: &[u8]) -> usize {
    text.iter().position(|letter| *letter == END).expect("a text has an end")
}

/// Where a text that starts with `letter` belongs among the suffixes behind it, whose transform is
/// `behind`, with their end at `end`.
fn rank(behind: &[u8], letter: u8, end: usize) -> usize {
    let smaller = behind.iter().filter(|other| **other < letter).count();
    smaller + behind[..end].iter().filter(|other| **other == letter).count()
}

/// Where the first letter of a text stands in its transform.
fn place_of_first(transform: &[u8]) -> usize {
    let mut order: Vec<_> = (0..transform.len()).collect();
    order.sort_by_key(|place| transform[*place]);
    order[place_of_end(transform)]
}

#[reversible]
fn transform(text: &mut [u8]) {
    for start in (0..text.len() - 1).rev() {
        let mut end = place_of_end(&text[start + 1..]);
        let mut to = rank(&text[start + 1..], text[start], end);
        // The letter goes where the end was, before the text that it now begins …
        swap(&mut text[start], &mut text[start + 1 + end]);
        // … and the end to where the longer text belongs.
        for i in start..start + to {
            swap(&mut text[i], &mut text[i + 1]);
        }
        unlet!(to = place_of_end(&text[start..]));
        unlet!(end = before_the_move(&text[start..]));
    }
}

/// Where the first letter stood, before the end moved past it.
fn before_the_move(transform: &[u8]) -> usize {
    let place = place_of_first(transform);
    if place < place_of_end(transform) { place } else { place - 1 }
}

/// The transform by its definition: the last letters of all rotations, in order.
fn by_definition(text: &[u8]) -> Vec<u8> {
    let mut rotations: Vec<_> =
        (0..text.len()).map(|i| [&text[i..], &text[..i]].concat()).collect();
    rotations.sort();
    rotations.iter().map(|rotation| rotation[text.len() - 1]).collect()
}

#[test]
fn of_banana() {
    let mut text = *b"banana$";
    transform(&mut text);
    assert_eq!(&text, b"annb$aa");
    transform::inverse(&mut text);
    assert_eq!(&text, b"banana$");
}

proptest! {
    #[test]
    fn there_and_back(letters in "[a-d]{0,30}") {
        let start = format!("{letters}$").into_bytes();
        let mut text = start.clone();
        transform(&mut text);
        prop_assert_eq!(&text, &by_definition(&start));
        transform::inverse(&mut text);
        prop_assert_eq!(text, start);
    }
}
