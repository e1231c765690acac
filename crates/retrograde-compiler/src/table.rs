//! Maps and sets of names.
//!
//! The compiler makes a new string of an identifier to hash it, and two to
//! compare it with another one. Here strings are kept instead, and they are
//! hashed in the simplest way: names are short, and macros run without optimisation.

use proc_macro2::Ident;
use std::borrow::Borrow;
use std::collections::hash_map::{Entry, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use syn::Member;

/// A map from names.
#[derive(Clone, Debug, PartialEq)]
pub struct NameMap<V>(HashMap<String, V, BuildHasherDefault<Fnv>>);

impl<V> Default for NameMap<V> {
    fn default() -> Self {
        NameMap(HashMap::default())
    }
}

impl<V> NameMap<V> {
    /// The value of a name.
    pub fn get(&self, name: &Ident) -> Option<&V> {
        // Most maps of most functions are empty.
        if self.0.is_empty() { None } else { self.0.get(&name.to_string()) }
    }

    /// Whether a name has a value.
    pub fn contains_key(&self, name: &Ident) -> bool {
        self.get(name).is_some()
    }

    /// Gives a name a value, in place of the one that it has.
    pub fn insert(&mut self, name: &Ident, value: V) {
        self.0.insert(name.to_string(), value);
    }

    /// The value of a name, to be looked at and changed.
    pub fn entry(&mut self, name: &Ident) -> Entry<'_, String, V> {
        self.0.entry(name.to_string())
    }

    /// Takes a name out, with its value.
    pub fn remove(&mut self, name: &Ident) -> Option<V> {
        if self.0.is_empty() { None } else { self.0.remove(&name.to_string()) }
    }

    /// Takes in another map; `both` joins the values of a name that is in both.
    pub fn merge(&mut self, other: Self, mut both: impl FnMut(&mut V, V)) {
        for (name, value) in other.0 {
            match self.0.entry(name) {
                Entry::Occupied(mut known) => both(known.get_mut(), value),
                Entry::Vacant(free) => {
                    free.insert(value);
                }
            }
        }
    }

    /// All values.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.0.values()
    }

    /// All values, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.values_mut()
    }
}

/// A set of names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NameSet(NameMap<()>);

impl NameSet {
    /// Whether it has no name.
    pub fn is_empty(&self) -> bool {
        self.0.0.is_empty()
    }

    /// Whether a name is in it.
    pub fn contains(&self, name: &Ident) -> bool {
        self.0.contains_key(name)
    }

    /// Takes a name in.
    pub fn insert(&mut self, name: &Ident) {
        self.0.insert(name, ());
    }

    /// Takes a name out; whether it was in.
    pub fn remove(&mut self, name: &Ident) -> bool {
        self.0.remove(name).is_some()
    }

    /// Takes out all names of another set.
    pub fn subtract(&mut self, other: &NameSet) {
        self.0.0.retain(|name, ()| !other.0.0.contains_key(name));
    }

    /// A map that gives each of the names the same value.
    pub fn with<V: Clone>(self, value: &V) -> NameMap<V> {
        NameMap(self.0.0.into_keys().map(|name| (name, value.clone())).collect())
    }

    /// Takes in all names of another set.
    pub fn append(&mut self, other: NameSet) {
        self.0.0.extend(other.0.0);
    }
}

impl<N: Borrow<Ident>> Extend<N> for NameSet {
    fn extend<I: IntoIterator<Item = N>>(&mut self, names: I) {
        names.into_iter().for_each(|name| self.insert(name.borrow()));
    }
}

impl<N: Borrow<Ident>> FromIterator<N> for NameSet {
    fn from_iter<I: IntoIterator<Item = N>>(names: I) -> Self {
        let mut set = NameSet::default();
        set.extend(names);
        set
    }
}

/// The hash of Fowler, Noll and Vo.
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        let mut hash = self.0;
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The hash of a field's name, by which types are asked for it.
pub fn hash_of_field(member: &Member) -> u64 {
    let mut hash = Fnv::default();
    let name = match member {
        Member::Named(name) => name.to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    };
    hash.write(name.trim_start_matches("r#").as_bytes());
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::format_ident;

    #[test]
    fn names_are_in_until_they_are_taken_out() {
        let (x, y) = (format_ident!("x"), format_ident!("y"));
        let mut set: NameSet = [&x, &y].into_iter().collect();
        assert!(set.contains(&x) && set.remove(&x) && !set.contains(&x) && !set.remove(&x));
        let mut other = NameSet::default();
        assert!(!other.contains(&y));
        other.append(set);
        assert!(other.contains(&y) && !other.contains(&x));
        other.insert(&x);
        other.subtract(&[&y].into_iter().collect());
        assert!(other.contains(&x) && !other.contains(&y));
    }
}
