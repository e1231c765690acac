//! Places that are one and the same, though they do not look it, and the reverse.

use crate::failure;
use retrograde::error::Broken;
use retrograde::prelude::*;

/// A container in which different indices may be one element.
struct Ring([i64; 3]);

impl std::ops::Index<usize> for Ring {
    type Output = i64;
    fn index(&self, i: usize) -> &i64 {
        &self.0[i % 3]
    }
}

impl std::ops::IndexMut<usize> for Ring {
    fn index_mut(&mut self, i: usize) -> &mut i64 {
        &mut self.0[i % 3]
    }
}

#[reversible]
fn around(r: &mut Ring, i: usize, k: usize) {
    r[i] += r[k];
}

#[reversible]
fn by_three(r: &mut Ring, i: usize) {
    r[i] += r[i + 3];
}

#[reversible]
fn remembered(r: &mut Ring, y: &mut i64) {
    let mut n = 0;
    n += r[0];
    *y += n;
    r[3] += 1;
    n -= r[0];
}

#[reversible]
fn wound(r: &mut Ring, x: &mut [i64]) {
    for i in 0..5 {
        r[i] += x[i];
        x[i] += r[i];
    }
}

#[test]
fn containers_with_an_index_of_their_own() {
    let mut ring = Ring([1, 2, 3]);
    around(&mut ring, 0, 4);
    assert_eq!(ring.0, [3, 2, 3]);
    around::inverse(&mut ring, 0, 4);
    assert_eq!(ring.0, [1, 2, 3]);
    let error = failure(|| around(&mut ring, 0, 3));
    assert_eq!(error.broken, Broken::Indices);
    assert!(error.found.contains("0 and 3"), "{error}");
    assert_eq!(failure(|| by_three(&mut ring, 1)).broken, Broken::Indices);
    assert_eq!(failure(|| remembered(&mut Ring([1, 2, 3]), &mut 0)).broken, Broken::Ancilla);
    let mut x = [1, 2, 3, 4, 5];
    wound(&mut ring, &mut x);
    assert_ne!(ring.0, [1, 2, 3]);
    wound::inverse(&mut ring, &mut x);
    assert_eq!((ring.0, x), ([1, 2, 3], [1, 2, 3, 4, 5]));
}

#[derive(Clone, Debug, PartialEq)]
struct Account {
    total: i64,
    rate: i64,
}

impl Account {
    #[reversible]
    fn add(&mut self, by: i64) {
        self.total += by;
    }

    fn rows(&self) -> i64 {
        self.total
    }
}

#[reversible]
fn add_own_total(a: &mut Account) {
    a.add(a.total);
}

#[reversible]
fn add_own_rate(a: &mut Account) {
    a.add(a.rate);
}

#[reversible]
fn add_between(x: &mut [Account], i: usize, j: usize) {
    x[i].add(x[j].total);
}

#[reversible]
fn shape_of_its_own(a: &mut Account) {
    a.total += a.rows();
}

#[test]
fn receivers_that_change_an_argument() {
    let mut a = Account { total: 3, rate: 5 };
    add_own_rate(&mut a);
    assert_eq!(a.total, 8);
    add_own_rate::inverse(&mut a);
    assert_eq!(a.total, 3);
    assert_eq!(failure(|| add_own_total(&mut a.clone())).broken, Broken::Binding);
    let mut both = [a.clone(), a.clone()];
    add_between(&mut both, 0, 1);
    add_between::inverse(&mut both, 0, 1);
    assert_eq!(both, [a.clone(), a.clone()]);
    assert_eq!(failure(|| add_between(&mut both, 1, 1)).broken, Broken::Binding);
    assert_eq!(failure(|| shape_of_its_own(&mut a)).broken, Broken::Binding);
}

#[reversible]
fn by_a_changed_index(x: &mut [usize]) {
    inc(&mut x[x[0]]);
}

#[reversible]
fn indices_exchanged(x: &mut [usize], y: &mut [usize], i: usize, j: usize) {
    swap(&mut y[x[j]], &mut x[i]);
}

#[test]
fn calls_that_change_an_index() {
    let mut x = [1, 5, 2];
    by_a_changed_index(&mut x);
    assert_eq!(x, [1, 6, 2]);
    by_a_changed_index::inverse(&mut x);
    assert_eq!(x, [1, 5, 2]);
    failure(|| by_a_changed_index(&mut [0, 1, 2]));
    let (mut x, mut y) = ([0, 1], [7, 8]);
    indices_exchanged(&mut x, &mut y, 0, 1);
    indices_exchanged::inverse(&mut x, &mut y, 0, 1);
    assert_eq!((x, y), ([0, 1], [7, 8]));
    failure(|| indices_exchanged(&mut [0, 1], &mut [7, 8], 1, 1));
}

