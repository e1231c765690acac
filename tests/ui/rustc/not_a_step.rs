use retrograde::prelude::*;
use retrograde::schedule::{Run, Schedule};

/// Without the number of the step.
#[reversible]
fn season(next: &mut f64, now: &f64, growth: &f64) {
    *next += *growth * *now * (1.0 - *now);
}

fn main() {
    let run = Run::new(season {}, 1000, Schedule::StoreAll);
    run.gradient(&0.5_f64, &2.5_f64, |_end, d_end| *d_end = 1.0);
}
