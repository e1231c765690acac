//! Elements of one slice, which only run time can tell apart.

use crate::broken;
use retrograde::error::Broken;
use retrograde::num::Logarithmic;
use retrograde::prelude::*;
use retrograde::testing::assert_gradient;

#[reversible]
fn mix(x: &mut [f64], w: &f64, i: usize, j: usize) {
    x[i] += *w * x[j];
}

#[reversible]
fn swap_and_mix(x: &mut [f64], w: &f64, i: usize, j: usize) {
    product(&mut x[i], &x[j], w);
}

#[reversible]
fn product(y: &mut f64, a: &f64, b: &f64) {
    *y += *a * *b;
}

#[test]
fn of_one_slice_that_differ() {
    let mut x = [1.0, 2.0, 3.0];
    assert_gradient!(mix(&mut x, &0.5, 0, 2));
    assert_gradient!(swap_and_mix(&mut x, &0.5, 2, 1));
    let (mut d_x, mut d_w) = ([1.0, 10.0, 100.0], 0.0);
    mix(&mut x, &0.5, 0, 2);
    mix::adjoint(&mut x, &mut d_x, &0.5, &mut d_w, 0, 2);
    assert_eq!((x, d_x, d_w), ([1.0, 2.0, 3.0], [1.0, 10.0, 100.5], 3.0));
}

#[test]
#[cfg_attr(feature = "unchecked", ignore = "there are no checks")]
fn that_turn_out_equal() {
    let (mut x, mut d_x, mut d_w) = ([1.0, 2.0, 3.0], [1.0; 3], 0.0);
    for run in [mix::adjoint, mix::inverse_adjoint, swap_and_mix::adjoint] {
        let error = broken(|| run(&mut x, &mut d_x, &0.5, &mut d_w, 1, 1));
        assert_eq!((error.broken, error.found.as_str()), (Broken::Indices, "1 and 1"));
        assert_eq!(error.file, file!());
    }
    // Before anything was changed.
    assert_eq!((x, d_x, d_w), ([1.0, 2.0, 3.0], [1.0; 3], 0.0));
}

#[reversible]
fn by_value(y: &mut f64, a: f64) {
    *y += a.sin();
}

#[reversible]
fn in_a_value(x: &mut [f64], w: &f64, i: usize, j: usize) {
    by_value(&mut x[i], x[j] * *w);
}

#[reversible]
fn behind_a_reference(x: &mut [f64], w: &f64, i: usize, j: usize) {
    product(&mut x[i], &(x[j] + 1.0), w);
}

#[reversible]
fn in_a_function(x: &mut [f64], w: &f64, i: usize, j: usize) {
    x[i] += (x[j] * *w).sin() / x[j];
}

#[reversible]
fn of_generic_numbers<T: Real>(x: &mut [T], w: &T, i: usize, j: usize) {
    x[i] -= (x[j] * *w).exp() * 2.0;
}

#[differentiable]
fn bump(x: f64) -> f64 {
    (-x * x).exp()
}

#[reversible]
fn in_a_pure_function(x: &mut [f64], w: &f64, i: usize, j: usize) {
    x[i] += bump(x[j] * *w) * bump(*w);
}

#[reversible]
fn in_a_branch(x: &mut [f64], w: &f64, i: usize, j: usize) {
    x[i] += if *w > 0.0 { (x[j] * *w).sin() } else { *w };
}

#[test]
fn whose_values_have_names_in_the_adjoint() {
    let mut x = [1.0, 2.0, 3.0];
    assert_gradient!(in_a_value(&mut x, &0.5, 0, 2));
    assert_gradient!(behind_a_reference(&mut x, &0.5, 1, 2));
    assert_gradient!(in_a_function(&mut x, &0.5, 2, 1));
    assert_gradient!(of_generic_numbers(&mut x, &0.5, 0, 1));
    assert_gradient!(in_a_pure_function(&mut x, &0.5, 0, 1));
    assert_gradient!(in_a_branch(&mut x, &0.5, 0, 1));
}

