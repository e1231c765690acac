//! Vectors and matrices of `nalgebra`, of a size that the type knows.
//!
//! The gradient with respect to a matrix is the matrix of the derivatives by its
//! entries, so it goes back through a product with transposes.

use super::{Differentiable, PullAdd, PullDiv, PullDot, PullMul, PullNeg, PullNorm, PullSub};
use crate::check::{Astray, Changes, Check, Slack, Toward};
use crate::num::{AdditiveGroup, Literal, Zero};
use ::nalgebra::SMatrix;

macro_rules! matrices {
    ($($real:ident)+) => {$(
        impl<const R: usize, const C: usize> Zero for SMatrix<$real, R, C> {
            #[inline]
            fn zero() -> Self {
                Self::zeros()
            }
        }

        impl<const R: usize, const C: usize> AdditiveGroup for SMatrix<$real, R, C> {
            #[inline]
            fn accumulate(&mut self, other: Self) {
                *self += other;
            }
            #[inline]
            fn retract(&mut self, other: Self) {
                *self -= other;
            }
            #[inline]
            fn negate(&mut self) {
                self.neg_mut();
            }
        }

        impl<const R: usize, const C: usize> Check for SMatrix<$real, R, C> {
            #[inline]
            fn magnitude(&self) -> f64 {
                self.as_slice().magnitude()
            }
            /// All entries at the scale of the largest: a product mixes them, and
            /// leaves round-off of the larger in the smaller.
            #[inline]
            fn agrees(&self, expected: &Self, slack: Slack) -> bool {
                let slack = slack.of_parts(Check::magnitude(self), Check::magnitude(expected));
                self.as_slice().agrees(expected.as_slice(), slack)
            }
            fn nudge(&mut self, slack: Slack, toward: Toward) {
                let slack = slack.of_parts(Check::magnitude(self), Check::magnitude(self));
                self.as_mut_slice().nudge(slack, toward);
            }
        }

        /// A literal beside a matrix is a scalar.
        impl<const R: usize, const C: usize> Literal for SMatrix<$real, R, C> {
            type Scalar = $real;
            #[inline]
            fn literal(value: f64) -> $real {
                $real::literal(value)
            }
        }

        impl<const R: usize, const C: usize> Differentiable for SMatrix<$real, R, C> {
            #[inline]
            fn zero_like(&self) -> Self {
                Self::zeros()
            }
            #[inline]
            fn neutral_like(&self) -> Self {
                Self::from_element(-0.0)
            }
            #[inline]
            fn accumulate_shadow(&mut self, other: Self) {
                *self += other;
            }
            #[inline]
            fn retract_shadow(&mut self, other: Self) {
                *self -= other;
            }
            #[inline]
            fn extent(&self) -> f64 {
                Check::magnitude(self)
            }
            #[inline]
            fn changes(&self, before: &Self) -> Changes {
                Changes::of(self, before)
            }
            #[inline]
            fn astray(&self, expected: &Self, slack: Slack) -> Option<Astray> {
                Astray::of(self, expected, slack)
            }
            #[inline]
            fn nudge_value(&mut self, slack: Slack, toward: Toward) {
                Check::nudge(self, slack, toward);
            }
        }

        impl<const R: usize, const C: usize> PullAdd for SMatrix<$real, R, C> {
            type Output = Self;
            #[inline]
            fn pull_add_left(g: &Self, _left: &Self, _right: &Self) -> Self {
                *g
            }
            #[inline]
            fn pull_add_right(g: &Self, _left: &Self, _right: &Self) -> Self {
                *g
            }
        }

        impl<const R: usize, const C: usize> PullSub for SMatrix<$real, R, C> {
            type Output = Self;
            #[inline]
            fn pull_sub_left(g: &Self, _left: &Self, _right: &Self) -> Self {
                *g
            }
            #[inline]
            fn pull_sub_right(g: &Self, _left: &Self, _right: &Self) -> Self {
                -g
            }
        }

        impl<const R: usize, const C: usize> PullNeg for SMatrix<$real, R, C> {
            type Output = Self;
            #[inline]
            fn pull_neg(g: &Self, _x: &Self) -> Self {
                -g
            }
        }

        /// Of a product with a matrix or a vector: `G Bᵀ` and `Aᵀ G`.
        impl<const R: usize, const K: usize, const C: usize> PullMul<SMatrix<$real, K, C>>
            for SMatrix<$real, R, K>
        {
            type Output = SMatrix<$real, R, C>;
            #[inline]
            fn pull_mul_left(
                g: &SMatrix<$real, R, C>,
                _left: &Self,
                right: &SMatrix<$real, K, C>,
            ) -> Self {
                g * right.transpose()
            }
            #[inline]
            fn pull_mul_right(
                g: &SMatrix<$real, R, C>,
                left: &Self,
                _right: &SMatrix<$real, K, C>,
            ) -> SMatrix<$real, K, C> {
                left.tr_mul(g)
            }
        }

        impl<const R: usize, const C: usize> PullMul<$real> for SMatrix<$real, R, C> {
            type Output = Self;
            #[inline]
            fn pull_mul_left(g: &Self, _left: &Self, right: &$real) -> Self {
                g * *right
            }
            #[inline]
            fn pull_mul_right(g: &Self, left: &Self, _right: &$real) -> $real {
                g.dot(left)
            }
        }

        impl<const R: usize, const C: usize> PullMul<SMatrix<$real, R, C>> for $real {
            type Output = SMatrix<$real, R, C>;
            #[inline]
            fn pull_mul_left(
                g: &SMatrix<$real, R, C>,
                _left: &$real,
                right: &SMatrix<$real, R, C>,
            ) -> $real {
                g.dot(right)
            }
            #[inline]
            fn pull_mul_right(
                g: &SMatrix<$real, R, C>,
                left: &$real,
                _right: &SMatrix<$real, R, C>,
            ) -> SMatrix<$real, R, C> {
                g * *left
            }
        }

        impl<const R: usize, const C: usize> PullDiv<$real> for SMatrix<$real, R, C> {
            type Output = Self;
            #[inline]
            fn pull_div_left(g: &Self, _left: &Self, right: &$real) -> Self {
                g / *right
            }
            #[inline]
            fn pull_div_right(g: &Self, _left: &Self, right: &$real, quotient: &Self) -> $real {
                -g.dot(quotient) / *right
            }
        }

        /// The Euclidean length, of a matrix by Frobenius.
        impl<const R: usize, const C: usize> PullNorm for SMatrix<$real, R, C> {
            type Norm = $real;
            #[inline]
            fn pull_norm(g: &$real, z: &Self, y: &$real) -> Self {
                if *y == 0.0 { Self::zeros() } else { z / *y * *g }
            }
            #[inline]
            fn pull_norm_sqr(g: &$real, z: &Self) -> Self {
                z * (g + g)
            }
        }

        impl<const R: usize, const C: usize> PullDot for SMatrix<$real, R, C> {
            type Output = $real;
            #[inline]
            fn pull_dot_left(g: &$real, _left: &Self, right: &Self) -> Self {
                right * *g
            }
            #[inline]
            fn pull_dot_right(g: &$real, left: &Self, _right: &Self) -> Self {
                left * *g
            }
        }
    )+};
}

matrices!(f32 f64);
