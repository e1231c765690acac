use retrograde::prelude::*;

struct Counter(u32);

impl Counter {
    fn count(&mut self) -> u32 {
        self.0 += 1;
        self.0
    }

    #[reversible]
    fn method(&mut self, y: &mut u32) {
        *y += self.count();
    }
}

fn drain(xs: &mut Vec<u32>) -> u32 {
    xs.drain(..).sum()
}

#[reversible]
fn in_an_expression(y: &mut u32, counter: &mut Counter) {
    *y += 2 * counter.count();
}

#[reversible]
fn in_a_condition(y: &mut u32, xs: &mut Vec<u32>) {
    if drain(xs) > 3 {
        *y += 1;
    }
}

#[reversible]
fn in_a_let(y: &mut u32, counter: &mut Counter) {
    let n = counter.count();
    *y += n;
}

#[reversible]
fn in_a_macro(y: &mut i64, x: &mut i64, xs: &mut Vec<i64>) {
    *y += if matches!({ *x += 1; *x }, 3) { 1 } else { 2 };
    *y += vec![xs.pop().unwrap(); 2][0];
}

#[reversible]
fn by_a_mutable_getter(y: &mut i64, xs: &mut Vec<Vec<i64>>) {
    *y += xs.last_mut().unwrap().pop().unwrap();
}

#[reversible]
fn in_an_index(xs: &mut [f64], counter: &mut Counter) {
    xs[counter.count() as usize] += 1.0;
}

#[reversible(inverse_only)]
fn in_an_argument(y: &mut f64, xs: &[f64], counter: &mut Counter) {
    add(y, &xs[counter.count() as usize]);
    add(y, &(counter.count() as f64));
}

#[reversible]
fn in_a_bound(y: &mut u32, counter: &mut Counter) {
    for i in 0..counter.count() {
        *y += i;
    }
}

#[reversible]
fn in_a_view(xs: &mut [f64], counter: &mut Counter) {
    let row = &mut xs[counter.count() as usize..];
    row[0] += 1.0;
}

#[reversible]
fn add(y: &mut f64, x: &f64) {
    *y += *x;
}

fn main() {}
