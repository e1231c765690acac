use retrograde::prelude::*;

#[reversible]
fn released_twice(y: &mut i64) {
    let mut a = 0;
    a += 3;
    *y += a;
    unlet!(a = 3);
    unlet!(a = 3);
}

#[reversible]
fn in_one_branch(y: &mut i64, c: bool) {
    let mut a = 0;
    if c {
        a += 3;
        *y += a;
        unlet!(a = 3);
    }
}

#[reversible]
fn used_after_release(y: &mut i64) {
    let mut a = 0;
    a += 3;
    unlet!(a = 3);
    *y += a;
}

#[reversible]
fn argument(y: &mut i64) {
    unlet!(y = 3);
}

#[reversible]
fn temporary(y: &mut i64) {
    let n = 3;
    *y += n;
    unlet!(n = 3);
}

#[reversible]
fn unknown(y: &mut i64) {
    *y += 1;
    unlet!(nobody = 3);
}

#[reversible]
fn by_compute_too(y: &mut i64) {
    #[compute]
    {
        let mut a = 0;
    }
    *y += a;
    unlet!(a = 0);
}

#[reversible]
fn by_itself(y: &mut i64) {
    let mut k = 3;
    *y += k;
    unlet!(k = k);
}

#[reversible]
fn malformed(y: &mut i64) {
    *y += 1;
    unlet!(y);
}

fn main() {}
