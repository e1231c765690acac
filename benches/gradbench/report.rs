//! The tables.

use crate::tools::Failure;
use std::fmt::Write;

/// An evaluation at a size, with what each tool made of it, ours first.
pub struct Row {
    pub evaluation: &'static str,
    pub size: String,
    pub cells: Vec<Cell>,
}

/// What a tool made of a row. There are evaluations without an objective.
#[derive(Default)]
pub struct Cell {
    pub objective: Option<Result<Measured, Failure>>,
    pub gradient: Option<Result<Measured, Failure>>,
}

/// An answer, and how far it is from that of `manual`, or of another tool.
#[derive(Clone, Debug)]
pub struct Measured {
    pub nanoseconds: u64,
    pub memory: Option<u64>,
    pub error: f64,
}

/// Which part of a cell is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Function {
    Objective,
    Gradient,
}

impl Function {
    fn of(self, cell: &Cell) -> &Option<Result<Measured, Failure>> {
        match self {
            Function::Objective => &cell.objective,
            Function::Gradient => &cell.gradient,
        }
    }
}

/// An answer that is farther away than this is wrong.
const WRONG: f64 = 1e-6;
/// How far ours may be away.
const TOLERANCES: [(&str, Function, f64); 2] =
    [("objective", Function::Objective, 1e-12), ("gradient", Function::Gradient, 1e-10)];

/// All rows, and the names of the tools.
pub struct Report {
    tools: Vec<String>,
    rows: Vec<Row>,
}

impl Report {
    pub fn new(tools: Vec<String>, rows: Vec<Row>) -> Self {
        Report { tools, rows }
    }

    /// The tables, in Markdown.
    pub fn tables(&self) -> String {
        let mut text = String::from("### In short\n\nShortest times in milliseconds.\n\n");
        self.summary(&mut text);
        text += "\n### Gradients\n\nMilliseconds, and in brackets as a multiple of ours.\n\n";
        self.times(&mut text, Function::Gradient);
        text += "\n### Objectives\n\nMilliseconds, and in brackets as a multiple of ours.\n\n";
        self.times(&mut text, Function::Objective);
        text += "\n### Memory\n\nThe most that the process of the gradient had, in MB, and in brackets \
                 how much more this is than of the objective.\n\n";
        self.memory(&mut text);
        let (mistakes, others) = (self.mistakes(), self.disagreements());
        if !mistakes.is_empty() || !others.is_empty() {
            text += "\n### Wrong or missing\n\n";
        }
        for line in mistakes.iter().chain(&others) {
            let _ = writeln!(text, "- {line}");
        }
        text
    }

    /// Where our answers are not good enough.
    pub fn mistakes(&self) -> Vec<String> {
        let mut all = Vec::new();
        for row in &self.rows {
            for (name, function, tolerance) in TOLERANCES {
                let what = format!("{} {}, {name}: ours", row.evaluation, row.size);
                match function.of(&row.cells[0]) {
                    Some(Err(_)) => all.push(format!("{what} failed")),
                    Some(Ok(ours)) if ours.error.is_nan() || ours.error > tolerance => {
                        all.push(format!("{what} has an error of {:.0e}", ours.error));
                    }
                    _ => {}
                }
            }
        }
        all
    }

    /// Where another tool is wrong, or fails.
    fn disagreements(&self) -> Vec<String> {
        let mut all = Vec::new();
        for row in &self.rows {
            for (tool, cell) in self.tools.iter().zip(&row.cells).skip(1) {
                for (name, function, _) in TOLERANCES {
                    let what = format!("{} {}, {name}: `{tool}`", row.evaluation, row.size);
                    match function.of(cell) {
                        Some(Ok(found)) if !is_right(found) && !by_formula(tool, row, function) => {
                            all.push(format!("{what} has an error of {:.0e}", found.error));
                        }
                        Some(Err(Failure::Failed(why))) => {
                            let why: String = why.chars().take(100).collect();
                            all.push(format!("{what} failed: {why}"));
                        }
                        _ => {}
                    }
                }
            }
        }
        all
    }

