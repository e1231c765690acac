//! Inverses, determinants, factors and rotations.

use super::*;

/// Far from singular.
fn regular(seed: u32, n: usize) -> Matrix<f64> {
    let mut a = matrix(seed, n, n);
    for i in 0..n {
        a[(i, (i + 1) % n)] += 3.0;
    }
    a
}

fn regular_complex(seed: u32, n: usize) -> Matrix<C> {
    let mut a = complex_matrix(seed, n, n);
    for i in 0..n {
        a[(i, (i + 1) % n)] += C::new(2.0, -2.0);
    }
    a
}

#[reversible]
fn add_det<T: Arithmetic>(y: &mut T, a: &Matrix<T>) {
    *y += det(a);
}

#[reversible]
fn add_logdet<T: Real>(y: &mut T, a: &Matrix<T>) {
    *y += logdet(a);
}

/// Of sizes below, at and above that of a block.
#[test]
fn inverses() {
    for n in [0, 1, 2, 5, 31, 32, 33, 70] {
        let a = regular(7, n);
        let mut out = Matrix::zeros(n, n);
        inverse(&mut out, &a);
        near(by_definition(&a, &out).as_slice(), Matrix::identity(n).as_slice(), 1e-12);
        inverse::inverse(&mut out, &a);
        assert_eq!(out, Matrix::zeros(n, n));
        let b = matrix(3, n, 2);
        let mut x = Matrix::zeros(n, 2);
        solve(&mut x, &a, &b);
        near(by_definition(&a, &x).as_slice(), b.as_slice(), 1e-12);
        solve::inverse(&mut x, &a, &b);
        assert_eq!(x, Matrix::zeros(n, 2));
    }
}

#[test]
fn gradients_of_inverses() {
    for n in [1, 2, 5] {
        let (a, mut out) = (regular(7, n), matrix(1, n, n));
        assert_gradient!(inverse(&mut out, &a));
        let (b, mut x) = (matrix(2, n, 3), matrix(3, n, 3));
        assert_gradient!(solve(&mut x, &a, &b));
        let (b, mut x) = (numbers(2, n), numbers(3, n));
        assert_gradient!(solve(&mut x, &a, &b));
    }
    let (a, mut out) = (regular_complex(7, 4), complex_matrix(1, 4, 4));
    assert_gradient!(inverse(&mut out, &a));
    let (b, mut x) = (complex(2, 4), complex(3, 4));
    assert_gradient!(solve(&mut x, &a, &b));
}

/// Of several blocks: `dB += A⁻ᵀ dX` and `dA −= A⁻ᵀ dX (A⁻¹ B)ᵀ`.
#[test]
fn the_gradient_of_a_large_system() {
    let n = 70;
    let (a, b, mut x, mut d_x) = (regular(7, n), numbers(1, n), vec![0.0; n], numbers(2, n));
    let mut inverted = Matrix::zeros(n, n);
    inverse(&mut inverted, &a);
    let (mut w, mut d_a_expected) = (vec![0.0; n], Matrix::zeros(n, n));
    matmul_tn(&mut w, &inverted, &d_x);
    solve(&mut x, &a, &b);
    matmul_nt::inverse(&mut d_a_expected, &w, &x);
    let (mut d_a, mut d_b) = (Matrix::zeros(n, n), vec![0.0; n]);
    solve::adjoint(&mut x, &mut d_x, &a, &mut d_a, &b, &mut d_b);
    near(&d_b, &w, 1e-12);
    near(d_a.as_slice(), d_a_expected.as_slice(), 1e-12);
    near(&x, &vec![0.0; n], 1e-13);
}

#[test]
fn determinants() {
    assert_eq!(det(&Matrix::<f64>::zeros(0, 0)), 1.0);
    assert_eq!(det(&Matrix::from_rows([[0.0, 1.0], [1.0, 0.0]])), -1.0);
    assert_eq!(det(&Matrix::from_rows([[1.0, 2.0], [2.0, 4.0]])), 0.0);
    let a = regular(2, 5);
    let mut swapped = a.clone();
    let (first, second) = (a.row(0).to_vec(), a.row(1).to_vec());
    swapped.row_mut(0).copy_from_slice(&second);
    swapped.row_mut(1).copy_from_slice(&first);
    assert!((det(&a) + det(&swapped)).abs() < 1e-11);
    assert!((logdet(&a) - det(&a).abs().ln()).abs() < 1e-12);
    // A determinant that is too large for a float has a logarithm.
    let large = Matrix::from_fn(400, 400, |i, j| if i == j { 1e10 } else { 0.0 });
    assert!((logdet(&large) - 4000.0 * 10.0_f64.ln()).abs() < 1e-9);
}

