//! Temporaries, ancillas, and what is computed and undone.

use crate::{check_forms, forms};
use retrograde::prelude::*;
use retrograde::testing::{assert_gradient, assert_reversible};

#[derive(Clone, Copy, Debug, PartialEq, AdditiveGroup, Differentiable)]
pub struct Pair<T> {
    pub a: T,
    pub b: T,
}

forms! {
    fn temporaries(y, x) {
        let n = x.len();
        let positive = x[0] > 0.0;
        let a = x[0] * x[1];
        let (b, c) = (a.sin(), x[2]);
        let [first, second] = [b * c, a];
        let ((deep, _), rest) = ((first * second, n), x[n - 1]);
        let pair = (first, second * second);
        let Pair { a: left, b: right } = Pair { a: deep, b: rest * rest };
        {
            let inner = pair.0 * pair.1 + left;
            y[0] += inner * right;
        }
        if positive {
            y[1] += a * b * c;
        }
        y[2] -= deep + second;
    }

    fn temporaries_of_temporaries(y, x) {
        let a = x[0] + x[1];
        let b = a * a;
        let c = b * a - x[2];
        let d = (c.sin(), b);
        y[0] += d.0 * d.1 * a;
        let copy = d;
        y[1] += copy.0;
        let _unused = x[3];
        y[2] += c / b;
    }

    fn references(y, x) {
        let r = &x[0];
        let slice = &x[1..3];
        let inner = &slice[1..];
        y[0] += *r * slice[0] + inner[0] * x[1];
        {
            let target = &mut y[1];
            *target += inner[0] * x[2] + slice[1] * *r;
        }
        let rest = &mut y[2..];
        rest[0] -= x[1] * x[3] * slice[0];
    }

    fn split_references(y, x) {
        let (left, right) = x.split_at(1);
        let (middle, end) = right.split_at(2);
        y[0] += left[0] * middle[1] * end[0];
        y[1] -= middle[0] * middle[1];
        y[2] += left[0] * x[0] * x[2] * right[1];
    }

    fn ancillas(y, x) {
        let mut a = 0.0;
        a += x[0] * x[1];
        let mut b = 1.0;
        b -= a * a;
        y[0] += b * x[2];
        y[1] -= a;
        b += a * a;
        a -= x[0] * x[1];
    }

    #[allow(clippy::useless_vec)]
    fn literals_that_are_read_first(y, x) {
        let mut a = 2.0;
        y[0] += a.sin() * x[0];
        a += x[1];
        y[1] += a * a;
        a -= x[1];
        let mut b = [0.5, 1.5];
        y[2] += b[1] * x[2];
        for i in 0..2 {
            b[i] += x[i] * x[i];
        }
        y[0] -= b[0].exp() / b[1];
        for i in 0..2 {
            b[i] -= x[i] * x[i];
        }
        let c = 2.5;
        y[1] += c * x[3];
        let mut v = vec![1.25; 3];
        y[2] += x[3] * v[2];
        if c > 1.0 {
            let mut d = -1.0;
            y[0] += -d * x[2];
            d += x[2];
            y[0] += d.powi(2);
            d -= x[2];
        }
    }

    fn ancillas_from_active_values(y, x) {
        let mut a = x[0] * x[1];
        let mut b = a * x[2];
        a += x[2].sin();
        b += a * a;
        y[0] += b * x[3];
        y[1] -= a;
        b -= a * a;
        a -= x[2].sin();
    }

    fn ancilla_arrays(y, x) {
        let mut buffer = [0.0, x[0], x[1] * x[1]];
        buffer[0] += buffer[1] * buffer[2];
        buffer[1] -= buffer[0] * x[2];
        for i in 0..3 {
            y[i] += buffer[i] * x[3];
        }
        buffer[1] += buffer[0] * x[2];
        buffer[0] -= buffer[1] * buffer[2];
    }

    fn ancilla_vectors(y, x) {
        let mut copy = x.to_vec();
        let mut zeros = vec![T::zero(); 3];
        let mut listed = vec![x[0], x[1] * x[1]];
        for i in 1..4 {
            copy[i] += copy[i - 1] * copy[0];
        }
        for i in 0..3 {
            zeros[i] += copy[i + 1];
        }
        listed[0] += zeros[1];
        y[0] += zeros[0] * zeros[2] + listed[0] * listed[1];
        y[1] += copy[3];
        listed[0] -= zeros[1];
        for i in 0..3 {
            zeros[i] -= copy[i + 1];
        }
        for i in (1..4).rev() {
            copy[i] -= copy[i - 1] * copy[0];
        }
    }

    fn ancilla_structs(y, x) {
        let mut pair = Pair { a: x[0], b: x[1] * x[2] };
        let mut tuple = (x[3], (x[0] * x[0], x[1]));
        pair.a += pair.b * x[3];
        tuple.1.1 += tuple.1.0 * pair.a;
        y[0] += pair.a * tuple.1.1;
        y[1] -= tuple.0 * pair.b;
        tuple.1.1 -= tuple.1.0 * pair.a;
        pair.a -= pair.b * x[3];
        let mut whole = Pair { a: x[3], b: x[2] };
        whole += Pair { a: x[0], b: x[1] };
        y[2] += whole.a * whole.b;
        whole -= Pair { a: x[0], b: x[1] };
    }

    fn unlets(y, x) {
        let mut k = 0.0;
        k += x[0];
        y[2] += k * x[1];
        unlet!(k = x[0]);
        let mut grown = x[0] * x[2];
        grown += x[1];
        y[1] += grown * grown;
        unlet!(grown = x[0] * x[2] + x[1]);
        let mut moved = x[3];
        moved -= x[3] * 2.0;
        y[0] += moved * x[1];
        unlet!(moved = -x[3]);
        let mut buffer = [x[0], x[1]];
        buffer[0] += x[2];
        y[0] -= buffer[0] * buffer[1];
        unlet!(buffer = [x[0] + x[2], x[1]]);
    }

    fn computes(y, x) {
        #[compute]
        {
            let mut total = 0.0;
            for v in x {
                #[compute]
                {
                    let mut square = 1.0;
                    square += *v * *v;
                    #[compute]
                    {
                        let mut root = T::zero();
                        root += square.sqrt();
                    }
                    let half = root * 0.5;
                }
                total += half * square;
            }
            let mean = total / 4.0;
        }
        y[0] += mean.ln();
        y[1] -= total * mean;
        #[compute]
        {
            let mut later = mean;
            later += y[0];
        }
        y[2] += later * later;
    }

    fn computes_that_change_arguments(y, x) {
        #[compute]
        {
            y[0] -= x[0] * y[1];
            y[1] += y[0] * x[1];
        }
        y[2] += y[0] * y[0] * y[1];
    }

    fn computes_by_loops_and_branches(y, x) {
        #[compute]
        {
            let mut scan = [0.0, 0.0, 0.0, 0.0];
            scan[0] += x[0];
            for i in 1..4 {
                scan[i] += scan[i - 1] * x[i];
            }
            let mut k = 0;
            let mut series = x[2];
            while (k < 3, k > 0) {
                series += scan[k] * 0.5;
                k += 1;
            }
            if x[3] > 0.0 {
                series -= x[3] * scan[3];
            } else {
                series += scan[2];
            }
        }
        y[0] += series.sin();
        y[1] += scan[1] * scan[3];
        y[2] -= series * scan[2];
    }

    fn computes_in_blocks(y, x) {
        for i in 0..3 {
            {
                #[compute]
                {
                    let mut a = x[i];
                    a += x[i + 1] * x[0];
                }
                y[i] += a * a;
            }
            if x[i] > 0.0 {
                #[compute]
                {
                    let mut b = x[i] * x[i];
                    b -= x[3];
                }
                y[i] -= b * x[1];
            }
        }
    }

    fn checks_that_are_left_out(y, x) {
        #[unchecked]
        {
            let mut a = 0.0;
            a += x[0] * x[1];
            y[0] += a * a;
            a -= x[0] * x[1];
        }
        #[unchecked]
        let mut b = x[2];
        b += y[0];
        y[1] += b * x[3];
        b -= y[0];
    }

    fn host_code(y, x) {
        let a = x[0] * x[1];
        host! {
            assert!(a < x[2], "{a:?} is a small number");
        }
        y[0] += a * x[2];
        host! {
            assert_eq!(y.len(), x.len() - 1);
        }
        y[1] += y[0] * a;
    }
}

