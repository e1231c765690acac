//! Half of the digits must be there of what each number began with: what it came to on its way,
//! and what stands beside it, excuses nothing. What is exchanged is not rounded.

use super::*;

/// A gradient is right, or it stops.
fn right_or_stops(of: &str, expected: f64, gradient: impl FnOnce() -> f64) {
    match catch_unwind(AssertUnwindSafe(gradient)) {
        Ok(found) => {
            let error = (found - expected).abs();
            assert!(error <= 1e-5 * expected.abs(), "{of}: {found} instead of {expected}");
        }
        Err(payload) => {
            let error = payload.downcast::<InvertibilityError>().expect("a check");
            assert!(matches!(error.broken, Broken::Digits | Broken::Ancilla), "{of}: {error}");
        }
    }
}

/// What is exchanged with an ancilla and back adds nothing to what may be left in it.
mod exchanged {
    use super::*;

    #[reversible]
    fn in_singles(y: &mut f32, x: &f32, z: &mut f32) {
        let mut a = 0.0;
        swap(&mut a, z);
        *y += a;
        swap(&mut a, z);
        a += *x;
        *y += a * a;
    }

    #[reversible]
    fn at_once(y: &mut f64, x: &f64, z: &mut f64) {
        let mut a = 0.0;
        swap(&mut a, z);
        swap(&mut a, z);
        a += *x;
        *y += a * a;
    }

    #[reversible]
    fn with_elements(y: &mut f64, x: &f64, z: &mut [f64]) {
        let mut a = 0.0;
        for k in 0..z.len() {
            swap(&mut a, &mut z[k]);
            swap(&mut a, &mut z[k]);
        }
        a += *x;
        *y += a * a;
    }

    #[reversible]
    fn all_of_it(y: &mut f64, v: &mut Vec<f64>) {
        let mut a = vec![0.3, 1e17];
        swap(v, &mut a);
        *y += v[0];
        unlet!(a = vec![0.3, 1e17]);
    }

    #[reversible]
    fn steep(x: &mut f64) {
        let mut next = 0.01 * *x + 1.0;
        swap(x, &mut next);
        next -= 100.0 * (*x - 1.0);
        unlet!(next = 0.0);
    }

    #[test]
    fn hides_nothing() {
        assert_eq!(broken(|| in_singles(&mut 0.0, &0.9, &mut 1000.0)), Broken::Ancilla);
        assert_eq!(broken(|| in_singles::gradient(&0.9, &mut 1000.0)), Broken::Ancilla);
        assert_eq!(broken(|| at_once::gradient(&0.01, &mut 1e10)), Broken::Ancilla);
        assert_eq!(broken(|| with_elements(&mut 0.0, &0.01, &mut [1e10; 10])), Broken::Ancilla);
        assert_eq!(broken(|| all_of_it(&mut 0.0, &mut vec![1.3, 1e17])), Broken::Ancilla);
        all_of_it(&mut 0.0, &mut vec![0.3, 1e17]);
        for x in [3.0, 0.1, -7.0, 1e5] {
            let mut z = x;
            steep(&mut z);
            steep::inverse(&mut z);
            assert!((z - x).abs() < 1e-9, "{z}");
        }
    }
}

/// What stands beside a number.
mod beside {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    struct Body {
        mass: f64,
        v: f64,
    }

    /// `v ↦ v / 10 + 1`.
    #[reversible]
    fn brake(b: &mut Body) {
        let mut next = 0.1 * b.v + 1.0;
        swap(&mut b.v, &mut next);
        unlet!(next = 10.0 * (b.v - 1.0));
    }

    #[reversible]
    fn run(y: &mut f64, b: &mut Body, n: usize) {
        for _ in 0..n {
            *y += b.v * b.v;
            brake(b);
        }
    }

    #[reversible]
    fn run_all(y: &mut f64, b: &mut [Body], n: usize) {
        for _ in 0..n {
            for k in 0..b.len() {
                *y += b[k].v * b[k].v;
                brake(&mut b[k]);
            }
        }
    }

