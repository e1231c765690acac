//! Places: which indices meet, and mutable borrows of several elements at once.
//!
//! `xs[i] += xs[j]` is reversible only while `i` and `j` differ. When both are
//! variables, only run time can tell: [`apart`] is that check, and
//! [`Disjoint`] is the same check with the borrows that it makes safe.

#[cfg(feature = "faer")]
mod faer;
#[cfg(feature = "nalgebra")]
mod nalgebra;
#[cfg(feature = "ndarray")]
mod ndarray;

use crate::error::{Broken, fail};
use std::fmt::Debug;
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// Whether two indices select a common element.
///
/// Implemented for integers, ranges of `usize` in every mixture, tuples and
/// arrays of indices (which meet where every component meets), and the usual
/// keys of maps. Implement it for an index type of your own.
///
/// ```
/// use retrograde::place::Meets;
///
/// assert!(3.meets(&3));
/// assert!((0..4).meets(&3));
/// assert!(!(0..4).meets(&(4..)));
/// assert!(!(0..4).meets(&(2..2)), "an empty range meets nothing");
/// assert!(!(1, 2).meets(&(1, 3)), "another element of the same row");
/// ```
pub trait Meets<Rhs: ?Sized = Self>: Debug {
    /// Whether some element is selected by both.
    fn meets(&self, other: &Rhs) -> bool;
}

/// An index that selects a run of consecutive elements.
pub trait Span: Debug {
    /// The first and the last element of the run; `None` if it is empty.
    fn span(&self) -> Option<(usize, usize)>;
}

/// The run from `first` to just before `end`.
#[inline]
fn before(first: usize, end: usize) -> Option<(usize, usize)> {
    if first < end { Some((first, end - 1)) } else { None }
}

macro_rules! spans {
    ($($type:ty: |$index:ident| $span:expr;)+) => {$(
        impl Span for $type {
            #[inline]
            fn span(&self) -> Option<(usize, usize)> {
                let $index = self;
                $span
            }
        }
    )+};
}

spans! {
    usize: |i| Some((*i, *i));
    Range<usize>: |range| before(range.start, range.end);
    RangeTo<usize>: |range| before(0, range.end);
    RangeFrom<usize>: |range| Some((range.start, usize::MAX));
    RangeToInclusive<usize>: |range| Some((0, range.end));
    RangeFull: |_range| Some((0, usize::MAX));
    // `is_empty` also knows of a range that was iterated to its end.
    RangeInclusive<usize>: |range|
        if range.is_empty() { None } else { Some((*range.start(), *range.end())) };
}

impl<A: Span, B: Span> Meets<B> for A {
    #[inline]
    fn meets(&self, other: &B) -> bool {
        match (self.span(), other.span()) {
            (Some((first, last)), Some((other_first, other_last))) => {
                first <= other_last && other_first <= last
            }
            _ => false,
        }
    }
}

macro_rules! meets_when_equal {
    ($($type:ty),+) => {$(
        impl Meets for $type {
            #[inline]
            fn meets(&self, other: &Self) -> bool {
                self == other
            }
        }
    )+};
}

meets_when_equal!(u8, u16, u32, u64, u128, i8, i16, i32, i64, i128, isize);
meets_when_equal!((), bool, char, str, &str, String);

impl<A: Meets<B>, B, const N: usize> Meets<[B; N]> for [A; N] {
    #[inline]
    fn meets(&self, other: &[B; N]) -> bool {
        self.iter().zip(other).all(|(a, b)| a.meets(b))
    }
}

macro_rules! meets_tuples {
    ($(($($left:ident $right:ident $index:tt),+))+) => {$(
        impl<$($left: Meets<$right>, $right),+> Meets<($($right,)+)> for ($($left,)+) {
            #[inline]
            fn meets(&self, other: &($($right,)+)) -> bool {
                $(self.$index.meets(&other.$index))&&+
            }
        }
    )+};
}

meets_tuples! {
    (A0 B0 0)
    (A0 B0 0, A1 B1 1)
    (A0 B0 0, A1 B1 1, A2 B2 2)
    (A0 B0 0, A1 B1 1, A2 B2 2, A3 B3 3)
}

