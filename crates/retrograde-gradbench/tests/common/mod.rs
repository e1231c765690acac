//! Questions and their answers, and how near numbers are.

#![allow(dead_code, missing_docs, reason = "not every test needs all of it")]

use retrograde_gradbench::{Threads, serve};
use serde_json::{Value, json};

/// The answers to some lines.
pub fn talk(lines: &[u8], threads: Threads) -> Vec<Value> {
    let mut answers = Vec::new();
    serve(lines, &mut answers, threads).expect("nothing is written in vain");
    let text = String::from_utf8(answers).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("an answer is JSON")).collect()
}

/// The answer to a question on some threads.
pub fn answer_on(threads: Threads, module: &str, function: &str, input: &Value) -> Value {
    let message = json!({
        "id": 7, "kind": "evaluate", "module": module, "function": function, "input": input,
    });
    let answers = talk(message.to_string().as_bytes(), threads);
    let [answer] = &answers[..] else { panic!("{} answers", answers.len()) };
    assert_eq!(answer["id"], 7);
    answer.clone()
}

/// What a function gives, on one thread and on all of them.
pub fn output(module: &str, function: &str, input: &Value) -> Value {
    let [one, all] = [Threads::One, Threads::All].map(|threads| {
        let answer = answer_on(threads, module, function, input);
        assert_eq!(answer["success"], true, "{module}::{function}: {}", answer["error"]);
        answer["output"].clone()
    });
    assert_near(&numbers(&all), &numbers(&one), 1e-12);
    one
}

/// Why a function gives nothing.
pub fn refusal(module: &str, function: &str, input: &Value) -> String {
    let answer = answer_on(Threads::One, module, function, input);
    assert_eq!(answer["success"], false, "{answer}");
    answer["error"].as_str().expect("a reason").to_string()
}

/// All numbers in a value, in order.
pub fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Number(number) => vec![number.as_f64().expect("a float")],
        Value::Array(values) => values.iter().flat_map(numbers).collect(),
        Value::Object(fields) => fields.values().flat_map(numbers).collect(),
        other => panic!("{other} is not a number"),
    }
}

/// Asserts that the difference is small beside the expected numbers.
#[track_caller]
pub fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let square = |xs: &mut dyn Iterator<Item = f64>| xs.map(|x| x * x).sum::<f64>().sqrt();
    let off = square(&mut found.iter().zip(expected).map(|(a, b)| a - b));
    let length = square(&mut expected.iter().copied());
    assert!(off <= tolerance * length, "off by {:e}: {found:?}, not {expected:?}", off / length);
}

/// Numbers between −1 and 1 that look random.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn numbers(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.number()).collect()
    }

    pub fn rows(&mut self, n: usize, width: usize) -> Vec<Vec<f64>> {
        (0..n).map(|_| self.numbers(width)).collect()
    }
}
