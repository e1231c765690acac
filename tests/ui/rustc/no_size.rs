use retrograde::prelude::*;

trait Smooth {
    #[reversible]
    fn smooth(&mut self, by: &f64);
}

impl Smooth for [f64] {
    #[reversible]
    fn smooth(&mut self, by: &f64) {
        for i in 1..self.len() {
            self[i] += *by * self[i - 1];
        }
    }
}

#[reversible]
fn calls_it(x: &mut [f64], by: &f64) {
    x.smooth(by);
}

fn main() {}