#[test]
#[cfg_attr(feature = "unchecked", ignore = "there are no checks")]
fn that_turn_out_equal_behind_a_name() {
    let (mut x, mut d_x, mut d_w) = ([1.0, 2.0, 3.0], [1.0; 3], 0.0);
    for run in [
        in_a_value::adjoint,
        in_a_value::inverse_adjoint,
        behind_a_reference::adjoint,
        behind_a_reference::inverse_adjoint,
        in_a_function::adjoint,
        in_a_function::inverse_adjoint,
        of_generic_numbers::adjoint::<f64>,
        of_generic_numbers::inverse_adjoint::<f64>,
        in_a_pure_function::adjoint,
        in_a_pure_function::inverse_adjoint,
        in_a_branch::adjoint,
        in_a_branch::inverse_adjoint,
    ] {
        let error = broken(|| run(&mut x, &mut d_x, &0.5, &mut d_w, 1, 1));
        assert_eq!((error.broken, error.found.as_str()), (Broken::Indices, "1 and 1"));
    }
    // Before anything was changed.
    assert_eq!((x, d_x, d_w), ([1.0, 2.0, 3.0], [1.0; 3], 0.0));
    let (mut x, mut d_x) = ([2.0, 3.0].map(Logarithmic::new), [1.0; 2].map(Logarithmic::new));
    for run in [group, group::inverse] {
        assert_eq!(broken(|| run(&mut x, 1, 1)).broken, Broken::Indices);
    }
    for run in [group::adjoint, group::inverse_adjoint] {
        assert_eq!(broken(|| run(&mut x, &mut d_x, 1, 1)).broken, Broken::Indices);
    }
}

#[reversible]
fn group(x: &mut [Logarithmic<f64>], i: usize, j: usize) {
    x[i] *= x[j].powi(2);
}

/// Different indices, one element.
#[derive(Clone, Debug, Differentiable)]
#[container]
struct Periodic {
    cells: Vec<f64>,
}

impl std::ops::Index<usize> for Periodic {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        &self.cells[i % self.cells.len()]
    }
}

impl std::ops::IndexMut<usize> for Periodic {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        let n = self.cells.len();
        &mut self.cells[i % n]
    }
}

#[reversible]
fn around(x: &mut Periodic, i: usize, j: usize) {
    x[i] += x[j].sin();
}

#[test]
#[cfg_attr(feature = "unchecked", ignore = "there are no checks")]
fn of_a_container_that_repeats_itself() {
    let mut x = Periodic { cells: vec![1.0, 2.0, 3.0] };
    assert_gradient!(around(&mut x, 1, 5));
    let mut d_x = x.clone();
    let error = broken(|| around::adjoint(&mut x, &mut d_x, 1, 4));
    assert_eq!(error.broken, Broken::Indices);
}

#[reversible]
fn flags(bits: &mut [bool], y: &mut f64, x: &f64, i: usize, j: usize) {
    bits[i] ^= bits[j];
    if bits[i] {
        *y += *x * *x;
    }
}

#[test]
#[cfg_attr(feature = "unchecked", ignore = "there are no checks")]
fn of_exclusive_or() {
    let (mut bits, mut y, mut d_y, mut d_x) = ([false, true], 4.0, 1.0, 0.0);
    flags::inverse(&mut bits, &mut y, &2.0, 0, 1);
    assert_eq!((bits, y), ([true, true], 4.0));
    flags(&mut bits, &mut y, &2.0, 0, 1);
    bits = [true, true];
    y = 4.0;
    flags::adjoint(&mut bits, &mut y, &mut d_y, &2.0, &mut d_x, 0, 1);
    assert_eq!((bits, y, d_x), ([false, true], 0.0, 4.0));
    let error = broken(|| flags::adjoint(&mut bits, &mut y, &mut d_y, &2.0, &mut d_x, 1, 1));
    assert_eq!(error.broken, Broken::Indices);
}
