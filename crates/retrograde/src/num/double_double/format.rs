//! Double-double numbers as decimals.

use super::DoubleDouble;
use std::fmt;

/// Significant digits, unless the format asks for something else.
const DIGITS: i32 = 31;

/// Decimals of a mantissa, enough for both halves; as an integer it must fit.
const WIDE: usize = 36;

/// `|x| ≈ digits · 10^exponent`.
struct Decimal {
    digits: u128,
    exponent: i32,
}

impl Decimal {
    /// At least 36 digits of a finite number.
    fn new(x: DoubleDouble) -> Self {
        let sign = if x.hi < 0.0 { -1 } else { 1 };
        let ((hi, exponent), (lo, lo_exponent)) = (scientific(x.hi), scientific(x.lo));
        // Of the lower half, the digits in places that the upper half has, too.
        let lo = match u32::try_from(exponent - lo_exponent) {
            Ok(places) => 10_i128.checked_pow(places).map_or(0, |power| lo / power),
            Err(_) => 0,
        };
        let digits = (sign * (hi + lo)).unsigned_abs();
        Decimal { digits, exponent: exponent - WIDE as i32 }
    }

    /// The exponent of the first digit.
    fn leading(&self) -> i32 {
        self.exponent + self.digits.checked_ilog10().unwrap_or(0) as i32
    }

    /// Rounds to multiples of `10^exponent`, ties to even.
    fn rounded(self, exponent: i32) -> Self {
        let dropped = exponent.saturating_sub(self.exponent);
        if dropped <= 0 {
            return self;
        }
        let digits = match 10_u128.checked_pow(dropped as u32) {
            Some(power) => {
                let (whole, rest) = (self.digits / power, self.digits % power);
                let up = rest > power / 2 || rest == power / 2 && whole % 2 == 1;
                whole + u128::from(up)
            }
            None => 0,
        };
        Decimal { digits, exponent }
    }

    /// Without zeros at the end.
    fn trimmed(mut self) -> Self {
        if self.digits == 0 {
            self.exponent = 0;
        }
        while self.digits != 0 && self.digits.is_multiple_of(10) {
            self.digits /= 10;
            self.exponent += 1;
        }
        self
    }

    /// `123.45`, with at least so many decimals.
    fn plain(&self, decimals: usize) -> String {
        let mut text = self.digits.to_string();
        if self.exponent > 0 && self.digits != 0 {
            text += &"0".repeat(self.exponent as usize);
        }
        let given = self.exponent.min(0).unsigned_abs() as usize;
        if text.len() <= given {
            text.insert_str(0, &"0".repeat(given + 1 - text.len()));
        }
        if given == 0 && decimals > 0 {
            text.push('.');
        } else if given > 0 {
            text.insert(text.len() - given, '.');
        }
        text + &"0".repeat(decimals.saturating_sub(given))
    }

    /// `1.2345e2`.
    fn with_exponent(&self) -> String {
        let mut text = self.digits.to_string();
        if text.len() > 1 {
            text.insert(1, '.');
        }
        format!("{text}e{}", self.leading())
    }
}

/// `x = digits · 10^(exponent − 36)`, rounded, with 37 digits.
fn scientific(x: f64) -> (i128, i32) {
    let text = format!("{x:.WIDE$e}").replace('.', "");
    let (digits, exponent) = text.split_once('e').expect("there is an exponent");
    (digits.parse().expect("37 digits fit"), exponent.parse().expect("it is small"))
}

impl DoubleDouble {
    /// Writes a finite number, or leaves it to `f64`.
    fn write(self, f: &mut fmt::Formatter<'_>, debug: bool) -> fmt::Result {
        if !self.hi.is_finite() {
            return fmt::Display::fmt(&self.hi, f);
        }
        let all = Decimal::new(self);
        let text = if let Some(wanted) = f.precision() {
            let wanted_exponent = i32::try_from(wanted).unwrap_or(i32::MAX);
            all.rounded(-wanted_exponent).trimmed().plain(wanted)
        } else {
            let last = all.leading() - DIGITS + 1;
            let short = all.rounded(last).trimmed();
            if debug && short.digits != 0 && !(-5..16).contains(&short.leading()) {
                short.with_exponent()
            } else {
                short.plain(usize::from(debug))
            }
        };
        f.pad_integral(self.hi.is_sign_positive(), "", &text)
    }
}

/// 31 digits, without zeros at the end, or as many decimals as the format asks
/// for (of which those after the 36th digit are zeros).
///
/// ```
/// # use retrograde::num::DoubleDouble;
/// assert_eq!(DoubleDouble::PI.to_string(), "3.14159265358979323846264338328");
/// assert_eq!(format!("{:+8.3}", DoubleDouble::PI), "  +3.142");
/// ```
impl fmt::Display for DoubleDouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, false)
    }
}

/// The same digits, in the manner of `f64`: whole numbers end in `.0`, and very
/// large and very small ones have an exponent.
///
/// ```
/// # use retrograde::num::DoubleDouble;
/// assert_eq!(format!("{:?}", DoubleDouble::from(2)), "2.0");
/// let small = DoubleDouble::from(1) / 3e20;
/// assert_eq!(format!("{small:?}"), "3.333333333333333333333333333333e-21");
/// ```
impl fmt::Debug for DoubleDouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, true)
    }
}
