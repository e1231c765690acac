//! What changes without being seen: functions that capture, cells and atomics.

use retrograde::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

#[reversible(inverse_only)]
fn by_a_function<G: FnMut() -> f64>(y: &mut f64, g: &mut G) {
    *y += g();
}

struct Holder<G> {
    g: G,
}

#[reversible(inverse_only)]
fn by_a_field<G: FnMut() -> f64>(y: &mut f64, holder: &mut Holder<G>) {
    *y += 2.0 * (holder.g)();
}

struct Cells {
    one: Cell<f64>,
    many: Vec<Rc<RefCell<f64>>>,
}

#[reversible(inverse_only)]
fn of_a_cell(y: &mut f64, cells: &Cells) {
    *y += cells.one.get() + cells.one.replace(2.0);
    let held = cells.many[0].replace(1.0);
    *y += held * Cell::replace(&cells.one, 1.0);
}

#[reversible(inverse_only)]
fn of_an_atomic(y: &mut u64, n: &AtomicU64) {
    if n.fetch_add(1, Ordering::Relaxed) > 3 {
        *y += 1;
    }
}

fn next(count: &Rc<RefCell<u64>>) -> u64 {
    *count.borrow_mut() += 1;
    *count.borrow()
}

#[reversible(inverse_only)]
fn lent_to_a_function(y: &mut u64, count: &Rc<RefCell<u64>>) {
    *y += next(count);
}

fn main() {}
