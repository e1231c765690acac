//! An orthogonal matrix as a product of plane rotations.

use super::{Dense, Layout, ViewMut};
use crate::derivative::Differentiable;
use crate::num::{Elementary, Real};
use retrograde_macros::instruction;

/// `X ↦ U X` in place, where `U` is the orthogonal matrix that `M (M − 1) / 2` angles make:
/// a product of rotations in the planes of neighbouring rows.
///
/// The matrix `U` itself is never written down, and neither the inverse nor the adjoint
/// allocates anything: each rotation is undone when its gradient is due.
///
/// ```
/// use retrograde::linalg::{Matrix, unitary};
///
/// let angles = [0.1_f64, 0.2, 0.3];
/// let mut u = Matrix::identity(3);
/// unitary(&mut u, &angles);
/// let mut x = [1.0, 2.0, 3.0];
/// unitary(&mut x, &angles);
/// assert!((x[0] - (u[(0, 0)] + 2.0 * u[(0, 1)] + 3.0 * u[(0, 2)])).abs() < 1e-14);
/// unitary::inverse(&mut x, &angles);
/// assert!((x[0] - 1.0).abs() < 1e-15);
/// ```
///
/// The rotations come in the order `(M−1, M), …, (2, 3), (1, 2); (M−1, M), …, (2, 3); …;
/// (M−1, M)`, each by [`rot`](fn@crate::instructions::rot) of the next angle. All columns of
/// `X` are rotated by the same angles.
///
/// # Panics
///
/// If there are not `M (M − 1) / 2` angles for `M` rows.
#[instruction(
    inverse = unitary_inverse,
    adjoint = unitary_adjoint,
    inverse_adjoint = unitary_inverse_adjoint
)]
#[track_caller]
pub fn unitary<X: Dense<Element: Real> + ?Sized>(x: &mut X, angles: &[X::Element]) {
    let mut x = checked(x, angles.len());
    for (i, angle) in planes(&x).zip(angles) {
        let (sin, cos) = angle.clone().sin_cos();
        rotate(&mut x, i, &sin, &cos);
    }
}

#[track_caller]
fn unitary_inverse<X: Dense<Element: Real> + ?Sized>(x: &mut X, angles: &[X::Element]) {
    let mut x = checked(x, angles.len());
    for (i, angle) in planes(&x).rev().zip(angles.iter().rev()) {
        let (sin, cos) = angle.clone().sin_cos();
        rotate(&mut x, i, &-sin, &cos);
    }
}

#[track_caller]
fn unitary_adjoint<X: Dense<Element: Real> + ?Sized>(
    x: &mut X,
    d_x: &mut X,
    angles: &[X::Element],
    d_angles: &mut [X::Element],
) {
    let (mut x, mut d_x) = (checked(x, angles.len()), checked(d_x, angles.len()));
    let turns = planes(&x).rev().zip(angles.iter().zip(d_angles).rev());
    for (i, (angle, d_angle)) in turns {
        let (sin, cos) = angle.clone().sin_cos();
        d_angle.accumulate_shadow(moment(&mut x, &mut d_x, i));
        rotate(&mut x, i, &-sin.clone(), &cos);
        rotate(&mut d_x, i, &-sin, &cos);
    }
}

#[track_caller]
fn unitary_inverse_adjoint<X: Dense<Element: Real> + ?Sized>(
    x: &mut X,
    d_x: &mut X,
    angles: &[X::Element],
    d_angles: &mut [X::Element],
) {
    let (mut x, mut d_x) = (checked(x, angles.len()), checked(d_x, angles.len()));
    let turns = planes(&x).zip(angles.iter().zip(d_angles));
    for (i, (angle, d_angle)) in turns {
        let (sin, cos) = angle.clone().sin_cos();
        d_angle.retract_shadow(moment(&mut x, &mut d_x, i));
        rotate(&mut x, i, &sin, &cos);
        rotate(&mut d_x, i, &sin, &cos);
    }
}

#[track_caller]
fn checked<X: Dense + ?Sized>(x: &mut X, angles: usize) -> ViewMut<'_, X::Element> {
    let x = x.view_mut();
    let rows = x.layout().rows;
    let needed = rows * rows.saturating_sub(1) / 2;
    assert!(
        angles == needed,
        "unitary: {rows} rows are rotated by {needed} angles, and there are {angles}"
    );
    x
}

/// The upper one of the two rows that each angle rotates.
fn planes<T>(x: &ViewMut<'_, T>) -> impl DoubleEndedIterator<Item = usize> + use<T> {
    let last = x.layout().rows.saturating_sub(1);
    (0..last).flat_map(move |first| (first..last).rev())
}

/// Rotates rows `i` and `i + 1`.
fn rotate<T: Real>(x: &mut ViewMut<'_, T>, i: usize, sin: &T, cos: &T) {
    let turn = |a: &mut T, b: &mut T| {
        let turned = a.clone() * cos.clone() - b.clone() * sin.clone();
        *b = a.clone() * sin.clone() + b.clone() * cos.clone();
        *a = turned;
    };
    let Layout { columns, column_stride, .. } = x.layout();
    if column_stride == 1 {
        let (above, below) = x.rows_mut(i);
        above.iter_mut().zip(below).for_each(|(a, b)| turn(a, b));
    } else {
        for j in 0..columns {
            let (a, b) = x.pair_mut(i, j);
            turn(a, b);
        }
    }
}

/// What an angle gets, after its rotation: `Σ a db − b da`, of rows `i` and `i + 1`.
fn moment<T: Real>(x: &mut ViewMut<'_, T>, d_x: &mut ViewMut<'_, T>, i: usize) -> T {
    let mut sum = T::zero();
    for j in 0..x.layout().columns {
        let ((a, b), (d_a, d_b)) = (x.pair_mut(i, j), d_x.pair_mut(i, j));
        sum += a.clone() * d_b.clone() - b.clone() * d_a.clone();
    }
    sum
}
