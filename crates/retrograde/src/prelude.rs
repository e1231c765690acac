//! Everything that reversible programs usually need: `use retrograde::prelude::*;`.

pub use crate::containers::{Map, Stack};
pub use crate::derivative::Differentiable;
pub use crate::error::InvertibilityError;
pub use crate::instructions::*;
pub use crate::num::{
    AdditiveGroup, Arithmetic, Complex, ComplexNumber, DoubleDouble, Dual, Elementary, Fixed,
    Fixed43, Lanes, Logarithmic, MultiplicativeGroup, Real, Tropical, Zero,
};
pub use crate::view::{conjugated, inverted, negated, shifted, viewed};
pub use crate::{
    AdditiveGroup, Adjoint, Device, Differentiable, Reversible, compute, differentiable, host,
    instruction, reversible, unchecked, unlet,
};
