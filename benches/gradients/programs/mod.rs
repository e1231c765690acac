//! The programs, a file each.

mod chain;
mod gmm;
mod leapfrog;
mod norm;

use crate::case::Case;

/// All of them, in the sizes that are measured.
pub fn programs() -> Vec<Box<dyn Case>> {
    vec![
        Box::new(chain::Chain { steps: 100_000 }),
        Box::new(norm::Norm { n: 1000 }),
        Box::new(gmm::Mixture { d: 32, k: 25, n: 1000 }),
        Box::new(leapfrog::Leapfrog { steps: 1 }),
        Box::new(leapfrog::Leapfrog { steps: 1000 }),
    ]
}

/// All of them, in sizes that even a debug build compares at once.
#[allow(dead_code)]
pub fn small_programs() -> Vec<Box<dyn Case>> {
    vec![
        Box::new(chain::Chain { steps: 100 }),
        Box::new(norm::Norm { n: 19 }),
        Box::new(gmm::Mixture { d: 5, k: 3, n: 7 }),
        Box::new(leapfrog::Leapfrog { steps: 3 }),
    ]
}
