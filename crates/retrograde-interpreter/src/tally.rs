//! How many programs were right, loud or wrong.

use crate::judge::Verdict;
use std::collections::BTreeMap;
use std::fmt::{self, Display};

/// The passes of the optimiser, each of which is switched off in turn.
pub const PASSES: [&str; 11] = retrograde_compiler::optimise::Passes::NAMES;

/// Counts of verdicts.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Programs.
    pub programs: usize,
    /// Judgements: a program is judged with all passes, and without some.
    pub judged: usize,
    /// All is as it must be.
    pub right: usize,
    /// Refused by the compiler.
    pub refused: usize,
    /// Stopped by a check or a panic.
    pub loud: usize,
    /// With numbers that are too large.
    pub wild: usize,
    /// Wrong in silence.
    pub wrong: usize,
    /// Unknown to the interpreter.
    pub unknown: usize,
    /// Of each word that says what programs are made of: right, refused, stopped, and others.
    pub about: BTreeMap<&'static str, [usize; 4]>,
    /// How often each reason was given, without its numbers.
    pub reasons: BTreeMap<String, usize>,
}

impl Tally {
    /// Counts a verdict; whether it is the first of its program, and what that is made of.
    pub fn count(&mut self, verdict: &Verdict, first: bool, about: &[&'static str]) {
        let column = match verdict {
            Verdict::Right => 0,
            Verdict::Refused(_) => 1,
            Verdict::Loud(_) => 2,
            _ => 3,
        };
        for word in about {
            self.about.entry(word).or_default()[column] += 1;
        }
        self.programs += usize::from(first);
        self.judged += 1;
        let (count, reason) = match verdict {
            Verdict::Right => (&mut self.right, None),
            Verdict::Refused(text) => {
                (&mut self.refused, Some(format!("refused: {}", reason(text))))
            }
            Verdict::Loud(text) => (&mut self.loud, Some(format!("loud: {}", reason(text)))),
            Verdict::Wild => (&mut self.wild, None),
            Verdict::Wrong(text) => (&mut self.wrong, Some(format!("wrong: {}", reason(text)))),
            Verdict::Unknown(text) => {
                (&mut self.unknown, Some(format!("unknown: {}", reason(text))))
            }
        };
        *count += 1;
        if let Some(reason) = reason {
            *self.reasons.entry(reason).or_default() += 1;
        }
    }

    /// Whether a program was wrong in silence, or not understood.
    pub fn failed(&self) -> bool {
        self.wrong + self.unknown > 0
    }

    /// The share that was refused or stopped, in percent.
    pub fn loud_share(&self) -> f64 {
        100.0 * (self.refused + self.loud + self.wild) as f64 / self.judged.max(1) as f64
    }
}

/// A reason without names and numbers, so that alike ones are counted together.
fn reason(text: &str) -> String {
    let mut quoted = false;
    let mut short = String::new();
    for c in text.chars().take(260) {
        match c {
            '`' => {
                quoted = !quoted;
                short.push('`');
            }
            _ if quoted => {}
            '0'..='9' => {
                if !short.ends_with('#') {
                    short.push('#');
                }
            }
            c => short.push(c),
        }
    }
    short.chars().take(110).collect()
}

impl Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Tally { programs, judged, right, refused, loud, wild, wrong, unknown, .. } = self;
        writeln!(
            f,
            "{programs} programs, judged {judged} times: {right} right, {refused} refused, {loud} loud, \
             {wild} too large ({:.1} % together), {wrong} wrong in silence, {unknown} unknown",
            self.loud_share()
        )?;
        for (word, counts) in &self.about {
            let share = 100.0 * counts[0] as f64 / counts.iter().sum::<usize>().max(1) as f64;
            let [right, refused, loud, other] = counts;
            writeln!(
                f,
                "{word:>16}: {share:5.1} % right ({right} right, {refused} refused, {loud} loud, {other} others)"
            )?;
        }
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (reason, count) in reasons.into_iter().take(25) {
            writeln!(f, "{count:>8}  {reason}")?;
        }
        Ok(())
    }
}
