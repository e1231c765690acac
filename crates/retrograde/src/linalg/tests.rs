use super::*;
use crate::calculus::{hessian, hessian_reverse, jacobian, jacobian_forward};
use crate::prelude::{reversible, *};
use crate::testing::{assert_gradient, assert_reversible};
use proptest::prelude::*;

type C = Complex<f64>;

mod factorisations;
#[cfg(any(feature = "faer", feature = "nalgebra", feature = "ndarray", feature = "sprs"))]
mod libraries;

/// Numbers without a pattern: the same in every run.
fn numbers(seed: u32, count: usize) -> Vec<f64> {
    let next = |k: usize| (f64::from(seed) * 12.9898 + k as f64 * 78.233).sin() * 43758.5453;
    (0..count).map(|k| 2.0 * next(k).rem_euclid(1.0) - 1.0).collect()
}

fn matrix(seed: u32, rows: usize, columns: usize) -> Matrix<f64> {
    Matrix::from_vec(rows, columns, numbers(seed, rows * columns))
}

fn complex(seed: u32, count: usize) -> Vec<C> {
    numbers(seed, 2 * count).chunks_exact(2).map(|z| C::new(z[0], z[1])).collect()
}

fn complex_matrix(seed: u32, rows: usize, columns: usize) -> Matrix<C> {
    Matrix::from_vec(rows, columns, complex(seed, rows * columns))
}

#[track_caller]
fn near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (i, (f, e)) in found.iter().zip(expected).enumerate() {
        assert!((f - e).abs() <= tolerance * (1.0 + e.abs()), "{i}: {f} is not {e}");
    }
}

/// `op(A) op(B)`, by the definition.
fn by_definition(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
    Matrix::from_fn(a.rows(), b.columns(), |i, j| {
        (0..a.columns()).map(|k| a[(i, k)] * b[(k, j)]).sum()
    })
}

#[reversible]
fn add_sum<T: Real>(y: &mut T, x: &[T]) {
    *y += sum(x);
}

#[reversible]
fn add_dot<T: Arithmetic>(y: &mut T, x: &[T], z: &[T]) {
    *y += dot(x, z);
}

#[reversible]
fn add_norm2<T: Arithmetic>(y: &mut T, x: &[T]) {
    *y += norm2(x);
}

#[reversible]
fn add_norm<T: Elementary>(y: &mut T, x: &[T]) {
    *y += norm(x);
}

#[reversible]
fn add_sq_distance<T: Arithmetic>(y: &mut T, x: &[T], z: &[T]) {
    *y += sq_distance(x, z);
}

#[test]
fn functions_of_vectors() {
    for n in [0, 1, 7, 8, 19] {
        let (x, z) = (numbers(1, n), numbers(2, n));
        assert_reversible!(add_sum(&mut 0.5, &x));
        assert_reversible!(add_dot(&mut 0.5, &x, &z));
        assert_gradient!(add_sum(&mut 0.5, &x));
        assert_gradient!(add_dot(&mut 0.5, &x, &z));
        assert_gradient!(add_norm2(&mut 0.5, &x));
        assert_gradient!(add_sq_distance(&mut 0.5, &x, &z));
        let mut y = z.clone();
        assert_reversible!(axpy(&mut y, &0.7, &x));
        assert_gradient!(axpy(&mut y, &0.7, &x));
        let direct: f64 = x.iter().zip(&z).map(|(x, z)| x * z).sum();
        assert!((dot(&x, &z) - direct).abs() < 1e-14);
        let direct: f64 = x.iter().zip(&z).map(|(x, z)| (x - z).powi(2)).sum();
        assert!((sq_distance(&x, &z) - direct).abs() < 1e-14);
    }
    assert_gradient!(add_norm(&mut 0.5, &numbers(1, 11)));
    let mut d_x = [0.0; 3];
    add_norm::adjoint(&mut 0.0, &mut 1.0, &[0.0; 3], &mut d_x);
    assert_eq!(d_x, [0.0; 3]);
}

/// The first operand is conjugated, as in `Σ x* y`.
#[test]
fn functions_of_complex_vectors() {
    let (x, z) = (complex(1, 11), complex(2, 11));
    let expected: C = x.iter().zip(&z).map(|(x, z)| x.conj() * z).sum();
    assert!((dot(&x, &z) - expected).norm() < 1e-14);
    assert!(norm2(&x).im.abs() < 1e-15);
    let mut y = C::new(0.5, 0.25);
    assert_gradient!(add_dot(&mut y, &x, &z));
    assert_gradient!(add_norm2(&mut y, &x));
    assert_gradient!(add_norm(&mut y, &x));
    assert_gradient!(add_sq_distance(&mut y, &x, &z));
    let mut out = z.clone();
    assert_gradient!(axpy(&mut out, &C::new(0.5, 2.0), &x));
}

