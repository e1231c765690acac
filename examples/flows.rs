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

/// A layer of the flow RealNVP.
#[derive(Clone, Debug, PartialEq, Differentiable)]
#[allow(missing_docs)]
pub struct Coupling<T> {
    /// Its value is the logarithm of the scale.
    pub scale: Network<T>,
    pub shift: Network<T>,
}

/// Takes data to noise by RealNVP, and adds the logarithm of the data's likelihood.
#[reversible]
pub fn real_nvp<T: Real>(log_likelihood: &mut T, points: &mut Points<T>, flow: &[Coupling<T>]) {
    for (k, layer) in flow.iter().enumerate() {
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
pub fn real_nvp_gradient(
    data: &mut Points<f64>,
    flow: &Vec<Coupling<f64>>,
) -> (f64, Vec<Coupling<f64>>) {
    let at = real_nvp::gradient(data, flow);
    (at.value, at.d_flow)
}

/// Random numbers, the same ones in every run.
pub struct Random(u64);

impl Random {
    /// Between 0 and 1.
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// Of the normal distribution.
    pub fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (2.0 * PI * self.uniform()).cos()
    }

    /// Points of the normal distribution.
    pub fn noise(&mut self, n: usize) -> Points<f64> {
        let mut numbers = || (0..n).map(|_| self.normal()).collect();
        Points { x: numbers(), y: numbers() }
    }

    /// Points near two rings.
    pub fn rings(&mut self, n: usize) -> Points<f64> {
        let polar: Vec<(f64, f64)> = (0..n)
            .map(|k| ((1 + k % 2) as f64 + 0.1 * self.normal(), 2.0 * PI * self.uniform()))
            .collect();
        Points {
            x: polar.iter().map(|(r, angle)| r * angle.cos()).collect(),
            y: polar.iter().map(|(r, angle)| r * angle.sin()).collect(),
        }
    }

    fn network(&mut self) -> Network<f64> {
        let mut numbers = |size: f64| std::array::from_fn(|_| size * self.normal());
        Network { w: numbers(1.0), b: numbers(1.0), v: numbers(0.1), c: 0.0 }
    }

    /// A flow that was not trained.
    pub fn nice(&mut self, layers: usize) -> Nice<f64> {
        Nice { shifts: (0..layers).map(|_| self.network()).collect(), scales: [0.0; 2] }
    }

    /// A flow that was not trained.
    pub fn real_nvp(&mut self, layers: usize) -> Vec<Coupling<f64>> {
        (0..layers).map(|_| Coupling { scale: self.network(), shift: self.network() }).collect()
    }
}

impl Default for Random {
    fn default() -> Self {
        Random(0x853c_49e6_748f_ea9b)
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
    let mut random = Random::default();
    let data = random.rings(1000);
    let mut flow = random.real_nvp(4);
    let losses = train(&mut flow, &data, 800, real_nvp_gradient);
    for (epoch, loss) in losses.iter().enumerate().step_by(100) {
        println!("epoch {epoch:>3}, mean negative log-likelihood {loss:.4}");
    }
    // Backwards, noise becomes samples.
    let mut samples = random.noise(2000);
    real_nvp::inverse(&mut 0.0, &mut samples, &flow);
    draw(&samples);
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::testing::{assert_gradient, assert_reversible};

    #[test]
    fn gradients_and_inverses() {
        let mut random = Random::default();
        let (mut y, s, net) = (0.7, -0.3, random.network());
        assert_gradient!(scale(&mut y, &s));
        assert_gradient!(unscale(&mut y, &s));
        assert_gradient!(network(&mut y, &s, &net));
        let (mut points, mut sum) = (random.rings(3), 0.5);
        let flow = random.real_nvp(3);
        assert_gradient!(real_nvp(&mut sum, &mut points, &flow));
        assert_reversible!(real_nvp(&mut sum, &mut points, &flow));
        let mut flow = random.nice(3);
        flow.scales = [0.3, -0.2];
        assert_gradient!(nice(&mut sum, &mut points, &flow));
        assert_reversible!(nice(&mut sum, &mut points, &flow));
    }

    /// A flow on dual numbers, of which one parameter varies.
    fn duals(flow: &[Coupling<f64>], varied: usize) -> Vec<Coupling<Dual<f64>>> {
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
        flow.iter()
            .map(|layer| Coupling { scale: net(&layer.scale), shift: net(&layer.shift) })
            .collect()
    }

    #[test]
    fn both_directions_of_differentiation_agree() {
        let mut random = Random::default();
        let (data, flow) = (random.rings(5), random.real_nvp(2));
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
        const STEP: f64 = 0.05;
        let mut random = Random::default();
        let (mut steady, flow) = (random.nice(4), random.real_nvp(4));
        steady.scales = [0.2, -0.4];
        let (mut by_nice, mut by_real_nvp) = (0.0, 0.0);
        for i in -160..=160 {
            for j in -160..=160 {
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
        let mut random = Random::default();
        let data = random.rings(100);
        let (mut steady, mut flow) = (random.nice(4), random.real_nvp(4));
        let fall = |losses: Vec<f64>| losses[0] - losses[losses.len() - 1];
        let by_nice = fall(train(&mut steady, &data, 60, nice_gradient));
        let by_real_nvp = fall(train(&mut flow, &data, 60, real_nvp_gradient));
        assert!(by_nice > 0.02 && by_real_nvp > 0.05, "{by_nice}, {by_real_nvp}");
    }

    #[test]
    fn what_is_mapped_comes_back() {
        let mut random = Random::default();
        let (data, flow) = (random.rings(50), random.real_nvp(16));
        let (mut points, mut sum) = (data.clone(), 0.0);
        real_nvp(&mut sum, &mut points, &flow);
        real_nvp::inverse(&mut sum, &mut points, &flow);
        let pairs = points.x.iter().zip(&data.x).chain(points.y.iter().zip(&data.y));
        let error = pairs.map(|(a, b)| (a - b).abs()).fold(sum.abs(), f64::max);
        assert!(error < 1e-11, "{error}");
    }
}
