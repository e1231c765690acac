//! Matrices of other libraries: elements of them as places, shadows, products.

use super::*;
use crate::check::Check;
use crate::check::Slack;
use crate::derivative::{Differentiable, zero_like};
use crate::error::{Broken, InvertibilityError};
use crate::num::Dual;
use crate::place::Disjoint;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn fails<R>(f: impl FnOnce() -> R) -> Option<Broken> {
    let Err(payload) = catch_unwind(AssertUnwindSafe(f)) else { panic!("it did not fail") };
    payload.downcast::<InvertibilityError>().ok().map(|error| error.broken)
}

fn copied<M: Dense<Element: Clone>>(m: &M) -> Matrix<M::Element> {
    let (view, layout) = (m.view(), m.view().layout());
    Matrix::from_fn(layout.rows, layout.columns, |i, j| view.at(i, j).clone())
}

fn lifted(seed: u32, rows: usize, columns: usize) -> Matrix<Dual<f64>> {
    let (values, tangents) = (numbers(seed, rows * columns), numbers(seed + 9, rows * columns));
    let numbers = values.into_iter().zip(tangents);
    let numbers = numbers.map(|(value, tangent)| Dual { value, tangents: [tangent] });
    Matrix::from_vec(rows, columns, numbers.collect())
}

/// Products, factors and rotations, beside those of [`Matrix`]. A count of rows that is no
/// power of two leaves gaps between the columns of some.
fn linear_algebra<M: Dense<Element = f64>>(of: impl Fn(&Matrix<f64>) -> M) {
    // Below and above the size of a block.
    for n in [1, 3, 21] {
        let (a, b, mut c) = (matrix(1, n, n + 1), matrix(2, n + 1, n), matrix(3, n, n));
        let (x, y, mut z) = (of(&a), of(&b), of(&c));
        matmul(&mut c, &a, &b);
        matmul(&mut z, &x, &y);
        near(copied(&z).as_slice(), c.as_slice(), 1e-13);
        matmul_tn(&mut c, &b, &b);
        matmul_tn(&mut z, &y, &y);
        near(copied(&z).as_slice(), c.as_slice(), 1e-13);
        matmul_nt::inverse(&mut c, &a, &a);
        matmul_nt::inverse(&mut z, &x, &x);
        near(copied(&z).as_slice(), c.as_slice(), 1e-13);

        let (mut d_a, mut d_b) = (Matrix::zeros(n, n + 1), Matrix::zeros(n + 1, n));
        let (mut d_x, mut d_y) = (of(&d_a), of(&d_b));
        matmul::adjoint(&mut c, &mut matrix(4, n, n), &a, &mut d_a, &b, &mut d_b);
        matmul::adjoint(&mut z, &mut of(&matrix(4, n, n)), &x, &mut d_x, &y, &mut d_y);
        near(copied(&d_x).as_slice(), d_a.as_slice(), 1e-13);
        near(copied(&d_y).as_slice(), d_b.as_slice(), 1e-13);

        let (mut inverted, mut one) = (of(&Matrix::zeros(n, n)), Matrix::zeros(n, n));
        inverse(&mut inverted, &z);
        matmul(&mut one, &inverted, &z);
        near(one.as_slice(), Matrix::identity(n).as_slice(), 1e-9);
        let (mut q, mut r) = (of(&Matrix::zeros(n, n)), of(&Matrix::zeros(n, n)));
        qr(&mut q, &mut r, &z);
        let mut product = Matrix::zeros(n, n);
        matmul(&mut product, &q, &r);
        near(product.as_slice(), copied(&z).as_slice(), 1e-12);
        let angles = numbers(4, n * (n - 1) / 2);
        unitary(&mut z, &angles);
        unitary(&mut c, &angles);
        near(copied(&z).as_slice(), c.as_slice(), 1e-12);
    }
}

/// By loops.
fn linear_algebra_of_duals<M: Dense<Element = Dual<f64>>>(of: impl Fn(&Matrix<Dual<f64>>) -> M) {
    let (a, b, mut c) = (lifted(1, 3, 11), lifted(2, 11, 5), lifted(3, 3, 5));
    let mut z = of(&c);
    matmul(&mut c, &a, &b);
    matmul(&mut z, &of(&a), &of(&b));
    matmul_nt(&mut c, &a, &b.transposed());
    matmul_nt(&mut z, &of(&a), &of(&b.transposed()));
    matmul_tn(&mut c, &a.transposed(), &b);
    matmul_tn(&mut z, &of(&a.transposed()), &of(&b));
    for (found, expected) in copied(&z).as_slice().iter().zip(c.as_slice()) {
        near(&[found.value], &[expected.value], 1e-13);
        near(&found.tangents, &expected.tangents, 1e-13);
    }
}

