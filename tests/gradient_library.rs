//! Gradients, Jacobians and Hessians by every way that the library offers: they
//! agree with each other, with dual numbers of dual numbers, and with differences.

use retrograde::calculus::{
    GradientOf, Matrix, With, gradient, gradient_into, hessian, hessian_reverse, hvp, jacobian,
    jacobian_forward, jvp, vjp,
};
use retrograde::prelude::*;
use retrograde::testing::assert_gradient;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[reversible]
fn rosenbrock<T: Real>(y: &mut T, x: &[T]) {
    for pair in x.windows(2) {
        *y += 100.0 * (pair[1] - pair[0] * pair[0]).powi(2) + (1.0 - pair[0]).powi(2);
    }
}

#[reversible]
fn norm<T: Real>(y: &mut T, x: &[T]) {
    #[compute]
    {
        let mut squares = 0.0;
        for v in x {
            squares += *v * *v;
        }
    }
    *y += squares.sqrt();
}

/// `J₀` of the norm, by its series.
#[reversible]
fn bessel<T: Real>(y: &mut T, x: &[T]) {
    #[compute]
    {
        let mut square = T::zero();
        for v in x {
            square += *v * *v;
        }
        let mut sum = T::one();
        let mut term = T::one();
        let mut terms = Stack::new();
        let mut k = 0;
        while (term.abs() > 1e-18, k > 0) {
            k += 1;
            let mut next = term * square / T::from_f64(-4.0 * (k * k) as f64);
            swap(&mut term, &mut next);
            terms.push(&mut next);
            unlet!(next = T::zero());
            sum += term;
        }
    }
    *y += sum;
}

/// A layer: `out += tanh(W x + b)`, with `W` and `b` in one slice.
#[reversible]
fn layer<T: Real>(out: &mut [T], parameters: &[T], x: &[T]) {
    let n = out.len();
    let (weights, biases) = parameters.split_at(n * x.len());
    for (i, (o, b)) in out.iter_mut().zip(biases).enumerate() {
        #[compute]
        {
            let mut sum = *b;
            for (w, v) in weights[i * x.len()..(i + 1) * x.len()].iter().zip(x) {
                sum += *w * *v;
            }
        }
        *o += sum.tanh();
    }
}

/// Two layers, 2 → 3 → 1, and the squared error at four points.
#[reversible]
fn network<T: Real>(y: &mut T, x: &[T]) {
    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)].iter() {
        #[compute]
        {
            let input = [T::from_f64(f64::from(*i)), T::from_f64(f64::from(*j))];
            let mut hidden = [T::zero(), T::zero(), T::zero()];
            layer(&mut hidden, &x[..9], &input);
            let mut out = [T::zero()];
            layer(&mut out, &x[9..13], &hidden);
        }
        *y += (out[0] - T::from_f64(f64::from(*i ^ *j))).powi(2);
    }
}

#[reversible]
fn mixture<T: Real>(y: &mut T, x: &[T]) {
    *y += (x[0] * x[1]).exp() / (1.0 + x[2].powi(2)) + x[0].hypot(x[1]).ln();
    *y -= x[2].sin() * x[0].atan2(x[1]);
}

/// Central differences of `f`, of the fourth order.
fn by_differences(f: impl Fn(&[f64]) -> f64, x: &[f64]) -> Vec<f64> {
    const STEP: f64 = 1e-3;
    let at = |i: usize, by: f64| {
        let mut x = x.to_vec();
        x[i] += by * STEP;
        f(&x)
    };
    (0..x.len())
        .map(|i| (8.0 * (at(i, 1.0) - at(i, -1.0)) - (at(i, 2.0) - at(i, -2.0))) / (12.0 * STEP))
        .collect()
}

#[track_caller]
fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let size = expected.iter().fold(1.0_f64, |size, e| size.max(e.abs()));
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() <= tolerance * size, "{found:?}\n{expected:?}");
    }
}

fn column<T: Clone>(matrix: &Matrix<T>, j: usize) -> Vec<T> {
    (0..matrix.rows()).map(|i| matrix[(i, j)].clone()).collect()
}

