//! Where the entries of a sparse matrix are.

use crate::derivative::Differentiable;
use crate::num::AdditiveGroup;
use crate::testing::Components;
use retrograde_macros::Differentiable;
use std::error::Error;
use std::fmt;
use std::ops::Range;

/// Where the entries of a matrix in compressed sparse columns are.
///
/// The entries of column `j` are those with the numbers `starts[j]..starts[j + 1]`, and
/// entry `k` is in row `rows[k]`. In a column, the rows ascend. All this is checked when
/// the pattern is made, and holds from then on.
///
/// ```
/// use retrograde::sparse::{Pattern, PatternError};
///
/// let pattern = Pattern::new(3, 2, &[0, 2, 3], &[0, 2, 1])?;
/// assert_eq!((pattern.rows(), pattern.columns(), pattern.entries()), (3, 2, 3));
/// assert_eq!((pattern.column(0), pattern.column_rows(0)), (0..2, &[0, 2][..]));
///
/// let wrong = Pattern::new(3, 2, &[0, 2, 3], &[2, 0, 1]);
/// assert_eq!(wrong.unwrap_err().to_string(), "the rows of column 0 do not ascend: 0 comes after 2");
/// # Ok::<(), PatternError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern<'a> {
    height: usize,
    starts: &'a [usize],
    rows: &'a [usize],
}

/// What is wrong with a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternError {
    /// There is not one start for each column, and one more for the end.
    Starts {
        /// How many starts there are.
        found: usize,
        /// How many columns there are.
        columns: usize,
    },
    /// The first column does not begin at the first entry, or the last does not end at the
    /// last.
    Ends {
        /// Where the first column begins.
        first: usize,
        /// Where the last column ends.
        last: usize,
        /// How many entries there are.
        entries: usize,
    },
    /// A column ends before it begins.
    Backwards {
        /// The column.
        column: usize,
    },
    /// An entry is in a row that the matrix has not.
    Row {
        /// The column of the entry.
        column: usize,
        /// The row of the entry.
        row: usize,
        /// How many rows there are.
        rows: usize,
    },
    /// An entry is in a column that the matrix has not.
    Column {
        /// The column of the entry.
        column: usize,
        /// How many columns there are.
        columns: usize,
    },
    /// The rows of a column do not ascend, or one of them comes twice.
    Order {
        /// The column.
        column: usize,
        /// A row.
        before: usize,
        /// The row that follows.
        after: usize,
    },
    /// The matrix is in compressed rows. Its transpose is in compressed columns, and
    /// [`matvec_t`](fn@super::matvec_t) with that is the product with the matrix.
    CompressedRows,
    /// There is room between the columns of the matrix.
    Uncompressed,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatternError::Starts { found, columns } => {
                write!(f, "{columns} columns need {} starts, and there are {found}", columns + 1)
            }
            PatternError::Ends { first, last, entries } => {
                write!(f, "the columns have the entries {first}..{last}, not 0..{entries}")
            }
            PatternError::Backwards { column } => {
                write!(f, "column {column} ends before it begins")
            }
            PatternError::Row { column, row, rows } => {
                write!(f, "an entry of column {column} is in row {row} of {rows}")
            }
            PatternError::Column { column, columns } => {
                write!(f, "an entry is in column {column} of {columns}")
            }
            PatternError::Order { column, before, after } => {
                write!(f, "the rows of column {column} do not ascend: {after} comes after {before}")
            }
            PatternError::CompressedRows => {
                write!(f, "the matrix is in compressed rows: take the pattern of its transpose")
            }
            PatternError::Uncompressed => {
                write!(f, "there is room between the columns of the matrix")
            }
        }
    }
}

impl Error for PatternError {}

