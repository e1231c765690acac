//! Fields, elements, ranges, rows, and views through bijections.

use crate::{check_forms, forms};
use retrograde::derivative::zero_like;
use retrograde::prelude::*;
use retrograde::testing::assert_gradient;
use std::ops::{Index, IndexMut};

#[derive(Clone, Debug, Differentiable)]
pub struct Cell<T> {
    density: T,
    flux: (T, [T; 2]),
    #[constant]
    id: usize,
}

/// A matrix, indexed by row and column.
#[derive(Clone, Debug, Differentiable)]
#[container]
struct Grid<T> {
    cells: Vec<T>,
    width: usize,
}

impl<T> Index<(usize, usize)> for Grid<T> {
    type Output = T;
    fn index(&self, (i, j): (usize, usize)) -> &T {
        &self.cells[i * self.width + j]
    }
}

impl<T> IndexMut<(usize, usize)> for Grid<T> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
        &mut self.cells[i * self.width + j]
    }
}

impl<T> Grid<T> {
    fn row(&self, i: usize) -> &[T] {
        &self.cells[i * self.width..][..self.width]
    }

    fn row_mut(&mut self, i: usize) -> &mut [T] {
        &mut self.cells[i * self.width..][..self.width]
    }

    fn cell(&self, i: usize) -> &T {
        &self.cells[i]
    }

    fn cell_mut(&mut self, i: usize) -> &mut T {
        &mut self.cells[i]
    }
}

#[reversible]
fn diffuse<T: Real>(grid: &mut Grid<T>, rate: &T) {
    let n = grid.width;
    for i in 0..2 {
        for j in 1..n {
            grid[(i, j)] += *rate * grid[(i, j - 1)];
        }
    }
    grid[(0, 0)] -= grid[(1, 1)] * *rate;
}

#[reversible]
fn stir<T: Real>(cells: &mut [Vec<Cell<T>>], i: usize, dt: &T) {
    cells[i][0].density += *dt * cells[i][1].density;
    cells[i][1].flux.0 -= *dt * *dt;
    cells[i + 1][0].flux.1[1] += cells[i][1].flux.0 * cells[i][0].density;
    for cell in cells[i].iter_mut() {
        cell.flux.1[0] += cell.density * cell.flux.1[1] * T::from_f64(cell.id as f64);
    }
}