/// Everything about a function of many numbers with one result.
macro_rules! check_scalar {
    ($f:ident, $x:expr) => {{
        let x: Vec<f64> = $x.to_vec();
        let n = x.len();
        let mut start = 0.25;
        assert_gradient!($f(&mut start, &x));
        let value = |x: &[f64]| {
            let mut y = 0.0;
            $f(&mut y, x);
            y
        };
        let at = gradient(&$f {}, &x);
        assert_eq!(at.value, value(&x));
        assert_near(&at.gradient, &by_differences(value, &x), 1e-7);
        let own = $f::gradient(&x);
        assert_eq!((own.value, &own.d_x), (at.value, &at.gradient));
        let mut added = vec![1.5; n];
        assert_eq!(gradient_into(&$f {}, &x, &mut added), at.value);
        let expected: Vec<f64> = at.gradient.iter().map(|g| g + 1.5).collect();
        assert_near(&added, &expected, 1e-12);

        // Dual numbers of dual numbers, one pair of directions at a time.
        let second = |i: usize, j: usize| {
            let seeded = |(k, v): (usize, &f64)| {
                let inner = Dual { value: *v, tangents: [f64::from(u8::from(k == j))] };
                let outer = Dual::constant(f64::from(u8::from(k == i)));
                Dual { value: inner, tangents: [outer] }
            };
            let x: Vec<Dual<Dual<f64>>> = x.iter().enumerate().map(seeded).collect();
            let mut y = Dual::constant(Dual::constant(0.0));
            $f(&mut y, &x);
            (y.tangents[0].value, y.tangents[0].tangents[0])
        };
        let by_duals: Vec<f64> = (0..n).map(|i| second(i, 0).0).collect();
        assert_near(&at.gradient, &by_duals, 1e-12);
        let mut expected = Vec::new();
        (0..n).for_each(|i| expected.extend((0..n).map(|j| second(i, j).1)));

        let forward = hessian(&$f {}, &x);
        assert_eq!(forward.value, at.value);
        assert_near(&forward.gradient, &at.gradient, 1e-12);
        assert_near(forward.hessian.as_slice(), &expected, 1e-11);
        let reverse = hessian_reverse(&$f {}, &x);
        assert_eq!((reverse.value, &reverse.gradient), (at.value, &at.gradient));
        assert_near(reverse.hessian.as_slice(), &expected, 1e-11);
        for j in 0..n {
            let slope = |x: &[f64]| gradient(&$f {}, x).gradient[j];
            assert_near(forward.hessian.row(j), &by_differences(slope, &x), 1e-6);
            let mut v = vec![0.0; n];
            v[j] = 1.0;
            let product = hvp(&$f {}, &x, &v);
            assert_eq!(product.value, at.value);
            assert_near(&product.gradient, &at.gradient, 1e-12);
            assert_near(&product.product, &column(&forward.hessian, j), 1e-12);
        }
        // The gradient as a function of its own.
        let rows = jacobian(&GradientOf($f {}), n, &x);
        assert_near(&rows.value, &at.gradient, 1e-12);
        assert_near(rows.jacobian.as_slice(), &expected, 1e-11);
        let rows = jacobian_forward(&GradientOf($f {}), n, &x);
        assert_near(rows.jacobian.as_slice(), &expected, 1e-11);

        // On other numbers.
        let exact: Vec<DoubleDouble> = x.iter().map(|v| DoubleDouble::from(*v)).collect();
        let exact = gradient(&$f {}, &exact);
        let rounded: Vec<f64> = exact.gradient.iter().map(Real::to_f64).collect();
        assert_near(&at.gradient, &rounded, 1e-12);
        let single: Vec<f32> = x.iter().map(|v| *v as f32).collect();
        let single: Vec<f64> =
            gradient(&$f {}, &single).gradient.into_iter().map(f64::from).collect();
        assert_near(&single, &at.gradient, 1e-4);
        let fixed: Vec<Fixed43> = x.iter().map(|v| Fixed43::from_f64(*v)).collect();
        let fixed: Vec<f64> = gradient(&$f {}, &fixed).gradient.iter().map(Real::to_f64).collect();
        assert_near(&fixed, &at.gradient, 1e-9);
    }};
}

#[test]
fn of_rosenbrock() {
    check_scalar!(rosenbrock, [0.8, 1.2, -0.4]);
    check_scalar!(rosenbrock, (0..11).map(|i| 0.1 * f64::from(i) - 0.3).collect::<Vec<_>>());
    assert_eq!(gradient(&rosenbrock {}, &[1.0; 5]).gradient, [0.0; 5]);
}

