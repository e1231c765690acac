use retrograde::prelude::*;
use std::collections::{BTreeMap, HashMap};

#[reversible]
fn of_a_map(y: &mut f64, prices: &BTreeMap<u32, f64>) {
    *y += prices[&1] * prices[&2];
}

#[derive(Clone, Differentiable)]
struct Market {
    prices: HashMap<String, f64>,
}

// The shadow of one variant is none of another.
#[derive(Clone, Differentiable)]
enum Shape {
    Circle(f64),
    Polygon { corners: u32 },
}

// A field that lends integers, which its shadow cannot write.
#[derive(Clone, Differentiable)]
struct Links<'a> {
    strength: f64,
    #[constant]
    ends: &'a [usize],
}

#[reversible]
fn of_lent_integers(y: &mut f64, links: &Links<'_>) {
    for end in links.ends {
        *y += links.strength * *end as f64;
    }
}

type Number = f64;

#[reversible]
fn square(y: &mut Number, x: &f64) {
    *y += x * x;
}

// By an alias, a number is not known to be one.
fn asks_for_the_gradient() {
    square::gradient(&3.0);
}

fn main() {}
