use retrograde::prelude::*;

fn ordinary() {
    unlet!(a = 1);
    host! { println!("hello") }
}

#[unchecked]
fn plain() {}

#[compute]
fn block() {}

#[derive(Clone, AdditiveGroup)]
enum Choice {
    One,
    Two,
}

fn main() {}