/// Two indices of one statement must not meet.
///
/// ```
/// use retrograde::error::{Broken, InvertibilityError};
/// use retrograde::place::apart;
///
/// apart(&1, &2, "xs[i] += xs[j];");
///
/// let panic = std::panic::catch_unwind(|| apart(&(0..3), &2, "xs[a..b] += xs[j];"));
/// let error = panic.unwrap_err().downcast::<InvertibilityError>().unwrap();
/// assert_eq!(error.broken, Broken::Indices);
/// assert_eq!(error.found, "0..3 and 2");
/// ```
#[inline]
#[track_caller]
pub fn apart<A: Meets<B> + Clone, B: Debug + Clone>(a: &A, b: &B, source: &'static str) {
    if a.meets(b) {
        // By value: an index whose address is taken could not stay in a register.
        met(a.clone(), b.clone(), source);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn met<A: Debug, B: Debug>(a: A, b: B, source: &'static str) -> ! {
    fail(Broken::Indices, source, "different indices".to_string(), format!("{a:?} and {b:?}"))
}

/// Mutable borrows of several elements at once.
///
/// Indices that meet fail with [`Broken::Indices`]; an index out of bounds (a
/// missing key) panics as plain indexing does.
///
/// ```
/// use retrograde::place::Disjoint;
///
/// let mut xs = [1, 2, 3, 4];
/// let [a, b] = xs.disjoint([3, 0], "swap(&mut xs[i], &mut xs[j]);");
/// std::mem::swap(a, b);
/// assert_eq!(xs, [4, 2, 3, 1]);
///
/// let [low, high] = xs.disjoint([0..2, 2..4], "add(&mut xs[a], &mut xs[b]);");
/// assert_eq!((low, high), (&mut [4, 2][..], &mut [3, 1][..]));
/// ```
#[diagnostic::on_unimplemented(
    message = "two elements of `{Self}` cannot be borrowed at once by `{Index}`",
    note = "slices, vectors and arrays can, by `usize` and by `Range<usize>`; so can `retrograde::containers::Map`, by its key",
    note = "help: split the slice first, or implement `retrograde::place::Disjoint<{Index}>`"
)]
pub trait Disjoint<Index> {
    /// What an index selects.
    type Output: ?Sized;

    /// Borrows the elements at `indices`, in that order; `source` is the
    /// statement that a failure names.
    fn disjoint<const N: usize>(
        &mut self,
        indices: [Index; N],
        source: &'static str,
    ) -> [&mut Self::Output; N];
}

impl<T> Disjoint<usize> for [T] {
    type Output = T;

    #[inline]
    #[track_caller]
    fn disjoint<const N: usize>(
        &mut self,
        indices: [usize; N],
        source: &'static str,
    ) -> [&mut T; N] {
        let length = self.len();
        match self.get_disjoint_mut(indices) {
            Ok(elements) => elements,
            Err(_) => refuse_elements(length, &indices, source),
        }
    }
}

/// Says what is wrong with indices that the slice would not borrow.
#[cold]
#[inline(never)]
#[track_caller]
fn refuse_elements(length: usize, indices: &[usize], source: &'static str) -> ! {
    if let Some(i) = indices.iter().find(|&&i| i >= length) {
        panic!("index out of bounds: the length is {length} but the index is {i}");
    }
    refuse_meeting(indices, source);
    unreachable!("indices in bounds that do not meet can be borrowed")
}

#[track_caller]
fn refuse_meeting<I: Meets + Clone>(indices: &[I], source: &'static str) {
    for (n, a) in indices.iter().enumerate() {
        for b in &indices[..n] {
            apart(b, a, source);
        }
    }
}

impl<T> Disjoint<Range<usize>> for [T] {
    type Output = [T];

