//! Convolutions, and the fast Fourier transform in place.
//!
//! ```
//! use retrograde::prelude::*;
//! use retrograde::signal::{Fft, convolve, fft};
//!
//! let mut smooth = [0.0; 3];
//! convolve(&mut smooth, &[1.0, 2.0, 6.0, 3.0, 0.0], &[0.25, 0.5, 0.25]);
//! assert_eq!(smooth, [2.75, 4.25, 3.0]);
//!
//! let plan = Fft::new(4).unwrap();
//! let signal = [1.0, 2.0, 0.0, -1.0].map(Complex::from);
//! let mut x = signal;
//! fft(&mut x, &plan);
//! assert_eq!(x[0], Complex::from(2.0));
//! fft::inverse(&mut x, &plan);
//! assert!(x.iter().zip(signal).all(|(a, b)| (a - b).norm() < 1e-15));
//! ```

mod convolution;
mod fourier;

pub use convolution::{convolve, convolve_2d, convolve_same, convolve_same_2d};
pub use fourier::{Fft, LengthError, fft, real_fft};
