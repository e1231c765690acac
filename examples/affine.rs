//! An affine layer, `y += W x + b`, in place: nothing is allocated, and the
//! inverse takes the layer away again.
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
    affine::inverse(&mut y, &w, &b, &x);
    println!("back     y = {y:?}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    #[should_panic(expected = "W has a row")]
    fn a_matrix_of_another_shape_is_refused() {
        affine(&mut [0.0], &[1.0], &[0.0], &[1.0, 2.0]);
    }
}
