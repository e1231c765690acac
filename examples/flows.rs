//! Normalising flows, NICE and RealNVP: a density that is learned as a bijection.
//!
//! A flow takes the data to points of a normal distribution. Each layer moves one
//! coordinate by a network of the other one: `y += t(x)`, and in RealNVP
//! `y ↦ y exp(s(x)) + t(x)`. Whatever the networks are, that is undone by subtracting
//! and dividing by the same. So one function is three things: run forwards, it gives the
//! likelihood of the data; backwards, it turns noise into samples; and its gradient goes
//! back through the layers without an activation kept, in constant memory.
//!
//! `cargo run --release --example flows`

use retrograde::prelude::*;
use retrograde::random::Random;
use retrograde::testing::Components;
use std::f64::consts::PI;

/// The hidden units of each network.
pub const HIDDEN: usize = 10;

/// Points of the plane, by their coordinates.
#[derive(Clone, Debug, PartialEq, Differentiable)]
#[allow(missing_docs)]
pub struct Points<T> {
    pub x: Vec<T>,
    pub y: Vec<T>,
}

/// A network from one number to another by hidden units: `Σ v tanh(w x + b) + c`.
#[derive(Clone, Debug, PartialEq, Differentiable)]
#[allow(missing_docs)]
pub struct Network<T> {
    pub w: [T; HIDDEN],
    pub b: [T; HIDDEN],
    pub v: [T; HIDDEN],
    pub c: T,
}

/// Adds what a network makes of `x`.
#[reversible]
#[inline]
pub fn network<T: Real>(y: &mut T, x: &T, net: &Network<T>) {
    for ((w, b), v) in net.w.iter().zip(&net.b).zip(&net.v) {
        *y += *v * (*w * *x + *b).fast_tanh();
    }
    *y += net.c;
}

/// The flow NICE: layers that keep the volume, then a scale for each coordinate.
#[derive(Clone, Debug, PartialEq, Differentiable)]
#[allow(missing_docs)]
pub struct Nice<T> {
    pub shifts: Vec<Network<T>>,
    /// Logarithms of the scales.
    pub scales: [T; 2],
}

/// Takes data to noise by [`Nice`], and adds the logarithm of the data's likelihood.
#[reversible]
pub fn nice<T: Real>(log_likelihood: &mut T, points: &mut Points<T>, flow: &Nice<T>) {
    for (k, shift) in flow.shifts.iter().enumerate() {
        if k % 2 == 0 {
            move_by(&mut points.x, &points.y, shift);
        } else {
            move_by(&mut points.y, &points.x, shift);
        }
    }
    for (x, y) in points.x.iter_mut().zip(&mut points.y) {
        scale(x, &flow.scales[0]);
        scale(y, &flow.scales[1]);
        *log_likelihood += flow.scales[0] + flow.scales[1];
    }
    add_normal(log_likelihood, points);
}

/// Moves one coordinate by a network of the other.
#[reversible]
pub fn move_by<T: Real>(ys: &mut [T], xs: &[T], shift: &Network<T>) {
    for (y, x) in ys.iter_mut().zip(xs) {
        network(y, x, shift);
    }
}

/// A layer of [`RealNvp`].
#[derive(Clone, Debug, PartialEq, Differentiable)]
#[allow(missing_docs)]
pub struct Coupling<T> {
    /// Its value is the logarithm of the scale.
    pub scale: Network<T>,
    pub shift: Network<T>,
}

/// The flow RealNVP: its layers scale, too.
#[derive(Clone, Debug, PartialEq, Differentiable)]
#[allow(missing_docs)]
pub struct RealNvp<T> {
    pub layers: Vec<Coupling<T>>,
}

/// Takes data to noise by [`RealNvp`], and adds the logarithm of the data's likelihood.
#[reversible]
pub fn real_nvp<T: Real>(log_likelihood: &mut T, points: &mut Points<T>, flow: &RealNvp<T>) {
    for (k, layer) in flow.layers.iter().enumerate() {
        if k % 2 == 0 {
            couple(log_likelihood, &mut points.x, &points.y, layer);
        } else {
            couple(log_likelihood, &mut points.y, &points.x, layer);
        }
    }
    add_normal(log_likelihood, points);
}

