//! What a failed reversibility check says.

use std::fmt;
use std::panic::Location;

/// Which promise of a reversible program was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Broken {
    /// An ancilla did not hold its known value when it was released.
    Ancilla,
    /// A float was undone, but came back too far from where it began: what derivatives saw
    /// of it on its way back was wrong.
    Digits,
    /// A float was undone, and came back as NaN.
    NotANumber,
    /// A decision on a float that was undone is so close that rounding may have changed it.
    Decision,
    /// An operand of a `let` changed before the end of the `let`'s scope.
    Binding,
    /// What a `match` looks at changed, so that another arm would be taken at its end.
    Arm,
    /// The postcondition of a branch disagrees with the branch that was taken.
    Branch,
    /// The postcondition of a `while` was true on entry, or false after a pass.
    Loop,
    /// The bounds of a `for` changed while it ran.
    Bounds,
    /// Two places in one statement turned out to be the same.
    Indices,
    /// Two lengths that must be equal differ.
    Lengths,
    /// A container operation that cannot be undone, such as popping an empty stack.
    Container,
}

impl Broken {
    fn describe(self) -> &'static str {
        match self {
            Broken::Ancilla => "an ancilla does not hold its known value when it is released",
            Broken::Digits => {
                "a float was undone, but rounding has grown on its way back until its digits, \
                 and those of derivatives, were lost"
            }
            Broken::NotANumber => "a float was undone, and came back as NaN, which is no number",
            Broken::Decision => {
                "this decision was taken on a float that was undone since, and now it is too \
                 close to be sure that it is the same"
            }
            Broken::Binding => "an operand of this `let` changed while the name was in scope",
            Broken::Arm => {
                "what this `match` looks at changed in its arm, so that another arm would be taken now"
            }
            Broken::Branch => "the condition after the branch disagrees with the branch taken",
            Broken::Loop => {
                "the postcondition of a `while` must be false on entry and true after every pass"
            }
            Broken::Bounds => "the bounds of the loop changed while it ran",
            Broken::Indices => "two places in one statement are the same",
            Broken::Lengths => "lengths differ",
            Broken::Container => "this container operation cannot be undone",
        }
    }
}

impl Broken {
    /// What to write instead, where the message says nothing of it.
    fn help(self) -> Option<&'static str> {
        match self {
            Broken::Digits => Some(
                "write each state into a place of its own, so that nothing is undone, or run the \
                 steps by `retrograde::schedule`; or use numbers that come back more nearly, \
                 `DoubleDouble`, or exactly, `Fixed`",
            ),
            Broken::NotANumber => Some(
                "look for what has no value: the root or the logarithm of a negative number, 0 / 0, \
                 ∞ − ∞; `host! { … }` can print what it is of",
            ),
            Broken::Decision => Some(
                "ask for the `gradient`, or put it into a `#[compute]` block: there, decisions \
                 are kept, if they stand in the block itself and not in a function that it calls; \
                 or decide by an integer, or by a limit that no value comes close to",
            ),
            _ => None,
        }
    }
}

/// The panic payload of a failed run-time check.
///
/// A reversible program that breaks its own promise stops at the statement
/// that broke it. Catch the panic to inspect the values:
///
/// ```
/// use retrograde::prelude::*;
///
/// #[reversible]
/// fn forgets(y: &mut i64, x: &i64) {
///     let mut a = 0;
///     a += *x;
///     *y += a;
/// }
///
/// let payload = std::panic::catch_unwind(|| forgets(&mut 0, &7)).unwrap_err();
/// let error = payload.downcast::<InvertibilityError>().unwrap();
/// assert_eq!((error.expected.as_str(), error.found.as_str()), ("0", "7"));
/// assert_eq!(error.source, "let mut a = 0;");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct InvertibilityError {
    /// Which promise was broken.
    pub broken: Broken,
    /// The statement, as written in the source.
    pub source: &'static str,
    /// The file of that statement.
    pub file: &'static str,
    /// The line of that statement, from 1.
    pub line: u32,
    /// What a reversible program would have had here.
    pub expected: String,
    /// What was there instead.
    pub found: String,
}

impl fmt::Display for InvertibilityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "not reversible: {}", self.broken.describe())?;
        writeln!(f, "  --> {}:{}", self.file, self.line)?;
        for line in self.source.lines() {
            writeln!(f, "   | {line}")?;
        }
        writeln!(f, "  expected: {}", self.expected)?;
        write!(f, "     found: {}", self.found)?;
        match self.broken.help() {
            Some(help) => write!(f, "\n      help: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for InvertibilityError {}

/// Panics with an [`InvertibilityError`] that points at the caller.
///
/// The message is printed first, because the default panic hook can only
/// print payloads that are strings. Call this from an instruction or a
/// container of your own when it is asked for something that it could not undo.
#[cold]
#[inline(never)]
#[track_caller]
pub fn fail(broken: Broken, source: &'static str, expected: String, found: String) -> ! {
    let place = Location::caller();
    let broken = match broken {
        Broken::Digits if found.contains("NaN") => Broken::NotANumber,
        other => other,
    };
    let error = InvertibilityError {
        broken,
        source,
        file: place.file(),
        line: place.line(),
        expected,
        found,
    };
    eprintln!("{error}");
    std::panic::panic_any(error)
}
