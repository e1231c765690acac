//! The judge: runs what the compiler emits beside the program as it is written.
//!
//! For a function and a point it asks, with `w` and `t` at random:
//!
//! - Does the emitted function do what the source says, bit for bit?
//! - Does the emitted inverse give the start again?
//! - Is `⟨w, J t⟩ = ⟨Jᵀ w, t⟩`, where `J t` is the derivative of the *source* along `t`, by dual
//!   numbers, and `Jᵀ w` what the emitted adjoint makes of `w`? And does it restore the values?
//! - Does the inverse adjoint take the result of the adjoint back?
//! - Are the adjoint that need not restore values, and `gradient`, as right as the adjoint?

mod derivatives;

use crate::expansion::expand;
use crate::machine::{Argument, Direction, Run, Undoing, run, run_by, run_undoing};
use crate::number::Number;
use crate::program::Program;
use crate::random::Random;
use crate::stop::Failure;
use crate::value::Value;
use syn::{File, FnArg, Pat, Type};

/// A program, and where it is run.
#[derive(Clone, Debug)]
pub struct Case {
    /// The program as it is written.
    pub source: String,
    /// The function that is run.
    pub function: String,
    /// What it is run on.
    pub arguments: Vec<Value<f64>>,
    /// How long slices and vectors are.
    pub length: usize,
    /// What the directions of derivatives come from.
    pub seed: u64,
    /// What it is made of, in the words of the generator.
    pub about: Vec<&'static str>,
}

/// What the judge finds.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// All is as it must be.
    Right,
    /// The compiler refuses the program.
    Refused(String),
    /// A check or a panic stops a run.
    Loud(String),
    /// Numbers grow beyond what can be compared.
    Wild,
    /// The interpreter does not know something.
    Unknown(String),
    /// A wrong number, in silence.
    Wrong(String),
}

/// Up to which results may differ, relative to their terms.
const TOLERANCE: f64 = 1e-6;

/// Beyond which numbers are not compared.
const WILD: f64 = 1e4;

impl From<Failure> for Verdict {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Loud(text) => Verdict::Loud(text),
            Failure::Unknown(text) => Verdict::Unknown(text),
        }
    }
}

/// An argument of the function.
#[derive(Clone, Debug)]
struct Parameter {
    name: String,
    /// Passed by reference.
    lent: bool,
    /// Passed to be written.
    written: bool,
    /// Whether its shadow follows it in the adjoint.
    shadowed: bool,
}

/// A case, ready to be judged.
struct Trial<'a> {
    function: &'a str,
    source: Program,
    emitted: Program,
    parameters: Vec<Parameter>,
    random: Random,
    /// Whether sums may be made in another order, or undone without rounding.
    regrouped: bool,
    /// How the source undoes what it computes.
    undoing: Undoing,
}

/// Judges a case, with some passes of the optimiser off.
pub fn judge(case: &Case, off: &[&str]) -> Verdict {
    let file = match syn::parse_file(&case.source) {
        Ok(file) => file,
        Err(error) => return Verdict::Unknown(format!("what is no Rust: {error}")),
    };
    judge_file(&file, case, off)
}

/// Judges a case whose source is parsed already.
pub fn judge_file(file: &File, case: &Case, off: &[&str]) -> Verdict {
    let expanded = match expand(file, off) {
        Ok(expanded) => expanded,
        Err(diagnostic) => return Verdict::Refused(diagnostic),
    };
    let (source, emitted) = (Program::new(file.clone()), Program::new(expanded));
    let Some(parameters) = parameters(&source, &emitted, &case.function) else {
        return Verdict::Unknown(format!("the function {}", case.function));
    };
    let trial = Trial {
        function: &case.function,
        source,
        emitted,
        parameters,
        random: Random::new(case.seed),
        regrouped: case.length >= 32 && !off.contains(&"lanes"),
        undoing: Undoing::Run,
    };
    if case.arguments.len() != trial.parameters.len() {
        return Verdict::Unknown(format!("values for the arguments of {}", case.function));
    }
    match trial.judge(&case.arguments) {
        Ok(()) => Verdict::Right,
        // What is computed for nobody may be left out, together with its checks.
        Err(Verdict::Wrong(text)) if text.starts_with(UNCHECKED) && !off.contains(&EVERYTHING) => {
            let off: Vec<&str> = off.iter().copied().chain([EVERYTHING]).collect();
            match judge_file(file, case, &off) {
                Verdict::Loud(told) => Verdict::Loud(told),
                _ => Verdict::Wrong(text),
            }
        }
        Err(verdict) => verdict,
    }
}

