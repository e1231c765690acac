//! Products of matrices.

use super::kernel::{Sign, product};
use super::{Dense, Layout, View, ViewMut};
use crate::num::Arithmetic;
use retrograde_macros::{instruction, reversible};

/// `C += A B`.
///
/// Slices are columns, so this is the product of a matrix and a vector, too.
///
/// ```
/// use retrograde::linalg::{Matrix, matmul};
///
/// let a = Matrix::from_rows([[1.0, 2.0], [3.0, 4.0]]);
/// let b = Matrix::from_rows([[0.0, 1.0], [1.0, 0.0]]);
/// let mut c = Matrix::identity(2);
/// matmul(&mut c, &a, &b);
/// assert_eq!(c, Matrix::from_rows([[3.0, 1.0], [4.0, 4.0]]));
/// matmul::inverse(&mut c, &a, &b);
/// assert_eq!(c, Matrix::identity(2));
///
/// let mut y = [0.0, 0.0];
/// matmul(&mut y, &a, &[1.0, 10.0]);
/// assert_eq!(y, [21.0, 43.0]);
/// ```
///
/// The adjoint takes the product back, and adds `dC Bᴴ` to the shadow of `A` and
/// `Aᴴ dC` to that of `B`:
///
/// ```
/// # use retrograde::linalg::{Matrix, matmul};
/// let (a, x) = (Matrix::from_rows([[1.0, 2.0], [3.0, 4.0]]), [1.0, 10.0]);
/// let (mut y, mut d_y) = ([21.0, 43.0], [1.0, 0.0]);
/// let (mut d_a, mut d_x) = (Matrix::zeros(2, 2), [0.0; 2]);
/// matmul::adjoint(&mut y, &mut d_y, &a, &mut d_a, &x, &mut d_x);
/// assert_eq!((y, d_x), ([0.0, 0.0], [1.0, 2.0]));
/// assert_eq!(d_a, Matrix::from_rows([[1.0, 10.0], [0.0, 0.0]]));
/// ```
///
/// # Panics
///
/// If the shapes do not fit.
#[instruction(
    inverse = matmul_inverse,
    adjoint = matmul_adjoint,
    inverse_adjoint = matmul_inverse_adjoint,
    gradient = matmul_gradient,
    adds
)]
#[track_caller]
pub fn matmul<C, A, B>(c: &mut C, a: &A, b: &B)
where
    C: Dense<Element: Arithmetic> + ?Sized,
    A: Dense<Element = C::Element> + ?Sized,
    B: Dense<Element = C::Element> + ?Sized,
{
    product(c.view_mut(), Sign::Plus, a.view(), b.view());
}

/// `C += Aᵀ B`.
///
/// ```
/// use retrograde::linalg::{Matrix, matmul_tn};
///
/// let a = Matrix::from_rows([[1.0, 2.0], [3.0, 4.0]]);
/// let mut y = [0.0, 0.0];
/// matmul_tn(&mut y, &a, &[1.0, 10.0]);
/// assert_eq!(y, [31.0, 42.0]);
/// matmul_tn::inverse(&mut y, &a, &[1.0, 10.0]);
/// assert_eq!(y, [0.0, 0.0]);
/// ```
///
/// # Panics
///
/// If the shapes do not fit.
#[instruction(
    inverse = matmul_tn_inverse,
    adjoint = matmul_tn_adjoint,
    inverse_adjoint = matmul_tn_inverse_adjoint,
    gradient = matmul_tn_gradient,
    adds
)]
#[track_caller]
pub fn matmul_tn<C, A, B>(c: &mut C, a: &A, b: &B)
where
    C: Dense<Element: Arithmetic> + ?Sized,
    A: Dense<Element = C::Element> + ?Sized,
    B: Dense<Element = C::Element> + ?Sized,
{
    product(c.view_mut(), Sign::Plus, a.view().transposed(), b.view());
}

/// `C += A Bᵀ`.
///
/// ```
/// use retrograde::linalg::{Matrix, matmul_nt};
///
/// // The outer product of two vectors.
/// let mut c = Matrix::zeros(2, 3);
/// matmul_nt(&mut c, &[1.0, 10.0], &[1.0, 2.0, 3.0]);
/// assert_eq!(c, Matrix::from_rows([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]));
/// ```
///
/// # Panics
///
/// If the shapes do not fit.
#[instruction(
    inverse = matmul_nt_inverse,
    adjoint = matmul_nt_adjoint,
    inverse_adjoint = matmul_nt_inverse_adjoint,
    gradient = matmul_nt_gradient,
    adds
)]
#[track_caller]
pub fn matmul_nt<C, A, B>(c: &mut C, a: &A, b: &B)
where
    C: Dense<Element: Arithmetic> + ?Sized,
    A: Dense<Element = C::Element> + ?Sized,
    B: Dense<Element = C::Element> + ?Sized,
{
    product(c.view_mut(), Sign::Plus, a.view(), b.view().transposed());
}

