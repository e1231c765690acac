//! Views of a container that is used by its own name meanwhile.
use retrograde::prelude::*;

struct P {
    x: f64,
    v: f64,
}

#[reversible]
fn index_changes(path: &mut Vec<P>, k: &mut usize) {
    let now = &path[*k];
    path[*k + 1].x += now.v;
    *k += 1;
    path[*k + 1].x += now.x;
}

#[reversible]
fn range(path: &mut Vec<P>, k: usize) {
    let part = &path[..k];
    path[k].x += part[0].v;
    path[k].v += part[0].x;
}

#[reversible]
fn constant(y: &mut f64, x: &mut [f64]) {
    #[constant]
    let first = &x[0];
    x[1] += 1.0;
    *y += *first * x[1];
}

fn main() {}
