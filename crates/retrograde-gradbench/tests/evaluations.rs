//! Every evaluation against a plain program of the same formulas, and its derivatives
//! against that program on dual numbers.

#![allow(missing_docs)]

mod common;

use common::{Random, assert_near, numbers, output};
use retrograde::prelude::*;
use serde_json::{Value, json};

type D = Dual<f64>;

/// Tolerances: of values, and of derivatives.
const VALUE: f64 = 1e-12;
const DERIVATIVE: f64 = 1e-10;

/// The gradient of a plain function of numbers, one direction after the other.
fn gradient(x: &[f64], f: impl Fn(&[D]) -> D) -> Vec<f64> {
    jacobian(x, |x| vec![f(x)])
}

/// The Jacobian of a plain function, column by column.
fn jacobian(x: &[f64], f: impl Fn(&[D]) -> Vec<D>) -> Vec<f64> {
    let column = |j: usize| {
        let seeded = x.iter().enumerate();
        let x: Vec<D> =
            seeded.map(|(i, &x)| if i == j { D::variable(x, 0) } else { D::constant(x) }).collect();
        f(&x).into_iter().map(|y| y.tangents[0])
    };
    (0..x.len()).flat_map(column).collect()
}

/// Columns as rows.
fn transposed(columns: &[f64], rows: usize) -> Vec<f64> {
    (0..rows).flat_map(|i| columns.iter().skip(i).step_by(rows).copied()).collect()
}

fn value(y: D) -> f64 {
    y.value
}

fn constants(x: &[f64]) -> Vec<D> {
    x.iter().copied().map(D::constant).collect()
}

fn sum(terms: impl Iterator<Item = D>) -> D {
    terms.fold(D::constant(0.0), |a, b| a + b)
}

#[test]
fn hello() {
    for x in [-2.5, 0.0, 1.0, 128.0] {
        assert_eq!(numbers(&output("hello", "square", &json!(x))), [x * x]);
        assert_eq!(numbers(&output("hello", "double", &json!(x))), [2.0 * x]);
    }
}

fn plain_ba(x: &[D], seen: [f64; 2]) -> [D; 2] {
    let (r, c, p) = (&x[..3], &x[3..6], &x[11..14]);
    let apart = [p[0] - c[0], p[1] - c[1], p[2] - c[2]];
    let cross = |a: &[D], b: &[D]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let square = sum(r.iter().map(|r| *r * *r));
    let turned: [D; 3] = if square.value > 0.0 {
        let angle = square.sqrt();
        let axis: Vec<D> = r.iter().map(|r| *r / angle).collect();
        let along = sum(axis.iter().zip(&apart).map(|(a, b)| *a * *b));
        let across = cross(&axis, &apart);
        std::array::from_fn(|i| {
            apart[i] * angle.cos()
                + across[i] * angle.sin()
                + axis[i] * along * (D::constant(1.0) - angle.cos())
        })
    } else {
        let across = cross(r, &apart);
        std::array::from_fn(|i| apart[i] + across[i])
    };
    let at = [turned[0] / turned[2], turned[1] / turned[2]];
    let square = at[0] * at[0] + at[1] * at[1];
    let bent = D::constant(1.0) + x[9] * square + x[10] * square * square;
    std::array::from_fn(|i| x[14] * (at[i] * bent * x[6] + x[7 + i] - D::constant(seen[i])))
}

#[test]
fn ba() {
    let mut random = Random::new(1);
    for rotated in [true, false] {
        let mut x = random.numbers(15);
        x[13] += 5.0;
        if !rotated {
            x[..3].fill(0.0);
        }
        let seen = [0.3, -0.2];
        let input = |n: usize, m: usize, p: usize| json!({"n": n, "m": m, "p": p, "cam": x[..11], "x": x[11..14], "w": x[14], "feat": seen});
        for (n, m, p) in [(1, 1, 1), (2, 3, 4), (5, 2, 2100)] {
            let errors = output("ba", "objective", &input(n, m, p));
            let expected = plain_ba(&constants(&x), seen).map(value);
            assert_near(&numbers(&errors["reproj_error"]["elements"]), &expected, VALUE);
            assert_near(&numbers(&errors["w_err"]["element"]), &[1.0 - x[14] * x[14]], VALUE);
            assert_eq!(
                (&errors["reproj_error"]["repeated"], &errors["w_err"]["repeated"]),
                (&json!(p), &json!(p))
            );

            let found = output("ba", "jacobian", &input(n, m, p));
            let columns = jacobian(&x, |x| plain_ba(x, seen).to_vec());
            let mut expected = transposed(&columns, 2);
            expected.push(-2.0 * x[14]);
            assert_near(&numbers(&found["vals"]), &expected, DERIVATIVE);
            let own: Vec<usize> =
                (0..11).chain(11 * n..11 * n + 3).chain([11 * n + 3 * m]).collect();
            let last = 11 * n + 3 * m + p - 1;
            assert_eq!(found["cols"], json!([&own[..], &own, &[last]].concat()));
            let rows = (0..=2 * p).map(|row| 15 * row).chain((1..=p).map(|row| 30 * p + row));
            let rows: Vec<usize> = rows.collect();
            let shown = rows.iter().take(30).chain(rows.last()).collect::<Vec<_>>();
            assert_eq!(found["rows"], json!(shown));
        }
    }
}

