//! How numbers are written, in the terminal and in the report.

use crate::findings::Cell;

/// What stands in a cell, as text.
pub fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Nothing => String::new(),
        Cell::Text(text) => text.clone(),
        Cell::Time(seconds) => time(*seconds),
        Cell::Ratio(ratio) => self::ratio(*ratio),
        Cell::Bytes(bytes) => self::bytes(*bytes),
        Cell::Count(count) => grouped(*count),
        Cell::Number(number) => self::number(*number),
    }
}

/// What stands in a cell, for a program to read: seconds, bytes, and no units.
pub fn raw(cell: &Cell) -> String {
    match cell {
        Cell::Nothing => String::new(),
        Cell::Text(text) => text.clone(),
        Cell::Time(x) | Cell::Ratio(x) | Cell::Bytes(x) | Cell::Number(x) => x.to_string(),
        Cell::Count(count) => count.to_string(),
    }
}

/// How many times as large as something else.
pub fn ratio(ratio: f64) -> String {
    format!("{}×", digits(ratio, 3))
}

/// A time, in the unit that suits it.
pub fn time(seconds: f64) -> String {
    scaled(seconds, &[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")])
}

/// Memory, in the unit that suits it.
pub fn bytes(bytes: f64) -> String {
    const UNITS: [(f64, &str); 7] = [
        (1e18, "EB"),
        (1e15, "PB"),
        (1e12, "TB"),
        (1e9, "GB"),
        (1e6, "MB"),
        (1e3, "kB"),
        (1.0, "B"),
    ];
    scaled(bytes, &UNITS)
}

fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    let last = units[units.len() - 1];
    let (unit, name) = *units.iter().find(|(unit, _)| value.abs() >= *unit).unwrap_or(&last);
    format!("{} {name}", digits(value / unit, 3))
}

/// A number with four digits, and a power of ten where it is very large or small.
pub fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        size if (1e-3..1e6).contains(&size) => digits(value, 4),
        _ => format!("{value:.2e}"),
    }
}

/// So many digits that count, but all that are before the point.
fn digits(value: f64, count: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let before = value.abs().log10().floor() as i64 + 1;
    let after = (count as i64 - before).clamp(0, 9) as usize;
    let text = format!("{value:.after$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// 1234567 as 1,234,567.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_suit_the_size() {
        assert_eq!(time(0.0123), "12.3 ms");
        assert_eq!(time(2.0), "2 s");
        assert_eq!(time(3.5e-10), "0.35 ns");
        assert_eq!(bytes(0.0), "0 B");
        assert_eq!(bytes(23.69 * 1024.0), "24.3 kB");
        assert_eq!(cell(&Cell::Ratio(1.0)), "1×");
        assert_eq!(cell(&Cell::Ratio(1234.5)), "1234×");
        assert_eq!(number(6.234873084873294e-5), "6.23e-5");
        assert_eq!(number(-317178.3340912648), "-317178");
        assert_eq!(number(1.5), "1.5");
    }

    #[test]
    fn large_counts_are_grouped() {
        assert_eq!([0, 999, 1000, 9_125_125].map(grouped), ["0", "999", "1,000", "9,125,125"]);
    }
}
