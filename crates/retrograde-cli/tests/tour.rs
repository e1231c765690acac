//! The tour that the program gives.

mod common;

use common::{retrograde, retrograde_with};

#[test]
fn it_shows_the_source_the_inverse_and_the_numbers() {
    let tour = retrograde(&["tour"]);
    assert_eq!((tour.code, tour.stderr.as_str()), (0, ""));
    for part in [
        // The source, the representations beside each other, the generated inverse.
        "    #[reversible]\n    pub fn complex_log(log: &mut Complex<f64>, z: &Complex<f64>) {\n",
        "      log.re += 0.5 * r2.ln()              log.im -= z.im.atan2(z.re)\n",
        "        log.im -= z.im.atan2(z.re);\n        log.re -= 0.5 * r2.ln();\n    }\n",
        "            drift::inverse(x, v, dt);\n            kick::inverse(v, x, dt);\n",
        // ln(3 + 4i) = ln 5 + i atan(4/3), and back.
        "complex_log(&mut log, &z);            log = 1.609438 + 0.927295i\n",
        "complex_log::inverse(&mut log, &z);   log = 0.000000 + 0.000000i\n",
        "orbit::inverse(&mut x, &mut v, &dt, 10_000);   x = (1.000000, 0.000000)\n",
        "`Fixed43`, the same function misses by 0:",
        // Where to go from here.
        "retrograde expand FILE.rs",
        "cargo test",
        "guide/",
    ] {
        assert!(tour.stdout.contains(part), "{part}\nis missing in\n{}", tour.stdout);
    }
}

#[test]
fn it_fits_a_terminal() {
    for line in retrograde(&["tour"]).stdout.lines() {
        assert!(line.chars().count() <= 90, "{line}");
        assert_eq!(line, line.trim_end());
    }
}

#[test]
fn colours_only_where_they_are_wanted() {
    let plain = retrograde(&["tour"]).stdout;
    assert!(!plain.contains('\x1b'));
    assert_eq!(retrograde(&["tour", "--color", "never"]).stdout, plain);
    let coloured = retrograde(&["tour", "--color", "always"]).stdout;
    assert!(coloured.contains("\x1b[35mpub\x1b[0m \x1b[35mfn\x1b[0m"));
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
    let forced = ("CLICOLOR_FORCE", "1");
    assert_eq!(retrograde_with(&[forced], &["tour"]).stdout, coloured);
    assert_eq!(retrograde_with(&[forced], &["tour", "--color", "never"]).stdout, plain);
    assert_eq!(retrograde_with(&[("NO_COLOR", "1")], &["tour"]).stdout, plain);
}
