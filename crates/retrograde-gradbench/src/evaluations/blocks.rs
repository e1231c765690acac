//! Points in blocks, whose coordinates lie side by side.

/// Points, in blocks of `side` that are looked at together. A block has a row for every
/// coordinate; the last block is filled up with zeros.
pub struct Blocks {
    /// All rows, one behind the other.
    pub rows: Vec<f64>,
    /// How long a row is.
    pub side: usize,
    /// How many points there are.
    pub n: usize,
}

impl Blocks {
    /// The most points in a block. More of them do not stay near the processor.
    pub const SIDE: usize = 64;

    /// What `side` is a multiple of.
    pub const LANES: usize = 8;

    /// Of points with `d` coordinates.
    pub fn new(points: &[Vec<f64>], d: usize) -> Self {
        let side = points.len().clamp(1, Self::SIDE).next_multiple_of(Self::LANES);
        let coordinate = |point: Option<&Vec<f64>>, j: usize| point.map_or(0.0, |point| point[j]);
        let rows = points.chunks(side).flat_map(|block| {
            (0..d).flat_map(move |j| (0..side).map(move |i| coordinate(block.get(i), j)))
        });
        Blocks { rows: rows.collect(), side, n: points.len() }
    }
}
