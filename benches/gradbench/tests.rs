//! The parts of the comparison with the tools of GradBench.

mod agreement;
mod inputs;
mod tools;

use agreement::error;
use retrograde_gradbench::{Threads, serve};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};
use tools::{Answer, Failure, Limits, Question, Tool};

/// A temporary folder, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("retrograde-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("the temporary folder is writable");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn ask(tool: &Tool, folder: &Path) -> Result<Answer, Failure> {
    let question = Question {
        evaluation: "ode",
        function: "gradient",
        input: &json!({}),
        seconds: 0.0,
        limits: Limits { time: Duration::from_secs(1), memory: 1 << 30 },
    };
    tool.ask(&question, folder)
}

#[test]
fn errors_are_relative() {
    assert_eq!(error(&json!([3.0, 4.0]), &json!([3.0, 4.0])), 0.0);
    assert!((error(&json!([3.0, 4.5]), &json!([3.0, 4.0])) - 0.1).abs() < 1e-15);
    // The squares of these are zero.
    assert!((error(&json!([3e-200, 4.5e-200]), &json!([3e-200, 4e-200])) - 0.1).abs() < 1e-15);
    // A large field does not hide a small one.
    let large = |small| json!({ "small": small, "large": [1e9] });
    assert!((error(&large(1.5), &large(1.0)) - 0.5).abs() < 1e-15);
    assert_eq!(error(&json!([1.0]), &json!([0.0])), f64::INFINITY);
    assert_eq!(error(&json!([1.0]), &json!([1.0, 2.0])), f64::INFINITY);
    assert_eq!(error(&json!({ "a": 1.0 }), &json!({ "b": 1.0 })), f64::INFINITY);
    assert_eq!(error(&json!("one"), &json!(1.0)), f64::INFINITY);
}

#[test]
fn tools_may_fail() {
    let folder = &Folder::new("failing-tools");
    let outcome = |command: &str| ask(&Tool::of_command("other", command), &folder.0).err();
    assert!(matches!(outcome("false"), Some(Failure::Failed(_))));
    assert_eq!(outcome("sleep 60"), Some(Failure::OutOfTime));
    assert!(matches!(outcome("yes no"), Some(Failure::Failed(_))));
    assert_eq!(outcome("yes '{\"success\": false}'"), Some(Failure::Absent));
    let said = outcome("sh -c 'echo because >&2; exit 1'");
    assert_eq!(said, Some(Failure::Failed("because".into())));
    let nowhere = Tool::of_checkout("nowhere", &folder.0);
    assert_eq!(nowhere.name, "nowhere");
    assert_eq!(ask(&nowhere, &folder.0).err(), Some(Failure::Absent));
    assert_eq!(ask(&Tool::ours(vec!["./nowhere".into()]), &folder.0).err(), Some(Failure::Absent));
}

#[test]
fn the_shortest_run_counts() {
    let folder = &Folder::new("answering-tools");
    let timings = json!([
        { "name": "prepare", "nanoseconds": 1 },
        { "name": "evaluate", "nanoseconds": 7 },
        { "name": "evaluate", "nanoseconds": 5 },
    ]);
    let response = json!({ "success": true, "output": [1.5], "timings": timings });
    let answer = ask(&Tool::of_command("other", &format!("yes '{response}'")), &folder.0);
    let answer = answer.expect("it answers");
    assert_eq!((answer.nanoseconds, answer.output), (5, json!([1.5])));
    if Path::new("/proc/self/status").exists() {
        assert!(answer.memory > Some(0));
    }
}

/// Ours answers the smallest workload of each evaluation that needs no data.
#[test]
fn the_inputs_are_understood() {
    let nowhere = Path::new("nowhere");
    for evaluation in ["det", "gmm", "kmeans", "llsq", "lse", "ode", "particle", "saddle"] {
        let all = inputs::workloads(evaluation, nowhere).expect("it needs no data");
        let first = &all[0];
        for function in [first.objective, Some(first.gradient)].into_iter().flatten() {
            answered(evaluation, function, &first.input);
        }
    }
}

fn answered(evaluation: &str, function: &str, input: &Value) {
    let mut input = input.clone();
    (input["min_runs"], input["min_seconds"]) = (1.into(), 0.into());
    let message = json!({
        "id": 0, "kind": "evaluate", "module": evaluation, "function": function, "input": input,
    });
    let mut answer = Vec::new();
    serve(message.to_string().as_bytes(), &mut answer, Threads::One).expect("it is in memory");
    let answer: Value = serde_json::from_slice(&answer).expect("it is a message");
    assert_eq!(answer["success"], true, "{evaluation} {function}: {}", answer["error"]);
}

#[test]
fn data_is_read() {
    let folder = &Folder::new("data");
    let data = folder.0.join("evals/ba/data");
    fs::create_dir_all(&data).expect("the temporary folder is writable");
    let missing = inputs::workloads("ba", &folder.0).err().expect("there is nothing");
    assert!(missing.contains("no file `ba1_…`"), "{missing}");
    let text = "2 3 4\n1 2 3 4 5 6 7 8 9 10 11\n1 2 3\n0.5\n3 4\n";
    for i in 1..=5 {
        fs::write(data.join(format!("ba{i}_n2_m3_p4.txt")), text).expect("it is writable");
    }
    let all = inputs::workloads("ba", &folder.0).expect("it is there");
    assert_eq!((all.len(), all[4].size.as_str(), all[4].evaluation), (5, "ba5", "ba"));
    answered("ba", all[0].gradient, &all[0].input);
    fs::write(data.join("ba3_n2_m3_p4.txt"), "2 3\n").expect("it is writable");
    let wrong = inputs::workloads("ba", &folder.0).err().expect("it is wrong");
    assert!(wrong.contains("this is not the data of GradBench"), "{wrong}");
}

#[test]
fn every_evaluation_is_known() {
    let nowhere = Path::new("nowhere");
    for evaluation in inputs::EVALUATIONS {
        match inputs::workloads(evaluation, nowhere) {
            Ok(all) => assert!(!all.is_empty()),
            Err(error) => assert!(error.contains("nowhere"), "{error}"),
        }
    }
}