/// By Leibniz's formula, row by row.
fn plain_determinant(a: &[D], n: usize, row: usize, used: u32) -> D {
    if row == n {
        return D::constant(1.0);
    }
    let free = (0..n).filter(|k| used & 1 << k == 0);
    sum(free.enumerate().map(|(place, k)| {
        let sign = if place % 2 == 0 { 1.0 } else { -1.0 };
        D::constant(sign) * a[row * n + k] * plain_determinant(a, n, row + 1, used | 1 << k)
    }))
}

#[test]
fn det() {
    let mut random = Random::new(2);
    for n in 1..7 {
        let a = random.numbers(n * n);
        let input = json!({"A": a, "ell": n});
        let expected = plain_determinant(&constants(&a), n, 0, 0).value;
        assert_near(&numbers(&output("det", "primal", &input)), &[expected], VALUE);
        let expected = gradient(&a, |a| plain_determinant(a, n, 0, 0));
        assert_near(&numbers(&output("det", "gradient", &input)), &expected, DERIVATIVE);
    }
}

fn plain_log_sum_exp(x: &[D]) -> D {
    let top = x.iter().map(|x| x.value).fold(f64::NEG_INFINITY, f64::max);
    sum(x.iter().map(|x| (*x - D::constant(top)).exp())).ln() + D::constant(top)
}

/// A gamma function of half integers.
fn plain_log_gamma(x: f64) -> f64 {
    if x == 1.0 {
        0.0
    } else if x == 0.5 {
        0.5 * std::f64::consts::PI.ln()
    } else {
        (x - 1.0).ln() + plain_log_gamma(x - 1.0)
    }
}

fn plain_gmm(p: &[D], d: usize, k: usize, x: &[Vec<f64>], gamma: f64, m: f64) -> D {
    let (alpha, rest) = p.split_at(k);
    let (mu, rest) = rest.split_at(k * d);
    let (q, l) = rest.split_at(k * d);
    let triangle = d * (d - 1) / 2;
    let c = D::constant;
    let mut total = c(0.0);
    for point in x {
        let terms: Vec<D> = (0..k)
            .map(|k| {
                let apart: Vec<D> = (0..d).map(|j| c(point[j]) - mu[k * d + j]).collect();
                let mut turned: Vec<D> = (0..d).map(|j| q[k * d + j].exp() * apart[j]).collect();
                let mut entries = l[k * triangle..].iter();
                for i in 0..d {
                    for turned in &mut turned[i + 1..] {
                        *turned += *entries.next().expect("an entry") * apart[i];
                    }
                }
                alpha[k] + sum(q[k * d..(k + 1) * d].iter().copied())
                    - c(0.5) * sum(turned.iter().map(|t| *t * *t))
            })
            .collect();
        total += plain_log_sum_exp(&terms);
    }
    let n = x.len() as f64;
    let dimensions = d as f64;
    let freedom = dimensions + m + 1.0;
    let gammas: f64 =
        (1..=d).map(|j| plain_log_gamma(0.5 * freedom + 0.5 * (1.0 - j as f64))).sum();
    let pi = std::f64::consts::PI;
    let constant = freedom * dimensions * (gamma.ln() - 0.5 * 2.0_f64.ln())
        - (0.25 * dimensions * (dimensions - 1.0) * pi.ln() + gammas);
    let squares = sum(q.iter().map(|q| (c(2.0) * *q).exp())) + sum(l.iter().map(|l| *l * *l));
    let prior =
        c(m) * sum(q.iter().copied()) - c(0.5 * gamma * gamma) * squares + c(k as f64 * constant);
    total - c(n) * plain_log_sum_exp(alpha) + prior - c(0.5 * n * dimensions * (2.0 * pi).ln())
}