    #[reversible]
    fn slow(x: &mut f64) {
        let mut next = 0.1 * *x + 1.0;
        swap(x, &mut next);
        unlet!(next = 10.0 * (*x - 1.0));
    }

    #[reversible]
    fn in_a_tuple(y: &mut f64, x: &mut (f64, f64), n: usize) {
        for _ in 0..n {
            *y += x.0 * x.0;
            slow(&mut x.0);
        }
    }

    #[reversible]
    fn in_a_slice(y: &mut f64, x: &mut [f64], n: usize) {
        for _ in 0..n {
            *y += x[0] * x[0];
            slow(&mut x[0]);
        }
    }

    fn known(x: f64, n: usize) -> f64 {
        let (mut z, mut slope, mut sum) = (x, 1.0, 0.0);
        for _ in 0..n {
            sum += 2.0 * z * slope;
            (z, slope) = (0.1 * z + 1.0, 0.1 * slope);
        }
        sum
    }

    #[test]
    fn excuses_nothing() {
        for mass in [1.0, 1e3, 1e6, 1e9, 6e24] {
            for n in [3, 10, 13, 20] {
                for v in [3.0, 0.5] {
                    let known = known(v, n);
                    right_or_stops("run", known, || run::gradient(&mut Body { mass, v }, n).d_b.v);
                    right_or_stops("run_all", known, || {
                        run_all::gradient(&mut [Body { mass, v }], n).d_b[0].v
                    });
                    right_or_stops("tuple", known, || {
                        in_a_tuple::gradient(&mut (v, mass), n).d_x.0
                    });
                    right_or_stops("slice", known, || {
                        in_a_slice::gradient(&mut [v, mass], n).d_x[0]
                    });
                }
            }
            let few = run::gradient(&mut Body { mass, v: 3.0 }, 2).d_b.v;
            assert!((few - known(3.0, 2)).abs() < 1e-12);
            broken(|| run::gradient(&mut Body { mass, v: 3.0 }, 20));
        }
    }

    #[reversible]
    fn forgotten(y: &mut f64, x: &f64) {
        let mut a = [1e17, 0.0];
        a[1] += *x;
        *y += a[1] * a[1];
    }

    #[reversible]
    fn forgotten_in_a_tuple(y: &mut f64, x: &f64) {
        let mut p = (1e6, 0.0);
        p.1 += *x;
        *y += p.1 * p.1;
    }

    #[reversible]
    fn forgotten_in_a_loop(y: &mut f64, x: &[f64]) {
        let mut a = [1e17, 0.0];
        for k in 0..x.len() {
            a[1] += x[k];
        }
        *y += a[1] * a[1];
    }

    #[reversible]
    fn added(a: &mut f64, x: &f64) {
        *a += *x;
    }

    #[reversible]
    fn forgotten_by_a_call(y: &mut f64, x: &f64) {
        let mut a = [1e17, 0.0];
        added(&mut a[1], x);
        *y += a[1] * a[1];
    }

    #[test]
    fn hides_nothing_that_was_forgotten() {
        assert_eq!(broken(|| forgotten::gradient(&3.0)), Broken::Ancilla);
        assert_eq!(broken(|| forgotten_in_a_tuple(&mut 0.0, &1e-9)), Broken::Ancilla);
        assert_eq!(broken(|| forgotten_in_a_loop(&mut 0.0, &[0.5, 1.0])), Broken::Ancilla);
        assert_eq!(broken(|| forgotten_by_a_call(&mut 0.0, &0.5)), Broken::Ancilla);
    }
}

/// What grows on its way absorbs what it began with.
mod absorbed {
    use super::*;

    #[reversible]
    fn shifted(y: &mut f64, x: &mut f64, w: &f64, by: f64) {
        *y += *x * *w;
        *x += by;
    }

