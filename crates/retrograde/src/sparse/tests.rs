use super::*;
use crate::calculus::{hessian, hessian_reverse};
use crate::linalg::Matrix;
use crate::prelude::{reversible, *};
use crate::testing::{assert_gradient, assert_reversible};
use proptest::prelude::*;

type C = Complex<f64>;

/// A matrix that owns what a pattern borrows.
#[derive(Clone, Debug)]
struct Owned<T> {
    dense: Matrix<T>,
    starts: Vec<usize>,
    rows: Vec<usize>,
    values: Vec<T>,
}

impl<T: Arithmetic> Owned<T> {
    /// The entries of a dense matrix that are not zero.
    fn of(dense: Matrix<T>) -> Self {
        let (mut starts, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
        for j in 0..dense.columns() {
            for i in 0..dense.rows() {
                if !dense[(i, j)].is_zero() {
                    rows.push(i);
                    values.push(dense[(i, j)].clone());
                }
            }
            starts.push(rows.len());
        }
        Owned { dense, starts, rows, values }
    }

    fn pattern(&self) -> Pattern<'_> {
        let (rows, columns) = (self.dense.rows(), self.dense.columns());
        Pattern::new(rows, columns, &self.starts, &self.rows).expect("made in order")
    }
}

/// About one entry in four, small integers, so that sums are exact.
fn sparse(rows: usize, columns: usize) -> impl Strategy<Value = Owned<f64>> {
    let entry = prop_oneof![3 => Just(0), 1 => -8..9];
    proptest::collection::vec(entry.prop_map(f64::from), rows * columns)
        .prop_map(move |entries| Owned::of(Matrix::from_vec(rows, columns, entries)))
}

fn complex(re: &Owned<f64>, im: &Owned<f64>) -> Owned<C> {
    let (re, im) = (&re.dense, &im.dense);
    Owned::of(Matrix::from_fn(re.rows(), re.columns(), |i, j| C::new(re[(i, j)], im[(i, j)])))
}

fn small() -> (Owned<f64>, Owned<f64>) {
    let a = [[1., 0., 0., 0.], [2., 3., 0., 7.], [0., 0., 0., 9.]];
    let b = [[4., 0., 0., 0.], [0., 6., 5., 1.], [5., 0., 0., 2.]];
    (Owned::of(Matrix::from_rows(a)), Owned::of(Matrix::from_rows(b)))
}

fn small_complex() -> (Owned<C>, Owned<C>) {
    let (a, b) = small();
    (complex(&a, &b), complex(&b, &a))
}

