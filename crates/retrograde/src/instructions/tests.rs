mod gradients;

use super::*;
use crate::Reversible;
use crate::check::Check;
use crate::check::Slack;
use crate::num::{Complex, Fixed43};
use proptest::prelude::*;

/// Runs an instruction and its inverse, and gives what they left of the places.
macro_rules! there_and_back {
    ($name:ident($($place:ident),+ $(; $constant:expr)?)) => {{
        let ($(mut $place,)+) = ($($place,)+);
        $name($(&mut $place,)+ $($constant)?);
        $name::inverse($(&mut $place,)+ $($constant)?);
        ($($place,)+)
    }};
}

proptest! {
    #[test]
    fn integers_come_back_exactly(x: i16, y: u64, z: bool, n in 0..200_u32) {
        let t = Tropical(x);
        prop_assert_eq!(there_and_back!(neg(x)), (x,));
        prop_assert_eq!(there_and_back!(neg(y)), (y,));
        prop_assert_eq!(there_and_back!(inc(x)), (x,));
        prop_assert_eq!(there_and_back!(dec(y)), (y,));
        prop_assert_eq!(there_and_back!(inv(t)), (t,));
        prop_assert_eq!(there_and_back!(flip(z)), (z,));
        prop_assert_eq!(there_and_back!(rotate_left(x; n)), (x,));
        prop_assert_eq!(there_and_back!(rotate_right(y; n)), (y,));
    }

    #[test]
    fn fixed_point_comes_back_exactly(x in -1e3..1e3, y in -1e3..1e3) {
        let (x, y) = (Fixed43::from_f64(x), Fixed43::from_f64(y));
        prop_assert_eq!(there_and_back!(swap(x, y)), (x, y));
        prop_assert_eq!(there_and_back!(neg(x)), (x,));
        prop_assert_eq!(there_and_back!(inc(x)), (x,));
        prop_assert_eq!(there_and_back!(add_constant(x; y)), (x,));
        prop_assert_eq!(there_and_back!(sub_constant(x; y)), (x,));
    }

    #[test]
    fn rotations_come_back_up_to_round_off(x in -1e3..1e3, y in -1e3..1e3, angle in -9.0..9.0) {
        let (z, w) = (Complex::new(x, y), Complex::new(y, angle));
        prop_assert!(there_and_back!(rot(x, y; &angle)).agrees(&(x, y), Slack::half_the_digits(1e3)));
        prop_assert!(there_and_back!(unrot(x, y; &angle)).agrees(&(x, y), Slack::half_the_digits(1e3)));
        prop_assert!(there_and_back!(hadamard(z, w)).agrees(&(z, w), Slack::half_the_digits(1e3)));
        prop_assert_eq!(there_and_back!(conj(z)), (z,));
    }
}

#[test]
fn a_rotation_keeps_the_length_and_adds_the_angle() {
    let (mut a, mut b) = (3.0_f64, 4.0_f64);
    rot(&mut a, &mut b, &0.3);
    assert!(a.hypot(b).agrees(&5.0, Slack::half_the_digits(0.0)));
    assert!((b.atan2(a) - 4.0_f64.atan2(3.0)).agrees(&0.3, Slack::half_the_digits(0.0)));
}

#[test]
fn an_instruction_is_a_value() {
    fn twice<T>(f: impl for<'a> Reversible<(&'a mut T,)>, x: &mut T) {
        f.call((&mut *x,));
        f.call((x,));
    }
    let mut x = 5;
    twice(inc {}, &mut x);
    assert_eq!(x, 7);
    twice(neg {}, &mut x);
    assert_eq!(x, 7);
    (dec {}).call_inverse((&mut x,));
    assert_eq!(x, 8);
}

#[test]
fn counting_works_on_every_kind_of_number() {
    let mut z = Complex::new(0.5, 2.0);
    inc(&mut z);
    assert_eq!(z, Complex::new(1.5, 2.0));
    let mut q = Fixed43::from_f64(0.5);
    dec(&mut q);
    assert_eq!(q, Fixed43::from_f64(-0.5));
    let mut n = i8::MIN;
    dec(&mut n);
    assert_eq!(n, i8::MAX);
}
