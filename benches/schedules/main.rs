//! Memory against time: the gradients of `lstm` and `ode`, as GradBench has them, under
//! several schedules.
//!
//! `cargo bench -p retrograde-benches --bench schedules`
//!
//! The first row of each is what Retrograde answers GradBench: it keeps all states, laid
//! out by hand. The others are runs of `retrograde::schedule`, over the same step. Times are
//! the minimum of runs that take turns. All gradients are compared.

mod lstm;
mod ode;

use retrograde::schedule::Schedule;
use retrograde_gradbench::Threads;
use retrograde_gradbench::evaluations::module;
use retrograde_reproduce::measure::heap;
use serde_json::Value;
use serde_json::value::to_raw_value;
use std::env;
use std::time::{Duration, Instant};

/// How long everything of one size may take.
const TIME: Duration = Duration::from_secs(20);
const ROUNDS: usize = 200;

/// A gradient that a schedule can be chosen for.
pub trait Problem {
    fn name(&self) -> String;
    /// The question as GradBench asks it: the evaluation, the function, the input.
    fn question(&self) -> (&'static str, &'static str, Value);
    fn steps(&self) -> usize;
    fn state_bytes(&self) -> usize;
    /// The gradient, in the order of GradBench, and how many states were in memory.
    fn gradient(&self, schedule: Schedule) -> (Vec<f64>, usize);
}

fn main() {
    // `cargo test --benches` is no measurement.
    if env::args().any(|argument| argument == "--bench") {
        println!(
            "| evaluation | size | schedule | steps taken | states | of bytes | heap | time |"
        );
        println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
        let problems: [(&dyn Problem, &[usize], &[usize]); 3] = [
            (&lstm::Network::new(4, 4096), &[300, 90, 30, 10], &[64, 16]),
            (&ode::Chain::new(10_000, 100), &[50, 15, 5], &[10]),
            (&ode::Chain::new(100, 10_000), &[500, 140, 30, 10], &[100, 22]),
        ];
        for (problem, checkpoints, blocks) in problems {
            measure(problem, &schedules(checkpoints, blocks));
        }
    } else {
        let problems: [&dyn Problem; 2] = [&lstm::Network::new(2, 40), &ode::Chain::new(9, 50)];
        for problem in problems {
            compare(problem, &schedules(&[1, 5], &[2, 7]));
        }
    }
}

fn schedules(checkpoints: &[usize], blocks: &[usize]) -> Vec<Schedule> {
    let treeverse = checkpoints.iter().map(|&checkpoints| Schedule::Treeverse { checkpoints });
    let bennett = blocks.iter().map(|&blocks| Schedule::Bennett { blocks });
    [Schedule::StoreAll].into_iter().chain(treeverse).chain(bennett).collect()
}

/// What Retrograde answers GradBench, and the seconds of a run.
fn answer(problem: &dyn Problem) -> (Vec<f64>, f64) {
    let (evaluation, name, mut input) = problem.question();
    input["min_runs"] = 1.into();
    let input = to_raw_value(&input).expect("an input");
    let functions = module(evaluation).expect("an evaluation");
    let function = functions.iter().find(|f| f.name == name).expect("a function");
    let measured = (function.run)(input, Threads::One).expect("an answer");
    let gradient = serde_json::from_str(measured.output.get()).expect("numbers");
    let run = measured.timings.evaluate.last().expect("a run");
    (gradient, *run as f64 * 1e-9)
}

/// All gradients are the same.
fn compare(problem: &dyn Problem, schedules: &[Schedule]) {
    let (expected, _) = answer(problem);
    let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|x| x * x).sum::<f64>().sqrt();
    let size = norm(&mut expected.iter().copied());
    let mut first: Option<Vec<f64>> = None;
    for schedule in schedules {
        let (found, _) = problem.gradient(*schedule);
        assert_eq!(found.len(), expected.len());
        let error = norm(&mut found.iter().zip(&expected).map(|(a, b)| a - b));
        assert!(error <= 1e-12 * size, "{}, {schedule}: {error:e} of {size:e}", problem.name());
        // The bits of one schedule are those of all.
        let first = first.get_or_insert_with(|| found.clone());
        assert_eq!(found, *first, "{}, {schedule}", problem.name());
    }
}

fn measure(problem: &dyn Problem, schedules: &[Schedule]) {
    compare(problem, schedules);
    let mut times = vec![f64::INFINITY; schedules.len() + 1];
    let start = Instant::now();
    for round in 0..ROUNDS {
        times[0] = times[0].min(answer(problem).1);
        for (time, schedule) in times[1..].iter_mut().zip(schedules) {
            let start = Instant::now();
            problem.gradient(*schedule);
            *time = time.min(start.elapsed().as_secs_f64());
        }
        if round > 2 && start.elapsed() > TIME {
            break;
        }
    }
    let name = problem.name();
    println!("| {name} | as GradBench is answered | | | | | {} |", milliseconds(times[0]));
    for (time, schedule) in times[1..].iter().zip(schedules) {
        let cost = retrograde::schedule::plan::gradient(*schedule, problem.steps());
        let mut states = 0;
        let heap = heap(|| (_, states) = problem.gradient(*schedule)).peak as usize;
        assert_eq!(states, cost.buffers);
        println!(
            "| {name} | {schedule} | {} | {states} | {} | {} | {} |",
            cost.forward + cost.inverse,
            bytes(states * problem.state_bytes()),
            bytes(heap),
            milliseconds(*time)
        );
    }
}

fn milliseconds(seconds: f64) -> String {
    let milliseconds = seconds * 1e3;
    if milliseconds < 10.0 {
        format!("{milliseconds:.2} ms")
    } else {
        format!("{milliseconds:.1} ms")
    }
}

fn bytes(n: usize) -> String {
    match n {
        0..10_000_000 => format!("{:.1} kB", n as f64 / 1e3),
        _ => format!("{:.1} MB", n as f64 / 1e6),
    }
}

/// Numbers between 0 and 1 that are the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn uniforms(&mut self, n: usize) -> Vec<f64> {
        let mut next = || {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        };
        (0..n).map(|_| next()).collect()
    }
}
