//! RealNVP of the example, by hand and for tapes to record.

use crate::programs::tapes::{Function, Number};
use retrograde::derivative::zero_like;
use retrograde::num::Elementary;
use retrograde::testing::Components;
use retrograde_examples::flows::{HIDDEN, Network, Points, RealNvp};
use std::f64::consts::PI;

/// The numbers of a network and of a layer.
const NETWORK: usize = 3 * HIDDEN + 1;
const LAYER: usize = 2 * NETWORK;

/// The parameters of the layers, then the coordinates of the points.
pub fn flat(flow: &RealNvp<f64>, points: &Points<f64>) -> Vec<f64> {
    let parameters = (0..flow.components()).map(|i| flow.component(i));
    parameters.chain(points.x.iter().copied()).chain(points.y.iter().copied()).collect()
}

pub fn value_by_hand(points: &mut Points<f64>, flow: &RealNvp<f64>) -> f64 {
    let Points { x, y } = points;
    let mut sum = 0.0;
    for (k, layer) in flow.layers.iter().enumerate() {
        let (ys, xs) = if k % 2 == 0 { (&mut *x, &*y) } else { (&mut *y, &*x) };
        for (y, x) in ys.iter_mut().zip(xs) {
            let (s, t) = (network(*x, &layer.scale), network(*x, &layer.shift));
            *y = *y * s.exp() + t;
            sum += s;
        }
    }
    let squares = x.iter().zip(y).map(|(x, y)| 0.5 * (*x * *x + *y * *y) + (2.0 * PI).ln());
    sum - squares.sum::<f64>()
}

#[inline]
fn network(x: f64, net: &Network<f64>) -> f64 {
    let units = net.w.iter().zip(&net.b).zip(&net.v);
    units.map(|((w, b), v)| v * (w * x + b).fast_tanh()).sum::<f64>() + net.c
}

/// Undoes the layers on the way back, as the adjoint does.
pub fn gradient_by_hand(points: &mut Points<f64>, flow: &RealNvp<f64>) -> (f64, RealNvp<f64>) {
    let value = value_by_hand(points, flow);
    let Points { x, y } = points;
    let mut d_x: Vec<f64> = x.iter().map(|x| -x).collect();
    let mut d_y: Vec<f64> = y.iter().map(|y| -y).collect();
    let mut d_flow = zero_like(flow);
    for (k, (layer, d_layer)) in flow.layers.iter().zip(&mut d_flow.layers).enumerate().rev() {
        let ((ys, d_ys), (xs, d_xs)) = if k % 2 == 0 {
            ((&mut *x, &mut *d_x), (&*y, &mut *d_y))
        } else {
            ((&mut *y, &mut *d_y), (&*x, &mut *d_x))
        };
        for ((y, d_y), (x, d_x)) in ys.iter_mut().zip(d_ys).zip(xs.iter().zip(d_xs)) {
            let t = network_adjoint(*d_y, (*x, d_x), (&layer.shift, &mut d_layer.shift));
            let s = network(*x, &layer.scale);
            let scaled = *y - t;
            let d_s = *d_y * scaled + 1.0;
            network_adjoint(d_s, (*x, d_x), (&layer.scale, &mut d_layer.scale));
            let scale = s.exp();
            *y = scaled / scale;
            *d_y *= scale;
        }
    }
    (value, d_flow)
}

/// Adds to the gradient, and gives the network's value.
#[inline]
fn network_adjoint(
    g: f64,
    (x, d_x): (f64, &mut f64),
    (net, d_net): (&Network<f64>, &mut Network<f64>),
) -> f64 {
    let (mut value, mut sum) = (net.c, 0.0);
    d_net.c += g;
    for h in 0..HIDDEN {
        let tanh = (net.w[h] * x + net.b[h]).fast_tanh();
        value += net.v[h] * tanh;
        d_net.v[h] += g * tanh;
        let slope = g * net.v[h] * (1.0 - tanh * tanh);
        d_net.w[h] += slope * x;
        d_net.b[h] += slope;
        sum += slope * net.w[h];
    }
    *d_x += sum;
    value
}

/// The log-likelihood of points by [`flat`] arguments.
pub struct Likelihood {
    pub layers: usize,
}

impl Function for Likelihood {
    fn value<S: Number>(&self, x: &[S]) -> S {
        let (parameters, points) = x.split_at(self.layers * LAYER);
        let n = points.len() / 2;
        let (x, y) = points.split_at(n);
        let (mut x, mut y) = (x.to_vec(), y.to_vec());
        let mut scales = Vec::new();
        for (k, layer) in parameters.chunks_exact(LAYER).enumerate() {
            let (scale, shift) = layer.split_at(NETWORK);
            let (ys, xs) = if k % 2 == 0 { (&mut x, &y) } else { (&mut y, &x) };
            for (y, x) in ys.iter_mut().zip(xs) {
                let s = recorded(*x, scale);
                *y = *y * s.exp() + recorded(*x, shift);
                scales.push(s);
            }
        }
        let squares = x.iter().chain(&y).map(|z| (*z * *z).scaled(-0.5));
        S::sum(scales.into_iter().chain(squares)).shifted(-(n as f64) * (2.0 * PI).ln())
    }
}

fn recorded<S: Number>(x: S, net: &[S]) -> S {
    let (w, b, v) = (&net[..HIDDEN], &net[HIDDEN..2 * HIDDEN], &net[2 * HIDDEN..3 * HIDDEN]);
    let units = w.iter().zip(b).zip(v);
    S::sum(units.map(|((w, b), v)| *v * (*w * x + *b).tanh())) + net[3 * HIDDEN]
}
