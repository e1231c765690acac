use retrograde::prelude::*;

#[reversible]
fn f(y: &mut f64, x: &mut f64) {
    #[compute]
    {
        let mut n = 0.0;
        n += x.abs();
    }
    *y += n;
    *x += 1.0;
}

#[reversible]
fn made(y: &mut f64, x: &f64) {
    #[compute]
    {
        let mut n = 0.0;
        n += *x;
    }
    *y += n;
    n += 1.0;
}

#[reversible]
fn only_a_loop_knows(y: &mut i64, x: &mut [i64], order: &[usize], j: usize) {
    #[compute]
    {
        for k in order {
            x[0] += x[*k];
        }
    }
    *y += x[0];
    x[j] += 5;
}

#[derive(Clone, Differentiable)]
struct Net {
    sum: f64,
}

impl Net {
    #[reversible]
    fn forward(&mut self, x: &f64) {
        self.sum += *x;
    }
    #[reversible]
    fn loss(&self, y: &mut f64) {
        *y += self.sum;
    }
}

#[reversible]
fn by_a_method_that_only_reads(y: &mut f64, x: &f64, net: &mut Net) {
    #[compute]
    {
        net.forward(x);
    }
    net.loss(y);
}

fn main() {}
