//! Type parameters of which too little is known.
use retrograde::prelude::*;

#[reversible]
fn any<T>(y: &mut T, x: &T) {
    *y += *x;
}

#[reversible]
fn elements<T: Clone, U>(y: &mut [T], x: &[T], #[constant] _data: &U) {
    for k in 0..x.len() {
        y[k] += x[k] * x[k];
    }
    y[0] -= x[0];
}

#[reversible]
fn elsewhere<T>(y: &mut Vec<T>)
where
    T: Copy + Default,
{
    for v in y.iter_mut() {
        *v += T::default();
    }
}

#[reversible]
fn known<T: Real, U>(y: &mut T, a: &mut U, b: &mut U) {
    *y += 1.0;
    swap(a, b);
}

fn main() {}
