//! What is made where it stands: tuples and options for a call, the ends of a range, and blocks
//! that end in a `match`.

use retrograde::prelude::*;
use retrograde::testing::assert_gradient;

#[reversible]
fn product<T: Real>(y: &mut T, pair: (T, T)) {
    *y += pair.0 * pair.1;
}

#[reversible]
fn times(y: &mut f64, by: (usize, usize), x: &f64) {
    *y += *x * by.0 as f64;
}

#[differentiable]
fn square_length(p: (f64, f64)) -> f64 {
    p.0 * p.0 + p.1 * p.1
}

#[reversible]
fn tuples(y: &mut f64, i: usize, x: &f64) {
    times(y, (i, 1), x);
    for k in 0..2 {
        times(y, (k, i + 1), x);
    }
    product(y, (*x, 2.0 * *x));
    let z = *x * 3.0;
    product(y, (z, *x));
    *y += square_length((z, 1.0));
}

#[reversible]
fn any_tuples<T: Real>(y: &mut T, x: &T) {
    product(y, (*x, 2.0 * *x));
    let z = *x * 3.0;
    product(y, (z, T::one()));
}

#[reversible]
fn entries(m: &mut Map<(usize, usize), f64>, i: usize, j: usize, x: &f64) {
    m.insert_copy((i, j), x);
}

#[test]
fn tuples_by_value() {
    // 3 x + x + 2 x² + 3 x² + 9 x² + 1
    assert_gradient!(tuples(&mut 0.5, 3, &2.0));
    assert_eq!(tuples::gradient(3, &2.0).d_x, 4.0 + 28.0 * 2.0);
    assert_eq!(any_tuples::gradient(&2.0_f32).d_x, 8.0 + 3.0);
    let mut m = Map::new();
    entries(&mut m, 1, 2, &1.5);
    entries::inverse(&mut m, 1, 2, &1.5);
    assert!(m.is_empty());
}

#[reversible]
fn squares_in(y: &mut f64, z: &Option<f64>) {
    for v in z.iter() {
        *y += *v * *v;
    }
}

#[reversible]
fn options(y: &mut f64, x: &[f64]) {
    squares_in(y, &Some(x[0] * 2.0));
    let z = Some(x[0]);
    squares_in(y, &z);
    let mut w = Some(x[1]);
    for v in w.iter_mut() {
        *v += x[0];
    }
    squares_in(y, &w);
    for v in w.iter_mut() {
        *v -= x[0];
    }
}

#[test]
fn options_of_what_carries_a_gradient() {
    assert_gradient!(options(&mut 0.5, &[2.0, 3.0]));
    assert_eq!(options::gradient(&[2.0, 3.0]).d_x, [16.0 + 4.0 + 10.0, 10.0]);
}

#[reversible]
fn as_far_as_a_float(y: &mut f64, s: &mut f64) {
    for i in 0..*s as usize {
        *y += *s * i as f64;
    }
    for i in (1..=*s as usize + 1).rev() {
        *y += *s * i as f64;
    }
    *s += 1.0;
    for i in 0..s.floor() as usize {
        *y += *s * i as f64;
    }
}

#[test]
fn ranges_that_end_at_a_float() {
    assert_gradient!(as_far_as_a_float(&mut 0.5, &mut 2.5));
    assert_eq!(as_far_as_a_float::gradient(&mut 2.5).d_s, 1.0 + 6.0 + 3.0);
}

#[reversible]
fn matches_at_the_end(y: &mut f64, x: &f64, k: i32) {
    let t = {
        let q = *x;
        match k {
            0 => q,
            1 => q * q,
            _ => {
                if let Some(3) = Some(k) {
                    q
                } else {
                    -q
                }
            }
        }
    };
    *y += t;
    *y += if k > 0 {
        t
    } else {
        match k {
            0 => t * t,
            _ => 1.0,
        }
    };
    if k > 0 {
        match k {
            1 => *y += *x,
            _ => {}
        }
    }
}

#[test]
fn blocks_that_end_in_a_match() {
    for k in -1..4 {
        assert_gradient!(matches_at_the_end(&mut 0.5, &3.0, k));
    }
    assert_eq!(matches_at_the_end::gradient(&3.0, 1).d_x, 6.0 + 6.0 + 1.0);
    assert_eq!(matches_at_the_end::gradient(&3.0, 3).d_x, 1.0 + 1.0);
}
