//! The schedules themselves: in which order a machine takes, undoes and
//! differentiates steps.

/// Where a machine holds a state.
pub(super) type Slot = usize;

/// Where the start is.
pub(super) const START: Slot = 0;

/// What can take steps, and undo them.
pub(super) trait Walk {
    /// Takes `count` steps from state `k`, at least one. Only the last new state stays.
    fn advance(&mut self, from: Slot, k: usize, count: usize) -> Slot;
    /// Uncomputes the state after `k`, which is in `to`.
    fn undo(&mut self, from: Slot, k: usize, to: Slot);
}

/// What can carry a gradient back.
pub(super) trait WalkBack: Walk {
    /// State `k` has become a checkpoint.
    fn keep(&mut self, k: usize);
    /// State `k` is a checkpoint no more.
    fn drop(&mut self, k: usize);
    /// The end is in `slot`: the gradient starts from there.
    fn arrive(&mut self, slot: Slot);
    /// Carries the gradient from the state after `k`, where it is, to state `k`. Where
    /// it is nowhere yet, this is the last step, and the machine sees to the end.
    ///
    /// The state after `k` is given up, and `from` is the machine's: it is the state
    /// after the next step whose adjoint comes.
    fn adjoint(&mut self, from: Slot, k: usize);
}

/// The gradient of one step or more, with `checkpoints`, the start among them, and one
/// state more.
pub(super) fn treeverse(machine: &mut impl WalkBack, steps: usize, checkpoints: usize) {
    let mut kept = vec![(0, START)];
    let mut end = steps;
    // The steps between the last checkpoint and `end` are next.
    while let Some(&(base, slot)) = kept.last() {
        let len = end - base;
        if len == 1 {
            machine.adjoint(slot, base);
            kept.pop();
            if base > 0 {
                machine.drop(base);
            }
            end = base;
        } else if kept.len() == checkpoints {
            let now = machine.advance(slot, base, len - 1);
            machine.adjoint(now, end - 1);
            end -= 1;
        } else {
            let first = split(len, checkpoints - kept.len() + 1);
            let slot = machine.advance(slot, base, first);
            machine.keep(base + first);
            kept.push((base + first, slot));
        }
    }
}

/// How many of `len` steps lie before the next checkpoint, where there are `free`
/// of them, the one at the start of the steps among them.
///
/// With `C(free + r, r) ≥ len`, no step need be taken more than `r` times. That holds
/// for both parts: the first with `r − 1` and `free`, the second with `r` and `free − 1`.
fn split(len: usize, free: usize) -> usize {
    if len - 1 <= free {
        return 1;
    }
    let (len, free, r) = (len as u128, free as u128, repetitions(len, free));
    let first = binomial(free + r - 1, r - 1).min(len - binomial(free + r - 2, r - 1));
    first as usize
}

/// The smallest `r` with `C(free + r, r) ≥ len`.
pub(super) fn repetitions(len: usize, free: usize) -> u128 {
    const FEW: u128 = 64;
    let (len, free) = (len as u128, free as u128);
    let (mut r, mut reach) = (0, 1);
    while reach < len && r < FEW {
        r += 1;
        reach = reach * (free + r) / r;
    }
    if reach >= len {
        return r;
    }
    // There are few checkpoints for so many steps: one in between is looked for.
    let (mut below, mut enough) = (r, len - 1);
    while enough - below > 1 {
        let middle = below + (enough - below) / 2;
        if binomial(free + middle, middle) < len { below = middle } else { enough = middle }
    }
    enough
}

/// `C(n, k)`, or more than any number of steps.
pub(super) fn binomial(n: u128, k: u128) -> u128 {
    let mut product = 1_u128;
    for i in 1..=k.min(n - k) {
        // Exact, as each is a binomial itself.
        match product.checked_mul(n - i + 1) {
            Some(next) => product = next / i,
            None => return u128::MAX,
        }
    }
    product
}

