//! Vectors, matrices and arrays of other libraries whose size only the value knows: their
//! shadows, checks and components.

use super::{Differentiable, Misfit, PullNeg};
use crate::check::{Astray, Changes, Check, Slack, Toward, nudge_all};
use crate::testing::Components;
use std::fmt::Debug;
use std::ops::{AddAssign, SubAssign};

/// What is done to such an array element by element.
trait Elementwise: Sized {
    type Element;
    fn shape(&self) -> impl PartialEq + Debug;
    /// In one order for all arrays of a shape.
    fn each(&self) -> impl Iterator<Item = &Self::Element>;
    fn each_mut(&mut self) -> impl Iterator<Item = &mut Self::Element>;
    /// An array of the same shape.
    fn mapped(&self, f: impl FnMut(&Self::Element) -> Self::Element) -> Self;
    /// The index of an element, by its number.
    fn index(&self, k: usize) -> String;
}

/// The elements of two arrays of one shape.
#[track_caller]
fn pairs<'a, A: Elementwise>(
    shadow: &'a mut A,
    other: &'a A,
) -> impl Iterator<Item = (&'a mut A::Element, &'a A::Element)> {
    assert!(
        shadow.shape() == other.shape(),
        "a gradient of {:?} elements for a shadow of {:?}",
        other.shape(),
        shadow.shape()
    );
    shadow.each_mut().zip(other.each())
}

/// The number of the element that a component is in, and its number there.
fn element<A: Elementwise<Element: Components>>(array: &A, mut i: usize) -> (usize, usize) {
    for (k, element) in array.each().enumerate() {
        match i.checked_sub(element.components()) {
            None => return (k, i),
            Some(rest) => i = rest,
        }
    }
    panic!("component {i} of an array that has fewer")
}

fn nth<A: Elementwise>(array: &A, k: usize) -> &A::Element {
    array.each().nth(k).expect("an element of the array")
}

macro_rules! arrays {
    ($([$($parameters:tt)*] $type:ty, $element:path;)+) => {$(
        impl<T: Differentiable + $element, $($parameters)*> Differentiable for $type {
            fn zero_like(&self) -> Self {
                self.mapped(T::zero_like)
            }
            fn neutral_like(&self) -> Self {
                self.mapped(T::neutral_like)
            }
            fn set_zero_like(&mut self, value: &Self) {
                if self.shape() == value.shape() {
                    pairs(self, value).for_each(|(zero, value)| zero.set_zero_like(value));
                } else {
                    *self = Differentiable::zero_like(value);
                }
            }
            #[track_caller]
            fn accumulate_shadow(&mut self, other: Self) {
                pairs(self, &other).for_each(|(a, b)| a.accumulate_shadow(b.clone()));
            }
            #[track_caller]
            fn retract_shadow(&mut self, other: Self) {
                pairs(self, &other).for_each(|(a, b)| a.retract_shadow(b.clone()));
            }
            fn negated_shadow(&self) -> Self {
                self.mapped(T::negated_shadow)
            }
            fn extent(&self) -> f64 {
                self.each().map(T::extent).fold(0.0, f64::max)
            }
            fn changes(&self, before: &Self) -> Changes {
                match self.shape() == before.shape() {
                    true => Changes::among(self.each(), before.each()),
                    false => Changes { before: before.extent(), now: self.extent() },
                }
            }
            fn astray(&self, expected: &Self, slack: Slack) -> Option<Astray> {
                let (found, known) = (self.each().count(), expected.each().count());
                Astray::of_lengths(found, known).or_else(|| {
                    Astray::among(self.each().zip(expected.each()), |a, b| a.astray(b, slack))
                })
            }
            fn nudge_value(&mut self, slack: Slack, toward: Toward) {
                for (number, element) in self.each_mut().enumerate() {
                    element.nudge_value(slack, toward.part(number));
                }
            }
            fn misfit(&self, shadow: &Self) -> Option<Misfit> {
                let (own, other) = (self.shape(), shadow.shape());
                if own == other {
                    return Misfit::of_elements(self.each(), shadow.each());
                }
                let place = format!("(of shape {own:?}, and not {other:?})");
                let (value, shadow) = (self.each().count(), shadow.each().count());
                Some(Misfit { place, value, shadow })
            }
        }

        impl<T: Differentiable + $element, $($parameters)*> PullNeg for $type {
            type Output = Self;
            fn pull_neg(g: &Self, _x: &Self) -> Self {
                g.negated_shadow()
            }
        }

        impl<T: Check + $element, $($parameters)*> Check for $type {
            fn magnitude(&self) -> f64 {
                self.each().map(T::magnitude).fold(0.0, f64::max)
            }
            fn agrees(&self, expected: &Self, slack: Slack) -> bool {
                self.shape() == expected.shape()
                    && self.each().zip(expected.each()).all(|(a, b)| a.agrees(b, slack))
            }
            fn nudge(&mut self, slack: Slack, toward: Toward) {
                nudge_all(self.each_mut(), slack, toward);
            }
        }

        impl<T: Components + $element, $($parameters)*> Components for $type {
            fn components(&self) -> usize {
                self.each().map(T::components).sum()
            }
            fn component(&self, i: usize) -> f64 {
                let (k, i) = element(self, i);
                nth(self, k).component(i)
            }
            fn set_component(&mut self, i: usize, value: f64) {
                let (k, i) = element(self, i);
                let place = self.each_mut().nth(k).expect("an element of the array");
                place.set_component(i, value);
            }
            fn component_name(&self, i: usize) -> String {
                let (k, i) = element(self, i);
                format!("[{}]{}", Elementwise::index(self, k), nth(self, k).component_name(i))
            }
            fn precision(&self) -> f64 {
                self.each().map(T::precision).fold(0.0, f64::max)
            }
        }
    )+};
}

