//! What a schedule costs, before anything is run.
//!
//! ```
//! use retrograde::schedule::{Schedule, plan};
//!
//! let cost = plan::gradient(Schedule::Treeverse { checkpoints: 20 }, 9999);
//! assert_eq!((cost.forward, cost.adjoint, cost.peak), (37_973, 9999, 21));
//!
//! // With memory for 25 states of 32 MB.
//! let best = plan::best(9999, 32_000_000, 800_000_000).expect("enough for something");
//! assert_eq!(best.schedule, Schedule::Treeverse { checkpoints: 20 });
//! ```

use super::walk::{binomial, repetitions};
use super::{Report, Schedule, Way};
use std::collections::HashMap;

/// What a gradient costs, exactly, by [`Run::gradient`](super::Run::gradient).
///
/// # Panics
///
/// If the schedule has no checkpoint, or fewer than two blocks.
#[track_caller]
pub fn gradient(schedule: Schedule, steps: usize) -> Report {
    schedule.check();
    if steps == 0 {
        return Report { peak: 1, buffers: 3, ..Report::default() };
    }
    match schedule.way(steps) {
        Way::Checkpoints(checkpoints) => treeverse(steps, checkpoints),
        Way::Blocks(blocks) => Blocks::new(blocks).gradient(steps),
    }
}

/// What the run alone costs, exactly, as a reversible function.
///
/// # Panics
///
/// If the schedule has no checkpoint, or fewer than two blocks.
#[track_caller]
pub fn call(schedule: Schedule, steps: usize) -> Report {
    schedule.check();
    match schedule {
        _ if steps == 0 => Report { peak: 2, buffers: 2, ..Report::default() },
        Schedule::Bennett { blocks } => {
            let Cost { forward, inverse, states } = Blocks::new(blocks).compute(steps);
            Report { forward, inverse, adjoint: 0, peak: 1 + states, buffers: 1 + states }
        }
        // The start, the end, and two that take turns.
        _ => {
            let forward = steps as u128;
            Report { forward, peak: 2, buffers: 1 + steps.min(3), ..Report::default() }
        }
    }
}

fn treeverse(steps: usize, checkpoints: usize) -> Report {
    let n = steps as u128;
    let r = repetitions(steps, checkpoints);
    // Of all steps `r` times, what need not be taken so often.
    let spared = if r == 0 { 0 } else { binomial(checkpoints as u128 + r, r - 1) };
    let forward = r * n - spared + 1;
    let peak = steps.min(checkpoints.saturating_add(1));
    // The state after the step whose adjoint is next. In long runs, with all checkpoints
    // in use, two steps are taken meanwhile, which need another: this is from where on.
    let long = (checkpoints as u128 + 1).saturating_pow(2) <= n;
    let in_work = if long { 2 } else { 1 };
    Report { forward, inverse: 0, adjoint: n, peak, buffers: peak.saturating_add(in_work + 2) }
}

/// The cost of a block under Bennett's schedule.
#[derive(Clone, Copy)]
pub(super) struct Cost {
    pub forward: u128,
    pub inverse: u128,
    /// The most states that are held, without the one before the block.
    pub states: usize,
}

/// The costs of blocks of all lengths that occur, of which there are few.
pub(super) struct Blocks {
    blocks: usize,
    known: HashMap<usize, Cost>,
    adjoints: HashMap<usize, (u128, u128)>,
}

impl Blocks {
    pub fn new(blocks: usize) -> Self {
        Blocks { blocks, known: HashMap::new(), adjoints: HashMap::new() }
    }

    fn cut(&self, len: usize) -> (usize, usize, usize) {
        let block = len.div_ceil(self.blocks);
        let last = (len - 1) / block;
        (block, last, len - last * block)
    }

    /// Making a state; uncomputing it costs the same, with the directions exchanged.
    fn compute(&mut self, len: usize) -> Cost {
        if len == 1 {
            return Cost { forward: 1, inverse: 0, states: 1 };
        }
        if let Some(cost) = self.known.get(&len) {
            return *cost;
        }
        let (block, last, rest) = self.cut(len);
        let (first, rest) = (self.compute(block), self.compute(rest));
        // Each block but the last there and back.
        let there_and_back = last as u128 * (first.forward + first.inverse);
        let cost = Cost {
            forward: there_and_back + rest.forward,
            inverse: there_and_back + rest.inverse,
            states: last + first.states.max(rest.states),
        };
        self.known.insert(len, cost);
        cost
    }

