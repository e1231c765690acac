//! Functions of the user's by the names of the prelude's.

use retrograde::prelude::*;
use std::panic::catch_unwind;

/// Hides the prelude's, and the type that has its inverse too.
#[reversible]
fn inc(y: &mut f64, x: &f64) {
    *y += *x;
}

#[reversible]
fn rot(y: &mut f64, x: &f64) {
    inc(y, x);
    inc(y, x);
    !inc(y, x);
    *y += *x * *x;
}

#[test]
fn reversible_functions_by_such_names_are_the_users() {
    let mut y = 1.0;
    rot(&mut y, &3.0);
    assert_eq!(y, 13.0);
    rot::inverse(&mut y, &3.0);
    assert_eq!(y, 1.0);
    assert_eq!(rot::gradient(&3.0).d_x, 7.0);
}

/// Hides the prelude's function, but not the type that has its inverse.
fn dec(x: &mut i64) {
    *x -= 5;
}

#[reversible]
fn by_five(x: &mut i64) {
    dec(x);
}

#[test]
fn an_inverse_of_another_function_is_not_called() {
    for run in [by_five, by_five::inverse] {
        let payload = catch_unwind(move || run(&mut 10)).expect_err("it must not be called");
        let message = payload.downcast::<String>().expect("a message");
        assert!(message.contains("checks::hidden::dec"), "{message}");
        assert!(message.contains("retrograde::instructions::dec"), "{message}");
    }
}

/// The same where gradients are.
fn neg(x: &mut f64) {
    *x *= 2.0;
}

#[reversible]
fn doubled(y: &mut f64) {
    neg(y);
}

#[test]
fn an_adjoint_of_another_function_is_not_called() {
    assert!(catch_unwind(|| doubled(&mut 1.0)).is_err());
    assert!(catch_unwind(|| doubled::adjoint(&mut 1.0, &mut 1.0)).is_err());
    assert!(catch_unwind(|| doubled::inverse_adjoint(&mut 1.0, &mut 1.0)).is_err());
}

#[reversible]
fn generic<T: Arithmetic>(a: &mut [T], i: usize, j: usize) {
    swap(&mut a[i], &mut a[j]);
    conj::<T>(&mut a[i]);
}

#[test]
fn those_of_the_prelude_are_called() {
    let mut a = [1.0, 2.0, 3.0];
    generic(&mut a, 0, 2);
    assert_eq!(a, [3.0, 2.0, 1.0]);
    generic::inverse(&mut a, 0, 2);
    assert_eq!(a, [1.0, 2.0, 3.0]);
}