/// How a verdict begins where emitted code goes on though a check fails.
const UNCHECKED: &str = "a check that is not made";

/// The pass without which nothing is left out.
const EVERYTHING: &str = "uncomputing";

fn parameters(source: &Program, emitted: &Program, function: &str) -> Option<Vec<Parameter>> {
    let names = |inputs: &syn::Signature| -> Vec<(String, Type)> {
        let inputs = inputs.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(name) => Some((name.ident.to_string(), (*typed.ty).clone())),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        });
        inputs.collect()
    };
    let own = names(&source.functions.get(function)?.signature);
    let with_shadows = emitted.member(function, "adjoint").map(|adjoint| names(&adjoint.signature));
    let with_shadows = with_shadows.unwrap_or_default();
    Some(
        own.into_iter()
            .map(|(name, ty)| {
                let shadow = format!("d_{name}");
                let shadowed = with_shadows.iter().any(|(other, _)| *other == shadow);
                let (lent, written) = match &ty {
                    Type::Reference(reference) => (true, reference.mutability.is_some()),
                    _ => (false, false),
                };
                Parameter { name, lent, written, shadowed }
            })
            .collect(),
    )
}

type Values = Vec<Value<f64>>;

/// Large numbers lose what they were made of, and there is nothing to be compared.
fn tame<N>(run: &Run<N>) -> Result<(), Verdict> {
    if run.largest < WILD { Ok(()) } else { Err(Verdict::Wild) }
}

fn numbers(values: &[Value<f64>]) -> Vec<f64> {
    let mut numbers = Vec::new();
    values.iter().for_each(|value| value.numbers(&mut numbers));
    numbers
}

fn largest(values: &[Value<f64>]) -> f64 {
    numbers(values).into_iter().map(f64::abs).fold(1.0, f64::max)
}