/// The value comes back, too: what is taken away is the logarithm of the determinant of
/// the matrix, not of its gradient.
#[test]
fn gradients_of_determinants() {
    for n in [1, 2, 5] {
        let a = regular(7, n);
        assert_reversible!(add_det(&mut 0.5, &a));
        assert_reversible!(add_logdet(&mut 0.5, &a));
        assert_gradient!(add_det(&mut 0.5, &a));
        assert_gradient!(add_logdet(&mut 0.5, &a));
    }
    let mut y = C::new(0.5, 1.0);
    assert_gradient!(add_det(&mut y, &regular_complex(7, 3)));
    let (a, mut y, mut d_a) = (regular(7, 3), 0.25, Matrix::zeros(3, 3));
    add_logdet(&mut y, &a);
    assert!((y - 0.25 - det(&a).abs().ln()).abs() < 1e-13);
    add_logdet::adjoint(&mut y, &mut 1.0, &a, &mut d_a);
    assert!((y - 0.25).abs() < 1e-14);
    let mut inverted = Matrix::zeros(3, 3);
    inverse(&mut inverted, &a);
    near(d_a.as_slice(), inverted.transposed().as_slice(), 1e-14);
}

#[test]
fn second_derivatives() {
    #[reversible]
    fn f<T: Real>(y: &mut T, a: &[T]) {
        let mut m = Matrix::<T>::zeros(2, 2);
        #[compute]
        {
            for i in 0..2 {
                for j in 0..2 {
                    m[(i, j)] += a[2 * i + j];
                }
            }
            let mut inverted = Matrix::<T>::zeros(2, 2);
            inverse(&mut inverted, &m);
            let mut q = Matrix::<T>::zeros(2, 2);
            let mut r = Matrix::<T>::zeros(2, 2);
            qr(&mut q, &mut r, &m);
        }
        *y += det(&m) * logdet(&m) + inverted[(0, 1)] * q[(1, 0)] * r[(0, 1)];
    }
    let a = [1.0, 2.0, -3.0, 0.5];
    let (forward, reverse) = (hessian(&f {}, &a), hessian_reverse(&f {}, &a));
    near(forward.hessian.as_slice(), reverse.hessian.as_slice(), 1e-11);
    assert_gradient!(f(&mut 0.0, &a));
}

#[test]
#[should_panic(expected = "inverse: the matrix is singular: no pivot is left in column 1")]
fn no_inverse_of_a_singular_matrix() {
    inverse(&mut matrix(1, 2, 2), &Matrix::from_rows([[1.0, 2.0], [2.0, 4.0]]));
}

#[test]
#[should_panic(expected = "logdet: the matrix is singular")]
fn no_logarithm_of_zero() {
    logdet(&Matrix::from_rows([[0.0, 0.0], [2.0, 4.0]]));
}

#[test]
#[should_panic(expected = "the gradient of det: the matrix is singular")]
fn no_gradient_of_a_vanishing_determinant() {
    let (a, mut d_a) = (Matrix::from_rows([[1.0, 2.0], [2.0, 4.0]]), Matrix::zeros(2, 2));
    add_det::adjoint(&mut 0.0, &mut 1.0, &a, &mut d_a);
}

#[test]
#[should_panic(expected = "solve: the matrix is not square, but 2 × 3")]
fn only_square_matrices() {
    solve(&mut [0.0; 3], &matrix(1, 2, 3), &[1.0, 2.0]);
}

#[test]
fn factors() {
    for (m, n) in [(1, 1), (4, 4), (7, 3), (40, 20), (3, 0), (32, 32), (40, 33), (90, 70)] {
        let a = matrix(5, m, n);
        let (mut q, mut r) = (Matrix::zeros(m, n), Matrix::zeros(n, n));
        qr(&mut q, &mut r, &a);
        near(by_definition(&q, &r).as_slice(), a.as_slice(), 1e-13);
        let unit = by_definition(&q.transposed(), &q);
        near(unit.as_slice(), Matrix::identity(n).as_slice(), 1e-13);
        for i in 0..n {
            assert!(r[(i, i)] > 0.0 && r.row(i)[..i].iter().all(|x| *x == 0.0));
        }
        qr::inverse(&mut q, &mut r, &a);
        assert_eq!((q, r), (Matrix::zeros(m, n), Matrix::zeros(n, n)));
    }
}

#[test]
fn gradients_of_factors() {
    for (m, n) in [(1, 1), (4, 4), (6, 3)] {
        let (a, mut q, mut r) = (matrix(5, m, n), matrix(1, m, n), matrix(2, n, n));
        assert_gradient!(qr(&mut q, &mut r, &a));
        let (a, mut q, mut r) =
            (complex_matrix(5, m, n), complex_matrix(1, m, n), complex_matrix(2, n, n));
        assert_gradient!(qr(&mut q, &mut r, &a));
    }
}

/// Columns of several blocks that nearly depend on each other, in and between the blocks.
#[test]
fn factors_of_columns_that_are_nearly_alike() {
    let (m, n) = (90, 70);
    let noise = matrix(6, m, n);
    let a = Matrix::from_fn(m, n, |i, j| (i as f64 * 0.3).sin() + 1e-7 * noise[(i, j)]);
    let (mut q, mut r) = (Matrix::zeros(m, n), Matrix::zeros(n, n));
    qr(&mut q, &mut r, &a);
    near(by_definition(&q, &r).as_slice(), a.as_slice(), 1e-13);
    let unit = by_definition(&q.transposed(), &q);
    near(unit.as_slice(), Matrix::identity(n).as_slice(), 1e-13);
}

