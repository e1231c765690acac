//! `match`, as a statement and in expressions.

use retrograde::prelude::*;
use retrograde::testing::assert_gradient;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    Add(i64),
    Take(i64),
    Swap,
    Times { by: i64, n: usize },
    Skip,
}

#[reversible(inverse_only)]
fn interpreted(r: &mut [i64; 2], ops: &[Op]) {
    for op in ops {
        match *op {
            Op::Add(n) if n > 5 => r[0] += n,
            Op::Add(n) | Op::Take(n) => {
                r[1] += n;
                r[0] ^= 3;
            }
            Op::Swap => swap(&mut r[0], &mut r[1]),
            Op::Times { by, n } => {
                for _ in 0..n {
                    r[0] += by;
                }
            }
            Op::Skip => {}
        }
    }
}

#[reversible]
fn of_integers(y: &mut i64, n: u8) {
    match n {
        0 => *y += 1,
        1..=3 | 7 => {
            *y += 2;
            *y ^= 1;
        }
        k if k % 2 == 0 => *y -= i64::from(k),
        _ => (),
    }
}

struct Machine {
    ops: Vec<Op>,
    r: [i64; 2],
}

impl Machine {
    #[reversible(inverse_only)]
    fn step(&mut self, k: usize) {
        if matches!(self.ops[k], Op::Swap) {
            self.r[0] += 1;
        }
        match self.ops[k] {
            Op::Swap => self.r[0] += 10,
            _ => self.r[1] += 1,
        }
    }
}

#[test]
fn takes_the_same_arm_back() {
    let ops = [Op::Add(7), Op::Add(2), Op::Take(1), Op::Swap, Op::Times { by: 3, n: 2 }, Op::Skip];
    let mut r = [1, 2];
    interpreted(&mut r, &ops);
    assert_eq!(r, [11, 8]);
    interpreted::inverse(&mut r, &ops);
    assert_eq!(r, [1, 2]);
    for (n, expected) in [6, 6, 6, 6, 1, 5, -1, 6, -3].into_iter().enumerate() {
        let mut y = 5;
        of_integers(&mut y, n as u8);
        assert_eq!(y, expected, "{n}");
        of_integers::inverse(&mut y, n as u8);
        assert_eq!(y, 5);
    }
    let mut machine = Machine { ops: ops.to_vec(), r: [0, 0] };
    machine.step(3);
    machine.step(0);
    assert_eq!(machine.r, [11, 1]);
    machine.step_inverse(0);
    machine.step_inverse(3);
    assert_eq!(machine.r, [0, 0]);
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    Linear,
    Square,
    Scaled(f64),
}

#[reversible]
fn by_law(y: &mut f64, x: &f64, #[constant] law: Law) {
    *y += match law {
        Law::Linear => *x,
        Law::Square => *x * *x,
        Law::Scaled(s) => s * *x,
    };
    let z = match law {
        Law::Linear => 1.0,
        _ => *x,
    };
    *y += z;
    match law {
        Law::Linear => *y += x.sin(),
        Law::Scaled(s) => *y += s * x.sin(),
        Law::Square => {}
    }
}

#[reversible]
fn of_a_number(y: &mut f64, x: &f64) {
    match *x {
        v if v > 0.0 => *y += v * v * v,
        v => *y -= v,
    }
}

#[test]
fn has_the_gradient_of_its_arm() {
    for law in [Law::Linear, Law::Square, Law::Scaled(3.0)] {
        let (mut y, mut dy, mut dx) = (0.0, 1.0, 0.0);
        by_law(&mut y, &2.0, law);
        by_law::adjoint(&mut y, &mut dy, &2.0, &mut dx, law);
        let expected = match law {
            Law::Linear => 1.0 + 2_f64.cos(),
            Law::Square => 5.0,
            Law::Scaled(s) => s + 1.0 + s * 2_f64.cos(),
        };
        assert!((dx - expected).abs() < 1e-12, "{law:?}: {dx}, expected {expected}");
        assert_eq!(y, 0.0);
    }
    let mut y = 0.5;
    assert_gradient!(of_a_number(&mut y, &2.0));
    assert_gradient!(of_a_number(&mut y, &-2.0));
}

#[derive(Clone, Copy)]
enum Force {
    Square,
    Scaled(f64),
}

#[differentiable]
fn force_of(x: f64, #[constant] force: Force) -> f64 {
    match force {
        Force::Square => x * x,
        Force::Scaled(by) => by * x.sin(),
    }
}

#[differentiable]
fn by_number<T: Real>(x: T, n: usize) -> T {
    let power = match n {
        0 => x,
        1 | 2 => x * x,
        _ => x.exp(),
    };
    power + x
}

#[reversible]
fn by_functions(y: &mut f64, x: &f64, #[constant] force: Force, n: usize) {
    *y += force_of(*x, force) * by_number(*x, n);
}

#[test]
fn pure_functions_match() {
    for n in [0, 2, 5] {
        for force in [Force::Square, Force::Scaled(3.0)] {
            assert_gradient!(by_functions(
                &mut 0.5,
                &0.75,
                #[constant]
                force,
                n
            ));
        }
    }
}
