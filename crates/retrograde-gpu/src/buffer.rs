//! Memory of a device.

use crate::bytes::{self, zero};
use crate::cuda;
use crate::device::{Device, Kind};
use crate::error::Error;
use retrograde::derivative::Differentiable;
use retrograde::device::Type;
use retrograde::testing::Components;

/// Numbers in the memory of a device.
///
/// ```
/// use retrograde_gpu::Device;
///
/// # fn main() -> Result<(), retrograde_gpu::Error> {
/// let device = Device::cpu();
/// let mut x = device.upload(&[1.0, 2.0, 3.0])?;
/// assert_eq!(x.len(), 3);
/// x.write(&[4.0, 5.0, 6.0])?;
/// assert_eq!(x.download()?, [4.0, 5.0, 6.0]);
/// # Ok(())
/// # }
/// ```
pub struct Buffer<T> {
    device: Device,
    memory: Memory<T>,
    length: usize,
}

enum Memory<T> {
    Host(Vec<T>),
    /// As a device has it, but here.
    #[cfg(feature = "emulation")]
    Emulated(crate::emulation::Memory),
    Cuda(cuda::Memory),
}

/// Memory as a kernel takes it: a device must know whether it writes there.
pub(crate) enum Raw<'a> {
    Host,
    #[cfg(feature = "emulation")]
    Emulated(*mut u8),
    Cuda(&'a cuda::Memory),
    CudaMut(&'a mut cuda::Memory),
}

impl Raw<'_> {
    /// The same memory once more.
    pub(crate) fn again(&mut self) -> Raw<'_> {
        match self {
            Raw::Host => Raw::Host,
            #[cfg(feature = "emulation")]
            Raw::Emulated(address) => Raw::Emulated(*address),
            Raw::Cuda(memory) => Raw::Cuda(memory),
            Raw::CudaMut(memory) => Raw::CudaMut(memory),
        }
    }
}

/// One value in the memory of a device: the gradient of a number that is passed by
/// value, or an argument `&T`.
///
/// ```
/// use retrograde_gpu::Device;
///
/// # fn main() -> Result<(), retrograde_gpu::Error> {
/// let d_w = Device::cpu().single(0.0)?;
/// assert_eq!(d_w.get()?, 0.0);
/// # Ok(())
/// # }
/// ```
pub struct Single<T>(pub(crate) Buffer<T>);

impl<T: Type> Buffer<T> {
    pub(crate) fn new(device: &Device, content: &[T]) -> Result<Self, Error> {
        let mut buffer = Buffer::allocate(device, content.len(), || content.to_vec())?;
        if !matches!(buffer.memory, Memory::Host(_)) {
            buffer.write(content)?;
        }
        Ok(buffer)
    }

    pub(crate) fn zeros(device: &Device, length: usize) -> Result<Self, Error> {
        let mut buffer = Buffer::allocate(device, length, || vec![zero(); length])?;
        if let (Memory::Cuda(own), Some(cuda)) = (&mut buffer.memory, device.cuda()) {
            cuda.clear(own)?;
        }
        Ok(buffer)
    }

    /// Memory for so many elements; `here` are those of memory of the host.
    fn allocate(
        device: &Device,
        length: usize,
        here: impl FnOnce() -> Vec<T>,
    ) -> Result<Self, Error> {
        let size = bytes::size::<T>(length)?;
        let memory = match &device.0 {
            Kind::Cpu => Memory::Host(here()),
            #[cfg(feature = "emulation")]
            Kind::Emulated(_) => Memory::Emulated(crate::emulation::Memory::new(size)),
            Kind::Cuda(cuda) => Memory::Cuda(cuda.allocate(size)?),
        };
        Ok(Buffer { device: device.clone(), memory, length })
    }

    /// The number of its elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The device in whose memory it lies.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Its content, when all launches before are done.
    pub fn download(&self) -> Result<Vec<T>, Error> {
        let mut content = vec![zero(); self.length];
        self.read(&mut content)?;
        Ok(content)
    }