#[test]
fn lets() {
    check_forms!(temporaries temporaries_of_temporaries references split_references);
}

#[test]
fn ancillas() {
    check_forms!(ancillas ancillas_from_active_values ancilla_arrays ancilla_vectors);
    check_forms!(ancilla_structs unlets literals_that_are_read_first);
}

#[test]
fn compute_copy_uncompute() {
    check_forms!(computes computes_that_change_arguments computes_by_loops_and_branches);
    check_forms!(computes_in_blocks);
    check_forms!(computes_in_blocks computes_by_loops_and_branches; crate::gradient_harness::Y, [-0.7, 1.3, 0.6, -0.4]);
}

#[test]
fn attributes_and_macros() {
    check_forms!(checks_that_are_left_out host_code);
}

#[reversible]
fn repeated(y: &mut [f64], x: &[f64]) {
    let mut copies = [x[2]; 3];
    copies[1] += x[3];
    y[0] += copies[0] * copies[1] * copies[2];
    copies[1] -= x[3];
    let mut filled = vec![x[0] * x[1]; 2];
    filled[0] += x[2];
    y[1] += filled[0] * filled[1];
    filled[0] -= x[2];
}

#[test]
fn ancillas_that_repeat_a_value() {
    let mut y = crate::gradient_harness::Y;
    assert_gradient!(repeated(&mut y, &crate::gradient_harness::X));
}

