//! `retrograde plan`: what the gradient of a long run costs under each schedule.

mod chart;
mod units;

use crate::{Outcome, report, style};
use clap::{Arg, ArgMatches, Command, value_parser};
use retrograde::schedule::plan::{Choice, bennett_within, best, fitting, treeverse_within};
use retrograde::schedule::{Schedule, plan};
use retrograde_reproduce::picture;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// The command and its options.
pub fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help).allow_hyphen_values(true)
    };
    Command::new("plan")
        .about("Predict the cost of the gradient of a long run, for each time-space schedule")
        .after_help(
            "Example: retrograde plan --steps 10000 --state-bytes 32MB --memory 1GiB --step-seconds \
             0.05\n\nSizes: bytes, or with kB, MB, GB, TB, KiB, MiB, GiB, TiB. Exit status: 2 if \
             nothing fits, or the input makes no sense.",
        )
        .args([
            option("steps", "T", "How many steps the run has").required(true),
            option("state-bytes", "S", "How large a state is, such as 1.5MiB").required(true),
            option("memory", "M", "How much memory there is for states, such as 10GB")
                .required(true),
            option("step-seconds", "X", "How long a step takes"),
            option("adjoint-seconds", "X", "How long its adjoint takes [default: twice a step]"),
            option("svg", "FILE", "Draw the trade-off as a picture, too")
                .value_parser(value_parser!(PathBuf)),
        ])
}

/// What is asked for.
struct Question {
    steps: usize,
    state: u128,
    memory: u128,
    /// Of a step and of its adjoint.
    seconds: Option<(f64, f64)>,
    svg: Option<PathBuf>,
}

/// Says what fits, what it costs, and which schedule to take.
pub fn run(arguments: &ArgMatches) -> Outcome {
    match Question::read(arguments).and_then(|question| question.answer()) {
        Ok(text) => Outcome::fine(text),
        Err((reason, help)) => Outcome::unusable(report::plain(&reason, help.as_deref())),
    }
}

/// A reason, and perhaps what to do.
type Mistake = (String, Option<String>);

