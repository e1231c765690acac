//! The report as one page that needs nothing but a browser.

use crate::claims::CLAIMS;
use crate::experiment::{Effort, Experiment};
use crate::findings::{Cell, Claim, Figure, Table, Verdict};
use crate::format;
use crate::machine;
use crate::picture::{self, escaped, svg, swatch};
use crate::store::{Kept, Run};

const STYLE: &str = include_str!("page.css");

/// The whole page.
pub fn page(run: &Run, results: &[(&Experiment, Kept)]) -> String {
    let body = [head(run), contents(results), claims(results), sections(results)].concat();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Retrograde: the paper, reproduced</title>\n<style>\n{}{STYLE}</style>\n</head>\n\
         <body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        picture::STYLE
    )
}

fn head(run: &Run) -> String {
    let sizes = match run.effort {
        Effort::Quick => {
            "Quick run: fewer sizes and shorter measurements. \
             <code>retrograde reproduce --full</code> does the paper’s."
        }
        Effort::Full => "Full run: the paper’s sizes.",
    };
    format!(
        "<header>\n<h1>The paper, reproduced</h1>\n\
         <p class=\"lead\">Liu and Zhao, “Differentiate Everything with a Reversible Embedded \
         Domain-Specific Language”, done again with Retrograde, a reversible language embedded in \
         stable Rust. Each number was measured on this machine, in one run with what it is \
         compared to.</p>\n\
         <p class=\"facts\">{}<br>{}<br>{sizes}</p>\n</header>\n",
        escaped(&run.machine.line()),
        machine::date(run.started)
    )
}

fn contents(results: &[(&Experiment, Kept)]) -> String {
    let entry = |(one, _): &(&Experiment, Kept)| {
        format!("<li><a href=\"#{}\">{}</a></li>\n", one.name, escaped(one.title))
    };
    let entries: String = results.iter().map(entry).collect();
    format!("<nav>\n<h2>Experiments</h2>\n<ul>\n{entries}</ul>\n</nav>\n")
}

fn chip(verdict: Verdict) -> String {
    let class = verdict.name().replace(' ', "-");
    format!("<span class=\"chip {class}\">{}</span>", verdict.name())
}

/// A row for each claim, also for those whose experiment was not run.
fn claims(results: &[(&Experiment, Kept)]) -> String {
    let row = |(id, says): &(&str, &str)| {
        let found = results.iter().find_map(|(experiment, kept)| {
            let claim = kept.findings.claims.iter().find(|claim| claim.id == *id)?;
            Some((experiment, claim))
        });
        let (id, says) = (escaped(id), escaped(says));
        match found {
            Some((experiment, Claim { paper, ours, verdict, .. })) => format!(
                "<tr><td><a href=\"#{}\">{id}</a></td><td>{}</td><td>{says}</td>\
                 <td data-is=\"paper: \">{}</td><td data-is=\"here: \">{}</td></tr>\n",
                experiment.name,
                chip(*verdict),
                escaped(paper),
                escaped(ours)
            ),
            None => {
                format!("<tr><td>{id}</td><td></td><td>{says}</td><td></td><td>not run</td></tr>\n")
            }
        }
    };
    let rows: String = CLAIMS.iter().map(row).collect();
    format!(
        "<section id=\"claims\">\n<h2>What became of the claims</h2>\n<div class=\"wide\">\n\
         <table class=\"claims\">\n<thead><tr><th></th><th></th><th>claim</th><th>paper</th>\
         <th>here</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n</section>\n"
    )
}

fn sections(results: &[(&Experiment, Kept)]) -> String {
    results.iter().map(|(experiment, kept)| section(experiment, kept)).collect()
}

fn section(experiment: &Experiment, kept: &Kept) -> String {
    let Experiment { name, title, paper, about, .. } = experiment;
    let findings = &kept.findings;
    let mut text = format!(
        "<section id=\"{name}\">\n<h2>{}</h2>\n<p class=\"source\">{}</p>\n<p>{}</p>\n",
        escaped(title),
        escaped(paper),
        escaped(about)
    );
    for claim in &findings.claims {
        let Claim { id, claim, paper, ours, verdict } = claim;
        text += &format!(
            "<p class=\"claim\">{} <b>{id}</b> {}. Paper: {}. Here: {}.</p>\n",
            chip(*verdict),
            escaped(claim),
            escaped(paper),
            escaped(ours)
        );
    }
    text.extend(findings.tables.iter().map(table));
    let figures: String = findings.figures.iter().map(figure).collect();
    if !figures.is_empty() {
        text += &format!("<div class=\"figures\">\n{figures}</div>\n");
    }
    for note in &findings.notes {
        text += &format!("<p class=\"note\">{}</p>\n", escaped(note));
    }
    text + "</section>\n"
}

fn table(table: &Table) -> String {
    let is_text = |cell: &Cell| matches!(cell, Cell::Text(_) | Cell::Nothing);
    let class = |text: bool| if text { "" } else { " class=\"number\"" };
    let head = |(k, column): (usize, &String)| {
        let class = class(table.rows.iter().all(|row| is_text(&row[k])));
        format!("<th{class}>{}</th>", escaped(column))
    };
    let head: String = table.columns.iter().enumerate().map(head).collect();
    let cell =
        |cell: &Cell| format!("<td{}>{}</td>", class(is_text(cell)), escaped(&format::cell(cell)));
    let row = |row: &Vec<Cell>| format!("<tr>{}</tr>\n", row.iter().map(cell).collect::<String>());
    let rows: String = table.rows.iter().map(row).collect();
    format!(
        "<h3>{}</h3>\n<div class=\"wide\">\n<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n\
         {rows}</tbody>\n</table>\n</div>\n",
        escaped(&table.title)
    )
}

fn figure(figure: &Figure) -> String {
    format!(
        "<figure>\n{}\n{}<figcaption>{}</figcaption>\n</figure>\n",
        svg(figure),
        legend(figure),
        escaped(figure.title())
    )
}

/// Beside the picture, so that it hides nothing in it.
fn legend(figure: &Figure) -> String {
    let Figure::Plot(plot) = figure else { return String::new() };
    let entry = |(k, series)| {
        let swatch = swatch(k, series);
        let swatch = format!("<svg class=\"swatch\" viewBox=\"0 0 24 12\">{swatch}</svg>");
        format!("<li>{swatch}{}</li>\n", escaped(&series.name))
    };
    let entries: String = plot.series.iter().enumerate().map(entry).collect();
    format!("<ul class=\"legend\">\n{entries}</ul>\n")
}
