//! Functions that call themselves: for a value, and for its gradient.

use retrograde::prelude::*;
use retrograde::testing::assert_gradient;

/// Of each function: the gradient, and that its inverse adjoint undoes its adjoint.
macro_rules! check {
    ($($f:ident)+) => {$(
        for n in [1, 2, 3, 6] {
            let x: Vec<f64> = (0..n).map(|k| 0.75 + 0.5 * (k as f64).sin()).collect();
            let mut y = 0.5;
            assert_gradient!($f(&mut y, &x));
            $f(&mut y, &x);
            let (after, mut d_y, mut d_x) = (y, 1.5, vec![0.25; n]);
            $f::adjoint(&mut y, &mut d_y, &x, &mut d_x);
            assert!((y - 0.5).abs() < 1e-14, "{}: {y}", stringify!($f));
            $f::inverse_adjoint(&mut y, &mut d_y, &x, &mut d_x);
            assert!((y - after).abs() < 1e-14 && (d_y - 1.5).abs() < 1e-14, "{}", stringify!($f));
            assert!(d_x.iter().all(|d| (d - 0.25).abs() < 1e-13), "{}: {d_x:?}", stringify!($f));
        }
    )+};
}

/// The value is a factor.
#[reversible]
fn factor<T: Real>(y: &mut T, x: &[T]) {
    if x.len() > 1 {
        let mut rest = 0.0;
        #[compute]
        {
            factor(&mut rest, &x[1..]);
        }
        *y += x[0] * rest - 0.5 * rest;
    } else {
        *y += x[0];
    }
}

/// Its gradient depends on the value.
#[reversible]
fn square<T: Real>(y: &mut T, x: &[T]) {
    if x.len() > 1 {
        let mut rest = 0.0;
        #[compute]
        {
            square(&mut rest, &x[1..]);
        }
        *y -= x[0] * rest * rest;
    } else {
        *y += x[0];
    }
}

/// Two values, and both are factors of each other.
#[reversible]
fn product<T: Real>(y: &mut T, x: &[T]) {
    if x.len() > 1 {
        let half = x.len() / 2;
        let mut left = 0.0;
        let mut right = 0.0;
        #[compute]
        {
            product(&mut left, &x[..half]);
            product(&mut right, &x[half..]);
        }
        *y += left * right + 2.0 * left;
    } else {
        *y += x[0].sin();
    }
}

/// It does more than add: the gradient is another one before it.
#[reversible]
fn turning_first<T: Real>(y: &mut T, x: &[T]) {
    neg(y);
    if x.len() > 1 {
        let mut rest = 0.0;
        #[compute]
        {
            turning_first(&mut rest, &x[1..]);
        }
        *y += x[0] * rest;
    } else {
        *y += x[0];
    }
}

#[reversible]
fn turning_last<T: Real>(y: &mut T, x: &[T]) {
    if x.len() > 1 {
        let mut rest = 0.0;
        #[compute]
        {
            turning_last(&mut rest, &x[1..]);
        }
        *y += x[0] * rest;
    } else {
        *y += x[0];
    }
    neg(y);
}

/// What the value starts with, and what is done with it besides.
#[reversible]
fn from_a_value<T: Real>(y: &mut T, x: &[T]) {
    if x.len() > 1 {
        let mut rest = x[0] * x[1];
        #[compute]
        {
            from_a_value(&mut rest, &x[1..]);
            rest += x[0];
        }
        *y += x[0] * rest;
    } else {
        *y += x[0];
    }
}

/// Backwards, in a loop, and with a call of the same in between.
#[reversible]
fn uncalled<T: Real>(y: &mut T, x: &[T]) {
    if x.len() > 1 {
        for k in 0..2 {
            let mut rest = 0.0;
            #[compute]
            {
                !uncalled(&mut rest, &x[1..]);
            }
            *y += x[k] * rest;
            if k == 1 {
                uncalled(y, &x[1..]);
            }
        }
    } else {
        *y += x[0];
    }
}

#[test]
fn functions_that_call_themselves() {
    check!(factor square product turning_first turning_last from_a_value uncalled);
}
