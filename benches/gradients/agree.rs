//! The programs of the benchmark compute the same in all their versions: the
//! generated adjoint, by hand, by dual numbers and by tapes.

#![allow(dead_code)]

mod case;
mod heap;
mod program;
mod programs;
mod tapes;

#[test]
fn all_versions_agree() {
    for start in programs::SMALL_PROGRAMS {
        start().compare();
    }
}
