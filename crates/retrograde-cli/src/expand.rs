//! `retrograde expand`: what the compiler makes of the functions of a file.

use crate::highlight::highlight;
use crate::stages::{Stage, Stages};
use crate::{Outcome, report, style};
use retrograde_compiler::find::{self, Found};
use std::fmt::Write;
use std::path::Path;

/// What is asked for.
pub struct Request<'a> {
    /// The file.
    pub file: &'a Path,
    /// The name of one function, or all of them.
    pub function: Option<&'a str>,
    /// One stage, or all of them.
    pub stage: Option<Stage>,
}

/// Shows the stages of the functions that are right, and the mistakes of the others.
pub fn run(request: &Request) -> Outcome {
    expand(request).unwrap_or_else(Outcome::unusable)
}

/// Fails where there is nothing to compile.
fn expand(request: &Request) -> Result<Outcome, String> {
    let file = request.file.display().to_string();
    let source = std::fs::read_to_string(request.file)
        .map_err(|error| report::plain(&format!("cannot read `{file}`: {error}"), None))?;
    let parsed = syn::parse_file(&source).map_err(|error| {
        let told = report::located(&error, &file, &source);
        format!("{told}\n{}", report::plain(&format!("`{file}` is not valid Rust"), None))
    })?;
    let all = find::reversible(&parsed);
    let chosen = choose(&all, request.function, &file)?;
    let stages = request.stage.map_or(Stage::ALL.to_vec(), |stage| vec![stage]);
    let (mut shown, mut told) = (Vec::new(), Vec::new());
    let mut mistakes = 0;
    for found in chosen {
        match Stages::of(found) {
            Ok(compiled) => shown.push(show(found, &compiled, &stages, &file)),
            Err(error) => {
                mistakes += error.clone().into_iter().count();
                told.push(report::located(&error, &file, &source));
            }
        }
    }
    let mut output = shown.join("\n");
    if told.is_empty() {
        return Ok(Outcome::fine(output));
    }
    if !output.is_empty() {
        // On a terminal the mistakes follow right below.
        output.push('\n');
    }
    let count = if mistakes == 1 { "1 mistake".into() } else { format!("{mistakes} mistakes") };
    told.push(report::plain(&format!("`{file}` has {count}"), None));
    Ok(Outcome::mistakes(output, told.join("\n")))
}

/// The functions that the name means.
fn choose<'a>(all: &'a [Found], name: Option<&str>, file: &str) -> Result<Vec<&'a Found>, String> {
    if all.is_empty() {
        let help = "put `#[reversible]` on the functions that are to be reversible";
        return Err(report::plain(&format!("no reversible function in `{file}`"), Some(help)));
    }
    let Some(name) = name else { return Ok(all.iter().collect()) };
    let chosen: Vec<_> = all.iter().filter(|found| found.is_named(name)).collect();
    if chosen.is_empty() {
        let names: Vec<_> = all.iter().map(|found| format!("`{}`", found.name)).collect();
        let help = format!("its reversible functions are {}", names.join(", "));
        let reason = format!("no reversible function named `{name}` in `{file}`");
        return Err(report::plain(&reason, Some(&help)));
    }
    Ok(chosen)
}

/// Headings are comments, so that a stage that is Rust can be saved as Rust.
fn show(found: &Found, compiled: &Stages, stages: &[Stage], file: &str) -> String {
    let at = found.ident.span().start();
    let place = style::paint(format!("({file}:{}:{})", at.line, at.column + 1), style::DIM);
    let name = style::paint(format!("// {}", found.name), style::FUNCTION);
    let mut text = format!("{name} {place}\n");
    for section in stages.iter().flat_map(|stage| compiled.sections(*stage)) {
        let title = style::paint(format!("// {}", section.title), style::HEADING);
        let code = highlight(&section.text, section.language);
        write!(text, "\n{title}\n{code}").expect("writing to a string");
    }
    text
}
