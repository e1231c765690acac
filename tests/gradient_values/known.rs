//! Gradients that are known to the last digits, from elsewhere.

use retrograde::calculus::{gradient, hessian, hessian_reverse};
use retrograde::prelude::*;

fn near(found: f64, expected: f64, digits: f64) -> bool {
    (found - expected).abs() <= digits * expected.abs().max(1.0)
}

/// The norm, with its square as a result of its own.
#[reversible]
fn norm<T: Real>(out: &mut T, square: &mut T, x: &[T]) {
    for v in x {
        *square += *v * *v;
    }
    *out += square.sqrt();
}

#[test]
fn of_the_norm() {
    let (mut out, mut square, x) = (0.0, 0.0, [1.0, 2.0, 3.0]);
    norm(&mut out, &mut square, &x);
    let (mut d_out, mut d_square, mut d_x) = (1.0, 0.0, [0.0; 3]);
    norm::adjoint(&mut out, &mut d_out, &mut square, &mut d_square, &x, &mut d_x);
    assert_eq!((out, square), (0.0, 0.0));
    assert_eq!((d_out, d_square), (1.0, 0.1336306209562122));
    assert_eq!(d_x, [0.2672612419124244, 0.5345224838248488, 0.8017837257372732]);
}

/// `J_order(x) = Σ (−1)ᵏ / (k! (k + order)!) (x/2)^(2k + order)`, until the terms
/// are small. The terms are products, of logarithmic numbers that are undone.
#[reversible]
fn bessel<T: Real>(y: &mut T, x: &[T], order: usize) {
    #[compute]
    {
        let mut half = Logarithmic::new(x[0]);
        half /= Logarithmic::new(T::from_f64(2.0));
        let mut term = Logarithmic::from_ln(T::zero());
        for i in 1..=order {
            term *= half;
            term /= Logarithmic::new(T::from_f64(i as f64));
        }
        let mut sum = T::zero();
        sum += term.value();
        let mut k = 0;
        while (term.log > -45.0, k > 0) {
            k += 1;
            term *= half * half;
            term /= Logarithmic::new(T::from_f64((k * (k + order)) as f64));
            if k % 2 == 0 {
                sum += term.value();
            } else {
                sum -= term.value();
            }
        }
    }
    *y += sum;
}

/// The same by plain sums, with the terms kept on a stack.
#[reversible]
fn bessel_on_a_stack<T: Real>(y: &mut T, x: &[T], order: usize) {
    #[compute]
    {
        let mut terms = Stack::new();
        let mut term = T::one();
        for i in 1..=order {
            let mut next = term * x[0] / T::from_f64(2.0 * i as f64);
            swap(&mut term, &mut next);
            terms.push(&mut next);
            unlet!(next = T::zero());
        }
        let mut sum = T::zero();
        sum += term;
        let mut k = 0;
        while (term.abs() > 1e-20, k > 0) {
            k += 1;
            let mut next = term * x[0] * x[0] / T::from_f64(-4.0 * (k * (k + order)) as f64);
            swap(&mut term, &mut next);
            terms.push(&mut next);
            unlet!(next = T::zero());
            sum += term;
        }
    }
    *y += sum;
}

const BESSEL: f64 = 0.114_903_484_931_900_5;
/// `J₂′(1) = (J₁(1) − J₃(1)) / 2`.
const SLOPE: f64 = 0.210_243_615_881_132_57;
/// `J₂″(1) = 3 J₂(1) − J₂′(1)`. The original, whose series stops earlier, prints
/// 0.13446683844358093.
const CURVATURE: f64 = 0.134_466_838_914_568_93;

#[test]
fn of_a_bessel_function() {
    use retrograde::calculus::With;
    let f = With(bessel {}, (2,));
    let at = gradient(&f, &[1.0]);
    assert!(near(at.value, BESSEL, 1e-14) && near(at.gradient[0], SLOPE, 1e-14), "{at:?}");
    let f = With(bessel_on_a_stack {}, (2,));
    let at = gradient(&f, &[1.0]);
    assert!(near(at.value, BESSEL, 1e-14) && near(at.gradient[0], SLOPE, 1e-14), "{at:?}");
    let f = With(bessel {}, (2,));
    for at in [hessian(&f, &[1.0]), hessian_reverse(&f, &[1.0])] {
        assert!(near(at.hessian[(0, 0)], CURVATURE, 1e-13), "{at:?}");
    }
    // On fixed point, which comes back to the last bit.
    let (mut y, mut d_y, mut d_x) = (Fixed43::zero(), Fixed43::from_f64(1.0), [Fixed43::zero()]);
    let x = [Fixed43::from_f64(1.0)];
    bessel(&mut y, &x, 2);
    assert!(near(y.to_f64(), BESSEL, 1e-11));
    bessel::adjoint(&mut y, &mut d_y, &x, &mut d_x, 2);
    assert_eq!(y, Fixed43::zero());
    assert!(near(d_x[0].to_f64(), SLOPE, 1e-10), "{}", d_x[0]);
}