    fn summary(&self, text: &mut String) {
        line(
            text,
            &[
                "evaluation",
                "size",
                "objective",
                "gradient",
                "ratio",
                "best AD tool",
                "over ours",
                "`manual`",
                "over ours",
                "fastest objective",
                "over ours",
                "error",
            ],
        );
        line(text, &["---"; 12]);
        for row in &self.rows {
            let ours = |function: Function| function.of(&row.cells[0]).as_ref()?.as_ref().ok();
            let over = |function: Function, other: Option<&Measured>| {
                let both = ours(function).zip(other);
                let ratio = both.map(|(a, b)| b.nanoseconds as f64 / a.nanoseconds as f64);
                ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"))
            };
            let named = |found: Option<(&str, &Measured)>| {
                found.map_or("none".into(), |(tool, found)| {
                    format!("{} ({tool})", milliseconds(found.nanoseconds))
                })
            };
            let time = |function: Function| {
                ours(function).map_or(String::new(), |ours| {
                    let wrong = if is_right(ours) { "" } else { " (wrong)" };
                    milliseconds(ours.nanoseconds) + wrong
                })
            };
            let best = self.best(row, Function::Gradient, |group| group != "manual");
            let manual = self.best(row, Function::Gradient, |group| group == "manual");
            let objective = self.best(row, Function::Objective, |_| true);
            let ratio = ours(Function::Objective).zip(ours(Function::Gradient));
            let ratio = ratio.map(|(a, b)| b.nanoseconds as f64 / a.nanoseconds as f64);
            let error = [Function::Objective, Function::Gradient].map(|function| {
                ours(function).map_or("–".into(), |ours| format!("{:.0e}", ours.error))
            });
            line(
                text,
                &[
                    row.evaluation,
                    &row.size,
                    &time(Function::Objective),
                    &time(Function::Gradient),
                    &ratio.map_or(String::new(), |ratio| format!("{ratio:.2}")),
                    &named(best),
                    &over(Function::Gradient, best.map(|(_, best)| best)),
                    &manual.map_or(String::new(), |(_, found)| milliseconds(found.nanoseconds)),
                    &over(Function::Gradient, manual.map(|(_, manual)| manual)),
                    &objective.map_or(String::new(), |found| named(Some(found))),
                    &over(Function::Objective, objective.map(|(_, objective)| objective)),
                    &error.join(", "),
                ],
            );
        }
    }

