//! The integer square root, bit by bit.

use proptest::prelude::*;
use retrograde::prelude::*;

#[reversible]
fn double(x: &mut u64) {
    let mut half = *x;
    *x += half;
    unlet!(half = *x / 2);
}

/// Takes the largest square out of `number`, which leaves the rest, and puts its root into `root`.
#[reversible]
fn root(number: &mut u64, root: &mut u64) {
    let mut bit = 1;
    while (bit * bit <= *number, bit > 1) {
        double(&mut bit);
    }
    while (bit > 1, bit * bit <= *number) {
        !double(&mut bit);
        if ((*root + bit).pow(2) <= *number, *root / bit % 2 == 1) {
            *root += bit;
        }
    }
    *number -= *root * *root;
}

#[test]
fn of_66() {
    let (mut number, mut r) = (66, 0);
    root(&mut number, &mut r);
    assert_eq!((number, r), (2, 8));
    root::inverse(&mut number, &mut r);
    assert_eq!((number, r), (66, 0));
}

/// Run backwards without a rest, it squares.
#[test]
fn squares_when_run_backwards() {
    let (mut number, mut r) = (0, 25);
    root::inverse(&mut number, &mut r);
    assert_eq!((number, r), (625, 0));
}

proptest! {
    #[test]
    fn there_and_back(start in prop_oneof![0_u64..100, 0_u64..1 << 60]) {
        let (mut number, mut r) = (start, 0);
        root(&mut number, &mut r);
        prop_assert_eq!((number, r), (start - start.isqrt().pow(2), start.isqrt()));
        root::inverse(&mut number, &mut r);
        prop_assert_eq!((number, r), (start, 0));
    }

    #[test]
    fn back_and_there(start in 0_u64..1 << 30, part in 0.0..1.0) {
        let rest = ((2 * start + 1) as f64 * part) as u64;
        let (mut number, mut r) = (rest, start);
        root::inverse(&mut number, &mut r);
        prop_assert_eq!((number, r), (start * start + rest, 0));
        root(&mut number, &mut r);
        prop_assert_eq!((number, r), (rest, start));
    }
}
