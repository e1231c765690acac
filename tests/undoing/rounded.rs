//! What was rounded has no slope, but what begins with it, or stands beside it, may have one.

use super::*;

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Bag {
    scale: f64,
    items: Vec<f64>,
}

macro_rules! bags {
    ($($name:ident: |$y:ident, $b:ident| $body:block)*) => {
        $(
            #[reversible]
            fn $name($y: &mut f64, p: &f64, $b: &mut Bag) {
                $body
                $b.items[1] += *p;
            }
        )*

        /// At and between whole numbers: the gradient is that of differences.
        #[test]
        fn gradients_go_past_what_is_rounded() {
            for rounded in [-3.7, -4.0, 0.0, 2.5] {
                let bag = |scale| Bag { scale, items: vec![1.0, 2.0, 3.0, rounded, 5.0] };
                $(
                    let value = |scale| {
                        let mut y = 0.0;
                        $name(&mut y, &1.0, &mut bag(scale));
                        y
                    };
                    let slope = (value(-1.9 + 1e-6) - value(-1.9 - 1e-6)) / 2e-6;
                    let found = $name::gradient(&1.0, &mut bag(-1.9)).d_b.scale;
                    let name = stringify!($name);
                    let near = (found - slope).abs() < 1e-6 * slope.abs().max(1.0);
                    assert!(near, "{name} at {rounded}: {found} instead of {slope}");
                )*
            }
        }
    };
}

bags! {
    branch: |y, b| {
        #[compute]
        {
            let mut s = 0.0;
            s += if b.items[3] > 9.0 { b.items[3].ceil() } else { b.scale };
        }
        *y += s;
    }
    larger: |y, b| {
        #[compute]
        {
            let mut s = 0.0;
            s += (b.items[3] - 9.0).ceil().max(b.scale);
        }
        *y += s;
    }
    array: |y, b| {
        #[compute]
        {
            let k = [b.items[3].ceil(), b.scale];
        }
        *y += k[1] * k[0];
    }
    vector: |y, b| {
        #[compute]
        {
            let k = vec![b.items[3].ceil(), b.scale];
        }
        *y += k[1] * k[0];
    }
    begins: |y, b| {
        #[compute]
        {
            let mut s = b.items[3].floor();
            s += b.scale;
        }
        *y += s * s;
    }
    begins_alone: |y, b| {
        let mut s = b.items[3].floor();
        s += b.scale;
        *y += s * s;
        s -= b.scale;
    }
    swapped: |y, b| {
        #[compute]
        {
            let mut s = b.items[3].round();
            let mut t = b.scale;
            swap(&mut s, &mut t);
        }
        *y += s * t;
    }
    parts: |y, b| {
        #[compute]
        {
            let r = b.items[3].floor();
            let mut pair = (r, r);
            pair.1 += b.scale;
            let k = r + b.scale;
            let mut l = vec![r; 3];
            for i in 0..3 {
                l[i] += k * r;
            }
        }
        *y += pair.1 * k;
        *y += l[1];
    }
}

#[reversible]
fn in_loops(y: &mut f64, x: &[f64]) {
    #[compute]
    {
        let mut q = 0.0;
        let mut n = 0.0;
        let mut m = 0;
        for v in x {
            q += *v;
            let r = q.round();
            n += (q - r) * *v;
            m += q.floor() as i64;
        }
        let mut i = 0;
        while (i < 3, i > 0) {
            i += 1;
            n += q.signum() * x[0];
            q += 0.3;
        }
    }
    *y += n * q + m as f64;
}

/// Where the values on the way back are not looked at, nothing is kept of what is rounded.
#[test]
fn loops_round_what_they_change() {
    let x = [0.7, -0.4, 1.3];
    let mut y = 0.5;
    in_loops(&mut y, &x);
    in_loops::inverse(&mut y, &x);
    assert_eq!(y, 0.5);
    let expected = [12.0, 4.25, 3.5];
    for (found, expected) in in_loops::gradient(&x).d_x.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
    }
}

/// A sign is decided, too.
#[reversible]
fn signs(y: &mut f64, x: &[f64]) {
    #[compute]
    {
        let mut t = 0.0;
        let mut s = 0.0;
        for k in 0..x.len() {
            s += x[k] * 1.0_f64.copysign(t - 0.3) * f64::copysign(2.0, t - 0.1);
            t += x[k];
        }
    }
    *y += s;
}

#[test]
fn signs_are_recalled() {
    // 0.1 + 0.1 + 0.1 is more than 0.3.
    let at = signs::gradient(&[0.1, 0.1, 0.1, 0.2, -0.1, 0.3]);
    assert_eq!(at.d_x, [2.0, -2.0, -2.0, 2.0, 2.0, 2.0]);
}