impl Trial<'_> {
    fn judge(mut self, before: &[Value<f64>]) -> Result<(), Verdict> {
        let before = before.to_vec();
        let path = [self.function];
        let after = match self.run_plain(&self.source, &path, Undoing::Run, &before) {
            // Where rounding is in the way of undoing, what it would be without.
            Err(Verdict::Loud(text)) if text.starts_with("check") => {
                (self.undoing, self.regrouped) = (Undoing::Ideal, true);
                match self.run_plain(&self.source, &path, Undoing::Ideal, &before) {
                    Err(Verdict::Loud(text)) if text.starts_with("check") => {
                        return Err(self.must_be_loud(&text, &before));
                    }
                    other => other?,
                }
            }
            other => other?,
        };
        if !numbers(&after).iter().all(|number| number.abs() < WILD) {
            return Err(Verdict::Wild);
        }
        let emitted = self.run_plain(&self.emitted, &path, Undoing::Run, &before)?;
        self.same_bits(&emitted, &after)?;
        if let Err(told) = self.comes_back(&before, &after) {
            // Whoever has the outputs alone cannot know. `gradient` has seen the inputs.
            self.gradient(&before)?;
            // But that a decision was another, has to be said.
            if self.comes_back_deciding_alike(&before, &after) {
                self.inverse(&before, &after)?;
            }
            return Err(Verdict::Loud(format!("floats forget: {told}")));
        }
        self.inverse(&before, &after)?;
        if self.emitted.member(self.function, "__adjoint").is_some() {
            self.adjoints(&before, &after)?;
            self.gradient(&before)?;
        }
        Ok(())
    }

    /// The emitted inverse gives the start again.
    fn inverse(&self, before: &[Value<f64>], after: &[Value<f64>]) -> Result<(), Verdict> {
        let path = [self.function, "inverse"];
        let back = self.run_plain(&self.emitted, &path, Undoing::Run, after)?;
        self.near("inverse", &back, before, largest(before).max(largest(after)))
    }

    /// Whether the source itself, run backwards, gives the start again, and not by chance: also
    /// from an end that is off by a bit.
    fn comes_back(&self, before: &[Value<f64>], after: &[Value<f64>]) -> Result<(), String> {
        let back = |arguments: &mut [Argument<f64>]| {
            let path = [self.function];
            run_undoing(&self.source, &path, Direction::Backward, self.undoing, arguments)
        };
        self.comes_back_by(back, before, after)
    }

    /// The same, where each decision is that of the way there.
    fn comes_back_deciding_alike(&self, before: &[Value<f64>], after: &[Value<f64>]) -> bool {
        let (path, mut there) = ([self.function], self.arguments(before));
        let there = run_undoing(&self.source, &path, Direction::Forward, self.undoing, &mut there);
        let Ok(Run { decisions, .. }) = there else { return false };
        let back = |arguments: &mut [Argument<f64>]| {
            run_by(decisions.clone(), &self.source, &path, self.undoing, arguments)
        };
        self.comes_back_by(back, before, after).is_ok()
    }

    fn comes_back_by(
        &self,
        back: impl Fn(&mut [Argument<f64>]) -> Result<Run<f64>, Failure>,
        before: &[Value<f64>],
        after: &[Value<f64>],
    ) -> Result<(), String> {
        // What was written is rounded.
        let beside = after.iter().zip(before).map(|(after, before)| {
            let mut before = numbers(std::slice::from_ref(before)).into_iter();
            after.with_numbers(&mut |number| match before.next() == Some(number) {
                true => number,
                false => number * (1.0 + f64::EPSILON),
            })
        });
        let scale = largest(before).max(largest(after));
        for end in [after.to_vec(), beside.collect::<Values>()] {
            let mut arguments = self.arguments(&end);
            back(&mut arguments).map_err(|failure| format!("{failure:?}"))?;
            let back: Values = arguments.iter().map(|argument| argument.value().clone()).collect();
            let near = self.near("backwards", &back, before, scale);
            near.map_err(|verdict| format!("{verdict:?}"))?;
        }
        Ok(())
    }

    /// Arguments that hold these values.
    fn arguments<N: Number>(&self, values: &[Value<N>]) -> Vec<Argument<N>> {
        let pairs = self.parameters.iter().zip(values);
        pairs
            .map(|(parameter, value)| match parameter.lent {
                true => Argument::Lent(value.clone()),
                false => Argument::Given(value.clone()),
            })
            .collect()
    }

    /// Where the source breaks a promise that has nothing to do with rounding, the emitted
    /// function must not go on in silence.
    fn must_be_loud(&self, text: &str, before: &[Value<f64>]) -> Verdict {
        let emitted = self.run_plain(&self.emitted, &[self.function], Undoing::Run, before);
        match emitted {
            Ok(_) if !text.contains("ancilla") && !text.contains("became") => {
                Verdict::Wrong(format!("{UNCHECKED}: {text}"))
            }
            Err(Verdict::Unknown(text)) => Verdict::Unknown(text),
            _ => Verdict::Loud(text.into()),
        }
    }

    /// Runs a function of the arguments alone.
    fn run_plain<N: Number>(
        &self,
        program: &Program,
        path: &[&str],
        undoing: Undoing,
        values: &[Value<N>],
    ) -> Result<Vec<Value<N>>, Verdict> {
        let mut arguments = self.arguments(values);
        tame(&run_undoing(program, path, Direction::Forward, undoing, &mut arguments)?)?;
        Ok(arguments.iter().map(|argument| argument.value().clone()).collect())
    }

    /// Runs a function of the arguments and their shadows. One for emitted code alone
    /// takes something in place of each shadow that is not there.
    fn run_shadowed(
        &self,
        member: &str,
        values: &[Value<f64>],
        shadows: &[Value<f64>],
    ) -> Result<(Values, Values), Verdict> {
        let hidden = member.starts_with("__");
        let mut arguments = Vec::new();
        for ((parameter, value), shadow) in self.parameters.iter().zip(values).zip(shadows) {
            arguments.push(match parameter.lent {
                true => Argument::Lent(value.clone()),
                false => Argument::Given(value.clone()),
            });
            if parameter.shadowed {
                arguments.push(Argument::Lent(shadow.clone()));
            } else if hidden {
                arguments.push(Argument::Given(Value::wrapper("NoShadow", Vec::new())));
            }
        }
        tame(&run(&self.emitted, &[self.function, member], Direction::Forward, &mut arguments)?)?;
        let mut results = arguments.into_iter();
        let (mut new_values, mut new_shadows) = (Values::new(), Values::new());
        for (parameter, shadow) in self.parameters.iter().zip(shadows) {
            let mut next = || {
                results.next().map(|argument| argument.value().clone()).expect("as many as before")
            };
            new_values.push(next());
            new_shadows.push(if parameter.shadowed || hidden { next() } else { shadow.clone() });
            if !parameter.shadowed {
                *new_shadows.last_mut().expect("just pushed") = shadow.clone();
            }
        }
        Ok((new_values, new_shadows))
    }

    /// The emitted function must do just what the source does.
    fn same_bits(&self, found: &[Value<f64>], expected: &[Value<f64>]) -> Result<(), Verdict> {
        if self.regrouped {
            return self.near("forward", found, expected, largest(expected));
        }
        let equal = found.iter().zip(expected).all(|(found, expected)| alike(found, expected));
        match equal {
            true => Ok(()),
            false => Err(Verdict::Wrong(format!(
                "forward: {}",
                difference(&self.parameters, found, expected)
            ))),
        }
    }

    fn near(
        &self,
        what: &str,
        found: &[Value<f64>],
        expected: &[Value<f64>],
        scale: f64,
    ) -> Result<(), Verdict> {
        let (a, b) = (numbers(found), numbers(expected));
        let close =
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= TOLERANCE * scale);
        let whole =
            found.iter().zip(expected).all(|(found, expected)| whole_alike(found, expected));
        match close && whole {
            true => Ok(()),
            false => Err(Verdict::Wrong(format!(
                "{what}: {}",
                difference(&self.parameters, found, expected)
            ))),
        }
    }
}

/// Whether two values are the same to the last bit.
fn alike(a: &Value<f64>, b: &Value<f64>) -> bool {
    let (x, y) = (numbers(std::slice::from_ref(a)), numbers(std::slice::from_ref(b)));
    // A zero has no sign that matters.
    let bits =
        x.len() == y.len() && x.iter().zip(&y).all(|(x, y)| x == y || x.is_nan() && y.is_nan());
    bits && whole_alike(a, b)
}

/// Whether all that is no number is equal.
fn whole_alike(a: &Value<f64>, b: &Value<f64>) -> bool {
    crate::checks::same(&a.with_numbers(&mut |_| 0.0), &b.with_numbers(&mut |_| 0.0))
}

/// The first argument in which values differ, for a message.
fn difference(parameters: &[Parameter], found: &[Value<f64>], expected: &[Value<f64>]) -> String {
    let mut text = String::new();
    for ((parameter, found), expected) in parameters.iter().zip(found).zip(expected) {
        if !alike(found, expected) && text.is_empty() {
            text = format!("{} is {found}, expected {expected}", parameter.name);
        }
    }
    text
}
