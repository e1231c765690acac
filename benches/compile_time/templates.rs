//! The functions that are compiled: four kinds, each as a reversible function,
//! with its inverse by hand, and with its adjoints by hand (of the two kinds that
//! have a gradient). `NAME` and `BEFORE` are the function's name and that of the
//! one before it of the same kind, `C` is a constant.

/// One kind of function.
struct Kind {
    function: &'static str,
    inverse: &'static str,
    /// Nothing, for functions of integers.
    adjoints: &'static str,
    /// Calls of the last function of the kind and of what belongs to it, so that
    /// code is generated for all that is in use, in every crate alike. No argument
    /// is a constant: LLVM would make copies of the functions of the chain for it,
    /// put them into each other and unroll their loops, until the memory is full.
    uses: &'static str,
}

/// A module with so many reversible functions, under this attribute.
pub fn reversible(functions: usize, attribute: &str, adjoints: bool) -> String {
    let text = |kind: &Kind| kind.function.replace("pub fn", &format!("{attribute}\npub fn"));
    let uses = |kind: &Kind| kind.uses.to_string();
    "use retrograde::prelude::*;\n".to_string() + &instances(functions, adjoints, text, uses)
}

/// A module with the same functions, their inverses and perhaps their adjoints by hand.
pub fn by_hand(functions: usize, adjoints: bool) -> String {
    let text = |kind: &Kind| {
        let Kind { function, inverse, .. } = kind;
        let function = function.replace("!BEFORE(", "BEFORE_inverse(");
        let adjoints = if adjoints { kind.adjoints } else { "" };
        format!("{function}{inverse}{adjoints}")
    };
    let uses = |kind: &Kind| kind.uses.replace("::", "_");
    instances(functions, adjoints, text, uses)
}

fn instances(
    functions: usize,
    adjoints: bool,
    text: impl Fn(&Kind) -> String,
    uses: impl Fn(&Kind) -> String,
) -> String {
    let texts = KINDS.each_ref().map(text);
    let mut module = String::new();
    let mut write = |line: &str, k: usize| {
        module += &line
            .replace("NAME", &format!("function_{k}"))
            .replace("BEFORE", &format!("function_{}", k.wrapping_sub(KINDS.len())))
            .replace("C.0", &format!("{}.5", k % 7 + 1))
            .replace("C_I", &(k % 5 + 2).to_string());
        module.push('\n');
    };
    for k in 0..functions {
        let kind = k % KINDS.len();
        // The first of each kind has none before it: it is the end of the chain.
        let is_call = |line: &&str| line.trim_start().trim_start_matches('!').starts_with("BEFORE");
        let lines = texts[kind].lines().filter(|line| k >= KINDS.len() || !is_call(line));
        lines.for_each(|line| write(line, k));
    }
    for (kind, last) in KINDS.iter().zip(functions - KINDS.len()..) {
        let text = uses(kind);
        let lines = text.lines().filter(|line| adjoints || !line.contains("adjoint"));
        lines.for_each(|line| write(line, last));
    }
    module
}

const KINDS: [Kind; 4] = [SLICES, SCALARS, COUNTS, BITS];

const SLICES: Kind = Kind {
    function: "
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
    inverse: "
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
    adjoints: "
pub fn NAME_adjoint(
    y: &mut [f64],
    d_y: &mut [f64],
    z: &mut f64,
    d_z: &mut f64,
    x: &[f64],
    d_x: &mut [f64],
) {
    let n = x.len();
    let scale = x[0] * C.0 + x[n - 1];
    let last = x[n - 1].exp();
    *z += last;
    d_x[n - 1] -= *d_z * last;
    BEFORE_adjoint(y, d_y, z, d_z, x, d_x);
    *z -= scale * x[0];
    let mut d_scale = *d_z * x[0];
    d_x[0] += *d_z * scale;
    for i in (1..n).rev() {
        let (sine, cosine) = x[i].sin_cos();
        y[i] += cosine;
        d_x[i] += d_y[i] * sine;
        y[i] -= x[i - 1] * scale;
        d_x[i - 1] += d_y[i] * scale;
        d_scale += d_y[i] * x[i - 1];
    }
    for ((yi, xi), (d_yi, d_xi)) in y.iter_mut().zip(x).zip(d_y.iter_mut().zip(d_x.iter_mut())) {
        let square = *xi * *xi;
        let mut d_square = *d_yi * scale;
        if *xi > C.0 {
            let root = square.sqrt();
            *yi += root * scale;
            d_square -= *d_yi * scale * 0.5 / root;
            d_scale -= *d_yi * root;
        } else {
            let (sine, cosine) = xi.sin_cos();
            *yi -= sine * C.0;
            *d_xi += *d_yi * C.0 * cosine;
        }
        *yi -= scale * square + C.0;
        d_scale += *d_yi * square;
        *d_xi += 2.0 * d_square * *xi;
    }
    d_x[0] += d_scale * C.0;
    d_x[n - 1] += d_scale;
}
",
    uses: "
#[allow(unused)]
pub fn use_slices(y: &mut [f64], d_y: &mut [f64], x: &[f64], d_x: &mut [f64]) {
    let (mut z, mut d_z) = (0.0, 1.0);
    NAME(y, &mut z, x);
    NAME::adjoint(y, d_y, &mut z, &mut d_z, x, d_x);
    NAME::inverse(y, &mut z, x);
}
",
};

