//! What is looked at from some statement on: variables, or only some of their fields.

use crate::names::Names;
use crate::place::{Access, Step};
use crate::table::{NameMap, NameSet};
use proc_macro2::Ident;
use quote::ToTokens;
use std::borrow::Borrow;

/// The fields that lead to a part of a variable: none, to all of it.
type Fields = Vec<String>;

/// A part of a sequence beside its elements.
const LENGTH: &str = "len()";

/// Variables whose value matters, each with the fields that do. None of these is a part
/// of another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Live(NameMap<Vec<Fields>>);

impl Live {
    /// All of some variables.
    pub fn whole(names: NameSet) -> Self {
        Live(names.with(&vec![Fields::new()]))
    }

    /// Whether a part of a variable matters, or something in it.
    pub fn touches(&self, name: &Ident, part: &Fields) -> bool {
        let mut parts = self.0.get(name).into_iter().flatten();
        parts.any(|known| known.starts_with(part) || part.starts_with(known))
    }

    /// Whether more of a sequence matters than its length.
    pub fn touches_elements(&self, name: &Ident) -> bool {
        self.0.get(name).into_iter().flatten().any(|known| *known != [LENGTH])
    }

    /// The length of a sequence matters.
    pub fn insert_length(&mut self, name: &Ident) {
        self.insert_fields(name, vec![LENGTH.into()]);
    }

    /// All of a variable matters.
    pub fn insert(&mut self, name: &Ident) {
        self.insert_fields(name, Fields::new());
    }

    /// A part of a variable matters.
    pub fn insert_fields(&mut self, name: &Ident, part: Fields) {
        add(self.0.entry(name).or_default(), part);
    }

    /// A variable begins here, and nothing of it matters before; whether any of it does
    /// after.
    pub fn remove(&mut self, name: &Ident) -> bool {
        self.0.remove(name).is_some()
    }

    /// What matters there matters here too.
    pub fn append(&mut self, other: Live) {
        self.0.merge(other.0, |parts, more| more.into_iter().for_each(|part| add(parts, part)));
    }
}

impl<N: Borrow<Ident>> Extend<N> for Live {
    fn extend<I: IntoIterator<Item = N>>(&mut self, names: I) {
        names.into_iter().for_each(|name| self.insert(name.borrow()));
    }
}

fn add(parts: &mut Vec<Fields>, part: Fields) {
    if !parts.iter().any(|known| part.starts_with(known)) {
        parts.retain(|known| !known.starts_with(&part));
        parts.push(part);
    }
}

/// The part of `root` that is accessed, be it through another name. Only what is no
/// pointer has fields none of which is in another.
pub fn fields(access: &Access, root: &Ident, names: &Names) -> Fields {
    if access.path.is_empty() || access.root != *root || !names.has_fields(root) {
        return Fields::new();
    }
    let fields = access.path.iter().map_while(|step| match step {
        Step::Field(member) => Some(member.to_token_stream().to_string()),
        _ => None,
    });
    fields.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::format_ident;

    fn part(fields: &[&str]) -> Fields {
        fields.iter().map(|field| field.to_string()).collect()
    }

    #[test]
    fn fields_matter_each_for_itself() {
        let (x, y) = (format_ident!("x"), format_ident!("y"));
        let mut live = Live::default();
        live.insert_fields(&x, part(&["a", "b"]));
        assert!(live.touches(&x, &part(&["a", "b", "c"])) && live.touches(&x, &part(&["a"])));
        assert!(live.touches(&x, &part(&[])));
        assert!(!live.touches(&x, &part(&["b"])) && !live.touches(&x, &part(&["a", "c"])));
        assert!(!live.touches(&y, &part(&[])));
        let mut other = Live::whole([&y].into_iter().collect());
        other.insert_fields(&x, part(&["a"]));
        live.append(other);
        assert!(live.touches(&x, &part(&["a", "c"])) && live.touches(&y, &part(&["a"])));
        assert!(live.remove(&x) && !live.touches(&x, &part(&["a"])) && !live.remove(&x));
    }

    /// However it came about.
    #[test]
    fn the_same_parts_are_equal() {
        let x = format_ident!("x");
        let mut live = Live::default();
        live.insert_fields(&x, part(&["a", "b"]));
        live.insert(&x);
        live.insert_fields(&x, part(&["c"]));
        assert_eq!(live, Live::whole([&x].into_iter().collect()));
    }
}
