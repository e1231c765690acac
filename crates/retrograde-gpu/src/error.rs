//! What can go wrong between a program and a device.

use retrograde::device::Check;
use std::fmt;

/// Why a device did not do what it was asked for.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// There is no driver for NVIDIA's processors on this machine.
    NoDriver,
    /// The driver is there, but not the compiler for kernels, NVRTC.
    NoCompiler,
    /// There is no processor of that number.
    NoDevice {
        /// The number that was asked for.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// The device has not so much memory left.
    OutOfMemory {
        /// What was asked for, in bytes.
        bytes: usize,
    },
    /// A shadow is not as long as its argument, or a copy not as long as its source.
    Lengths {
        /// What is compared.
        what: String,
        /// The length that is asked for.
        expected: usize,
        /// The length that was found.
        found: usize,
    },
    /// A buffer lies in the memory of another device.
    OtherDevice {
        /// The argument.
        argument: &'static str,
    },
    /// The launch speaks of an argument that the function does not have.
    NoSuchArgument {
        /// The function.
        function: &'static str,
        /// The name that it does not have.
        argument: String,
    },
    /// All indices write one number, and not by adding to it alone.
    Race {
        /// The function.
        function: &'static str,
        /// The number.
        argument: &'static str,
    },
    /// The gradients that several indices add to an argument that is written cannot be
    /// summed in an order that is always the same.
    NotInOrder {
        /// The function.
        function: &'static str,
        /// The argument.
        argument: &'static str,
    },
    /// The compiler for kernels refused the text.
    Compile {
        /// The function.
        function: &'static str,
        /// What the compiler said.
        log: String,
        /// The text, with the numbers of its lines.
        text: String,
    },
    /// A check failed on the device.
    Check(Failure),
    /// The driver reported something else.
    Driver {
        /// What was being done.
        doing: &'static str,
        /// What the driver said.
        said: String,
    },
}

/// The first check that failed in a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The function that was launched.
    pub kernel: &'static str,
    /// The index at which it happened.
    pub index: u64,
    /// The statement.
    pub check: Check,
    /// Where an element was asked for that is not there: its place, and how many there
    /// are.
    pub beyond: Option<(u64, u64)>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Error::NoDriver => write!(
                f,
                "this machine has no driver for an NVIDIA processor (libcuda is not to be found)\n\
                 help: `Device::cpu()` runs the same calls on the processor"
            ),
            Error::NoCompiler => write!(
                f,
                "the compiler for kernels is not to be found (libnvrtc)\n\
                 help: install CUDA's NVRTC of the version of the driver, and let the loader \
                 find it"
            ),
            Error::NoDevice { number, count } => {
                write!(f, "there is no device {number}: this machine has {count}")
            }
            Error::OutOfMemory { bytes } => {
                write!(f, "the device has no {bytes} bytes of memory left")
            }
            Error::Lengths { what, expected, found } => {
                write!(f, "{what}: {found} elements instead of {expected}")
            }
            Error::OtherDevice { argument } => {
                write!(f, "`{argument}` lies in the memory of another device")
            }
            Error::NoSuchArgument { function, argument } => {
                write!(f, "`{function}` has no argument `{argument}`")
            }
            Error::Race { function, argument } => write!(
                f,
                "every index of `{function}` writes the one `{argument}`, and which comes first is \
                 not known\n\
                 help: make it a slice with an element for each index; or only add to it, and read \
                 it nowhere: then it is a sum over all indices"
            ),
            Error::NotInOrder { function, argument } => write!(
                f,
                "`{function}` writes `{argument}`, so what several indices add to its shadow cannot \
                 be summed in an order that is always the same\n\
                 help: leave out `deterministic`, or `shared` if each index has its own element; or \
                 write to an argument of its own, and read from another"
            ),
            Error::Compile { function, log, text } => {
                write!(f, "the kernel of `{function}` does not compile:\n{log}\n{text}")
            }
            Error::Check(failure) => write!(f, "{failure}"),
            Error::Driver { doing, said } => write!(f, "{doing}: {said}"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Failure { kernel, index, check, beyond } = self;
        let Check { text, file, line } = check;
        write!(f, "`{kernel}` at index {index}: ")?;
        match beyond {
            Some((place, length)) => write!(f, "element {place} of {length} in `{text}`")?,
            None => write!(f, "`{text}` does not hold")?,
        }
        write!(f, " ({file}:{line})")
    }
}

impl std::error::Error for Error {}