#[test]
fn gmm() {
    let mut random = Random::new(3);
    for (d, k, n, m, gamma) in [
        (1, 1, 1, 0, 1.0),
        (2, 3, 5, 0, 1.0),
        (3, 1, 70, 2, 0.5),
        (1, 4, 3, 1, 2.0),
        (4, 2, 130, 3, 1.5),
    ] {
        let triangle = d * (d - 1) / 2;
        let (x, alpha) = (random.rows(n, d), random.numbers(k));
        let (mu, q, l) = (random.rows(k, d), random.rows(k, d), random.rows(k, triangle));
        let input = json!({
            "d": d, "k": k, "n": n, "m": m, "gamma": gamma,
            "x": x, "alpha": alpha, "mu": mu, "q": q, "l": l,
        });
        let flat = [alpha, mu.concat(), q.concat(), l.concat()].concat();
        let plain = |p: &[D]| plain_gmm(p, d, k, &x, gamma, f64::from(m));
        assert_near(
            &numbers(&output("gmm", "objective", &input)),
            &[plain(&constants(&flat)).value],
            VALUE,
        );
        let found = output("gmm", "jacobian", &input);
        let found = ["alpha", "mu", "q", "l"].map(|part| numbers(&found[part])).concat();
        assert_near(&found, &gradient(&flat, plain), DERIVATIVE);
    }
}

#[test]
fn kmeans() {
    let mut random = Random::new(4);
    for (n, k, d) in [(1, 1, 1), (5, 1, 2), (9, 4, 3), (2500, 5, 8)] {
        let points = random.rows(n, d);
        let centroids = points[n - k..].iter().map(|c| c.iter().map(|c| c + 0.01).collect());
        let centroids: Vec<Vec<f64>> = centroids.collect();
        let distance =
            |c: &[f64], p: &[f64]| c.iter().zip(p).map(|(c, p)| (c - p) * (c - p)).sum::<f64>();
        let nearest = |p: &Vec<f64>| {
            let distances = centroids.iter().map(|c| distance(c, p));
            let best = distances.clone().fold(f64::INFINITY, f64::min);
            distances.clone().position(|d| d == best).expect("the nearest")
        };
        let cost: f64 = points.iter().map(|p| distance(&centroids[nearest(p)], p)).sum();
        let input = json!({"points": points, "centroids": centroids});
        assert_near(&numbers(&output("kmeans", "cost", &input)), &[cost], VALUE);
        // Newton's method leads to the means.
        let step = centroids.iter().enumerate().flat_map(|(k, centroid)| {
            let own: Vec<&Vec<f64>> = points.iter().filter(|p| nearest(p) == k).collect();
            let mean = |j: usize| own.iter().map(|p| p[j]).sum::<f64>() / own.len() as f64;
            centroid.iter().enumerate().map(|(j, c)| c - mean(j)).collect::<Vec<f64>>()
        });
        let step: Vec<f64> = step.collect();
        assert_near(&numbers(&output("kmeans", "dir", &input)), &step, DERIVATIVE);
    }
}

#[test]
fn llsq() {
    let mut random = Random::new(5);
    for (n, m) in [(2, 1), (3, 4), (100, 7), (1200, 20)] {
        let x = random.numbers(m);
        let plain = |x: &[D]| {
            sum((0..n).map(|i| {
                let t = -1.0 + 2.0 * i as f64 / (n as f64 - 1.0);
                let sign = if t == 0.0 { 0.0 } else { t.signum() };
                let terms = x.iter().enumerate().map(|(j, x)| *x * D::constant(t.powi(j as i32)));
                let error = D::constant(sign) - sum(terms);
                D::constant(0.5) * error * error
            }))
        };
        let input = json!({"x": x, "n": n});
        assert_near(
            &numbers(&output("llsq", "primal", &input)),
            &[plain(&constants(&x)).value],
            VALUE,
        );
        assert_near(
            &numbers(&output("llsq", "gradient", &input)),
            &gradient(&x, plain),
            DERIVATIVE,
        );
    }
}

