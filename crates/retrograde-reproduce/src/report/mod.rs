//! What was found, as text in a terminal, as a page, and as files for programs.

mod page;

use crate::claims::CLAIMS;
use crate::experiment::Experiment;
use crate::findings::{Cell, Claim, Table, Verdict};
use crate::format;
use crate::store::{Kept, Run, Store, json};
use comfy_table::{CellAlignment, ContentArrangement, TableComponent, presets};
use serde::Serialize;
use std::io;
use std::path::Path;

/// What an experiment has found, for a terminal.
pub fn text(experiment: &Experiment, kept: &Kept) -> String {
    let mut text = format!("\n== {} ({})\n", experiment.title, experiment.paper);
    for table in &kept.findings.tables {
        text += &format!("{}\n{}\n", table.title, in_columns(table));
    }
    for claim in &kept.findings.claims {
        text += &line(claim);
    }
    text
}

fn line(claim: &Claim) -> String {
    let Claim { id, claim, paper, ours, verdict } = claim;
    format!("{id} {claim}: paper {paper}; here {ours}: {}\n", verdict.name())
}

fn in_columns(table: &Table) -> comfy_table::Table {
    let mut printed = comfy_table::Table::new();
    printed.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    printed.remove_style(TableComponent::HorizontalLines);
    printed.remove_style(TableComponent::MiddleIntersections);
    printed.remove_style(TableComponent::LeftBorderIntersections);
    printed.remove_style(TableComponent::RightBorderIntersections);
    printed.set_content_arrangement(ContentArrangement::Disabled);
    printed.set_header(&table.columns);
    for row in &table.rows {
        let cells = row.iter().map(|cell| {
            let printed = comfy_table::Cell::new(format::cell(cell));
            match cell {
                Cell::Text(_) | Cell::Nothing => printed,
                _ => printed.set_alignment(CellAlignment::Right),
            }
        });
        printed.add_row(cells);
    }
    printed
}

/// How many claims came to what, and where the report is.
pub fn summary(results: &[(&Experiment, Kept)], page: &Path) -> String {
    let verdicts = verdicts(results);
    let count = |verdict| verdicts.iter().filter(|(_, found)| *found == Some(verdict)).count();
    let open = verdicts.iter().filter(|(_, found)| found.is_none()).count();
    let mut text = format!(
        "\nOf {} claims: {} better, {} reproduced, {} not reproduced, {} not tried",
        verdicts.len(),
        count(Verdict::Better),
        count(Verdict::Reproduced),
        count(Verdict::NotReproduced),
        count(Verdict::NotTried),
    );
    if open > 0 {
        text += &format!(", {open} in experiments that were not run");
    }
    text + &format!("\nThe report: {}\n", page.display())
}

/// What became of each claim.
fn verdicts(results: &[(&Experiment, Kept)]) -> Vec<(&'static str, Option<Verdict>)> {
    let of = |id: &str| {
        let mut claims = results.iter().flat_map(|(_, kept)| &kept.findings.claims);
        claims.find(|claim| claim.id == id).map(|claim| claim.verdict)
    };
    CLAIMS.iter().map(|(id, _)| (*id, of(id))).collect()
}

/// Everything, for programs.
#[derive(Serialize)]
struct Everything<'a> {
    run: &'a Run,
    results: Vec<(&'a str, &'a Kept)>,
}

/// Writes the page, and the numbers as JSON and CSV.
pub fn write(store: &Store, run: &Run, results: &[(&Experiment, Kept)]) -> io::Result<()> {
    let everything =
        Everything { run, results: results.iter().map(|(one, kept)| (one.name, kept)).collect() };
    store.write("report.json", &json(&everything)?)?;
    for (experiment, kept) in results {
        for (k, table) in kept.findings.tables.iter().enumerate() {
            let name = format!("csv/{}-{}.csv", experiment.name, k + 1);
            store.write(&name, &separated(table))?;
        }
    }
    store.write("index.html", &page::page(run, results))
}

/// A table with commas: times in seconds, memory in bytes.
fn separated(table: &Table) -> String {
    let quoted = |text: &String| match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.clone(),
    };
    let mut text = String::new();
    let mut line = |cells: Vec<String>| {
        text += &cells.iter().map(quoted).collect::<Vec<_>>().join(",");
        text.push('\n');
    };
    line(table.columns.clone());
    for row in &table.rows {
        line(row.iter().map(format::raw).collect());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_and_quotes_are_quoted() {
        let mut table = Table::new("t", ["a, b", "time"]);
        table.row(["say \"x\"".into(), Cell::Time(1e-3)]);
        assert_eq!(separated(&table), "\"a, b\",time\n\"say \"\"x\"\"\",0.001\n");
    }
}
