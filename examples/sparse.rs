//! Sparse matrices: the inner product of two, and matrix times vector.
//!
//! The inner product keeps, for each row, where the column of one matrix has its entry, and
//! takes that back after each column. The gradient by a sparse matrix is sparse in the same
//! way: a shadow has a value for each entry, and no others.
//!
//! It shows how such a walk is written in the language; `retrograde::sparse` has the
//! functions ready to use.
//!
//! `cargo run --release --example sparse`

use retrograde::prelude::*;

/// A matrix in compressed sparse columns.
#[derive(Clone, Debug, PartialEq, Differentiable)]
#[allow(missing_docs)]
pub struct Csc<T> {
    pub rows: usize,
    pub columns: usize,
    /// Column `j` has the entries `starts[j]..starts[j + 1]`.
    #[constant]
    pub starts: Vec<usize>,
    /// The row of each entry, ascending in a column.
    #[constant]
    pub indices: Vec<usize>,
    pub values: Vec<T>,
}

impl<T: Clone + PartialEq + Zero> Csc<T> {
    /// The entries of a dense matrix, column after column, that are not zero.
    pub fn from_dense(rows: usize, columns: usize, dense: &[T]) -> Self {
        assert_eq!(dense.len(), rows * columns);
        let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for j in 0..columns {
            for i in 0..rows {
                let value = &dense[j * rows + i];
                if *value != T::zero() {
                    indices.push(i);
                    values.push(value.clone());
                }
            }
            starts.push(values.len());
        }
        Csc { rows, columns, starts, indices, values }
    }
}

/// `y += A x`.
#[reversible]
pub fn multiply<T: Arithmetic>(y: &mut [T], a: &Csc<T>, x: &[T]) {
    host! { assert_eq!((y.len(), x.len()), (a.rows, a.columns), "A fits y and x"); }
    for j in 0..a.columns {
        let column = a.starts[j]..a.starts[j + 1];
        let xj = x[j];
        for (i, aij) in a.indices[column.clone()].iter().zip(&a.values[column.clone()]) {
            y[*i] += *aij * xj;
        }
    }
}

/// `r += Σ conj(Aᵢⱼ) Bᵢⱼ`, the inner product of two matrices.
#[reversible]
pub fn dot<T: Arithmetic>(r: &mut T, a: &Csc<T>, b: &Csc<T>) {
    host! { assert_eq!((a.rows, a.columns), (b.rows, b.columns), "matrices of the same shape"); }
    // For each row, the entry that a column of B has there, counted from one.
    let mut entries = vec![0; b.rows];
    for j in 0..a.columns {
        let (in_a, in_b) = (a.starts[j]..a.starts[j + 1], b.starts[j]..b.starts[j + 1]);
        #[compute]
        {
            for (k, i) in b.indices[in_b.clone()].iter().enumerate() {
                entries[*i] += in_b.start + k + 1;
            }
        }
        for (i, aij) in a.indices[in_a.clone()].iter().zip(&a.values[in_a.clone()]) {
            if entries[*i] > 0 {
                *r += aij.conj() * b.values[entries[*i] - 1];
            }
        }
    }
}