#[test]
fn lse() {
    let mut random = Random::new(6);
    for n in [1, 2, 7, 100, 5000] {
        let x: Vec<f64> = random.numbers(n).iter().map(|x| 30.0 * x).collect();
        let expected = plain_log_sum_exp(&constants(&x)).value;
        let input = json!({"x": x});
        assert_near(&numbers(&output("lse", "primal", &input)), &[expected], VALUE);
        let softmax: Vec<f64> = x.iter().map(|x| (x - expected).exp()).collect();
        assert_near(&numbers(&output("lse", "gradient", &input)), &softmax, DERIVATIVE);
    }
}

fn plain_lstm(p: &[D], b: usize, layers: usize, state: &[Vec<f64>], sequence: &[Vec<f64>]) -> D {
    let c = D::constant;
    let sigmoid = |x: D| c(1.0) / (c(1.0) + (-x).exp());
    let (gates, ends) = p.split_at(8 * b * layers);
    let mut state: Vec<Vec<D>> = state.iter().map(|row| constants(row)).collect();
    let mut total = c(0.0);
    for pair in sequence.windows(2) {
        let mut input: Vec<D> = (0..b).map(|i| c(pair[0][i]) * ends[i]).collect();
        for layer in 0..layers {
            let own = &gates[8 * b * layer..];
            for i in 0..b {
                let (x, h, cell) = (input[i], state[2 * layer][i], state[2 * layer + 1][i]);
                let open = |gate: usize, x: D| x * own[gate * b + i] + own[(gate + 4) * b + i];
                let cell = cell * sigmoid(open(0, x)) + sigmoid(open(1, h)) * open(3, h).tanh();
                state[2 * layer + 1][i] = cell;
                state[2 * layer][i] = sigmoid(open(2, x)) * cell.tanh();
            }
            input = state[2 * layer].clone();
        }
        let y: Vec<D> = (0..b).map(|i| input[i] * ends[b + i] + ends[2 * b + i]).collect();
        let log = (c(2.0) + sum(y.iter().map(|y| y.exp()))).ln();
        total += sum(y.iter().zip(&pair[1]).map(|(y, s)| c(*s) * (*y - log)));
    }
    c(-1.0 / ((sequence.len() - 1) * b) as f64) * total
}

#[test]
fn lstm() {
    let mut random = Random::new(7);
    for (layers, b, c) in [(1, 1, 2), (2, 3, 4), (1, 14, 3), (3, 2, 9)] {
        let (main, extra) = (random.rows(2 * layers, 4 * b), random.rows(3, b));
        let state = random.rows(2 * layers, b);
        let sequence: Vec<Vec<f64>> = random
            .rows(c, b)
            .into_iter()
            .map(|row| row.into_iter().map(|x| if x > 0.0 { 1.0 } else { 0.0 }).collect())
            .collect();
        let input = json!({
            "main_params": main, "extra_params": extra, "state": state, "sequence": sequence,
        });
        let flat = [main.concat(), extra.concat()].concat();
        let plain = |p: &[D]| plain_lstm(p, b, layers, &state, &sequence);
        assert_near(
            &numbers(&output("lstm", "objective", &input)),
            &[plain(&constants(&flat)).value],
            VALUE,
        );
        assert_near(
            &numbers(&output("lstm", "jacobian", &input)),
            &gradient(&flat, plain),
            DERIVATIVE,
        );
    }
}

/// With the four stages as they are defined.
fn plain_ode(x: &[D], steps: usize) -> Vec<D> {
    let h = 2.0 / steps as f64;
    let slopes = |y: &[D]| -> Vec<D> {
        (0..x.len()).map(|i| if i == 0 { x[0] } else { x[i] * y[i - 1] }).collect()
    };
    let ahead = |y: &[D], k: &[D], h: f64| -> Vec<D> {
        y.iter().zip(k).map(|(y, k)| *y + D::constant(h) * *k).collect()
    };
    let mut y = constants(&vec![0.0; x.len()]);
    for _ in 0..steps {
        let k1 = slopes(&y);
        let k2 = slopes(&ahead(&y, &k1, h / 2.0));
        let k3 = slopes(&ahead(&y, &k2, h / 2.0));
        let k4 = slopes(&ahead(&y, &k3, h));
        for i in 0..y.len() {
            let two = D::constant(2.0);
            y[i] += D::constant(h / 6.0) * (k1[i] + two * k2[i] + two * k3[i] + k4[i]);
        }
    }
    y
}

