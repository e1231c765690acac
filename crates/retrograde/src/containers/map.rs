//! A map that never overwrites.

mod adjoint;

use super::{Leaves, must_agree, must_be_zero};
use crate::check::{Check, Slack, Toward, nudge_all};
use crate::error::{Broken, fail};
use crate::num::Zero;
use crate::place::Disjoint;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::collections::hash_map::{Entry, Iter};
use std::fmt::{self, Debug};
use std::hash::Hash;
use std::mem;
use std::ops::{Index, IndexMut};

/// A hash map whose every operation can be undone.
///
/// ```
/// use retrograde::containers::Map;
///
/// let mut map = Map::new();
/// let mut x = 2.5;
/// map.insert("length", &mut x);
/// assert_eq!((map["length"], x), (2.5, 0.0));
/// map["length"] += 1.0;
/// map.insert_inverse("length", &mut x);
/// assert_eq!((map.is_empty(), x), (true, 3.5));
/// ```
///
/// As an ancilla, `let mut map = Map::new();`, it must be empty again at the end
/// of its scope. The order of [`iter`](Self::iter) is arbitrary, so a loop over
/// it belongs in `host!`.
#[derive(Clone)]
pub struct Map<K, V> {
    entries: HashMap<K, V>,
}

impl<K, V> Map<K, V> {
    /// An empty map.
    #[inline]
    pub fn new() -> Self {
        Map { entries: HashMap::new() }
    }

    /// An empty map with room for `capacity` entries.
    #[inline]
    pub fn with_capacity(capacity: usize) -> Self {
        Map { entries: HashMap::with_capacity(capacity) }
    }

    /// How many entries there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries, in no particular order.
    #[inline]
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.entries.iter()
    }
}

impl<K: Eq + Hash, V> Map<K, V> {
    /// The value at `key`, if there is one.
    #[inline]
    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.entries.get(key)
    }

    /// Whether there is a value at `key`.
    #[inline]
    pub fn contains_key<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.entries.contains_key(key)
    }
}

impl<K: Eq + Hash + Debug, V> Map<K, V> {
    decide_nothing!(
        __insert_decides __remove_decides __insert_copy_decides __remove_copy_decides
    );

    /// Moves `value` in at a new key, and leaves zero behind. Undone by
    /// [`remove`](Self::remove).
    ///
    /// ```
    /// # use retrograde::containers::Map;
    /// let (mut map, mut x) = (Map::new(), 2);
    /// map.insert('a', &mut x);
    /// assert_eq!((map['a'], x), (2, 0));
    /// ```
    ///
    /// # Panics
    ///
    /// If the key exists already.
    #[inline]
    #[track_caller]
    pub fn insert(&mut self, key: K, value: &mut V)
    where
        V: Zero,
    {
        self.put(key, || mem::replace(value, V::zero()), "map.insert(..)");
    }

    /// Moves the value at `key` out into `value`, and removes the key. Undone by
    /// [`insert`](Self::insert).
    ///
    /// ```
    /// # use retrograde::containers::Map;
    /// let (mut map, mut x) = (Map::from_iter([('a', 2)]), 0);
    /// map.remove('a', &mut x);
    /// assert_eq!((map.len(), x), (0, 2));
    /// ```
    ///
    /// # Panics
    ///
    /// If the key does not exist, or `value` does not hold zero.
    #[inline]
    #[track_caller]
    pub fn remove(&mut self, key: K, value: &mut V)
    where
        V: Zero + Check,
    {
        self.take(key, value, Leaves::Moved, "map.remove(..)");
    }

    /// Undoes [`insert`](Self::insert): it is [`remove`](Self::remove).
    #[inline]
    #[track_caller]
    pub fn insert_inverse(&mut self, key: K, value: &mut V)
    where
        V: Zero + Check,
    {
        self.take(key, value, Leaves::BackAgain, "map.insert(..)");
    }

    /// Undoes [`remove`](Self::remove): it is [`insert`](Self::insert).
    #[inline]
    #[track_caller]
    pub fn remove_inverse(&mut self, key: K, value: &mut V)
    where
        V: Zero,
    {
        self.put(key, || mem::replace(value, V::zero()), "map.remove(..)");
    }

    /// Puts a copy of `value` in at a new key. Undone by
    /// [`remove_copy`](Self::remove_copy).
    ///
    /// ```
    /// # use retrograde::containers::Map;
    /// let mut map = Map::new();
    /// map.insert_copy('a', &2);
    /// assert_eq!(map['a'], 2);
    /// ```
    ///
    /// # Panics
    ///
    /// If the key exists already.
    #[inline]
    #[track_caller]
    pub fn insert_copy(&mut self, key: K, value: &V)
    where
        V: Clone,
    {
        self.put(key, || value.clone(), "map.insert_copy(..)");
    }

    /// Drops the entry at `key`, which must hold the same as `value`. Undone by
    /// [`insert_copy`](Self::insert_copy).
    ///
    /// ```
    /// # use retrograde::containers::Map;
    /// let mut map = Map::from_iter([('a', 2)]);
    /// map.remove_copy('a', &2);
    /// assert!(map.is_empty());
    /// ```
    ///
    /// # Panics
    ///
    /// If the key does not exist, or holds something else.
    #[inline]
    #[track_caller]
    pub fn remove_copy(&mut self, key: K, value: &V)
    where
        V: Check,
    {
        self.drop_copy(key, value, "map.remove_copy(..)");
    }