/// The exponential by its series, on logarithmic numbers.
#[reversible]
fn exponential<T: Real>(y: &mut T, x: &T) {
    #[compute]
    {
        let mut term = Logarithmic::from_ln(T::zero());
        let mut sum = T::one();
        let mut k = 0;
        while (term.log > -30.0, k > 0) {
            k += 1;
            term *= Logarithmic::new(*x);
            term /= Logarithmic::new(T::from_f64(k as f64));
            sum += term.value();
        }
    }
    *y += sum;
}

#[test]
fn of_an_exponential_series() {
    let at = exponential::gradient(&3.5);
    let expected = 3.5_f64.exp();
    assert!(near(at.value, expected, 1e-12) && near(at.d_x, expected, 1e-11), "{at:?}");
}

/// `y = xⁿ` in constant memory: the product is undone.
#[reversible]
fn power<T: Real>(y: &mut T, x: &T, n: usize) {
    #[compute]
    {
        let mut product = Logarithmic::from_ln(T::zero());
        for _ in 0..n {
            product *= Logarithmic::new(*x);
        }
    }
    *y += product.value();
}

#[test]
fn of_a_power() {
    let at = power::gradient(&0.99, 100);
    assert!(near(at.value, 0.99_f64.powi(100), 1e-13), "{at:?}");
    assert!(near(at.d_x, 100.0 * 0.99_f64.powi(99), 1e-12), "{at:?}");
}

/// `(ẋ, ẏ, ż) = (σ(y − x), x(ρ − z) − y, xy − βz)`, with `θ = (σ, ρ, β)`.
#[reversible]
fn lorenz<T: Real>(slope: &mut [T], state: &[T], parameters: &[T]) {
    slope[0] += parameters[0] * (state[1] - state[0]);
    slope[1] += state[0] * (parameters[1] - state[2]) - state[1];
    slope[2] += state[0] * state[1] - parameters[2] * state[2];
}

/// A step of the method of Runge and Kutta, from one state into another one.
#[reversible]
fn runge_kutta<T: Real>(next: &mut [T], state: &[T], parameters: &[T], step: f64) {
    #[compute]
    {
        let (h, half) = (T::from_f64(step), T::from_f64(0.5 * step));
        let mut slopes = [
            [T::zero(), T::zero(), T::zero()],
            [T::zero(), T::zero(), T::zero()],
            [T::zero(), T::zero(), T::zero()],
            [T::zero(), T::zero(), T::zero()],
        ];
        let mut point = [state[0], state[1], state[2]];
        lorenz(&mut slopes[0], &point, parameters);
        for i in 0..3 {
            point[i] += half * slopes[0][i];
        }
        lorenz(&mut slopes[1], &point, parameters);
        for i in 0..3 {
            point[i] += half * (slopes[1][i] - slopes[0][i]);
        }
        lorenz(&mut slopes[2], &point, parameters);
        for i in 0..3 {
            point[i] += h * slopes[2][i] - half * slopes[1][i];
        }
        lorenz(&mut slopes[3], &point, parameters);
    }
    for i in 0..3 {
        next[i] += state[i]
            + h * (slopes[0][i] + 2.0 * slopes[1][i] + 2.0 * slopes[2][i] + slopes[3][i]) / 6.0;
    }
}

#[reversible]
fn orbit<T: Real>(states: &mut [T], parameters: &[T], steps: usize, step: f64) {
    for n in 0..steps {
        runge_kutta(&mut states[3 * n + 3..3 * n + 6], &states[3 * n..3 * n + 3], parameters, step);
    }
}

/// The gradient of the first coordinate at the end.
fn orbit_gradient(steps: usize) -> ([f64; 3], [f64; 6]) {
    const STEP: f64 = 3e-3;
    let parameters = [10.0, 27.0, 8.0 / 3.0];
    let mut states = vec![0.0; 3 * steps + 3];
    states[0] = 1.0;
    orbit(&mut states, &parameters, steps, STEP);
    let end = [states[3 * steps], states[3 * steps + 1], states[3 * steps + 2]];
    let (mut d_states, mut d_parameters, mut d_step) = (vec![0.0; states.len()], [0.0; 3], 0.0);
    d_states[3 * steps] = 1.0;
    orbit::adjoint(
        &mut states,
        &mut d_states,
        &parameters,
        &mut d_parameters,
        steps,
        STEP,
        &mut d_step,
    );
    assert!(states[3..].iter().all(|v| v.abs() < 1e-9), "nothing is left of the orbit");
    let [x, y, z] = [d_states[0], d_states[1], d_states[2]];
    let [s, r, b] = d_parameters;
    (end, [x, y, z, s, r, b])
}

#[test]
fn of_the_lorenz_equations() {
    let (end, _) = orbit_gradient(1000);
    let expected = [-8.892211630069015, -7.386195656478962, 28.517617736437703];
    for (found, expected) in end.iter().zip(expected) {
        assert!(near(*found, expected, 1e-9), "{end:?}");
    }
    // Chaotic: of sixteen digits, six of the gradient after ten thousand steps
    // depend on the order of the sums.
    let (_, found) = orbit_gradient(10_000);
    let expected = [
        1807.1468707714816,
        669.36087230128,
        787697.5574499699,
        -297541.66270377295,
        176517.9204222756,
        1.301738888866972e6,
    ];
    println!("{found:?}");
    for expected in expected {
        assert!(found.iter().any(|f| near(*f, expected, 1e-6)), "{expected}: {found:?}");
    }
}
