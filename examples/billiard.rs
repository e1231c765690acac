//! Margolus' billiard-ball machine: a reversible cellular automaton.
//!
//! The grid, a torus, is cut into blocks of 2×2 cells, at even positions in one
//! step and at odd positions in the next. In a block, a ball alone moves to the
//! opposite corner, and two balls on one diagonal turn to the other; anything
//! else stays. So balls fly along diagonals, collide, and bounce from walls:
//! enough to build a computer from them.
//!
//! `cargo run --release --example billiard`

use retrograde::prelude::*;
use std::fmt;

/// A torus of cells, each with a ball or without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    height: usize,
    width: usize,
    cells: Vec<bool>,
}

impl Table {
    /// A table with balls at the given rows and columns.
    ///
    /// # Panics
    ///
    /// If a size is odd: then the blocks would not cover the torus.
    pub fn new(height: usize, width: usize, balls: &[(usize, usize)]) -> Self {
        assert!(height.is_multiple_of(2) && width.is_multiple_of(2), "the sizes must be even");
        let mut cells = vec![false; height * width];
        for (row, column) in balls {
            cells[row * width + column] = true;
        }
        Table { height, width, cells }
    }

    /// How many balls there are.
    pub fn balls(&self) -> usize {
        self.cells.iter().filter(|&&ball| ball).count()
    }

    /// One step, for the blocks whose first row and column are even (`offset`
    /// is 0) or odd (1).
    #[reversible]
    pub fn step(&mut self, offset: usize) {
        for row in (offset..self.height).step_by(2) {
            for column in (offset..self.width).step_by(2) {
                let above = row * self.width;
                let below = (row + 1) % self.height * self.width;
                let right = (column + 1) % self.width;
                let corners = [above + column, above + right, below + column, below + right];
                collide(&mut self.cells, corners);
            }
        }
    }

    /// Many steps, from the even blocks on.
    #[reversible]
    pub fn run(&mut self, steps: usize) {
        for time in 0..steps {
            self.step(time % 2);
        }
    }
}

/// What happens in the block with the corners `a b` above and `c d` below.
///
/// Both conditions still hold after the branch that they lead to: that is how
/// the way back knows which one it was.
#[reversible]
pub fn collide(cells: &mut [bool], corners: [usize; 4]) {
    let [a, b, c, d] = corners;
    if (alone(cells, corners), alone(cells, corners)) {
        swap(&mut cells[a], &mut cells[d]);
        swap(&mut cells[b], &mut cells[c]);
    } else if (facing(cells, corners), facing(cells, corners)) {
        for i in corners {
            flip(&mut cells[i]);
        }
    }
}

/// Whether the block holds a single ball.
fn alone(cells: &[bool], corners: [usize; 4]) -> bool {
    corners.iter().filter(|&&i| cells[i]).count() == 1
}

/// Whether the block holds two balls, on one diagonal.
fn facing(cells: &[bool], [a, b, c, d]: [usize; 4]) -> bool {
    cells[a] == cells[d] && cells[b] == cells[c] && cells[a] != cells[b]
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.cells.chunks_exact(self.width) {
            for &ball in row {
                f.write_str(if ball { " o" } else { " ." })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

fn main() {
    let wall = [(6, 5), (6, 6), (7, 5), (7, 6)];
    let balls = [(0, 0), (2, 10), (2, 12)];
    let start = Table::new(10, 14, &[&wall[..], &balls].concat());
    let mut table = start.clone();
    for time in 0..4 {
        println!("after {} steps:\n{table}", 2 * time);
        table.run(2);
    }
    table.run(992);
    println!("after 1000 steps:\n{table}");
    table.run_inverse(1000);
    println!("and 1000 steps back:\n{table}");
    assert_eq!(table, start);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Any table of even size, with any balls.
    fn tables() -> impl Strategy<Value = Table> {
        (1..8_usize, 1..8_usize).prop_flat_map(|(rows, columns)| {
            let (height, width) = (2 * rows, 2 * columns);
            proptest::collection::vec(any::<bool>(), height * width).prop_map(move |cells| Table {
                height,
                width,
                cells,
            })
        })
    }

    proptest! {
        #[test]
        fn a_thousand_steps_there_and_back(start in tables()) {
            let mut table = start.clone();
            table.run(1000);
            prop_assert_eq!(table.balls(), start.balls());
            table.run_inverse(1000);
            prop_assert_eq!(table, start);
        }

        /// The steps from 1 to an even size do not divide it: a range that is
        /// reversed end for end would visit other blocks.
        #[test]
        fn odd_blocks_are_undone(start in tables()) {
            let mut table = start.clone();
            table.step(1);
            table.step_inverse(1);
            prop_assert_eq!(table, start);
        }
    }

    #[test]
    fn a_ball_alone_flies_along_a_diagonal() {
        let mut table = Table::new(6, 8, &[(0, 0)]);
        for time in 1..=24 {
            table.step((time + 1) % 2);
            assert_eq!(table, Table::new(6, 8, &[(time % 6, time % 8)]));
        }
    }

    #[test]
    fn two_balls_collide() {
        let mut table = Table::new(4, 4, &[(0, 0), (1, 1)]);
        table.step(0);
        assert_eq!(table, Table::new(4, 4, &[(0, 1), (1, 0)]));
    }

    /// Neither kind of block holds just one ball of it.
    #[test]
    fn a_square_of_balls_at_an_even_row_and_an_odd_column_is_a_wall() {
        let wall = Table::new(6, 6, &[(2, 1), (2, 2), (3, 1), (3, 2)]);
        let mut table = wall.clone();
        table.run(9);
        assert_eq!(table, wall);
    }

    #[test]
    fn a_ball_bounces_from_a_wall() {
        let wall = [(4, 5), (4, 6), (5, 5), (5, 6)];
        let ball = |at| Table::new(12, 12, &[&wall[..], &[at]].concat());
        let mut table = ball((0, 2));
        table.run(3);
        assert_eq!(table, ball((3, 5)));
        table.step(1);
        assert_eq!(table, ball((3, 5)));
        table.run(3);
        assert_eq!(table, ball((0, 2)));
    }
}
