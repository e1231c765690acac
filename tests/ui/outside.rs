use retrograde::prelude::*;

fn ordinary() {
    unlet!(a = 1);
    host! { println!("hello") }
}

#[derive(Clone, AdditiveGroup)]
enum Choice {
    One,
    Two,
}

fn main() {}
