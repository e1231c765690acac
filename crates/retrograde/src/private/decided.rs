//! Decisions that were taken on floats: kept on the way there, and taken again on the way
//! back, where the floats have come back up to rounding only.
//!
//! One record serves one place in the source. What is computed inside of something that is
//! computed runs more than once: there and back, on the way there and on the way back of
//! what is around it. So a decision has a record for each of these levels, the innermost
//! first. It is taken from the innermost level that is on its way back, if there is one, and
//! it is kept for the innermost that is on its way there.

/// What the decisions at one place of a program were.
#[derive(Clone, Debug)]
pub struct Decided<R> {
    record: R,
    back: bool,
}

impl<R: Default> Default for Decided<R> {
    #[inline]
    fn default() -> Self {
        Decided { record: R::default(), back: false }
    }
}

/// A record that is read from its end.
pub trait Record: Default {
    type Decision: Clone;
    fn keep(&mut self, decision: Self::Decision);
    fn take(&mut self) -> Self::Decision;
    fn is_empty(&self) -> bool;
}

#[cold]
#[inline(never)]
fn nothing_kept() -> ! {
    unreachable!("a decision is taken back that was not taken")
}

/// Truth values, a bit each.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
    count: usize,
}

impl Record for Bits {
    type Decision = bool;
    #[inline]
    fn keep(&mut self, decision: bool) {
        let place = self.count % 64;
        if place == 0 {
            self.words.push(0);
        }
        if let Some(last) = self.words.last_mut() {
            *last |= u64::from(decision) << place;
        }
        self.count += 1;
    }
    #[inline]
    fn take(&mut self) -> bool {
        let Some(last) = self.words.last_mut() else { nothing_kept() };
        self.count -= 1;
        let place = self.count % 64;
        let decision = *last >> place & 1 == 1;
        *last &= !(1 << place);
        if place == 0 {
            self.words.pop();
        }
        decision
    }
    #[inline]
    fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// Whatever else was decided: an index, what was rounded.
#[derive(Clone, Debug)]
pub struct Values<T>(Vec<T>);

impl<T> Default for Values<T> {
    #[inline]
    fn default() -> Self {
        Values(Vec::new())
    }
}

impl<T: Clone> Record for Values<T> {
    type Decision = T;
    #[inline]
    fn keep(&mut self, decision: T) {
        self.0.push(decision);
    }
    #[inline]
    fn take(&mut self) -> T {
        self.0.pop().unwrap_or_else(|| nothing_kept())
    }
    #[inline]
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// How many passes the loops made, and how far the one is that is running.
#[derive(Clone, Debug, Default)]
pub struct Passes {
    counts: Values<usize>,
    running: Option<(usize, Option<usize>)>,
}

impl<R> Decided<R> {
    /// From here on, the level is on its way back.
    #[inline]
    pub fn turn(&mut self) {
        self.back = true;
    }
}

/// What is decided anew, unless a level around is on its way back.
#[inline]
fn decision<R, D>(outer: &mut [&mut Decided<R>], take: impl FnOnce(&mut R) -> D) -> Option<D> {
    outer.iter_mut().find(|level| level.back).map(|level| take(&mut level.record))
}

/// The innermost level around that is on its way there.
#[inline]
fn to_be_kept<'a, R>(outer: &'a mut [&mut Decided<R>]) -> Option<&'a mut R> {
    outer.iter_mut().find(|level| !level.back).map(|level| &mut level.record)
}

#[inline]
fn decide<R: Record>(
    own: &mut Decided<R>,
    outer: &mut [&mut Decided<R>],
    value: impl FnOnce() -> R::Decision,
) -> R::Decision {
    let decision = decision(outer, R::take).unwrap_or_else(value);
    own.record.keep(decision.clone());
    decision
}

#[inline]
fn recall<R: Record>(own: &mut Decided<R>, outer: &mut [&mut Decided<R>]) -> R::Decision {
    let decision = own.record.take();
    if let Some(level) = to_be_kept(outer) {
        level.keep(decision.clone());
    }
    decision
}

/// Hands what was kept on to the level around, which comes back to it.
#[inline]
pub fn hand_on<R: Record>(own: &mut Decided<R>, outer: &mut [&mut Decided<R>]) {
    if let Some(level) = to_be_kept(outer) {
        while !own.record.is_empty() {
            level.keep(own.record.take());
        }
    }
}