    /// Forwards and backwards in the adjoint of [`compute`](Self::compute).
    fn adjoint(&mut self, len: usize) -> (u128, u128) {
        if len == 1 {
            return (0, 0);
        }
        if let Some(cost) = self.adjoints.get(&len) {
            return *cost;
        }
        let (block, last, rest) = self.cut(len);
        let (made, count) = (self.compute(block), last as u128);
        let (first, rest) = (self.adjoint(block), self.adjoint(rest));
        let cost =
            (count * (made.forward + first.0) + rest.0, count * (made.inverse + first.1) + rest.1);
        self.adjoints.insert(len, cost);
        cost
    }

    /// As [`compute`](Self::compute), with the states between the first blocks left.
    pub fn sweep(&mut self, len: usize) -> Cost {
        let (block, last, rest) = self.cut(len);
        let (first, rest) = (self.compute(block), self.compute(rest));
        let count = last as u128;
        Cost {
            forward: count * first.forward + rest.forward,
            inverse: count * first.inverse + rest.inverse,
            states: (last + rest.states).max((last + first.states).saturating_sub(1)),
        }
    }

    fn gradient(&mut self, len: usize) -> Report {
        let there = self.sweep(len);
        let (block, last, rest) = self.cut(len);
        let (first, rest) = (self.adjoint(block), self.adjoint(rest));
        Report {
            forward: there.forward + last as u128 * first.0 + rest.0,
            inverse: there.inverse + last as u128 * first.1 + rest.1,
            adjoint: len as u128,
            peak: there.states.saturating_add(1),
            buffers: there.states.saturating_add(3),
        }
    }
}

/// A schedule, and what a gradient costs by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The schedule.
    pub schedule: Schedule,
    /// Its calls and states.
    pub cost: Report,
}

impl Choice {
    fn of(schedule: Schedule, steps: usize) -> Self {
        Choice { schedule, cost: gradient(schedule, steps) }
    }

    /// The memory for all states, of so many bytes each.
    pub fn bytes(&self, state_bytes: u128) -> u128 {
        (self.cost.buffers as u128).saturating_mul(state_bytes)
    }
}

/// The schedule that takes the fewest steps with so many bytes for states of
/// `state_bytes`: [`StoreAll`](Schedule::StoreAll), or else
/// [`Treeverse`](Schedule::Treeverse) with as many checkpoints as fit. `None` if
/// nothing fits.
pub fn best(steps: usize, state_bytes: u128, memory: u128) -> Option<Choice> {
    let buffers = fitting(state_bytes, memory);
    let all = Choice::of(Schedule::StoreAll, steps);
    if all.cost.buffers <= buffers { Some(all) } else { treeverse_within(steps, buffers) }
}

/// How many states fit.
pub fn fitting(state_bytes: u128, memory: u128) -> usize {
    memory
        .checked_div(state_bytes)
        .map_or(usize::MAX, |count| usize::try_from(count).unwrap_or(usize::MAX))
}

/// Treeverse with as many checkpoints as there can be, where so many states fit into
/// the memory. More than one fewer than there are steps make no difference.
pub fn treeverse_within(steps: usize, buffers: usize) -> Option<Choice> {
    let most = steps.saturating_sub(1).max(1);
    // Beside the checkpoints, there are four or five states.
    [4, 5].into_iter().find_map(|others| {
        let checkpoints = buffers.checked_sub(others)?.clamp(1, most);
        let choice = Choice::of(Schedule::Treeverse { checkpoints }, steps);
        (choice.cost.buffers <= buffers).then_some(choice)
    })
}

/// Bennett's schedule with the number of blocks that takes the fewest calls, where so
/// many states fit into the memory.
///
/// Up to a few thousand blocks all numbers are tried, beyond that one in a hundred.
pub fn bennett_within(steps: usize, buffers: usize) -> Option<Choice> {
    const ALL: usize = 2000;
    // A block at the least has a state of its own.
    let most = steps.min(buffers).max(2);
    let numbers = std::iter::successors(Some(2), |&blocks| {
        let next = if blocks < ALL { blocks + 1 } else { blocks.saturating_add(blocks / 100) };
        (blocks < most).then(|| next.min(most))
    });
    numbers
        .map(|blocks| Choice::of(Schedule::Bennett { blocks }, steps))
        .filter(|choice| choice.cost.buffers <= buffers)
        .min_by_key(|choice| (choice.cost.calls(), choice.cost.buffers))
}