    #[reversible]
    fn first(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut a = x[0];
            let mut b = 0.0;
            b += a * a;
            a += x[1];
        }
        *y += b;
    }

    #[reversible]
    fn fibonacci<T: Real>(y: &mut T, x: &[T], n: usize) {
        #[compute]
        {
            let mut a = x[0];
            let mut b = x[1];
            let mut s = T::zero();
            for _ in 0..n {
                s += T::one() / (T::one() + a * a);
                a += b;
                swap(&mut a, &mut b);
            }
        }
        *y += s;
    }

    #[reversible]
    fn each(y: &mut f64, x: &mut [f64], w: &f64) {
        for k in 0..x.len() {
            *y += x[k] * *w;
            x[k] += 1e17;
        }
    }

    #[test]
    fn is_said() {
        for x in [1.0, 1e-3, 1e-6, 1e-20] {
            for by in [0.0, 1.0, 1e3, 1e6, 1e9] {
                right_or_stops("shifted", x, || shifted::gradient(&mut x.clone(), &1.0, by).d_w);
            }
            assert_eq!(broken(|| shifted::gradient(&mut x.clone(), &1.0, 1e17)), Broken::Digits);
            assert_eq!(broken(|| each::gradient(&mut [x], &1.0)), Broken::Digits);
        }
        assert_eq!(shifted::gradient(&mut 0.5, &1.0, 100.0).d_w, 0.5);
        assert_eq!(broken(|| first::gradient(&[0.3, 1e17])), Broken::Digits);
        assert_eq!(first::gradient(&[0.5, 8.0]).d_x, [1.0, 0.0]);
        for n in [5, 20, 30, 36, 40, 44] {
            let known = by_duals(&[0.1, 0.3], |x| {
                let mut y = Dual::constant(0.0);
                fibonacci(&mut y, x, n);
                y
            });
            for i in 0..2 {
                right_or_stops("fibonacci", known[i], || {
                    fibonacci::gradient(&[0.1, 0.3], n).d_x[i]
                });
            }
        }
    }
}

/// What arrives from a container replaces nothing that is not zero.
mod popped {
    use super::*;

    #[reversible]
    fn pop(s: &mut Stack<f64>, x: &mut f64) {
        s.pop(x);
    }

    #[reversible]
    fn remove(m: &mut Map<u8, f64>, x: &mut f64) {
        m.remove(1, x);
    }

    #[test]
    fn over_a_small_number() {
        for x in [1.6e-19, 1e-9, -1e-300] {
            for top in [2e-19, 1.0, 1e10] {
                let pop = || pop(&mut Stack::from_iter([top]), &mut x.clone());
                assert_eq!(broken(pop), Broken::Container);
                let remove = || remove(&mut Map::from_iter([(1, top)]), &mut x.clone());
                assert_eq!(broken(remove), Broken::Container);
            }
        }
    }
}

/// What keeps its digits is not stopped.
mod natural {
    use super::*;
    use std::f64::consts::PI;

