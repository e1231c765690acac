use retrograde::prelude::*;

#[reversible(inverse_only)]
fn forwards_and_back(y: &mut f64, x: &f64) {
    *y += *x;
}

#[instruction(inverse = halve)]
fn double(y: &mut f64) {
    *y *= 2.0;
}

#[instruction(inverse = double)]
fn halve(y: &mut f64) {
    *y /= 2.0;
}

pub struct Turn;

impl Turn {
    #[reversible(inverse_only)]
    pub fn by(&self, y: &mut f64, x: &f64) {
        *y += *x;
    }
}

#[reversible]
fn calls_a_method(#[constant] turn: &Turn, y: &mut f64, x: &f64) {
    !turn.by(y, x);
}

#[reversible]
fn calls_them(y: &mut f64, x: &f64) {
    forwards_and_back(y, x);
    double(y);
}

fn main() {}
