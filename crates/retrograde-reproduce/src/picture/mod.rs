//! Figures as SVG, in a page or alone.

mod scale;

pub use scale::Scale;

use crate::findings::{Field, Figure, Graph, Plot, Series, Style};
use std::fmt::Write;

/// How figures look. Text and axes have the colour of what is around them.
pub(crate) const STYLE: &str = include_str!("picture.css");
/// How many colours there are for series.
const COLOURS: usize = 8;
/// The most numbers along an axis.
const MARKS: usize = 8;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 48.0;

/// A figure as SVG, for a page with this [`STYLE`].
pub(crate) fn svg(figure: &Figure) -> String {
    match figure {
        Figure::Plot(plot) => lines(plot),
        Figure::Field(field) => colours(field),
        Figure::Graph(graph) => network(graph),
    }
}

/// A plot with its legend, as an SVG that needs nothing else.
pub fn alone(plot: &Plot) -> String {
    let mut legend = String::new();
    let (mut x, mut y) = (LEFT, HEIGHT + 12.0);
    for (k, series) in plot.series.iter().enumerate() {
        // Wide enough for most fonts.
        let width = 50.0 + 7.5 * series.name.chars().count() as f64;
        if x + width > WIDTH && x > LEFT {
            (x, y) = (LEFT, y + 20.0);
        }
        let (swatch, name) = (swatch(k, series), escaped(&series.name));
        let _ = writeln!(
            legend,
            "<g transform=\"translate({x} {y})\">{swatch}<text x=\"30\" y=\"10\">{name}</text></g>"
        );
        x += width;
    }
    let height = y + 24.0;
    let title = escaped(&plot.title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"alone\" viewBox=\"0 0 {WIDTH} {height}\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n\
         <rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n{}{legend}</svg>\n",
        inside(plot)
    )
}

/// How a series is drawn, 24 wide and 12 high, for a legend.
pub(crate) fn swatch(k: usize, series: &Series) -> String {
    let colour = k % COLOURS;
    match series.style {
        Style::Line => format!("<path class=\"line c{colour}\" d=\"M1 6H23\"/>"),
        Style::Dashes => format!("<path class=\"line dashes c{colour}\" d=\"M1 6H23\"/>"),
        Style::Dots => format!("<circle class=\"mark c{colour}\" cx=\"12\" cy=\"6\" r=\"3\"/>"),
        Style::Ring => format!("<circle class=\"line c{colour}\" cx=\"12\" cy=\"6\" r=\"5\"/>"),
    }
}

/// Text that can stand in XML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn open(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n",
        escaped(title)
    )
}

fn lines(plot: &Plot) -> String {
    open(WIDTH, HEIGHT, &plot.title) + &inside(plot) + "</svg>"
}

/// The axes of a plot, and what is drawn over them.
fn inside(plot: &Plot) -> String {
    let points = || plot.series.iter().flat_map(|series| series.points.iter());
    let (across, up) = (
        Scale::new(&plot.x, points().map(|point| point.0)),
        Scale::new(&plot.y, points().map(|point| point.1)),
    );
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    let x = |value| LEFT + across.place(value) * (right - LEFT);
    let y = |value| bottom - up.place(value) * (bottom - TOP);
    let mut svg = String::new();
    let mut add = |text: String| svg.push_str(&text);
    for (value, label) in across.marks(MARKS) {
        let at = x(value);
        add(format!("<path class=\"grid\" d=\"M{at:.1} {TOP}V{bottom}\"/>\n"));
        let below = bottom + 17.0;
        add(format!("<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{label}</text>\n"));
    }
    for (value, label) in up.marks(MARKS) {
        let at = y(value);
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
        let places: Vec<(f64, f64)> = shown.map(|(a, b)| (x(*a), y(*b))).collect();
        let colour = k % COLOURS;
        if matches!(series.style, Style::Line | Style::Dashes) {
            let class = if series.style == Style::Dashes { "line dashes" } else { "line" };
            let mut path = String::new();
            for (k, (a, b)) in places.iter().enumerate() {
                let command = if k == 0 { 'M' } else { 'L' };
                let _ = write!(path, "{command}{a:.1} {b:.1}");
            }
            add(format!("<path class=\"{class} c{colour}\" d=\"{path}\"/>\n"));
        }
        let (class, radius) = match series.style {
            Style::Dashes => continue,
            Style::Ring => ("line", 8.0),
            Style::Line | Style::Dots if places.len() > 60 => ("mark", 1.4),
            Style::Line | Style::Dots => ("mark", 3.0),
        };
        for (a, b) in places {
            let mark = format!("cx=\"{a:.1}\" cy=\"{b:.1}\" r=\"{radius}\"");
            add(format!("<circle class=\"{class} c{colour}\" {mark}/>\n"));
        }
    }
    svg
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
                let class = if shade_here > 0 { "mark c1" } else { "mark c0" };
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
    use crate::findings::Axis;

    #[test]
    fn what_cannot_be_shown_is_left_out() {
        let mut plot = Plot::new("a < b", Axis::linear("x"), Axis::logarithmic("y"));
        plot.line("", [(0.0, 1.0), (1.0, 0.0), (2.0, f64::NAN), (3.0, 10.0)]);
        let svg = lines(&plot);
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("a &lt; b") && !svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn alone_it_has_its_legend() {
        let mut plot = Plot::new("title", Axis::linear("x"), Axis::linear("y"));
        plot.line("a line", [(0.0, 1.0), (1.0, 2.0)])
            .dashes("a long name of what is quoted", [(0.0, 1.0), (1.0, 1.0)])
            .ring("a < b, and a name that does not stand beside it", (1.0, 2.0));
        let svg = alone(&plot);
        assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"));
        for part in ["<title>title", ">a line<", "a &lt; b", "<style>", ".ground"] {
            assert!(svg.contains(part), "{part}");
        }
        // The last name is in a row of its own.
        let row = |name: &str| {
            let line = svg.lines().find(|line| line.contains(name)).expect("an entry");
            line.split([' ', ')']).nth(2).expect("a place").to_string()
        };
        assert_eq!(row("a line"), row("is quoted"));
        assert_ne!(row("a line"), row("a &lt; b"));
    }
}