#[test]
fn second_derivatives_of_vectors() {
    #[reversible]
    fn f<T: Real>(y: &mut T, x: &[T]) {
        let (a, b) = (&x[..3], &x[3..6]);
        *y += norm(a) * dot(a, b) + sq_distance(a, b) * norm2(b) * sum(x);
    }
    let x = numbers(3, 6);
    let (forward, reverse) = (hessian(&f {}, &x), hessian_reverse(&f {}, &x));
    near(forward.hessian.as_slice(), reverse.hessian.as_slice(), 1e-12);
    assert_gradient!(f(&mut 0.0, &x));
}

#[test]
fn fixed_point_comes_back_to_the_bit() {
    let fixed = |x: Vec<f64>| -> Vec<Fixed43> { x.into_iter().map(Fixed43::from_f64).collect() };
    let a = Matrix::from_vec(5, 9, fixed(numbers(1, 45)));
    let (b, c) = (Matrix::from_vec(9, 7, fixed(numbers(2, 63))), fixed(numbers(3, 35)));
    let start = Matrix::from_vec(5, 7, c);
    let mut c = start.clone();
    matmul(&mut c, &a, &b);
    assert_ne!(c, start);
    matmul::inverse(&mut c, &a, &b);
    assert_eq!(c, start);
}

proptest! {
    #[test]
    fn products_are_those_of_the_definition(
        m in 0..20_usize, k in 0..20_usize, n in 0..20_usize, seed in 0..100_u32
    ) {
        let (a, b) = (matrix(seed, m, k), matrix(seed + 1, k, n));
        let (expected, start) = (by_definition(&a, &b), matrix(seed + 2, m, n));
        let sums: Vec<f64> =
            start.as_slice().iter().zip(expected.as_slice()).map(|(s, e)| s + e).collect();
        let (a_t, b_t) = (a.transposed(), b.transposed());
        let mut c = start.clone();
        matmul(&mut c, &a, &b);
        near(c.as_slice(), &sums, 1e-13);
        matmul_tn::inverse(&mut c, &a_t, &b);
        near(c.as_slice(), start.as_slice(), 1e-13);
        matmul_nt(&mut c, &a, &b_t);
        near(c.as_slice(), &sums, 1e-13);
        gemm::inverse(
            c.as_mut_slice(), Layout::by_rows(m, n),
            a_t.as_slice(), Layout::by_columns(m, k),
            b_t.as_slice(), Layout::by_rows(n, k).transposed(),
        );
        near(c.as_slice(), start.as_slice(), 1e-13);
        // The loops that all numbers have.
        by_loops(c.view_mut(), Sign::Plus, a.view(), b.view());
        near(c.as_slice(), &sums, 1e-13);
        by_loops(c.view_mut(), Sign::Minus, a_t.view().transposed(), b_t.view().transposed());
        near(c.as_slice(), start.as_slice(), 1e-13);
    }
}

/// A layout in rows or in columns, with gaps, and between the elements, too.
fn layout(rows: usize, columns: usize, kind: usize) -> Layout {
    let (gap, step) = (kind / 2 % 3, 1 + kind / 6);
    let by_rows = |rows, columns| Layout {
        row_stride: (columns + gap) * step,
        column_stride: step,
        ..Layout::by_rows(rows, columns)
    };
    if kind.is_multiple_of(2) {
        by_rows(rows, columns)
    } else {
        by_rows(columns, rows).transposed()
    }
}

