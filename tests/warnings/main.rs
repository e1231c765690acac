#![warn(unused, nonstandard_style, clippy::all)]

mod unused {
    use retrograde::prelude::*;

    #[reversible]
    pub fn names(
        y: &mut f64,
        x: &f64,
        argument: &f64, //~ unused variable: `argument`
        _meant: &f64,
    ) {
        let temporary = *x * 2.0; //~ unused variable: `temporary`
        let mut ancilla = 1.0; //~ unused variable: `ancilla`
        let _nothing = *x;
        for pass in 0..3 {
            //~^ unused variable: `pass`
            *y += *x;
        }
        {
            let twice = *x; //~ unused variable: `twice`
            *y += 1.0;
        }
        {
            let twice = 2.0 * *x;
            *y += twice;
        }
    }

    #[derive(Clone, Copy)]
    pub struct Pair {
        pub a: i64,
        pub b: i64,
    }

    pub enum Op {
        Add(i64),
        Skip(i64),
    }

    #[reversible]
    pub fn patterns(y: &mut i64, p: &Pair, op: &Op) {
        let Pair { a, b } = *p; //~ unused variable: `b`
        *y += a;
        match op {
            Op::Add(n) => *y += *n,
            Op::Skip(n) => {} //~ unused variable: `n`
        }
    }

    #[reversible]
    pub fn arms(y: &mut i64, t: (i32, bool), p: &Pair) {
        match t {
            (0, true) => *y += 1000,
            (_, false) => *y += 2000,
            (a, _) => *y += i64::from(a),
        }
        match *p {
            Pair { a: 0, b } => *y += b,
            Pair { a, b } => *y += a * b,
        }
        match t {
            (a, b) if b == (a > 2) => *y += i64::from(a),
            _ => *y += 3,
        }
    }

    #[reversible]
    fn nobody(y: &mut f64, x: &f64) {
        //~^ function `nobody` is never used
        *y += *x;
    }

    #[reversible]
    fn generic<T: Real>(y: &mut T, x: &[T]) {
        //~^ function `generic` is never used
        for v in x {
            *y += *v * *v;
        }
    }

    #[reversible]
    fn recursive(y: &mut u64, n: &u64) {
        //~^ function `recursive` is never used
        if *n > 0 {
            let m = *n - 1;
            recursive(y, &m);
            *y += 1;
        }
    }

    #[differentiable]
    fn pure(x: f64) -> f64 {
        //~^ function `pure` is never used
        x * x
    }

    #[differentiable]
    pub fn square(x: f64, weight: f64) -> f64 {
        //~^ unused variable: `weight`
        let half = x / 2.0; //~ unused variable: `half`
        x * x
    }

    pub struct State {
        pub a: f64,
    }

    impl State {
        #[reversible]
        pub fn step(&mut self, x: &f64, dt: f64) {
            //~^ unused variable: `dt`
            self.a += *x;
        }

        #[reversible]
        fn nobody(&mut self, x: &f64) {
            //~^ methods `nobody` and `plain` are never used
            self.a += *x;
        }

        #[reversible(inverse_only)]
        fn kept(&mut self, x: &f64) {
            self.a += *x;
        }

        fn plain(&self) -> f64 {
            self.a
        }
    }
}

/// What looks unused and is not.
mod used {
    use retrograde::prelude::*;

    macro_rules! scaled {
        ($visibility:vis $name:ident by $factor:literal) => {
            #[reversible]
            $visibility fn $name(y: &mut f64, x: &f64) {
                *y += $factor * *x;
            }
        };
    }
    scaled!(twice by 2.0);
    scaled!(pub(crate) thrice by 3.0);

    #[reversible]
    fn backwards(y: &mut f64, x: &f64) {
        *y += *x;
    }

    #[reversible]
    fn with_gradient(y: &mut f64, x: &f64) {
        *y += *x * *x;
    }

    #[reversible]
    fn with_adjoint(y: &mut f64, x: &f64) {
        *y += *x * *x;
    }

    #[reversible]
    fn as_value(y: &mut f64, x: &f64) {
        *y += *x;
    }

    #[reversible]
    fn uncalled(y: &mut f64, x: &f64) {
        *y += *x;
    }

    /// Only the inverse and the checks look at it.
    fn limit() -> f64 {
        2.0
    }

    #[reversible]
    #[unchecked]
    fn afterwards(y: &mut f64, #[constant] x: f64) {
        if (*y > 1.0, *y > limit()) {
            *y += x;
        }
    }

