use retrograde::prelude::*;

#[reversible]
fn returns(x: &f64) -> f64 {
    *x
}

#[reversible]
async fn waits(x: &mut f64) {
    *x += 1.0;
}

#[reversible]
const fn constant(x: &mut f64) {
    *x += 1.0;
}

#[reversible]
fn by_value(mut x: f64, y: &mut f64) {
    *y += x;
}

#[reversible]
fn pattern((a, b): (f64, f64), y: &mut f64) {
    *y += a + b;
}

struct Point(f64);

impl Point {
    #[reversible]
    fn own(mut self, y: &mut f64) {
        self.0 += 1.0;
        *y += self.0;
    }
}

fn main() {}
