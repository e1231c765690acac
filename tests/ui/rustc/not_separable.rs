use retrograde::prelude::*;
use std::collections::VecDeque;

#[reversible]
fn f(queue: &mut VecDeque<f64>, i: usize, j: usize) {
    swap(&mut queue[i], &mut queue[j]);
}

fn main() {}
