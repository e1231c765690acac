//! The trade-off as a picture that needs nothing else.

use super::chart::{Chart, Kind, Mark};
use std::fmt::Write;

/// The picture, and the frame of the axes in it.
const SIZE: [f64; 2] = [760.0, 460.0];
const FRAME: [f64; 4] = [90.0, 30.0, 730.0, 390.0];

impl Chart {
    /// In vectors.
    pub fn svg(&self) -> String {
        let [left, top, right, bottom] = FRAME;
        let x = |value| left + self.place(0, value) * (right - left);
        let y = |value| bottom - self.place(1, value) * (bottom - top);
        let [width, height] = SIZE;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        );
        let mut add = |element: String| writeln!(text, "{element}").expect("a string");
        let line = |x1: f64, y1: f64, x2: f64, y2: f64, style: &str| {
            format!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>")
        };
        let label = |x: f64, y: f64, anchor: &str, colour: &str, text: &str| {
            format!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{text}</text>"
            )
        };
        let grid = "stroke=\"#e3e3e3\"";
        for (value, name) in self.ticks(0, 8) {
            add(line(x(value), top, x(value), bottom, grid));
            add(label(x(value), bottom + 20.0, "middle", "#444444", &name));
        }
        for (value, name) in self.ticks(1, 8) {
            add(line(left, y(value), right, y(value), grid));
            add(label(left - 8.0, y(value) + 4.0, "end", "#444444", &name));
        }
        add(format!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#999999\"/>",
            right - left,
            bottom - top
        ));
        add(label((left + right) / 2.0, height - 28.0, "middle", "#222222", &self.titles[0]));
        add(label(left, top - 10.0, "middle", "#222222", &self.titles[1]));
        if self.axes[0].contains(&self.limit) {
            let at = x(self.limit);
            let (anchor, beside) = if at > right - 140.0 { ("end", -6.0) } else { ("start", 6.0) };
            add(line(at, top, at, bottom, "stroke=\"#b03030\" stroke-dasharray=\"5 4\""));
            add(label(at + beside, top + 16.0, anchor, "#b03030", "the memory there is"));
        }
        for Mark { points, kind, .. } in &self.marks {
            let colour = kind.colour();
            if points.len() > 1 {
                let path: Vec<String> =
                    points.iter().map(|[px, py]| format!("{:.1},{:.1}", x(*px), y(*py))).collect();
                add(format!(
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                    path.join(" ")
                ));
                continue;
            }
            for [px, py] in points {
                let (fill, radius) = if *kind == Kind::Taken { ("none", 9) } else { (colour, 4) };
                add(format!(
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"{fill}\" \
                     stroke=\"{colour}\" stroke-width=\"2\"/>",
                    x(*px),
                    y(*py)
                ));
                if *kind == Kind::Extreme {
                    // Beside the first, and above the last, where no curve is.
                    let (px, py, name) = (x(*px), y(*py), self.name(*kind, px));
                    add(if px > (left + right) / 2.0 {
                        label(px, py - 20.0, "end", colour, &name)
                    } else {
                        label(px + 10.0, py + 5.0, "start", colour, &name)
                    });
                }
            }
        }
        let mut at = left;
        for Mark { name, kind, .. } in &self.marks {
            let colour = kind.colour();
            let sign = match kind {
                Kind::Extreme => continue,
                Kind::Taken => format!(
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"6\" fill=\"none\" stroke=\"{colour}\" \
                     stroke-width=\"2\"/>",
                    at + 12.0,
                    height - 16.0
                ),
                _ => {
                    let style = format!("stroke=\"{colour}\" stroke-width=\"2\"");
                    line(at, height - 16.0, at + 24.0, height - 16.0, &style)
                }
            };
            add(sign);
            add(label(at + 32.0, height - 11.0, "start", "#222222", name));
            at += 120.0;
        }
        text.push_str("</svg>\n");
        text
    }

    /// The name of the extreme at `x`.
    fn name(&self, kind: Kind, x: &f64) -> String {
        let mark = self.marks.iter().find(|mark| mark.kind == kind && mark.points[0][0] == *x);
        mark.map(|mark| mark.name.clone()).unwrap_or_default()
    }
}

impl Kind {
    fn colour(self) -> &'static str {
        match self {
            Kind::Treeverse => "#2060b0",
            Kind::Bennett => "#c08000",
            Kind::Extreme => "#333333",
            Kind::Taken => "#108040",
        }
    }
}
