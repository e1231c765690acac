//! What is marked `#[constant]`, and written.

use retrograde::prelude::*;

#[reversible]
fn count(#[constant] seen: &mut f64, y: &mut f64) {
    *y += *seen;
    *seen += 1.0;
}

#[reversible]
fn add(sum: &mut f64, x: &f64) {
    *sum += *x;
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Spring {
    stiffness: f64,
    knots: usize,
}

#[reversible]
fn of_constants(
    y: &mut f64,
    x: &Spring,
    #[constant] c: &mut f64,
    #[constant] d: &f64,
    #[constant] spare: &mut Spring,
) {
    count(c, y);
    add(c, d);
    neg(c);
    *y += x.stiffness * *c;
    *c += 2.0 * *d;
    spare.knots += x.knots;
    // Here the gradient ends, by the user's word.
    #[constant]
    let held = x.stiffness;
    *c += held;
    *y += *c * x.stiffness;
}

#[test]
fn constants_are_written_with_constants() {
    let spring = Spring { stiffness: 3.0, knots: 2 };
    let mut spare = Spring { stiffness: 1.0, knots: 1 };
    let (mut y, mut c) = (0.5, 0.25);
    of_constants(&mut y, &spring, &mut c, &2.0, &mut spare);
    let c_then = -(0.25 + 1.0 + 2.0);
    assert_eq!((c, spare.knots), (c_then + 4.0 + 3.0, 3));
    assert_eq!(y, 0.5 + 0.25 + 3.0 * c_then + 3.0 * c);
    let (mut d_y, mut d_spring) = (1.0, Spring { stiffness: 0.0, knots: 2 });
    let c_now = c;
    of_constants::adjoint(&mut y, &mut d_y, &spring, &mut d_spring, &mut c, &2.0, &mut spare);
    assert_eq!((y, c, spare.knots), (0.5, 0.25, 1));
    assert_eq!(d_spring.stiffness, c_then + c_now);
}
