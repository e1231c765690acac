//! Gives the compiler random inputs, and says on which of them it goes wrong.

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use retrograde_fuzz::corpus;
use retrograde_fuzz::input::Pool;
use retrograde_fuzz::nodes;
use retrograde_fuzz::search::Search;
use std::process::ExitCode;
use std::time::Duration;

/// Gives the compiler random inputs, and says on which of them it goes wrong
#[derive(Parser)]
struct Arguments {
    /// How many inputs
    #[arg(long, default_value_t = 10_000_000)]
    inputs: u64,
    /// The number of the first input
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Another seed gives other inputs
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many threads [default: one for each processor]
    #[arg(long)]
    threads: Option<usize>,
    /// How long an answer may take, in seconds
    #[arg(long, default_value_t = 2.0)]
    limit: f64,
    /// Prints one input, and runs it
    #[arg(long)]
    only: Option<u64>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let programs = corpus::programs();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let mut search = Search {
        seed: arguments.seed,
        from: arguments.from,
        inputs: arguments.inputs,
        threads: arguments.threads.unwrap_or(processors),
        limit: Duration::from_secs_f64(arguments.limit),
    };
    if let Some(number) = arguments.only {
        let input = Pool::new(&programs).input(search.seed, number);
        let [attribute, item] = [&input.attribute, &input.item].map(|part| nodes::text(part));
        println!("{:?}({attribute})\n{item}", input.entry);
        (search.from, search.inputs) = (number, 1);
    }
    let bar = ProgressBar::new(search.inputs);
    let style = "{elapsed_precise} {wide_bar} {human_pos} of {human_len} inputs, {msg}, {eta} left";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is right"));
    let report = search.run(&programs, |done, defects| {
        bar.set_message(format!("{defects} kinds of defects"));
        bar.set_position(done);
    });
    bar.finish();
    for defect in &report.defects {
        println!("\n{defect}");
    }
    println!(
        "{} inputs from {} programs: {} were Rust, {} compiled, {} kinds of defects",
        search.inputs,
        programs.len(),
        report.parsed,
        report.accepted,
        report.defects.len()
    );
    if report.defects.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
