//! The machine that holds states and runs the steps of a schedule.

use super::walk::{START, Slot, Walk, WalkBack};
use super::{Event, Memory, Progress, Report, State, Step};
use std::borrow::{Borrow, BorrowMut};

/// Called after each event.
pub(super) type Watch<'a> = &'a mut dyn FnMut(Progress);

/// Where the end is, if it belongs to the caller.
pub(super) const END: Slot = Slot::MAX;

/// Takes steps, in states that are used again and again.
pub(super) struct Walker<'a, S: State + ?Sized, P: ?Sized, F> {
    step: &'a F,
    start: &'a S,
    parameters: &'a P,
    /// The number of the last state, and where to make it.
    end: Option<(usize, &'a mut S)>,
    /// The states in the slots 1, 2, …
    pool: Vec<S::Owned>,
    free: Vec<Slot>,
    /// The memory of states of earlier runs.
    spare: Vec<S::Owned>,
    report: Report,
    watch: Option<(Watch<'a>, u128)>,
}

impl<'a, S: State + ?Sized, P: ?Sized, F: Step<S, P>> Walker<'a, S, P, F> {
    pub fn new(step: &'a F, start: &'a S, parameters: &'a P) -> Self {
        let report = Report { peak: 1, ..Report::default() };
        let (pool, free, spare) = (Vec::new(), Vec::new(), Vec::new());
        Walker { step, start, parameters, end: None, pool, free, spare, report, watch: None }
    }

    /// States are held in the memory of earlier runs, as long as there is any.
    pub fn reusing(mut self, memory: &mut Memory<S>) -> Self {
        self.spare.append(&mut memory.states);
        self
    }

    /// The last state, of number `steps`, is added to `end`.
    pub fn ending_in(mut self, steps: usize, end: &'a mut S) -> Self {
        self.end = Some((steps, end));
        self
    }

    fn tell(&mut self, event: Event) {
        if let Some((watch, of)) = &mut self.watch {
            watch(Progress { event, done: self.report.calls(), of: *of });
        }
    }

    /// A slot that holds zeros.
    fn blank(&mut self) -> Slot {
        match self.free.pop() {
            Some(slot) => {
                self.start.set_zero(&mut self.pool[slot - 1]);
                slot
            }
            None => {
                let zeros = self.zeros();
                self.pool.push(zeros);
                self.pool.len()
            }
        }
    }

    fn zeros(&mut self) -> S::Owned {
        match self.spare.pop() {
            Some(mut state) => {
                self.start.set_zero(&mut state);
                state
            }
            None => self.start.zero_like(),
        }
    }

    /// The state in `slot` is needed no more.
    pub fn release(&mut self, slot: Slot) {
        if slot != START && slot != END {
            self.free.push(slot);
        }
    }

    fn state(&self, slot: Slot) -> &S {
        if slot == START { self.start } else { self.pool[slot - 1].borrow() }
    }

    /// Runs a function on what is in `to` and in `from`.
    fn with(&mut self, from: Slot, to: Slot, f: impl FnOnce(&F, &mut S, &S, &P)) {
        let (step, parameters) = (self.step, self.parameters);
        if to == END {
            let now =
                if from == START { self.start } else { Borrow::<S>::borrow(&self.pool[from - 1]) };
            let (_, end) = self.end.as_mut().expect("the end of the caller");
            f(step, end, now, parameters);
        } else if from == START {
            f(step, self.pool[to - 1].borrow_mut(), self.start, parameters);
        } else {
            let [from, to] = self.pool.get_disjoint_mut([from - 1, to - 1]).expect("two states");
            f(step, to.borrow_mut(), Borrow::<S>::borrow(from), parameters);
        }
    }

    fn forward(&mut self, from: Slot, k: usize) -> Slot {
        let to = match self.end {
            Some((steps, _)) if steps == k + 1 => END,
            _ => self.blank(),
        };
        self.with(from, to, |step, next, now, parameters| step.forward(next, now, parameters, k));
        self.report.forward += 1;
        self.tell(Event::Forward(k));
        to
    }
}

impl<S: State + ?Sized, P: ?Sized, F: Step<S, P>> Walk for Walker<'_, S, P, F> {
    fn advance(&mut self, from: Slot, k: usize, count: usize) -> Slot {
        let mut now = self.forward(from, k);
        for k in k + 1..k + count {
            let next = self.forward(now, k);
            self.release(now);
            now = next;
        }
        now
    }

    fn undo(&mut self, from: Slot, k: usize, to: Slot) {
        self.with(from, to, |step, next, now, parameters| step.inverse(next, now, parameters, k));
        self.report.inverse += 1;
        self.tell(Event::Inverse(k));
        self.release(to);
    }
}

