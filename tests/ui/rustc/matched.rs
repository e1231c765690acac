use retrograde::prelude::*;

#[derive(Clone, Copy)]
enum Op {
    Skip,
    Add(f64),
}

#[derive(Clone)]
struct Program {
    r: f64,
    ops: Vec<Op>,
}

impl Program {
    #[reversible]
    fn step(&mut self, k: usize) {
        match self.ops[k] {
            Op::Skip => self.r += 1.0,
            Op::Add(x) => self.r += x,
        }
    }
}

#[reversible]
fn a_part(y: &mut f64, x: &(f64, u8)) {
    match *x {
        (v, 0) => *y += v,
        _ => *y += 1.0,
    }
}

fn main() {}
