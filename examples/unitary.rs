//! A unitary matrix as a product of plane rotations, applied in place.
//!
//! `M (M − 1) / 2` angles give an `M × M` orthogonal matrix, the layer of a
//! recurrent network that neither loses nor amplifies what it remembers. The
//! matrix itself is never written down, and the gradient by the angles needs no
//! memory either: each rotation is undone when its gradient is due. Here angles are
//! found for a matrix that is known by what it does.
//!
//! `cargo run --release --example unitary`

use retrograde::linalg::{Matrix, sq_distance, unitary};
use retrograde::prelude::*;

/// How far the columns of `x`, rotated, are from those that are wanted.
#[reversible]
pub fn loss<T: Real>(y: &mut T, angles: &[T], x: &mut Matrix<T>, wanted: &Matrix<T>) {
    unitary(x, angles);
    {
        let (found, expected) = (x.as_slice(), wanted.as_slice());
        *y += sq_distance(found, expected);
    }
    !unitary(x, angles);
}

/// Descends to the angles of the rotation that takes `x` to `wanted`.
pub fn learn(angles: &mut [f64], x: &mut Matrix<f64>, wanted: &Matrix<f64>, steps: usize) -> f64 {
    let mut last = f64::INFINITY;
    for _ in 0..steps {
        let at = loss::gradient(angles, x, wanted);
        last = at.value;
        for (angle, slope) in angles.iter_mut().zip(&at.d_angles) {
            *angle -= 0.15 * slope;
        }
    }
    last
}

fn main() {
    let hidden = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
    let mut wanted = Matrix::identity(4);
    unitary(&mut wanted, &hidden);
    println!("the matrix of six angles:\n{wanted:.4?}");
    let mut angles = [0.0; 6];
    let rest = learn(&mut angles, &mut Matrix::identity(4), &wanted, 1000);
    println!("angles that make it: {angles:.4?}, up to {rest:.1e}");
    unitary::inverse(&mut wanted, &angles);
    println!("and back:\n{wanted:.4?}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::testing::assert_gradient;

    #[test]
    fn a_rotation_is_learnt() {
        let hidden = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
        let mut wanted = Matrix::identity(4);
        unitary(&mut wanted, &hidden);
        let mut angles = [0.0; 6];
        let rest = learn(&mut angles, &mut Matrix::identity(4), &wanted, 1000);
        assert!(rest < 1e-5, "{rest}");
    }

    #[test]
    fn gradients() {
        let angles = [0.3, -0.2, 0.7];
        let mut x = Matrix::from_rows([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
        let wanted = Matrix::from_rows([[2.0, 2.0], [3.0, 1.0], [5.0, 0.0]]);
        assert_gradient!(loss(&mut 0.0, &angles, &mut x, &wanted));
    }
}
