//! Generated programs, each in a file of its own, and what runs and compares them.

/// The random numbers of what runs programs.
const RANDOM: &str = include_str!("running/random.rs");

/// How many programs, and the seed of the first: RETROGRADE_PROGRAMS=1000 for a longer
/// search, RETROGRADE_SEED=5000 for other programs.
pub fn wanted(programs: usize) -> (usize, u64) {
    let setting = |name| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let count = setting("RETROGRADE_PROGRAMS").map_or(programs, |n| n as usize);
    (count, setting("RETROGRADE_SEED").unwrap_or(1))
}

/// The files of a package: what runs the programs, the source of each by its seed, and the
/// elements of a list of them.
pub fn sources(
    harness: &str,
    programs: Vec<(u64, String)>,
    elements: &str,
) -> Vec<(String, String)> {
    let modules: String = programs.iter().map(|(seed, _)| format!("mod p{seed};\n")).collect();
    // The harness begins with its description, which ends at the first empty line.
    let (_, harness) = harness.split_once("\n\n").expect("a description");
    let main = format!(
        "#![allow(warnings)]\nmod programs;\nmod random;\nuse random::Random;\n{modules}{harness}"
    );
    let list =
        format!("use crate::*;\npub fn programs() -> Vec<Program> {{\nvec![{elements}]\n}}\n");
    let own = [("main.rs", main), ("programs.rs", list), ("random.rs", RANDOM.to_string())];
    let own = own.map(|(name, text)| (name.to_string(), text));
    let programs = programs.into_iter().map(|(seed, source)| (format!("p{seed}.rs"), source));
    own.into_iter().chain(programs).collect()
}

/// What a harness has printed.
#[derive(Default)]
pub struct Printed {
    /// What is wrong, each with the seed of its program.
    pub failures: Vec<(u64, String)>,
    /// How much was looked at.
    pub counts: Vec<usize>,
}

impl Printed {
    /// Of lines that begin with FAILED or COUNTS; others are for the reader of the test.
    pub fn new(printed: &str) -> Self {
        let mut found = Printed::default();
        for line in printed.lines() {
            match line.split_once(' ') {
                Some(("FAILED", failure)) => {
                    let seed = failure.split(' ').next().and_then(|seed| seed.parse().ok());
                    found.failures.push((seed.expect("a seed"), failure.replace("\\n", "\n")));
                }
                Some(("COUNTS", numbers)) => {
                    found.counts = numbers.split(' ').filter_map(|n| n.parse().ok()).collect();
                }
                _ => println!("{line}"),
            }
        }
        found
    }
}
