//! Shadows of everything that is not a number, and of numbers.

use crate::derivative::{Differentiable, zero_like};
use crate::num::{Complex, DoubleDouble, Dual, Fixed43};
use std::fmt::Debug;
use std::marker::PhantomData;

/// `0 + g + g − g`, of the shape of `g`.
fn once<T: Differentiable>(g: T) -> T {
    let mut shadow = zero_like(&g);
    shadow.accumulate_shadow(g.clone());
    shadow.accumulate_shadow(g.clone());
    shadow.retract_shadow(g);
    shadow
}

fn carries<T: Differentiable + PartialEq + Debug>(g: T) {
    assert_eq!(once(g.clone()), g);
}

#[test]
fn numbers_and_what_is_made_of_them() {
    carries(1.5_f32);
    carries(1.5_f64);
    carries(Complex::new(1.5, -2.0));
    carries(Complex::new(1.5_f32, -2.0));
    carries(DoubleDouble::from(1) / 3.0);
    carries(Fixed43::from_f64(0.1));
    let dual = once(Dual { value: 1.5, tangents: [2.0, 3.0] });
    assert_eq!((dual.value, dual.tangents), (1.5, [2.0, 3.0]));
    carries((1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, [11.0], vec![12.0]));
    carries([[1.0, 2.0], [3.0, 4.0]]);
    carries(vec![(1.0, [2.0])]);
    carries(Box::new(vec![1.0]));
    carries(Some(vec![1.0, 2.0]));
    carries(None::<f64>);
    carries(Vec::<f64>::new());
}

#[test]
fn constants_stay_as_they_are() {
    assert_eq!(once((7_i8, 7_u64, 7_usize, true)), (7, 7, 7, true));
    assert_eq!(once(((), PhantomData::<str>)), ((), PhantomData));
    assert_eq!(once("text".to_string()), "text");
    assert_eq!(once('x'), 'x');
    assert_eq!(once((i128::MAX, 2.0)), (i128::MAX, 2.0));
}

#[test]
fn slices_have_vectors_of_their_length() {
    assert_eq!(zero_like(&[1.0, 2.0, 3.0][1..]), vec![0.0, 0.0]);
    assert_eq!(zero_like(&[Some(1.0), None][..]), vec![Some(0.0), None]);
}

#[test]
fn shadows_are_used_again() {
    fn again<T: Differentiable + PartialEq + Debug>(mut used: T, value: T) {
        used.set_zero_like(&value);
        assert_eq!(used, zero_like(&value));
    }
    again(2.5, 1.5);
    again((2.5, 3, [1.0, 2.0]), (1.5, 7, [3.0, 4.0]));
    again(vec![1.0, 2.0, 3.0], vec![4.0]);
    again(vec![1.0], vec![4.0, 5.0]);
    again(vec![vec![1.0], vec![]], vec![vec![2.0, 3.0], vec![4.0], vec![5.0]]);
    again(Some(vec![1.0]), Some(vec![2.0, 3.0]));
    again(Some(1.0), None);
    again(None, Some(1.0));
    again(Box::new(1.0), Box::new(2.0));
    let mut shadow = vec![1.0, 2.0];
    let memory = shadow.as_ptr();
    shadow.set_zero_like(&vec![3.0, 4.0]);
    assert_eq!((shadow.as_ptr(), &shadow[..]), (memory, &[0.0, 0.0][..]));
}

#[test]
fn empty_shadows_take_what_comes() {
    let mut shadow = Vec::new();
    shadow.accumulate_shadow(vec![1.0, 2.0]);
    assert_eq!(shadow, [1.0, 2.0]);
    let mut shadow = Vec::new();
    shadow.retract_shadow(vec![1.0, 2.0]);
    assert_eq!(shadow, [-1.0, -2.0]);

    let mut shadow = None;
    shadow.accumulate_shadow(Some(1.0));
    assert_eq!(shadow, Some(1.0));
    shadow.accumulate_shadow(None);
    assert_eq!(shadow, Some(1.0));
    let mut shadow = None;
    shadow.retract_shadow(Some(1.0));
    assert_eq!(shadow, Some(-1.0));
    shadow.retract_shadow(None);
    assert_eq!(shadow, Some(-1.0));
}

#[test]
#[should_panic(expected = "a gradient of 3 elements for a shadow of 2")]
fn sums_of_different_lengths_are_refused() {
    vec![1.0, 2.0].accumulate_shadow(vec![0.0; 3]);
}

#[test]
#[should_panic(expected = "a gradient of 0 elements for a shadow of 2")]
fn differences_of_different_lengths_are_refused() {
    vec![1.0, 2.0].retract_shadow(vec![]);
}
