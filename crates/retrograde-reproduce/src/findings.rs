//! What an experiment has found: tables, figures, and what became of the paper's claims.

use serde::{Deserialize, Serialize};

/// All that an experiment has found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// What was measured.
    pub tables: Vec<Table>,
    /// The same as pictures.
    pub figures: Vec<Figure>,
    /// The paper's claims that this decides.
    pub claims: Vec<Claim>,
    /// What one has to know to read the numbers, a paragraph each.
    pub notes: Vec<String>,
}

impl Findings {
    /// Adds a table.
    pub fn table(&mut self, table: Table) -> &mut Self {
        self.tables.push(table);
        self
    }

    /// Adds a figure.
    pub fn figure(&mut self, figure: Figure) -> &mut Self {
        self.figures.push(figure);
        self
    }

    /// Adds what became of a claim.
    pub fn claim(&mut self, claim: Claim) -> &mut Self {
        self.claims.push(claim);
        self
    }

    /// Adds a paragraph.
    pub fn note(&mut self, note: impl Into<String>) -> &mut Self {
        self.notes.push(note.into());
        self
    }
}

/// A table with a row for each thing that was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The heads of the columns.
    pub columns: Vec<String>,
    /// The rows, each as long as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    pub fn new<const N: usize>(title: impl Into<String>, columns: [&str; N]) -> Self {
        Table { title: title.into(), columns: columns.map(String::from).into(), rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// If it has not as many cells as there are columns.
    #[track_caller]
    pub fn row(&mut self, row: impl Into<Vec<Cell>>) -> &mut Self {
        let row = row.into();
        assert_eq!(row.len(), self.columns.len(), "a cell for each column of {:?}", self.title);
        self.rows.push(row);
        self
    }
}

/// What stands in a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Cell {
    /// Nothing: it does not exist, or was not measured.
    Nothing,
    /// Words.
    Text(String),
    /// A time, in seconds.
    Time(f64),
    /// How many times as large as something else.
    Ratio(f64),
    /// Memory, in bytes.
    Bytes(f64),
    /// How many.
    Count(u64),
    /// Any other number.
    Number(f64),
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.into())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell::Text(text)
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Self {
        Cell::Count(count as u64)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Self {
        cell.map_or(Cell::Nothing, Into::into)
    }
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Figure {
    /// Lines and points over two axes.
    Plot(Plot),
    /// A quantity over a plane, as colours.
    Field(Field),
    /// Points in the plane, some of them joined.
    Graph(Graph),
}

impl Figure {
    /// What it shows.
    pub fn title(&self) -> &str {
        match self {
            Figure::Plot(plot) => &plot.title,
            Figure::Field(field) => &field.title,
            Figure::Graph(graph) => &graph.title,
        }
    }
}

/// Lines and points over two axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// From left to right.
    pub x: Axis,
    /// From below to above.
    pub y: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
}

impl Plot {
    /// A plot in which nothing is drawn yet.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Plot { title: title.into(), x, y, series: Vec::new() }
    }

    /// Draws a line through points.
    pub fn line(&mut self, name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> &mut Self {
        self.add(name, Style::Line, points)
    }

    /// Draws points.
    pub fn dots(&mut self, name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> &mut Self {
        self.add(name, Style::Dots, points)
    }

    /// Draws a broken line: what is quoted, not measured.
    pub fn dashes(
        &mut self,
        name: &str,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> &mut Self {
        self.add(name, Style::Dashes, points)
    }

    /// Draws a ring around a point.
    pub fn ring(&mut self, name: &str, point: (f64, f64)) -> &mut Self {
        self.add(name, Style::Ring, [point])
    }

    fn add(
        &mut self,
        name: &str,
        style: Style,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> &mut Self {
        self.series.push(Series { name: name.into(), style, points: points.into_iter().collect() });
        self
    }
}

/// What an axis says, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// What is along it, with its unit.
    pub label: String,
    /// Whether equal ways are equal ratios.
    pub logarithmic: bool,
    /// What its numbers count.
    #[serde(default)]
    pub unit: Unit,
}

/// What the numbers along an axis count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// Anything, as its label says.
    #[default]
    One,
    /// Memory.
    Bytes,
    /// Time.
    Seconds,
}

impl Axis {
    /// Equal ways are equal differences.
    pub fn linear(label: &str) -> Self {
        Axis { label: label.into(), logarithmic: false, unit: Unit::One }
    }

    /// Equal ways are equal ratios.
    pub fn logarithmic(label: &str) -> Self {
        Axis { label: label.into(), logarithmic: true, unit: Unit::One }
    }

    /// With numbers that count such units, and are written with them.
    pub fn of(self, unit: Unit) -> Self {
        Axis { unit, ..self }
    }
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// What they are.
    pub name: String,
    /// How they are drawn.
    pub style: Style,
    /// Where they are.
    pub points: Vec<(f64, f64)>,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Style {
    /// A line with a mark at each point.
    Line,
    /// Marks alone.
    Dots,
    /// A broken line.
    Dashes,
    /// A ring around each point.
    Ring,
}

/// A quantity over a plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// What it shows.
    pub title: String,
    /// How many values are in a row.
    pub width: usize,
    /// The values, the uppermost row first.
    pub values: Vec<f64>,
}

/// Points in the plane, some of them joined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Graph {
    /// What it shows.
    pub title: String,
    /// Where the points are.
    pub points: Vec<(f64, f64)>,
    /// Which of them are joined.
    pub edges: Vec<(usize, usize)>,
}

/// A claim of the paper, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// Its name in the report: `C1` to `C32`.
    pub id: String,
    /// What is claimed.
    pub claim: String,
    /// The paper's number.
    pub paper: String,
    /// Ours.
    pub ours: String,
    /// What became of it.
    pub verdict: Verdict,
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// It is as the paper says.
    Reproduced,
    /// It is better than the paper says.
    Better,
    /// It is not so here.
    NotReproduced,
    /// It could not be tried.
    NotTried,
}

impl Verdict {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Better => "better",
            Verdict::NotReproduced => "not reproduced",
            Verdict::NotTried => "not tried",
        }
    }

    /// By a number of which less is better: better below `better`, reproduced up to `bar`.
    pub fn of_at_most(number: f64, bar: f64, better: f64) -> Self {
        match number {
            n if n <= better => Verdict::Better,
            n if n <= bar => Verdict::Reproduced,
            _ => Verdict::NotReproduced,
        }
    }

    /// Something either holds or not.
    pub fn of(holds: bool) -> Self {
        if holds { Verdict::Reproduced } else { Verdict::NotReproduced }
    }
}

impl Claim {
    /// A claim with its fate.
    pub fn new(
        id: &str,
        claim: impl Into<String>,
        paper: impl Into<String>,
        ours: impl Into<String>,
        verdict: Verdict,
    ) -> Self {
        Claim {
            id: id.into(),
            claim: claim.into(),
            paper: paper.into(),
            ours: ours.into(),
            verdict,
        }
    }
}
