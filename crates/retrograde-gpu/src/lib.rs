//! Reversible functions on NVIDIA graphics processors: forward, inverse and adjoint.
//!
//! A function under `#[reversible(gpu)]` runs once for every index of a grid. Its first
//! argument is the index; slices lie in the memory of the [`Device`], which the launch is
//! handed as [`Buffer`]s:
//!
//! ```
//! use retrograde::prelude::*;
//! use retrograde_gpu::Device;
//!
//! /// Distances from a common centre: every index reads all of `centre`.
//! #[reversible(gpu)]
//! fn distance(i: usize, d: &mut [f64], x: &[f64], y: &[f64], centre: &[f64]) {
//!     d[i] += (x[i] - centre[0]).hypot(y[i] - centre[1]);
//! }
//!
//! # fn main() -> Result<(), retrograde_gpu::Error> {
//! let device = Device::best();
//! let (x, y) = (device.upload(&[4.0, 1.0])?, device.upload(&[5.0, 1.0])?);
//! let centre = device.upload(&[1.0, 1.0])?;
//! let mut d = device.zeros(2)?;
//! device.launch(&distance {}, 2).forward((&mut d, &x, &y, &centre))?;
//! assert_eq!(d.download()?, [5.0, 0.0]);
//!
//! let mut d_d = device.upload(&[1.0, 1.0])?;
//! let (mut d_x, mut d_y) = (device.zeros(2)?, device.zeros(2)?);
//! let mut d_centre = device.zeros(2)?;
//! device.launch(&distance {}, 2).adjoint((
//!     &mut d, &mut d_d, &x, &mut d_x, &y, &mut d_y, &centre, &mut d_centre,
//! ))?;
//! assert_eq!(d_x.download()?, [0.6, 0.0]);
//! assert_eq!(d_centre.download()?, [-0.6, -0.8]);
//! # Ok(())
//! # }
//! ```
//!
//! The gradient of `centre` is right although both indices read it: what many indices
//! read has a shadow that they add to atomically. Where each index reads its own element
//! alone, as of `x` here, the compiler sees it, and the sums are plain ones; where it
//! cannot see it, [`Launch::own`] says so.
//!
//! Without an NVIDIA processor, [`Device::cpu`] takes the same calls.

mod arguments;
mod buffer;
mod by_hand;
mod cuda;
mod device;
#[cfg(feature = "emulation")]
mod emulation;
mod error;
mod launch;
mod source;

pub use arguments::{
    AllOnHost, Argument, Arguments, Basis, Fits, FitsAdjoint, OnHost, Rows, Value,
};
pub use buffer::{Buffer, Single};
pub use by_hand::ByHand;
pub use device::Device;
pub use error::{Error, Failure};
pub use launch::{Grid, Launch};
