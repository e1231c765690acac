//! Pure functions that decide on what their caller undoes.

use super::*;

#[differentiable]
fn gate(s: f64, x: f64) -> f64 {
    if s > 0.3 { x * x } else { 0.3 * x }
}

#[differentiable]
fn named(s: f64, x: f64) -> f64 {
    let twice = 2.0 * s;
    let open = twice > 0.6;
    if open { x * x } else { 0.0 }
}

#[differentiable]
fn rounded(s: f64, x: f64) -> f64 {
    x * (s + 0.7).floor()
}

#[differentiable]
fn at_an_index(s: f64, x: f64) -> f64 {
    let table = [1.0, 2.0, 3.0];
    x * table[(s.abs() + 0.7) as usize % 3]
}

/// Decides in what it calls.
#[differentiable]
fn passed_on(s: f64, x: f64) -> f64 {
    let moved = s + 0.0;
    if x < 100.0 { gate(moved, x) } else { x }
}

#[differentiable]
fn of_a_slice(s: &[f64], x: f64) -> f64 {
    if s[1] > 0.3 { x * x } else { 0.0 }
}

#[differentiable]
fn of_any_type<T: Real>(s: T, x: T) -> T {
    if s > 0.3 { x * x } else { T::zero() }
}

/// Decides, but not on what is undone.
#[differentiable]
fn elsewhere(s: f64, x: f64) -> f64 {
    if x > 0.0 { x * x + s } else { s }
}

#[differentiable]
fn smooth(s: f64, x: f64) -> f64 {
    (s * x).sin() + x.max(s)
}

/// In a `#[compute]` block, and with the way back in another call.
macro_rules! callers {
    ($($name:ident |$s:ident, $v:ident| $value:expr;)+) => {$(
        mod $name {
            use super::*;

            #[reversible]
            pub fn computed(y: &mut f64, x: &[f64]) {
                #[compute]
                {
                    let mut $s = [0.0, 0.0];
                    let mut all = 0.0;
                    for k in 0..x.len() {
                        let $v = x[k];
                        all += $value;
                        $s[1] += x[k];
                    }
                }
                *y += all;
            }

            #[reversible]
            pub fn in_two(y: &mut f64, $s: &mut [f64; 2], x: &[f64]) {
                for k in 0..x.len() {
                    {
                        let $v = x[k];
                        let value = $value;
                        *y += value;
                    }
                    $s[1] += x[k];
                }
            }
        }
    )+};
}

callers! {
    a_branch |s, v| gate(s[1], v);
    a_name |s, v| named(s[1], v);
    a_floor |s, v| rounded(s[1], v);
    an_index |s, v| at_an_index(s[1], v);
    called_on |s, v| passed_on(s[1], v);
    by_a_path |s, v| self::gate(s[1], v);
    a_slice |s, v| of_a_slice(&s[..], v);
    any_type |s, v| of_any_type(s[1], v);
    inside_a_branch |s, v| if v < 50.0 { gate(s[1], v) } else { 0.0 };
    inside_a_block |s, v| {
        let t = s[1];
        gate(t, v) + 1.0
    };
    not_on_what_is_undone |s, v| elsewhere(s[1], v);
    without_decisions |s, v| smooth(s[1], v);
}

/// 0.1 + 0.2 is more than 0.3, and comes back as 0.3.
const CLOSE: [f64; 5] = [0.1, 0.2, -0.3, 3.0, 0.7];
const FAR: [f64; 5] = [0.13, 0.22, -0.31, 3.0, 0.7];

#[test]
fn stop_at_decisions_that_are_too_close() {
    macro_rules! stop {
        ($($name:ident)+) => {$(
            assert_eq!(broken(|| $name::computed::gradient(&CLOSE)), Broken::Decision);
            let (mut y, mut s) = (0.0, [0.0; 2]);
            $name::in_two(&mut y, &mut s, &CLOSE);
            let back = || $name::in_two::inverse(&mut y, &mut s, &CLOSE);
            assert_eq!(broken(back), Broken::Decision);
            assert_right!($name, FAR);
        )+};
    }
    macro_rules! assert_right {
        ($name:ident, $x:expr) => {{
            let known: Vec<f64> = (0..5)
                .map(|i| {
                    let at = |h: f64| {
                        let (mut y, mut x) = (0.0, $x);
                        x[i] += h;
                        $name::computed(&mut y, &x);
                        y
                    };
                    (at(1e-6) - at(-1e-6)) / 2e-6
                })
                .collect();
            let near = |ours: &[f64], of: &str| {
                for (a, b) in ours.iter().zip(&known) {
                    assert!((a - b).abs() < 1e-6 * (1.0 + b.abs()), "{of}: {a} instead of {b}");
                }
            };
            near(&$name::computed::gradient(&$x).d_x, stringify!($name));
            let (mut y, mut s) = (0.0, [0.0; 2]);
            $name::in_two(&mut y, &mut s, &$x);
            let (mut d_y, mut d_s, mut d_x) = (1.0, [0.0; 2], [0.0; 5]);
            $name::in_two::adjoint(&mut y, &mut d_y, &mut s, &mut d_s, &$x, &mut d_x);
            near(&d_x, stringify!($name));
            assert!(y.abs() < 1e-14 && s[1].abs() < 1e-14);
        }};
    }
    stop!(a_branch a_name a_floor an_index called_on by_a_path a_slice any_type);
    stop!(inside_a_branch inside_a_block);
    assert_right!(not_on_what_is_undone, CLOSE);
    assert_right!(without_decisions, FAR);
}
