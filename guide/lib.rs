//! The guide of Retrograde. Each chapter is a module, so that its programs are
//! run as documentation tests.

#[doc = include_str!("src/introduction.md")]
pub mod introduction {}

#[doc = include_str!("src/language.md")]
pub mod language {}

#[doc = include_str!("src/updates.md")]
pub mod updates {}

#[doc = include_str!("src/ancillas.md")]
pub mod ancillas {}

#[doc = include_str!("src/control_flow.md")]
pub mod control_flow {}

#[doc = include_str!("src/calls.md")]
pub mod calls {}

#[doc = include_str!("src/places.md")]
pub mod places {}

#[doc = include_str!("src/generic.md")]
pub mod generic {}

#[doc = include_str!("src/checks.md")]
pub mod checks {}

#[doc = include_str!("src/instructions.md")]
pub mod instructions {}

#[doc = include_str!("src/containers.md")]
pub mod containers {}

#[doc = include_str!("src/numbers.md")]
pub mod numbers {}

#[doc = include_str!("src/why.md")]
pub mod why {}

#[doc = include_str!("src/why_at_run_time.md")]
pub mod why_at_run_time {}

#[doc = include_str!("src/cookbook.md")]
pub mod cookbook {}

#[doc = include_str!("src/how_it_works.md")]
pub mod how_it_works {}

#[doc = include_str!("src/nilang.md")]
pub mod nilang {}