/// What begins the way back: `(now, d_now, d_parameters)` of the last step.
type Begin<'a, S, P> = &'a mut dyn FnMut(&S, &mut S, &mut P);

/// Where a gradient comes from.
pub(super) enum Ending<'a, S: ?Sized, P: ?Sized> {
    /// From the end, which is made: `(end, d_end)`.
    Made(&'a mut dyn FnMut(&S, &mut S)),
    /// From the adjoint of the last step.
    Given(Begin<'a, S, P>),
}

/// Takes steps, and carries a gradient back.
pub(super) struct Differentiator<'a, S: State + ?Sized, P: State + ?Sized, F> {
    walker: Walker<'a, S, P, F>,
    ending: Ending<'a, S, P>,
    /// Where the gradient is: with respect to the state in this slot it is `d_top`.
    top: Option<Slot>,
    d_top: S::Owned,
    d_next: S::Owned,
    d_parameters: &'a mut P,
    /// A copy of the end, if it was made.
    made: Option<S::Owned>,
}

impl<'a, S: State + ?Sized, P: State + ?Sized, F: Step<S, P>> Differentiator<'a, S, P, F> {
    pub fn new(
        mut walker: Walker<'a, S, P, F>,
        d_parameters: &'a mut P,
        ending: Ending<'a, S, P>,
        watch: Option<(Watch<'a>, u128)>,
    ) -> Self {
        // One of them is going to be the caller's.
        let (d_top, d_next) = (walker.start.zero_like(), walker.zeros());
        let walker = Walker { watch, ..walker };
        Differentiator { walker, ending, top: None, d_top, d_next, d_parameters, made: None }
    }

    /// The end, if it was made, the gradient with respect to the start, and what it cost.
    /// All else that was in memory is given to `memory`.
    pub fn finish(self, memory: &mut Memory<S>) -> (Option<S::Owned>, S::Owned, Report) {
        let Differentiator { walker, d_top, d_next, made, .. } = self;
        let Walker { mut pool, mut spare, mut report, .. } = walker;
        // The start and two gradients.
        report.buffers = pool.len() + 3;
        for states in [&mut pool, &mut spare, &mut vec![d_next]] {
            memory.states.append(states);
        }
        (made, d_top, report)
    }
}

impl<S: State + ?Sized, P: State + ?Sized, F: Step<S, P>> Walk for Differentiator<'_, S, P, F> {
    fn advance(&mut self, from: Slot, k: usize, count: usize) -> Slot {
        let slot = self.walker.advance(from, k, count);
        let Walker { pool, free, report, .. } = &mut self.walker;
        let kept = 1 + pool.len() - free.len() - usize::from(self.top.is_some());
        report.peak = report.peak.max(kept);
        slot
    }

    fn undo(&mut self, from: Slot, k: usize, to: Slot) {
        self.walker.undo(from, k, to);
    }
}

impl<S: State + ?Sized, P: State + ?Sized, F: Step<S, P>> WalkBack for Differentiator<'_, S, P, F> {
    fn keep(&mut self, k: usize) {
        self.walker.tell(Event::Keep(k));
    }

    fn drop(&mut self, k: usize) {
        self.walker.tell(Event::Drop(k));
    }

    fn arrive(&mut self, slot: Slot) {
        let end = self.walker.state(slot);
        if let Ending::Made(seed) = &mut self.ending {
            seed(end, self.d_top.borrow_mut());
        }
        self.made = Some(end.to_owned());
        self.top = Some(slot);
    }

    fn adjoint(&mut self, from: Slot, k: usize) {
        if self.top.is_none() && matches!(self.ending, Ending::Made(_)) {
            let end = self.walker.forward(from, k);
            self.arrive(end);
        }
        std::mem::swap(&mut self.d_top, &mut self.d_next);
        let Differentiator { walker, d_top, d_next, d_parameters, ending, .. } = self;
        walker.start.set_zero(d_top);
        match (self.top, ending) {
            (Some(top), _) => {
                walker.with(from, top, |step, next, now, parameters| {
                    let (d_next, d_now) = (d_next.borrow_mut(), d_top.borrow_mut());
                    step.adjoint(next, d_next, now, d_now, parameters, d_parameters, k);
                });
                walker.release(top);
            }
            (None, Ending::Given(begin)) => {
                begin(walker.state(from), d_top.borrow_mut(), d_parameters);
            }
            (None, Ending::Made(_)) => unreachable!("the run has arrived"),
        }
        self.top = Some(from);
        self.walker.report.adjoint += 1;
        self.walker.tell(Event::Adjoint(k));
    }
}
