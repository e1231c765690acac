//! The table of edges in the chapter on rules: every cell is tried out, by the
//! adjoint and by dual numbers.

use retrograde::prelude::*;

/// A row of the table: the expression, where, and the derivatives.
type Row = (String, Vec<String>);

fn cell(number: Option<f64>) -> String {
    // A negative zero is a zero.
    number.map_or(String::new(), |x| if x == 0.0 { "0".into() } else { x.to_string() })
}

/// The derivatives by adjoint, which must be those by dual numbers.
macro_rules! row {
    (@adjoint $a:ident = $x:expr, $b:ident = $z:expr; $($expression:tt)+) => {{
        #[reversible]
        fn number(y: &mut f64, $a: &f64, $b: &f64) {
            *y += $($expression)+;
        }
        let (x, z): (f64, f64) = ($x, $z);
        let by = number::gradient(&x, &z);
        let cells = [x, z, by.d_a, by.d_b].map(|x| cell(Some(x)));
        ((plain(stringify!($($expression)+)), cells.to_vec()), [by.d_a, by.d_b])
    }};
    (@adjoint $a:ident = $x:expr; $($expression:tt)+) => {{
        #[reversible]
        fn number(y: &mut f64, $a: &f64) {
            *y += $($expression)+;
        }
        let x: f64 = $x;
        let by = number::gradient(&x);
        let cells = [Some(x), None, Some(by.d_a), None].map(cell);
        ((plain(stringify!($($expression)+)), cells.to_vec()), by.d_a)
    }};
    ($a:ident = $x:expr; $($expression:tt)+) => {{
        let (row, by) = row!(@adjoint $a = $x; $($expression)+);
        #[reversible]
        fn dual(y: &mut Dual<f64>, $a: &Dual<f64>) {
            *y += $($expression)+;
        }
        let mut y = Dual::constant(0.0);
        dual(&mut y, &Dual::variable($x, 0));
        assert_eq!(y.tangents[0], by, "{}", stringify!($($expression)+));
        row
    }};
    ($a:ident = $x:expr, $b:ident = $z:expr; $($expression:tt)+) => {{
        let (row, by) = row!(@adjoint $a = $x, $b = $z; $($expression)+);
        #[reversible]
        fn dual(y: &mut Dual<f64>, $a: &Dual<f64>, $b: &Dual<f64>) {
            *y += $($expression)+;
        }
        let (x, z) = ($x, $z);
        let run = |a: Dual<f64>, b: Dual<f64>| {
            let mut y = Dual::constant(0.0);
            dual(&mut y, &a, &b);
            y.tangents[0]
        };
        let duals = [
            run(Dual::variable(x, 0), Dual::constant(z)),
            run(Dual::constant(x), Dual::variable(z, 0)),
        ];
        assert_eq!(duals, by, "{}", stringify!($($expression)+));
        row
    }};
}

fn plain(text: &str) -> String {
    text.replace(char::is_whitespace, "")
}

fn rows() -> Vec<Row> {
    vec![
        row!(a = 0.0; a.abs()),
        row!(a = 0.0; a.sqrt()),
        row!(a = 0.0; a.cbrt()),
        row!(a = 1.0; a.asin()),
        row!(a = -1.0; a.acos()),
        row!(a = 1.0; a.acosh()),
        row!(a = 0.0; a.powi(-1)),
        row!(a = 0.0; a.powi(0)),
        row!(a = 0.0; a.powi(1)),
        row!(a = 0.0; a.powi(2)),
        row!(a = 0.0, b = 0.5; a.powf(*b)),
        row!(a = 0.0, b = 1.0; a.powf(*b)),
        row!(a = 0.0, b = 2.0; a.powf(*b)),
        row!(a = -2.0, b = 2.0; a.powf(*b)),
        row!(a = 0.0, b = 0.0; a.hypot(*b)),
        row!(a = 0.0, b = 0.0; a.atan2(*b)),
        row!(a = 0.0, b = 2.0; a.atan2(*b)),
        row!(a = 0.0, b = -2.0; a.atan2(*b)),
        row!(a = 2.0, b = 0.0; a.atan2(*b)),
        row!(a = 1.0, b = 1.0; a.min(*b)),
        row!(a = 1.0, b = 1.0; a.max(*b)),
        row!(a = f64::NAN, b = 1.0; a.max(*b)),
        row!(a = 0.0; a.clamp(0.0, 1.0)),
        row!(a = 0.0, b = -1.0; a.copysign(*b)),
        row!(a = 3.0; a.floor()),
        row!(a = 3.0; a.ceil()),
        row!(a = 2.5; a.round()),
        row!(a = 3.0; a.trunc()),
        row!(a = 0.0; a.signum()),
        row!(a = 3.0; a.fract()),
        row!(a = 4.0, b = 2.0; *a % *b),
        row!(a = 4.0, b = 2.0; a.rem_euclid(*b)),
        row!(a = -3.0, b = 2.0; a.rem_euclid(*b)),
        row!(a = -3.0, b = 2.0; a.div_euclid(*b)),
        row!(a = 0.0; if *a > 0.0 { *a } else { 0.0 }),
        row!(a = 0.0; a.ln()),
        row!(a = 0.0; a.log(2.0)),
        row!(a = 0.0; a.recip()),
        row!(a = 1.0; a.atanh()),
    ]
}

#[test]
fn the_table_is_right() {
    let chapter = include_str!("../src/rules.md");
    let (_, table) =
        chapter.split_once("| expression | `a` | `b` | by `a` | by `b` |").expect("the table");
    let lines = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let written: Vec<Row> = lines
        .map(|line| {
            let mut cells = line.trim_matches('|').split('|').map(|cell| cell.trim().to_string());
            let expression = plain(&cells.next().expect("an expression"));
            (expression.trim_matches('`').to_string(), cells.collect())
        })
        .collect();
    let found = rows();
    assert_eq!(written.len(), found.len());
    for (written, found) in written.iter().zip(&found) {
        assert_eq!(written, found);
    }
}

#[test]
fn complex_zeros_have_no_direction() {
    #[reversible]
    fn polar(y: &mut f64, z: &Complex<f64>) {
        *y += z.norm() + z.arg();
    }

    let zero = Complex::new(0.0, 0.0);
    assert_eq!(polar::gradient(&zero).d_z, zero);
}
