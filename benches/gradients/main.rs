mod program;
mod programs;
mod tapes;
fn main() {}