    /// Copies its content into memory of the host, which is as long.
    pub fn read(&self, to: &mut [T]) -> Result<(), Error> {
        same_length("reading a buffer", self.length, to.len())?;
        match (&self.memory, self.device.cuda()) {
            (Memory::Host(own), _) => to.copy_from_slice(own),
            #[cfg(feature = "emulation")]
            (Memory::Emulated(own), _) => {
                bytes::load(to, |to| -> Result<(), Error> {
                    own.read(to);
                    Ok(())
                })?;
            }
            (Memory::Cuda(own), Some(cuda)) => bytes::load(to, |to| cuda.read(own, to))?,
            (Memory::Cuda(_), None) => unreachable!("made by such a device"),
        }
        Ok(())
    }

    /// Replaces its content by memory of the host, which is as long.
    pub fn write(&mut self, content: &[T]) -> Result<(), Error> {
        same_length("writing a buffer", self.length, content.len())?;
        match (&mut self.memory, self.device.cuda()) {
            (Memory::Host(own), _) => own.copy_from_slice(content),
            #[cfg(feature = "emulation")]
            (Memory::Emulated(own), _) => own.write(&bytes::of(content)),
            (Memory::Cuda(own), Some(cuda)) => cuda.write(own, &bytes::of(content))?,
            (Memory::Cuda(_), None) => unreachable!("made by such a device"),
        }
        Ok(())
    }

    /// Makes it all zeros.
    pub fn clear(&mut self) -> Result<(), Error> {
        match (&mut self.memory, self.device.cuda()) {
            (Memory::Host(own), _) => own.fill(zero()),
            #[cfg(feature = "emulation")]
            (Memory::Emulated(own), _) => own.clear(),
            (Memory::Cuda(own), Some(cuda)) => cuda.clear(own)?,
            (Memory::Cuda(_), None) => unreachable!("made by such a device"),
        }
        Ok(())
    }

    /// Copies another buffer of the same device, which is as long, into this one.
    pub fn copy_from(&mut self, other: &Buffer<T>) -> Result<(), Error> {
        same_length("copying a buffer", self.length, other.length)?;
        match (&mut self.memory, &other.memory, self.device.cuda()) {
            (Memory::Host(own), Memory::Host(other), _) => own.copy_from_slice(other),
            #[cfg(feature = "emulation")]
            (Memory::Emulated(own), Memory::Emulated(other), _) => own.clone_from(other),
            (Memory::Cuda(own), Memory::Cuda(other), Some(cuda)) if cuda.holds(other) => {
                cuda.copy(own, other)?;
            }
            _ => return Err(Error::OtherDevice { argument: "other" }),
        }
        Ok(())
    }

    /// Another buffer with the same content.
    pub fn try_clone(&self) -> Result<Self, Error> {
        let memory = match (&self.memory, self.device.cuda()) {
            (Memory::Host(own), _) => Memory::Host(own.clone()),
            #[cfg(feature = "emulation")]
            (Memory::Emulated(own), _) => Memory::Emulated(own.clone()),
            (Memory::Cuda(own), Some(cuda)) => {
                let mut memory = cuda.allocate(bytes::size::<T>(self.length)?)?;
                cuda.copy(&mut memory, own)?;
                Memory::Cuda(memory)
            }
            (Memory::Cuda(_), None) => unreachable!("made by such a device"),
        };
        Ok(Buffer { device: self.device.clone(), memory, length: self.length })
    }

