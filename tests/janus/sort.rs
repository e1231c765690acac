//! Sorting by insertion, where the permutation that it made remembers the order before.

use proptest::prelude::*;
use retrograde::prelude::*;

/// Sorts `x`. `places` holds `0, 1, …` before, and then where each number came from.
#[reversible]
fn sort(x: &mut [i32], places: &mut [usize]) {
    for i in 0..x.len() {
        let mut j = i;
        while (j > 0 && x[j - 1] > x[j], j < i) {
            swap(&mut x[j - 1], &mut x[j]);
            swap(&mut places[j - 1], &mut places[j]);
            j -= 1;
        }
        // The number that was last before is where `places` says so.
        while (j < i, places[j] != i) {
            j += 1;
        }
    }
}

#[test]
fn of_six_numbers() {
    let (mut x, mut places) = ([5, 1, 4, 1, 3, 2], [0, 1, 2, 3, 4, 5]);
    sort(&mut x, &mut places);
    assert_eq!((x, places), ([1, 1, 2, 3, 4, 5], [1, 3, 5, 4, 2, 0]));
    sort::inverse(&mut x, &mut places);
    assert_eq!((x, places), ([5, 1, 4, 1, 3, 2], [0, 1, 2, 3, 4, 5]));
}

proptest! {
    #[test]
    fn there_and_back(numbers in prop::collection::vec(-9..9, 0..30)) {
        let mut x = numbers.clone();
        let identity: Vec<_> = (0..x.len()).collect();
        let mut places = identity.clone();
        sort(&mut x, &mut places);
        prop_assert!(x.is_sorted());
        for (number, place) in x.iter().zip(&places) {
            prop_assert_eq!(*number, numbers[*place]);
        }
        sort::inverse(&mut x, &mut places);
        prop_assert_eq!((x, places), (numbers, identity));
    }

    /// Every permutation is a result: it scatters a sorted list.
    #[test]
    fn back_and_there(permutation in Just((0..15).collect::<Vec<usize>>()).prop_shuffle()) {
        let sorted: Vec<_> = (0..15).map(|i| 10 * i).collect();
        let (mut x, mut places) = (sorted.clone(), permutation.clone());
        sort::inverse(&mut x, &mut places);
        for (i, place) in permutation.iter().enumerate() {
            prop_assert_eq!(x[*place], sorted[i]);
        }
        prop_assert!(places.is_sorted());
        sort(&mut x, &mut places);
        prop_assert_eq!((x, places), (sorted, permutation));
    }
}
