//! A judge of the compiler that is not the compiler.
mod call;
pub mod checks;
pub mod expansion;
mod expression;
pub mod judge;
pub mod library;
pub mod machine;
pub mod memory;
pub mod number;
mod operators;
pub mod program;
pub mod random;
mod reversible;
mod statement;
mod std_methods;
pub mod stop;
pub mod value;
