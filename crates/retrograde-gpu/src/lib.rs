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
//!
//! # What kernels cost
//!
//! For an index, before anything was tuned: the bytes that must be moved, and the operations
//! on `f64`. An H200 moves 4.8 TB/s at most, and does 34 · 10¹² operations a second, so all
//! of these wait for memory.
//!
//! | kernel | bytes forward | operations | bytes with the adjoint |
//! |---|---|---|---|
//! | multiply and add, `y += x z` | 32 | 2 | 72 |
//! | a sine in an envelope | 24 | about 80 | 48 |
//! | Bessel's function | 24 | about 100 | 48 |
//! | a rotation of two numbers | 32 | 6, and a sine | 64 |
//! | displacement of a wave | 56 | 30 | 136 |
//! | Jacobian of an observation | | about 420 | 296 |
//!
//! What was changed, and what it gave, on one H200 (medians, by the device's clock):
//!
//! | kernel | version | time |
//! |---|---|---|
//! | Jacobian, 563,734 observations | every thread writes its rows | 280 µs |
//! | | the rows of a warp leave through shared memory | 67.9 µs |
//! | | no division to find the index | 64.2 µs |
//! | | by hand | 56.1 µs |
//! | Jacobian, 9,125,125 observations | as now | 800 µs: 3.4 TB/s, 70 % of the peak |
//! | | by hand | 730 µs |
//! | adjoint of 8.4 million rotations by 256 angles | every thread adds atomically | 8.84 ms |
//! | | a warp that adds to one place adds once | 280 µs |
//! | a step of a wave of 1000² | | 78 µs |
//! | its adjoint | | 111 µs |
//! | gradient of 10⁴ steps, treeverse with 20 checkpoints | | 3.9 s |

mod arguments;
mod buffer;
mod by_hand;
mod bytes;
mod cuda;
mod device;
#[cfg(feature = "emulation")]
mod emulation;
mod error;
mod launch;
mod packed;
mod source;

pub use arguments::{
    AllOnHost, Argument, Arguments, Basis, Fits, FitsAdjoint, OnHost, Rows, Value,
};
pub use buffer::{Buffer, Single};
pub use by_hand::ByHand;
pub use device::Device;
pub use error::{Error, Failure};
pub use launch::{Grid, Launch};
