//! An affine layer, `y += W x + b`, in place: nothing is allocated, and the
//! inverse takes the layer away again, with the gradient of everything on the way.
//!
//! Here it is written out, in two orders; `retrograde::linalg::affine` is ready to use.
//!
//! `cargo run --release --example affine`

use retrograde::prelude::*;

/// `y += W x + b`, with the rows of `W` one after the other.
#[reversible]
pub fn affine<T: Arithmetic>(y: &mut [T], w: &[T], b: &[T], x: &[T]) {
    host! { assert_eq!(w.len(), y.len() * x.len(), "W has a row for each y, a column for each x"); }
    for ((yi, bi), row) in y.iter_mut().zip(b).zip(w.chunks_exact(x.len())) {
        for (wij, xj) in row.iter().zip(x) {
            *yi += *wij * *xj;
        }
        *yi += *bi;
    }
}

/// `y += W x + b`, with the columns of `W` one after the other.
///
/// The inner loop updates a whole column of independent sums, so it runs on
/// vector registers.
#[reversible]
pub fn affine_by_columns<T: Arithmetic>(y: &mut [T], w: &[T], b: &[T], x: &[T]) {
    host! { assert_eq!(w.len(), y.len() * x.len(), "W has a row for each y, a column for each x"); }
    for (column, xj) in w.chunks_exact(y.len()).zip(x) {
        for (yi, wij) in y.iter_mut().zip(column) {
            *yi += *wij * *xj;
        }
    }
    for (yi, bi) in y.iter_mut().zip(b) {
        *yi += *bi;
    }
}

fn main() {
    let w = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let (b, x) = ([0.5, -0.5], [1.0, 0.0, -1.0]);
    let mut y = [10.0, 20.0];
    println!("W = [1 2 3; 4 5 6], b = {b:?}, x = {x:?}");
    println!("before   y = {y:?}");
    affine(&mut y, &w, &b, &x);
    println!("forward  y = {y:?}");
    // Of the first output, by all weights and inputs.
    let (mut d_y, mut d_w, mut d_b, mut d_x) = ([1.0, 0.0], [0.0; 6], [0.0; 2], [0.0; 3]);
    affine::adjoint(&mut y, &mut d_y, &w, &mut d_w, &b, &mut d_b, &x, &mut d_x);
    println!("back     y = {y:?}");
    println!("gradient W {d_w:?}, b {d_b:?}, x {d_x:?}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use retrograde::calculus::{jacobian, jacobian_forward};
    use retrograde::testing::assert_gradient;

    #[test]
    fn a_small_layer() {
        let (b, x) = ([0.5, -0.5], [1.0, 0.0, -1.0]);
        let mut y = [10.0, 20.0];
        affine(&mut y, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &b, &x);
        assert_eq!(y, [8.5, 17.5]);
        affine_by_columns::inverse(&mut y, &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0], &b, &x);
        assert_eq!(y, [10.0, 20.0]);
    }

    proptest! {
        /// In fixed point, where sums do not depend on the order.
        #[test]
        fn both_orders_agree_and_come_back(
            (y, x, w, b) in (1..9_usize, 1..9_usize).prop_flat_map(|(m, n)| {
                let numbers = |n| {
                    let number = (-9.0..9.0).prop_map(Fixed43::from_f64);
                    proptest::collection::vec(number, n)
                };
                (numbers(m), numbers(n), numbers(m * n), numbers(m))
            })
        ) {
            let (mut rows, mut columns) = (y.clone(), y.clone());
            affine(&mut rows, &w, &b, &x);
            let transposed: Vec<Fixed43> = (0..x.len())
                .flat_map(|j| w.iter().skip(j).step_by(x.len()).copied())
                .collect();
            affine_by_columns(&mut columns, &transposed, &b, &x);
            prop_assert_eq!(&rows, &columns);
            affine::inverse(&mut rows, &w, &b, &x);
            affine_by_columns::inverse(&mut columns, &transposed, &b, &x);
            prop_assert_eq!(&rows, &y);
            prop_assert_eq!(&columns, &y);
        }
    }

    #[test]
    fn gradients() {
        let w = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let (mut y, b, x) = ([10.0, 20.0], [0.5, -0.5], [1.0, 0.0, -1.0]);
        assert_gradient!(affine(&mut y, &w, &b, &x));
        assert_gradient!(affine_by_columns(&mut y, &w, &b, &x));
        let complex = |n: usize| (0..n).map(|k| Complex::new(0.5 * k as f64, 1.0)).collect();
        let [mut y, w, b, x]: [Vec<Complex<f64>>; 4] = [2, 6, 2, 3].map(complex);
        assert_gradient!(affine(&mut y, &w, &b, &x));
    }

    /// `∂y/∂W = x`, `∂y/∂b = 1`, `∂y/∂x = W`: exact in fixed point, and taken back
    /// to the bit.
    #[test]
    fn exact_gradients() {
        let fixed = |numbers: &[f64]| -> Vec<Fixed43> {
            numbers.iter().copied().map(Fixed43::from_f64).collect()
        };
        let (w, b, x) = (fixed(&[1., 2., 3., 4., 5., 6.]), fixed(&[0.5; 2]), fixed(&[1., 0., -1.]));
        let (mut y, mut d_y) = (fixed(&[10.0, 20.0]), fixed(&[1.0, 10.0]));
        let (mut d_w, mut d_b, mut d_x) = (fixed(&[0.0; 6]), fixed(&[0.0; 2]), fixed(&[0.0; 3]));
        let start = (y.clone(), d_y.clone(), d_w.clone(), d_b.clone(), d_x.clone());
        affine::adjoint(&mut y, &mut d_y, &w, &mut d_w, &b, &mut d_b, &x, &mut d_x);
        assert_eq!(d_w, fixed(&[1., 0., -1., 10., 0., -10.]));
        assert_eq!((&d_b, &d_x), (&d_y, &fixed(&[41., 52., 63.])));
        affine::inverse_adjoint(&mut y, &mut d_y, &w, &mut d_w, &b, &mut d_b, &x, &mut d_x);
        assert_eq!((y, d_y, d_w, d_b, d_x), start);
    }

    #[test]
    fn both_directions_of_differentiation_agree() {
        #[reversible]
        fn layer<T: Real>(y: &mut [T], parameters: &[T]) {
            affine(y, &parameters[0..6], &parameters[6..8], &parameters[8..11]);
        }
        let parameters: Vec<f64> = (0..11).map(|k| 0.5 * f64::from(k) - 2.0).collect();
        let found = jacobian(&layer {}, 2, &parameters);
        assert_eq!(found, jacobian_forward(&layer {}, 2, &parameters));
    }

    #[test]
    #[should_panic(expected = "W has a row")]
    fn a_matrix_of_another_shape_is_refused() {
        affine(&mut [0.0], &[1.0], &[0.0], &[1.0, 2.0]);
    }
}