#[test]
fn of_a_norm() {
    check_scalar!(norm, [1.0, 2.0, 3.0]);
    check_scalar!(norm, [0.5; 9]);
    let at = gradient(&norm {}, &[1.0, 2.0, 3.0]);
    let expected = [0.2672612419124244, 0.5345224838248488, 0.8017837257372732];
    assert_near(&at.gradient, &expected, 1e-15);
    assert_eq!(gradient(&norm {}, &[0.0; 3]).gradient, [0.0; 3]);
}

#[test]
fn of_a_series() {
    check_scalar!(bessel, [0.75]);
    check_scalar!(bessel, [0.75, -1.5, 0.25]);
}

#[test]
fn of_a_network() {
    let parameters: Vec<f64> = (0..13).map(|i| (f64::from(i) * 1.7).sin() * 0.8).collect();
    check_scalar!(network, parameters);
}

#[test]
fn of_a_mixture() {
    check_scalar!(mixture, [0.75, -1.25, 0.5]);
}

#[reversible]
fn polar<T: Real>(y: &mut [T], x: &[T]) {
    y[0] += x[0] * x[1].cos();
    y[1] += x[0] * x[1].sin();
}

/// More results than fit one run, of fewer arguments.
#[reversible]
fn powers<T: Real>(y: &mut [T], x: &[T]) {
    for (i, to) in y.iter_mut().enumerate() {
        *to += x[i % x.len()].powi(i as i32) * x[0];
    }
}

/// Results that depend on each other.
#[reversible]
fn recurrence<T: Real>(y: &mut [T], x: &[T]) {
    y[0] += x[0];
    for i in 1..y.len() {
        y[i] += y[i - 1] * x[i % x.len()] + x[0].sin();
    }
}

#[reversible]
fn empty<T: Real>(y: &mut [T], x: &[T]) {
    for to in y.iter_mut() {
        *to += 2.5;
    }
    for v in x {
        host! {
            assert!(v.magnitude() >= 0.0);
        }
    }
}

macro_rules! check_vector {
    ($f:ident, $outputs:expr, $x:expr) => {{
        let (m, x): (usize, Vec<f64>) = ($outputs, $x.to_vec());
        let n = x.len();
        let value = |x: &[f64]| {
            let mut y = vec![0.0; m];
            $f(&mut y, x);
            y
        };
        let back = jacobian(&$f {}, m, &x);
        let ahead = jacobian_forward(&$f {}, m, &x);
        assert_eq!((back.jacobian.rows(), back.jacobian.columns()), (m, n));
        assert_eq!((ahead.jacobian.rows(), ahead.jacobian.columns()), (m, n));
        assert_near(&back.value, &value(&x), 1e-13);
        assert_near(&ahead.value, &value(&x), 1e-13);
        assert_near(back.jacobian.as_slice(), ahead.jacobian.as_slice(), 1e-12);
        for i in 0..m {
            let mut w = vec![0.0; m];
            w[i] = 1.0;
            let (values, row) = vjp(&$f {}, m, &x, &w);
            assert_near(&values, &back.value, 1e-13);
            // Row i is the gradient of result i: not the transpose.
            assert_near(back.jacobian.row(i), &row, 1e-12);
            assert_near(&row, &by_differences(|x| value(x)[i], &x), 1e-7);
        }
        for j in 0..n {
            let mut v = vec![0.0; n];
            v[j] = 1.0;
            let (values, change) = jvp(&$f {}, m, &x, &v);
            assert_near(&values, &back.value, 1e-13);
            assert_near(&column(&ahead.jacobian, j), &change, 1e-12);
        }
        // ⟨w, Jv⟩ = ⟨Jᵀw, v⟩
        let w: Vec<f64> = (0..m).map(|i| 0.5 - i as f64 * 0.3).collect();
        let v: Vec<f64> = (0..n).map(|j| 0.2 + j as f64 * 0.7).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (left, right) =
            (dot(&w, &jvp(&$f {}, m, &x, &v).1), dot(&vjp(&$f {}, m, &x, &w).1, &v));
        assert_near(&[left], &[right], 1e-12);
    }};
}

#[test]
fn of_many_results() {
    check_vector!(polar, 2, [2.0, 0.3]);
    check_vector!(powers, 19, [0.9, 1.1]);
    check_vector!(powers, 3, [0.9, 1.1, 0.8, 1.2, 0.7, 1.3, 0.6, 1.4, 0.5, 1.5, 0.4]);
    check_vector!(recurrence, 9, [0.5, -0.75, 0.25]);
    check_vector!(recurrence, 1, [0.5; 17]);
}

