//! Numbers that are made of the bits of others, by way of a name.

use retrograde::prelude::{differentiable, reversible};

#[reversible]
fn of_a_let(y: &mut f64, x: &f64) {
    let bits = x.to_bits();
    *y += f64::from_bits(bits);
}

#[reversible]
fn of_an_ancilla(y: &mut f64, x: &f64) {
    let mut bits = 0_u64;
    bits ^= x.to_bits();
    *y += f64::from_bits(bits);
    bits ^= x.to_bits();
}

#[reversible]
fn of_what_is_lent(y: &mut f64, x: &f64, kept: &mut [u64]) {
    kept[0] ^= x.to_bits();
    let low = kept[0] & 255;
    *y += f64::from_bits(low);
}

#[reversible]
fn of_bytes(y: &mut f64, x: &f64) {
    let bytes = x.to_le_bytes();
    *y += f64::from_le_bytes(bytes);
}

#[differentiable]
fn rounded(x: f64) -> f64 {
    let bits = x.to_bits() & !255;
    f64::from_bits(bits)
}

fn main() {}