#[test]
fn tuples_of_ancillas_with_types() {
    #[reversible]
    fn of_both<T: Real>(y: &mut T, x: &T) {
        #[compute]
        {
            let (mut a, b, mut c): (T, f64, T) = (T::zero(), 2.0, T::one());
            a += x.sin();
            c += a * *x;
        }
        *y += (a * c).scaled(b);
    }
    assert_gradient!(of_both(&mut 0.3, &0.7));
    assert_reversible!(of_both(&mut 0.3, &0.7));
}

/// A `let` ends at its last use: then what it read may change.
#[reversible]
fn ended(sum: &mut f64, phase: &mut f64, step: &f64, x: &[f64]) {
    let at = *phase as usize;
    *sum += x[at] * *phase;
    *phase += *step;
    let square = *phase * *phase;
    let more = square.sin() + *step;
    *sum += more * square;
    *phase += *step * *step;
}

#[test]
fn end_at_their_last_use() {
    let (mut sum, mut phase) = (0.5, 1.25);
    assert_gradient!(ended(&mut sum, &mut phase, &0.75, &[1.0, 2.0, 3.0]));
}

#[reversible]
fn area1(y: &mut f64, x: &f64) {
    let boxed = Box::new(*x * 2.0);
    *y += *boxed * *boxed;
}

#[reversible]
fn area_1(y: &mut f64, x: &f32, #[constant] t: f64, of: fn(f64) -> f64) {
    *y += of(t) * f64::from(*x);
}

#[reversible]
fn _area1(y: &mut f64, x: &[f64]) {
    let boxed = Box::new((x[0], x[1] * x[1]));
    *y += boxed.0 * boxed.1;
}

#[test]
fn names_that_differ_by_an_underscore() {
    assert_eq!(area1::gradient(&1.5), Area1Gradient { value: 9.0, d_x: 12.0 });
    let found = area_1::gradient(&1.5, 2.0, |t| t * t);
    assert_eq!(found, Area_1Gradient { value: 6.0, d_x: 4.0 });
    assert_eq!(_area1::gradient(&[3.0, 2.0]), _Area1Gradient { value: 12.0, d_x: vec![4.0, 12.0] });
}
