//! Tools, and what they answer.
//!
//! A tool of GradBench that is written in C++ is a program for each evaluation,
//! `tools/NAME/bin/EVALUATION INPUT FUNCTION`; any other speaks the protocol of
//! GradBench, a line of JSON a message. Each question has a process of its own, so
//! that its peak of memory is that of the question.

use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// A tool, by its name in the tables.
pub struct Tool {
    pub name: String,
    kind: Kind,
}

enum Kind {
    /// A folder with a program for each evaluation.
    Built(PathBuf),
    /// A command that speaks the protocol; it may compile when it is first asked.
    Speaking { words: Vec<String>, compiles: bool },
}

/// What is asked.
pub struct Question<'a> {
    pub evaluation: &'a str,
    pub function: &'a str,
    pub input: &'a Value,
    pub seconds: f64,
    pub limits: Limits,
}

/// What a tool may use for one question.
#[derive(Clone, Copy)]
pub struct Limits {
    pub time: Duration,
    /// In bytes.
    pub memory: u64,
}

/// What is answered.
pub struct Answer {
    pub output: Value,
    /// The shortest run.
    pub nanoseconds: u64,
    /// The most memory that the process had, in bytes.
    pub memory: Option<u64>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The tool is not there, or does not have the evaluation.
    Absent,
    OutOfTime,
    OutOfMemory,
    /// It ended, or said that it failed.
    Failed(String),
}

impl Tool {
    /// A tool that is built in a checkout, or one of those in Python.
    pub fn of_checkout(name: &str, checkout: &Path) -> Tool {
        let folder = checkout.join("python/gradbench/gradbench/tools").join(name);
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let kind = match name {
            "jax" => {
                let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("gradbench/jax_blocked.py");
                let words = vec!["python3".into(), text(&script), text(checkout)];
                Kind::Speaking { words, compiles: true }
            }
            "pytorch" => {
                let path = format!("PYTHONPATH={}", text(&checkout.join("python/gradbench")));
                let script = text(&folder.join("run.py"));
                let words = vec!["env".into(), path, "python3".into(), script];
                Kind::Speaking { words, compiles: true }
            }
            _ => Kind::Built(checkout.join("tools").join(name).join("bin")),
        };
        Tool { name: name.into(), kind }
    }

    /// A command line of the shell.
    pub fn of_command(name: &str, command: &str) -> Tool {
        let words = vec!["sh".into(), "-c".into(), format!("exec {command}")];
        Tool { name: name.into(), kind: Kind::Speaking { words, compiles: true } }
    }

    /// Ours: a program and its arguments.
    pub fn ours(words: Vec<String>) -> Tool {
        Tool { name: "retrograde".into(), kind: Kind::Speaking { words, compiles: false } }
    }

    /// Asks in a new process, that works in `folder`.
    pub fn ask(&self, question: &Question, folder: &Path) -> Result<Answer, Failure> {
        let mut input = question.input.clone();
        // A compilation counts as a run.
        let compiles = matches!(self.kind, Kind::Speaking { compiles: true, .. });
        input["min_seconds"] = (question.seconds + f64::from(u8::from(compiles))).into();
        input["min_runs"] = 2.into();
        match &self.kind {
            Kind::Built(programs) => {
                let program = programs.join(question.evaluation);
                if !program.is_file() {
                    return Err(Failure::Absent);
                }
                let file = folder.join("input.json");
                fs::write(&file, input.to_string()).map_err(failed)?;
                let mut command = Command::new(program);
                command.arg(&file).arg(question.function);
                watched(command, folder, question.limits, answer_of_program)
            }
            Kind::Speaking { words, .. } => {
                let mut command = Command::new(&words[0]);
                command.args(&words[1..]);
                let input = input.to_string();
                watched(command, folder, question.limits, |child| converse(child, question, &input))
            }
        }
    }
}

fn failed(error: impl ToString) -> Failure {
    Failure::Failed(error.to_string())
}

/// Runs a command, and ends it when it goes beyond its limits.
fn watched(
    mut command: Command,
    folder: &Path,
    limits: Limits,
    listen: impl FnOnce(&mut Running) -> Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    let errors = folder.join("errors.txt");
    command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(fs::File::create(&errors).map_err(failed)?);
    for threads in ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"] {
        command.env(threads, "1");
    }
    let mut child = match command.spawn() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Failure::Absent),
        child => child.map_err(failed)?,
    };
    let mut running = Running {
        process: child.id(),
        stdin: child.stdin.take(),
        stdout: BufReader::new(child.stdout.take().expect("it is piped")),
    };
    let heard = AtomicBool::new(false);
    let (answer, (excess, peak)) = thread::scope(|scope| {
        let watch = scope.spawn(|| watch(&mut child, limits, &heard));
        let answer = listen(&mut running);
        // Whoever waits for another message, or writes more, sees that there is no one.
        drop(running);
        heard.store(true, Ordering::Release);
        (answer, watch.join().expect("watching does not panic"))
    });
    if let Some(excess) = excess {
        return Err(excess);
    }
    match answer {
        Ok(answer) => Ok(Answer { memory: answer.memory.max(peak), ..answer }),
        Err(Failure::Failed(error)) => {
            let said = fs::read_to_string(&errors).unwrap_or_default();
            let last = said.lines().rev().find(|line| !line.trim().is_empty());
            Err(Failure::Failed(last.map_or(error, str::to_string)))
        }
        absent => absent,
    }
}

