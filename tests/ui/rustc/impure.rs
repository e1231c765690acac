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

fn main() {}
