//! A unitary matrix as a product of plane rotations, applied in place.
//!
//! `M (M − 1) / 2` angles give an `M × M` orthogonal matrix, the layer of a
//! recurrent network that neither loses nor amplifies what it remembers. The
//! matrix itself is never written down.
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
    fn fixed_point_too() {
        let angles = [0.1, 0.2, 0.3].map(Fixed43::from_f64);
        let x = [1.0, 2.0, 3.0, -1.0, 0.5, 0.25].map(Fixed43::from_f64);
        let mut y = x;
        unitary(&mut y, 3, &angles);
        unitary::inverse(&mut y, 3, &angles);
        assert!(x.iter().zip(&y).all(|(x, y)| (x.to_f64() - y.to_f64()).abs() < 1e-10));
    }
}
