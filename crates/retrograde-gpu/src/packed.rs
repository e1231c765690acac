//! The arguments of a kernel, as the driver takes them.

use crate::arguments::{Content, Passed};
use crate::buffer::Raw;
use crate::source::Shape;
use std::ffi::c_void;

/// Arguments behind each other, as a kernel takes them.
#[derive(Default)]
pub(crate) struct Packed {
    words: Vec<u64>,
    starts: Vec<usize>,
    /// Which words are addresses, to be filled in.
    addresses: Vec<usize>,
}

impl Packed {
    pub(crate) fn number(&mut self, number: u64) {
        self.starts.push(self.words.len());
        self.words.push(number);
    }

    pub(crate) fn address(&mut self) {
        self.addresses.push(self.words.len());
        self.number(0);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.starts.push(self.words.len());
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.words.push(u64::from_ne_bytes(word));
        }
    }

    /// Takes an argument, and gives its memory.
    pub(crate) fn take_one<'p>(&mut self, passed: &'p mut Passed) -> Option<Raw<'p>> {
        match &mut passed.content {
            Content::Bytes(bytes) => self.bytes(bytes),
            Content::Nothing => {}
            Content::Memory(raw, length) => {
                self.address();
                if passed.shape != Shape::Place {
                    self.number(*length as u64);
                }
                return Some(raw.again());
            }
        }
        None
    }

    /// Takes all arguments, and gives their memory.
    pub(crate) fn take<'p>(&mut self, passed: &'p mut [Passed]) -> Vec<Raw<'p>> {
        passed.iter_mut().filter_map(|passed| self.take_one(passed)).collect()
    }

    /// Fills in the addresses of memory, in its order.
    pub(crate) fn fill(&mut self, addresses: &[u64]) {
        for (place, address) in self.addresses.iter().zip(addresses) {
            self.words[*place] = *address;
        }
    }

    pub(crate) fn arguments(&mut self) -> Vec<*mut c_void> {
        let words = &mut self.words;
        self.starts.iter().map(|start| (&raw mut words[*start]).cast()).collect()
    }
}