    #[inline]
    #[track_caller]
    fn disjoint<const N: usize>(
        &mut self,
        indices: [Range<usize>; N],
        source: &'static str,
    ) -> [&mut [T]; N] {
        let length = self.len();
        // The standard library lets an empty range overlap one that surrounds
        // it. Such a range selects nothing, wherever it is: it can be `0..0`.
        let ranges = indices.clone().map(|range| {
            let empty = range.start == range.end && range.end <= length;
            if empty { 0..0 } else { range }
        });
        match self.get_disjoint_mut(ranges) {
            Ok(parts) => parts,
            Err(_) => refuse_ranges(length, &indices, source),
        }
    }
}

/// Says what is wrong with ranges that the slice would not borrow.
#[cold]
#[inline(never)]
#[track_caller]
fn refuse_ranges(length: usize, indices: &[Range<usize>], source: &'static str) -> ! {
    for range in indices {
        if range.start > range.end {
            panic!("range out of bounds: {range:?} ends before it starts");
        }
        if range.end > length {
            panic!("range out of bounds: the length is {length} but the range is {range:?}");
        }
    }
    refuse_meeting(indices, source);
    unreachable!("ranges in bounds that do not meet can be borrowed")
}

/// A range within one of some parts, and which of them.
type Within = (usize, Range<usize>);

/// Ranges that are only read, joined where they meet, so that all can be borrowed at once beside
/// those that are written.
///
/// Gives as many ranges, of which no two meet, and of each range in which of them it is, and
/// where there. A range that is written and meets one that is read fails with
/// [`Broken::Indices`].
///
/// ```
/// use retrograde::place::joined;
///
/// let (parts, within) = joined(&[0..2], [2..5, 7..9, 4..6], "f(&mut x[a], &x[b], &x[c], &x[d]);");
/// assert_eq!(parts, [2..6, 7..9, 0..0]);
/// assert_eq!(within, [(0, 0..3), (1, 0..2), (0, 2..4)]);
/// ```
#[inline]
#[track_caller]
pub fn joined<const N: usize, const M: usize>(
    written: &[Range<usize>; N],
    read: [Range<usize>; M],
    source: &'static str,
) -> ([Range<usize>; M], [Within; M]) {
    for (written, read) in written.iter().flat_map(|w| read.iter().map(move |r| (w, r))) {
        apart(written, read, source);
    }
    let mut parts = read.clone();
    // One that grew may meet others then.
    while let Some((n, m)) = meeting(&parts) {
        parts[n] = parts[n].start.min(parts[m].start)..parts[n].end.max(parts[m].end);
        parts[m] = 0..0;
    }
    let within = std::array::from_fn(|i| {
        let range = &read[i];
        let part = parts.iter().position(|part| part.meets(range)).unwrap_or(i);
        let start = range.start.saturating_sub(parts[part].start);
        (part, start..start + range.len())
    });
    (parts, within)
}

/// The first two of some ranges that meet.
fn meeting(ranges: &[Range<usize>]) -> Option<(usize, usize)> {
    let pairs = (0..ranges.len()).flat_map(|n| (n + 1..ranges.len()).map(move |m| (n, m)));
    pairs.into_iter().find(|&(n, m)| ranges[n].meets(&ranges[m]))
}

