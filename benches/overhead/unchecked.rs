//! The programs of the examples with `#[unchecked]` on every function: copies
//! that `build.rs` makes.

macro_rules! copies {
    ($($name:ident)+) => {$(
        pub mod $name {
            include!(concat!(env!("OUT_DIR"), "/", stringify!($name), ".rs"));
        }
    )+};
}

copies!(affine complex_log fft fibonacci leapfrog sparse);