/// Scales and moves one coordinate by networks of the other, and adds the logarithm of
/// the determinant of that.
#[reversible]
pub fn couple<T: Real>(log_determinant: &mut T, ys: &mut [T], xs: &[T], layer: &Coupling<T>) {
    for (y, x) in ys.iter_mut().zip(xs) {
        #[compute]
        {
            let mut s = 0.0;
            network(&mut s, x, &layer.scale);
        }
        scale(y, &s);
        network(y, x, &layer.shift);
        *log_determinant += s;
    }
}

/// Adds the logarithm of the points' likelihood in a normal distribution.
#[reversible]
pub fn add_normal<T: Real>(log_likelihood: &mut T, points: &Points<T>) {
    for (x, y) in points.x.iter().zip(&points.y) {
        *log_likelihood -= 0.5 * (*x * *x + *y * *y) + (2.0 * PI).ln();
    }
}

/// `y ↦ y exp(s)`: an instruction, because not every float can be multiplied by every
/// other and come back.
#[instruction(inverse = unscale, adjoint = scale_adjoint, inverse_adjoint = unscale_adjoint)]
#[inline]
pub fn scale<T: Real>(y: &mut T, s: &T) {
    *y = y.clone() * s.clone().exp();
}

/// `y ↦ y / exp(s)`.
#[instruction(inverse = scale, adjoint = unscale_adjoint, inverse_adjoint = scale_adjoint)]
#[inline]
pub fn unscale<T: Real>(y: &mut T, s: &T) {
    *y = y.clone() / s.clone().exp();
}

#[inline]
fn scale_adjoint<T: Real>(y: &mut T, d_y: &mut T, s: &T, d_s: &mut T) {
    *d_s += d_y.clone() * y.clone();
    unscale(y, s);
    scale(d_y, s);
}

#[inline]
fn unscale_adjoint<T: Real>(y: &mut T, d_y: &mut T, s: &T, d_s: &mut T) {
    *d_s -= d_y.clone() * y.clone();
    scale(y, s);
    unscale(d_y, s);
}

/// The optimiser Adam, which climbs.
pub struct Adam {
    rate: f64,
    steps: i32,
    /// Running means of the gradient and of its square, for each parameter.
    means: Vec<(f64, f64)>,
}

impl Adam {
    /// For so many parameters.
    pub fn new(rate: f64, parameters: usize) -> Self {
        Adam { rate, steps: 0, means: vec![(0.0, 0.0); parameters] }
    }

    /// Climbs a step along the gradient.
    pub fn step<P: Components>(&mut self, parameters: &mut P, gradient: &P) {
        self.steps += 1;
        let (part, square_part) = (0.9_f64, 0.999_f64);
        let (seen, square_seen) = (1.0 - part.powi(self.steps), 1.0 - square_part.powi(self.steps));
        for (i, (mean, square)) in self.means.iter_mut().enumerate() {
            let g = gradient.component(i);
            *mean = part * *mean + (1.0 - part) * g;
            *square = square_part * *square + (1.0 - square_part) * g * g;
            let by = self.rate * (*mean / seen) / ((*square / square_seen).sqrt() + 1e-8);
            parameters.set_component(i, parameters.component(i) + by);
        }
    }
}

/// Trains a flow, and gives the mean negative log-likelihood before each epoch.
pub fn train<F: Components>(
    flow: &mut F,
    data: &Points<f64>,
    epochs: usize,
    gradient: impl Fn(&mut Points<f64>, &F) -> (f64, F),
) -> Vec<f64> {
    let mut adam = Adam::new(0.01, flow.components());
    let mut epoch = || {
        let (log_likelihood, d_flow) = gradient(&mut data.clone(), flow);
        adam.step(flow, &d_flow);
        -log_likelihood / data.x.len() as f64
    };
    (0..epochs).map(|_| epoch()).collect()
}

/// The likelihood of data in NICE, and its gradient with respect to the flow.
pub fn nice_gradient(data: &mut Points<f64>, flow: &Nice<f64>) -> (f64, Nice<f64>) {
    let at = nice::gradient(data, flow);
    (at.value, at.d_flow)
}

/// The likelihood of data in RealNVP, and its gradient with respect to the flow.
pub fn real_nvp_gradient(data: &mut Points<f64>, flow: &RealNvp<f64>) -> (f64, RealNvp<f64>) {
    let at = real_nvp::gradient(data, flow);
    (at.value, at.d_flow)
}

