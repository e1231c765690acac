//! Rounding that is carried into a call. A function that is going back decides on arguments
//! which it only reads, and cannot know that its caller undoes them: the caller tells, for the
//! next call on this thread.

use crate::check::Scale;
use std::cell::Cell;

/// So many arguments are told apart; the rounding of further ones counts for all.
const SLOTS: usize = 8;
const ANY: usize = usize::MAX;

struct Carried {
    count: Cell<usize>,
    slots: [Cell<(usize, Scale)>; SLOTS],
}

thread_local! {
    static CARRIED: Carried = const {
        Carried { count: Cell::new(0), slots: [const { Cell::new((0, Scale::NOTHING)) }; SLOTS] }
    };
}

/// Carries the rounding of arguments into the next call, each by [`carry_one`].
#[inline(always)]
pub fn carry<const N: usize>(_carried: [(); N]) {}

/// Carries the rounding of an argument, given by its place, if the function that is called decides
/// on it. One by one, since a list of them would be put together before anybody asks whether there
/// is anything to carry, which is seldom.
#[inline(always)]
pub fn carry_one(place: usize, asks: bool, scale: Scale) {
    if is_carried(asks, scale) {
        carry_told(place, scale);
    }
}

/// Whether there is anything to carry of an argument.
#[inline(always)]
pub fn is_carried(asks: bool, scale: Scale) -> bool {
    asks && scale.has_seen()
}

#[cold]
#[inline(never)]
fn carry_told(place: usize, scale: Scale) {
    CARRIED.with(|carried| {
        let count = carried.count.get();
        match carried.slots.get(count) {
            Some(slot) => {
                slot.set((place, scale));
                carried.count.set(count + 1);
            }
            None => {
                let last = &carried.slots[SLOTS - 1];
                last.set((ANY, last.get().1.joined(scale)));
            }
        }
    });
}

/// The next call gets nothing, `if` something may have been carried.
#[inline(always)]
pub fn carry_nothing(may: bool) {
    if may {
        CARRIED.with(|carried| carried.count.set(0));
    }
}

/// As [`carried`], if somebody is going to look at it.
#[inline(always)]
pub fn carried_if(asks: bool, place: usize) -> Scale {
    if asks { carried(place) } else { Scale::ASLEEP }
}

/// What was carried into this call for the argument at a place.
#[inline]
pub fn carried(place: usize) -> Scale {
    // Seldom is anything.
    match CARRIED.with(|carried| carried.count.get()) {
        0 => Scale::NOTHING,
        count => carried_of(count, place),
    }
}

#[cold]
#[inline(never)]
fn carried_of(count: usize, place: usize) -> Scale {
    CARRIED.with(|carried| {
        let slots = carried.slots[..count].iter().map(Cell::get);
        let own = slots.filter(|(known, _)| *known == place || *known == ANY);
        own.fold(Scale::NOTHING, |all, (_, scale)| all.joined(scale))
    })
}

/// Whether something was seen that may be rounded.
#[inline]
pub fn are_rounded(scales: &[Scale]) -> bool {
    scales.iter().any(|scale| scale.has_seen()) && !Scale::are_whole(scales)
}

/// Whether an argument was told to be rounded.
#[inline]
pub fn is_told(rounding: &[(usize, Scale)]) -> bool {
    rounding.iter().any(|(_, scale)| scale.has_seen())
}

/// What was told of the argument at a place.
#[inline]
pub fn told(rounding: &[(usize, Scale)], place: usize) -> Scale {
    let own = rounding.iter().filter(|(known, _)| *known == place);
    own.fold(Scale::NOTHING, |all, (_, scale)| all.joined(*scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_told_apart_as_long_as_there_is_room() {
        let one = Scale::of_extent(1.0);
        carry([carry_one(2, true, one), carry_one(0, true, Scale::NOTHING)]);
        assert!(carried(2).has_seen() && !carried(0).has_seen() && !carried(1).has_seen());
        for place in 3..20 {
            carry_one(place, true, one);
        }
        assert!(carried(2).has_seen() && carried(19).has_seen() && carried(77).has_seen());
        carry_nothing(true);
        assert!(!carried(2).has_seen() && !carried(77).has_seen());
    }
}
