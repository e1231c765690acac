//! Calls of helper functions and methods, and their arguments.

use super::writer::{Shape, Takes, Thing, Writer};

impl Writer {
    pub(super) fn call(&mut self) {
        if self.methods && self.chance(25) && self.call_method() {
            return;
        }
        if self.helpers.is_empty() {
            return self.update();
        }
        let helper = self.helpers[self.random.below(self.helpers.len())].clone();
        let not = if self.chance(30) { "!" } else { "" };
        if let Some(arguments) = self.arguments(&helper.takes) {
            self.line(&format!("{not}{}({});", helper.name, arguments.join(", ")));
        } else {
            self.update();
        }
        self.avoid.clear();
    }

    pub(super) fn call_method(&mut self) -> bool {
        let bodies: Vec<(usize, Thing)> = self
            .things
            .iter()
            .cloned()
            .enumerate()
            .filter(|(_, thing)| thing.shape == Shape::Body && !thing.hidden)
            .collect();
        let Some((i, body)) = bodies.first().cloned() else { return false };
        let may_write = self.may_write(i, &body);
        if body.writable && !may_write {
            // A receiver that is a `&mut` counts as written.
            return false;
        }
        let write = may_write && self.chance(70);
        self.avoid.push(body.root.clone());
        if !write {
            self.reads.push(body.root.clone());
        }
        let arguments = self.arguments(&[Takes::Written, Takes::Read]);
        self.avoid.clear();
        let Some(arguments) = arguments else { return false };
        let method = if write { "METHOD" } else { "READER" };
        let not = if self.chance(30) { "!" } else { "" };
        self.line(&format!("{not}{}.{method}({});", body.path, arguments.join(", ")));
        true
    }

    /// Arguments that do not disturb each other. What they write is avoided from
    /// then on, until the caller clears that.
    pub(super) fn arguments(&mut self, takes: &[Takes]) -> Option<Vec<String>> {
        let mut result = vec![String::new(); takes.len()];
        let mut elements: Option<(Thing, usize, usize)> = None;
        for (i, takes) in takes.iter().enumerate() {
            match takes {
                Takes::Written => {
                    let lists = self.lists(true);
                    if !lists.is_empty() && self.chance(25) {
                        // An element, beside which others of its list may be read.
                        let (_, list, length) = lists[self.random.below(lists.len())].clone();
                        let at = self.random.below(length);
                        result[i] = format!("&mut {}[{at}]", list.path);
                        self.avoid.push(list.root.clone());
                        elements = Some((list, length, at));
                        continue;
                    }
                    let place = self.writable()?;
                    result[i] = place.lent_mut;
                    self.avoid.push(place.root);
                }
                Takes::WrittenList => {
                    let lists = self.long_lists(true);
                    if lists.is_empty() {
                        return None;
                    }
                    let (_, list, length) = lists[self.random.below(lists.len())].clone();
                    result[i] = self.part_of(&list, length, true);
                    self.avoid.push(list.root);
                }
                Takes::WrittenPair | Takes::WrittenBody => {
                    let pair = *takes == Takes::WrittenPair;
                    let shape = if pair { Shape::Pair } else { Shape::Body };
                    let found = self.things.iter().enumerate().find(|(i, thing)| {
                        thing.shape == shape && !thing.hidden && self.may_write(*i, thing)
                    });
                    let whole = found.map(|(_, thing)| thing.clone())?;
                    result[i] = whole.path;
                    self.avoid.push(whole.root);
                }
                _ => {}
            }
        }
        let mut last: Option<String> = None;
        for (i, takes) in takes.iter().enumerate() {
            result[i] = match takes {
                Takes::Read => match (&elements, &last, self.random.below(6)) {
                    (Some((list, length, at)), _, 0..=2) if *length > 1 => {
                        let other = (at + 1 + self.random.below(length - 1)) % length;
                        self.reads.push(list.root.clone());
                        format!("&{}[{other}]", list.path)
                    }
                    (_, Some(last), 3) => last.clone(),
                    (_, _, 4) => {
                        let term = self.expression(2);
                        format!("&({})", self.scaled(term, 3.0).text)
                    }
                    _ => self.readable()?.lent,
                },
                Takes::Value => {
                    let depth = self.random.below(3);
                    let term = self.expression(depth);
                    self.scaled(term, 3.0).text
                }
                Takes::ReadList => {
                    let lists = self.long_lists(false);
                    if lists.is_empty() {
                        return None;
                    }
                    let (_, list, length) = lists[self.random.below(lists.len())].clone();
                    self.reads.push(list.root.clone());
                    self.part_of(&list, length, false)
                }
                Takes::ReadTable => {
                    let table = self
                        .parts()
                        .into_iter()
                        .find(|(_, thing)| thing.path == "m" && self.may_read(thing))?;
                    self.reads.push(table.1.root);
                    "&m[..]".into()
                }
                Takes::ReadArray => {
                    let array = self.parts().into_iter().find(|(_, thing)| {
                        ["q", "s.b"].contains(&thing.path.as_str()) && self.may_read(thing)
                    })?;
                    self.reads.push(array.1.root.clone());
                    let bare = array.1.reference && !array.1.writable;
                    if bare { array.1.path } else { format!("&{}", array.1.path) }
                }
                Takes::Count => "2".into(),
                Takes::Function => "&step {}".into(),
                Takes::Written | Takes::WrittenList | Takes::WrittenPair | Takes::WrittenBody => {
                    continue;
                }
            };
            if *takes == Takes::Read {
                last = Some(result[i].clone());
            }
        }
        Some(result)
    }
}
