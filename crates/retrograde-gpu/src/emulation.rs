//! The text of kernels on this machine's processor, through its C++ compiler.

#![allow(unsafe_code)]

use crate::cuda::{Entry, numbered, translate};
use crate::error::Error;
use crate::source::Kernel;
use libloading::Library;
use std::ffi::c_void;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Memory as a device has it: bytes, at an address that suits every number.
#[derive(Clone)]
pub struct Memory {
    words: Vec<u64>,
    size: usize,
}

impl Memory {
    pub fn new(size: usize) -> Self {
        Memory { words: vec![0; size.div_ceil(8)], size }
    }

    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    pub fn write(&mut self, bytes: &[u8]) {
        assert_eq!(bytes.len(), self.size, "checked before");
        let mut chunks = bytes.chunks(8);
        for word in &mut self.words {
            let chunk = chunks.next().expect("as many");
            let mut whole = [0; 8];
            whole[..chunk.len()].copy_from_slice(chunk);
            *word = u64::from_ne_bytes(whole);
        }
    }

    pub fn read(&self, to: &mut [u8]) {
        assert_eq!(to.len(), self.size, "checked before");
        for (chunk, word) in to.chunks_mut(8).zip(&self.words) {
            chunk.copy_from_slice(&word.to_ne_bytes()[..chunk.len()]);
        }
    }

    pub fn address(&self) -> *const u8 {
        self.words.as_ptr().cast()
    }

    pub fn address_mut(&mut self) -> *mut u8 {
        self.words.as_mut_ptr().cast()
    }
}

/// A folder for what is compiled.
pub struct Emulator {
    folder: PathBuf,
    /// The kind of processor that kernels must compile for, too.
    architecture: Option<&'static str>,
}

/// A kernel that can be called.
pub struct Compiled {
    library: Library,
}

static COUNT: AtomicUsize = AtomicUsize::new(0);

fn failed(doing: &'static str) -> impl Fn(std::io::Error) -> Error {
    move |error| Error::Driver { doing, said: error.to_string() }
}

impl Emulator {
    pub fn new(architecture: Option<&'static str>) -> Result<Self, Error> {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir()
            .join(format!("retrograde-emulation-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(failed("making a folder for kernels"))?;
        Ok(Emulator { folder, architecture })
    }

    pub fn compile(&self, name: &'static str, kernel: &Kernel) -> Result<Compiled, Error> {
        if let Some(architecture) = self.architecture {
            translate(name, &kernel.text, architecture, true)?;
        }
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let source = self.folder.join(format!("{name}_{number}.cpp"));
        let target = source.with_extension("so");
        std::fs::write(&source, &kernel.text).map_err(failed("writing a kernel"))?;
        let compiler = std::env::var("CXX").unwrap_or_else(|_| "g++".to_string());
        let output = Command::new(&compiler)
            .args(["-std=c++17", "-O0", "-ffp-contract=off", "-fPIC", "-shared", "-w", "-o"])
            .args([&target, &source])
            .output()
            .map_err(failed("starting the C++ compiler"))?;
        if !output.status.success() {
            let log = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(Error::Compile { function: name, log, text: numbered(&kernel.text) });
        }
        // SAFETY: a library of our own making, which does nothing when it is loaded.
        let library = unsafe { Library::new(&target) }
            .map_err(|e| Error::Driver { doing: "loading a kernel", said: e.to_string() })?;
        Ok(Compiled { library })
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Compiled {
    pub fn call(&self, entry: Entry, arguments: &mut [*mut c_void]) -> Result<(), Error> {
        let name: &[u8] = match entry {
            Entry::Kernel => b"rg_call",
            Entry::Sum { wide: true } => b"rg_call_sum_f64",
            Entry::Sum { wide: false } => b"rg_call_sum_f32",
        };
        // SAFETY: the caller made the arguments after the parameters of the entry.
        unsafe {
            let call = self
                .library
                .get::<unsafe extern "C" fn(*mut *mut c_void)>(name)
                .map_err(|e| Error::Driver { doing: "finding a kernel", said: e.to_string() })?;
            call(arguments.as_mut_ptr());
        }
        Ok(())
    }
}
