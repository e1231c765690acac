//! Where numbers stand along an axis, and which of them are written there.

use crate::findings::{Axis, Unit};
use crate::format;

/// An axis with its ends.
#[derive(Clone, Debug)]
pub struct Scale<'a> {
    axis: &'a Axis,
    low: f64,
    high: f64,
}

impl<'a> Scale<'a> {
    /// From the least to the largest of what is shown, and a little further.
    pub fn new(axis: &'a Axis, values: impl Iterator<Item = f64>) -> Self {
        let shown = values.filter(|value| axis.shows(*value)).map(|value| axis.along(value));
        let (low, high) = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        // Lines do not lie on the frame, and a single value is in the middle.
        let room = if high > low { 0.04 * (high - low) } else { 0.5 };
        let from_zero = !axis.logarithmic && low >= 0.0 && low < 0.4 * high;
        let low = if from_zero { 0.0 } else { low - room };
        Scale { axis, low, high: high + room }
    }

    /// Where a number stands, from 0 to 1.
    pub fn place(&self, value: f64) -> f64 {
        (self.axis.along(value) - self.low) / (self.high - self.low)
    }

    /// Numbers to be written along the axis, at most so many.
    pub fn marks(&self, most: usize) -> Vec<(f64, String)> {
        let marks = match self.axis.logarithmic {
            true => self.powers(most),
            false => self.multiples(),
        };
        let every = marks.len().div_ceil(most).max(1);
        marks.into_iter().step_by(every).collect()
    }

    fn multiples(&self) -> Vec<(f64, String)> {
        let rough = (self.high - self.low) / 5.0;
        let unit = 10_f64.powf(rough.log10().floor());
        let step =
            unit * [1.0, 2.0, 5.0, 10.0].into_iter().find(|m| m * unit >= rough).unwrap_or(10.0);
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        (first..=last).map(|k| k as f64 * step).map(|value| (value, self.label(value))).collect()
    }

    /// Powers of ten, and where there are few of them, numbers between them too.
    fn powers(&self, most: usize) -> Vec<(f64, String)> {
        let (powers, all) = (self.round(&[1.0]), self.round(&[1.0, 2.0, 5.0]));
        if powers.len() > 2 || all.len() > most { powers } else { all }
    }

    /// Numbers of one of these digits.
    fn round(&self, digits: &[f64]) -> Vec<(f64, String)> {
        let multiples = |first: i32, last: i32| {
            (first..=last).flat_map(|k| digits.iter().map(move |digit| digit * 10_f64.powi(k)))
        };
        let within = |value: f64| (self.low..=self.high).contains(&value.log10());
        match self.axis.unit {
            Unit::Seconds => {
                let ends = TIMES.iter().skip(1).map(|(unit, _)| *unit).chain([f64::INFINITY]);
                TIMES
                    .iter()
                    .zip(ends)
                    .flat_map(|(&(unit, name), end)| {
                        multiples(0, 20)
                            .map(move |count| (count * unit, counted(count, name)))
                            .filter(move |(value, _)| *value < 0.999 * end && within(*value))
                    })
                    .collect()
            }
            Unit::One | Unit::Bytes => {
                let label = |value: f64| match (self.axis.unit, digits) {
                    (Unit::One, [1.0]) => power(value.log10().round() as i32),
                    _ => self.label(value),
                };
                multiples(self.low.floor() as i32, self.high.floor() as i32)
                    .filter(|value| within(*value))
                    .map(|value| (value, label(value)))
                    .collect()
            }
        }
    }

    fn label(&self, value: f64) -> String {
        match self.axis.unit {
            Unit::Bytes => format::bytes(value),
            Unit::Seconds => format::time(value),
            Unit::One => format::number(value),
        }
    }
}

impl Axis {
    /// Whether a number has a place on it.
    pub(super) fn shows(&self, value: f64) -> bool {
        value.is_finite() && (!self.logarithmic || value > 0.0)
    }

