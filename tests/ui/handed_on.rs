//! Which place a call writes is known where the call stands.

use retrograde::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Mutex;

#[derive(Clone, Default, Differentiable)]
struct Body {
    x: f64,
}

impl Body {
    #[reversible]
    fn push(&mut self, k: &f64) {
        self.x += *k;
    }

    fn itself(&mut self) -> &mut Body {
        self
    }
}

#[derive(Clone, Differentiable)]
struct World {
    body: Body,
}

impl World {
    fn player(&mut self) -> &mut Body {
        &mut self.body
    }
}

struct Held<'a> {
    it: &'a mut f64,
}

fn pick<'a>(y: &'a mut f64, z: &'a mut f64, n: usize) -> &'a mut f64 {
    if n == 0 { y } else { z }
}

#[reversible]
fn add(y: &mut f64, x: &f64) {
    *y += *x;
}

#[reversible]
fn a_part(world: &mut World, k: &f64) {
    world.player().push(k);
}

#[reversible]
fn a_part_of_an_ancilla(k: &f64) {
    let mut world = World { body: Body { x: 0.0 } };
    world.player().push(k);
}

#[reversible]
fn by_a_path(body: &mut Body, k: &f64) {
    Body::itself(body).push(k);
}

#[reversible(inverse_only)]
fn behind_a_pointer(body: &mut Rc<Body>, k: &f64) {
    Rc::make_mut(body).push(k);
}

#[reversible(inverse_only)]
fn in_a_cell(body: &RefCell<Body>, k: &f64) {
    body.borrow_mut().push(k);
}

#[reversible(inverse_only)]
fn behind_a_lock(body: &Mutex<Body>, k: &f64) {
    body.lock().unwrap().push(k);
}

#[reversible(inverse_only)]
fn an_entry(map: &mut BTreeMap<i32, Body>, k: &f64) {
    map.entry(3).or_default().push(k);
}

#[reversible(inverse_only)]
fn the_last(bodies: &mut [Body], k: &f64) {
    bodies.last_mut().unwrap().push(k);
}

#[reversible]
fn chosen(y: &mut f64, z: &mut f64, n: usize, x: &f64) {
    add(if n == 0 { y } else { z }, x);
}

#[reversible]
fn chosen_borrow(y: &mut f64, z: &mut f64, n: usize, x: &f64) {
    add(if n == 0 { &mut *y } else { &mut *z }, x);
}

#[reversible]
fn matched(y: &mut f64, z: &mut f64, n: usize, x: &f64) {
    add(
        match n {
            0 => y,
            _ => z,
        },
        x,
    );
}

#[reversible]
fn in_a_block(y: &mut f64, x: &f64) {
    add({ y }, x);
}

#[reversible]
fn named_in_a_block(y: &mut f64, x: &f64) {
    add(
        {
            let other = y;
            other
        },
        x,
    );
}

#[reversible]
fn of_an_array(y: &mut f64, z: &mut f64, n: usize) {
    neg([y, z][n]);
}

#[reversible]
fn of_a_tuple(y: &mut f64, x: &f64) {
    add((y, 1).0, x);
}

#[reversible]
fn of_a_struct(y: &mut f64, x: &f64) {
    add(Held { it: y }.it, x);
}

#[reversible]
fn method_of_a_choice(a: &mut Body, b: &mut Body, n: bool, k: &f64) {
    (if n { a } else { b }).push(k);
}

#[reversible]
fn method_of_an_element(a: &mut Body, b: &mut Body, n: usize, k: &f64) {
    [a, b][n].push(k);
}

#[reversible]
fn method_of_a_block(body: &mut Body, k: &f64) {
    { body }.push(k);
}

#[reversible]
fn a_view_of_two(y: &mut f64, z: &mut f64, n: usize, x: &f64) {
    *pick(&mut *y, z, n) += *x;
}

#[reversible]
fn a_name_for_two(a: &mut Body, b: &mut Body, n: usize, k: &f64) {
    let body = match n {
        0 => a,
        _ => b,
    };
    body.push(k);
}

#[reversible]
fn an_ancilla_for_another(a: &mut Body, k: &f64) {
    let mut body = a;
    body.push(k);
}

fn main() {}