#[test]
fn of_nothing() {
    check_vector!(empty, 3, [] as [f64; 0]);
    check_vector!(empty, 0, [1.0, 2.0]);
    let at = gradient(&norm {}, &[] as &[f64]);
    assert_eq!((at.value, at.gradient), (0.0, vec![]));
    let at = hessian(&norm {}, &[] as &[f64]);
    assert_eq!((at.hessian.rows(), at.hessian.columns()), (0, 0));
}

/// With arguments of its own, and called from another reversible function.
#[reversible]
fn misfit<T: Real>(y: &mut T, x: &[T], #[constant] data: &[(f64, f64)], power: i32) {
    for (t, value) in data {
        *y += (x[0] + x[1] * T::from_f64(*t) - T::from_f64(*value)).powi(power);
    }
}

#[reversible]
fn slope_norm<T: Real>(y: &mut T, x: &[T]) {
    for v in x {
        *y += *v * *v;
    }
}

#[test]
fn with_further_arguments() {
    let data = [(0.0, 1.0), (1.0, 3.0), (2.0, 4.0)];
    let f = With(misfit {}, (&data[..], 2));
    let at = hessian(&f, &[1.0, 1.0]);
    assert_eq!(at.gradient, [-4.0, -6.0]);
    assert_eq!(at.hessian.as_slice(), [6.0, 6.0, 6.0, 10.0]);
    assert_eq!(hessian_reverse(&f, &[1.0, 1.0]), at);
    assert_eq!(hvp(&f, &[1.0, 1.0], &[1.0, -1.0]).product, [0.0, -4.0]);
    // A gradient of a gradient's norm: third order, by dual numbers around both.
    let third = jvp(&GradientOf(With(misfit {}, (&data[..], 3))), 2, &[1.0, 1.0], &[1.0, 0.0]);
    let differences = |i: usize| {
        let slope = |x: &[f64]| gradient(&With(misfit {}, (&data[..], 3)), x).gradient[i];
        by_differences(slope, &[1.0, 1.0])[0]
    };
    assert_near(&third.1, &[differences(0), differences(1)], 1e-7);
    assert_eq!(gradient(&slope_norm {}, &third.0).gradient.len(), 2);
}

/// What a panic says.
#[track_caller]
fn message<R>(run: impl FnOnce() -> R) -> String {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(_) => panic!("it should panic"),
        Err(panic) => *panic.downcast::<String>().expect("a text"),
    }
}

#[test]
fn lengths_that_do_not_match() {
    let x = [1.0, 2.0, 3.0];
    let expect = |text: String, what: &str, found: usize, expected: usize| {
        assert_eq!(text, format!("{what} has {found} components, and {expected} are needed"));
    };
    let mut short = [0.0; 2];
    expect(message(|| gradient_into(&norm {}, &x, &mut short)), "the gradient", 2, 3);
    expect(message(|| hvp(&norm {}, &x, &[1.0; 4])), "the direction", 4, 3);
    expect(message(|| jvp(&polar {}, 2, &x[..2], &[1.0])), "the direction", 1, 2);
    expect(message(|| vjp(&polar {}, 2, &x[..2], &[1.0; 3])), "the cotangent", 3, 2);
    let run = || GradientOf(norm {}).call((&mut [0.0; 4][..], &x[..]));
    expect(message(run), "the gradient", 4, 3);
}