/// A matrix that is gone through column by column.
#[cfg(any(feature = "faer", feature = "nalgebra"))]
fn by_columns(rows: usize, k: usize) -> String {
    format!("({}, {})", k % rows, k / rows)
}

#[cfg(feature = "faer")]
mod of_faer {
    use super::*;
    use ::faer::Mat;

    impl<T> Elementwise for Mat<T> {
        type Element = T;
        fn shape(&self) -> impl PartialEq + Debug {
            (self.nrows(), self.ncols())
        }
        fn each(&self) -> impl Iterator<Item = &T> {
            (0..self.ncols()).flat_map(|j| self.col_as_slice(j))
        }
        fn each_mut(&mut self) -> impl Iterator<Item = &mut T> {
            let columns = self.as_mut().col_iter_mut();
            columns.flat_map(|column| {
                column.try_as_col_major_mut().expect("a column without gaps").as_slice_mut()
            })
        }
        fn mapped(&self, mut f: impl FnMut(&T) -> T) -> Self {
            Mat::from_fn(self.nrows(), self.ncols(), |i, j| f(&self[(i, j)]))
        }
        fn index(&self, k: usize) -> String {
            by_columns(self.nrows(), k)
        }
    }

    arrays! { [] Mat<T>, Clone; }

    crate::num::sums_by_operators! {
        [T] Mat<T>, Mat<T> { Mat<T>: AddAssign + SubAssign };
        ['a, T] Mat<T>, &'a Mat<T> { Mat<T>: AddAssign<&'a Mat<T>> + SubAssign<&'a Mat<T>> };
    }
}

#[cfg(feature = "nalgebra")]
mod of_nalgebra {
    use super::*;
    use ::nalgebra::{DMatrix, DVector, RowDVector, Scalar};

    macro_rules! elementwise {
        ($($type:ident)+) => {$(
            impl<T: Scalar> Elementwise for $type<T> {
                type Element = T;
                fn shape(&self) -> impl PartialEq + Debug {
                    self.shape()
                }
                fn each(&self) -> impl Iterator<Item = &T> {
                    self.iter()
                }
                fn each_mut(&mut self) -> impl Iterator<Item = &mut T> {
                    self.iter_mut()
                }
                fn mapped(&self, mut f: impl FnMut(&T) -> T) -> Self {
                    self.map(|x| f(&x))
                }
                fn index(&self, k: usize) -> String {
                    by_columns(self.nrows(), k)
                }
            }
        )+};
    }

    elementwise!(DMatrix DVector RowDVector);

    macro_rules! sums {
        ($($type:ident)+) => {$(
            crate::num::sums_by_operators! {
                [T: Scalar] $type<T>, $type<T> { $type<T>: AddAssign + SubAssign };
                ['a, T: Scalar] $type<T>, &'a $type<T> {
                    $type<T>: AddAssign<&'a $type<T>> + SubAssign<&'a $type<T>>
                };
            }
        )+};
    }

    sums!(DMatrix DVector RowDVector);
    arrays! { [] DMatrix<T>, Scalar; [] DVector<T>, Scalar; [] RowDVector<T>, Scalar; }
}

#[cfg(feature = "ndarray")]
mod of_ndarray {
    use super::*;
    use ::ndarray::{Array, ArrayBase, Data, Dimension};

    impl<T, D: Dimension> Elementwise for Array<T, D> {
        type Element = T;
        fn shape(&self) -> impl PartialEq + Debug {
            self.raw_dim()
        }
        fn each(&self) -> impl Iterator<Item = &T> {
            self.iter()
        }
        fn each_mut(&mut self) -> impl Iterator<Item = &mut T> {
            self.iter_mut()
        }
        fn mapped(&self, f: impl FnMut(&T) -> T) -> Self {
            self.map(f)
        }
        fn index(&self, k: usize) -> String {
            self.indexed_iter().nth(k).map_or(String::new(), |(index, _)| format!("{index:?}"))
        }
    }

    arrays! { [D: Dimension] Array<T, D>, Clone; }

    crate::num::sums_by_operators! {
        ['a, T, S: Data<Elem = T>, D: Dimension] Array<T, D>, &'a ArrayBase<S, D> {
            Array<T, D>: AddAssign<&'a ArrayBase<S, D>> + SubAssign<&'a ArrayBase<S, D>>
        };
    }
}
