//! NVIDIA's driver and compiler, loaded when they are first asked for.

#![allow(unsafe_code)]

use crate::buffer::Raw;
use crate::error::Error;
use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DevicePtr, DevicePtrMut, result, sys};
use cudarc::nvrtc;
use std::ffi::{CString, c_void};
use std::sync::Arc;

/// A processor, and a queue of launches.
pub struct Cuda {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
}

/// Memory of a processor.
pub struct Memory(CudaSlice<u8>);

/// A kernel that can be launched.
pub struct Compiled {
    function: sys::CUfunction,
    /// A kernel by hand has none.
    sum: [Option<sys::CUfunction>; 2],
}

// SAFETY: handles of the driver, which any thread may use that has the context; a module
// is never unloaded.
unsafe impl Send for Compiled {}
unsafe impl Sync for Compiled {}

fn driver(doing: &'static str) -> impl Fn(result::DriverError) -> Error {
    move |error| {
        let said = match error.error_string() {
            Ok(text) => text.to_string_lossy().into_owned(),
            Err(_) => format!("{error:?}"),
        };
        Error::Driver { doing, said }
    }
}

impl Cuda {
    pub fn new(number: usize) -> Result<Self, Error> {
        // The library panics where it does not find these.
        // SAFETY: loading them runs nothing but their own start.
        if !unsafe { sys::is_culib_present() } {
            return Err(Error::NoDriver);
        }
        let count = CudaContext::device_count().map_err(|_| Error::NoDriver)?;
        let count = usize::try_from(count).unwrap_or(0);
        if number >= count {
            return Err(Error::NoDevice { number, count });
        }
        if !unsafe { nvrtc::sys::is_culib_present() } {
            return Err(Error::NoCompiler);
        }
        let context = CudaContext::new(number).map_err(driver("opening the device"))?;
        // As long as there is no other, launches need not be told apart by events.
        let stream = context.default_stream();
        Ok(Cuda { context, stream })
    }

    pub fn fork(&self) -> Result<Self, Error> {
        let stream = self.stream.fork().map_err(driver("opening a queue"))?;
        Ok(Cuda { context: self.context.clone(), stream })
    }

    pub fn name(&self) -> String {
        self.context.name().unwrap_or_else(|_| "an NVIDIA processor".to_string())
    }

    /// The number of the processor.
    pub fn ordinal(&self) -> usize {
        self.context.ordinal()
    }

    pub fn synchronize(&self) -> Result<(), Error> {
        self.stream.synchronize().map_err(driver("waiting for the device"))
    }

    pub fn timed(&self, work: impl FnOnce() -> Result<(), Error>) -> Result<f64, Error> {
        let flags = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        let event = || self.stream.record_event(flags).map_err(driver("taking the time"));
        let start = event()?;
        work()?;
        let end = event()?;
        let time = start.elapsed_ms(&end).map_err(driver("taking the time"))?;
        Ok(f64::from(time))
    }

