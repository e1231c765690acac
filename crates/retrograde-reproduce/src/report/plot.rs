//! Figures as SVG that takes its colours from the page.

use crate::findings::{Axis, Field, Figure, Graph, Plot, Style};
use crate::format;
use std::fmt::Write;

/// How many colours the page has for series.
pub const COLOURS: usize = 8;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 48.0;

/// A figure as SVG.
pub fn svg(figure: &Figure) -> String {
    match figure {
        Figure::Plot(plot) => lines(plot),
        Figure::Field(field) => colours(field),
        Figure::Graph(graph) => network(graph),
    }
}

/// Text that can stand in XML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn open(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n",
        escaped(title)
    )
}

/// An axis with its ends, and where numbers stand along it.
struct Scale<'a> {
    axis: &'a Axis,
    low: f64,
    high: f64,
    /// On the picture.
    from: f64,
    to: f64,
}

impl<'a> Scale<'a> {
    /// From the least to the largest of what is shown.
    fn new(axis: &'a Axis, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let shown = values.filter(|value| axis.shows(*value)).map(|value| axis.along(value));
        let (low, high) = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        // Lines do not lie on the frame, and a single value is in the middle.
        let room = if high > low { 0.04 * (high - low) } else { 0.5 };
        let from_zero = !axis.logarithmic && low >= 0.0 && low < 0.4 * high;
        let low = if from_zero { 0.0 } else { low - room };
        Scale { axis, low, high: high + room, from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let part = (self.axis.along(value) - self.low) / (self.high - self.low);
        self.from + part * (self.to - self.from)
    }

    /// Numbers to be written along the axis.
    fn marks(&self) -> Vec<(f64, String)> {
        match self.axis.logarithmic {
            true => self.powers(),
            false => self.rounded(),
        }
    }

    fn rounded(&self) -> Vec<(f64, String)> {
        let rough = (self.high - self.low) / 5.0;
        let unit = 10_f64.powf(rough.log10().floor());
        let step =
            unit * [1.0, 2.0, 5.0, 10.0].into_iter().find(|m| m * unit >= rough).unwrap_or(10.0);
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        let mark = |k: i64| (k as f64 * step, format::number(k as f64 * step));
        (first..=last).map(mark).collect()
    }

    fn powers(&self) -> Vec<(f64, String)> {
        let (first, last) = (self.low.ceil() as i32, self.high.floor() as i32);
        if last - first >= 2 {
            let step = (last - first) / 7 + 1;
            let powers = (first..=last).filter(|k| k.rem_euclid(step) == 0);
            return powers.map(|k| (10_f64.powi(k), power(k))).collect();
        }
        // Within few powers of ten, numbers between them too.
        let all = (first - 1..=last)
            .flat_map(|k| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(k)))
            .filter(|value| (self.low..=self.high).contains(&value.log10()));
        all.map(|value| (value, format::number(value))).collect()
    }
}

impl Axis {
    fn shows(&self, value: f64) -> bool {
        value.is_finite() && (!self.logarithmic || value > 0.0)
    }

    fn along(&self, value: f64) -> f64 {
        if self.logarithmic { value.log10() } else { value }
    }
}

/// A power of ten.
fn power(exponent: i32) -> String {
    if (-3..=4).contains(&exponent) {
        return format::number(10_f64.powi(exponent));
    }
    let raised = |digit| match digit {
        '-' => '⁻',
        digit => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize - '0' as usize).unwrap_or(digit),
    };
    format!("10{}", exponent.to_string().chars().map(raised).collect::<String>())
}

