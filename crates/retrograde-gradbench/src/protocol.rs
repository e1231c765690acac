//! Messages, a line of JSON each: what is asked on one stream is answered on
//! another.

use crate::evaluations;
use crate::measure::{Measured, Timings};
use crate::threads::Threads;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::io::{self, BufRead, Write};
use std::panic::{self, AssertUnwindSafe};

/// What is asked. Fields that a message does not need are left out.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    kind: Option<String>,
    module: Option<String>,
    function: Option<String>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
}

/// The part of a message that its answer repeats.
#[derive(Deserialize)]
struct Id<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

/// What is answered.
#[derive(Serialize)]
struct Response {
    id: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    success: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timings: Option<Timings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Response {
    fn to(id: Option<&RawValue>) -> Self {
        let id = id.map(RawValue::to_owned);
        Response { id, tool: None, success: None, output: None, timings: None, error: None }
    }

    fn failure(self, error: String) -> Self {
        Response { success: Some(false), error: Some(error), ..self }
    }
}

/// Answers every line of `questions`, until there are no more.
///
/// Whatever is wrong with a question is said in the answer.
pub fn serve(questions: impl BufRead, mut answers: impl Write, threads: Threads) -> io::Result<()> {
    for line in questions.split(b'\n') {
        let line = line?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let response = respond(line, threads);
        serde_json::to_writer(&mut answers, &response)?;
        answers.write_all(b"\n")?;
        answers.flush()?;
    }
    Ok(())
}

fn respond(line: Vec<u8>, threads: Threads) -> Response {
    let message = match serde_json::from_slice::<Message>(&line) {
        Ok(message) => message,
        Err(error) => {
            // What can be read of it is at least whose answer this is.
            let id = serde_json::from_slice::<Id>(&line).ok().and_then(|message| message.id);
            return Response::to(id).failure(format!("this is no message: {error}"));
        }
    };
    let response = Response::to(message.id);
    match message.kind.as_deref() {
        Some("start") => Response { tool: Some("retrograde"), ..response },
        Some("define") => match module(&message) {
            Ok(_) => Response { success: Some(true), ..response },
            Err(error) => response.failure(error),
        },
        Some("evaluate") => {
            let asked = function(&message).and_then(|function| {
                let input = message.input.ok_or("the message has no `input`")?;
                Ok((function, input.to_owned()))
            });
            // The input may be large: of the two, one goes before anything is run.
            drop(line);
            match asked.and_then(|(function, input)| evaluate(function, input, threads)) {
                Ok(Measured { output, timings }) => Response {
                    success: Some(true),
                    output: Some(output),
                    timings: Some(timings),
                    ..response
                },
                Err(error) => response.failure(error),
            }
        }
        Some(_) => response,
        None => response.failure("a message without a `kind`".into()),
    }
}

fn module(message: &Message) -> Result<&'static [evaluations::Function], String> {
    let name = message.module.as_deref().ok_or("the message names no `module`")?;
    evaluations::module(name).ok_or_else(|| format!("there is no module `{name}`"))
}

fn function(message: &Message) -> Result<&'static evaluations::Function, String> {
    let functions = module(message)?;
    let name = message.function.as_deref().ok_or("the message names no `function`")?;
    functions.iter().find(|function| function.name == name).ok_or_else(|| {
        let known: Vec<&str> = functions.iter().map(|function| function.name).collect();
        format!("there is no function `{name}`, but {}", known.join(", "))
    })
}

fn evaluate(
    function: &evaluations::Function,
    input: Box<RawValue>,
    threads: Threads,
) -> Result<Measured, String> {
    let name = function.name;
    // A shape that was not looked at must not end the conversation.
    let run = AssertUnwindSafe(|| (function.run)(input, threads));
    panic::catch_unwind(run).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("`{name}` failed: {}", said.unwrap_or("for an unknown reason")))
    })
}
