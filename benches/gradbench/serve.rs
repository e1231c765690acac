//! Answers what GradBench asks.

use retrograde_gradbench::{Threads, serve};
use std::io;

fn main() -> io::Result<()> {
    serve(io::stdin().lock(), io::stdout().lock(), Threads::One)
}
