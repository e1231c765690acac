//! The numbers that tapes record, behind one trait, and the gradient of a
//! function by each of the tapes.

use retrograde::prelude::{Dual, Elementary};
use reverse::Gradient;
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
    fn shifted(self, by: f64) -> Self;
    fn scaled(self, by: f64) -> Self;
    fn recip(self) -> Self;
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
    [Tape { name: "aad", gradient: by_aad }, Tape { name: "reverse", gradient: by_reverse }]
}

fn by_aad<F: Function>(f: &F, x: &[f64]) -> Vec<f64> {
    let tape = aad::Tape::new();
    let x: Vec<aad::Variable<f64>> = tape.create_variables_iter(x).collect();
    let gradients = f.value(&x).compute_gradients().expect("a value that depends on `x`");
    gradients.get_gradients_iter(&x).map(|g| g.expect("the gradient of a variable")).collect()
}

fn by_reverse<F: Function>(f: &F, x: &[f64]) -> Vec<f64> {
    let tape = reverse::Tape::new();
    let x = tape.add_vars(x);
    f.value(&x).grad().wrt(&x)
}

/// The derivative along a direction, by dual numbers.
pub fn derivative<F: Function>(f: &F, x: &[f64], direction: &[f64]) -> f64 {
    let dual = |(x, v): (&f64, &f64)| Dual { value: *x, tangents: [*v] };
    let x: Vec<Dual<f64>> = x.iter().zip(direction).map(dual).collect();
    f.value(&x).tangents[0]
}

/// The functions that a type has of its own, by value or by reference.
macro_rules! own_functions {
    ($($path:ident)::+ ($($reference:tt)?)) => {
        #[inline]
        fn exp(self) -> Self {
            $($path)::+::exp($($reference)? self)
        }
        #[inline]
        fn ln(self) -> Self {
            $($path)::+::ln($($reference)? self)
        }
        #[inline]
        fn sqrt(self) -> Self {
            $($path)::+::sqrt($($reference)? self)
        }
        #[inline]
        fn sin(self) -> Self {
            $($path)::+::sin($($reference)? self)
        }
        #[inline]
        fn cos(self) -> Self {
            $($path)::+::cos($($reference)? self)
        }
        #[inline]
        fn tanh(self) -> Self {
            $($path)::+::tanh($($reference)? self)
        }
    };
}

impl Number for f64 {
    own_functions!(f64());

    #[inline]
    fn shifted(self, by: f64) -> Self {
        self + by
    }
    #[inline]
    fn scaled(self, by: f64) -> Self {
        self * by
    }
    #[inline]
    fn recip(self) -> Self {
        1.0 / self
    }
    #[inline]
    fn value(self) -> f64 {
        self
    }
}

impl Number for Dual<f64> {
    own_functions!(Elementary());

    #[inline]
    fn shifted(self, by: f64) -> Self {
        self + Dual::constant(by)
    }
    #[inline]
    fn scaled(self, by: f64) -> Self {
        self * Dual::constant(by)
    }
    #[inline]
    fn recip(self) -> Self {
        Dual::constant(1.0) / self
    }
    #[inline]
    fn value(self) -> f64 {
        self.value
    }
}

impl Number for aad::Variable<'_, f64> {
    own_functions!(aad::FloatLike());

    #[inline]
    fn shifted(self, by: f64) -> Self {
        self + by
    }
    #[inline]
    fn scaled(self, by: f64) -> Self {
        self * by
    }
    #[inline]
    fn recip(self) -> Self {
        aad::FloatLike::recip(self)
    }
    #[inline]
    fn value(self) -> f64 {
        aad::Variable::value(&self)
    }
}

impl Number for reverse::Var<'_> {
    own_functions!(reverse::Var(&));

    #[inline]
    fn shifted(self, by: f64) -> Self {
        self + by
    }
    #[inline]
    fn scaled(self, by: f64) -> Self {
        self * by
    }
    #[inline]
    fn recip(self) -> Self {
        reverse::Var::recip(&self)
    }
    #[inline]
    fn value(self) -> f64 {
        self.val()
    }
}