fn main() {
    // Columns: both have entries, only A has, only B has, none has.
    let a = Csc::from_dense(3, 4, &[1., 2., 0., 0., 3., 0., 0., 0., 0., 0., 0., 0.]);
    let b = Csc::from_dense(3, 4, &[4., 0., 5., 0., 0., 0., 0., 6., 0., 0., 0., 0.]);
    let mut r = 0.0;
    dot(&mut r, &a, &b);
    println!("A·B      {r}");
    dot::inverse(&mut r, &a, &b);
    println!("back     {r}");
    let (x, mut y) = ([1.0, 10.0, 100.0, 1000.0], [0.5, 0.5, 0.5]);
    multiply(&mut y, &a, &x);
    println!("y + A x  {y:?}");
    multiply::inverse(&mut y, &a, &x);
    println!("back     {y:?}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use retrograde::derivative::zero_like;
    use retrograde::testing::assert_gradient;

    type C = Complex<f64>;

    /// A dense matrix with about one entry in ten, small integers, so that sums are exact.
    fn dense(entries: usize) -> impl Strategy<Value = Vec<f64>> {
        let entry = prop_oneof![9 => Just(0), 1 => -8..9];
        proptest::collection::vec(entry.prop_map(f64::from), entries)
    }

    fn complex(re: &[f64], im: &[f64]) -> Vec<C> {
        re.iter().zip(im).map(|(&re, &im)| C::new(re, im)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn the_inner_product_is_the_dense_one(a in dense(100), b in dense(100)) {
            let expected: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
            let (a, b) = (Csc::from_dense(10, 10, &a), Csc::from_dense(10, 10, &b));
            let mut r = 3.0;
            dot(&mut r, &a, &b);
            prop_assert_eq!(r, 3.0 + expected);
            dot::inverse(&mut r, &a, &b);
            prop_assert_eq!(r, 3.0);
        }

        #[test]
        fn of_complex_matrices_too(
            a in (dense(40), dense(40)),
            b in (dense(40), dense(40)),
        ) {
            let (a, b) = (complex(&a.0, &a.1), complex(&b.0, &b.1));
            let expected: C = a.iter().zip(&b).map(|(a, b)| a.conj() * b).sum();
            let (a, b) = (Csc::from_dense(8, 5, &a), Csc::from_dense(8, 5, &b));
            let mut r = C::new(1.0, 2.0);
            dot(&mut r, &a, &b);
            prop_assert_eq!(r, C::new(1.0, 2.0) + expected);
            dot::inverse(&mut r, &a, &b);
            prop_assert_eq!(r, C::new(1.0, 2.0));
        }

        #[test]
        fn the_product_is_the_dense_one(
            a in (dense(60), dense(60)),
            x in (dense(6), dense(6)),
            y in (dense(10), dense(10)),
        ) {
            let (a, x, y) = (complex(&a.0, &a.1), complex(&x.0, &x.1), complex(&y.0, &y.1));
            let mut expected = y.clone();
            for (j, x) in x.iter().enumerate() {
                for (i, y) in expected.iter_mut().enumerate() {
                    *y += a[j * 10 + i] * x;
                }
            }
            let a = Csc::from_dense(10, 6, &a);
            let mut found = y.clone();
            multiply(&mut found, &a, &x);
            prop_assert_eq!(&found, &expected);
            multiply::inverse(&mut found, &a, &x);
            prop_assert_eq!(&found, &y);
        }
    }

    #[test]
    fn gradients() {
        let a = Csc::from_dense(3, 4, &[1., 2., 0., 0., 3., 0., 0., 0., 0., 7., 8., 9.]);
        let b = Csc::from_dense(3, 4, &[4., 0., 5., 0., 0., 0., 0., 6., 0., 0., 1., 2.]);
        let (x, mut y) = ([1.0, 2.0, 3.0, 4.0], [0.5, 0.5, 0.5]);
        assert_gradient!(dot(&mut 3.0, &a, &b));
        assert_gradient!(multiply(&mut y, &a, &x));
        let (re, im) = ([0.0, 2.0, 3.0, 0.0], [1.0, 0.0, -1.0, 0.0]);
        let a = Csc::from_dense(2, 2, &complex(&re, &im));
        let b = Csc::from_dense(2, 2, &complex(&im, &re));
        assert_gradient!(dot(&mut C::new(1.0, 2.0), &a, &b));
    }

    /// The gradient by an entry of `A` is the entry of `B` at the same place.
    #[test]
    fn the_gradient_of_the_inner_product_is_the_other_matrix() {
        let a = Csc::from_dense(3, 2, &[1., 2., 0., 0., 3., 0.]);
        let b = Csc::from_dense(3, 2, &[4., 0., 5., 0., 6., 0.]);
        let (mut r, mut d_a, mut d_b) = (22.0, zero_like(&a), zero_like(&b));
        dot::adjoint(&mut r, &mut 1.0, &a, &mut d_a, &b, &mut d_b);
        assert_eq!(
            (r, &d_a.values[..], &d_b.values[..]),
            (0.0, &[4., 0., 6.][..], &[1., 0., 3.][..])
        );
        assert_eq!((&d_a.indices, &d_a.starts), (&a.indices, &a.starts));
        dot::inverse_adjoint(&mut r, &mut 1.0, &a, &mut d_a, &b, &mut d_b);
        assert_eq!((r, d_a, d_b), (22.0, zero_like(&a), zero_like(&b)));
    }

    #[test]
    fn both_directions_of_differentiation_agree() {
        let dense = [1.0, 2.0, 0.0, 0.0, 3.0, 4.0];
        let (a, x) = (Csc::from_dense(3, 2, &dense), [5.0, 7.0]);
        let (mut y, mut d_y) = ([5.0, 31.0, 28.0], [1.0, 10.0, 100.0]);
        let (mut d_a, mut d_x) = (zero_like(&a), [0.0; 2]);
        multiply::adjoint(&mut y, &mut d_y, &a, &mut d_a, &x, &mut d_x);
        for j in 0..2 {
            let duals = |values: &[f64]| -> Vec<Dual<f64>> {
                values.iter().copied().map(Dual::constant).collect()
            };
            let (mut y, mut x) = (duals(&[0.0; 3]), duals(&x));
            x[j].tangents = [1.0];
            multiply(&mut y, &Csc::from_dense(3, 2, &duals(&dense)), &x);
            let expected: f64 = y.iter().zip(&d_y).map(|(y, g)| y.tangents[0] * g).sum();
            assert_eq!(d_x[j], expected);
        }
    }

    /// Each way in which a column can be empty; the walk must not run into the
    /// entries of the next one.
    #[test]
    fn columns_empty_in_one_operand() {
        let columns = [[0.0, 0.0], [2.0, 3.0], [0.0, 5.0]];
        for (first_a, first_b) in (0..9).map(|k| (columns[k / 3], columns[k % 3])) {
            for (second_a, second_b) in (0..9).map(|k| (columns[k / 3], columns[k % 3])) {
                let (a, b) = ([first_a, second_a].concat(), [first_b, second_b].concat());
                let expected: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
                let (a, b) = (Csc::from_dense(2, 2, &a), Csc::from_dense(2, 2, &b));
                let mut r = 0.0;
                dot(&mut r, &a, &b);
                assert_eq!(r, expected, "{a:?} {b:?}");
                dot::inverse(&mut r, &a, &b);
                assert_eq!(r, 0.0);
            }
        }
    }
}
