//! The trade-off of time and space, as points on two logarithmic axes.

use super::Question;
use crate::style;
use anstyle::Style;
use retrograde::schedule::Schedule;
use retrograde::schedule::plan::{self, Choice};
use retrograde_reproduce::findings::{Axis, Plot, Style as Drawn, Unit};
use retrograde_reproduce::picture::Scale;

/// How many characters the chart is wide and high.
const SIZE: [usize; 2] = [64, 16];

/// The most numbers along each of its axes.
const MARKS: [usize; 2] = [SIZE[0] / 12, SIZE[1] / 3];

/// Numbers up to `most`, in steps of a few per cent.
fn geometric(from: usize, most: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(from), move |&n| {
        let next = n.saturating_add((n / 25).max(1));
        (n < most).then(|| next.min(most))
    })
}

/// Those points that no other beats in both.
fn front(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = points.collect();
    points.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    let mut best = f64::INFINITY;
    points.retain(|(_, time)| {
        let better = *time < best;
        best = best.min(*time);
        better
    });
    points
}

/// Time against memory.
pub fn chart(question: &Question, choices: &[Choice], taken: &Choice) -> Plot {
    let at = |choice: &Choice| (choice.bytes(question.state) as f64, question.time(choice));
    let steps = question.steps;
    let of = |schedule| at(&Choice { schedule, cost: plan::gradient(schedule, steps) });
    let treeverse = geometric(1, steps).map(|checkpoints| of(Schedule::Treeverse { checkpoints }));
    let bennett = geometric(2, steps.max(2)).map(|blocks| of(Schedule::Bennett { blocks }));
    let time = match question.seconds {
        Some(_) => Axis::logarithmic("time").of(Unit::Seconds),
        None => Axis::logarithmic("time in steps"),
    };
    let memory = Axis::logarithmic("memory").of(Unit::Bytes);
    let mut plot = Plot::new("Time and memory of a gradient", memory, time);
    let (store, recompute) = (at(&choices[0]), at(&choices[1]));
    plot.line("Bennett", front(bennett))
        .line("treeverse", front(treeverse))
        .dots("recompute all", [recompute])
        .dots("store all", [store])
        .ring("taken", at(taken));
    let limit = question.memory as f64;
    // A memory far beyond what any schedule can use is not shown.
    if limit < 10.0 * store.0 {
        plot.dashes("the memory there is", [(limit, store.1), (limit, recompute.1)]);
    }
    plot
}

/// The sign of a series, and its colour.
fn sign(name: &str) -> (char, Style) {
    match name {
        "Bennett" => ('b', style::MACRO),
        "treeverse" => ('t', style::CALL),
        "recompute all" => ('R', style::HEADING),
        "store all" => ('S', style::HEADING),
        "taken" => ('#', style::COMMAND),
        _ => ('|', style::DIM),
    }
}

/// A chart in characters.
pub fn draw(plot: &Plot) -> String {
    let [width, height] = SIZE;
    let points = || plot.series.iter().flat_map(|series| &series.points);
    let x = Scale::new(&plot.x, points().map(|point| point.0));
    let y = Scale::new(&plot.y, points().map(|point| point.1));
    let cell =
        |place: f64, last: usize| (place * last as f64).round().clamp(0.0, last as f64) as usize;
    let column = |value| cell(x.place(value), width - 1);
    let row = |value| height - 1 - cell(y.place(value), height - 1);
    let mut cells = vec![vec![(' ', Style::new()); width]; height];
    let (broken, others): (Vec<_>, Vec<_>) =
        plot.series.iter().partition(|series| series.style == Drawn::Dashes);
    for series in broken {
        let column = column(series.points[0].0);
        cells.iter_mut().for_each(|row| row[column] = sign(&series.name));
    }
    for series in others {
        for (a, b) in &series.points {
            cells[row(*b)][column(*a)] = sign(&series.name);
        }
    }
    let mut labels = vec![String::new(); height];
    for (value, text) in y.marks(MARKS[1]) {
        labels[row(value)] = text;
    }
    let mut text = format!("\n  {}\n", style::paint(&plot.y.label, style::DIM));
    for (label, row) in labels.iter().zip(cells) {
        let filled = row.iter().rposition(|(sign, _)| *sign != ' ').map_or(0, |last| last + 1);
        let drawn: String = row[..filled].iter().map(painted).collect();
        let axis = if label.is_empty() { '│' } else { '┤' };
        text.push_str(format!("{label:>11} {axis}{drawn}").trim_end());
        text.push('\n');
    }
    let mut axis = vec!['─'; width];
    let mut below = String::new();
    for (value, label) in x.marks(MARKS[0]) {
        let column = column(value);
        axis[column] = '┬';
        let from = column.saturating_sub(label.chars().count() / 2);
        if from > below.chars().count() || below.is_empty() {
            below = format!("{below:from$}{label}");
        }
    }
    let axis: String = axis.into_iter().collect();
    text.push_str(&format!("            └{axis}\n             {below}\n\n"));
    let legend: Vec<String> = plot
        .series
        .iter()
        .map(|series| format!("{} {}", painted(&sign(&series.name)), series.name))
        .collect();
    text.push_str(&format!("  {}: to the right\n  {}\n", plot.x.label, legend.join("   ")));
    text
}

fn painted((sign, style): &(char, Style)) -> String {
    if *style == Style::new() { sign.to_string() } else { style::paint(sign, *style) }
}