forms! {
    fn slices_of_slices(y, x) {
        let inner = &x[1..];
        let deeper = &inner[1..];
        y[0] += deeper[0] * inner[0] * x[2];
        y[1] += x[1..][1..][0] * x[..3][..2][1];
        let tail = &mut y[1..];
        tail[0] += x[..2][1] * x[2];
        let last = &mut tail[1..];
        last[0] += x[0] * deeper[1];
        let one = &mut last[0];
        *one -= inner[0] * inner[2];
    }

    fn a_row_beside_the_whole(y, x) {
        let row = &x[1..3];
        for i in 0..2 {
            y[i] += row[i] * x[i + 1] * x[0];
        }
        y[2] -= row[0] * x[1] * row[0];
        for v in row {
            y[2] += *v * x[2];
        }
    }

    fn elements_of_one_slice(y, x) {
        let (i, j) = (0, 2);
        y[i] += x[0] * y[j];
        y[j] -= y[i] * y[1] * x[1];
        for k in 1..3 {
            y[k] += y[k - 1] * x[k];
            y[k - 1] -= y[k].sin();
        }
        for k in 0..2 {
            let other = 2 - k;
            if other != k {
                y[k] += y[other] * x[3];
            }
        }
    }

    fn grids(y, x) {
        #[compute]
        {
            let mut grid = [[x[0], x[1]], [x[2], x[3]]];
            grid[0][1] += grid[1][0] * grid[0][0];
            let second = &mut grid[1];
            second[0] -= second[1] * x[0];
        }
        y[0] += grid[0][1] * grid[1][0];
        let first = &grid[0];
        y[1] += first[0] * first[1];
        for (i, row) in grid.iter().enumerate() {
            y[2] += row[i] * row[1 - i];
        }
    }

    fn own_containers(y, x) {
        #[compute]
        {
            let mut grid = Grid { cells: x.to_vec(), width: 2 };
            grid[(0, 1)] += grid[(1, 0)] * x[0];
            diffuse(&mut grid, &x[3]);
        }
        y[0] += grid[(1, 1)] * grid[(0, 1)];
        for (j, v) in grid.row(1).iter().enumerate() {
            y[j] += *v * *v;
        }
        y[2] -= grid[(0, 0)] * grid[(0, 1)];
    }

    fn parts_by_methods(y, x) {
        let grid = Grid { cells: x.to_vec(), width: 2 };
        {
            let row = grid.row(1);
            y[0] += row[0] * row[1];
        }
        let first = grid.row(0);
        let second = grid.row(1);
        let corner: &T = grid.cell(2);
        y[1] += first[0] * first[1] * second[0] * *corner;
        for v in first {
            y[2] += *v * *v * *corner;
        }
        for (i, v) in second.iter().enumerate() {
            y[i] += *v * first[i] * grid.cells[3];
        }
        meet(&mut y[..2], second);
        y[0] += corner.sin() * *corner;
    }

    fn parts_of_a_vector(y, x) {
        let copy = x.to_vec();
        for i in 0..2 {
            let all = copy.as_slice();
            y[i] += all[i] * all[i + 1];
            let (left, right) = all.split_at(2);
            y[2] += left[0] * right[i] * copy[3];
        }
        {
            // The name of a view elsewhere.
            let all = copy[1] * copy[2];
            y[0] += all * all;
        }
    }

    fn nested_structs(y, x) {
        #[compute]
        {
            let mut cell = Cell { density: x[0], flux: (x[1], [x[2], x[3]]), id: 7 };
            cell.density += cell.flux.0 * cell.flux.1[0];
            cell.flux.1[1] -= cell.density * x[2];
            let flux = &mut cell.flux;
            flux.0 += flux.1[1] * x[0];
        }
        y[0] += cell.density * cell.flux.0;
        let Cell { density, flux: (a, _), .. } = &cell;
        y[1] += *density * *a;
        y[2] += cell.flux.1[1] * T::from_f64(cell.id as f64);
    }

    fn views(y, x) {
        *negated(&mut y[0]) += x[0] * x[1];
        *shifted(&mut y[1], T::from_f64(2.0)) += x[2] * x[2];
        *conjugated(&mut y[2]) -= x[3].sin();
        *negated(&mut *shifted(&mut y[0], T::from_f64(1.5))) -= x[1] * x[3];
    }

    fn ranges_in_calls(y, x) {
        meet(&mut y[..1], &x[1..2]);
        meet(&mut y[1..], &x[..2]);
        meet(&mut y[0..=1], &x[2..]);
        both(&mut y[..1], &mut y[1..2], &x[3]);
    }
}

#[reversible]
fn meet<T: Real>(a: &mut [T], b: &[T]) {
    for (to, from) in a.iter_mut().zip(b) {
        *to += *from * *from;
    }
}

#[reversible]
fn both<T: Real>(a: &mut [T], b: &mut [T], x: &T) {
    for (left, right) in a.iter_mut().zip(b.iter_mut()) {
        swap(left, right);
        *left += *right * *x;
    }
}

#[test]
fn parts_of_slices() {
    check_forms!(slices_of_slices a_row_beside_the_whole elements_of_one_slice ranges_in_calls);
}

#[reversible]
fn products<T: Real>(y: &mut [T], s: &T, a: &[T], b: &[T]) {
    for k in 0..y.len() {
        y[k] += *s * a[k] * b[k];
    }
}

#[reversible]
fn of_ranges<T: Real>(m: &mut [T], i: usize, j: usize, k: usize) {
    products(&mut m[..2], &m[k], &m[i..=i + 1], &m[j..]);
}

