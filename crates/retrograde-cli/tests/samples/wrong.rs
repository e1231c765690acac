//! Functions that cannot be reversed, and one that can.

#[reversible]
fn right(y: &mut f64, x: &f64) {
    *y += *x;
}

#[reversible]
fn assigns(y: &mut f64, x: &f64) -> f64 {
    *y = *x;
    return;
}

impl Body {
    #[reversible]
    fn forgets(&mut self, x: &f64) {
        loop {
            self.mass += *x;
        }
    }
}

#[reversible(both_ways)]
fn misnamed(y: &mut f64) {
    *y += 1.0;
}