/// Points of the normal distribution.
pub fn noise(random: &mut Random, n: usize) -> Points<f64> {
    let mut points = Points { x: vec![0.0; n], y: vec![0.0; n] };
    random.add_normals(&mut points.x, &1.0);
    random.add_normals(&mut points.y, &1.0);
    points
}

/// Points near two rings.
pub fn rings(random: &mut Random, n: usize) -> Points<f64> {
    let (mut radii, mut angles) = (vec![0.0; n], vec![0.0; n]);
    random.add_normals(&mut radii, &RING_WIDTH);
    random.add_uniforms(&mut angles, &(2.0 * PI));
    let polar = || radii.iter().zip(RING_RADII.iter().cycle()).map(|(r, of)| r + of).zip(&angles);
    Points {
        x: polar().map(|(r, angle)| r * angle.cos()).collect(),
        y: polar().map(|(r, angle)| r * angle.sin()).collect(),
    }
}

/// The radii of the rings.
pub const RING_RADII: [f64; 2] = [1.0, 2.0];
/// The deviation from them.
pub const RING_WIDTH: f64 = 0.1;

impl Network<f64> {
    fn random(random: &mut Random) -> Self {
        let zero = [0.0; HIDDEN];
        let mut net = Network { w: zero, b: zero, v: zero, c: 0.0 };
        random.add_normals(&mut net.w, &1.0);
        random.add_normals(&mut net.b, &1.0);
        random.add_normals(&mut net.v, &0.1);
        net
    }
}

impl Nice<f64> {
    /// A flow that was not trained.
    pub fn random(random: &mut Random, layers: usize) -> Self {
        let shifts = (0..layers).map(|_| Network::random(random)).collect();
        Nice { shifts, scales: [0.0; 2] }
    }
}

impl RealNvp<f64> {
    /// A flow that was not trained.
    pub fn random(random: &mut Random, layers: usize) -> Self {
        let mut layer =
            || Coupling { scale: Network::random(random), shift: Network::random(random) };
        RealNvp { layers: (0..layers).map(|_| layer()).collect() }
    }
}

/// How many points are where, drawn as letters.
fn draw(points: &Points<f64>) {
    const WIDTH: usize = 48;
    const HEIGHT: usize = 24;
    let place = |at: f64, size: usize| ((at + 3.0) / 6.0 * size as f64) as usize;
    let mut counts = [[0; WIDTH]; HEIGHT];
    for (x, y) in points.x.iter().zip(&points.y) {
        if let Some(count) =
            counts.get_mut(place(*y, HEIGHT)).and_then(|row| row.get_mut(place(*x, WIDTH)))
        {
            *count += 1;
        }
    }
    for row in counts {
        let letters = row.map(|count| b" .:+*#"[count.min(5)] as char);
        println!("{}", String::from_iter(letters).trim_end());
    }
}