    pub(crate) fn raw(&self) -> Raw<'_> {
        match &self.memory {
            Memory::Host(_) => Raw::Host,
            #[cfg(feature = "emulation")]
            Memory::Emulated(own) => Raw::Emulated(own.address().cast_mut()),
            Memory::Cuda(own) => Raw::Cuda(own),
        }
    }

    pub(crate) fn raw_mut(&mut self) -> Raw<'_> {
        match &mut self.memory {
            Memory::Host(_) => Raw::Host,
            #[cfg(feature = "emulation")]
            Memory::Emulated(own) => Raw::Emulated(own.address_mut()),
            Memory::Cuda(own) => Raw::CudaMut(own),
        }
    }

    /// Its content, of a buffer that lies in the memory of the host.
    pub(crate) fn host_slice(&self) -> &[T] {
        match &self.memory {
            Memory::Host(own) => own,
            _ => unreachable!("checked before the launch"),
        }
    }

    pub(crate) fn host_slice_mut(&mut self) -> &mut [T] {
        match &mut self.memory {
            Memory::Host(own) => own,
            _ => unreachable!("checked before the launch"),
        }
    }
}

/// # Panics
///
/// If the device has no memory left: [`try_clone`](Buffer::try_clone) tells instead.
impl<T: Type> Clone for Buffer<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        self.try_clone().unwrap_or_else(|error| panic!("{error}"))
    }
}

impl<T: Type> std::fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Buffer of {} on {:?}", self.length, self.device)
    }
}

/// Shadows lie in the memory of the same device, so that states of a run under a schedule
/// can be made of buffers. Panics if the device has no memory left.
impl<T: Type + Differentiable> Differentiable for Buffer<T> {
    fn zero_like(&self) -> Self {
        let mut zeros = self.clone();
        zeros.set_zero_like(self);
        zeros
    }
    fn set_zero_like(&mut self, value: &Self) {
        if self.length != value.length {
            *self = value.zero_like();
            return;
        }
        // What carries no gradient is held in the shadow, too.
        let done = match crate::source::numbers_in(&T::form()) {
            Some(_) => self.clear(),
            None => value.download().and_then(|content| {
                let zeros: Vec<T> = content.iter().map(Differentiable::zero_like).collect();
                self.write(&zeros)
            }),
        };
        done.unwrap_or_else(|error| panic!("{error}"));
    }
    fn accumulate_shadow(&mut self, other: Self) {
        self.combine(other, T::accumulate_shadow);
    }
    fn retract_shadow(&mut self, other: Self) {
        self.combine(other, T::retract_shadow);
    }
}

impl<T: Type + Differentiable> Buffer<T> {
    /// Through the host: generated code adds in kernels instead.
    fn combine(&mut self, other: Self, with: impl Fn(&mut T, T)) {
        let combined = || -> Result<Vec<T>, Error> {
            same_length("adding buffers", self.length, other.length)?;
            let mut own = self.download()?;
            own.iter_mut().zip(other.download()?).for_each(|(own, other)| with(own, other));
            Ok(own)
        };
        let combined = combined().unwrap_or_else(|error| panic!("{error}"));
        self.write(&combined).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// For tests of gradients; panics if the device does not answer.
impl<T: Type + Components> Components for Buffer<T> {
    fn components(&self) -> usize {
        self.content().iter().map(Components::components).sum()
    }
    fn component(&self, i: usize) -> f64 {
        self.content().component(i)
    }
    fn set_component(&mut self, i: usize, value: f64) {
        let mut content = self.content();
        content.set_component(i, value);
        self.write(&content).unwrap_or_else(|error| panic!("{error}"));
    }
    fn component_name(&self, i: usize) -> String {
        self.content().component_name(i)
    }
}

impl<T: Type> Buffer<T> {
    fn content(&self) -> Vec<T> {
        self.download().unwrap_or_else(|error| panic!("{error}"))
    }
}

impl<T: Type> Single<T> {
    /// The value, when all launches before are done.
    pub fn get(&self) -> Result<T, Error> {
        let mut value = [zero()];
        self.0.read(&mut value)?;
        Ok(value[0])
    }

    /// Replaces the value.
    pub fn set(&mut self, value: T) -> Result<(), Error> {
        self.0.write(&[value])
    }
}

pub(crate) fn same_length(what: &str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found {
        return Ok(());
    }
    Err(Error::Lengths { what: what.to_string(), expected, found })
}
