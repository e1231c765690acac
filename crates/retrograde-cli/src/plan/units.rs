//! Numbers with units, read and shown.

/// Why a text is no such number, and what would be.
type Wrong = (String, &'static str);

const SIZE: &str = "a size is a number of bytes, or has a unit: 4096, 10GB, 1.5MiB";

/// A number of steps: `10000`, `10_000`, `1e6`.
pub fn steps(text: &str) -> Result<usize, Wrong> {
    let help = "the number of steps is a whole number, at least 1: 10000, 10_000 or 1e4";
    let digits = text.replace('_', "");
    let whole = digits.parse::<usize>().ok().or_else(|| {
        let number: f64 = digits.parse().ok()?;
        // Beyond this, not all whole numbers can be told apart.
        (number.fract() == 0.0 && (0.0..9e15).contains(&number)).then_some(number as usize)
    });
    match whole {
        None => Err((format!("`{text}` is no number of steps"), help)),
        Some(0) => Err(("a run of no steps needs no plan".into(), help)),
        Some(steps) => Ok(steps),
    }
}

/// A size: `4096`, `10GB`, `1.5 MiB`.
pub fn bytes(text: &str) -> Result<u128, Wrong> {
    let wrong = || (format!("`{text}` is no size"), SIZE);
    let trimmed = text.trim();
    // The `e` of `1e9` belongs to the number.
    let letters = |c: char| c.is_alphabetic() && !matches!(c, 'e');
    let split = trimmed.find(letters).unwrap_or(trimmed.len());
    let (number, unit) = trimmed.split_at(split);
    let unit = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1_u64,
        "k" | "kb" => 1000,
        "m" | "mb" => 1000_u64.pow(2),
        "g" | "gb" => 1000_u64.pow(3),
        "t" | "tb" => 1000_u64.pow(4),
        "ki" | "kib" => 1 << 10,
        "mi" | "mib" => 1 << 20,
        "gi" | "gib" => 1 << 30,
        "ti" | "tib" => 1 << 40,
        _ => return Err(wrong()),
    };
    let number = number.trim().replace('_', "");
    let size = match number.parse::<u64>() {
        Ok(whole) => u128::from(whole) * u128::from(unit),
        Err(_) => {
            let number: f64 = number.parse().map_err(|_| wrong())?;
            if number < 0.0 {
                return Err((format!("`{text}` is less than nothing"), SIZE));
            }
            if !number.is_finite() || number * unit as f64 > 1e30 {
                return Err(wrong());
            }
            (number * unit as f64).round() as u128
        }
    };
    if size == 0 { Err((format!("`{text}` is nothing"), SIZE)) } else { Ok(size) }
}

/// A time: `0.05`, `1e-6`.
pub fn seconds(text: &str) -> Result<f64, Wrong> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds.is_finite() => Ok(seconds),
        _ => Err((
            format!("`{text}` is no time"),
            "a time is a number of seconds above 0: 0.05, 1e-6",
        )),
    }
}

/// With three digits.
pub fn three(number: f64) -> String {
    let decimals = match number {
        ..10.0 => 2,
        ..100.0 => 1,
        _ => 0,
    };
    format!("{number:.decimals$}")
}

const UNITS: [&str; 7] = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];

/// In the unit that fits.
pub fn show_bytes(bytes: u128) -> String {
    let (mut number, mut unit) = (bytes as f64, 0);
    while number >= 999.5 && unit + 1 < UNITS.len() {
        number /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{} {}", three(number), UNITS[unit]) }
}

/// In the unit that fits.
pub fn show_seconds(seconds: f64) -> String {
    let units = [
        (1e-9, 1e-6, "ns"),
        (1e-6, 1e-3, "µs"),
        (1e-3, 1.0, "ms"),
        (1.0, 120.0, "s"),
        (60.0, 7200.0, "min"),
        (3600.0, 172_800.0, "h"),
        (86_400.0, 86_400.0 * 730.0, "days"),
    ];
    match units.into_iter().find(|(_, below, _)| seconds < *below) {
        Some((unit, _, name)) => format!("{} {name}", three(seconds / unit)),
        None => {
            let years = seconds / (86_400.0 * 365.25);
            if years < 1e6 {
                format!("{} years", three(years))
            } else {
                format!("{years:.1e} years")
            }
        }
    }
}

/// With spaces between thousands; beyond a billion, rounded.
pub fn grouped(number: u128) -> String {
    if number >= 1_000_000_000_000 {
        return format!("{:.3e}", number as f64);
    }
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, size) in [
            ("4096", 4096),
            ("10GB", 10_000_000_000),
            ("1.5MiB", 1_572_864),
            ("1.5 mib", 1_572_864),
            ("2k", 2000),
            ("3Ki", 3072),
            ("1e9", 1_000_000_000),
            ("1_000B", 1000),
            ("18446744073709551615TiB", u128::from(u64::MAX) << 40),
        ] {
            assert_eq!(bytes(text), Ok(size), "{text}");
        }
        for text in ["", "GB", "1.2.3MB", "5 parsecs", "-3MB", "0", "0GB", "nanB", "infB", "1e40"] {
            assert!(bytes(text).is_err(), "{text}");
        }
        assert_eq!(show_bytes(32_000_000), "32.0 MB");
        assert_eq!(show_bytes(999), "999 B");
        assert_eq!(show_bytes(999_999), "1.00 MB");
    }

    #[test]
    fn numbers_of_steps() {
        assert_eq!(steps("10_000"), Ok(10_000));
        assert_eq!(steps("1e6"), Ok(1_000_000));
        for text in ["0", "-5", "1.5", "many", "1e30", ""] {
            assert!(steps(text).is_err(), "{text}");
        }
        assert_eq!(grouped(1234567), "1 234 567");
        assert_eq!(grouped(12), "12");
        assert_eq!(grouped(5 * 10_u128.pow(20)), "5.000e20");
    }

    #[test]
    fn times() {
        assert_eq!(seconds("1e-6"), Ok(1e-6));
        for text in ["0", "-1", "inf", "NaN", "soon"] {
            assert!(seconds(text).is_err(), "{text}");
        }
        assert_eq!(show_seconds(0.0125), "12.5 ms");
        assert_eq!(show_seconds(90.0), "90.0 s");
        assert_eq!(show_seconds(3.6e4), "10.0 h");
        assert_eq!(show_seconds(1e9), "31.7 years");
        assert_eq!(show_seconds(1e20), "3.2e12 years");
    }
}