/// What the operands get of the gradient of `C ± A B`: `dA ± dC Bᴴ`, `dB ± Aᴴ dC`.
fn pull<T: Arithmetic>(
    sign: Sign,
    d_c: View<'_, T>,
    (a, d_a): (View<'_, T>, ViewMut<'_, T>),
    (b, d_b): (View<'_, T>, ViewMut<'_, T>),
) {
    product(d_a, sign, d_c, b.adjoint());
    product(d_b, sign, a.adjoint(), d_c);
}

/// The inverse and the adjoints of a product whose operands are seen through `$a` and `$b`.
macro_rules! directions {
    ($inverse:ident, $adjoint:ident, $inverse_adjoint:ident, $gradient:ident, $(.$a:ident())?, $(.$b:ident())?) => {
        #[track_caller]
        fn $inverse<C, A, B>(c: &mut C, a: &A, b: &B)
        where
            C: Dense<Element: Arithmetic> + ?Sized,
            A: Dense<Element = C::Element> + ?Sized,
            B: Dense<Element = C::Element> + ?Sized,
        {
            product(c.view_mut(), Sign::Minus, a.view()$(.$a())?, b.view()$(.$b())?);
        }

        #[track_caller]
        fn $gradient<C, A, B>(_c: &mut C, d_c: &mut C, a: &A, d_a: &mut A, b: &B, d_b: &mut B)
        where
            C: Dense<Element: Arithmetic> + ?Sized,
            A: Dense<Element = C::Element> + ?Sized,
            B: Dense<Element = C::Element> + ?Sized,
        {
            let a = (a.view()$(.$a())?, d_a.view_mut()$(.$a())?);
            let b = (b.view()$(.$b())?, d_b.view_mut()$(.$b())?);
            pull(Sign::Plus, d_c.view(), a, b);
        }

        #[track_caller]
        fn $adjoint<C, A, B>(c: &mut C, d_c: &mut C, a: &A, d_a: &mut A, b: &B, d_b: &mut B)
        where
            C: Dense<Element: Arithmetic> + ?Sized,
            A: Dense<Element = C::Element> + ?Sized,
            B: Dense<Element = C::Element> + ?Sized,
        {
            product(c.view_mut(), Sign::Minus, a.view()$(.$a())?, b.view()$(.$b())?);
            $gradient(c, d_c, a, d_a, b, d_b);
        }

        #[track_caller]
        fn $inverse_adjoint<C, A, B>(c: &mut C, d_c: &mut C, a: &A, d_a: &mut A, b: &B, d_b: &mut B)
        where
            C: Dense<Element: Arithmetic> + ?Sized,
            A: Dense<Element = C::Element> + ?Sized,
            B: Dense<Element = C::Element> + ?Sized,
        {
            product(c.view_mut(), Sign::Plus, a.view()$(.$a())?, b.view()$(.$b())?);
            let a = (a.view()$(.$a())?, d_a.view_mut()$(.$a())?);
            let b = (b.view()$(.$b())?, d_b.view_mut()$(.$b())?);
            pull(Sign::Minus, d_c.view(), a, b);
        }
    };
}

directions!(matmul_inverse, matmul_adjoint, matmul_inverse_adjoint, matmul_gradient, ,);
directions!(
    matmul_tn_inverse,
    matmul_tn_adjoint,
    matmul_tn_inverse_adjoint,
    matmul_tn_gradient,
    .transposed(),
);
directions!(
    matmul_nt_inverse,
    matmul_nt_adjoint,
    matmul_nt_inverse_adjoint,
    matmul_nt_gradient,
    ,
    .transposed()
);

