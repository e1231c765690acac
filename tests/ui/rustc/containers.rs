//! Parts that a shadow may have elsewhere, and values that look like parts.

use retrograde::prelude::*;
use std::ops::{Index, IndexMut};

/// Finds its elements by a number that carries a gradient.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Shifted {
    cells: Vec<f64>,
    by: f64,
}

impl Index<usize> for Shifted {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        &self.cells[i + self.by as usize]
    }
}

impl IndexMut<usize> for Shifted {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        &mut self.cells[i + self.by as usize]
    }
}

impl Shifted {
    fn cell(&self, i: usize) -> &f64 {
        &self[i]
    }
    fn cell_mut(&mut self, i: usize) -> &mut f64 {
        &mut self[i]
    }
}

#[reversible]
fn by_index(y: &mut f64, x: &Shifted) {
    *y += x[1];
}

#[reversible]
fn by_method(y: &mut f64, x: &Shifted) {
    let cell: &f64 = x.cell(1);
    *y += *cell;
}

/// Gives rows, but not as they are.
#[derive(Clone, Debug, PartialEq, Differentiable)]
#[container]
struct Grid {
    cells: Vec<f64>,
    width: usize,
}

impl Grid {
    fn row(&self, i: usize) -> Vec<f64> {
        self.cells[i * self.width..][..self.width].iter().map(|x| 10.0 * x).collect()
    }
    fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.cells[i * self.width..][..self.width]
    }
}

#[reversible]
fn in_a_let(y: &mut f64, grid: &Grid) {
    let row = grid.row(1);
    *y += row[0];
}

#[reversible]
fn in_a_loop(y: &mut f64, grid: &Grid) {
    for x in grid.row(1) {
        *y += x;
    }
    for x in grid.row(0).iter() {
        *y += *x;
    }
}

/// What a number chooses, its shadow would not.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Larger {
    a: f64,
    b: f64,
}

impl std::ops::Deref for Larger {
    type Target = f64;
    fn deref(&self) -> &f64 {
        if self.a > self.b { &self.a } else { &self.b }
    }
}

fn main() {}
