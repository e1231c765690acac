//! A judge of the compiler that is not the compiler: an interpreter of Retrograde.
//!
//! It is slow and plain, and knows the compiler by two things alone: the text that goes in,
//! and the text that comes out. So it judges everything that lies between them, and stays
//! what it is when the inside of the compiler changes.
//!
//! # The parts
//!
//! - [`program`] takes a file apart with `syn`, on its own.
//! - `reversible`, with `reversible_call`, is the language: what each statement does, there and back, with its checks.
//!   It can be read as the definition of the language, and begins with the table of statements.
//! - `expression`, `operators`, `call`, `std_methods` and `statement` are ordinary Rust, as far
//!   as programs and emitted code use it, on [`value`]s in the places of a [`memory`].
//! - [`number`]: programs run on floats, or on dual numbers. The derivative of a program *as it
//!   is written* comes from dual numbers, and owes nothing to the compiler.
//! - [`expansion`] asks the compiler for what `rustc` would see.
//! - [`library`] has a row for each function of the library that emitted code calls. What has
//!   none is reported as unknown, and never passed over.
//! - [`judge`] runs both sides and compares; [`shrink`] makes a program that fails smaller.
//! - [`generator`] writes random programs.
//!
//! # The commands
//!
//! ```text
//! cargo test -p retrograde-interpreter
//! cargo run --release -p retrograde-interpreter -- --programs 1000000
//! cargo run --release -p retrograde-interpreter -- --categories casts,short --every-pass
//! cargo run --release -p retrograde-interpreter --example show -- 17
//! ```
//!
//! The first judges two thousand programs, among other tests; the second a million, with a bar
//! that shows how far it is, and ends with 1 if one of them was wrong in silence, which it
//! shows as small as it can be made. The third makes programs of some kinds alone, and judges
//! each with all passes and without each of them. The last shows a program, what the compiler makes of it, and the verdict.
//!
//! # What a verdict means
//!
//! | verdict | |
//! |---|---|
//! | right | all directions agree with the source, and with its derivative |
//! | refused | the compiler gives a diagnostic |
//! | loud | a check or a panic stops a run, or `rustc` would refuse a missing rule |
//! | too large | numbers grow so large that nothing can be compared |
//! | wrong | a number is wrong, in silence: a defect |
//! | unknown | emitted code calls something that [`library`] has no row for |
//!
//! # An example
//!
//! ```
//! use retrograde_interpreter::arguments::{Manner, random_arguments};
//! use retrograde_interpreter::judge::{Case, Verdict, judge};
//!
//! let source = "
//!     #[reversible]
//!     fn f(y: &mut f64, xs: &[f64]) {
//!         for x in xs {
//!             *y += x.sin();
//!         }
//!     }
//! ";
//! let manner = Manner { length: 3, decimal: false };
//! let arguments = random_arguments(source, "f", manner, 1).unwrap();
//! let case = Case { source: source.into(), function: "f".into(), arguments, length: 3, seed: 1, about: vec![] };
//! assert_eq!(judge(&case, &[]), Verdict::Right);
//! assert_eq!(judge(&case, &["bounds"]), Verdict::Right);
//! ```

pub mod arguments;
mod call;
pub mod checks;
pub mod expansion;
mod expression;
mod fields;
pub mod generator;
pub mod judge;
pub mod library;
pub mod machine;
pub mod memory;
pub mod number;
mod operators;
pub mod program;
pub mod random;
mod reversible;
mod reversible_call;
pub mod shrink;
mod statement;
mod std_methods;
pub mod stop;
pub mod tally;
pub mod value;