/// What talks to a process.
struct Running {
    process: u32,
    stdin: Option<std::process::ChildStdin>,
    stdout: BufReader<std::process::ChildStdout>,
}

/// Waits for the end of a process, and makes it come: when it is beyond its limits, or
/// five seconds after it has been `heard`.
fn watch(child: &mut Child, limits: Limits, heard: &AtomicBool) -> (Option<Failure>, Option<u64>) {
    let (start, mut done, mut peak) = (Instant::now(), None, None);
    let excess = loop {
        if matches!(child.try_wait(), Ok(Some(_)) | Err(_)) {
            return (None, peak);
        }
        peak = peak.max(peak_memory(child.id()));
        if heard.load(Ordering::Acquire) {
            let done = *done.get_or_insert_with(Instant::now);
            if done.elapsed() > Duration::from_secs(5) {
                break None;
            }
        } else if start.elapsed() > limits.time {
            break Some(Failure::OutOfTime);
        } else if peak > Some(limits.memory) {
            break Some(Failure::OutOfMemory);
        }
        thread::sleep(Duration::from_millis(5));
    };
    // It may have ended meanwhile.
    let _ = child.kill();
    let _ = child.wait();
    (excess, peak)
}

/// The high-water mark of a process, where the system tells it.
fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// The output on one line, and then a timing on each.
fn answer_of_program(running: &mut Running) -> Result<Answer, Failure> {
    let output = read_line(running)?;
    let memory = peak_memory(running.process);
    let output = serde_json::from_str(&output).map_err(failed)?;
    let mut timings = Vec::new();
    for line in (&mut running.stdout).lines() {
        timings.push(serde_json::from_str(&line.map_err(failed)?).map_err(failed)?);
    }
    Ok(Answer { output, nanoseconds: shortest(&timings)?, memory })
}

/// Start, define, evaluate.
fn converse(running: &mut Running, question: &Question, input: &str) -> Result<Answer, Failure> {
    let (evaluation, function) = (question.evaluation, question.function);
    let start = json!({ "id": 0, "kind": "start", "eval": evaluation });
    say(running, &start.to_string())?;
    read_line(running)?;
    let define = json!({ "id": 1, "kind": "define", "module": evaluation });
    say(running, &define.to_string())?;
    let defined: Value = serde_json::from_str(&read_line(running)?).map_err(failed)?;
    if defined["success"] != true {
        return Err(Failure::Absent);
    }
    // The input is text already.
    let evaluate = format!(
        r#"{{"id":2,"kind":"evaluate","module":"{evaluation}","function":"{function}","input":{input}}}"#
    );
    say(running, &evaluate)?;
    let response = read_line(running)?;
    let memory = peak_memory(running.process);
    let mut response: Value = serde_json::from_str(&response).map_err(failed)?;
    if response["success"] != true {
        return Err(failed(response["error"].as_str().unwrap_or("it does not say why")));
    }
    let timings = response["timings"].as_array().cloned().unwrap_or_default();
    Ok(Answer { output: response["output"].take(), nanoseconds: shortest(&timings)?, memory })
}

fn say(running: &mut Running, message: &str) -> Result<(), Failure> {
    let stdin = running.stdin.as_mut().expect("it is piped");
    stdin.write_all(message.as_bytes()).map_err(failed)?;
    stdin.write_all(b"\n").and_then(|()| stdin.flush()).map_err(failed)
}

fn read_line(running: &mut Running) -> Result<String, Failure> {
    let mut line = String::new();
    match running.stdout.read_line(&mut line) {
        Ok(0) => Err(failed("it ended without an answer")),
        Ok(_) => Ok(line),
        Err(error) => Err(failed(error)),
    }
}

fn shortest(timings: &[Value]) -> Result<u64, Failure> {
    let evaluations = timings.iter().filter(|timing| timing["name"] == "evaluate");
    let times = evaluations.filter_map(|timing| timing["nanoseconds"].as_u64());
    times.min().ok_or_else(|| failed("it gives no timing"))
}
