//! Each example is a program of its own: `cargo run --release --example NAME`.
