//! Fields of structs that are `#[constant]`: nothing is added to their shadows, which hold what
//! the fields hold.

use retrograde::calculus::With;
use retrograde::prelude::*;
use retrograde::testing::assert_gradient;
use std::ops::Index;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Body {
    x: f64,
    #[constant]
    mass: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Pair(f64, #[constant] f64);

const BODY: Body = Body { x: 3.0, mass: 2.0 };

#[reversible]
fn energy(y: &mut f64, b: &Body) {
    *y += b.mass * b.x * b.x;
}

#[reversible]
fn of_a_pair(y: &mut f64, p: &Pair) {
    *y += p.1 * p.0 * p.0;
}

#[reversible]
#[allow(clippy::borrowed_box)] // A box is what is tested.
fn in_a_box(y: &mut f64, b: &Box<Body>) {
    *y += b.mass * b.x * b.x;
}

#[reversible]
fn taken_apart(y: &mut f64, b: &Body) {
    let Body { x, mass } = *b;
    *y += mass * x * x;
}

#[reversible]
fn taken_apart_by_reference(y: &mut f64, b: &Body) {
    let Body { x, mass } = b;
    *y += *mass * *x * *x;
}

#[reversible]
fn copied(y: &mut f64, b: &Body) {
    let c = *b;
    *y += c.mass * c.x * c.x;
}

#[reversible]
fn made_of_parts(y: &mut f64, b: &Body) {
    let c = Body { x: b.x * b.x, mass: b.mass };
    *y += c.mass * c.x;
}

#[reversible]
fn from_an_ancilla(y: &mut f64, b: &Body) {
    let mut a = b.mass;
    a += 1.0;
    *y += (a - 1.0) * b.x * b.x;
    a -= 1.0;
}

#[differentiable]
fn pure(b: &Body) -> f64 {
    let momentum = b.mass * b.x;
    momentum * b.x
}

#[reversible]
fn by_a_pure_function(y: &mut f64, b: &Body) {
    *y += pure(b);
}

#[reversible(fused)]
fn fused(y: &mut f64, b: &Body) {
    *y += b.mass * b.x * b.x;
}

impl Body {
    #[reversible]
    fn add_energy(&self, y: &mut f64) {
        *y += self.mass * self.x * self.x;
    }
}

#[reversible]
fn by_a_method(y: &mut f64, b: &Body) {
    b.add_energy(y);
}

#[test]
fn get_no_gradient() {
    let wanted = Body { x: 12.0, mass: 2.0 };
    assert_eq!(energy::gradient(&BODY).d_b, wanted);
    assert_eq!(of_a_pair::gradient(&Pair(3.0, 2.0)).d_p, Pair(12.0, 2.0));
    assert_eq!(*in_a_box::gradient(&Box::new(BODY)).d_b, wanted);
    assert_eq!(taken_apart::gradient(&BODY).d_b, wanted);
    assert_eq!(taken_apart_by_reference::gradient(&BODY).d_b, wanted);
    assert_eq!(copied::gradient(&BODY).d_b, wanted);
    assert_eq!(made_of_parts::gradient(&BODY).d_b, wanted);
    assert_eq!(from_an_ancilla::gradient(&BODY).d_b, wanted);
    assert_eq!(by_a_pure_function::gradient(&BODY).d_b, wanted);
    assert_eq!(fused::gradient(&BODY).d_b, wanted);
    assert_eq!(by_a_method::gradient(&BODY).d_b, wanted);
    assert_gradient!(energy(&mut 0.0, &BODY));
    assert_gradient!(taken_apart_by_reference(&mut 0.0, &BODY));
}

#[reversible]
fn by_index(y: &mut f64, bodies: &[Body]) {
    for k in 0..bodies.len() {
        *y += bodies[k].mass * bodies[k].x;
    }
}

#[reversible]
fn by_element(y: &mut f64, bodies: &[Body]) {
    for b in bodies {
        *y += b.mass * b.x;
    }
}

#[reversible]
fn by_neighbours(y: &mut f64, bodies: &[Body]) {
    for k in 1..bodies.len() {
        *y += bodies[k].mass * bodies[k].x - bodies[k - 1].mass * bodies[k - 1].x;
    }
}

#[test]
fn of_elements_get_none() {
    for n in [1, 7, 200] {
        let bodies = vec![BODY; n];
        let wanted = vec![Body { x: 2.0, mass: 2.0 }; n];
        assert_eq!(by_index::gradient(&bodies).d_bodies, wanted);
        assert_eq!(by_element::gradient(&bodies).d_bodies, wanted);
        let at = by_neighbours::gradient(&bodies);
        assert!(at.d_bodies.iter().all(|b| b.mass == 2.0));
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Parameters {
    scale: f64,
    list: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Model<T> {
    x: T,
    #[constant]
    weight: T,
    #[constant]
    table: Vec<T>,
    #[constant]
    parameters: Parameters,
    bodies: Vec<Body>,
}

fn model() -> Model<f64> {
    Model {
        x: 3.0,
        weight: 2.0,
        table: (0..50).map(f64::from).collect(),
        parameters: Parameters { scale: 0.5, list: vec![1.0; 40] },
        bodies: vec![BODY; 40],
    }
}

#[reversible]
fn generic<T: Real>(y: &mut T, m: &Model<T>) {
    *y += m.weight * m.x;
    for i in 0..m.table.len() {
        *y += m.table[i] * m.x;
    }
}

#[reversible]
fn nested(y: &mut f64, m: &Model<f64>) {
    *y += m.parameters.scale * m.x;
    for k in 0..m.parameters.list.len() {
        *y += m.parameters.list[k] * m.x;
    }
    for k in 0..m.bodies.len() {
        *y += m.bodies[k].mass * m.bodies[k].x;
    }
    for b in &m.bodies {
        *y += b.mass * b.x;
    }
}

#[reversible]
fn said_to_end(y: &mut f64, m: &Model<f64>) {
    #[constant]
    let table = &m.table;
    for t in table {
        *y += *t * m.x;
    }
}

#[test]
fn of_generic_and_nested_structs_get_none() {
    let m = model();
    assert_eq!(generic::gradient(&m).d_m, Model { x: 1227.0, bodies: zeros(), ..m.clone() });
    assert_eq!(said_to_end::gradient(&m).d_m, Model { x: 1225.0, bodies: zeros(), ..m.clone() });
    let bodies = vec![Body { x: 4.0, mass: 2.0 }; 40];
    assert_eq!(nested::gradient(&m).d_m, Model { x: 40.5, bodies, ..m.clone() });
}

fn zeros() -> Vec<Body> {
    vec![Body { x: 0.0, mass: 2.0 }; 40]
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct View<'a> {
    #[constant]
    table: &'a [f64],
    x: f64,
}

#[reversible]
fn by_reference(y: &mut f64, v: &View<'_>) {
    *y += v.table[0] * v.x;
    for i in 0..v.table.len() {
        *y += v.table[i] * v.x;
    }
}

#[test]
fn that_are_references_get_none() {
    let v = View { table: &[1.0, 2.0, 3.0], x: 5.0 };
    assert_eq!(by_reference::gradient(&v).d_v, View { x: 7.0, ..v });
}

#[reversible]
fn square(y: &mut f64, x: &f64) {
    *y += *x * *x;
}

#[reversible]
fn scaled(y: &mut f64, x: f64, by: f64) {
    *y += x * by;
}

#[differentiable]
fn gauss(x: f64, width: f64) -> f64 {
    (-x * x / width).exp()
}

#[reversible]
fn passed(y: &mut f64, b: &Body) {
    square(y, &b.mass);
    scaled(y, b.x, b.mass);
    *y += gauss(b.x, b.mass);
}

#[reversible]
fn passed_of_elements(y: &mut f64, bodies: &[Body]) {
    for k in 0..bodies.len() {
        square(y, &bodies[k].mass);
        scaled(y, bodies[k].x, bodies[k].mass);
    }
    for b in bodies {
        *y += gauss(b.x, b.mass);
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Simulation {
    x: Vec<f64>,
    #[constant]
    parameters: Parameters,
    #[constant]
    steps: usize,
}

#[reversible]
fn with_parameters(y: &mut f64, #[constant] p: &Parameters, x: &[f64]) {
    *y += p.scale * x[0];
}

#[reversible]
fn simulated(y: &mut f64, s: &mut Simulation) {
    inc(&mut s.steps);
    with_parameters(y, &s.parameters, &s.x);
}

#[test]
fn that_are_passed_get_none() {
    let slope = 2.0 - 3.0 * (-4.5_f64).exp();
    let wanted = Body { x: slope, mass: 2.0 };
    let at = passed::gradient(&BODY).d_b;
    assert!((at.x - wanted.x).abs() < 1e-12 && at.mass == 2.0);
    for at in passed_of_elements::gradient(&[BODY; 5]).d_bodies {
        assert!((at.x - wanted.x).abs() < 1e-12 && at.mass == 2.0);
    }
    let parameters = model().parameters;
    let mut s = Simulation { x: vec![3.0], parameters: parameters.clone(), steps: 4 };
    let at = simulated::gradient(&mut s).d_s;
    assert_eq!((at.x, at.parameters, s.steps), (vec![0.5], parameters, 4));
}

/// A row of cells, of which the first stands at `start`.
#[derive(Clone, Debug, PartialEq, Differentiable)]
#[container]
struct Grid {
    cells: Vec<f64>,
    #[constant]
    width: f64,
}

impl Index<usize> for Grid {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        &self.cells[(i as f64 * self.width) as usize]
    }
}

impl std::ops::IndexMut<usize> for Grid {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        &mut self.cells[(i as f64 * self.width) as usize]
    }
}

#[reversible]
fn looked_up(y: &mut f64, g: &Grid) {
    *y += g.width * g[1] * g[1];
    *y += g.width * g[0];
}

#[test]
fn are_looked_at_by_an_index_of_ones_own() {
    let g = Grid { cells: vec![1.0, 2.0, 3.0], width: 2.0 };
    let wanted = Grid { cells: vec![2.0, 0.0, 12.0], width: 2.0 };
    assert_eq!(looked_up::gradient(&g).d_g, wanted);
}

#[reversible]
fn twice(f: &impl for<'a> Reversible<(&'a mut f64, &'a f64)>, y: &mut f64, x: &f64) {
    f(y, x);
    f(y, x);
}

#[reversible]
fn weighted(y: &mut f64, x: &f64, #[constant] weight: &f64) {
    *y += *weight * *x * *x;
}

#[test]
fn functions_behind_references_have_gradients() {
    assert_eq!(twice::gradient(&square {}, &3.0).d_x, 12.0);
    assert_eq!(twice::gradient(&With(weighted {}, (&5.0,)), &3.0).d_x, 60.0);
}
