//! A permutation and its code: how many of the numbers before each one are smaller.

use proptest::prelude::*;
use retrograde::prelude::*;

/// Turns a permutation of `0..n` into its code, in place.
#[reversible]
fn encode(x: &mut [usize]) {
    for k in (0..x.len()).rev() {
        for j in 0..k {
            if (x[j] > x[k], x[j] >= x[k]) {
                x[j] -= 1;
            }
        }
    }
}

#[test]
fn of_six_numbers() {
    let mut x = [2, 0, 3, 1, 5, 4];
    encode(&mut x);
    assert_eq!(x, [0, 0, 2, 1, 4, 4]);
    encode::inverse(&mut x);
    assert_eq!(x, [2, 0, 3, 1, 5, 4]);
}

proptest! {
    #[test]
    fn there_and_back(permutation in Just((0..12).collect::<Vec<usize>>()).prop_shuffle()) {
        let mut x = permutation.clone();
        encode(&mut x);
        for (k, code) in x.iter().enumerate() {
            let smaller = permutation[..k].iter().filter(|before| **before < permutation[k]);
            prop_assert_eq!(*code, smaller.count());
        }
        encode::inverse(&mut x);
        prop_assert_eq!(x, permutation);
    }

    #[test]
    fn back_and_there(numbers in prop::collection::vec(any::<usize>(), 0..12)) {
        let code: Vec<_> = numbers.iter().enumerate().map(|(k, number)| number % (k + 1)).collect();
        let mut x = code.clone();
        encode::inverse(&mut x);
        let mut sorted = x.clone();
        sorted.sort();
        prop_assert_eq!(sorted, (0..x.len()).collect::<Vec<_>>());
        encode(&mut x);
        prop_assert_eq!(x, code);
    }
}
