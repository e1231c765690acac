//! Kernels that are written by hand, to stand beside generated ones.

use crate::arguments::{Arguments, Content, Passed};
use crate::buffer::Raw;
use crate::cuda::{self, Entry};
use crate::device::{Device, Kind};
use crate::error::Error;
use crate::packed::Packed;

/// A kernel in CUDA C++, for what the language does not have, or to compare with.
///
/// Its entry is called `rg_kernel`. Every buffer is a pointer and a number of elements,
/// `T* p, unsigned long long n`, a [`Single`](crate::Single) a pointer, and a number itself.
///
/// ```no_run
/// use retrograde_gpu::{ByHand, Device};
///
/// # fn main() -> Result<(), retrograde_gpu::Error> {
/// let device = Device::gpu(0)?;
/// let double = ByHand::new(
///     &device,
///     "double",
///     r#"extern "C" __global__ void rg_kernel(double* x, unsigned long long n) {
///            unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x;
///            if (i < n) x[i] *= 2;
///        }"#,
/// )?;
/// let mut x = device.upload(&[1.0, 2.0])?;
/// double.launch(1, 256, (&mut x,))?;
/// assert_eq!(x.download()?, [2.0, 4.0]);
/// # Ok(())
/// # }
/// ```
pub struct ByHand {
    device: Device,
    compiled: cuda::Compiled,
}

impl ByHand {
    /// Compiles it. Only NVIDIA processors run it.
    pub fn new(device: &Device, name: &'static str, text: &str) -> Result<Self, Error> {
        let cuda = device.cuda().ok_or(Error::NoDriver)?;
        let compiled = cuda.compile(name, text, true)?;
        Ok(ByHand { device: device.clone(), compiled })
    }

    /// Runs so many blocks of so many threads.
    pub fn launch<A: Arguments<()>>(
        &self,
        blocks: u32,
        threads: u32,
        mut arguments: A,
    ) -> Result<(), Error> {
        let Kind::Cuda(cuda) = &self.device.0 else { return Err(Error::NoDriver) };
        let mut passed = arguments.passed();
        let elsewhere = |passed: &Passed| match &passed.content {
            Content::Memory(Raw::Cuda(memory), _) => !cuda.holds(memory),
            Content::Memory(Raw::CudaMut(memory), _) => !cuda.holds(memory),
            Content::Memory(..) => true,
            _ => false,
        };
        if passed.iter().any(elsewhere) {
            return Err(Error::OtherDevice { argument: "of a kernel by hand" });
        }
        let mut packed = Packed::default();
        let memory = packed.take(&mut passed);
        cuda.with_addresses(memory, |addresses| {
            packed.fill(addresses);
            let (grid, block) = ((blocks, 1), (threads, 1));
            cuda.launch(&self.compiled, Entry::Kernel, grid, block, &mut packed.arguments())
        })
    }
}
