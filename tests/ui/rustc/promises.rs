//! What is promised of a sum is that it can be undone.

use retrograde::prelude::*;
use std::ops::{AddAssign, SubAssign};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Doubling(f64);

impl AddAssign for Doubling {
    fn add_assign(&mut self, other: Self) {
        self.0 += 2.0 * other.0;
    }
}

impl SubAssign for Doubling {
    fn sub_assign(&mut self, other: Self) {
        self.0 -= 2.0 * other.0;
    }
}

#[reversible(undoable(Doubling))]
fn with_gradients(y: &mut Doubling, x: &Doubling) {
    *y += *x;
}

#[reversible(inverse_only, undoable(Doubling))]
fn without(y: &mut Doubling, x: &Doubling) {
    *y += *x;
}

fn main() {}