const SCALARS: Kind = Kind {
    function: "
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
    inverse: "
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
    adjoints: "
pub fn NAME_adjoint(
    a: &mut f64,
    d_a: &mut f64,
    b: &mut f64,
    d_b: &mut f64,
    theta: &f64,
    d_theta: &mut f64,
    steps: usize,
) {
    let (sine, cosine) = theta.sin_cos();
    let product = sine * cosine + C.0;
    *b += product * product;
    let mut d_product = *d_a - 2.0 * *d_b * product;
    *a -= product;
    BEFORE_inverse_adjoint(b, d_b, a, d_a, theta, d_theta, 2);
    BEFORE_adjoint(a, d_a, b, d_b, theta, d_theta, steps);
    let mut d_sine = 0.0;
    let mut d_cosine = 0.0;
    for _ in 0..steps {
        if product > C.0 {
            *b -= sine / C.0;
            d_sine += *d_b / C.0;
            *a += cosine * C.0;
            d_cosine -= *d_a * C.0;
        } else if sine > 0.5 {
            *b -= cosine * product;
            d_cosine += *d_b * product;
            d_product += *d_b * cosine;
        } else {
            let root = product.sqrt();
            *a -= root;
            d_product += *d_a * 0.5 / root;
        }
        *b += *a * sine;
        *d_a -= *d_b * sine;
        d_sine -= *d_b * *a;
        *a -= *b * product;
        *d_b += *d_a * product;
        d_product += *d_a * *b;
    }
    d_sine += d_product * cosine;
    d_cosine += d_product * sine;
    *d_theta += d_sine * cosine - d_cosine * sine;
}

pub fn NAME_inverse_adjoint(
    a: &mut f64,
    d_a: &mut f64,
    b: &mut f64,
    d_b: &mut f64,
    theta: &f64,
    d_theta: &mut f64,
    steps: usize,
) {
    let (sine, cosine) = theta.sin_cos();
    let product = sine * cosine + C.0;
    let mut d_product = 0.0;
    let mut d_sine = 0.0;
    let mut d_cosine = 0.0;
    for _ in 0..steps {
        *a += *b * product;
        *d_b -= *d_a * product;
        d_product -= *d_a * *b;
        *b -= *a * sine;
        *d_a += *d_b * sine;
        d_sine += *d_b * *a;
        if product > C.0 {
            *a -= cosine * C.0;
            d_cosine += *d_a * C.0;
            *b += sine / C.0;
            d_sine -= *d_b / C.0;
        } else if sine > 0.5 {
            *b += cosine * product;
            d_cosine -= *d_b * product;
            d_product -= *d_b * cosine;
        } else {
            let root = product.sqrt();
            *a += root;
            d_product -= *d_a * 0.5 / root;
        }
    }
    BEFORE_inverse_adjoint(a, d_a, b, d_b, theta, d_theta, steps);
    BEFORE_adjoint(b, d_b, a, d_a, theta, d_theta, 2);
    *a += product;
    d_product -= *d_a;
    *b -= product * product;
    d_product += 2.0 * *d_b * product;
    d_sine += d_product * cosine;
    d_cosine += d_product * sine;
    *d_theta += d_sine * cosine - d_cosine * sine;
}
",
    uses: "
#[allow(unused)]
pub fn use_scalars(a: &mut f64, d_a: &mut f64, theta: &f64, d_theta: &mut f64, steps: usize) {
    let (mut b, mut d_b) = (0.0, 1.0);
    NAME(a, &mut b, theta, steps);
    NAME::adjoint(a, d_a, &mut b, &mut d_b, theta, d_theta, steps);
    NAME::inverse(a, &mut b, theta, steps);
}
",
};

const COUNTS: Kind = Kind {
    function: "
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
    inverse: "
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
    adjoints: "",
    uses: "
#[allow(unused)]
pub fn use_counts(out: &mut [i64], total: &mut i64, weights: &[i64]) {
    NAME(out, total, weights);
    NAME::inverse(out, total, weights);
}
",
};

const BITS: Kind = Kind {
    function: "
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
    inverse: "
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
    adjoints: "",
    uses: "
#[allow(unused)]
pub fn use_bits(x: &mut u64, y: &mut u64, key: u64, rounds: u32) {
    NAME(x, y, key, rounds);
    NAME::inverse(x, y, key, rounds);
}
",
};