#[reversible]
fn add_dot<T: Arithmetic>(
    y: &mut T,
    #[constant] p: &Pattern<'_>,
    a: &[T],
    #[constant] q: &Pattern<'_>,
    b: &[T],
) {
    *y += dot(p, a, q, b);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Most of the columns have an entry in one operand and none in the other.
    #[test]
    fn the_inner_product_is_the_dense_one(a in sparse(3, 10), b in sparse(3, 10)) {
        let (p, q) = (a.pattern(), b.pattern());
        let expected = crate::linalg::dot(a.dense.as_slice(), b.dense.as_slice());
        let mut y = 3.0;
        add_dot(&mut y, &p, &a.values, &q, &b.values);
        prop_assert_eq!(y, 3.0 + expected);
        add_dot::inverse(&mut y, &p, &a.values, &q, &b.values);
        prop_assert_eq!(y, 3.0);
        let (u, v) = (complex(&a, &b), complex(&b, &a));
        let expected = crate::linalg::dot(u.dense.as_slice(), v.dense.as_slice());
        prop_assert_eq!(dot(&u.pattern(), &u.values, &v.pattern(), &v.values), expected);
    }

    #[test]
    fn products_are_the_dense_ones(a in sparse(5, 4), b in sparse(4, 3), c in sparse(3, 5)) {
        let (p, a_dense) = (a.pattern(), &a.dense);
        let (x, z) = (&b.dense.transposed(), &c.dense);
        let (mut found, mut expected) = (vec![1.0; 5], vec![1.0; 5]);
        matvec(&mut found, &p, &a.values, x.row(0));
        crate::linalg::matmul(&mut expected, a_dense, x.row(0));
        prop_assert_eq!(&found, &expected);
        matvec::inverse(&mut found, &p, &a.values, x.row(0));
        prop_assert_eq!(found, vec![1.0; 5]);
        let (mut found, mut expected) = (vec![1.0; 4], vec![1.0; 4]);
        matvec_t(&mut found, &p, &a.values, z.row(0));
        crate::linalg::matmul_tn(&mut expected, a_dense, z.row(0));
        prop_assert_eq!(found, expected);
        let (mut found, mut expected) = (Matrix::zeros(5, 3), Matrix::zeros(5, 3));
        sparse_dense(&mut found, &p, &a.values, &b.dense);
        crate::linalg::matmul(&mut expected, a_dense, &b.dense);
        prop_assert_eq!(found, expected);
        let (mut found, mut expected) = (Matrix::zeros(3, 4), Matrix::zeros(3, 4));
        dense_sparse(&mut found, z, &p, &a.values);
        crate::linalg::matmul(&mut expected, z, a_dense);
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn transposes(a in sparse(5, 4)) {
        let (t, expected) = (a.pattern().transposed(), Owned::of(a.dense.transposed()));
        prop_assert_eq!(t.pattern(), expected.pattern());
        let mut values = vec![0.0; a.values.len()];
        transpose(&mut values, &t, &a.values);
        prop_assert_eq!(&values, &expected.values);
        transpose::inverse(&mut values, &t, &a.values);
        prop_assert!(values.iter().all(|v| *v == 0.0));
    }
}

#[test]
fn gradients() {
    let (a, b) = small();
    let (p, q) = (a.pattern(), b.pattern());
    assert_reversible!(add_dot(
        &mut 0.5,
        #[constant]
        &p,
        &a.values,
        #[constant]
        &q,
        &b.values
    ));
    assert_gradient!(add_dot(
        &mut 0.5,
        #[constant]
        &p,
        &a.values,
        #[constant]
        &q,
        &b.values
    ));
    let (x, mut y) = ([1.0, 2.0, 3.0, 4.0], [0.5; 3]);
    assert_gradient!(matvec(
        &mut y,
        #[constant]
        &p,
        &a.values,
        &x
    ));
    let (z, mut w) = ([1.0, 2.0, 3.0], [0.5; 4]);
    assert_gradient!(matvec_t(
        &mut w,
        #[constant]
        &p,
        &a.values,
        &z
    ));
    let (right, mut c) = (b.dense.transposed(), Matrix::filled(3, 3, 0.5));
    assert_gradient!(sparse_dense(
        &mut c,
        #[constant]
        &p,
        &a.values,
        &right
    ));
    let mut c = Matrix::filled(4, 4, 0.5);
    assert_gradient!(dense_sparse(
        &mut c,
        &right,
        #[constant]
        &p,
        &a.values
    ));
    let t = p.transposed();
    let mut values = vec![0.5; a.values.len()];
    assert_gradient!(transpose(
        &mut values,
        #[constant]
        &t,
        &a.values
    ));
}

#[test]
fn gradients_of_complex_matrices() {
    let (a, b) = small_complex();
    let (p, q) = (a.pattern(), b.pattern());
    let mut y = C::new(0.5, 1.0);
    assert_gradient!(add_dot(
        &mut y,
        #[constant]
        &p,
        &a.values,
        #[constant]
        &q,
        &b.values
    ));
    let (x, mut y) = (b.dense.row(1).to_vec(), vec![C::new(0.5, 1.0); 3]);
    assert_gradient!(matvec(
        &mut y,
        #[constant]
        &p,
        &a.values,
        &x
    ));
    let mut w = x.clone();
    let z = y.clone();
    assert_gradient!(matvec_t(
        &mut w,
        #[constant]
        &p,
        &a.values,
        &z
    ));
}

#[test]
fn both_directions_of_differentiation_agree() {
    #[reversible]
    fn f<T: Real>(y: &mut T, x: &[T]) {
        let p = Pattern::new(3, 2, &[0, 2, 2], &[0, 1]).expect("in order");
        let q = Pattern::new(3, 2, &[0, 2, 3], &[1, 2, 0]).expect("in order");
        let product = dot(&p, &x[0..2], &q, &x[2..5]);
        *y += product * product;
    }
    let x = [1.0, 2.0, 3.0, 4.0, 5.0];
    assert_eq!(hessian(&f {}, &x), hessian_reverse(&f {}, &x));
}

/// Each way in which a column can be empty; the walk must not run into the entries of the
/// next one.
#[test]
fn columns_empty_in_one_operand() {
    let columns = [[0.0, 0.0], [2.0, 3.0], [0.0, 5.0]];
    for k in 0..81 {
        let of = |digit: u32| columns[k / 3_usize.pow(digit) % 3];
        let matrix = |first: [f64; 2], second: [f64; 2]| {
            Owned::of(Matrix::from_fn(2, 2, |i, j| [first, second][j][i]))
        };
        let (a, b) = (matrix(of(0), of(1)), matrix(of(2), of(3)));
        let expected = crate::linalg::dot(a.dense.as_slice(), b.dense.as_slice());
        assert_eq!(dot(&a.pattern(), &a.values, &b.pattern(), &b.values), expected, "{a:?} {b:?}");
    }
}

#[test]
fn patterns_are_checked() {
    let error = |rows, columns, starts: &[usize], of_entry: &[usize]| {
        Pattern::new(rows, columns, starts, of_entry).unwrap_err().to_string()
    };
    assert_eq!(error(2, 2, &[0, 1], &[0]), "2 columns need 3 starts, and there are 2");
    assert_eq!(error(2, 2, &[], &[]), "2 columns need 3 starts, and there are 0");
    assert_eq!(error(2, 0, &[0], &[0]), "the columns have the entries 0..0, not 0..1");
    assert_eq!(error(2, 1, &[0], &[]), "1 columns need 2 starts, and there are 1");
    assert_eq!(error(2, 1, &[0, 2], &[0]), "the columns have the entries 0..2, not 0..1");
    assert_eq!(error(2, 1, &[1, 1], &[0]), "the columns have the entries 1..1, not 0..1");
    assert_eq!(error(2, 3, &[0, 9, 1, 2], &[0, 1]), "column 1 ends before it begins");
    assert_eq!(error(2, 1, &[0, 1], &[2]), "an entry of column 0 is in row 2 of 2");
    assert_eq!(
        error(3, 2, &[0, 1, 3], &[0, 1, 1]),
        "the rows of column 1 do not ascend: 1 comes after 1"
    );
    assert!(Pattern::new(3, 0, &[0], &[]).is_ok() && Pattern::new(0, 1, &[0, 0], &[]).is_ok());
}

#[test]
#[should_panic(expected = "a pattern of 4 entries with 3 values")]
fn a_value_for_each_entry() {
    let (a, _) = small();
    let pattern = a.pattern();
    assert_eq!(pattern.entries(), 5);
    let first = Pattern::new(3, 1, &[0, 2], &[0, 1]).expect("in order");
    let second = Pattern::new(4, 1, &[0, 4], &[0, 1, 2, 3]).expect("in order");
    matvec(&mut [0.0; 3], &first, &[1.0, 2.0], &[1.0]);
    matvec(&mut [0.0; 4], &second, &[1.0, 2.0, 3.0], &[1.0]);
}

#[test]
#[should_panic(expected = "vectors of 2 and 4 numbers with a matrix of 3 × 4")]
fn shapes_that_do_not_fit() {
    let (a, _) = small();
    matvec(&mut [0.0; 2], &a.pattern(), &a.values, &[1.0; 4]);
}