impl<'a> Pattern<'a> {
    /// A pattern of its parts.
    ///
    /// # Errors
    ///
    /// If they are not those of a matrix of this shape, with ascending rows in each column.
    pub fn new(
        rows: usize,
        columns: usize,
        starts: &'a [usize],
        row_of_entry: &'a [usize],
    ) -> Result<Self, PatternError> {
        let entries = row_of_entry.len();
        let &[first, .., last] = starts else {
            let [0] = starts else {
                return Err(PatternError::Starts { found: starts.len(), columns });
            };
            return if columns == 0 && entries == 0 {
                Ok(Pattern { height: rows, starts, rows: row_of_entry })
            } else if columns == 0 {
                Err(PatternError::Ends { first: 0, last: 0, entries })
            } else {
                Err(PatternError::Starts { found: 1, columns })
            };
        };
        if starts.len() - 1 != columns {
            return Err(PatternError::Starts { found: starts.len(), columns });
        }
        if first != 0 || last != entries {
            return Err(PatternError::Ends { first, last, entries });
        }
        // All of them first, so that no range below is outside of the slice.
        if let Some(column) = starts.windows(2).position(|ends| ends[0] > ends[1]) {
            return Err(PatternError::Backwards { column });
        }
        for (column, ends) in starts.windows(2).enumerate() {
            let own = &row_of_entry[ends[0]..ends[1]];
            if let Some(&row) = own.iter().find(|row| **row >= rows) {
                return Err(PatternError::Row { column, row, rows });
            }
            if let Some(pair) = own.windows(2).find(|pair| pair[0] >= pair[1]) {
                return Err(PatternError::Order { column, before: pair[0], after: pair[1] });
            }
        }
        Ok(Pattern { height: rows, starts, rows: row_of_entry })
    }

    /// How many rows the matrix has.
    pub fn rows(&self) -> usize {
        self.height
    }

    /// How many columns the matrix has.
    pub fn columns(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many entries there are: as many as values.
    pub fn entries(&self) -> usize {
        self.rows.len()
    }

    /// The entries of a column, by number.
    #[inline]
    pub fn column(&self, j: usize) -> Range<usize> {
        self.starts[j]..self.starts[j + 1]
    }

    /// The rows of the entries of a column.
    #[inline]
    pub fn column_rows(&self, j: usize) -> &'a [usize] {
        &self.rows[self.column(j)]
    }

    /// The pattern of the transpose, and which entry of this matrix goes where.
    ///
    /// ```
    /// use retrograde::sparse::{Pattern, transpose};
    ///
    /// // [1 0]      [1 2]
    /// // [2 3]  to  [0 3]
    /// let a = Pattern::new(2, 2, &[0, 2, 3], &[0, 1, 1])?;
    /// let t = a.transposed();
    /// let mut values = [0.0; 3];
    /// transpose(&mut values, &t, &[1.0, 2.0, 3.0]);
    /// assert_eq!(values, [1.0, 2.0, 3.0]);
    /// assert_eq!(t.pattern().column_rows(1), [0, 1]);
    /// # Ok::<(), retrograde::sparse::PatternError>(())
    /// ```
    pub fn transposed(&self) -> Transpose {
        let starts = starts_of_counts(self.height, self.rows.iter().copied());
        let mut next = starts.clone();
        let mut rows = vec![0; self.entries()];
        let mut from = vec![0; self.entries()];
        for j in 0..self.columns() {
            for (k, i) in self.column(j).zip(self.column_rows(j)) {
                rows[next[*i]] = j;
                from[next[*i]] = k;
                next[*i] += 1;
            }
        }
        let pattern = PatternBuf { height: self.columns(), starts, rows };
        Transpose { pattern, from }
    }

    /// The number of the entry in row `i` of column `j`, if there is one.
    pub fn entry(&self, i: usize, j: usize) -> Option<usize> {
        let column = self.column(j);
        self.rows[column.clone()].binary_search(&i).ok().map(|k| column.start + k)
    }
}

/// Where each of some groups starts, of the groups that the entries belong to.
fn starts_of_counts(groups: usize, group_of_entry: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut starts = vec![0; groups + 1];
    for group in group_of_entry {
        starts[group + 1] += 1;
    }
    for i in 0..groups {
        starts[i + 1] += starts[i];
    }
    starts
}

/// Carries no gradient.
impl Differentiable for Pattern<'_> {
    #[inline]
    fn zero_like(&self) -> Self {
        *self
    }
    #[inline]
    fn accumulate_shadow(&mut self, _other: Self) {}
    #[inline]
    fn retract_shadow(&mut self, _other: Self) {}
}