/// `C ± A B` with layouts of these kinds, beside the definition.
fn products_in_layouts<T: Arithmetic>(
    (m, k, n): (usize, usize, usize),
    kinds: [usize; 3],
    number: impl Fn(f64, f64) -> T,
    tolerance: f64,
) {
    let numbers = |seed: u32| -> Vec<T> {
        let parts = numbers(seed, 2 * 2 * 26 * 26);
        parts.chunks_exact(2).map(|pair| number(pair[0], pair[1])).collect()
    };
    let (a, b, start) = (numbers(1), numbers(2), numbers(3));
    let (la, lb, lc) = (layout(m, k, kinds[0]), layout(k, n, kinds[1]), layout(m, n, kinds[2]));
    let check = |sign: Sign, a: View<'_, T>, b: View<'_, T>| {
        let (mut found, mut expected) = (start.clone(), start.clone());
        kernel::product(ViewMut::new(&mut found, lc), sign, a, b);
        let mut places = ViewMut::new(&mut expected, lc);
        let conjugated = |v: &View<'_, T>, i, j| {
            let x: T = v.at(i, j).clone();
            if v.is_conjugated() { x.conj() } else { x }
        };
        for i in 0..m {
            for j in 0..n {
                let terms = (0..k).map(|l| conjugated(&a, i, l) * conjugated(&b, l, j));
                let sum = terms.fold(T::zero(), |sum, term| sum + term);
                sign.apply(places.at_mut(i, j), sum);
            }
        }
        // Those between the elements are not touched.
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).magnitude() <= tolerance);
        }
    };
    let (a, b) = (View::new(&a, la), View::new(&b, lb));
    check(Sign::Plus, a, b);
    check(Sign::Minus, a.adjoint().adjoint(), b);
    let (turned_a, turned_b) = (
        View::new(a.elements().unwrap(), la.transposed()),
        View::new(b.elements().unwrap(), lb.transposed()),
    );
    check(Sign::Plus, turned_a.adjoint(), b);
    check(Sign::Minus, a, turned_b.adjoint());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn products_in_every_layout(
        shape in (1..24_usize, 1..24_usize, 1..24_usize),
        kinds in [0..12_usize, 0..12_usize, 0..12_usize],
    ) {
        products_in_layouts(shape, kinds, |x, _| x, 1e-13);
        products_in_layouts(shape, kinds, |x, _| x as f32, 1e-4);
        products_in_layouts(shape, kinds, C::new, 1e-13);
        products_in_layouts(shape, kinds, |x, y| Complex::new(x as f32, y as f32), 1e-4);
        products_in_layouts(shape, kinds, |x, _| Fixed43::from_f64(x), 1e-11);
    }
}

/// In every way that a number type has: loops, and blocks for large matrices.
#[test]
fn gradients_of_products() {
    for (m, k, n) in [(1, 1, 1), (2, 3, 4), (3, 5, 1), (9, 10, 9)] {
        let (a, b, mut c) = (matrix(1, m, k), matrix(2, k, n), matrix(3, m, n));
        let (a_t, b_t) = (a.transposed(), b.transposed());
        assert_gradient!(matmul(&mut c, &a, &b));
        assert_gradient!(matmul_tn(&mut c, &a_t, &b));
        assert_gradient!(matmul_nt(&mut c, &a, &b_t));
    }
    let (a, x, mut y, b) = (matrix(1, 4, 6), numbers(2, 6), numbers(3, 4), numbers(4, 4));
    assert_gradient!(matmul(&mut y, &a, &x));
    assert_gradient!(affine(&mut y, &a, &b, &x));
    assert_reversible!(affine(&mut y, &a, &b, &x));
    let x = numbers(2, 4);
    let mut y = numbers(3, 6);
    assert_gradient!(matmul_tn(&mut y, &a, &x));
    let mut outer = matrix(5, 6, 4);
    assert_gradient!(matmul_nt(&mut outer, &y, &x));
}

#[test]
fn gradients_of_complex_products() {
    for (m, k, n) in [(2, 3, 4), (3, 6, 2), (9, 10, 9)] {
        let (a, b) = (complex_matrix(1, m, k), complex_matrix(2, k, n));
        let mut c = complex_matrix(3, m, n);
        let (a_t, b_t) = (a.transposed(), b.transposed());
        assert_gradient!(matmul(&mut c, &a, &b));
        assert_gradient!(matmul_tn(&mut c, &a_t, &b));
        assert_gradient!(matmul_nt(&mut c, &a, &b_t));
    }
}

#[test]
fn the_gradient_alone_is_that_of_the_adjoint() {
    let (a, b, c) = (matrix(1, 12, 10), matrix(2, 10, 11), matrix(3, 12, 11));
    let seed = matrix(4, 12, 11);
    let both = [true, false].map(|restores| {
        let (mut d_a, mut d_b) = (Matrix::zeros(12, 10), Matrix::zeros(10, 11));
        let (mut state, mut d_c) = (c.clone(), seed.clone());
        let arguments = (&mut state, &mut d_c, &a, &mut d_a, &b, &mut d_b);
        if restores {
            matmul {}.call_adjoint(arguments);
        } else {
            matmul {}.call_gradient(arguments);
        }
        assert_eq!(state == c, !restores);
        (d_a, d_b)
    });
    assert_eq!(both[0], both[1]);
}

