use retrograde::prelude::*;

#[reversible]
fn remainder(y: &mut i64) {
    *y %= 3;
}

#[reversible]
fn matches_what_it_changes(y: &mut i64, n: &mut u8) {
    match *n {
        0 => *y += 1,
        _ => *n -= 1,
    }
}

#[reversible]
fn matches_to_write(y: &mut Option<i64>) {
    match *y {
        Some(ref mut n) => *n += 1,
        None => {}
    }
}

#[reversible]
fn unknown(y: &mut i64) {
    bump!(y);
}

#[reversible]
fn prints(y: &mut i64) {
    println!("{y}");
}

#[reversible]
fn unsafely(y: &mut i64) {
    unsafe {
        *y += 1;
    }
}

#[reversible]
fn labelled(y: &mut i64) {
    'outer: for _ in 0..3 {
        *y += 1;
    }
}

#[reversible]
fn without_value(y: &mut i64) {
    let n;
    *y += 1;
}

#[reversible]
fn diverges(y: &mut i64, x: Option<i64>) {
    let Some(n) = x else { panic!() };
    *y += n;
}

fn take(x: &mut i64) -> i64 {
    *x
}

#[reversible]
fn borrows(y: &mut i64, x: &mut i64) {
    *y += take(&mut *x);
}

fn pair() -> (i64, i64) {
    (1, 2)
}

#[reversible]
fn several_names(y: &mut i64) {
    let (mut a, b) = pair();
    *y += a + b;
}

#[reversible]
fn leaves(y: &mut i64, x: Option<i64>) {
    for _ in 0..3 {
        host! {
            if x.is_none() {
                return;
            }
            for k in 0..3 {
                if k > 1 {
                    break;
                }
            }
        }
        *y += 1;
    }
}

#[reversible]
fn inner_item(y: &mut i64) {
    {
        const N: i64 = 10;
        *y += N;
    }
}

fn main() {}
