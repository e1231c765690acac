//! The functions of numbers, vectors and arrays that the compiler knows by their names.
//!
//! Rust looks at what a reference points to only after the traits for the reference
//! itself: on an `x: &f64`, `x.sin()` is a `sin(&self)` of any trait in scope before it
//! is that of `f64`. The traits below have those names for the same types. So in emitted
//! code a name is either the one that derivatives are known of, or rustc says that there
//! are two of it.

use std::slice::{Chunks, ChunksExact, ChunksExactMut, ChunksMut, Iter, IterMut, Windows};

macro_rules! functions {
    ($($name:ident($($argument:ident: $type:ty),*);)+) => {
        /// The functions of real numbers.
        pub trait FunctionsOfNumbers: Copy {
            fn sin_cos(&self) -> (Self, Self);
            $(fn $name(&self $(, $argument: $type)*) -> Self;)+
        }

        functions!(@float f32 $($name($($argument: $type),*);)+);
        functions!(@float f64 $($name($($argument: $type),*);)+);
    };
    (@float $float:ident $($name:ident($($argument:ident: $type:ty),*);)+) => {
        impl FunctionsOfNumbers for $float {
            #[inline(always)]
            fn sin_cos(&self) -> (Self, Self) {
                $float::sin_cos(*self)
            }
            $(#[inline(always)]
            fn $name(&self $(, $argument: $type)*) -> Self {
                $float::$name(*self $(, $argument)*)
            })+
        }
    };
}

functions! {
    abs();
    acos();
    acosh();
    asin();
    asinh();
    atan();
    atan2(other: Self);
    atanh();
    cbrt();
    ceil();
    clamp(low: Self, high: Self);
    copysign(sign: Self);
    cos();
    cosh();
    div_euclid(other: Self);
    exp();
    exp2();
    exp_m1();
    floor();
    fract();
    hypot(other: Self);
    ln();
    ln_1p();
    log(base: Self);
    log10();
    log2();
    max(other: Self);
    min(other: Self);
    mul_add(factor: Self, other: Self);
    powf(exponent: Self);
    powi(exponent: i32);
    recip();
    rem_euclid(other: Self);
    round();
    round_ties_even();
    signum();
    sin();
    sinh();
    sqrt();
    tan();
    tanh();
    to_degrees();
    to_radians();
    trunc();
}

macro_rules! sequences {
    ($(
        $(#[$attribute:meta])*
        fn $name:ident(& $($mutable:ident)? $(, $argument:ident: $type:ty)*) -> $result:ty;
    )+) => {
        /// The methods of slices, which vectors and arrays have by way of them. (Not `len`, which
        /// is asked for in constants, too.)
        pub trait PartsOfSequences<T> {
            $(fn $name<'a>(&'a $($mutable)? self $(, $argument: $type)*) -> $result where T: 'a;)+
        }

        sequences!(@of [] Vec<T>; $(fn $name(& $($mutable)? $(, $argument: $type)*) -> $result;)+);
        sequences!(
            @of [const N: usize] [T; N];
            $(fn $name(& $($mutable)? $(, $argument: $type)*) -> $result;)+
        );
    };
    (@of [$($parameter:tt)*] $sequence:ty; $(
        fn $name:ident(& $($mutable:ident)? $(, $argument:ident: $type:ty)*) -> $result:ty;
    )+) => {
        impl<T, $($parameter)*> PartsOfSequences<T> for $sequence {
            $(#[inline(always)]
            #[track_caller]
            fn $name<'a>(&'a $($mutable)? self $(, $argument: $type)*) -> $result where T: 'a {
                <[T]>::$name(self $(, $argument)*)
            })+
        }
    };
}

sequences! {
    fn chunks(&, size: usize) -> Chunks<'a, T>;
    fn chunks_exact(&, size: usize) -> ChunksExact<'a, T>;
    fn chunks_exact_mut(&mut, size: usize) -> ChunksExactMut<'a, T>;
    fn chunks_mut(&mut, size: usize) -> ChunksMut<'a, T>;
    fn first(&) -> Option<&'a T>;
    fn iter(&) -> Iter<'a, T>;
    fn iter_mut(&mut) -> IterMut<'a, T>;
    fn last(&) -> Option<&'a T>;
    fn reverse(&mut) -> ();
    fn rotate_left(&mut, by: usize) -> ();
    fn rotate_right(&mut, by: usize) -> ();
    fn split_at(&, at: usize) -> (&'a [T], &'a [T]);
    fn split_at_mut(&mut, at: usize) -> (&'a mut [T], &'a mut [T]);
    fn swap(&mut, one: usize, other: usize) -> ();
    fn windows(&, size: usize) -> Windows<'a, T>;
}