#[test]
fn parts_of_larger_matrices() {
    let (big, x) = (numbers(1, 60), numbers(2, 3));
    // Rows 1 to 4 and columns 2 to 4 of a matrix of 6 rows and 10 columns.
    let part = Layout { rows: 4, columns: 3, row_stride: 10, column_stride: 1 };
    let mut y = numbers(3, 4);
    let column = Layout::by_columns(4, 1);
    let start = y.clone();
    let mut expected = start.clone();
    for i in 0..4 {
        expected[i] += (0..3).map(|j| big[(i + 1) * 10 + j + 2] * x[j]).sum::<f64>();
    }
    gemm(&mut y, column, &big[12..], part, &x, Layout::by_columns(3, 1));
    near(&y, &expected, 1e-14);

    #[reversible]
    fn product<T: Real>(y: &mut [T], big: &[T], x: &[T]) {
        let part = Layout { rows: 4, columns: 3, row_stride: 10, column_stride: 1 };
        gemm(y, Layout::by_columns(4, 1), &big[12..], part, x, Layout::by_columns(3, 1));
    }
    assert_gradient!(product(&mut y, &big, &x));
}

#[test]
fn both_directions_of_differentiation_agree_on_products() {
    #[reversible]
    fn layers<T: Real>(y: &mut [T], p: &[T]) {
        let mut hidden = vec![0.0; 12];
        #[compute]
        {
            let shape = Layout::by_rows(3, 4);
            let (left, right) = (Layout::by_rows(3, 2), Layout::by_columns(2, 4));
            gemm(&mut hidden, shape, &p[0..6], left, &p[6..14], right);
        }
        for (y, h) in y.iter_mut().zip(&hidden) {
            *y += h.sin();
        }
    }
    let p = numbers(5, 14);
    let (found, expected) = (jacobian(&layers {}, 12, &p), jacobian_forward(&layers {}, 12, &p));
    near(found.jacobian.as_slice(), expected.jacobian.as_slice(), 1e-14);
}

#[test]
#[should_panic(expected = "a product of 2 × 3 and 2 × 2 does not fit 2 × 2")]
fn shapes_that_do_not_fit() {
    matmul(&mut matrix(1, 2, 2), &matrix(2, 2, 3), &matrix(3, 2, 2));
}

#[test]
#[should_panic(expected = "a matrix of 3 × 3 needs 9 elements here, and there are 8")]
fn a_slice_that_is_too_short() {
    let (square, x) = (Layout::by_rows(3, 3), numbers(1, 9));
    gemm(&mut numbers(2, 9), square, &x[1..], square, &x, square);
}

#[test]
#[should_panic(expected = "overlap")]
fn elements_that_are_written_must_be_apart() {
    let (overlapping, square) =
        (Layout { rows: 2, columns: 2, row_stride: 1, column_stride: 1 }, Layout::by_rows(2, 2));
    let x = numbers(1, 4);
    gemm(&mut numbers(2, 4), overlapping, &x, square, &x, square);
}

#[test]
#[should_panic(expected = "needs too many elements")]
fn a_layout_that_no_slice_has() {
    let huge = Layout { rows: 9, columns: 9, row_stride: usize::MAX / 8, column_stride: 1 };
    let (square, x) = (Layout::by_rows(9, 9), numbers(1, 81));
    gemm(&mut numbers(2, 81), huge, &x, square, &x, square);
}

#[cfg(feature = "nalgebra")]
#[test]
fn matrices_of_nalgebra() {
    use nalgebra::{DMatrix, Matrix2x3, Vector2, Vector3};
    let (a, x) = (Matrix2x3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0), Vector3::new(1.0, 0.0, -1.0));
    let mut y = Vector2::new(10.0, 20.0);
    let (mut d_y, mut d_a, mut d_x) =
        (Vector2::new(1.0, 0.0), Matrix2x3::zeros(), Vector3::zeros());
    matmul(&mut y, &a, &x);
    assert_eq!(y, Vector2::new(8.0, 18.0));
    matmul::adjoint(&mut y, &mut d_y, &a, &mut d_a, &x, &mut d_x);
    assert_eq!(y, Vector2::new(10.0, 20.0));
    assert_eq!(d_a, Matrix2x3::new(1.0, 0.0, -1.0, 0.0, 0.0, 0.0));
    assert_eq!(d_x, Vector3::new(1.0, 2.0, 3.0));
    let a = DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 3.0, 4.0]);
    assert!((det(&a) + 2.0_f64).abs() < 1e-15);
}
