//! Programs as somebody writes them who knows Rust, and not this library.

use retrograde::prelude::*;
use retrograde::testing::assert_gradient;

/// An enum without numbers is an argument, a field and an element like an integer.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
enum Activation {
    Rectifier,
    Tanh,
    Identity,
}

#[derive(Clone, Debug, Differentiable)]
struct Layer {
    weights: Vec<f64>,
    activation: Activation,
}

#[reversible]
fn activate(y: &mut f64, x: &f64, activation: Activation) {
    match activation {
        Activation::Rectifier => *y += x.max(0.0),
        Activation::Tanh => *y += x.tanh(),
        Activation::Identity => *y += *x,
    }
}

#[reversible]
fn activate_all(y: &mut [f64], x: &[f64], activations: &[Activation]) {
    for i in 0..y.len() {
        if activations[i] == Activation::Identity {
            y[i] += 2.0 * x[i];
        } else {
            activate(&mut y[i], &x[i], activations[i]);
        }
    }
}

impl Layer {
    #[reversible]
    fn apply(&self, y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut sum = 0.0;
            for (w, v) in self.weights.iter().zip(x) {
                sum += w * v;
            }
        }
        activate(y, &sum, self.activation);
        match self.activation {
            Activation::Rectifier => *y += sum.max(0.0),
            _ => *y += sum,
        }
    }
}

/// So is one that holds integers.
#[derive(Clone, Debug, Differentiable)]
enum Order {
    Add(usize),
    Multiply { by: u32 },
    Rest,
}

#[reversible]
fn run(y: &mut f64, x: &[f64], orders: &[Order]) {
    for order in orders {
        match order {
            Order::Add(i) => *y += x[*i],
            Order::Multiply { by } => *y += x[0] * f64::from(*by),
            Order::Rest => {}
        }
    }
}

#[test]
fn enums_without_numbers() {
    let all = [Activation::Rectifier, Activation::Tanh, Activation::Identity];
    for activation in all {
        assert_gradient!(activate(&mut 0.1, &0.5, activation));
        let layer = Layer { weights: vec![0.5, -0.2], activation };
        let mut y = 0.0;
        let (mut d_y, mut d_layer, mut d_x) = (1.0, layer.clone(), [0.0; 2]);
        d_layer.weights.fill(0.0);
        layer.apply(&mut y, &[1.0, 2.0]);
        layer.apply_adjoint(&mut d_layer, &mut y, &mut d_y, &[1.0, 2.0], &mut d_x);
        assert!(y.abs() < 1e-15 && d_layer.activation == activation && d_x != [0.0; 2]);
    }
    assert_gradient!(activate_all(&mut [0.1; 3], &[0.5, 0.3, -0.2], &all));
    let orders = [Order::Add(1), Order::Multiply { by: 3 }, Order::Rest];
    assert_gradient!(run(&mut 0.1, &[0.5, 0.3], &orders));
}

#[reversible]
fn pendulum(theta: &mut f64, omega: &mut f64, dt: f64, steps: usize) {
    for _ in 0..steps {
        *omega -= dt * theta.sin() * 9.81;
        *theta += dt * *omega;
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Body {
    mass: f64,
    at: [f64; 2],
    speed: [f64; 2],
}

#[reversible]
fn gravity(bodies: &mut [Body], dt: f64) {
    for i in 0..bodies.len() {
        for j in 0..bodies.len() {
            if i != j {
                let dx = bodies[j].at[0] - bodies[i].at[0];
                let dy = bodies[j].at[1] - bodies[i].at[1];
                let r2 = dx * dx + dy * dy + 0.01;
                let f = dt * bodies[j].mass / (r2 * r2.sqrt());
                bodies[i].speed[0] += f * dx;
                bodies[i].speed[1] += f * dy;
            }
        }
    }
    for body in bodies.iter_mut() {
        for d in 0..2 {
            body.at[d] += dt * body.speed[d];
        }
    }
}

// What users write.
#[allow(clippy::ptr_arg)]
#[reversible]
fn diffuse(next: &mut Vec<Vec<f64>>, now: &[Vec<f64>], alpha: &f64) {
    for i in 1..now.len() - 1 {
        for j in 1..now[i].len() - 1 {
            let around = now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1];
            next[i][j] += now[i][j] + alpha * (around - 4.0 * now[i][j]);
        }
    }
}

#[reversible]
fn convolve<const N: usize>(out: &mut [f64], x: &[f64], kernel: &[f64; N]) {
    for (i, o) in out.iter_mut().enumerate() {
        for (j, k) in kernel.iter().enumerate() {
            *o += k * x[i + j];
        }
    }
}

#[test]
fn simulations() {
    assert_gradient!(pendulum(&mut 1.0, &mut 0.5, 0.1, 5));
    let body = |mass, at, speed| Body { mass, at, speed };
    let bodies = [body(1.0, [0.0, 0.0], [0.1, 0.2]), body(2.0, [1.0, 0.5], [-0.1, 0.2])];
    assert_gradient!(gravity(&mut bodies.clone(), 0.1));
    let now = [1.0, 2.0, 4.0, 3.0].map(|a| vec![a, 2.0 * a, 0.5, a * a]);
    assert_gradient!(diffuse(&mut now.to_vec(), &now, &0.1));
    assert_gradient!(convolve(&mut [0.1; 3], &[1.0, 2.0, 3.0, 4.0], &[0.5, 0.3]));
}