    /// Undoes [`insert_copy`](Self::insert_copy): it is
    /// [`remove_copy`](Self::remove_copy).
    #[inline]
    #[track_caller]
    pub fn insert_copy_inverse(&mut self, key: K, value: &V)
    where
        V: Check,
    {
        self.drop_copy(key, value, "map.insert_copy(..)");
    }

    /// Undoes [`remove_copy`](Self::remove_copy): it is
    /// [`insert_copy`](Self::insert_copy).
    #[inline]
    #[track_caller]
    pub fn remove_copy_inverse(&mut self, key: K, value: &V)
    where
        V: Clone,
    {
        self.put(key, || value.clone(), "map.remove_copy(..)");
    }

    #[inline]
    #[track_caller]
    fn put(&mut self, key: K, value: impl FnOnce() -> V, source: &'static str) {
        match self.entries.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(value());
            }
            Entry::Occupied(entry) => exists(entry.key(), source),
        }
    }

    #[inline]
    #[track_caller]
    fn take(&mut self, key: K, value: &mut V, leaves: Leaves, source: &'static str) -> K
    where
        V: Zero + Check,
    {
        match self.entries.entry(key) {
            Entry::Occupied(entry) => {
                must_be_zero(value, entry.get(), leaves, source);
                let (key, taken) = entry.remove_entry();
                *value = taken;
                key
            }
            Entry::Vacant(entry) => misses(entry.key(), source),
        }
    }

    #[inline]
    #[track_caller]
    fn drop_copy(&mut self, key: K, value: &V, source: &'static str) -> K
    where
        V: Check,
    {
        match self.entries.entry(key) {
            Entry::Occupied(entry) => {
                must_agree(entry.get(), value, source);
                entry.remove_entry().0
            }
            Entry::Vacant(entry) => misses(entry.key(), source),
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn exists(key: &impl Debug, source: &'static str) -> ! {
    fail(
        Broken::Container,
        source,
        format!("no entry for {key:?}"),
        format!("an entry for {key:?}"),
    )
}

#[cold]
#[inline(never)]
#[track_caller]
fn misses(key: &impl Debug, source: &'static str) -> ! {
    fail(
        Broken::Container,
        source,
        format!("an entry for {key:?}"),
        format!("no entry for {key:?}"),
    )
}

#[cold]
#[inline(never)]
#[track_caller]
fn missing(key: &impl Debug) -> ! {
    panic!("the map has no entry for the key {key:?}")
}

impl<K: Eq + Hash + Debug, V> Index<K> for Map<K, V> {
    type Output = V;
    #[inline]
    #[track_caller]
    fn index(&self, key: K) -> &V {
        match self.entries.get(&key) {
            Some(value) => value,
            None => missing(&key),
        }
    }
}

impl<K: Eq + Hash + Debug, V> IndexMut<K> for Map<K, V> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, key: K) -> &mut V {
        match self.entries.get_mut(&key) {
            Some(value) => value,
            None => missing(&key),
        }
    }
}

/// ```
/// use retrograde::containers::Map;
/// use retrograde::place::Disjoint;
///
/// let mut map = Map::from_iter([('a', 1), ('b', 2)]);
/// let [a, b] = map.disjoint(['a', 'b'], "swap(&mut map[i], &mut map[j]);");
/// std::mem::swap(a, b);
/// assert_eq!((map['a'], map['b']), (2, 1));
/// ```
impl<K: Eq + Hash + Debug, V> Disjoint<K> for Map<K, V> {
    type Output = V;

    #[track_caller]
    fn disjoint<const N: usize>(&mut self, keys: [K; N], source: &'static str) -> [&mut V; N] {
        for (n, key) in keys.iter().enumerate() {
            if keys[..n].contains(key) {
                let found = format!("{key:?} and {key:?}");
                fail(Broken::Indices, source, "different indices".to_string(), found);
            }
            // Looked up once more below, because a closure could not pass the
            // caller's place on to the panic.
            if !self.entries.contains_key(key) {
                missing(key);
            }
        }
        let values = self.entries.get_disjoint_mut(keys.each_ref());
        values.map(|value| value.expect("every key was found above"))
    }
}

impl<K: Eq + Hash, V: PartialEq> PartialEq for Map<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl<K, V> Default for Map<K, V> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Debug, V: Debug> Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries.fmt(f)
    }
}

impl<K, V> Zero for Map<K, V> {
    #[inline]
    fn zero() -> Self {
        Self::new()
    }
}

impl<K: Eq + Hash + Debug, V: Check> Check for Map<K, V> {
    fn magnitude(&self) -> f64 {
        self.entries.values().map(V::magnitude).fold(0.0, f64::max)
    }
    fn agrees(&self, expected: &Self, slack: Slack) -> bool {
        let agree = |(key, value): (&K, &V)| {
            expected.get(key).is_some_and(|expected| value.agrees(expected, slack))
        };
        self.len() == expected.len() && self.iter().all(agree)
    }
    fn nudge(&mut self, slack: Slack, toward: Toward) {
        nudge_all(self.entries.values_mut(), slack, toward);
    }
}

/// Where a key comes twice, the last value stays.
impl<K: Eq + Hash, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Map { entries: entries.into_iter().collect() }
    }
}

impl<K: Eq + Hash, V, const N: usize> From<[(K, V); N]> for Map<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}
