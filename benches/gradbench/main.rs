//! GradBench, answered by Retrograde and by the tools of a GradBench checkout, in turns.
//!
//! `cargo bench -p retrograde-benches --bench gradbench -- PATH`
//!
//! `PATH` is a checkout of <https://github.com/gradbench/gradbench>, with the tools built that
//! are to be compared (`make -C tools/NAME`). Every folder `tools/NAME/bin` is a tool, and
//! `jax` and `pytorch` are run by `python3`. Any other is named by the command that speaks the
//! protocol of GradBench, `--tool NAME=COMMAND`. The README beside this file says more.

mod agreement;
mod inputs;
mod progress;
mod report;
mod tools;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use inputs::{EVALUATIONS, Workload};
use progress::Progress;
use report::{Cell, Measured, Report, Row};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs, io, process};
use tools::{Answer, Failure, Limits, Question, Tool};

/// The program that answers for us. It has nothing but the evaluations in it, as those of
/// the other tools.
const OURS: &str = env!("CARGO_BIN_EXE_gradbench_serve");

/// A tool that takes so many times as long as ours is not asked again.
const HOPELESS: u64 = 4;

fn main() -> ExitCode {
    // `cargo test --benches` is no measurement.
    if env::args().len() == 1 {
        return ExitCode::SUCCESS;
    }
    let arguments = command().get_matches();
    let Some(checkout) = arguments.get_one::<PathBuf>("path") else {
        println!("gradbench: skipped, as no GradBench checkout is named (`-- PATH`)");
        return ExitCode::SUCCESS;
    };
    match compare(checkout, &arguments) {
        Ok(report) => {
            println!("{}", report.tables());
            ExitCode::from(u8::from(!report.mistakes().is_empty()))
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn command() -> Command {
    let option =
        |name: &'static str, value: &'static str| Arg::new(name).long(name).value_name(value);
    Command::new("gradbench")
        .about("Compare Retrograde with the tools of a GradBench checkout")
        .after_help(
            "Exit status: 0 if our answers are right, 1 if not, 2 if nothing can be measured.",
        )
        .arg(Arg::new("path").value_name("PATH").value_parser(value_parser!(PathBuf)))
        .arg(
            option("evaluation", "NAME,…")
                .value_delimiter(',')
                .value_parser(EVALUATIONS)
                .help("Measure these [default: all]"),
        )
        .arg(option("tools", "NAME,…").value_delimiter(',').help(
            "Compare with these [default: all that are built, but not `finite`, and jax and pytorch]",
        ))
        .arg(
            option("tool", "NAME=COMMAND")
                .action(ArgAction::Append)
                .help("Compare with a command that speaks the protocol"),
        )
        .arg(
            option("seconds", "S")
                .value_parser(value_parser!(f64))
                .default_value("0.2")
                .help("How long a tool repeats an evaluation, at least"),
        )
        .arg(
            option("rounds", "N")
                .value_parser(value_parser!(u32).range(1..))
                .default_value("3")
                .help("How often each tool has its turn"),
        )
        .arg(
            option("timeout", "S")
                .value_parser(value_parser!(f64))
                .default_value("30")
                .help("How long a tool may take for a turn"),
        )
        .arg(
            option("memory", "GB")
                .value_parser(value_parser!(u64))
                .default_value("6")
                .help("How much memory a tool may take"),
        )
        // Cargo says it.
        .arg(Arg::new("bench").long("bench").action(ArgAction::SetTrue).hide(true))
}

fn compare(checkout: &Path, arguments: &ArgMatches) -> Result<Report, String> {
    // The tools work elsewhere.
    let absolute = fs::canonicalize(checkout);
    let checkout = &absolute.map_err(|error| format!("{}: {error}", checkout.display()))?;
    if !checkout.join("tools").is_dir() || !checkout.join("evals").is_dir() {
        return Err(format!("{}: this is no checkout of GradBench", checkout.display()));
    }
    let seconds = |name: &str| {
        let seconds = *arguments.get_one::<f64>(name).expect("it has a default");
        Duration::try_from_secs_f64(seconds).map_err(|error| format!("--{name}: {error}"))
    };
    let limits = Limits {
        time: seconds("timeout")?,
        memory: arguments
            .get_one::<u64>("memory")
            .expect("it has a default")
            .saturating_mul(1 << 30),
    };
    let turns = Turns {
        tools: tools_of(checkout, arguments)?,
        seconds: seconds("seconds")?.as_secs_f64(),
        rounds: *arguments.get_one("rounds").expect("it has a default"),
        limits,
        folder: Folder::new()?,
    };
    let named: Option<Vec<&String>> = arguments.get_many("evaluation").map(Iterator::collect);
    let wanted = |name: &&str| named.as_ref().is_none_or(|all| all.iter().any(|one| one == name));
    let mut workloads = Vec::new();
    for evaluation in EVALUATIONS.into_iter().filter(wanted) {
        workloads.extend(inputs::workloads(evaluation, checkout)?);
    }
    let mut progress = Progress::new(workloads.len());
    let mut rows: Vec<Row> = Vec::new();
    for workload in &workloads {
        let smaller = rows
            .last()
            .filter(|row| row.evaluation == workload.evaluation && workload.objective.is_some());
        let row = turns.row(workload, smaller, &mut progress);
        rows.push(row);
    }
    Ok(Report::new(turns.tools.iter().map(|tool| tool.name.clone()).collect(), rows))
}

/// Ours, and then the others.
fn tools_of(checkout: &Path, arguments: &ArgMatches) -> Result<Vec<Tool>, String> {
    let mut all = vec![Tool::ours(vec![OURS.into()])];
    let names = match arguments.get_many::<String>("tools") {
        Some(names) => names.cloned().collect(),
        None => built(checkout).map_err(|error| format!("{}: {error}", checkout.display()))?,
    };
    all.extend(names.iter().map(|name| Tool::of_checkout(name, checkout)));
    for tool in arguments.get_many::<String>("tool").into_iter().flatten() {
        let named =
            tool.split_once('=').filter(|(name, command)| !name.is_empty() && !command.is_empty());
        let (name, command) = named.ok_or(format!("--tool {tool}: this is not NAME=COMMAND"))?;
        let tool = Tool::of_command(name, command);
        match all.iter_mut().find(|other| other.name == name) {
            Some(other) => *other = tool,
            None => all.push(tool),
        }
    }
    Ok(all)
}

/// What is built in a checkout, `manual` first, and what needs no building.
fn built(checkout: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(checkout.join("tools"))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().join("bin").is_dir() && name != "finite" {
            names.push(name);
        }
    }
    names.extend(["jax".into(), "pytorch".into()]);
    names.sort_by_key(|name| (!name.starts_with("manual"), name.clone()));
    Ok(names)
}

/// How the tools take turns.
struct Turns {
    tools: Vec<Tool>,
    seconds: f64,
    rounds: u32,
    limits: Limits,
    folder: Folder,
}

impl Turns {
    fn row(&self, workload: &Workload, smaller: Option<&Row>, progress: &mut Progress) -> Row {
        let name = format!("{} {}", workload.evaluation, workload.size);
        let mut cells: Vec<Cell> = self.tools.iter().map(|_| Cell::default()).collect();
        if let Some(function) = workload.objective {
            let smaller = smaller.map(|row| row.cells.iter().map(|cell| &cell.objective).collect());
            let found = self.outcomes(workload, function, smaller, progress);
            for (cell, outcome) in cells.iter_mut().zip(found) {
                cell.objective = Some(outcome);
            }
        }
        let smaller = smaller.map(|row| row.cells.iter().map(|cell| &cell.gradient).collect());
        let found = self.outcomes(workload, workload.gradient, smaller, progress);
        for (cell, outcome) in cells.iter_mut().zip(found) {
            cell.gradient = Some(outcome);
        }
        progress.done(&name, &self.tools, &cells);
        Row { evaluation: workload.evaluation, size: workload.size.clone(), cells }
    }

    /// What each tool answers. `smaller` is what they answered at a smaller size.
    fn outcomes(
        &self,
        workload: &Workload,
        function: &str,
        smaller: Option<Vec<&Option<Result<Measured, Failure>>>>,
        progress: &mut Progress,
    ) -> Vec<Result<Measured, Failure>> {
        let question = Question {
            evaluation: workload.evaluation,
            function,
            input: &workload.input,
            seconds: self.seconds,
            limits: self.limits,
        };
        let mut found: Vec<Option<Result<Answer, Failure>>> = Vec::new();
        found.resize_with(self.tools.len(), || None);
        for round in 1..=self.rounds {
            for (i, tool) in self.tools.iter().enumerate() {
                // What was too large is not tried at a larger size.
                if let Some(Some(Err(failure @ (Failure::OutOfTime | Failure::OutOfMemory)))) =
                    smaller.as_ref().map(|smaller| smaller[i])
                {
                    found[i] = Some(Err(failure.clone()));
                    continue;
                }
                if is_done(&found[i], &found[0]) {
                    continue;
                }
                progress.now(&format!(
                    "{} {} {function}: {}, round {round}",
                    workload.evaluation, workload.size, tool.name
                ));
                let answer = tool.ask(&question, &self.folder.0);
                found[i] = Some(match (found[i].take(), answer) {
                    (Some(Ok(old)), Ok(new)) => Ok(Answer {
                        output: new.output,
                        nanoseconds: new.nanoseconds.min(old.nanoseconds),
                        memory: new.memory.max(old.memory),
                    }),
                    (_, answer) => answer,
                });
            }
        }
        let found = found.into_iter().map(|found| found.expect("each had a turn")).collect();
        self.compared(workload, function, found)
    }

    /// The answers beside that of `manual`, or of the first other tool where there is none.
    /// Builds of one tool round differently, so that the nearest of them counts.
    fn compared(
        &self,
        workload: &Workload,
        function: &str,
        found: Vec<Result<Answer, Failure>>,
    ) -> Vec<Result<Measured, Failure>> {
        let gradient = function == workload.gradient;
        let exact = |tool: &Tool| !report::is_formula(&tool.name, workload.evaluation, gradient);
        let answered = self.tools.iter().zip(&found).filter_map(|(tool, found)| {
            let answer = found.as_ref().ok().filter(|_| exact(tool))?;
            Some((&*tool.name, answer.output.clone()))
        });
        let answered: Vec<_> = answered.collect();
        let others = answered.iter().filter(|(tool, _)| *tool != self.tools[0].name);
        let reference = others.min_by_key(|(tool, _)| *tool != "manual").or(answered.first());
        let reference = reference.map_or("", |(tool, _)| *tool);
        let builds = answered.iter().filter(|(tool, _)| {
            let suffix = tool.strip_prefix(reference);
            suffix.is_some_and(|suffix| suffix.is_empty() || suffix.starts_with('-'))
        });
        let builds: Vec<_> = builds.map(|(_, output)| output).collect();
        let measured = |answer: Answer| Measured {
            nanoseconds: answer.nanoseconds,
            memory: answer.memory,
            error: builds
                .iter()
                .map(|expected| agreement::error(&answer.output, expected))
                .fold(f64::INFINITY, f64::min),
        };
        found.into_iter().map(|answer| answer.map(measured)).collect()
    }
}

/// Whether there is nothing more to learn from a tool.
fn is_done(
    found: &Option<Result<Answer, Failure>>,
    ours: &Option<Result<Answer, Failure>>,
) -> bool {
    match (found, ours) {
        (Some(Ok(found)), Some(Ok(ours))) => found.nanoseconds > HOPELESS * ours.nanoseconds,
        (Some(Err(_)), _) => true,
        _ => false,
    }
}

/// A temporary folder, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, String> {
        let path = env::temp_dir().join(format!("retrograde-gradbench-{}", process::id()));
        fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // It is in a temporary place, should this fail.
        let _ = fs::remove_dir_all(&self.0);
    }
}