/// Has none.
impl Components for Pattern<'_> {
    fn components(&self) -> usize {
        0
    }
    fn component(&self, i: usize) -> f64 {
        panic!("component {i} of a pattern")
    }
    fn set_component(&mut self, i: usize, _value: f64) {
        panic!("component {i} of a pattern")
    }
    fn component_name(&self, i: usize) -> String {
        panic!("component {i} of a pattern")
    }
}

/// A [`Pattern`] that owns what it is made of, for a matrix that is put together in the
/// program.
///
/// ```
/// use retrograde::sparse::{PatternBuf, PatternError, matvec};
///
/// // [1 0]
/// // [2 3], of which the 3 is a sum.
/// let triplets = [(1, 1, 1.0), (0, 0, 1.0), (1, 0, 2.0), (1, 1, 2.0)];
/// let (pattern, values) = PatternBuf::from_triplets(2, 2, &triplets)?;
/// assert_eq!(values, [1.0, 2.0, 3.0]);
/// let (pattern, mut y) = (pattern.pattern(), [0.0, 0.0]);
/// assert_eq!((pattern.entry(1, 0), pattern.entry(0, 1)), (Some(1), None));
/// matvec(&mut y, &pattern, &values, &[10.0, 100.0]);
/// assert_eq!(y, [10.0, 320.0]);
///
/// let wrong = PatternBuf::from_triplets(2, 2, &[(2, 0, 1.0)]);
/// assert_eq!(wrong.unwrap_err(), PatternError::Row { column: 0, row: 2, rows: 2 });
/// # Ok::<(), PatternError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Differentiable)]
pub struct PatternBuf {
    height: usize,
    starts: Vec<usize>,
    rows: Vec<usize>,
}

impl PatternBuf {
    /// The pattern of a matrix of these entries, `(row, column, value)` in any order, and
    /// their values in its order. Values in one place are added up.
    ///
    /// # Errors
    ///
    /// If an entry is outside of the matrix.
    pub fn from_triplets<T: AdditiveGroup>(
        rows: usize,
        columns: usize,
        triplets: &[(usize, usize, T)],
    ) -> Result<(Self, Vec<T>), PatternError> {
        for &(row, column, _) in triplets {
            if column >= columns {
                return Err(PatternError::Column { column, columns });
            }
            if row >= rows {
                return Err(PatternError::Row { column, row, rows });
            }
        }
        let mut order: Vec<usize> = (0..triplets.len()).collect();
        // Stable, so that values are added in the order in which they come.
        order.sort_by_key(|&k| (triplets[k].1, triplets[k].0));
        let mut places: Vec<(usize, usize)> = Vec::new();
        let mut values: Vec<T> = Vec::new();
        for k in order {
            let (row, column, value) = &triplets[k];
            match values.last_mut() {
                Some(sum) if places.last() == Some(&(*row, *column)) => {
                    sum.accumulate(value.clone());
                }
                _ => {
                    places.push((*row, *column));
                    values.push(value.clone());
                }
            }
        }
        let starts = starts_of_counts(columns, places.iter().map(|(_, column)| *column));
        let own_rows = places.into_iter().map(|(row, _)| row).collect();
        Ok((PatternBuf { height: rows, starts, rows: own_rows }, values))
    }

    /// The pattern.
    pub fn pattern(&self) -> Pattern<'_> {
        Pattern { height: self.height, starts: &self.starts, rows: &self.rows }
    }
}

/// The pattern of a transpose: see [`Pattern::transposed`].
#[derive(Clone, Debug, PartialEq, Eq, Differentiable)]
pub struct Transpose {
    pattern: PatternBuf,
    from: Vec<usize>,
}

impl Transpose {
    /// Where the entries of the transpose are.
    pub fn pattern(&self) -> Pattern<'_> {
        self.pattern.pattern()
    }

    /// The number that each entry of the transpose has in the matrix itself.
    pub fn order(&self) -> &[usize] {
        &self.from
    }
}
