//! The compiler of Retrograde, as an ordinary library.
//!
//! A reversible function passes through these stages, one module each:
//!
//! ```text
//! parse → check → invert → differentiate → optimise → emit
//! ```
//!
//! over one small representation, [`ir`], that can be printed at every stage.

pub mod added;
pub mod adjoint;
pub mod attribute;
pub mod bounds;
pub mod check;
pub mod companion;
pub mod decide;
pub mod derive;
pub mod device;
pub mod diagnostics;
pub mod differentiable;
pub mod differentiate;
pub mod effects;
pub mod emit;
pub mod equal;
pub mod expand;
pub mod find;
pub mod foreign;
pub mod functions;
pub mod gradient;
pub mod groups;
pub mod handed;
mod hoist;
pub mod instruction;
pub mod invert;
pub mod ir;
pub mod item;
pub mod kinds;
pub mod looks;
pub mod matching;
mod mixed;
pub mod names;
pub mod operator;
pub mod optimise;
pub mod parse;
pub mod place;
pub mod print;
pub mod pure;
pub mod rename;
pub mod scopes;
mod slices;
pub mod table;
pub mod testing;
pub mod text;
pub mod undone;
pub mod unused;
pub mod views;
pub mod visit;