impl Question {
    fn read(arguments: &ArgMatches) -> Result<Self, Mistake> {
        let text = |name: &str| arguments.get_one::<String>(name).map(String::as_str);
        let needed = |name| text(name).expect("a required argument");
        let wrong = |name: &'static str| {
            move |(reason, help): (String, &str)| {
                (format!("`--{name}`: {reason}"), Some(help.into()))
            }
        };
        let seconds = |name| text(name).map(units::seconds).transpose().map_err(wrong(name));
        let steps = units::steps(needed("steps")).map_err(wrong("steps"))?;
        let state = units::bytes(needed("state-bytes")).map_err(wrong("state-bytes"))?;
        let memory = units::bytes(needed("memory")).map_err(wrong("memory"))?;
        let step = seconds("step-seconds")?;
        let adjoint = seconds("adjoint-seconds")?;
        let seconds = match (step, adjoint) {
            (Some(step), adjoint) => Some((step, adjoint.unwrap_or(2.0 * step))),
            (None, None) => None,
            (None, Some(_)) => {
                let help = "add `--step-seconds`".to_string();
                return Err((
                    "the adjoint alone does not say how long a run takes".into(),
                    Some(help),
                ));
            }
        };
        let svg = arguments.get_one::<PathBuf>("svg").cloned();
        Ok(Question { steps, state, memory, seconds, svg })
    }

    /// The schedules, each with the parameter that is best of those that fit. What does
    /// not fit at all is there with the least that it needs.
    fn choices(&self) -> [Choice; 4] {
        let fits = fitting(self.state, self.memory);
        let of = |schedule| Choice { schedule, cost: plan::gradient(schedule, self.steps) };
        [
            of(Schedule::StoreAll),
            of(Schedule::RecomputeAll),
            treeverse_within(self.steps, fits)
                .unwrap_or(of(Schedule::Treeverse { checkpoints: 1 })),
            bennett_within(self.steps, fits).unwrap_or(of(Schedule::Bennett { blocks: 2 })),
        ]
    }

    fn time(&self, choice: &Choice) -> f64 {
        let (step, adjoint) = self.seconds.unwrap_or((1.0, 2.0));
        choice.cost.seconds(step, adjoint)
    }

    fn answer(&self) -> Result<String, Mistake> {
        let choices = self.choices();
        let Some(taken) = best(self.steps, self.state, self.memory) else {
            let least = choices[1].bytes(self.state);
            let reason = format!(
                "nothing fits: {} are less than any schedule needs for states of {}",
                units::show_bytes(self.memory),
                units::show_bytes(self.state)
            );
            let help = format!("recomputing all needs {}", units::show_bytes(least));
            return Err((reason, Some(help)));
        };
        let mut text = String::new();
        self.write(&mut text, &choices, &taken);
        let chart = chart::chart(self, &choices, &taken);
        text.push_str(&chart::draw(&chart));
        if let Some(path) = &self.svg {
            let shown = path.display();
            fs::write(path, picture::alone(&chart))
                .map_err(|error| (format!("`{shown}` cannot be written: {error}"), None))?;
            writeln!(text, "\n  The picture is in {shown}.").expect("a string");
        }
        Ok(text)
    }

    fn write(&self, text: &mut String, choices: &[Choice], taken: &Choice) {
        let mut line = |line: String| writeln!(text, "{}", line.trim_end()).expect("a string");
        let title = format!(
            "The gradient of {} steps, with {} for states of {}",
            units::grouped(self.steps as u128),
            units::show_bytes(self.memory),
            units::show_bytes(self.state)
        );
        line(style::paint(title, style::HEADING));
        line(String::new());
        let head = format!(
            "  {:<28}{:>15}{:>13}{:>11}{:>11}",
            "schedule", "steps taken", "time", "states", "memory"
        );
        line(style::paint(head, style::DIM));
        for choice in choices {
            let bytes = choice.bytes(self.state);
            let is_taken = choice.schedule == taken.schedule;
            let cost = &choice.cost;
            let time = match self.seconds {
                Some(_) => units::show_seconds(self.time(choice)),
                None => {
                    format!("{} ×", units::three(self.time(choice) / (3.0 * self.steps as f64)))
                }
            };
            let row = format!(
                "{} {:<28}{:>15}{:>13}{:>11}{:>11}{}",
                if is_taken { ">" } else { " " },
                choice.schedule.to_string(),
                units::grouped(cost.forward + cost.inverse),
                time,
                units::grouped(cost.buffers as u128),
                units::show_bytes(bytes),
                if bytes > self.memory { "  too much" } else { "" }
            );
            line(match (is_taken, bytes > self.memory) {
                (true, _) => style::paint(row, style::COMMAND),
                (_, true) => style::paint(row, style::DIM),
                _ => row,
            });
        }
        line(String::new());
        line(format!("  Take {}: {}", self.in_rust(taken), self.why(taken)));
        line(match self.seconds {
            Some((step, adjoint)) => format!(
                "  A step takes {}, its adjoint {}; each schedule runs {} adjoints.",
                units::show_seconds(step),
                units::show_seconds(adjoint),
                units::grouped(self.steps as u128)
            ),
            None => {
                "  Times are those of storing all, if an adjoint takes as long as two steps; see \
                 `--step-seconds`."
                    .into()
            }
        });
    }

    fn in_rust(&self, choice: &Choice) -> String {
        style::paint(format!("`Schedule::{:?}`", choice.schedule), style::COMMAND)
    }

    fn why(&self, taken: &Choice) -> String {
        match taken.schedule {
            Schedule::StoreAll => "all states fit, and no step is taken twice.".into(),
            _ => format!(
                "each step is taken {:.1} times on average.",
                taken.cost.forward as f64 / self.steps as f64
            ),
        }
    }
}
