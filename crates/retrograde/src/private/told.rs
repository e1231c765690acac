//! What functions tell of what they were lent: the largest that it was, while they undid it.
//!
//! A number that is zero before a call and after it may have been more in between, and it is
//! rounded as that. Only who compares it asks, for the variables that it has lent.

use std::cell::Cell;

/// So many variables are told apart; of more, nothing is known of the first.
const SLOTS: usize = 4;

struct Told {
    /// How many ask.
    asked: Cell<usize>,
    next: Cell<usize>,
    slots: [Cell<(usize, f64)>; SLOTS],
}

thread_local! {
    static TOLD: Told = const {
        Told {
            asked: Cell::new(0),
            next: Cell::new(0),
            slots: [const { Cell::new((0, 0.0)) }; SLOTS],
        }
    };
}

/// Begins to listen; what was told before was of other variables.
pub fn listen() {
    TOLD.with(|told| {
        told.asked.set(told.asked.get() + 1);
        told.slots.iter().for_each(|slot| slot.set((0, 0.0)));
    });
}

/// Ends it.
pub fn listen_no_more() {
    TOLD.with(|told| told.asked.set(told.asked.get().saturating_sub(1)));
}

/// The largest that a variable, or a part of it, was told to have been.
pub fn heard<T>(variable: &T) -> f64 {
    let start = std::ptr::from_ref(variable) as usize;
    let own = start..start + size_of::<T>();
    TOLD.with(|told| {
        let slots = told.slots.iter().map(Cell::get);
        slots.filter(|(place, _)| own.contains(place)).fold(0.0, |all, (_, seen)| seen.max(all))
    })
}

/// Tells the largest that a variable was.
#[inline]
pub fn tell<T>(variable: &T, largest: f64) {
    TOLD.with(|told| {
        if told.asked.get() > 0 {
            told.note(std::ptr::from_ref(variable) as usize, largest);
        }
    });
}

impl Told {
    fn note(&self, place: usize, largest: f64) {
        match self.slots.iter().find(|slot| slot.get().0 == place) {
            Some(slot) => slot.set((place, slot.get().1.max(largest))),
            None => {
                let next = self.next.get();
                self.slots[next % SLOTS].set((place, largest));
                self.next.set((next + 1) % SLOTS);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_those_who_ask_hear() {
        let pair = [1.0, 2.0];
        tell(&pair[1], 3.0);
        assert_eq!(heard(&pair), 0.0);
        listen();
        tell(&pair[1], 3.0);
        tell(&pair[1], 2.0);
        tell(&0.5, 7.0);
        assert_eq!((heard(&pair), heard(&pair[0]), heard(&pair[1])), (3.0, 0.0, 3.0));
        listen_no_more();
        tell(&pair[1], 9.0);
        assert_eq!(heard(&pair), 3.0);
    }
}
