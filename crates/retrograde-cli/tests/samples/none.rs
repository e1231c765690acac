//! Nothing here is reversible.

fn plain(y: &mut f64) {
    *y += 1.0;
}