#[test]
fn ode() {
    let mut random = Random::new(8);
    for (n, steps) in [(1, 1), (1, 5), (2, 3), (4, 10), (7, 100), (50, 400)] {
        let x: Vec<f64> = random.numbers(n).iter().map(|x| x + 1.5).collect();
        let input = json!({"x": x, "s": steps});
        let expected: Vec<f64> = plain_ode(&constants(&x), steps).into_iter().map(value).collect();
        assert_near(&numbers(&output("ode", "primal", &input)), &expected, VALUE);
        let expected = gradient(&x, |x| plain_ode(x, steps)[n - 1]);
        assert_near(&numbers(&output("ode", "gradient", &input)), &expected, DERIVATIVE);
    }
}

#[test]
fn particle() {
    for function in ["ff", "fr", "rf", "rr"] {
        let found = numbers(&output("particle", function, &json!({"w": 0.0})));
        assert_near(&found, &[0.2071918746486116], 1e-12);
    }
}

#[test]
fn saddle() {
    for function in ["ff", "fr", "rf", "rr"] {
        let found = numbers(&output("saddle", function, &json!({"start": [1.0, 1.0]})));
        assert_near(&found, &[8.246324826140356e-06; 4], 1e-9);
        let found = numbers(&output("saddle", function, &json!({"start": [0.5, -2.0]})));
        assert!(found.iter().all(|x| x.abs() < 1e-4), "{found:?}");
    }
}

/// A hand with random bones and vertices.
struct Hand {
    theta: Vec<f64>,
    us: Vec<f64>,
    data: Value,
}

impl Hand {
    fn new(random: &mut Random, points: usize, simple: bool, mirrored: bool) -> Self {
        let (bones, vertices) = (22, 6);
        let mut affine = || {
            let mut rows = random.rows(3, 4);
            rows.push(vec![0.0, 0.0, 0.0, 1.0]);
            rows
        };
        let relatives: Vec<_> = (0..bones).map(|_| affine()).collect();
        let inverses: Vec<_> = (0..bones).map(|_| affine()).collect();
        let parents: Vec<i64> = (0..bones).map(|b| if b % 4 == 1 { 0 } else { b - 1 }).collect();
        let positions: Vec<Vec<f64>> =
            random.rows(vertices, 3).into_iter().map(|p| [p, vec![1.0]].concat()).collect();
        let weights: Vec<Vec<f64>> = random
            .rows(vertices, bones as usize)
            .into_iter()
            .map(|row| row.into_iter().map(|w| if w > 0.5 { w } else { 0.0 }).collect())
            .collect();
        let triangles = [[0, 1, 2], [3, 2, 5], [4, 4, 1]];
        let places: Vec<usize> = (0..points).map(|i| i % triangles.len()).collect();
        Hand {
            theta: random.numbers(26),
            us: if simple { Vec::new() } else { random.numbers(2 * points) },
            data: json!({
                "model": {
                    "bone_count": bones, "bone_names": vec!["bone"; bones as usize], "parents": parents,
                    "base_relatives": relatives, "inverse_base_absolutes": inverses,
                    "base_positions": positions, "weights": weights,
                    "triangles": triangles, "is_mirrored": mirrored,
                },
                "correspondences": places, "points": random.rows(points, 3),
            }),
        }
    }

    fn input(&self) -> Value {
        let us: Vec<&[f64]> = self.us.chunks(2).collect();
        json!({"theta": self.theta, "data": self.data, "us": us})
    }

