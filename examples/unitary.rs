//! A unitary matrix as a product of plane rotations, applied in place.
//!
//! `M (M − 1) / 2` angles give an `M × M` orthogonal matrix, the layer of a
//! recurrent network that neither loses nor amplifies what it remembers. The
//! matrix itself is never written down, and the gradient by the angles needs no
//! memory either: each rotation is undone when its gradient is due.
//!
//! `cargo run --release --example unitary`

use retrograde::prelude::*;

/// Rotates each column of an `rows × N` matrix by the same angles.
///
/// The columns lie one after the other in `x`.
#[reversible]
pub fn unitary<T: Real>(x: &mut [T], rows: usize, angles: &[T]) {
    host! {
        assert_eq!(angles.len(), rows * (rows - 1) / 2, "an angle for each pair of rows");
        assert_eq!(x.len() % rows, 0, "a whole number of columns");
    }
    for column in x.chunks_exact_mut(rows) {
        let mut k = 0;
        for j in 0..rows {
            for i in (j..rows - 1).rev() {
                rot(&mut column[i], &mut column[i + 1], &angles[k]);
                inc(&mut k);
            }
        }
        unlet!(k = angles.len());
    }
}

fn main() {
    let angles = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
    let rows = 4;
    let mut x = vec![0.0; rows * rows];
    for i in 0..rows {
        x[i * rows + i] = 1.0;
    }
    unitary(&mut x, rows, &angles);
    println!("the matrix of six angles:");
    print_columns(&x, rows);
    unitary::inverse(&mut x, rows, &angles);
    println!("and back:");
    print_columns(&x, rows);
}

fn print_columns(x: &[f64], rows: usize) {
    for i in 0..rows {
        let row: Vec<String> = x.iter().skip(i).step_by(rows).map(|v| format!("{v:8.4}")).collect();
        println!("  {}", row.join(" "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use retrograde::calculus::{jacobian, jacobian_forward};
    use retrograde::testing::assert_gradient;

    fn identity(n: usize) -> Vec<f64> {
        (0..n * n).map(|k| if k % (n + 1) == 0 { 1.0 } else { 0.0 }).collect()
    }

    /// `y = U x` for one column.
    fn apply(u: &[f64], x: &[f64]) -> Vec<f64> {
        let n = x.len();
        (0..n).map(|i| (0..n).map(|j| u[j * n + i] * x[j]).sum()).collect()
    }

    proptest! {
        /// Each column is multiplied by the same matrix: the angles start anew.
        #[test]
        fn every_column_sees_every_angle(
            (rows, x, angles) in (1..7_usize, 1..5_usize).prop_flat_map(|(rows, columns)| {
                let matrix = proptest::collection::vec(-5.0..5.0, rows * columns);
                let angles = proptest::collection::vec(-4.0..4.0, rows * (rows - 1) / 2);
                (Just(rows), matrix, angles)
            })
        ) {
            let mut u = identity(rows);
            unitary(&mut u, rows, &angles);
            let mut y = x.clone();
            unitary(&mut y, rows, &angles);
            let expected: Vec<f64> = x.chunks_exact(rows).flat_map(|c| apply(&u, c)).collect();
            for (found, expected) in y.iter().zip(&expected) {
                prop_assert!((found - expected).abs() < 1e-12);
            }
            unitary::inverse(&mut y, rows, &angles);
            for (found, expected) in y.iter().zip(&x) {
                prop_assert!((found - expected).abs() < 1e-12);
            }
        }

        #[test]
        fn the_matrix_is_orthogonal(angles in proptest::collection::vec(-4.0..4.0, 10)) {
            let mut u = identity(5);
            unitary(&mut u, 5, &angles);
            for (i, a) in u.chunks_exact(5).enumerate() {
                for (j, b) in u.chunks_exact(5).enumerate() {
                    let product: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                    let expected = if i == j { 1.0 } else { 0.0 };
                    prop_assert!((product - expected).abs() < 1e-13);
                }
            }
        }
    }

    #[test]
    fn two_rows_are_one_rotation() {
        let (mut x, mut a, mut b) = (vec![3.0, 4.0], 3.0, 4.0);
        unitary(&mut x, 2, &[0.7]);
        rot(&mut a, &mut b, &0.7);
        assert_eq!(x, [a, b]);
    }

    #[test]
    fn gradients() {
        let (mut x, angles) = ([1.0, 2.0, 3.0, -1.0, 0.5, 0.25], [0.1, -2.0, 0.3]);
        assert_gradient!(unitary(&mut x, 3, &angles));
        assert_gradient!(unitary(&mut x, 2, &[0.7]));
        assert_gradient!(unitary(&mut x, 1, &[0.0; 0]));
    }

    #[test]
    fn both_directions_of_differentiation_agree() {
        #[reversible]
        fn rotate<T: Real>(y: &mut [T], x: &[T]) {
            let mut column = [x[0], x[1], x[2]];
            unitary(&mut column, 3, &x[3..6]);
            for (out, value) in y.iter_mut().zip(&column) {
                *out += *value;
            }
            !unitary(&mut column, 3, &x[3..6]);
        }
        let x = [1.0, 2.0, 3.0, 0.1, -2.0, 0.3];
        let (found, expected) = (jacobian(&rotate {}, 3, &x), jacobian_forward(&rotate {}, 3, &x));
        let errors = found.jacobian.as_slice().iter().zip(expected.jacobian.as_slice());
        assert!(errors.into_iter().all(|(a, b)| (a - b).abs() < 1e-14));
    }

    #[test]
    fn gradients_are_taken_back() {
        let (x, angles) = ([1.0, 2.0, 3.0], [0.1, -2.0, 0.3]);
        let (mut y, mut d_y, mut d_angles) = (x, [0.5, -1.0, 2.0], [0.0; 3]);
        unitary(&mut y, 3, &angles);
        let (end, seed) = (y, d_y);
        unitary::adjoint(&mut y, &mut d_y, 3, &angles, &mut d_angles);
        unitary::inverse_adjoint(&mut y, &mut d_y, 3, &angles, &mut d_angles);
        let near = |a: [f64; 3], b: [f64; 3]| (0..3).all(|i| (a[i] - b[i]).abs() < 1e-14);
        assert!(near(y, end) && near(d_y, seed) && near(d_angles, [0.0; 3]));
    }

    #[test]
    fn fixed_point_too() {
        let angles = [0.1, 0.2, 0.3].map(Fixed43::from_f64);
        let x = [1.0, 2.0, 3.0, -1.0, 0.5, 0.25].map(Fixed43::from_f64);
        let mut y = x;
        unitary(&mut y, 3, &angles);
        unitary::inverse(&mut y, 3, &angles);
        assert!(x.iter().zip(&y).all(|(x, y)| (x.to_f64() - y.to_f64()).abs() < 1e-10));
    }
}