fn lines(plot: &Plot) -> String {
    let points = || plot.series.iter().flat_map(|series| series.points.iter());
    let x = Scale::new(&plot.x, points().map(|point| point.0), LEFT, WIDTH - RIGHT);
    let y = Scale::new(&plot.y, points().map(|point| point.1), HEIGHT - BOTTOM, TOP);
    let mut svg = open(WIDTH, HEIGHT, &plot.title);
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    let mut add = |text: String| svg.push_str(&text);
    for (value, label) in x.marks() {
        let at = x.place(value);
        add(format!("<path class=\"grid\" d=\"M{at:.1} {TOP}V{bottom}\"/>\n"));
        let below = bottom + 17.0;
        add(format!("<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{label}</text>\n"));
    }
    for (value, label) in y.marks() {
        let at = y.place(value);
        add(format!("<path class=\"grid\" d=\"M{LEFT} {at:.1}H{right}\"/>\n"));
        let (left, middle) = (LEFT - 6.0, at + 4.0);
        add(format!("<text x=\"{left}\" y=\"{middle:.1}\" text-anchor=\"end\">{label}</text>\n"));
    }
    add(format!("<path class=\"frame\" d=\"M{LEFT} {TOP}V{bottom}H{right}\"/>\n"));
    let (middle, below) = ((LEFT + right) / 2.0, HEIGHT - 8.0);
    add(format!(
        "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{}</text>\n",
        escaped(&plot.x.label)
    ));
    let middle = (TOP + bottom) / 2.0;
    add(format!(
        "<text transform=\"translate(17 {middle}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        escaped(&plot.y.label)
    ));
    for (k, series) in plot.series.iter().enumerate() {
        let shown = series.points.iter().filter(|(a, b)| plot.x.shows(*a) && plot.y.shows(*b));
        let places: Vec<(f64, f64)> = shown.map(|(a, b)| (x.place(*a), y.place(*b))).collect();
        let colour = k % COLOURS;
        if series.style != Style::Dots {
            let class = if series.style == Style::Dashes { "line dashes" } else { "line" };
            let mut path = String::new();
            for (k, (a, b)) in places.iter().enumerate() {
                let command = if k == 0 { 'M' } else { 'L' };
                let _ = write!(path, "{command}{a:.1} {b:.1}");
            }
            add(format!("<path class=\"{class} c{colour}\" d=\"{path}\"/>\n"));
        }
        if series.style != Style::Dashes {
            let radius = if places.len() > 60 { 1.4 } else { 3.0 };
            for (a, b) in places {
                let mark = format!("cx=\"{a:.1}\" cy=\"{b:.1}\" r=\"{radius}\"");
                add(format!("<circle class=\"mark c{colour}\" {mark}/>\n"));
            }
        }
    }
    svg + "</svg>"
}

/// The most squares along a side of a field.
const SQUARES: usize = 80;

fn colours(field: &Field) -> String {
    let height = field.values.len() / field.width.max(1);
    let every = field.width.max(height).div_ceil(SQUARES).max(1);
    let (columns, rows) = (field.width / every, height / every);
    let largest = field.values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    let size = 4.0;
    let mut svg = open(columns as f64 * size, rows as f64 * size, &field.title);
    for row in 0..rows {
        let shade = |column: usize| {
            let value = field.values[row * every * field.width + column * every];
            // In the square root, so that what is small is still seen.
            (8.0 * value.signum() * (value.abs() / largest.max(f64::MIN_POSITIVE)).sqrt()).round()
                as i32
        };
        let mut column = 0;
        while column < columns {
            let start = column;
            let shade_here = shade(start);
            while column < columns && shade(column) == shade_here {
                column += 1;
            }
            if shade_here != 0 {
                let (x, y) = (start as f64 * size, row as f64 * size);
                let width = (column - start) as f64 * size;
                let class = if shade_here > 0 { "above" } else { "below" };
                let opacity = f64::from(shade_here.abs()) / 8.0;
                let _ = writeln!(
                    svg,
                    "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{size}\" opacity=\"{opacity}\"/>"
                );
            }
        }
    }
    svg + "</svg>"
}

fn network(graph: &Graph) -> String {
    let extent =
        graph.points.iter().fold(1e-300, |most: f64, (x, y)| most.max(x.abs()).max(y.abs()));
    let place = |(x, y): (f64, f64)| (170.0 + 155.0 * x / extent, 170.0 - 155.0 * y / extent);
    let mut svg = open(340.0, 340.0, &graph.title);
    for (a, b) in &graph.edges {
        let ((ax, ay), (bx, by)) = (place(graph.points[*a]), place(graph.points[*b]));
        let _ = writeln!(svg, "<path class=\"line c0\" d=\"M{ax:.1} {ay:.1}L{bx:.1} {by:.1}\"/>");
    }
    for point in &graph.points {
        let (x, y) = place(*point);
        let _ = writeln!(svg, "<circle class=\"mark c1\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\"/>");
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_few() {
        let labels = |axis: &Axis, low: f64, high: f64| -> Vec<String> {
            let scale = Scale::new(axis, [low, high].into_iter(), 0.0, 500.0);
            scale.marks().into_iter().map(|(_, label)| label).collect()
        };
        let linear = Axis::linear("");
        assert_eq!(labels(&linear, 0.0, 10.0), ["0", "5", "10"]);
        assert_eq!(labels(&linear, -1.0, 1.0), ["-1", "-0.5", "0", "0.5", "1"]);
        let logarithmic = Axis::logarithmic("");
        assert_eq!(labels(&logarithmic, 1.0, 1000.0), ["1", "10", "100", "1000"]);
        assert_eq!(labels(&logarithmic, 3.0, 40.0), ["5", "10", "20"]);
        assert!(labels(&logarithmic, 1e-14, 1e5).len() <= 10);
        assert_eq!(power(-9), "10⁻⁹");
    }

    #[test]
    fn what_cannot_be_shown_is_left_out() {
        let mut plot = Plot::new("a < b", Axis::linear("x"), Axis::logarithmic("y"));
        plot.line("", [(0.0, 1.0), (1.0, 0.0), (2.0, f64::NAN), (3.0, 10.0)]);
        let svg = lines(&plot);
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("a &lt; b") && !svg.contains("NaN"), "{svg}");
    }
}