fn shadows<M>(of: impl Fn(&Matrix<f64>) -> M)
where
    M: Dense<Element = f64> + Differentiable + Check + PartialEq + std::fmt::Debug,
{
    let a = of(&matrix(1, 3, 2));
    let mut shadow = zero_like(&a);
    assert_eq!(shadow, of(&Matrix::zeros(3, 2)));
    shadow.accumulate_shadow(a.clone());
    shadow.accumulate_shadow(a.clone());
    shadow.retract_shadow(a.clone());
    assert_eq!(shadow, a);
    shadow.retract_shadow(a.clone());
    shadow.retract_shadow(a.clone());
    assert_eq!(shadow, a.negated_shadow());
    shadow.set_zero_like(&a);
    assert_eq!(shadow, zero_like(&a));
    assert!(
        a.agrees(&a, Slack::half_the_digits(0.0))
            && !a.agrees(&shadow, Slack::half_the_digits(0.0))
    );
    let other = of(&matrix(1, 3, 3));
    assert!(!other.agrees(&a, Slack::half_the_digits(1e9)));
    fails(|| shadow.accumulate_shadow(other.clone()));
    shadow.set_zero_like(&other);
    assert_eq!(shadow, of(&Matrix::zeros(3, 3)));
}

fn elements_that_are_lent_together<M, I>(
    of: impl Fn(&Matrix<f64>) -> M,
    at: impl Fn(usize, usize) -> I,
) where
    M: Dense<Element = f64> + Disjoint<I, Output = f64>,
{
    let before = matrix(3, 13, 4);
    let mut m = of(&before);
    let places = [(12, 1), (0, 1), (5, 0), (6, 0), (1, 3)];
    let found = m.disjoint(places.map(|(i, j)| at(i, j)), "").map(|x| *x);
    assert_eq!(found, places.map(|place| before[place]));
    let twice = fails(|| m.disjoint([at(0, 0), at(1, 1), at(1, 1)], "").map(|x| *x));
    assert_eq!(twice, Some(Broken::Indices));
    assert_eq!(fails(|| m.disjoint([at(13, 0), at(0, 0)], "").map(|x| *x)), None);
    assert_eq!(fails(|| m.disjoint([at(0, 4), at(0, 0)], "").map(|x| *x)), None);
}

#[reversible]
fn add_cosine(x: &mut f64, angle: &f64) {
    *x += angle.cos();
}

/// The tests of a library: of its `energy` at a vector, `walk` and `add`, and of the matrices
/// that `of` makes, whose elements have such indices.
macro_rules! checks {
    ($x:expr, $index:expr) => {
        #[test]
        fn places() {
            let (a, x) = (of(&matrix(1, 3, 2)), $x);
            let mut y = 0.5;
            assert_gradient!(energy(&mut y, &a, &x));
            let mut c = of(&matrix(3, 3, 2));
            assert_reversible!(walk(&mut c, &a, 1));
            assert_gradient!(walk(&mut c, &a, 1));
            let at = energy::gradient(&a, &x);
            let (mut d_a, mut d_x) = (zero_like(&a), zero_like(&x));
            energy::adjoint(&mut y, &mut 1.0, &a, &mut d_a, &x, &mut d_x);
            assert!(
                at.d_a.agrees(&d_a, Slack::half_the_digits(1.0))
                    && at.d_x.agrees(&d_x, Slack::half_the_digits(1.0))
            );
        }

        #[test]
        fn one_place_is_not_two() {
            assert_eq!(fails(|| add(&mut of(&matrix(3, 3, 2)), 1)), Some(Broken::Indices));
        }

        #[test]
        fn as_matrices() {
            linear_algebra(of);
            linear_algebra_of_duals(of);
            shadows(of);
            elements_that_are_lent_together(of, $index);
            let (x, y, mut z) = (of(&matrix(1, 3, 4)), of(&matrix(2, 4, 2)), of(&matrix(3, 3, 2)));
            assert_gradient!(matmul(&mut z, &x, &y));
        }
    };
}

#[cfg(feature = "faer")]
mod faer {
    use super::*;
    use ::faer::{Mat, c64};

    fn of<T: Clone>(m: &Matrix<T>) -> Mat<T> {
        Mat::from_fn(m.rows(), m.columns(), |i, j| m[(i, j)].clone())
    }