    #[reversible]
    fn released(y: &mut i64, x: &i64, n: &i64) {
        let start = *x;
        let mut a = start;
        a += *n;
        *y += a;
        unlet!(a = start + *n);
    }

    #[reversible]
    fn shown(y: &mut f64, x: &f64, name: &str) {
        let seen = *x;
        *y += *x;
        host! { println!("{name}: {seen}"); }
    }

    #[reversible]
    fn computed(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let n = x.len();
            let mut sum = 0.0;
            for v in x {
                sum += *v;
            }
        }
        let mean = sum / n as f64;
        *y += mean * mean;
    }

    fn undo(x: &mut f64) {
        *x += 1.0;
    }

    #[instruction(inverse = undo)]
    fn less(x: &mut f64) {
        *x -= 1.0;
    }

    fn slope(x: f64) -> f64 {
        x.cos()
    }

    #[differentiable(derivative = slope)]
    fn wave(x: f64) -> f64 {
        x.sin()
    }

    pub struct Account(f64);

    impl Account {
        fn deposit(&mut self, x: &f64) {
            self.0 += *x;
        }
        fn deposit_inverse(&mut self, x: &f64) {
            self.0 -= *x;
        }
        /// Only its adjoint is called.
        #[reversible]
        fn interest(&self, y: &mut f64, #[constant] rate: f64) {
            *y += rate * self.0;
        }
        /// Only its inverse is called.
        #[reversible]
        fn earn(&mut self, x: &f64) {
            self.0 += *x;
        }
        #[reversible(associated)]
        fn exchange(a: &mut f64, x: &f64) {
            *a += *x;
        }
    }

    impl Clone for Account {
        fn clone(&self) -> Self {
            Account(self.0)
        }
    }

    impl Differentiable for Account {
        fn zero_like(&self) -> Self {
            Account(0.0)
        }
        fn accumulate_shadow(&mut self, other: Self) {
            self.0 += other.0;
        }
        fn retract_shadow(&mut self, other: Self) {
            self.0 -= other.0;
        }
    }

    #[reversible(inverse_only)]
    fn save(account: &mut Account, x: &f64) {
        account.deposit(x);
    }

    trait Moves {
        #[reversible]
        fn step(&mut self, x: &i64);
        #[reversible]
        fn stay(&mut self, x: &i64);
    }

    struct Cart(i64);

    impl Moves for Cart {
        #[reversible]
        fn step(&mut self, x: &i64) {
            self.0 += *x;
        }
        #[reversible]
        fn stay(&mut self, _x: &i64) {}
    }

    #[reversible]
    fn all(y: &mut f64, x: &f64, k: &mut i64) {
        !uncalled(y, x);
        afterwards(y, 1.0);
        released(k, &3, &4);
        shown(y, x, "x");
        *y += wave(*x);
    }

    #[reversible(inverse_only)]
    fn twice_less(x: &mut f64) {
        less(x);
        less(x);
    }

    pub fn run() -> f64 {
        let (mut y, mut d_y, mut d_x, mut k) = (0.0, 1.0, 0.0, 0);
        backwards::inverse(&mut y, &1.0);
        with_adjoint::adjoint(&mut y, &mut d_y, &1.0, &mut d_x);
        as_value {}.call((&mut y, &1.0));
        all(&mut y, &1.0, &mut k);
        twice(&mut y, &1.0);
        thrice::inverse(&mut y, &1.0);
        computed(&mut y, &[1.0, 2.0]);
        twice_less(&mut y);
        let mut account = Account(1.0);
        save(&mut account, &2.0);
        account.interest_adjoint(&mut Account(0.0), &mut y, &mut 1.0, 0.1);
        account.earn_inverse(&2.0);
        Account::exchange_inverse(&mut y, &0.0);
        let mut cart = Cart(0);
        cart.step(&1);
        cart.stay(&1);
        y + with_gradient::gradient(&1.0).d_x + cart.0 as f64 + k as f64
    }
}

fn main() {
    let (mut y, mut n) = (0.0, 0);
    unused::names(&mut y, &1.0, &2.0, &3.0);
    let pair = unused::Pair { a: 1, b: 2 };
    unused::patterns(&mut n, &pair, &unused::Op::Add(pair.b));
    unused::patterns(&mut n, &pair, &unused::Op::Skip(1));
    let mut state = unused::State { a: 1.0 };
    state.step(&1.0, 0.1);
    println!("{} {n}", y + state.a + unused::square(1.0, 2.0) + used::run());
}
