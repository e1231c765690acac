//! The numbers that tapes record, behind one trait, and the gradient of a
//! function by each of the tapes.

use retrograde::prelude::{Dual, Elementary};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// What the programs are made of.
pub trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// A number that depends on nothing.
    fn constant(value: f64) -> Self;
    fn shifted(self, by: f64) -> Self;
    fn scaled(self, by: f64) -> Self;
    fn exp(self) -> Self;
    fn ln(self) -> Self;
    fn sqrt(self) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn tanh(self) -> Self;
    fn value(self) -> f64;

    /// The sum of what there is at least one of.
    #[inline]
    fn sum(terms: impl IntoIterator<Item = Self>) -> Self {
        terms.into_iter().reduce(Add::add).expect("a sum of something")
    }
}

/// A function of many numbers that can be recorded.
pub trait Function {
    fn value<N: Number>(&self, x: &[N]) -> N;
}

/// A crate with a tape: its name, and its gradient of a function.
pub struct Tape<F> {
    pub name: &'static str,
    pub gradient: fn(&F, &[f64]) -> Vec<f64>,
}

/// How many tapes there are.
pub const TAPES: usize = 2;

pub fn tapes<F: Function>() -> [Tape<F>; TAPES] {
    [Tape { name: "echidna", gradient: by_echidna }, Tape { name: "aad", gradient: by_aad }]
}

fn by_echidna<F: Function>(f: &F, x: &[f64]) -> Vec<f64> {
    echidna::grad(|x| f.value(x), x)
}

fn by_aad<F: Function>(f: &F, x: &[f64]) -> Vec<f64> {
    let tape = aad::Tape::new();
    let x: Vec<aad::Variable<f64>> = tape.create_variables_iter(x).collect();
    let gradients = f.value(&x).compute_gradients().expect("a value that depends on `x`");
    gradients.get_gradients_iter(&x).map(|g| g.expect("the gradient of a variable")).collect()
}

/// The derivative along a direction, by dual numbers.
pub fn derivative<F: Function>(f: &F, x: &[f64], direction: &[f64]) -> f64 {
    let dual = |(x, v): (&f64, &f64)| Dual { value: *x, tangents: [*v] };
    let x: Vec<Dual<f64>> = x.iter().zip(direction).map(dual).collect();
    f.value(&x).tangents[0]
}

macro_rules! number {
    (
        ($($generics:tt)*) $number:ty, $functions:path,
        $constant:expr, $shifted:expr, $scaled:expr, $value:expr
    ) => {
        impl<$($generics)*> Number for $number {
            #[inline]
            fn constant(value: f64) -> Self {
                $constant(value)
            }
            #[inline]
            fn shifted(self, by: f64) -> Self {
                $shifted(self, by)
            }
            #[inline]
            fn scaled(self, by: f64) -> Self {
                $scaled(self, by)
            }
            number!(@ $functions: exp ln sqrt sin cos tanh);
            #[inline]
            fn value(self) -> f64 {
                $value(self)
            }
        }
    };
    (@ $functions:path: $($function:ident)+) => {$(
        #[inline]
        fn $function(self) -> Self {
            <Self as $functions>::$function(self)
        }
    )+};
}

number!(() f64, Elementary, |x| x, Add::add, Mul::mul, |x| x);
number!(
    () Dual<f64>, Elementary,
    Dual::constant, |x, by| x + Dual::constant(by), |x, by| x * Dual::constant(by),
    |x: Self| x.value
);
number!(
    () echidna::Reverse<f64>, num_traits::Float,
    echidna::Reverse::constant, Add::add, Mul::mul,
    |x| num_traits::ToPrimitive::to_f64(&x).expect("a float")
);
number!(
    ('a) aad::Variable<'a, f64>, aad::FloatLike<f64>,
    aad::Variable::constant, Add::add, Mul::mul, |x| aad::Variable::value(&x)
);