#[reversible]
fn declared_anew(y: &mut i64) {
    let mut a = 0;
    let mut k = 1;
    a += k;
    unlet!(k = 1);
    *y += a;
    let mut k = 2;
    a -= k;
    unlet!(k = 2);
}

struct Field {
    cells: Vec<i64>,
}

impl Field {
    fn at_mut(&mut self, i: usize) -> &mut i64 {
        &mut self.cells[i]
    }
}

#[reversible]
fn through_a_method(g: &mut Field, i: usize, j: usize) {
    *g.at_mut(i) += g.cells[j];
}

#[test]
fn names_and_places_that_only_look_the_same() {
    assert_eq!(failure(|| declared_anew(&mut 0)).broken, Broken::Ancilla);
    let mut g = Field { cells: vec![1, 2] };
    through_a_method(&mut g, 0, 1);
    assert_eq!(g.cells, [3, 2]);
    through_a_method::inverse(&mut g, 0, 1);
    assert_eq!(g.cells, [1, 2]);
    failure(|| through_a_method(&mut g, 1, 1));
}

fn pick(k: i64, total: i64) -> i64 {
    k + total
}

impl Account {
    fn add_pair(&mut self, (counter, by): (&mut i64, i64)) {
        self.total += by;
        *counter += 1;
    }
    fn add_pair_inverse(&mut self, (counter, by): (&mut i64, i64)) {
        *counter -= 1;
        self.total -= by;
    }
}

#[reversible(inverse_only)]
fn add_picked(a: &mut Account, ks: &[i64]) {
    for k in ks.iter().copied() {
        a.add(pick(k, a.total));
    }
}

#[reversible(inverse_only)]
fn add_with_a_reference(a: &mut Account, y: &mut i64) {
    a.add_pair((y, a.total));
}

#[reversible]
fn by_its_own_index(g: &mut Field) {
    *g.at_mut(g.cells[0] as usize) += 1;
}

#[reversible]
fn lent_by_its_own_index(g: &mut Field) {
    inc(g.at_mut(g.cells[0] as usize));
}

#[reversible]
fn name_used_for_two_kinds(rings: &mut [Ring], y: &mut i64) {
    {
        let mut t = [0; 3];
        t[0] += 1;
        *y += t[0];
        t[0] -= 1;
    }
    for t in rings.iter_mut() {
        t[0] += t[3];
    }
}

#[test]
fn operands_in_disguise() {
    let a = Account { total: 3, rate: 5 };
    assert_eq!(failure(|| add_picked(&mut a.clone(), &[1, 2])).broken, Broken::Binding);
    assert_eq!(failure(|| add_with_a_reference(&mut a.clone(), &mut 0)).broken, Broken::Binding);
    let field = || Field { cells: vec![0, 5, 7] };
    failure(|| by_its_own_index(&mut field()));
    failure(|| lent_by_its_own_index(&mut field()));
    let mut fine = Field { cells: vec![1, 5, 7] };
    by_its_own_index(&mut fine);
    lent_by_its_own_index(&mut fine);
    assert_eq!(fine.cells, [1, 7, 7]);
    by_its_own_index::inverse(&mut fine);
    lent_by_its_own_index::inverse(&mut fine);
    assert_eq!(fine.cells, [1, 5, 7]);
    failure(|| name_used_for_two_kinds(&mut [Ring([4, 5, 6])], &mut 0));
}

#[reversible]
fn the_same_name_twice(s: &mut [f64], a: &[f64], k: usize, m: usize) {
    for a in a {
        s[k] += *a * s[m];
    }
}

/// Whatever the names are inside.
#[test]
fn messages_quote_what_is_written() {
    let error = failure(|| the_same_name_twice(&mut [1.0, 2.0], &[3.0], 1, 1));
    assert_eq!(error.source, "s[k] += *a * s[m];");
}

#[reversible]
fn add_products(y: &mut [i64], a: &[i64], b: &[i64]) {
    for k in 0..y.len() {
        y[k] += a[k] * b[k];
    }
}

#[reversible]
fn between_ranges(m: &mut [i64], i: usize, j: usize) {
    add_products(&mut m[..2], &m[i..i + 2], &m[j..j + 2]);
}

#[test]
fn ranges_that_meet_one_that_is_written() {
    let m = [1, 2, 3, 4, 5];
    for (i, j, found) in [(1, 3, "0..2 and 1..3"), (3, 1, "0..2 and 1..3"), (2, 0, "0..2 and 0..2")]
    {
        let error = failure(|| between_ranges(&mut { m }, i, j));
        assert_eq!((error.broken, &*error.found), (Broken::Indices, found));
    }
    let mut again = m;
    between_ranges(&mut again, 2, 3);
    assert_eq!(again, [13, 22, 3, 4, 5]);
    between_ranges::inverse(&mut again, 2, 3);
    assert_eq!(again, m);
}