/// Fails with [`Broken::Indices`] if two places of one container share memory.
///
/// As [`apart`], for containers whose own `Index` may give one element for two
/// indices, as a periodic grid or a symmetric matrix does: the places are
/// compared, and the indices serve the message.
#[inline]
#[track_caller]
pub fn distinct<A: ?Sized, B: ?Sized, I: Debug, J: Debug>(
    a: &A,
    b: &B,
    index_of_a: &I,
    index_of_b: &J,
    source: &'static str,
) {
    let start_of_a = std::ptr::from_ref(a).cast::<u8>().addr();
    let start_of_b = std::ptr::from_ref(b).cast::<u8>().addr();
    if start_of_a < start_of_b + size_of_val(b) && start_of_b < start_of_a + size_of_val(a) {
        shared(index_of_a, index_of_b, source);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn shared(a: &dyn Debug, b: &dyn Debug, source: &'static str) -> ! {
    let found = format!("{a:?} and {b:?}, which are one place");
    fail(Broken::Indices, source, "different places".into(), found)
}

/// Borrows, of elements that lie side by side, those at some addresses.
///
/// This is how the elements of containers are borrowed whose own `Index` knows the way.
#[cfg(any(feature = "nalgebra", feature = "ndarray"))]
#[track_caller]
fn at_addresses<'a, T, I: Debug, const N: usize>(
    elements: &'a mut [T],
    addresses: [usize; N],
    indices: &[I; N],
    source: &'static str,
) -> [&'a mut T; N] {
    let start = elements.as_ptr().addr();
    let places = addresses.map(|address| (address - start) / size_of::<T>().max(1));
    for n in 0..N {
        if let Some(m) = places[..n].iter().position(|place| *place == places[n]) {
            shared(&indices[m], &indices[n], source);
        }
    }
    elements.disjoint(places, source)
}

/// [`Disjoint::disjoint`] as a method of everything, through references, so that
/// a container which cannot do it is told so by name.
pub trait Separate {
    /// As [`Disjoint::disjoint`].
    #[inline]
    #[track_caller]
    fn separate<Index, const N: usize>(
        &mut self,
        indices: [Index; N],
        source: &'static str,
    ) -> [&mut <Self as Disjoint<Index>>::Output; N]
    where
        Self: Disjoint<Index>,
    {
        self.disjoint(indices, source)
    }
}

impl<C: ?Sized> Separate for C {}

/// Containers that lend the elements of another one inside.
macro_rules! as_inside {
    ($([$($parameters:tt)*] $container:ty => $inside:ty),+ $(,)?) => {$(
        impl<Index, $($parameters)*> Disjoint<Index> for $container
        where
            $inside: Disjoint<Index>,
        {
            type Output = <$inside as Disjoint<Index>>::Output;

            #[inline]
            #[track_caller]
            fn disjoint<const N: usize>(
                &mut self,
                indices: [Index; N],
                source: &'static str,
            ) -> [&mut Self::Output; N] {
                let inside: &mut $inside = self;
                inside.disjoint(indices, source)
            }
        }
    )+};
}

as_inside!([C: ?Sized] Box<C> => C, [T] Vec<T> => [T], [T, const M: usize] [T; M] => [T]);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::InvertibilityError;
    use proptest::prelude::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    impl Span for Box<dyn Span> {
        fn span(&self) -> Option<(usize, usize)> {
            (**self).span()
        }
    }

    /// Every kind of index made of `a` and `b`, with the elements below 8 that it selects.
    fn selections(a: usize, b: usize) -> Vec<(Box<dyn Span>, Vec<usize>)> {
        let which = |selects: &dyn Fn(usize) -> bool| (0..8).filter(|&i| selects(i)).collect();
        vec![
            (Box::new(a), which(&|i| i == a)),
            (Box::new(a..b), which(&|i| (a..b).contains(&i))),
            (Box::new(a..=b), which(&|i| (a..=b).contains(&i))),
            (Box::new(a..), which(&|i| (a..).contains(&i))),
            (Box::new(..b), which(&|i| (..b).contains(&i))),
            (Box::new(..=b), which(&|i| (..=b).contains(&i))),
            (Box::new(..), which(&|_| true)),
        ]
    }

    fn error_of<R>(f: impl FnOnce() -> R) -> InvertibilityError {
        let Err(payload) = catch_unwind(AssertUnwindSafe(f)) else { panic!("it did not fail") };
        *payload.downcast().expect("an InvertibilityError")
    }

    fn message_of<R>(f: impl FnOnce() -> R) -> String {
        let Err(payload) = catch_unwind(AssertUnwindSafe(f)) else { panic!("it did not fail") };
        *payload.downcast().expect("a message")
    }

    proptest! {
        #[test]
        fn indices_meet_where_they_share_an_element(
            a in 0..8_usize, b in 0..8_usize, c in 0..8_usize, d in 0..8_usize,
        ) {
            for (left, left_elements) in selections(a, b) {
                for (right, right_elements) in selections(c, d) {
                    let common = left_elements.iter().any(|i| right_elements.contains(i));
                    prop_assert_eq!(left.meets(&right), common, "{:?} and {:?}", left, right);
                }
            }
        }

        #[test]
        fn disjoint_borrows_what_indexing_selects(
            a in 0..9_usize, b in 0..9_usize, c in 0..9_usize, d in 0..9_usize,
        ) {
            let (first, second) = (a.min(b)..a.max(b), c.min(d)..c.max(d));
            let mut xs: Vec<usize> = (0..8).collect();
            let ys = xs.clone();
            if first.meets(&second) {
                let error = error_of(|| { xs.disjoint([first, second], "f(a, b);"); });
                prop_assert_eq!(error.broken, Broken::Indices);
            } else {
                let [left, right] = xs.disjoint([first.clone(), second.clone()], "f(a, b);");
                prop_assert_eq!((&*left, &*right), (&ys[first], &ys[second]));
            }
        }
    }

    proptest! {
        #[test]
        fn joined_ranges_hold_what_each_held(
            ends in proptest::array::uniform8(0..9_usize),
        ) {
            let ranges: [Range<usize>; 4] =
                std::array::from_fn(|i| ends[i].min(ends[i + 4])..ends[i].max(ends[i + 4]));
            let [lent, read @ ..] = ranges;
            let written = [lent.clone()];
            let mut xs: Vec<usize> = (0..8).collect();
            let ys = xs.clone();
            if read.iter().any(|range| range.meets(&lent)) {
                let error = error_of(|| joined(&written, read, "f(a, b, c, d);"));
                prop_assert_eq!(error.broken, Broken::Indices);
            } else {
                let (parts, within) = joined(&written, read.clone(), "f(a, b, c, d);");
                let [a, b, c] = parts;
                let [first, a, b, c] = xs.disjoint([lent.clone(), a, b, c], "f(a, b, c, d);");
                prop_assert_eq!(&*first, &ys[lent]);
                let parts = [a, b, c];
                for ((part, range), read) in within.into_iter().zip(read) {
                    prop_assert_eq!(&parts[part][range], &ys[read]);
                }
            }
        }
    }

    #[test]
    fn tuples_and_arrays_meet_where_every_component_meets() {
        assert!((1, 2..5, true).meets(&(1, 4, true)));
        assert!(!(1, 2..5, true).meets(&(1, 4, false)));
        assert!([1, 2].meets(&[1, 2]));
        assert!(![1, 2].meets(&[2, 1]));
        assert!("key".meets("key"));
        assert!((-1_i64).meets(&-1));
    }

    #[test]
    fn a_range_to_the_last_index_does_not_overflow() {
        assert!((0..=usize::MAX).meets(&usize::MAX));
        assert!((usize::MAX..).meets(&(5..=usize::MAX)));
        assert!(!(..0).meets(&..));
    }

    #[test]
    fn the_failure_names_the_statement_the_indices_and_the_line() {
        let mut xs = vec![0; 4];
        let line = line!() + 1;
        let error = error_of(|| xs.disjoint([1, 3, 1], "f(&mut xs[i], &mut xs[j]);").len());
        assert_eq!(error.broken, Broken::Indices);
        assert_eq!(error.source, "f(&mut xs[i], &mut xs[j]);");
        assert_eq!(
            (error.expected.as_str(), error.found.as_str()),
            ("different indices", "1 and 1")
        );
        assert_eq!((error.file, error.line), (file!(), line));
    }

    #[test]
    fn indices_out_of_bounds_say_so() {
        let mut xs = [0; 4];
        assert_eq!(
            message_of(|| xs.disjoint([1, 4], "").len()),
            "index out of bounds: the length is 4 but the index is 4"
        );
        assert_eq!(
            message_of(|| xs.disjoint([1..2, 3..6], "").len()),
            "range out of bounds: the length is 4 but the range is 3..6"
        );
        #[allow(clippy::reversed_empty_ranges)]
        let backwards = 3..1;
        assert_eq!(
            message_of(|| xs.disjoint([1..2, backwards], "").len()),
            "range out of bounds: 3..1 ends before it starts"
        );
    }
}
