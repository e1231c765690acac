//! Reversible functions wherever a function can stand.

use retrograde::prelude::*;

/// A free function.
#[reversible]
pub fn norm(out: &mut f64, x: &[f64]) {
    #[compute]
    {
        let mut sum = 0.0;
        for v in x {
            sum += *v * *v;
        }
    }
    *out += sum.sqrt();
}

struct Counter {
    count: i64,
}

impl Counter {
    #[reversible]
    fn count_down(&mut self, n: &i64) {
        let mut k = 0;
        while (k < *n, k > 0) {
            k += 1;
            self.count -= k;
        }
        unlet!(k = *n);
    }
}

trait Layer {
    #[reversible]
    fn apply(&self, y: &mut f64, x: &f64);

    #[reversible]
    fn apply_twice(&self, y: &mut f64, x: &f64) {
        self.apply(y, x);
        self.apply(y, x);
    }
}

mod inner {
    #[retrograde::reversible]
    pub fn bounce(place: &mut i32, speed: &mut i32) {
        if (*speed > 0 && *place == 9, *speed < 0 && *place == 9) {
            super::neg(speed);
        }
        *place += *speed;
    }
}

fn not_reversible() {
    #[reversible]
    fn local(y: &mut u32) {
        *y ^= 0b101;
    }
    local(&mut 1);
}
