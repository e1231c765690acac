//! The programs of the benchmark compute the same in all their versions: the
//! generated adjoint, by hand, by dual numbers and by tapes.

use retrograde_reproduce::programs::SMALL_PROGRAMS;

#[test]
fn all_versions_agree() {
    for start in SMALL_PROGRAMS {
        start().compare();
    }
}
