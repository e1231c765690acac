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

/// A program whose operands are integers.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Calculator {
    r: [f64; 2],
    #[constant]
    ops: Vec<Operation>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    Add(i64),
    At(usize, i64),
    Swap,
}

impl Calculator {
    #[reversible]
    fn step(&mut self, k: usize) {
        match self.ops[k] {
            Operation::Add(n) => self.r[0] += n as f64 * self.r[1],
            Operation::At(i, n) if i < 2 => self.r[i] += n as f64,
            Operation::At(_, _) => {}
            Operation::Swap => swap(&mut self.r[0], &mut self.r[1]),
        }
    }

    #[reversible]
    fn run(&mut self, y: &mut f64) {
        #[compute]
        {
            for k in 0..self.ops.len() {
                self.step(k);
            }
        }
        *y += self.r[0] * self.r[1];
    }

    #[reversible]
    fn ask(&self, y: &mut f64, x: &f64, k: usize) {
        *y += match self.ops[k] {
            Operation::Add(n) | Operation::At(_, n) => *x * n as f64,
            Operation::Swap => *x * *x,
        };
        if let Operation::At(i, n) = self.ops[k] {
            #[compute]
            {
                let mut a = 0.0;
                a += self.r[i] * n as f64;
            }
            *y += a * a;
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Counter {
    r: [i32; 4],
    ops: Vec<Operation>,
}

impl Counter {
    #[reversible]
    fn run(&mut self) {
        for k in 0..self.ops.len() {
            match self.ops[k] {
                Operation::Add(n) => self.r[0] += n as i32,
                Operation::At(i, _) => self.r[i] += 10,
                Operation::Swap => swap(&mut self.r[0], &mut self.r[1]),
            }
        }
    }
}

#[test]
fn integers_are_taken_out_of_what_may_carry_a_gradient() {
    let ops = vec![Operation::Add(3), Operation::At(1, 4), Operation::Swap];
    let all = Calculator { r: [1.5, 2.0], ops: ops.clone() };
    assert_gradient!(Calculator::run(&mut all.clone(), &mut 0.0));
    for k in 0..3 {
        assert_gradient!(Calculator::ask(&all, &mut 0.0, &0.5, k));
    }
    let mut counter = Counter { r: [1, 2, 3, 4], ops };
    counter.run();
    assert_eq!(counter.r, [12, 4, 3, 4]);
    counter.run_inverse();
    assert_eq!(counter.r, [1, 2, 3, 4]);
}

#[reversible]
fn of_pairs<T: Real>(y: &mut T, x: &[T], pairs: &[(i32, bool)]) {
    for pair in pairs {
        match *pair {
            (0, true) => *y += x[0],
            (_, false) => *y += x[1] * x[0],
            (a, _) => *y += T::from_f64(f64::from(a)) * x[0],
        }
    }
}

#[test]
fn arms_of_all_values() {
    let pairs = [(3, true), (0, true), (1, false)];
    assert_gradient!(of_pairs(&mut 0.5, &[1.0, 2.0], &pairs));
}

enum Tree {
    Leaf(i64),
    List(Vec<i64>),
    Named(String),
    Two([i64; 2]),
    Inner(Box<Tree>),
}

#[reversible(inverse_only)]
fn add_all(r: &mut i64, v: &[i64]) {
    for x in v {
        *r += *x;
    }
}

#[reversible(inverse_only)]
fn add_length(r: &mut i64, name: &str) {
    *r += name.len() as i64;
}

#[reversible(inverse_only)]
fn add_tree(r: &mut i64, tree: &Tree) {
    match tree {
        Tree::Leaf(n) => *r += *n,
        Tree::List(v) => add_all(r, v),
        Tree::Named(name) => add_length(r, name),
        Tree::Two(v) => {
            add_all(r, v);
            add_all(r, &v[..]);
        }
        Tree::Inner(inner) => add_tree(r, inner),
    }
}

fn largest(v: &[i64]) -> i64 {
    v.iter().copied().max().unwrap_or(0)
}

#[reversible(inverse_only)]
fn add_largest(r: &mut i64, trees: &[Tree]) {
    for tree in trees {
        if let Tree::List(v) = tree {
            *r += largest(v) + largest(&v[1..]);
        }
    }
}

#[test]
fn what_is_bound_is_lent_as_what_is_expected() {
    let trees = [
        Tree::Leaf(1),
        Tree::List(vec![3, 4]),
        Tree::Named("abc".into()),
        Tree::Two([5, 6]),
        Tree::Inner(Box::new(Tree::Inner(Box::new(Tree::Leaf(7))))),
    ];
    for (tree, expected) in trees.iter().zip([1, 7, 3, 22, 7]) {
        let mut r = 1;
        add_tree(&mut r, tree);
        assert_eq!(r, 1 + expected);
        add_tree::inverse(&mut r, tree);
        assert_eq!(r, 1);
    }
    let mut r = 0;
    add_largest(&mut r, &trees);
    assert_eq!(r, 8);
}
