//! Devices: an NVIDIA processor, or this machine's own.

use crate::buffer::{Buffer, Single};
use crate::cuda::Cuda;
#[cfg(feature = "emulation")]
use crate::emulation::Emulator;
use crate::error::Error;
use crate::launch::{Grid, Launch};
use retrograde::device::{Function, Type};
use std::fmt;
use std::sync::Arc;

/// Where kernels run, and where their memory is. Clones are the same device.
///
/// ```
/// use retrograde::prelude::*;
/// use retrograde_gpu::Device;
///
/// #[reversible(gpu)]
/// fn scaled_square(i: usize, y: &mut [f64], x: &[f64], w: f64) {
///     y[i] += w * x[i] * x[i];
/// }
///
/// # fn main() -> Result<(), retrograde_gpu::Error> {
/// let device = Device::best();
/// let x = device.upload(&[1.0, 2.0, 3.0])?;
/// let mut y = device.zeros(3)?;
/// device.launch(&scaled_square {}, 3).forward((&mut y, &x, 0.5))?;
/// assert_eq!(y.download()?, [0.5, 2.0, 4.5]);
///
/// // The gradient of the sum of all `y`.
/// let mut d_y = device.upload(&[1.0; 3])?;
/// let mut d_x = device.zeros(3)?;
/// let mut d_w = device.single(0.0)?;
/// device
///     .launch(&scaled_square {}, 3)
///     .adjoint((&mut y, &mut d_y, &x, &mut d_x, 0.5, &mut d_w))?;
/// assert_eq!(y.download()?, [0.0, 0.0, 0.0]);
/// assert_eq!(d_x.download()?, [1.0, 2.0, 3.0]);
/// assert_eq!(d_w.get()?, 14.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Device(pub(crate) Kind);

#[derive(Clone)]
pub(crate) enum Kind {
    Cpu,
    Cuda(Arc<Cuda>),
    #[cfg(feature = "emulation")]
    Emulated(Arc<Emulator>),
}

impl Device {
    /// This machine's own processor: the same calls run the Rust functions, one index
    /// after the other.
    pub fn cpu() -> Self {
        Device(Kind::Cpu)
    }

    /// The NVIDIA processor of that number.
    pub fn gpu(number: usize) -> Result<Self, Error> {
        Ok(Device(Kind::Cuda(Arc::new(Cuda::new(number)?))))
    }

    /// The first NVIDIA processor, or this machine's own where there is none.
    pub fn best() -> Self {
        Device::gpu(0).unwrap_or_else(|_| Device::cpu())
    }

    /// Runs the text of kernels on this machine's processor, compiled by the system's
    /// C++ compiler: for tests of that text.
    #[cfg(feature = "emulation")]
    pub fn emulated() -> Result<Self, Error> {
        Ok(Device(Kind::Emulated(Arc::new(Emulator::new(None)?))))
    }

    /// As [`emulated`](Self::emulated), but every kernel must also compile for a kind of
    /// NVIDIA processor, `"sm_90"`, which need not be there.
    #[cfg(feature = "emulation")]
    pub fn emulated_for(architecture: &'static str) -> Result<Self, Error> {
        Ok(Device(Kind::Emulated(Arc::new(Emulator::new(Some(architecture))?))))
    }

    /// The same device with a queue of its own: launches there need not wait for those
    /// of this one, unless they use the same buffers.
    pub fn stream(&self) -> Result<Self, Error> {
        Ok(Device(match &self.0 {
            Kind::Cuda(cuda) => Kind::Cuda(Arc::new(cuda.fork()?)),
            other => other.clone(),
        }))
    }

    /// What it is, in words.
    pub fn name(&self) -> String {
        match &self.0 {
            Kind::Cpu => "this machine's processor".to_string(),
            Kind::Cuda(cuda) => cuda.name(),
            #[cfg(feature = "emulation")]
            Kind::Emulated(_) => "this machine's processor, through C++".to_string(),
        }
    }

    /// Whether it is an NVIDIA processor.
    pub fn is_gpu(&self) -> bool {
        matches!(self.0, Kind::Cuda(_))
    }

    /// Copies numbers into its memory.
    pub fn upload<T: Type>(&self, content: &[T]) -> Result<Buffer<T>, Error> {
        Buffer::new(self, content)
    }

    /// So many zeros in its memory.
    pub fn zeros<T: Type>(&self, length: usize) -> Result<Buffer<T>, Error> {
        Buffer::zeros(self, length)
    }

    /// One value in its memory.
    pub fn single<T: Type>(&self, value: T) -> Result<Single<T>, Error> {
        Ok(Single(Buffer::new(self, &[value])?))
    }

    /// Prepares to run a function for every index of a grid: `n` of them, whose first
    /// argument is a `usize`, or `(rows, columns)`, whose first argument is a
    /// `(usize, usize)`.
    pub fn launch<'a, F: Function, G: Grid>(
        &'a self,
        function: &'a F,
        over: G,
    ) -> Launch<'a, F, G> {
        Launch::new(self, function, over)
    }

    /// Waits until everything that was launched is done.
    pub fn synchronize(&self) -> Result<(), Error> {
        match &self.0 {
            Kind::Cuda(cuda) => cuda.synchronize(),
            _ => Ok(()),
        }
    }

    /// The time in milliseconds that the device takes for what is launched meanwhile, by
    /// its own clock.
    pub fn timed(&self, work: impl FnOnce() -> Result<(), Error>) -> Result<f64, Error> {
        match &self.0 {
            Kind::Cuda(cuda) => cuda.timed(work),
            _ => {
                let start = std::time::Instant::now();
                work()?;
                Ok(start.elapsed().as_secs_f64() * 1e3)
            }
        }
    }

    /// What tells devices apart whose kernels differ.
    pub(crate) fn number(&self) -> usize {
        match &self.0 {
            Kind::Cpu => usize::MAX,
            Kind::Cuda(cuda) => cuda.ordinal(),
            #[cfg(feature = "emulation")]
            Kind::Emulated(emulator) => Arc::as_ptr(emulator) as usize,
        }
    }

    pub(crate) fn cuda(&self) -> Option<&Cuda> {
        match &self.0 {
            Kind::Cuda(cuda) => Some(cuda),
            _ => None,
        }
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Device({})", self.name())
    }
}
