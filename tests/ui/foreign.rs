//! Functions of std that change something, and have no inverse.
use retrograde::prelude::*;

#[reversible]
fn lengths(x: &mut Vec<i64>, y: &mut Vec<i64>) {
    x.push(3);
    x.pop();
    x.extend([1]);
    x.clear();
    x.append(y);
}

#[reversible]
fn orders(x: &mut [i64], rows: &mut [Vec<i64>], i: usize) {
    x.sort();
    x.reverse();
    x.swap(i, i + 1);
    x[1..].rotate_left(2);
    rows[i].sort_unstable();
}

#[reversible]
fn values(x: &mut [f64; 3], y: &[f64; 3]) {
    x.fill(0.0);
    x.copy_from_slice(y);
}

#[reversible]
fn memory(a: &mut i64, b: &mut i64) {
    std::mem::swap(a, b);
    let old = 3;
    std::mem::replace(a, old);
}

#[reversible]
fn lent(x: &mut [i64], k: &usize) {
    *x.get_mut(*k).unwrap() += 1;
    let last = x.last_mut().unwrap();
    *last += 1;
}

#[reversible]
fn lent_if_there(x: &mut Vec<i64>, k: usize) {
    if let Some(place) = x.get_mut(k) {
        *place += 1;
    }
}

fn main() {}
