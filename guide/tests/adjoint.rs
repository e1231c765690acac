//! The adjoint that a chapter goes through line by line is the one that the
//! compiler makes, and it computes the numbers that stand beside the lines.

use retrograde::derivative::pull;
use retrograde::num::Complex;
use retrograde_compiler::expand::{Options, Which};
use retrograde_compiler::find;

const CHAPTER: &str = include_str!("../src/adjoint_line_by_line.md");

/// The programs of a chapter, without hidden lines.
fn programs(chapter: &str) -> Vec<String> {
    let texts = chapter.split("\n```rust\n").skip(1).map(|rest| {
        let (text, _) = rest.split_once("\n```").expect("the end of the program");
        let lines = text.lines().filter(|line| !line.starts_with("# "));
        lines.flat_map(|line| [line, "\n"]).collect()
    });
    texts.collect()
}

/// What the compiler makes of a function.
fn compiled(source: &str, which: Which) -> String {
    let file = syn::parse_file(source).expect("the function parses");
    let options = Options { readable: true, ..Options::default() };
    let directions = find::reversible(&file)[0].compile(options).expect("the function is right");
    let file = syn::parse2(directions.emit_one(which)).expect("valid Rust");
    prettyplease::unparse(&file)
}

#[test]
fn the_listings_are_those_of_the_compiler() {
    let [source, inverse, adjoint] = &programs(CHAPTER)[..] else { panic!("three programs") };
    assert_eq!(*inverse, compiled(source, Which::Inverse));
    assert_eq!(*adjoint, compiled(source, Which::Adjoint));
}

#[test]
fn so_is_the_one_of_how_it_works() {
    let chapter = include_str!("../src/how_it_works.md");
    let (_, section) = chapter.split_once("\n## Differentiation\n").expect("the heading");
    let [source, adjoint, ..] = &programs(section)[..] else { panic!("two programs") };
    assert_eq!(*adjoint, compiled(source, Which::Adjoint));
}

/// The adjoint of [`CHAPTER`], with what the last column says of each line.
#[test]
#[allow(unused_mut)]
fn the_table_is_right() {
    let x = Complex::new(3.0_f64, 4.0);
    let mut y = x.ln();
    let (d_y, mut d_x) = (Complex::new(1.0, 1.0), Complex::new(0.0, 0.0));
    let mut seen: Vec<(&str, &str, f64)> = Vec::new();
    macro_rules! line {
        ($name:literal $value:expr; $($line:tt)+) => {
            $($line)+
            seen.push((stringify!($($line)+), $name, $value));
        };
    }
    line!("squares" squares; let mut squares = 0.0;);
    line!("squares" squares; squares += x.re.powi(2););
    line!("squares" squares; squares += x.im.powi(2););
    line!("n" n; let mut n = 0.0;);
    line!("n" n; n += squares.sqrt(););
    line!("y.im" y.im; y.im -= x.im.atan2(x.re););
    line!("d_x.im" d_x.im; d_x.im += pull::atan2_left(&d_y.im, &x.im, &x.re););
    line!("d_x.re" d_x.re; d_x.re += pull::atan2_right(&d_y.im, &x.im, &x.re););
    line!("y.re" y.re; y.re -= n.ln(););
    line!("d_n" d_n; let mut d_n = pull::ln(&d_y.re, &n););
    line!("v1" v1; let v1 = squares.sqrt(););
    line!("d_squares" d_squares; let mut d_squares = pull::sqrt(&d_n, &v1););
    line!("d_x.im" d_x.im; d_x.im += pull::powi(&d_squares, &x.im, 2););
    line!("d_x.re" d_x.re; d_x.re += pull::powi(&d_squares, &x.re, 2););

    let (_, table) = CHAPTER.split_once("| line | what it does | after it |").expect("the table");
    let rows: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), seen.len());
    let listing = &programs(CHAPTER)[2];
    let lines = listing.lines().skip_while(|line| *line != ") {").skip(1);
    for ((row, line), (ran, name, value)) in rows.into_iter().zip(lines).zip(seen) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [shown, _, after] = cells[..] else { panic!("three cells: {row}") };
        let plain = |text: &str| text.replace(char::is_whitespace, "");
        assert_eq!(plain(line), plain(ran));
        // An ellipsis stands for arguments.
        let mut rest = line.trim();
        for part in shown.trim_matches('`').split('…') {
            let (_, after) = rest.split_once(part).unwrap_or_else(|| panic!("{row}: {line}"));
            rest = after;
        }
        let (shown_name, number) = after.split_once(" = ").expect("a name and a number");
        assert_eq!(shown_name.trim_matches('`'), name, "{row}");
        let number: f64 = number.replace('−', "-").parse().expect("a number");
        assert!((number - value).abs() < 1e-15, "{row}: {value}");
    }
}