    /// The errors, as they are defined.
    fn plain(&self, theta: &[D], us: &[D]) -> Vec<D> {
        type Matrix = Vec<Vec<D>>;
        let c = D::constant;
        let matrix = |m: &Value| -> Matrix {
            m.as_array().expect("rows").iter().map(|row| constants(&numbers(row))).collect()
        };
        let product = |a: &Matrix, b: &Matrix| -> Matrix {
            let entry = |row: &Vec<D>, j: usize| sum((0..b.len()).map(|k| row[k] * b[k][j]));
            a.iter().map(|row| (0..b[0].len()).map(|j| entry(row, j)).collect()).collect()
        };
        let model = &self.data["model"];
        let mut angles = vec![[c(0.0); 2]; 22];
        for finger in 0..5 {
            for joint in 0..3 {
                let at = 6 + 4 * finger + if joint == 0 { 0 } else { joint + 1 };
                angles[2 + 4 * finger + joint][0] = theta[at];
            }
            angles[2 + 4 * finger][1] = theta[7 + 4 * finger];
        }
        let mut absolutes: Vec<Matrix> = Vec::new();
        let mut transforms: Vec<Matrix> = Vec::new();
        for b in 0..22 {
            let ((sx, cx), (sz, cz)) = (angles[b][0].sin_cos(), angles[b][1].sin_cos());
            let (o, i) = (c(0.0), c(1.0));
            let about_x =
                vec![vec![i, o, o, o], vec![o, cx, -sx, o], vec![o, sx, cx, o], vec![o, o, o, i]];
            let about_z =
                vec![vec![cz, -sz, o, o], vec![sz, cz, o, o], vec![o, o, i, o], vec![o, o, o, i]];
            let relative =
                product(&matrix(&model["base_relatives"][b]), &product(&about_z, &about_x));
            let parent = model["parents"][b].as_i64().expect("a number");
            let absolute = match usize::try_from(parent) {
                Ok(parent) => product(&absolutes[parent], &relative),
                Err(_) => relative,
            };
            transforms.push(product(&absolute, &matrix(&model["inverse_base_absolutes"][b])));
            absolutes.push(absolute);
        }
        let axis = &theta[..3];
        let angle = sum(axis.iter().map(|a| *a * *a)).sqrt();
        let turned = |v: &[D]| -> Vec<D> {
            if angle.value < 1e-4 {
                return v.to_vec();
            }
            let axis: Vec<D> = axis.iter().map(|a| *a / angle).collect();
            let along = sum(axis.iter().zip(v).map(|(a, v)| *a * *v)) * (c(1.0) - angle.cos());
            let across = |i: usize, j: usize| axis[i] * v[j] - axis[j] * v[i];
            let across = [across(1, 2), across(2, 0), across(0, 1)];
            (0..3).map(|i| v[i] * angle.cos() + across[i] * angle.sin() + axis[i] * along).collect()
        };
        let mirror = if model["is_mirrored"] == true { -1.0 } else { 1.0 };
        let position = |vertex: usize| -> Vec<D> {
            let place = numbers(&model["base_positions"][vertex]);
            let weights = numbers(&model["weights"][vertex]);
            let mut p: Vec<D> = (0..3)
                .map(|i| {
                    sum((0..22).map(|b| {
                        c(weights[b]) * sum((0..4).map(|j| transforms[b][i][j] * c(place[j])))
                    }))
                })
                .collect();
            p[0] = c(mirror) * p[0];
            turned(&p).into_iter().zip(&theta[3..6]).map(|(p, t)| p + *t).collect()
        };
        let places = numbers(&self.data["correspondences"]);
        let errors = places.iter().enumerate().flat_map(|(i, place)| {
            let point = numbers(&self.data["points"][i]);
            let found = if us.is_empty() {
                position(*place as usize)
            } else {
                let corners = numbers(&model["triangles"][*place as usize]);
                let [p, q, r] = [0, 1, 2].map(|k| position(corners[k] as usize));
                let (u, v) = (us[2 * i], us[2 * i + 1]);
                (0..3).map(|j| u * p[j] + v * q[j] + (c(1.0) - u - v) * r[j]).collect()
            };
            (0..3).map(|j| c(point[j]) - found[j]).collect::<Vec<D>>()
        });
        errors.collect()
    }
}

#[test]
fn ht() {
    let mut random = Random::new(9);
    for (points, simple, mirrored, rotated) in [
        (1, false, false, true),
        (1, true, false, true),
        (5, false, true, true),
        (4, true, true, false),
        (300, false, false, false),
    ] {
        let mut hand = Hand::new(&mut random, points, simple, mirrored);
        if !rotated {
            hand.theta[..3].fill(1e-6);
        }
        let (theta, us) = (constants(&hand.theta), constants(&hand.us));
        let expected: Vec<f64> = hand.plain(&theta, &us).into_iter().map(value).collect();
        assert_near(&numbers(&output("ht", "objective", &hand.input())), &expected, VALUE);

        // A direction for the first numbers of all pairs, one for the second ones.
        let pairs = (0..if simple { 0 } else { 2 }).flat_map(|k| {
            let seeded = hand.us.iter().enumerate();
            let us: Vec<D> = seeded
                .map(|(i, u)| Dual { value: *u, tangents: [if i % 2 == k { 1.0 } else { 0.0 }] })
                .collect();
            hand.plain(&theta, &us).into_iter().map(|error| error.tangents[0])
        });
        let columns: Vec<f64> =
            pairs.chain(jacobian(&hand.theta, |theta| hand.plain(theta, &us))).collect();
        let found = output("ht", "jacobian", &hand.input());
        assert_near(&numbers(&found), &transposed(&columns, 3 * points), DERIVATIVE);
    }
}
