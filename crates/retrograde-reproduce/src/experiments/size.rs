//! How long the compiler is.

use crate::experiment::{Context, Experiment};
use crate::findings::{Cell, Claim, Findings, Table, Verdict};
use crate::format;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "size",
    title: "Size of the compiler",
    paper: "section 1",
    about: "The paper’s language is embedded in its host by less than 2000 lines. Ours is longer: \
            it has an intermediate language of its own, an optimiser, and checks with a reason \
            and a help for each error.",
    run,
};

/// What the paper says.
const BAR: u64 = 2000;

fn run(_: &Context) -> Findings {
    // Counted when this program was made.
    let count = |text: &str| text.parse::<u64>().unwrap_or(0);
    let ours = [
        (
            "compiler: parse, check, invert, differentiate, optimise, emit",
            env!("LINES_OF_COMPILER"),
            env!("CODE_OF_COMPILER"),
        ),
        ("macros: the entry of it", env!("LINES_OF_MACROS"), env!("CODE_OF_MACROS")),
    ]
    .map(|(name, all, code)| (name, count(all), count(code)));
    let all: u64 = ours.iter().map(|(_, all, _)| all).sum();
    let code: u64 = ours.iter().map(|(_, _, code)| code).sum();
    let mut table = Table::new("Lines", ["part", "all", "without tests, comments and empty lines"]);
    for (name, all, code) in ours {
        table.row([name.into(), Cell::Count(all), Cell::Count(code)]);
    }
    table.row(["paper: NiLangCore 0.7.3".into(), Cell::Count(1907), Cell::Nothing]);
    table.row(["paper: NiLangCore 0.10.7".into(), Cell::Count(2191), Cell::Nothing]);
    let mut findings = Findings::default();
    findings.table(table).claim(Claim::new(
        "C7",
        "the language is embedded in less than 2000 lines",
        "1907 lines",
        if all == 0 {
            "the sources were not there to be counted".into()
        } else {
            format!("{} lines, {} of them code", format::grouped(all), format::grouped(code))
        },
        if all == 0 { Verdict::NotTried } else { Verdict::of(code < BAR) },
    ));
    findings.note(
        "The two are different things. The paper’s macro rewrites statements and leaves types, \
         uncomputing and speed to Julia’s compiler; ours proves what it can, says what it cannot, \
         and removes what nobody looks at.",
    );
    findings
}
