//! Why an evaluation does not give a value.

use crate::value::Value;

/// What an evaluation gives.
pub type Outcome<T, N> = Result<T, Stop<N>>;

/// Why an evaluation ends without a value.
#[derive(Clone, Debug)]
pub enum Stop<N> {
    /// A promise of reversibility was broken: what was found to be wrong.
    Check(String),
    /// The program panics, as Rust does: an index out of bounds, an overflow.
    Panic(String),
    /// `rustc` would refuse the program: a type of the user's own has no such rule.
    Refused(String),
    /// The interpreter does not know what this means.
    Unknown(String),
    /// The program runs for too long.
    TooLong,
    /// `break`
    Break,
    /// `break 'label value`
    Leave(String, Value<N>),
    /// `continue`
    Continue,
    /// `return`
    Return(Value<N>),
}

impl<N> Stop<N> {
    /// Something that the interpreter has no meaning for.
    pub fn unknown(what: impl Into<String>) -> Self {
        Stop::Unknown(what.into())
    }
}

/// Why a run failed, for whoever started it.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// A check or a panic: loud, and so allowed.
    Loud(String),
    /// Something that the interpreter has no meaning for.
    Unknown(String),
}

impl<N> From<Stop<N>> for Failure {
    fn from(stop: Stop<N>) -> Self {
        match stop {
            Stop::Check(text) => Failure::Loud(format!("check: {text}")),
            Stop::Panic(text) => Failure::Loud(format!("panic: {text}")),
            Stop::Refused(text) => Failure::Loud(format!("rustc: {text}")),
            Stop::TooLong => Failure::Loud("runs for too long".into()),
            Stop::Unknown(text) => Failure::Unknown(text),
            Stop::Break | Stop::Leave(..) | Stop::Continue | Stop::Return(_) => {
                Failure::Unknown("a jump out of a function".into())
            }
        }
    }
}
