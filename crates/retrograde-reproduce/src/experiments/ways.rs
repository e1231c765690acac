//! What an objective and its derivative take in each way.

use crate::findings::{Cell, Plot};
use crate::measure::Times;

/// The names of what is measured: the objective, plain and reversible, then its derivative.
pub const PLAIN: &str = "plain";
pub const REVERSIBLE: &str = "reversible";
pub const DERIVATIVE: &str = "derivative";
pub const BY_HAND: &str = "by hand";
pub const FORWARD: &str = "forward";
pub const NUM_DUAL: &str = "num-dual";

/// Seconds.
pub struct Ways {
    pub plain: f64,
    pub reversible: f64,
    pub derivative: f64,
    pub by_hand: f64,
    /// By our dual numbers, where there is time for it.
    pub forward: Option<f64>,
    /// By those of `num-dual`.
    pub num_dual: Option<f64>,
    /// Where there is time for them.
    pub tapes: [Option<f64>; 2],
}

impl Ways {
    /// Of contenders with the names above, and those of the tapes.
    pub fn new(times: &Times) -> Self {
        Ways {
            plain: times.of(PLAIN),
            reversible: times.of(REVERSIBLE),
            derivative: times.of(DERIVATIVE),
            by_hand: times.of(BY_HAND),
            forward: times.get(FORWARD),
            num_dual: times.get(NUM_DUAL),
            tapes: ["aad", "reverse"].map(|name| times.get(name)),
        }
    }

    /// A time over that of the plain objective.
    pub fn over_plain(&self, time: impl Into<Option<f64>>) -> Cell {
        time.into().map(|time| Cell::Ratio(time / self.plain)).into()
    }

    /// Draws all of them, each over its size and in so many parts.
    pub fn draw(plot: &mut Plot, derivative: &str, ways: &[(f64, f64, &Ways)]) {
        let mut line = |name: &str, time: &dyn Fn(&Ways) -> Option<f64>| {
            let point =
                |(size, parts, ways): &(f64, f64, &Ways)| Some((*size, time(ways)? / parts));
            plot.line(name, ways.iter().filter_map(point));
        };
        line(derivative, &|ways| Some(ways.derivative));
        line("by hand", &|ways| Some(ways.by_hand));
        line("objective", &|ways| Some(ways.plain));
        line("forward", &|ways| ways.forward);
        line("num-dual", &|ways| ways.num_dual);
        line("tape aad", &|ways| ways.tapes[0]);
        line("tape reverse", &|ways| ways.tapes[1]);
    }
}

/// The largest of some numbers that are not negative.
pub fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, f64::max)
}
