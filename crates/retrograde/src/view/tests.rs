mod gradients;

use super::*;
use crate::num::{Complex, Tropical};
use proptest::prelude::*;

proptest! {
    #[test]
    fn a_view_that_is_only_read_changes_nothing(x: i64, by in -1000..1000_i64) {
        let x = x >> 1;
        let mut now = x;
        prop_assert_eq!(*negated(&mut now), -x);
        prop_assert_eq!(*shifted(&mut now, by), x + by);
        prop_assert_eq!(*inverted(&mut Tropical(now)), Tropical(-x));
        prop_assert_eq!(now, x);
    }
}

#[test]
fn views_nest_and_come_back_in_the_opposite_order() {
    let mut x = 5;
    *negated(&mut *shifted(&mut x, 10)) += 1;
    assert_eq!(x, 4);
    let mut z = Complex::new(1.0, 2.0);
    *negated(&mut *conjugated(&mut z)) += Complex::new(0.5, 0.5);
    assert_eq!(z, Complex::new(0.5, 2.5));
}

#[test]
fn a_panic_does_not_leave_the_place_changed() {
    let mut x = 5;
    let run = std::panic::AssertUnwindSafe(|| {
        let _view = negated(&mut x);
        panic!("while the view is alive");
    });
    assert!(std::panic::catch_unwind(run).is_err());
    assert_eq!(x, 5);
}

#[test]
fn a_view_prints_what_it_shows() {
    assert_eq!(format!("{:?}", negated(&mut 5)), "-5");
}