    /// By two numbers, by a struct, by an array, and computed.
    #[reversible]
    fn swings<T: Real>(y: &mut T, q: &mut T, p: &mut T, h: &T, n: usize) {
        for _ in 0..n {
            *q += *h * *p;
            *p -= *h * *q;
            *y += *q * *q * *p;
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    struct Phase {
        q: f64,
        p: f64,
    }

    #[reversible]
    fn swings_in_a_struct(y: &mut f64, at: &mut Phase, h: &f64, n: usize) {
        for _ in 0..n {
            at.q += *h * at.p;
            at.p -= *h * at.q;
            *y += at.q * at.q * at.p;
        }
    }

    #[reversible]
    fn swings_in_an_array(y: &mut f64, at: &mut [f64; 2], h: &f64, n: usize) {
        for _ in 0..n {
            at[0] += *h * at[1];
            at[1] -= *h * at[0];
            *y += at[0] * at[0] * at[1];
        }
    }

    #[reversible]
    fn computed(y: &mut f64, start: &[f64], h: &f64, n: usize) {
        #[compute]
        {
            let mut q = start[0];
            let mut p = start[1];
            let mut sum = 0.0;
            for _ in 0..n {
                q += *h * p;
                p -= *h * q;
                sum += q * q * p;
            }
        }
        *y += sum;
    }

    #[reversible]
    fn copied(y: &mut f64, start: &[f64], h: &f64, n: usize) {
        #[compute]
        {
            let mut at = start.to_vec();
            let mut sum = 0.0;
            for _ in 0..n {
                at[0] += *h * at[1];
                at[1] -= *h * at[0];
                sum += at[0] * at[0] * at[1];
            }
        }
        *y += sum;
    }

    #[test]
    fn oscillators() {
        for theta in [0.0, PI / 2.0, PI, 1e-3, 1.0] {
            for n in [2, 3, 100, 1000] {
                let h = 0.01;
                let (q, p) = (f64::cos(theta), f64::sin(theta));
                let d_h = swings::gradient(&mut q.clone(), &mut p.clone(), &h, n).d_h;
                let ours = [
                    swings_in_a_struct::gradient(&mut Phase { q, p }, &h, n).d_h,
                    swings_in_an_array::gradient(&mut [q, p], &h, n).d_h,
                    computed::gradient(&[q, p], &h, n).d_h,
                    copied::gradient(&[q, p], &h, n).d_h,
                ];
                agree(&ours, &[d_h; 4], "d_h");
                let (q, p) = (q as f32, p as f32);
                let single = swings::gradient(&mut q.clone(), &mut p.clone(), &0.01f32, n).d_h;
                assert!(
                    (f64::from(single) - d_h).abs() < 1e-2 * (1.0 + d_h.abs()),
                    "{single} {d_h}"
                );
            }
        }
    }

    /// A running mean of numbers of both signs, from nothing.
    #[reversible]
    fn sums<T: Real>(y: &mut T, x: &[T]) {
        #[compute]
        {
            let mut sum = T::zero();
            let mut squares = T::zero();
            for v in x {
                sum += *v;
                squares += sum * sum * *v;
            }
        }
        *y += squares;
    }

    #[test]
    fn long_sums() {
        let x: Vec<f64> = numbers(7, 100_000);
        assert_eq!(sums::gradient(&x).d_x.len(), x.len());
        let single: Vec<f32> = x[..2000].iter().map(|x| *x as f32).collect();
        assert_eq!(sums::gradient(&single).d_x.len(), single.len());
    }

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    struct Planet {
        mass: f64,
        at: [f64; 2],
        v: [f64; 2],
    }

    /// In metres, seconds and kilograms.
    #[reversible]
    fn orbits(y: &mut f64, planet: &mut Planet, sun: &f64, h: &f64, n: usize) {
        for _ in 0..n {
            for k in 0..2 {
                planet.at[k] += *h * planet.v[k];
            }
            {
                let r2 = planet.at[0] * planet.at[0] + planet.at[1] * planet.at[1];
                let pull = 6.674e-11 * *sun / (r2 * r2.sqrt());
                for k in 0..2 {
                    planet.v[k] -= *h * pull * planet.at[k];
                }
            }
            *y += planet.mass * planet.v[0] * planet.v[0] * 1e-33;
        }
    }

    #[test]
    fn a_planet_in_metres() {
        for (v, h) in [([0.0, 3e4], 86400.0), ([1e2, 2.9e4], 3600.0)] {
            let mut planet = Planet { mass: 6e24, at: [1.5e11, 0.0], v };
            let before = planet;
            let gradient = orbits::gradient(&mut planet, &2e30, &h, 1000);
            assert!(
                planet == before && gradient.d_sun.is_finite() && gradient.d_planet.v[1] != 0.0
            );
        }
    }

    /// A packet that runs over a ring: nearly nothing at most places where it is not yet.
    #[reversible]
    fn waves(y: &mut f64, u: &mut [f64], v: &mut [f64], n: usize) {
        for _ in 0..n {
            for k in 0..u.len() {
                v[k] += 0.1 * (u[(k + 1) % u.len()] - 2.0 * u[k] + u[(k + u.len() - 1) % u.len()]);
            }
            for k in 0..u.len() {
                u[k] += v[k];
            }
            *y += u[3] * u[3] * u[3];
        }
    }

    #[test]
    fn a_packet() {
        let mut u: Vec<f64> =
            (0..100).map(|k| (-0.02 * f64::powi(f64::from(k) - 50.0, 2)).exp()).collect();
        let mut v = vec![0.0; 100];
        let before = u.clone();
        waves::gradient(&mut u, &mut v, 500);
        assert_eq!(u, before);
    }
}

/// What only a check knows to be undone: where derivatives look at it, half of its digits must be
/// there, too.
mod taken_on_trust {
    use super::*;

    #[reversible]
    fn through_a_stack(y: &mut f64, x: &[f64], big: &f64) {
        #[compute]
        {
            let mut states = Stack::new();
            let mut sum = 0.0;
            for k in 0..x.len() {
                let mut v = x[k];
                sum += v * v;
                v += *big;
                states.push(&mut v);
                unlet!(v = 0.0);
            }
        }
        *y += sum;
    }

    #[reversible]
    fn through_a_map(y: &mut f64, x: &[f64], big: &f64) {
        #[compute]
        {
            let mut states = Map::new();
            let mut sum = 0.0;
            for k in 0..x.len() {
                let mut v = x[k];
                sum += v * v;
                v += *big;
                states.insert(k, &mut v);
                unlet!(v = 0.0);
            }
        }
        *y += sum;
    }

    #[reversible]
    fn by_exchange(y: &mut f64, x: &[f64], big: &f64) {
        #[compute]
        {
            let mut states = vec![0.0; x.len()];
            let mut sum = 0.0;
            for k in 0..x.len() {
                let mut v = x[k];
                sum += v * v;
                v += *big;
                swap(&mut v, &mut states[k]);
                unlet!(v = 0.0);
            }
        }
        *y += sum;
    }

    #[test]
    fn has_its_digits() {
        type Gradient = fn(&[f64], f64) -> f64;
        let gradients: [Gradient; 3] = [
            |x, big| through_a_stack::gradient(x, &big).d_x[1],
            |x, big| through_a_map::gradient(x, &big).d_x[1],
            |x, big| by_exchange::gradient(x, &big).d_x[1],
        ];
        for gradient in gradients {
            assert!((gradient(&[1e-5, 2e-5], 1e3) - 4e-5).abs() < 1e-12);
            for big in [1e8, 1e10, 1e12] {
                assert_eq!(broken(|| gradient(&[1e-5, 2e-5], big)), Broken::Digits);
            }
        }
    }

    #[reversible]
    fn grows(y: &mut f64, s: &f64, t: &f64) {
        let mut a = *s * *s;
        *y += a;
        a += *t;
        unlet!(a = *s * *s + *t);
    }

    #[reversible]
    fn grows_by_a_call(y: &mut f64, s: &f64, t: &f64) {
        let mut a = *s * *s;
        *y += a;
        by(&mut a, t);
        unlet!(a = *s * *s + *t);
    }

    #[reversible]
    fn by(a: &mut f64, t: &f64) {
        *a += *t;
    }

    /// The inverse begins with the larger value.
    #[test]
    fn is_measured_by_what_the_inverse_begins_with() {
        for k in 0..1000 {
            let (s, t) = (f64::from(k) * 1e-3 - 0.135_455_8, 1.096_809 * f64::from(k + 1));
            let mut y = 0.0;
            grows(&mut y, &s, &t);
            grows::inverse(&mut y, &s, &t);
            grows_by_a_call(&mut y, &s, &t);
            grows_by_a_call::inverse(&mut y, &s, &t);
        }
    }

    #[reversible]
    fn without_a_value(y: &mut f64, x: &f64) {
        #[compute]
        {
            let mut a = *x;
            let mut square = 0.0;
            square += a * a;
            a += x.ln();
        }
        *y += a * square;
    }

    #[test]
    fn nan_is_called_by_its_name() {
        assert_eq!(broken(|| without_a_value::gradient(&-1.0)), Broken::NotANumber);
    }
}