/// Values and gradients of a sum are taken in one pass, others in two.
#[test]
fn in_one_pass_or_two() {
    type Arguments<'a> = (&'a mut f64, &'a mut f64, &'a [f64], &'a mut [f64]);
    fn only_adds(f: &impl for<'a> Adjoint<Arguments<'a>>) -> bool {
        Adjoint::<Arguments>::only_adds(f)
    }

    /// What is added depends on where it is added to.
    #[reversible]
    fn in_turns<T: Real>(y: &mut T, x: &[T]) {
        if (*y < 1.0, *y < 4.0) {
            *y += x[0].exp();
        } else {
            *y += x[0].sin() + 100.0;
        }
    }

    #[reversible]
    fn with_a_sign<T: Real>(y: &mut T, x: &[T]) {
        neg(y);
        for v in x {
            *y += v.sin() * v.exp();
        }
        neg(y);
    }

    #[reversible]
    fn in_a_call<T: Real>(y: &mut T, x: &[T]) {
        norm(y, x);
    }

    /// Through two functions, one of which is generic by name.
    #[reversible]
    fn in_calls<T: Real>(y: &mut T, x: &[T]) {
        for v in x {
            *y -= v.sin();
        }
        in_a_call::<T>(y, &x[1..]);
        norm(y, x);
    }

    /// A call that turns the sign.
    #[reversible]
    fn in_a_turning_call<T: Real>(y: &mut T, x: &[T]) {
        norm(y, x);
        with_a_sign(y, x);
    }

    /// A call that reads what is written: by `&`, though it is lent as `&mut`.
    #[reversible]
    fn in_a_reading_call<T: Real>(y: &mut T, x: &[T]) {
        norm(y, x);
        let mut z = T::zero();
        twice(&mut z, y);
        !twice(&mut z, y);
    }

    #[reversible]
    fn twice<T: Real>(z: &mut T, y: &T) {
        *z += *y + *y;
    }

    /// Half of the rest is added by the function itself.
    #[reversible]
    fn in_halves<T: Real>(y: &mut T, x: &[T]) {
        let n = x.len() / 2;
        if n > 0 {
            *y += x[0].exp() * x[n].sin();
            in_halves(y, &x[..n]);
            in_halves(y, &x[n..]);
        }
    }

    /// Two that call each other.
    #[reversible]
    fn even<T: Real>(y: &mut T, x: &[T]) {
        if !x.is_empty() {
            *y += x[0].sin();
            odd(y, &x[1..]);
        }
    }

    #[reversible]
    fn odd<T: Real>(y: &mut T, x: &[T]) {
        if !x.is_empty() {
            *y += x[0].cos();
            even(y, &x[1..]);
        }
    }

    #[reversible]
    fn watched<T: Real>(y: &mut T, x: &[T]) {
        host! { CALLS.set(CALLS.get() + 1) }
        *y += x[0].exp();
    }

    std::thread_local! { static CALLS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) }; }

    assert!(only_adds(&norm {}) && only_adds(&rosenbrock {}) && only_adds(&bessel {}));
    assert!(only_adds(&in_turns {}) && only_adds(&&norm {}));
    let data = [(0.0, 1.0), (1.0, 3.0)];
    assert!(only_adds(&With(misfit {}, (&data[..], 2))));
    assert!(only_adds(&in_a_call {}) && only_adds(&in_calls {}) && only_adds(&in_halves {}));
    assert!(!only_adds(&with_a_sign {}) && !only_adds(&in_a_turning_call {}));
    assert!(!only_adds(&in_a_reading_call {}));
    // Nobody gets to the end of asking them.
    assert!(!only_adds(&even {}));
    assert!(!only_adds(&watched {}));

    let x = [0.3, 0.7, -1.1];
    macro_rules! agrees {
        ($($f:ident),+) => {$(
            let mut value = 0.0;
            $f(&mut value, &x);
            let (one, other) = (gradient(&$f {}, &x), $f::gradient(&x));
            assert!((one.value - value).abs() < 1e-14 && (other.value - value).abs() < 1e-14);
            assert_eq!(one.gradient, other.d_x);
            let slopes = by_differences(|x| { let mut y = 0.0; $f(&mut y, x); y }, &x);
            assert_near(&one.gradient, &slopes, 1e-6);
            let mut product = vec![0.0; 3];
            GradientOf($f {}).call((&mut product[..], &x[..]));
            assert_eq!(product, one.gradient);
        )+};
    }
    agrees!(norm, rosenbrock, bessel, in_turns, with_a_sign, in_a_call, watched);
    agrees!(in_calls, in_a_turning_call, in_a_reading_call, in_halves, even);

    let (values, product) = vjp(&polar {}, 2, &[2.0, 0.5], &[1.0, 10.0]);
    assert_near(&values, &[2.0 * 0.5_f64.cos(), 2.0 * 0.5_f64.sin()], 1e-15);
    let by_x = 0.5_f64.cos() + 10.0 * 0.5_f64.sin();
    assert_near(&product, &[by_x, 2.0 * (10.0 * 0.5_f64.cos() - 0.5_f64.sin())], 1e-14);
}
