//! Shadows that are handed in have the shape of their values, inside too.

use crate::broken;
use retrograde::containers::{Map, Stack};
use retrograde::error::Broken;
use retrograde::linalg::Matrix;
use retrograde::prelude::*;

#[reversible]
fn rows(y: &mut f64, x: &Vec<Vec<f64>>) {
    for row in x {
        for v in row {
            *y += *v * *v;
        }
    }
}

#[reversible]
fn of_slices(y: &mut f64, x: &[Vec<f64>]) {
    for row in x {
        for v in row {
            *y += *v;
        }
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Model {
    layers: [Vec<f64>; 2],
    bias: Option<Vec<f64>>,
    #[constant]
    names: Vec<String>,
}

#[reversible]
fn model(y: &mut f64, model: &Model) {
    for (a, b) in model.layers[0].iter().zip(&model.layers[1]) {
        *y += *a * *b;
    }
    for bias in model.bias.iter() {
        *y += bias[0];
    }
}

#[reversible]
#[allow(clippy::ptr_arg)]
fn written(x: &mut Vec<f64>, w: &f64) {
    for v in x.iter_mut() {
        *v += *w;
    }
}

impl Model {
    #[reversible]
    fn add_to(&self, y: &mut f64) {
        *y += self.layers[0][0];
    }
}

fn shapes(expected: &str, found: &str, source: &str, run: impl FnOnce()) {
    let error = broken(run);
    assert_eq!(error.broken, Broken::Lengths);
    assert_eq!((&*error.expected, &*error.found, error.source), (expected, found, source));
}

fn a_model() -> Model {
    Model { layers: [vec![1.0, 2.0], vec![3.0, 4.0]], bias: Some(vec![5.0]), names: Vec::new() }
}

#[test]
fn inner_lengths_are_those_of_the_value() {
    let x = vec![vec![1.0, 2.0], vec![3.0]];
    let (mut y, mut d_y) = (14.0, 1.0);
    let mut short = vec![vec![0.0, 0.0], vec![]];
    shapes("1 elements at `[1]`", "0 elements", "x, d_x", || {
        rows::adjoint(&mut y, &mut d_y, &x, &mut short);
    });
    shapes("1 elements at `[1]`", "0 elements", "x, d_x", || {
        rows::inverse_adjoint(&mut y, &mut d_y, &x, &mut short);
    });
    shapes("1 elements at `[1]`", "0 elements", "x, d_x", || {
        of_slices::adjoint(&mut y, &mut d_y, &x, &mut short);
    });
    shapes("1 elements at `[1]`", "0 elements", "x, d_x", || {
        rows {}.call_adjoint((&mut y, &mut d_y, &x, &mut short));
    });
    shapes("1 elements at `[1]`", "0 elements", "x, d_x", || {
        rows {}.call_gradient((&mut y, &mut d_y, &x, &mut short));
    });
    shapes("2 elements", "1 elements", "x, d_x", || {
        rows::adjoint(&mut y, &mut d_y, &x, &mut vec![vec![0.0, 0.0]]);
    });
    shapes("2 elements", "3 elements", "x, d_x", || {
        written::adjoint(&mut vec![1.0, 2.0], &mut vec![0.0; 3], &1.0, &mut 0.0);
    });
    let mut d_x = vec![vec![0.0, 0.0], vec![0.0]];
    rows::adjoint(&mut y, &mut d_y, &x, &mut d_x);
    assert_eq!(d_x, [vec![2.0, 4.0], vec![6.0]]);
}

#[test]
fn parts_of_structs_are_those_of_the_value() {
    let value = a_model();
    let (mut y, mut d_y) = (0.0, 1.0);
    let mut shadow = value.clone();
    shadow.layers[1].push(0.0);
    shapes("2 elements at `.layers[1]`", "3 elements", "model, d_model", || {
        model::adjoint(&mut y, &mut d_y, &value, &mut shadow);
    });
    let mut shadow = value.clone();
    shadow.bias = Some(Vec::new());
    shapes("1 elements at `.bias`", "0 elements", "model, d_model", || {
        model::adjoint(&mut y, &mut d_y, &value, &mut shadow);
    });
    shapes("1 elements at `.bias`", "0 elements", "self, d_self", || {
        value.add_to_adjoint(&mut shadow, &mut y, &mut d_y);
    });
    // What is constant has no shape to keep to.
    let mut shadow = retrograde::derivative::zero_like(&value);
    shadow.names = vec!["other".into()];
    model::adjoint(&mut y, &mut d_y, &value, &mut shadow);
    assert_eq!((shadow.layers, shadow.bias), ([vec![3.0, 4.0], vec![1.0, 2.0]], Some(vec![1.0])));
}

#[reversible]
fn containers(y: &mut f64, stack: &Stack<Vec<f64>>, map: &Map<u8, Vec<f64>>) {
    *y += stack[0][0] * map[1][0];
}

#[test]
fn containers_have_the_shape_of_the_value() {
    let stack = Stack::from_iter([vec![1.0, 2.0]]);
    let map = Map::from_iter([(1, vec![3.0])]);
    let (mut y, mut d_y) = (0.0, 1.0);
    let mut d_map = Map::from_iter([(1, vec![0.0])]);
    shapes("2 elements at `[0]`", "1 elements", "stack, d_stack", || {
        let mut d_stack = Stack::from_iter([vec![0.0]]);
        containers::adjoint(&mut y, &mut d_y, &stack, &mut d_stack, &map, &mut d_map);
    });
    shapes("1 elements at `[1]`", "0 elements", "map, d_map", || {
        let mut d_map = Map::from_iter([(2, vec![0.0])]);
        containers::adjoint(&mut y, &mut d_y, &stack, &mut stack.clone(), &map, &mut d_map);
    });
}

#[reversible]
fn exchange(a: &mut Vec<f64>, b: &mut Vec<f64>, y: &mut f64) {
    swap(a, b);
    *y += a[0] * a[1] * b[0];
}

#[reversible]
fn product(y: &mut f64, a: &mut Vec<f64>, b: &mut Vec<f64>) {
    swap(a, b);
    *y += a[0] * a[1] * b[0];
}

#[reversible]
fn pushed(y: &mut f64, stack: &mut Stack<f64>, x: &mut f64) {
    *y += *x * *x * stack[0];
    stack.push(x);
}

/// The shadows that `gradient` makes have the shape that the function leaves.
#[test]
fn gradients_of_what_changes_its_shape() {
    let (mut a, mut b) = (vec![2.0], vec![3.0, 5.0]);
    let at = product::gradient(&mut a, &mut b);
    assert_eq!((at.value, at.d_a, at.d_b), (30.0, vec![15.0], vec![10.0, 6.0]));
    assert_eq!((a, b), (vec![2.0], vec![3.0, 5.0]));
    let (mut stack, mut x) = (Stack::from_iter([2.0]), 3.0);
    let at = pushed::gradient(&mut stack, &mut x);
    assert_eq!((at.value, at.d_stack.as_slice(), at.d_x), (18.0, &[9.0][..], 12.0));
    assert_eq!((stack.as_slice(), x), (&[2.0][..], 3.0));
}

/// After `swap`, the shadows belong to vectors of other lengths, too.
#[test]
fn vectors_of_different_lengths_change_places() {
    let (mut a, mut b, mut y) = (vec![2.0], vec![3.0, 5.0], 0.0);
    exchange(&mut a, &mut b, &mut y);
    assert_eq!((y, a.len()), (30.0, 2));
    let (mut d_a, mut d_b, mut d_y) = (vec![0.0; 2], vec![0.0], 1.0);
    exchange::adjoint(&mut a, &mut d_a, &mut b, &mut d_b, &mut y, &mut d_y);
    assert_eq!((a, b), (vec![2.0], vec![3.0, 5.0]));
    assert_eq!((d_a, d_b), (vec![15.0], vec![10.0, 6.0]));
    let (mut a, mut b) = (vec![3.0, 5.0], vec![2.0]);
    shapes("2 elements", "1 elements", "a, d_a", || {
        let (mut d_a, mut d_b) = (vec![0.0], vec![0.0; 2]);
        exchange::adjoint(&mut a, &mut d_a, &mut b, &mut d_b, &mut y, &mut d_y);
    });
}

#[derive(Clone, Debug, Differentiable)]
struct Tree {
    branches: Vec<Tree>,
    numbers: Vec<usize>,
    weight: f64,
}

#[reversible]
fn weigh(y: &mut f64, tree: &Tree) {
    *y += tree.weight * tree.numbers.len() as f64;
    for branch in &tree.branches {
        weigh(y, branch);
    }
}

/// What carries no gradient has a shadow of any length.
#[test]
fn trees_and_constants() {
    let leaf = || Tree { branches: Vec::new(), numbers: vec![1, 2], weight: 1.5 };
    let tree = Tree { branches: vec![leaf(), leaf()], ..leaf() };
    let mut shadow = retrograde::derivative::zero_like(&tree);
    shadow.branches[1].numbers = Vec::new();
    weigh::adjoint(&mut 9.0, &mut 1.0, &tree, &mut shadow);
    assert_eq!((shadow.weight, shadow.branches[1].weight), (2.0, 2.0));
    shadow.branches[1].branches.push(leaf());
    shapes("0 elements at `.branches[1].branches`", "1 elements", "tree, d_tree", || {
        weigh::adjoint(&mut 9.0, &mut 1.0, &tree, &mut shadow);
    });
}

#[reversible]
fn corners(y: &mut f64, m: &Matrix<f64>) {
    *y += m[(0, 1)] + 10.0 * m[(1, 0)];
}

/// As many elements in rows of another length.
#[test]
fn of_containers_are_told_by_their_integers() {
    let mut d_m = Matrix::zeros(3, 2);
    shapes("2 elements at `.rows`", "3 elements", "m, d_m", || {
        corners::adjoint(&mut 0.0, &mut 1.0, &Matrix::zeros(2, 3), &mut d_m);
    });
}