    fn along(&self, value: f64) -> f64 {
        if self.logarithmic { value.log10() } else { value }
    }
}

/// The units that suit times, in seconds.
const TIMES: [(f64, &str); 8] = [
    (1e-9, "ns"),
    (1e-6, "µs"),
    (1e-3, "ms"),
    (1.0, "s"),
    (60.0, "min"),
    (3600.0, "h"),
    (86_400.0, "days"),
    (86_400.0 * 365.25, "years"),
];

fn counted(count: f64, unit: &str) -> String {
    match unit {
        "days" | "years" if count == 1.0 => format!("1 {}", &unit[..unit.len() - 1]),
        _ => format!("{} {unit}", format::number(count)),
    }
}

/// A power of ten.
fn power(exponent: i32) -> String {
    if (-3..=4).contains(&exponent) {
        return format::number(10_f64.powi(exponent));
    }
    let raised = |digit| match digit {
        '-' => '⁻',
        digit => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize - '0' as usize).unwrap_or(digit),
    };
    format!("10{}", exponent.to_string().chars().map(raised).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, low: f64, high: f64) -> Vec<String> {
        let scale = Scale::new(axis, [low, high].into_iter());
        scale.marks(8).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn marks_are_round_and_few() {
        let linear = Axis::linear("");
        assert_eq!(labels(&linear, 0.0, 10.0), ["0", "5", "10"]);
        assert_eq!(labels(&linear, -1.0, 1.0), ["-1", "-0.5", "0", "0.5", "1"]);
        let logarithmic = Axis::logarithmic("");
        assert_eq!(labels(&logarithmic, 1.0, 1000.0), ["1", "10", "100", "1000"]);
        assert_eq!(labels(&logarithmic, 3.0, 40.0), ["5", "10", "20"]);
        assert_eq!(labels(&logarithmic, 3e4, 1.2e5), ["50000", "100000"]);
        let few = Scale::new(&logarithmic, [3e3, 7e5].into_iter()).marks(5);
        assert_eq!(few.iter().map(|(_, label)| label).collect::<Vec<_>>(), ["10000", "10⁵"]);
        assert!(labels(&logarithmic, 1e-14, 1e5).len() <= 8);
        assert_eq!(power(-9), "10⁻⁹");
    }

    #[test]
    fn marks_have_units() {
        let bytes = Axis::logarithmic("").of(Unit::Bytes);
        assert_eq!(labels(&bytes, 2e8, 4e11), ["1 GB", "10 GB", "100 GB"]);
        assert_eq!(labels(&bytes, 1.0, 1e20)[..2], ["1 B", "1 kB"]);
        let seconds = Axis::logarithmic("").of(Unit::Seconds);
        assert_eq!(labels(&seconds, 1500.0, 2.5e6), ["1 h", "10 h", "1 day", "10 days"]);
        assert_eq!(labels(&seconds, 0.2, 100.0), ["1 s", "10 s", "1 min"]);
        assert_eq!(labels(&seconds, 15.0, 200.0), ["20 s", "50 s", "1 min", "2 min"]);
        assert_eq!(labels(&seconds, 1e-9, 1e-6), ["1 ns", "10 ns", "100 ns", "1 µs"]);
        assert!(labels(&seconds, 3e8, 1e24).iter().all(|label| label.contains("year")));
    }

    #[test]
    fn what_is_shown_lies_within() {
        for axis in [Axis::linear(""), Axis::logarithmic("")] {
            let scale = Scale::new(&axis, [3.0, f64::NAN, 7.0].into_iter());
            assert!(0.0 < scale.place(3.0) && scale.place(3.0) < scale.place(7.0));
            assert!(scale.place(7.0) < 1.0);
            let single = Scale::new(&axis, [3.0].into_iter());
            assert!((single.place(3.0) - 0.5).abs() < 1e-12);
        }
    }
}
