//! How much a thread takes from the heap.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// What this thread has taken, less what it has given back.
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// Forgets the past of this thread.
pub fn restart() {
    NOW.set(0);
    PEAK.set(0);
}

/// The most that this thread had taken at any time since [`restart`], in bytes.
pub fn peak() -> usize {
    PEAK.get().unsigned_abs()
}

fn take(size: usize) {
    let now = NOW.get() + size as isize;
    NOW.set(now);
    PEAK.set(PEAK.get().max(now));
}

fn give(size: usize) {
    NOW.set(NOW.get() - size as isize);
}

/// The system's allocator, with a record of how much it has given away.
pub struct Counting;

// SAFETY: every call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        give(layout.size());
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        give(layout.size());
        take(size);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