/// `C += A B`, of matrices in slices: each followed by its layout.
///
/// Transposes, parts of larger matrices and the order of columns are all layouts.
///
/// ```
/// use retrograde::linalg::{Layout, gemm};
/// use retrograde::prelude::*;
///
/// /// Two layers of a network, whose weights lie in one slice.
/// #[reversible]
/// fn network<T: Real>(y: &mut [T], weights: &[T], x: &[T]) {
///     let mut hidden = vec![0.0; 3];
///     #[compute]
///     {
///         gemm(
///             &mut hidden, Layout::by_columns(3, 1),
///             &weights[..6], Layout::by_rows(3, 2),
///             x, Layout::by_columns(2, 1),
///         );
///     }
///     gemm(
///         y, Layout::by_columns(1, 1),
///         &weights[6..9], Layout::by_rows(1, 3),
///         &hidden, Layout::by_columns(3, 1),
///     );
/// }
///
/// let weights = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.0, 10.0, 100.0];
/// let (mut y, mut d_weights, mut d_x) = ([0.0], [0.0; 9], [0.0; 2]);
/// network(&mut y, &weights, &[1.0, 1.0]);
/// assert_eq!(y, [1173.0]);
/// network::adjoint(&mut y, &mut [1.0], &weights, &mut d_weights, &[1.0, 1.0], &mut d_x);
/// assert_eq!((y, d_x), ([0.0], [531.0, 642.0]));
/// assert_eq!(d_weights, [1.0, 1.0, 10.0, 10.0, 100.0, 100.0, 3.0, 7.0, 11.0]);
/// ```
///
/// # Panics
///
/// If the shapes do not fit, or a slice is too short.
#[instruction(
    inverse = gemm_inverse,
    adjoint = gemm_adjoint,
    inverse_adjoint = gemm_inverse_adjoint,
    gradient = gemm_gradient,
    adds
)]
#[track_caller]
pub fn gemm<T: Arithmetic>(
    c: &mut [T],
    #[constant] c_layout: Layout,
    a: &[T],
    #[constant] a_layout: Layout,
    b: &[T],
    #[constant] b_layout: Layout,
) {
    let c = ViewMut::new(c, c_layout);
    product(c, Sign::Plus, View::new(a, a_layout), View::new(b, b_layout));
}

#[track_caller]
fn gemm_inverse<T: Arithmetic>(
    c: &mut [T],
    c_layout: Layout,
    a: &[T],
    a_layout: Layout,
    b: &[T],
    b_layout: Layout,
) {
    let c = ViewMut::new(c, c_layout);
    product(c, Sign::Minus, View::new(a, a_layout), View::new(b, b_layout));
}

/// The adjoints that run the product in one direction.
macro_rules! gemm_adjoints {
    ($($name:ident: $restore:expr, $sign:expr;)+) => {$(
        #[allow(clippy::too_many_arguments)]
        #[track_caller]
        fn $name<T: Arithmetic>(
            c: &mut [T],
            d_c: &mut [T],
            c_layout: Layout,
            a: &[T],
            d_a: &mut [T],
            a_layout: Layout,
            b: &[T],
            d_b: &mut [T],
            b_layout: Layout,
        ) {
            let (a, b) = (View::new(a, a_layout), View::new(b, b_layout));
            let restore: Option<Sign> = $restore;
            if let Some(sign) = restore {
                product(ViewMut::new(c, c_layout), sign, a, b);
            }
            let (a, b) = ((a, ViewMut::new(d_a, a_layout)), (b, ViewMut::new(d_b, b_layout)));
            pull($sign, View::new(d_c, c_layout), a, b);
        }
    )+};
}

gemm_adjoints! {
    gemm_adjoint: Some(Sign::Minus), Sign::Plus;
    gemm_inverse_adjoint: Some(Sign::Plus), Sign::Minus;
    gemm_gradient: None, Sign::Plus;
}

/// `y += W x + b`.
///
/// ```
/// use retrograde::linalg::{Matrix, affine};
///
/// let w = Matrix::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
/// let mut y = [10.0, 20.0];
/// affine(&mut y, &w, &[0.5, -0.5], &[1.0, 0.0, -1.0]);
/// assert_eq!(y, [8.5, 17.5]);
/// affine::inverse(&mut y, &w, &[0.5, -0.5], &[1.0, 0.0, -1.0]);
/// assert_eq!(y, [10.0, 20.0]);
/// ```
///
/// # Panics
///
/// If the shapes do not fit.
#[reversible]
pub fn affine<T, W>(y: &mut [T], w: &W, b: &[T], x: &[T])
where
    T: Arithmetic,
    W: Dense<Element = T> + ?Sized,
{
    matmul(y, w, x);
    for (y, b) in y.iter_mut().zip(b) {
        *y += *b;
    }
}