    pub fn allocate(&self, bytes: usize) -> Result<Memory, Error> {
        // SAFETY: what is not written yet is never read: `write`, `clear` or `copy`
        // follow.
        let memory = unsafe { self.stream.alloc::<u8>(bytes.max(1)) };
        memory.map(Memory).map_err(|error| match error.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => Error::OutOfMemory { bytes },
            _ => driver("taking memory")(error),
        })
    }

    pub fn write(&self, to: &mut Memory, bytes: &[u8]) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.stream.memcpy_htod(bytes, &mut to.0).map_err(driver("writing memory"))
    }

    pub fn read(&self, from: &Memory, bytes: &mut [u8]) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        let all = from.0.slice(..bytes.len());
        self.stream.memcpy_dtoh(&all, bytes).map_err(driver("reading memory"))?;
        self.synchronize()
    }

    pub fn clear(&self, memory: &mut Memory) -> Result<(), Error> {
        self.stream.memset_zeros(&mut memory.0).map_err(driver("clearing memory"))
    }

    pub fn copy(&self, to: &mut Memory, from: &Memory) -> Result<(), Error> {
        self.stream.memcpy_dtod(&from.0, &mut to.0).map_err(driver("copying memory"))
    }

    /// Whether memory is of this processor.
    pub fn holds(&self, memory: &Memory) -> bool {
        memory.0.ordinal() == self.ordinal()
    }

    pub fn compile(&self, name: &'static str, text: &str, fused: bool) -> Result<Compiled, Error> {
        let (major, minor) =
            self.context.compute_capability().map_err(driver("asking for the device's kind"))?;
        let image = translate(name, text, &format!("sm_{major}{minor}"), fused)?;
        self.context.bind_to_thread().map_err(driver("opening the device"))?;
        let loading = driver("loading a kernel");
        // SAFETY: the image comes from the compiler, and the names are those of its entries.
        unsafe {
            let module = result::module::load_data(image.as_ptr().cast()).map_err(&loading)?;
            let entry = |name: &str| {
                let name = CString::new(name).expect("no zeros in it");
                result::module::get_function(module, name).map_err(&loading)
            };
            Ok(Compiled {
                function: entry("rg_kernel")?,
                sum: ["rg_sum_f32", "rg_sum_f64"].map(|name| entry(name).ok()),
            })
        }
    }

    /// Launches a kernel whose arguments are numbers and memory.
    pub fn launch(
        &self,
        compiled: &Compiled,
        entry: Entry,
        grid: (u32, u32),
        block: (u32, u32),
        arguments: &mut [*mut c_void],
    ) -> Result<(), Error> {
        self.context.bind_to_thread().map_err(driver("opening the device"))?;
        let function = match entry {
            Entry::Kernel => compiled.function,
            Entry::Sum { wide } => compiled.sum[usize::from(wide)].expect("generated with it"),
        };
        let (grid, block) = ((grid.0, grid.1, 1), (block.0, block.1, 1));
        // SAFETY: the caller made the arguments after the parameters of the entry.
        unsafe {
            let stream = self.stream.cu_stream();
            result::launch_kernel(function, grid, block, 0, stream, arguments)
        }
        .map_err(driver("launching a kernel"))
    }

    /// Calls back with the addresses of memory that a launch uses. Other queues wait for it
    /// where they use what it writes, or write what it uses.
    pub fn with_addresses<R>(&self, memory: Vec<Raw>, work: impl FnOnce(&[u64]) -> R) -> R {
        let mut addresses = Vec::with_capacity(memory.len());
        let mut guards = Vec::with_capacity(memory.len());
        for raw in memory {
            let (address, guard) = match raw {
                Raw::Cuda(memory) => memory.0.device_ptr(&self.stream),
                Raw::CudaMut(memory) => memory.0.device_ptr_mut(&self.stream),
                _ => continue,
            };
            addresses.push(address);
            guards.push(guard);
        }
        let result = work(&addresses);
        drop(guards);
        result
    }
}

/// The functions of a compiled kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The kernel itself.
    Kernel,
    /// The sum of what workers have added.
    Sum {
        /// Whether of `f64`.
        wide: bool,
    },
}

/// Compiles the text of a kernel for a kind of processor.
pub fn translate(
    name: &'static str,
    text: &str,
    architecture: &str,
    fused: bool,
) -> Result<Vec<u8>, Error> {
    // SAFETY: loading it runs nothing but its own start.
    if !unsafe { nvrtc::sys::is_culib_present() } {
        return Err(Error::NoCompiler);
    }
    let failed = |error: nvrtc::result::NvrtcError| Error::Driver {
        doing: "compiling a kernel",
        said: format!("{error:?}"),
    };
    let source = CString::new(text).expect("no zeros in it");
    let file = CString::new(format!("{name}.cu")).expect("no zeros in it");
    let program = nvrtc::result::create_program(&source, Some(&file)).map_err(failed)?;
    let fused = format!("--fmad={fused}");
    let architecture = format!("--gpu-architecture={architecture}");
    let options = ["--std=c++17", &architecture, &fused];
    // SAFETY: the program was created above, and is destroyed below.
    unsafe {
        let compiled = nvrtc::result::compile_program(program, &options);
        let image = match compiled {
            Ok(()) => {
                let mut size = 0;
                let mut image = Vec::new();
                nvrtc::sys::nvrtcGetCUBINSize(program, &mut size)
                    .result()
                    .and_then(|()| {
                        image = vec![0_u8; size];
                        nvrtc::sys::nvrtcGetCUBIN(program, image.as_mut_ptr().cast()).result()
                    })
                    .map(|()| image)
                    .map_err(failed)
            }
            Err(_) => {
                let log = nvrtc::result::get_program_log(program).unwrap_or_default();
                let log: Vec<u8> = log.iter().map(|c| *c as u8).filter(|c| *c != 0).collect();
                let log = String::from_utf8_lossy(&log).into_owned();
                Err(Error::Compile { function: name, log, text: numbered(text) })
            }
        };
        let _ = nvrtc::result::destroy_program(program);
        image
    }
}

/// A text with the numbers of its lines.
pub fn numbered(text: &str) -> String {
    text.lines().enumerate().map(|(i, line)| format!("{:5} {line}\n", i + 1)).collect()
}