/// Of several blocks, in one direction: `⟨dQ, Q⟩ + ⟨dR, R⟩`.
#[test]
fn the_gradient_of_large_factors() {
    let (m, n) = (90, 70);
    let (a, direction) = (matrix(5, m, n), matrix(6, m, n));
    let (mut d_q, mut d_r) = (matrix(7, m, n), matrix(8, n, n));
    let loss = |step: f64| {
        let (mut q, mut r) = (Matrix::zeros(m, n), Matrix::zeros(n, n));
        let moved = Matrix::from_fn(m, n, |i, j| a[(i, j)] + step * direction[(i, j)]);
        qr(&mut q, &mut r, &moved);
        dot(d_q.as_slice(), q.as_slice()) + dot(d_r.as_slice(), r.as_slice())
    };
    let expected = (loss(1e-6) - loss(-1e-6)) / 2e-6;
    let (mut q, mut r, mut d_a) = (Matrix::zeros(m, n), Matrix::zeros(n, n), Matrix::zeros(m, n));
    qr(&mut q, &mut r, &a);
    qr::adjoint(&mut q, &mut d_q, &mut r, &mut d_r, &a, &mut d_a);
    near(&[dot(d_a.as_slice(), direction.as_slice())], &[expected], 1e-6);
    near(q.as_slice(), &vec![0.0; m * n], 1e-13);
}

#[test]
#[should_panic(expected = "column 50 is a sum of those before it")]
fn a_dependent_column_of_a_later_block() {
    let mut a = matrix(5, 70, 60);
    for i in 0..70 {
        a[(i, 50)] = a[(i, 3)] - 2.0 * a[(i, 45)];
    }
    qr(&mut matrix(1, 70, 60), &mut matrix(2, 60, 60), &a);
}

#[test]
#[should_panic(expected = "column 2 is a sum of those before it")]
fn dependent_columns_have_no_factors() {
    let a = Matrix::from_fn(4, 3, |i, j| match j {
        0 => 0.1 * i as f64,
        1 => 1.0 / 3.0,
        _ => 0.7 * i as f64 + 0.1,
    });
    qr(&mut matrix(1, 4, 3), &mut matrix(2, 3, 3), &a);
}

proptest! {
    /// Each column is multiplied by the same matrix: the angles start anew.
    #[test]
    fn every_column_sees_every_angle(rows in 1..7_usize, columns in 1..5_usize, seed in 0..99_u32) {
        let (x, angles) = (matrix(seed, rows, columns), numbers(seed + 1, rows * (rows - 1) / 2));
        let mut u = Matrix::identity(rows);
        unitary(&mut u, &angles);
        near(
            by_definition(&u, &u.transposed()).as_slice(),
            Matrix::identity(rows).as_slice(),
            1e-14,
        );
        let mut y = x.clone();
        unitary(&mut y, &angles);
        near(y.as_slice(), by_definition(&u, &x).as_slice(), 1e-13);
        // A column alone, which is not by rows.
        let mut column: Vec<f64> = (0..rows).map(|i| x[(i, 0)]).collect();
        unitary(&mut column, &angles);
        near(&column, &(0..rows).map(|i| y[(i, 0)]).collect::<Vec<_>>(), 1e-14);
        unitary::inverse(&mut y, &angles);
        near(y.as_slice(), x.as_slice(), 1e-14);
    }
}

#[test]
fn two_rows_are_one_rotation() {
    let (mut x, mut a, mut b) = ([3.0, 4.0], 3.0, 4.0);
    unitary(&mut x, &[0.7]);
    rot(&mut a, &mut b, &0.7);
    assert_eq!(x, [a, b]);
}

#[test]
fn gradients_of_rotations() {
    for (rows, columns) in [(1, 3), (2, 2), (4, 3)] {
        let angles = numbers(3, rows * (rows - 1) / 2);
        let mut x = matrix(1, rows, columns);
        assert_gradient!(unitary(&mut x, &angles));
    }
    let (mut x, angles) = (numbers(1, 4), numbers(2, 6));
    assert_gradient!(unitary(&mut x, &angles));
}

#[test]
fn both_directions_of_differentiation_agree_on_rotations() {
    #[reversible]
    fn rotate<T: Real>(y: &mut [T], x: &[T]) {
        let mut column = [x[0], x[1], x[2]];
        unitary(&mut column, &x[3..6]);
        for (out, value) in y.iter_mut().zip(&column) {
            *out += *value;
        }
        !unitary(&mut column, &x[3..6]);
    }
    let x = [1.0, 2.0, 3.0, 0.1, -2.0, 0.3];
    let (found, expected) = (jacobian(&rotate {}, 3, &x), jacobian_forward(&rotate {}, 3, &x));
    near(found.jacobian.as_slice(), expected.jacobian.as_slice(), 1e-14);
}

#[test]
#[should_panic(expected = "unitary: 3 rows are rotated by 3 angles, and there are 2")]
fn an_angle_for_each_pair_of_rows() {
    unitary(&mut matrix(1, 3, 2), &[0.1, 0.2]);
}