/// Decides whether to take a branch, and keeps it.
#[inline]
pub fn decide_branch(
    own: &mut Decided<Bits>,
    outer: &mut [&mut Decided<Bits>],
    value: impl FnOnce() -> bool,
) -> bool {
    decide(own, outer, value)
}

/// Whether a branch was taken.
#[inline]
pub fn recall_branch(own: &mut Decided<Bits>, outer: &mut [&mut Decided<Bits>]) -> bool {
    recall(own, outer)
}

/// Evaluates what is an index or was rounded, and keeps it. (Not by the trait, whose types
/// the compiler would know too late.)
#[inline]
pub fn decide_value<T: Clone>(
    own: &mut Decided<Values<T>>,
    outer: &mut [&mut Decided<Values<T>>],
    value: impl FnOnce() -> T,
) -> T {
    decide(own, outer, value)
}

/// What such a value was.
#[inline]
pub fn recall_value<T: Clone>(
    own: &mut Decided<Values<T>>,
    outer: &mut [&mut Decided<Values<T>>],
) -> T {
    recall(own, outer)
}

/// Whether a loop makes another pass, which is counted.
#[inline]
pub fn decide_pass(
    own: &mut Decided<Passes>,
    outer: &mut [&mut Decided<Passes>],
    value: impl FnOnce() -> bool,
) -> bool {
    let (done, all) = match own.record.running {
        Some(running) => running,
        None => (0, decision(outer, |record| record.counts.take())),
    };
    let again = all.map_or_else(value, |all| done < all);
    if again {
        own.record.running = Some((done + 1, all));
    } else {
        own.record.running = None;
        own.record.counts.keep(done);
    }
    again
}

/// Whether a loop has passes left that are not undone.
#[inline]
pub fn recall_pass(own: &mut Decided<Passes>, outer: &mut [&mut Decided<Passes>]) -> bool {
    let left = match own.record.running {
        Some((left, _)) => left,
        None => {
            let all = own.record.counts.take();
            if let Some(level) = to_be_kept(outer) {
                level.counts.keep(all);
            }
            all
        }
    };
    own.record.running = (left > 0).then(|| (left - 1, None));
    left > 0
}

/// From here on, the level is on its way back.
#[inline]
pub fn turn<R>(level: &mut Decided<R>) {
    level.turn();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back_from_the_last_to_the_first() {
        let pattern = |i: u64| (i * i / 7).is_multiple_of(3);
        let mut bits = Bits::default();
        for round in 0..2 {
            (0..200).for_each(|i| bits.keep(pattern(i + round)));
            (0..200).rev().for_each(|i| assert_eq!(bits.take(), pattern(i + round)));
        }
        assert!(bits.words.is_empty());
    }

    /// Two passes of a loop, in each of which three decisions are computed, used and undone;
    /// then all of that backwards, where what would be decided is wrong.
    #[test]
    fn decisions_inside_of_others_are_those_of_the_way_there() {
        let mut outer = Decided::<Values<usize>>::default();
        let right = |pass: usize, i: usize| 10 * pass + i;
        let pass = |k: usize, wrong: usize, outer: &mut Decided<Values<usize>>| {
            let mut inner = Decided::<Values<usize>>::default();
            for i in 0..3 {
                let d = decide(&mut inner, &mut [&mut *outer], || right(k, i) + wrong);
                assert_eq!(d, right(k, i));
            }
            for i in (0..3).rev() {
                assert_eq!(recall(&mut inner, &mut [&mut *outer]), right(k, i));
            }
        };
        (0..2).for_each(|k| pass(k, 0, &mut outer));
        turn(&mut outer);
        (0..2).rev().for_each(|k| pass(k, 5, &mut outer));
        assert!(outer.record.0.is_empty());
    }

    #[test]
    fn passes_are_counted_there_and_back() {
        let mut own = Decided::<Passes>::default();
        for n in [2, 0, 3] {
            let mut k = 0;
            while decide_pass(&mut own, &mut [], || k < n) {
                k += 1;
            }
        }
        for n in [3, 0, 2] {
            let mut k = 0;
            while recall_pass(&mut own, &mut []) {
                k += 1;
            }
            assert_eq!(k, n);
        }
    }
}
