//! Makes an input small.

use crate::input::Input;
use crate::nodes::{self, Node};

/// The smallest input that could be found which still `fails`.
pub fn shrink(input: &Input, mut fails: impl FnMut(&Input) -> bool) -> Input {
    let mut best = input.clone();
    // Not for ever: a large input that shrinks by one token a time is small enough at some point.
    let mut tries = 4000;
    loop {
        let before = nodes::count(&best.item) + nodes::count(&best.attribute);
        for attribute in [true, false] {
            let mut number = 0;
            while number < nodes::count(part(&mut best, attribute)) && tries > 0 {
                let mut smaller = false;
                for change in [remove_many, remove_some, remove, unwrap] {
                    let mut next = best.clone();
                    let changed = nodes::at(part(&mut next, attribute), number, change);
                    if changed != Some(true) {
                        continue;
                    }
                    tries -= 1;
                    if fails(&next) {
                        best = next;
                        smaller = true;
                        break;
                    }
                }
                if !smaller {
                    number += 1;
                }
            }
        }
        let after = nodes::count(&best.item) + nodes::count(&best.attribute);
        if after == before || tries == 0 {
            return best;
        }
    }
}

fn part(input: &mut Input, attribute: bool) -> &mut Vec<Node> {
    if attribute { &mut input.attribute } else { &mut input.item }
}

fn remove_run(list: &mut Vec<Node>, place: usize, length: usize) -> bool {
    let fits = place + length <= list.len();
    if fits {
        list.drain(place..place + length);
    }
    fits
}

fn remove_many(list: &mut Vec<Node>, place: usize) -> bool {
    remove_run(list, place, 12)
}

fn remove_some(list: &mut Vec<Node>, place: usize) -> bool {
    remove_run(list, place, 3)
}

fn remove(list: &mut Vec<Node>, place: usize) -> bool {
    remove_run(list, place, 1)
}

fn unwrap(list: &mut Vec<Node>, place: usize) -> bool {
    let Node::Group(_, inner, _) = &list[place] else { return false };
    let inner = inner.clone();
    list.splice(place..=place, inner);
    true
}
