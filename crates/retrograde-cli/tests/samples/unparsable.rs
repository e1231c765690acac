//! Not Rust.

#[reversible]
fn f(y: &mut f64) {
    *y += ;
}
