//! The trade-off of time and space, as points on two logarithmic axes.

use super::{Question, units};
use crate::style;
use anstyle::Style;
use retrograde::schedule::Schedule;
use retrograde::schedule::plan::{self, Choice};
use std::ops::Range;

/// Time against memory.
pub struct Chart {
    /// What is on the axes: memory, and time.
    pub titles: [String; 2],
    /// From the left to the right and from the bottom to the top, as logarithms to base 10.
    pub axes: [Range<f64>; 2],
    pub marks: Vec<Mark>,
    /// The logarithm of the memory that there is.
    pub limit: f64,
}

/// A schedule with some parameters.
pub struct Mark {
    pub name: String,
    pub sign: char,
    pub points: Vec<[f64; 2]>,
    pub kind: Kind,
}

/// How a [`Mark`] is drawn.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Treeverse,
    Bennett,
    Extreme,
    Taken,
}

/// How many characters the chart is wide and high.
const SIZE: [usize; 2] = [64, 16];

/// Numbers up to `most`, in steps of a few per cent.
fn geometric(from: usize, most: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(from), move |&n| {
        let next = n.saturating_add((n / 25).max(1));
        (n < most).then(|| next.min(most))
    })
}

/// Those points that no other beats in both.
fn front(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    let mut best = f64::INFINITY;
    points.retain(|[_, time]| {
        let better = *time < best;
        best = best.min(*time);
        better
    });
    points
}

impl Chart {
    pub fn new(question: &Question, choices: &[Choice], taken: &Choice) -> Self {
        let at = |choice: &Choice| {
            [(choice.bytes(question.state) as f64).log10(), question.time(choice).log10()]
        };
        let steps = question.steps;
        let of = |schedule| at(&Choice { schedule, cost: plan::gradient(schedule, steps) });
        let treeverse =
            geometric(1, steps).map(|checkpoints| of(Schedule::Treeverse { checkpoints }));
        let bennett = geometric(2, steps.max(2)).map(|blocks| of(Schedule::Bennett { blocks }));
        let mark = |name: &str, sign, points, kind| Mark { name: name.into(), sign, points, kind };
        let marks = vec![
            mark("Bennett", 'b', front(bennett.collect()), Kind::Bennett),
            mark("treeverse", 't', front(treeverse.collect()), Kind::Treeverse),
            mark("recompute all", 'R', vec![at(&choices[1])], Kind::Extreme),
            mark("store all", 'S', vec![at(&choices[0])], Kind::Extreme),
            mark("taken", '#', vec![at(taken)], Kind::Taken),
        ];
        let limit = (question.memory as f64).log10();
        let range = |axis: usize, also: Option<f64>| {
            let values =
                || marks.iter().flat_map(|mark| &mark.points).map(|point| point[axis]).chain(also);
            let (low, high) = (
                values().fold(f64::INFINITY, f64::min),
                values().fold(f64::NEG_INFINITY, f64::max),
            );
            // A little room, and something to see where all is the same.
            let room = ((high - low) * 0.03).max(0.1);
            low - room..high + room
        };
        // A memory far beyond what any schedule can use is not shown.
        let shown = Some(limit).filter(|limit| *limit < at(&choices[0])[0] + 1.0);
        let axes = [range(0, shown), range(1, None)];
        let time = if question.seconds.is_some() { "time" } else { "time in steps" };
        Chart { titles: ["memory".into(), time.into()], axes, marks, limit }
    }

    /// Round values on an axis, at most so many, with their texts.
    pub fn ticks(&self, axis: usize, most: usize) -> Vec<(f64, String)> {
        let range = self.axes[axis].clone();
        let powers = range.start.ceil() as i32..=range.end.floor() as i32;
        let ticks: Vec<(f64, String)> = if axis == 0 {
            powers.map(|power| (f64::from(power), units::power_of_bytes(power))).collect()
        } else if self.titles[1] == "time" {
            units::round_times().filter(|(value, _)| range.contains(value)).collect()
        } else {
            powers.map(|power| (f64::from(power), format!("1e{power}"))).collect()
        };
        let every = ticks.len().div_ceil(most).max(1);
        ticks.into_iter().step_by(every).collect()
    }

    /// Where a value lies between the ends of an axis, from 0 to 1.
    pub fn place(&self, axis: usize, value: f64) -> f64 {
        let Range { start, end } = self.axes[axis];
        (value - start) / (end - start)
    }

    /// In characters.
    pub fn draw(&self) -> String {
        let [width, height] = SIZE;
        let cell = |axis: usize, value| {
            let last = SIZE[axis] - 1;
            (self.place(axis, value) * last as f64).round().clamp(0.0, last as f64) as usize
        };
        let mut cells = vec![vec![(' ', Style::new()); width]; height];
        if self.axes[0].contains(&self.limit) {
            let column = cell(0, self.limit);
            cells.iter_mut().for_each(|row| row[column] = ('|', style::DIM));
        }
        for Mark { sign, points, kind, .. } in &self.marks {
            for [x, y] in points {
                cells[height - 1 - cell(1, *y)][cell(0, *x)] = (*sign, kind.style());
            }
        }
        let mut labels = vec![String::new(); height];
        for (value, text) in self.ticks(1, height / 3) {
            labels[height - 1 - cell(1, value)] = text;
        }
        let mut text = format!("\n  {}\n", style::paint(&self.titles[1], style::DIM));
        for (label, row) in labels.iter().zip(cells) {
            let filled = row.iter().rposition(|(sign, _)| *sign != ' ').map_or(0, |last| last + 1);
            let drawn: String =
                row[..filled].iter().map(|(sign, style)| painted(*sign, *style)).collect();
            let axis = if label.is_empty() { '│' } else { '┤' };
            text.push_str(format!("{label:>11} {axis}{drawn}").trim_end());
            text.push('\n');
        }
        let mut axis = vec!['─'; width];
        let mut below = String::new();
        for (value, label) in self.ticks(0, width / 12) {
            let column = cell(0, value);
            axis[column] = '┬';
            let from = column.saturating_sub(label.chars().count() / 2);
            if from > below.chars().count() || below.is_empty() {
                below = format!("{below:from$}{label}");
            }
        }
        let axis: String = axis.into_iter().collect();
        text.push_str(&format!("            └{axis}\n             {below}\n\n"));
        let mut legend: Vec<String> = self
            .marks
            .iter()
            .map(|mark| format!("{} {}", painted(mark.sign, mark.kind.style()), mark.name))
            .collect();
        legend.push(format!("{} the memory there is", style::paint('|', style::DIM)));
        text.push_str(&format!("  {}: to the right\n  {}\n", self.titles[0], legend.join("   ")));
        text
    }
}

fn painted(sign: char, style: Style) -> String {
    if style == Style::new() { sign.to_string() } else { style::paint(sign, style) }
}

impl Kind {
    fn style(self) -> Style {
        match self {
            Kind::Treeverse => style::CALL,
            Kind::Bennett => style::MACRO,
            Kind::Extreme => style::HEADING,
            Kind::Taken => style::COMMAND,
        }
    }
}
