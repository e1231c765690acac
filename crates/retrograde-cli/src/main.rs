//! The command-line tool of Retrograde.
//!
//! `retrograde expand FILE.rs` shows what the compiler makes of a program; `retrograde plan`
//! predicts what the gradient of a long run costs; `retrograde gradbench` answers the benchmark
//! GradBench; `retrograde reproduce`, which is also what happens without a command, does the paper's
//! experiments again; `retrograde tour` shows a program in all its forms.

mod expand;
mod highlight;
mod plan;
mod report;
mod stages;
mod style;
mod tour;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use retrograde_gradbench::Threads;
use retrograde_reproduce::{Effort, Options, reproduce};
use stages::Stage;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// What a command has to say, and how it ended.
pub struct Outcome {
    output: String,
    errors: String,
    code: u8,
}

impl Outcome {
    /// All is well.
    pub fn fine(output: String) -> Self {
        Outcome { output, errors: String::new(), code: 0 }
    }

    /// The program that was looked at is wrong.
    pub fn mistakes(output: String, errors: String) -> Self {
        Outcome { output, errors, code: 1 }
    }

    /// There was nothing to look at.
    pub fn unusable(errors: String) -> Self {
        Outcome { output: String::new(), errors, code: 2 }
    }
}

fn main() -> ExitCode {
    let arguments = command().get_matches();
    choose_colour(&arguments);
    let outcome = match arguments.subcommand() {
        Some(("expand", arguments)) => expand::run(&request(arguments)),
        Some(("plan", arguments)) => plan::run(arguments),
        Some(("gradbench", arguments)) => gradbench(arguments.get_flag("multithreaded")),
        Some(("reproduce", arguments)) => reproduction(arguments),
        Some(("tour", _)) => tour::run(),
        _ => reproduction(&reproduce_command().get_matches_from(["reproduce"])),
    };
    // The errors come last, where they are seen.
    let written = write(anstream::stdout(), &outcome.output)
        .and_then(|()| write(anstream::stderr(), &outcome.errors));
    match written {
        Ok(()) => outcome.code.into(),
        Err(_) => ExitCode::from(2),
    }
}

fn write(mut stream: impl Write, text: &str) -> io::Result<()> {
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        // A reader such as `head` that has seen enough is no failure.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

fn command() -> Command {
    let colour = Arg::new("color")
        .long("color")
        .value_name("WHEN")
        .value_parser(["auto", "always", "never"])
        .default_value("auto")
        .global(true)
        .help("When to use colours; `auto` also honours NO_COLOR");
    Command::new("retrograde")
        .version(env!("CARGO_PKG_VERSION"))
        .about("A reversible language embedded in Rust: write a function once, get its inverse too")
        .after_help("Without a command: as `reproduce`.")
        .arg(colour)
        .subcommand(expand_command())
        .subcommand(plan::command())
        .subcommand(gradbench_command())
        .subcommand(reproduce_command())
        .subcommand(
            Command::new("tour").about("Show a program forwards, backwards, and its inverse"),
        )
}

fn expand_command() -> Command {
    let file = Arg::new("file")
        .value_name("FILE.rs")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .help("The file to read");
    let function = Arg::new("function")
        .long("function")
        .short('f')
        .value_name("NAME")
        .help("Show one function: `name`, `Type::name`, `module::name` [default: all]");
    let stage = Arg::new("stage")
        .long("stage")
        .short('s')
        .value_name("STAGE")
        .value_parser(Stage::ALL.map(Stage::name))
        .help("Show one stage [default: all]");
    Command::new("expand")
        .about("Show what the compiler makes of the reversible functions of a file")
        .after_help(
            "Exit status: 0 if all functions are right, 1 if one has mistakes, 2 if there is \
             nothing to show.",
        )
        .args([file, function, stage])
}

fn reproduce_command() -> Command {
    let names = Arg::new("names")
        .value_name("NAME")
        .num_args(0..)
        .help("The experiments to run [default: all]");
    let quick = Arg::new("quick")
        .long("quick")
        .action(ArgAction::SetTrue)
        .help("Fewer sizes and shorter measurements, all in a minute [default]");
    let full = Arg::new("full")
        .long("full")
        .action(ArgAction::SetTrue)
        .conflicts_with("quick")
        .help("The paper's sizes");
    let out = Arg::new("out")
        .long("out")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .default_value("retrograde-report")
        .help("Where the report goes");
    Command::new("reproduce")
        .about("Do the paper's experiments again, and write a report")
        .after_help(
            "What is finished is kept: a run that was broken off goes on where it stopped.\n\
             Exit status: 2 if there is no such experiment, or the report cannot be written.",
        )
        .args([names, quick, full, out])
}

/// Prints as it goes, since it takes a while.
fn reproduction(arguments: &ArgMatches) -> Outcome {
    let options = Options {
        names: arguments.get_many("names").unwrap_or_default().cloned().collect(),
        effort: if arguments.get_flag("full") { Effort::Full } else { Effort::Quick },
        folder: arguments.get_one::<PathBuf>("out").cloned().unwrap_or_default(),
    };
    match reproduce(&options, &mut anstream::stdout()) {
        Ok(_) => Outcome::fine(String::new()),
        Err(failure) => {
            Outcome::unusable(format!("{}: {failure}\n", style::paint("error", style::ERROR)))
        }
    }
}

fn gradbench_command() -> Command {
    let multithreaded = Arg::new("multithreaded")
        .long("multithreaded")
        .action(ArgAction::SetTrue)
        .help("Use all cores, where an evaluation has work for them");
    Command::new("gradbench")
        .about("Answer the benchmark GradBench: a message on each line, until there are no more")
        .arg(multithreaded)
}

fn gradbench(multithreaded: bool) -> Outcome {
    let threads = if multithreaded { Threads::All } else { Threads::One };
    match retrograde_gradbench::serve(io::stdin().lock(), io::stdout().lock(), threads) {
        // A partner that has gone has no more questions.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Outcome::unusable(format!("{error}\n"))
        }
        _ => Outcome::fine(String::new()),
    }
}

fn choose_colour(arguments: &ArgMatches) {
    let choice = match arguments.get_one::<String>("color").map(String::as_str) {
        Some("always") => anstream::ColorChoice::Always,
        Some("never") => anstream::ColorChoice::Never,
        _ => anstream::ColorChoice::Auto,
    };
    choice.write_global();
}

fn request(arguments: &ArgMatches) -> expand::Request<'_> {
    expand::Request {
        file: arguments.get_one::<PathBuf>("file").expect("a required argument"),
        function: arguments.get_one::<String>("function").map(String::as_str),
        stage: arguments.get_one::<String>("stage").and_then(|name| Stage::named(name)),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_consistent() {
        super::command().debug_assert();
    }
}
