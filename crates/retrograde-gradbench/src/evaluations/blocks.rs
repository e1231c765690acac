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

    /// Of points with `d` coordinates, one behind the other.
    pub fn new(points: &[f64], d: usize) -> Self {
        let n = points.len() / d;
        let side = n.clamp(1, Self::SIDE).next_multiple_of(Self::LANES);
        let rows = points.chunks(side * d).flat_map(|block| {
            let coordinate = move |i: usize, j: usize| block.get(i * d + j).copied().unwrap_or(0.0);
            (0..d).flat_map(move |j| (0..side).map(move |i| coordinate(i, j)))
        });
        let mut all = Vec::with_capacity(n.div_ceil(side) * side * d);
        all.extend(rows);
        Blocks { rows: all, side, n }
    }
}
