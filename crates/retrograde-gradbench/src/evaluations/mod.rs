//! What GradBench asks for, one module each.

pub mod ba;
pub mod blocks;
pub mod det;
pub mod gmm;
pub mod hello;
pub mod ht;
pub mod kmeans;
pub mod llsq;
pub mod lse;
pub mod lstm;
pub mod nested;
pub mod ode;
pub mod particle;
pub mod saddle;

use crate::measure::Measured;
use crate::threads::Threads;
use serde_json::value::RawValue;

/// Runs a function as often as its input asks for.
pub type Run = fn(Box<RawValue>, Threads) -> Result<Measured, String>;

/// A function that can be asked for.
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// What runs it.
    pub run: Run,
}

/// The functions of a module, if there is one of that name.
pub fn module(name: &str) -> Option<&'static [Function]> {
    Some(match name {
        "ba" => ba::FUNCTIONS,
        "det" => det::FUNCTIONS,
        "gmm" => gmm::FUNCTIONS,
        "hello" => hello::FUNCTIONS,
        "ht" => ht::FUNCTIONS,
        "kmeans" => kmeans::FUNCTIONS,
        "llsq" => llsq::FUNCTIONS,
        "lse" => lse::FUNCTIONS,
        "lstm" => lstm::FUNCTIONS,
        "ode" => ode::FUNCTIONS,
        "particle" => particle::FUNCTIONS,
        "saddle" => saddle::FUNCTIONS,
        _ => return None,
    })
}