    /// Elements that are read, some of them twice.
    #[reversible]
    fn energy<T: Real>(y: &mut T, a: &Mat<T>, x: &Mat<T>) {
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                *y += a[(i, j)] * a[(i, j)] * x[(j, 0)].sin() + a[(i, j)].exp();
            }
        }
    }

    /// Elements that are written, lent and exchanged, and an ancilla.
    #[reversible]
    fn walk(c: &mut Mat<f64>, a: &Mat<f64>, k: usize) {
        let mut half = a.clone();
        #[compute]
        {
            for i in 0..a.nrows() {
                half[(i, 1)] += a[(i, 0)] * 0.5;
            }
        }
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                c[(i, j)] += half[(i, j)].sin() * a[(i, j)];
            }
        }
        c[(k, 0)] += c[(k, 1)] * c[(0, 1)];
        add_cosine(&mut c[(2, 0)], &a[(k, 1)]);
        swap(&mut c[(k, 0)], &mut c[(0, 1)]);
    }

    #[reversible]
    fn add(c: &mut Mat<f64>, k: usize) {
        c[(k, 0)] += c[(1, 0)];
    }

    checks!(of(&matrix(2, 2, 1)), |i, j| (i, j));

    #[test]
    fn parts_and_transposes() {
        let (a, mut c) = (of(&matrix(1, 13, 17)), of(&Matrix::zeros(20, 20)));
        let mut expected = Matrix::zeros(13, 13);
        let copy = copied(&a);
        matmul_nt(&mut expected, &copy, &copy);
        {
            let part = c.as_mut().submatrix_mut(3, 2, 13, 13).transpose_mut();
            matmul_nt(&mut ViewMut::from(part), &a, &a);
        }
        let part = View::from(c.as_ref().submatrix(3, 2, 13, 13));
        for i in 0..13 {
            for j in 0..13 {
                near(&[*part.at(j, i)], &[expected[(i, j)]], 1e-13);
            }
        }
        assert_eq!(c[(0, 0)], 0.0);
    }

    /// Of complex numbers the adjoints conjugate.
    #[test]
    fn complex_products() {
        let (a, b) = (complex_matrix(1, 13, 17), complex_matrix(2, 17, 11));
        let (mut c, mut d_c) = (complex_matrix(3, 13, 11), complex_matrix(4, 13, 11));
        let (mut d_a, mut d_b) = (Matrix::zeros(13, 17), Matrix::zeros(17, 11));
        let mut by_hand = d_a.clone();
        by_loops(by_hand.view_mut(), Sign::Plus, d_c.view(), b.view().adjoint());
        let mut product = c.clone();
        by_loops(product.view_mut(), Sign::Minus, a.view(), b.view());
        matmul::adjoint(&mut c, &mut d_c, &a, &mut d_a, &b, &mut d_b);
        let close = |x: &Matrix<c64>, y: &Matrix<c64>| {
            x.as_slice().iter().zip(y.as_slice()).all(|(x, y)| (x - y).norm() < 1e-13)
        };
        assert!(close(&d_a, &by_hand) && close(&c, &product));
    }

    #[test]
    fn sparse_matrices() {
        use crate::sparse::{Pattern, PatternError};
        use ::faer::sparse::{SparseColMat, SymbolicSparseColMat, Triplet};
        let triplets = [Triplet::new(2, 0, 1.0), Triplet::new(0, 0, 2.0), Triplet::new(1, 2, 3.0)];
        let a = SparseColMat::<usize, f64>::try_new_from_triplets(3, 3, &triplets).unwrap();
        let expected = Pattern::new(3, 3, &[0, 2, 2, 3], &[0, 2, 1]);
        assert_eq!(Pattern::try_from(&a), expected);
        assert_eq!(Pattern::try_from(a.as_ref()), expected);
        let (starts, counts) = (vec![0, 2, 3], Some(vec![1, 1]));
        let loose = SymbolicSparseColMat::new_checked(2, 2, starts, counts, vec![0, 0, 1]);
        assert_eq!(Pattern::try_from(loose.as_ref()), Err(PatternError::Uncompressed));
    }
}

#[cfg(feature = "nalgebra")]
mod nalgebra {
    use super::*;
    use ::nalgebra::{DMatrix, DVector};

    fn of<T: ::nalgebra::Scalar>(m: &Matrix<T>) -> DMatrix<T> {
        DMatrix::from_fn(m.rows(), m.columns(), |i, j| m[(i, j)].clone())
    }

