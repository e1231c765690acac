use retrograde::prelude::*;

#[reversible]
fn temporary(y: &mut f64) {
    let n = 1.0;
    n += 1.0;
    *y += n;
}

#[reversible]
fn variable(y: &mut usize) {
    for i in 0..3 {
        i += 1;
        *y += i;
    }
}

#[reversible]
fn by_value(n: usize) {
    n += 1;
}

#[reversible]
fn input(x: &f64) {
    *x += 1.0;
}

fn place() -> f64 {
    1.0
}

#[reversible]
fn nowhere(y: &mut f64) {
    place() += 1.0;
    *y + 1.0;
}

#[reversible]
fn a_cell_that_others_hold(cell: &mut std::rc::Rc<std::cell::RefCell<i32>>) {
    *cell.borrow_mut() += 1;
}

fn main() {}
