use retrograde::prelude::*;

struct Spring {
    stiffness: f64,
}

#[reversible]
fn expression(y: &mut f64, x: &f64) {
    *y += *x;
}

// A function that there is not, in an expression, twice, and of an argument that is computed.
#[reversible]
fn calls(y: &mut f64, x: &f64) {
    *y += 2.0 * sine(*x);
    *y += sine(x.exp()) * *x;
}

#[reversible]
fn generic<T: Real>(y: &mut T, x: &T) {
    *y += 2.0 * sine(*x);
}

#[differentiable]
fn pure(x: f64) -> f64 {
    sine(x) * x
}

// As a statement, there and back.
#[reversible]
fn statement(y: &mut f64, x: &f64) {
    expresion(y, x);
}

#[reversible]
fn undone(y: &mut f64, x: &f64) {
    !expresion(y, x);
}

mod tools {
    use retrograde::prelude::*;

    #[reversible]
    pub fn square(y: &mut f64, x: &f64) {
        *y += *x * *x;
    }
}

// By its path.
#[reversible]
fn of_a_module(y: &mut f64, x: &f64) {
    tools::sqare(y, x);
}

#[derive(Clone, Debug, Differentiable)]
struct State {
    a: f64,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, Differentiable)]
struct Part {
    b: f64,
}

impl State {
    #[reversible]
    fn bump(&mut self, x: &f64) {
        self.a += *x;
    }

    #[reversible]
    fn own(&mut self, x: &f64) {
        self.bupm(x);
    }
}

impl Part {
    #[reversible]
    fn read(&self, y: &mut f64) {
        *y += self.b;
    }
}

// A method that there is not, of what is written, of what is read, and of a part.
#[reversible]
fn method(state: &mut State, x: &f64) {
    state.bupm(x);
}

#[reversible]
fn method_undone(state: &mut State, x: &f64) {
    !state.bupm(x);
}

#[reversible]
fn method_of_read(y: &mut f64, part: &Part) {
    part.raed(y);
}

#[reversible]
fn method_of_a_part(y: &mut f64, state: &mut State) {
    for k in 0..state.parts.len() {
        state.parts[k].raed(y);
    }
}

#[reversible]
fn method_of_a_number(y: &mut f64, x: &f64) {
    *y += x.cosh1();
}

// A value, as each operand.
#[reversible]
fn left(y: &mut f64, x: &f64) {
    *y += constant_c * *x;
}

#[reversible]
fn right(y: &mut f64, x: &f64) {
    *y += *x / constant_c;
}

#[reversible]
fn argument(y: &mut f64, x: &f64) {
    *y += x.powf(constant_c);
}

#[differentiable]
fn in_pure(x: f64) -> f64 {
    let twice = x + constant_c;
    twice * x
}

#[reversible]
fn index(y: &mut [f64], x: &f64) {
    y[position] += *x * *x;
}

#[reversible]
fn bound(y: &mut [f64], x: &f64) {
    for i in 0..length {
        y[i] += *x;
    }
}

#[reversible]
fn condition(y: &mut f64, x: &f64) {
    if is_stiff {
        *y += *x;
    }
}

// A type, which is said once of the signature.
#[reversible]
fn argument_type(y: &mut f64, #[constant] spring: &Sprung) {
    *y += spring.stiffness;
}

// A field of what carries no gradient.
#[reversible]
fn field(y: &mut f64, x: &f64, #[constant] spring: &Spring) {
    *y += spring.stifness * *x;
}

fn main() {}