    /// Elements that are read, some of them twice.
    #[reversible]
    fn energy<T: Real + ::nalgebra::Scalar>(y: &mut T, a: &DMatrix<T>, x: &DVector<T>) {
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                *y += a[(i, j)] * a[(i, j)] * x[j].sin() + a[(i, j)].exp();
            }
        }
    }

    /// Elements that are written, lent and exchanged, and an ancilla.
    #[reversible]
    fn walk(c: &mut DMatrix<f64>, a: &DMatrix<f64>, k: usize) {
        let mut half = a.clone();
        #[compute]
        {
            for i in 0..a.nrows() {
                half[(i, 1)] += a[(i, 0)] * 0.5;
            }
        }
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                c[(i, j)] += half[(i, j)].sin() * a[(i, j)];
            }
        }
        c[(k, 0)] += c[(k, 1)] * c[(0, 1)];
        add_cosine(&mut c[(2, 0)], &a[(k, 1)]);
        swap(&mut c[(k, 0)], &mut c[(0, 1)]);
    }

    #[reversible]
    fn add(c: &mut DMatrix<f64>, k: usize) {
        c[(k, 0)] += c[(1, 0)];
    }

    checks!(DVector::from_vec(numbers(2, 2)), |i, j| (i, j));
}

#[cfg(feature = "ndarray")]
mod ndarray {
    use super::*;
    use ::ndarray::{Array1, Array2, ArrayView2, Axis};

    fn of<T: Clone>(m: &Matrix<T>) -> Array2<T> {
        Array2::from_shape_fn((m.rows(), m.columns()), |(i, j)| m[(i, j)].clone())
    }

    /// Elements that are read, some of them twice.
    #[reversible]
    fn energy<T: Real>(y: &mut T, a: &Array2<T>, x: &Array1<T>) {
        for i in 0..a.nrows() {
            for j in 0..a.ncols() {
                *y += a[[i, j]] * a[[i, j]] * x[j].sin() + a[[i, j]].exp();
            }
        }
    }

    /// Elements that are written, lent and exchanged, and an ancilla.
    #[reversible]
    fn walk(c: &mut Array2<f64>, a: &Array2<f64>, k: usize) {
        let mut half = a.clone();
        #[compute]
        {
            for i in 0..a.nrows() {
                half[[i, 1]] += a[[i, 0]] * 0.5;
            }
        }
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                c[[i, j]] += half[[i, j]].sin() * a[[i, j]];
            }
        }
        c[[k, 0]] += c[[k, 1]] * c[[0, 1]];
        add_cosine(&mut c[[2, 0]], &a[[k, 1]]);
        swap(&mut c[[k, 0]], &mut c[[0, 1]]);
    }

    #[reversible]
    fn add(c: &mut Array2<f64>, k: usize) {
        c[[k, 0]] += c[[1, 0]];
    }

    checks!(Array1::from_vec(numbers(2, 2)), |i, j| [i, j]);

    /// In columns, and such that are no matrices.
    #[test]
    fn layouts() {
        linear_algebra(|m| of(&m.transposed()).reversed_axes());
        elements_that_are_lent_together(|m| of(&m.transposed()).reversed_axes(), |i, j| [i, j]);
        let mut a = of(&matrix(1, 4, 6));
        let layout = |a: ArrayView2<'_, f64>| View::try_from(a).map(|view| view.layout()).ok();
        let (rows, columns) = (Axis(0), Axis(1));
        assert_eq!(layout(ArrayView2::from(&a)), Some(Layout::by_rows(4, 6)));
        assert_eq!(layout(a.t()), Some(Layout::by_columns(6, 4)));
        assert_eq!(layout(a.slice_axis(rows, (1..3).into())), Some(Layout::by_rows(2, 6)));
        assert_eq!(layout(a.slice_axis(columns, (1..3).into())), None);
        assert!(ViewMut::try_from(a.column_mut(0)).is_err());
        assert!(ViewMut::try_from(a.row_mut(2)).is_ok());
        a.invert_axis(rows);
        assert_eq!(layout(ArrayView2::from(&a)), None);
        assert_eq!(fails(|| det(&a)), None);
    }
}

#[cfg(feature = "sprs")]
#[test]
fn sparse_matrices_of_sprs() {
    use crate::sparse::{Pattern, PatternError};
    let a = ::sprs::CsMat::new_csc((3, 3), vec![0, 2, 2, 3], vec![0, 2, 1], vec![1.0, 2.0, 3.0]);
    let expected = Pattern::new(3, 3, &[0, 2, 2, 3], &[0, 2, 1]);
    assert_eq!(Pattern::try_from(&a), expected);
    assert_eq!(Pattern::try_from(&a.view()), expected);
    assert_eq!(Pattern::try_from(&a.transpose_view()), Err(PatternError::CompressedRows));
    // A part of a matrix does not begin with its first entry.
    let part = a.slice_outer(1..3);
    assert!(matches!(Pattern::try_from(&part), Err(PatternError::Ends { first: 2, .. })));
}
