//! The functions that are compiled: four kinds, each as a reversible function
//! and as two functions by hand. `NAME` and `BEFORE` are the function's name
//! and that of the one before it of the same kind, `C` is a constant.

/// A module with so many reversible functions.
pub fn reversible(functions: usize) -> String {
    let attribute = |(text, _): &(&str, &str)| text.replace("pub fn", "#[reversible]\npub fn");
    "use retrograde::prelude::*;\n".to_string() + &instances(functions, attribute)
}

/// A module with the same functions and their inverses by hand.
pub fn by_hand(functions: usize) -> String {
    let both = |(forward, inverse): &(&str, &str)| {
        let forward = forward.replace("!BEFORE(", "BEFORE_inverse(");
        format!("{forward}{inverse}")
    };
    instances(functions, both)
}

fn instances(functions: usize, text: impl Fn(&(&str, &str)) -> String) -> String {
    let texts = KINDS.each_ref().map(text);
    let mut module = String::new();
    for k in 0..functions {
        let kind = k % KINDS.len();
        // The first of each kind has none before it: it is the end of the chain.
        let is_call = |line: &&str| line.trim_start().trim_start_matches('!').starts_with("BEFORE");
        for line in texts[kind].lines().filter(|line| k >= KINDS.len() || !is_call(line)) {
            let line = line
                .replace("NAME", &format!("function_{k}"))
                .replace("BEFORE", &format!("function_{}", k.wrapping_sub(KINDS.len())))
                .replace("C.0", &format!("{}.5", k % 7 + 1))
                .replace("C_I", &(k % 5 + 2).to_string());
            module += &line;
            module.push('\n');
        }
    }
    module
}

const KINDS: [(&str, &str); 4] = [SLICES, SCALARS, COUNTS, BITS];

const SLICES: (&str, &str) = (
    "
pub fn NAME(y: &mut [f64], z: &mut f64, x: &[f64]) {
    let n = x.len();
    let scale = x[0] * C.0 + x[n - 1];
    for (yi, xi) in y.iter_mut().zip(x) {
        let square = *xi * *xi;
        *yi += scale * square + C.0;
        if *xi > C.0 {
            *yi -= square.sqrt() * scale;
        } else {
            *yi += xi.sin() * C.0;
        }
    }
    for i in 1..n {
        y[i] += x[i - 1] * scale;
        y[i] -= x[i].cos();
    }
    *z += scale * x[0];
    BEFORE(y, z, x);
    *z -= x[n - 1].exp();
}
",
    "
pub fn NAME_inverse(y: &mut [f64], z: &mut f64, x: &[f64]) {
    let n = x.len();
    let scale = x[0] * C.0 + x[n - 1];
    *z += x[n - 1].exp();
    BEFORE_inverse(y, z, x);
    *z -= scale * x[0];
    for i in (1..n).rev() {
        y[i] += x[i].cos();
        y[i] -= x[i - 1] * scale;
    }
    for (yi, xi) in y.iter_mut().zip(x).rev() {
        let square = *xi * *xi;
        if *xi > C.0 {
            *yi += square.sqrt() * scale;
        } else {
            *yi -= xi.sin() * C.0;
        }
        *yi -= scale * square + C.0;
    }
}
",
);

const SCALARS: (&str, &str) = (
    "
pub fn NAME(a: &mut f64, b: &mut f64, theta: &f64, steps: usize) {
    let sine = theta.sin();
    let cosine = theta.cos();
    let product = sine * cosine + C.0;
    for _ in 0..steps {
        *a += *b * product;
        *b -= *a * sine;
        if product > C.0 {
            *a -= cosine * C.0;
            *b += sine / C.0;
        } else if sine > 0.5 {
            *b += cosine * product;
        } else {
            *a += product.sqrt();
        }
    }
    BEFORE(a, b, theta, steps);
    !BEFORE(b, a, theta, 2);
    *a += product;
    *b -= product * product;
}
",
    "
pub fn NAME_inverse(a: &mut f64, b: &mut f64, theta: &f64, steps: usize) {
    let sine = theta.sin();
    let cosine = theta.cos();
    let product = sine * cosine + C.0;
    *b += product * product;
    *a -= product;
    BEFORE(b, a, theta, 2);
    BEFORE_inverse(a, b, theta, steps);
    for _ in (0..steps).rev() {
        if product > C.0 {
            *b -= sine / C.0;
            *a += cosine * C.0;
        } else if sine > 0.5 {
            *b -= cosine * product;
        } else {
            *a -= product.sqrt();
        }
        *b += *a * sine;
        *a -= *b * product;
    }
}
",
);

const COUNTS: (&str, &str) = (
    "
pub fn NAME(out: &mut [i64], total: &mut i64, weights: &[i64]) {
    let n = weights.len();
    let first = weights[0] * C_I;
    for i in 0..n {
        out[i] += weights[i] * C_I;
        for j in 0..i {
            let product = weights[j] * first;
            out[i] -= product;
            if product > C_I {
                out[i] += 1;
            }
        }
    }
    for w in weights {
        *total += *w * first;
    }
    BEFORE(out, total, weights);
    *total += weights[n - 1] + first;
    *total ^= first;
}
",
    "
pub fn NAME_inverse(out: &mut [i64], total: &mut i64, weights: &[i64]) {
    let n = weights.len();
    let first = weights[0] * C_I;
    *total ^= first;
    *total -= weights[n - 1] + first;
    BEFORE_inverse(out, total, weights);
    for w in weights.iter().rev() {
        *total -= *w * first;
    }
    for i in (0..n).rev() {
        for j in (0..i).rev() {
            let product = weights[j] * first;
            if product > C_I {
                out[i] -= 1;
            }
            out[i] += product;
        }
        out[i] -= weights[i] * C_I;
    }
}
",
);

const BITS: (&str, &str) = (
    "
pub fn NAME(x: &mut u64, y: &mut u64, key: u64, rounds: u32) {
    let low = key & 0xffff;
    let high = key >> 16;
    for round in 0..rounds {
        let mixed = low * C_I + high;
        *x ^= (*y << 3) + mixed;
        *y ^= (*x >> 5) ^ low;
        if mixed > 1000 {
            *x ^= high;
        } else {
            *y ^= high << C_I;
        }
        *x ^= u64::from(round);
    }
    BEFORE(x, y, low, rounds);
    *x ^= key;
    *y ^= high;
    !BEFORE(y, x, high, C_I);
    *y ^= low;
}
",
    "
pub fn NAME_inverse(x: &mut u64, y: &mut u64, key: u64, rounds: u32) {
    let low = key & 0xffff;
    let high = key >> 16;
    *y ^= low;
    BEFORE(y, x, high, C_I);
    *y ^= high;
    *x ^= key;
    BEFORE_inverse(x, y, low, rounds);
    for round in (0..rounds).rev() {
        let mixed = low * C_I + high;
        *x ^= u64::from(round);
        if mixed > 1000 {
            *x ^= high;
        } else {
            *y ^= high << C_I;
        }
        *y ^= (*x >> 5) ^ low;
        *x ^= (*y << 3) + mixed;
    }
}
",
);