fn main() {
    let mut random = Random::new(1);
    let data = rings(&mut random, 1000);
    let mut flow = RealNvp::random(&mut random, 4);
    let losses = train(&mut flow, &data, 800, real_nvp_gradient);
    for (epoch, loss) in losses.iter().enumerate().step_by(100) {
        println!("epoch {epoch:>3}, mean negative log-likelihood {loss:.4}");
    }
    // Backwards, noise becomes samples.
    let mut samples = noise(&mut random, 2000);
    real_nvp::inverse(&mut 0.0, &mut samples, &flow);
    draw(&samples);
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::testing::{assert_gradient, assert_reversible};

    #[test]
    fn gradients_and_inverses() {
        let mut random = Random::new(1);
        let (mut y, s, net) = (0.7, -0.3, Network::random(&mut random));
        assert_gradient!(scale(&mut y, &s));
        assert_gradient!(unscale(&mut y, &s));
        assert_gradient!(network(&mut y, &s, &net));
        let (mut points, mut sum) = (rings(&mut random, 3), 0.5);
        let flow = RealNvp::random(&mut random, 3);
        assert_gradient!(real_nvp(&mut sum, &mut points, &flow));
        assert_reversible!(real_nvp(&mut sum, &mut points, &flow));
        let mut flow = Nice::random(&mut random, 3);
        flow.scales = [0.3, -0.2];
        assert_gradient!(nice(&mut sum, &mut points, &flow));
        assert_reversible!(nice(&mut sum, &mut points, &flow));
    }

    /// A flow on dual numbers, of which one parameter varies.
    fn duals(flow: &RealNvp<f64>, varied: usize) -> RealNvp<Dual<f64>> {
        let mut i = 0;
        let mut dual = |value: f64| {
            i += 1;
            Dual { value, tangents: [if i == varied + 1 { 1.0 } else { 0.0 }] }
        };
        let mut net = |net: &Network<f64>| Network {
            w: net.w.map(&mut dual),
            b: net.b.map(&mut dual),
            v: net.v.map(&mut dual),
            c: dual(net.c),
        };
        let layers = flow.layers.iter();
        let layers =
            layers.map(|layer| Coupling { scale: net(&layer.scale), shift: net(&layer.shift) });
        RealNvp { layers: layers.collect() }
    }

    #[test]
    fn both_directions_of_differentiation_agree() {
        let mut random = Random::new(1);
        let (data, flow) = (rings(&mut random, 5), RealNvp::random(&mut random, 2));
        let (value, d_flow) = real_nvp_gradient(&mut data.clone(), &flow);
        for i in 0..flow.components() {
            let constant = |xs: &Vec<f64>| xs.iter().map(|x| Dual::constant(*x)).collect();
            let mut points = Points { x: constant(&data.x), y: constant(&data.y) };
            let mut sum = Dual::constant(0.0);
            real_nvp(&mut sum, &mut points, &duals(&flow, i));
            assert!((sum.value - value).abs() < 1e-12);
            let (found, expected) = (d_flow.component(i), sum.tangents[0]);
            assert!((found - expected).abs() < 1e-11, "{}", flow.component_name(i));
        }
    }

    /// The determinant is right if the density is one: it sums to 1.
    #[test]
    fn densities_sum_to_one() {
        const STEP: f64 = 0.1;
        let mut random = Random::new(1);
        let (mut steady, flow) = (Nice::random(&mut random, 4), RealNvp::random(&mut random, 4));
        steady.scales = [0.2, -0.4];
        let (mut by_nice, mut by_real_nvp) = (0.0, 0.0);
        for i in -80..=80 {
            for j in -80..=80 {
                let point = Points { x: vec![STEP * f64::from(i)], y: vec![STEP * f64::from(j)] };
                let (mut a, mut b) = (0.0, 0.0);
                nice(&mut a, &mut point.clone(), &steady);
                real_nvp(&mut b, &mut point.clone(), &flow);
                by_nice += a.exp() * STEP * STEP;
                by_real_nvp += b.exp() * STEP * STEP;
            }
        }
        assert!((by_nice - 1.0).abs() < 1e-4, "{by_nice}");
        assert!((by_real_nvp - 1.0).abs() < 1e-4, "{by_real_nvp}");
    }

    #[test]
    fn training_lowers_the_loss() {
        let mut random = Random::new(1);
        let data = rings(&mut random, 100);
        let (mut steady, mut flow) =
            (Nice::random(&mut random, 4), RealNvp::random(&mut random, 4));
        let fall = |losses: Vec<f64>| losses[0] - losses[losses.len() - 1];
        let by_nice = fall(train(&mut steady, &data, 60, nice_gradient));
        let by_real_nvp = fall(train(&mut flow, &data, 60, real_nvp_gradient));
        assert!(by_nice > 0.02 && by_real_nvp > 0.05, "{by_nice}, {by_real_nvp}");
    }

    #[test]
    fn what_is_mapped_comes_back() {
        let mut random = Random::new(1);
        let (data, flow) = (rings(&mut random, 50), RealNvp::random(&mut random, 16));
        let (mut points, mut sum) = (data.clone(), 0.0);
        real_nvp(&mut sum, &mut points, &flow);
        real_nvp::inverse(&mut sum, &mut points, &flow);
        let pairs = points.x.iter().zip(&data.x).chain(points.y.iter().zip(&data.y));
        let error = pairs.map(|(a, b)| (a - b).abs()).fold(sum.abs(), f64::max);
        assert!(error < 1e-11, "{error}");
    }
}