#[reversible]
fn beside_an_element(m: &mut Vec<f64>, i: usize, j: usize) {
    product(&mut m[1], &m[i..i + 2], &m[j..j + 2]);
}

#[reversible]
fn product<T: Real>(y: &mut T, a: &[T], b: &[T]) {
    for (a, b) in a.iter().zip(b) {
        *y += *a * *b;
    }
}

#[reversible]
fn of_rows<T: Real>(m: &mut Vec<Vec<T>>, a: usize, b: usize, c: usize) {
    product(&mut m[a][0], &m[b][1..], &m[c][1..]);
}

#[derive(Clone, Debug, Differentiable)]
struct Rows {
    first: Vec<f64>,
    both: [[f64; 4]; 2],
}

impl Rows {
    #[reversible]
    fn step(&mut self, i: usize, j: usize) {
        products(&mut self.first[..2], &0.5, &self.first[i..i + 2], &self.first[j..j + 2]);
        for k in 0..2 {
            products(
                &mut self.both[k][..2],
                &self.first[0],
                &self.both[k][i..],
                &self.both[k][j..],
            );
        }
    }
}

#[test]
fn ranges_that_are_only_read_may_meet() {
    let m = [1.5, 2.0, 0.5, -1.0, 3.0];
    for (i, j) in [(2, 2), (2, 3), (3, 2)] {
        assert_gradient!(of_ranges(&mut { m }, i, 2, j));
        assert_gradient!(beside_an_element(&mut m.to_vec(), i, j));
    }
    for (a, b, c) in [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 1, 2)] {
        let mut rows = vec![vec![1.0, 2.0], vec![3.0, 0.5], vec![-1.0, 1.5]];
        assert_gradient!(of_rows(&mut rows, a, b, c));
    }
    let mut rows = Rows { first: m.to_vec(), both: [[1.0, 2.0, 3.0, 4.0]; 2] };
    assert_gradient!(Rows::step(&mut rows, 2, 2));
}

#[test]
fn containers_of_containers() {
    check_forms!(grids own_containers parts_by_methods parts_of_a_vector nested_structs);
}

#[test]
fn bijective_views() {
    check_forms!(views);
}

#[reversible]
fn reciprocal_view(y: &mut Logarithmic<f64>, x: &Logarithmic<f64>) {
    *inverted(&mut *y) *= *x * *x;
    inv(y);
    *y /= *x;
}

#[reversible]
fn complex_views(y: &mut Complex<f64>, z: &Complex<f64>) {
    *conjugated(&mut *y) += *z * *z;
    *negated(&mut *conjugated(&mut *y)) -= z.exp();
    conj(y);
    neg(y);
}

#[test]
fn views_of_other_numbers() {
    let (mut y, x) = (Logarithmic::new(0.7), Logarithmic::new(1.9));
    assert_gradient!(reciprocal_view(&mut y, &x));
    let (mut y, z) = (Complex::new(0.3, -0.4), Complex::new(-0.8, 0.6));
    assert_gradient!(complex_views(&mut y, &z));
}

#[test]
fn structs_in_vectors() {
    let cell = |v: f64, id| Cell { density: v, flux: (v + 0.5, [v - 1.0, 0.25]), id };
    let mut cells = vec![vec![cell(1.0, 2), cell(2.0, 3)], vec![cell(-3.0, 4), cell(0.5, 5)]];
    assert_gradient!(stir(&mut cells, 0, &0.5));
    let mut grid = Grid { cells: vec![0.5, -1.5, 2.0, 0.75, 1.0, -0.25], width: 3 };
    assert_gradient!(diffuse(&mut grid, &0.3));
    // The shadow is a struct of the same shape.
    let (mut shadow, mut d_rate) = (zero_like(&grid), 0.0);
    diffuse(&mut grid, &0.3);
    diffuse::adjoint(&mut grid, &mut shadow, &0.3, &mut d_rate);
    assert_eq!((shadow.cells.len(), shadow.width), (6, 3));
    assert_eq!(grid.width, 3);
}