    /// The fastest of the others that gives our answer, without those that are formulas.
    fn best<'a>(
        &'a self,
        row: &'a Row,
        function: Function,
        among: impl Fn(&str) -> bool,
    ) -> Option<(&'a str, &'a Measured)> {
        let all = self.tools.iter().zip(&row.cells).skip(1);
        let all = all.filter(|(tool, _)| {
            let group = self.group(tool);
            group != "finite" && among(group) && !by_formula(group, row, function)
        });
        all.filter_map(|(tool, cell)| Some((tool.as_str(), answer(function.of(cell))?)))
            .min_by_key(|(_, found)| found.nanoseconds)
    }

    fn times(&self, text: &mut String, function: Function) {
        self.by_group(text, function, |row, all| {
            let ours = function.of(&row.cells[0]).as_ref()?.as_ref().ok()?.nanoseconds;
            let found = all.iter().filter_map(|cell| answer(function.of(cell)));
            let time = found.map(|found| found.nanoseconds).min()?;
            Some(format!("{} ({:.2})", milliseconds(time), time as f64 / ours as f64))
        });
    }

    fn memory(&self, text: &mut String) {
        self.by_group(text, Function::Gradient, |_, all| {
            let megabytes = |found: &Measured| found.memory.map(|bytes| bytes as f64 / 1e6);
            let memory = |cell: &&Cell| {
                let gradient = megabytes(answer(&cell.gradient)?)?;
                Some((gradient, answer(&cell.objective).and_then(megabytes)))
            };
            let leanest = all.iter().filter_map(memory).min_by(|(a, _), (b, _)| a.total_cmp(b));
            leanest.map(|(gradient, objective)| {
                let more = objective.map(|objective| format!(" ({:+.1})", gradient - objective));
                format!("{gradient:.1}{}", more.unwrap_or_default())
            })
        });
    }

    /// A table with a column for every tool, whatever its builds.
    fn by_group(
        &self,
        text: &mut String,
        function: Function,
        show: impl Fn(&Row, &[&Cell]) -> Option<String>,
    ) {
        let mut groups: Vec<&str> = Vec::new();
        for tool in &self.tools {
            let group = self.group(tool);
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        line(text, &[&["evaluation", "size"], &groups[..]].concat());
        line(text, &vec!["---"; groups.len() + 2]);
        for row in &self.rows {
            if function.of(&row.cells[0]).is_none() {
                continue;
            }
            let mut columns = vec![row.evaluation.to_string(), row.size.clone()];
            for &group in &groups {
                let builds = self.tools.iter().zip(&row.cells);
                let builds = builds.filter(|(tool, _)| self.group(tool) == group);
                let cells: Vec<&Cell> = builds.map(|(_, cell)| cell).collect();
                let failure = || failure(&cells, function);
                let mark = if by_formula(group, row, function) { "*" } else { "" };
                columns.push(show(row, &cells).map_or_else(failure, |shown| shown + mark));
            }
            line(text, &columns.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }

    /// `NAME-SUFFIX` is another build of the tool `NAME`.
    fn group<'a>(&'a self, tool: &'a str) -> &'a str {
        let name = tool.rsplit_once('-').map(|(name, _)| name);
        name.filter(|name| self.tools.iter().any(|other| other == name)).unwrap_or(tool)
    }
}

/// The gradient of `ode` by hand is a formula for the exact solution, and no derivative of
/// the steps.
pub fn is_formula(tool: &str, evaluation: &str, gradient: bool) -> bool {
    tool.starts_with("manual") && evaluation == "ode" && gradient
}

fn by_formula(tool: &str, row: &Row, function: Function) -> bool {
    is_formula(tool, row.evaluation, function == Function::Gradient)
}

fn is_right(found: &Measured) -> bool {
    found.error <= WRONG
}

fn answer(outcome: &Option<Result<Measured, Failure>>) -> Option<&Measured> {
    outcome.as_ref()?.as_ref().ok().filter(|found| is_right(found))
}

fn failure(cells: &[&Cell], function: Function) -> String {
    let failures: Vec<_> = cells.iter().filter_map(|cell| function.of(cell).as_ref()).collect();
    let word = |outcome: &&Result<Measured, Failure>| match outcome {
        Ok(_) => "wrong",
        Err(failure) => word(failure),
    };
    failures.iter().map(word).find(|word| *word != ABSENT).unwrap_or(ABSENT).into()
}

/// The tool is not there, or does not have the evaluation.
pub const ABSENT: &str = "–";

/// Why there is no answer, in a word.
pub fn word(failure: &Failure) -> &'static str {
    match failure {
        Failure::Absent => ABSENT,
        Failure::OutOfTime => "out of time",
        Failure::OutOfMemory => "out of memory",
        Failure::Failed(_) => "failed",
    }
}

/// Three digits of the time.
pub fn milliseconds(nanoseconds: u64) -> String {
    let time = nanoseconds as f64 / 1e6;
    let digits = if time <= 0.0 { 0 } else { (2 - time.log10().floor() as i32).clamp(0, 6) };
    format!("{time:.*}", digits as usize)
}

fn line(text: &mut String, columns: &[&str]) {
    let _ = writeln!(text, "| {} |", columns.join(" | "));
}
