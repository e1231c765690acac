//! The paper's first program: a reversible multiplier.
//!
//! `cargo run --release --example multiplier`

use retrograde::prelude::*;

/// `y += a · b`.
#[reversible]
pub fn multiplier<T: Arithmetic>(y: &mut T, a: &T, b: &T) {
    *y += *a * *b;
}

fn main() {
    let (mut y, a, b) = (2.0, 3.0, 5.0);
    println!("before   ({y}, {a}, {b})");
    multiplier(&mut y, &a, &b);
    println!("forward  ({y}, {a}, {b})");
    multiplier::inverse(&mut y, &a, &b);
    println!("back     ({y}, {a}, {b})");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_numbers() {
        let mut y = 2.0;
        multiplier(&mut y, &3.0, &5.0);
        assert_eq!(y, 17.0);
        multiplier::inverse(&mut y, &3.0, &5.0);
        assert_eq!(y, 2.0);
    }
}