/// Bennett's schedule, over a machine and the states between blocks that are held.
pub(super) struct Bennett<'m, M> {
    machine: &'m mut M,
    blocks: usize,
    held: Vec<Slot>,
}

impl<'m, M: Walk> Bennett<'m, M> {
    pub fn new(machine: &'m mut M, blocks: usize) -> Self {
        Bennett { machine, blocks, held: Vec::new() }
    }

    /// The length of a block, and how many there are before the last.
    pub fn cut(len: usize, blocks: usize) -> (usize, usize) {
        let block = len.div_ceil(blocks);
        (block, (len - 1) / block)
    }

    /// Makes the state `len` steps after `base`, and leaves none in between.
    pub fn compute(&mut self, from: Slot, base: usize, len: usize) -> Slot {
        if len == 1 {
            return self.machine.advance(from, base, 1);
        }
        let (block, last) = Self::cut(len, self.blocks);
        let before_last = self.compute_blocks(from, base, block, last);
        let to = self.compute(before_last, base + last * block, len - last * block);
        self.uncompute_blocks(from, base, block, last);
        to
    }

    /// The inverse of [`compute`](Self::compute).
    pub fn uncompute(&mut self, from: Slot, base: usize, len: usize, to: Slot) {
        if len == 1 {
            return self.machine.undo(from, base, to);
        }
        let (block, last) = Self::cut(len, self.blocks);
        let before_last = self.compute_blocks(from, base, block, last);
        self.uncompute(before_last, base + last * block, len - last * block, to);
        self.uncompute_blocks(from, base, block, last);
    }

    /// Holds the states after each of the first blocks; gives the last of them.
    fn compute_blocks(&mut self, from: Slot, base: usize, block: usize, count: usize) -> Slot {
        let mut state = from;
        for j in 0..count {
            state = self.compute(state, base + j * block, block);
            self.held.push(state);
        }
        state
    }

    fn uncompute_blocks(&mut self, from: Slot, base: usize, block: usize, count: usize) {
        for j in (0..count).rev() {
            let to = self.held.pop().expect("a state after each block");
            let from = if j == 0 { from } else { self.last_held() };
            self.uncompute(from, base + j * block, block, to);
        }
    }

    fn last_held(&self) -> Slot {
        *self.held.last().expect("a state before each block but the first")
    }
}

impl<M: WalkBack> Bennett<'_, M> {
    /// Runs all steps, at least one, and carries the gradient back. The first states between blocks
    /// are needed on the way back, and not uncomputed.
    pub fn gradient(&mut self, steps: usize) {
        let (block, last) = Self::cut(steps, self.blocks);
        let before_last = self.compute_blocks(START, 0, block, last);
        let rest = steps - last * block;
        let end = self.compute(before_last, last * block, rest);
        self.machine.arrive(end);
        self.adjoint_of_blocks(START, 0, block, last, rest);
    }

    /// The adjoint of [`compute`](Self::compute), with the gradient at the end.
    ///
    /// What was uncomputed is made again on values alone, as no gradient has reached it.
    pub fn adjoint(&mut self, from: Slot, base: usize, len: usize) {
        if len == 1 {
            return self.machine.adjoint(from, base);
        }
        let (block, last) = Self::cut(len, self.blocks);
        self.compute_blocks(from, base, block, last);
        self.adjoint_of_blocks(from, base, block, last, len - last * block);
    }

    /// Last first; `rest` is the length of the last.
    fn adjoint_of_blocks(
        &mut self,
        from: Slot,
        base: usize,
        block: usize,
        last: usize,
        rest: usize,
    ) {
        for j in (0..=last).rev() {
            let from = if j == 0 { from } else { self.last_held() };
            self.adjoint(from, base + j * block, if j == last { rest } else { block });
            if j > 0 {
                // The machine has it now.
                self.held.pop();
            }
        }
    }
}
