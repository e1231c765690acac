//! The operations of a map with gradients.

use super::Map;
use crate::check::{Astray, Changes, Check, Slack, Toward};
use crate::containers::Leaves;
use crate::derivative::{Differentiable, Misfit};
use crate::num::Zero;
use std::fmt::Debug;
use std::hash::Hash;
use std::mem;

/// The shadow of a map has the same keys, with the shadow of each value.
///
/// An empty shadow gets the keys of what is added to it. Any other difference of
/// the keys panics.
impl<K: Clone + Eq + Hash + Debug, V: Differentiable> Differentiable for Map<K, V> {
    const ACTIVE: bool = V::ACTIVE;
    fn zero_like(&self) -> Self {
        self.iter().map(|(key, value)| (key.clone(), value.zero_like())).collect()
    }
    fn misfit(&self, shadow: &Self) -> Option<Misfit> {
        if !V::ACTIVE {
            return None;
        }
        let of_entry = |(key, value): (&K, &V)| {
            let misfit = match shadow.get(key) {
                Some(shadow) => value.misfit(shadow),
                None => Misfit::of_lengths(1, 0),
            };
            misfit.map(|misfit| misfit.within(&format!("[{key:?}]")))
        };
        Misfit::of_lengths(self.len(), shadow.len()).or_else(|| self.iter().find_map(of_entry))
    }
    #[track_caller]
    fn accumulate_shadow(&mut self, other: Self) {
        if self.is_empty() {
            *self = other;
            return;
        }
        self.must_have_keys_of(&other);
        for (key, gradient) in other.entries {
            self[key].accumulate_shadow(gradient);
        }
    }
    #[track_caller]
    fn retract_shadow(&mut self, other: Self) {
        if self.is_empty() {
            *self = other.zero_like();
        }
        self.must_have_keys_of(&other);
        for (key, gradient) in other.entries {
            self[key].retract_shadow(gradient);
        }
    }
    fn extent(&self) -> f64 {
        self.entries.values().map(V::extent).fold(0.0, f64::max)
    }
    fn breadth(&self) -> usize {
        self.entries.values().map(V::breadth).sum()
    }
    /// Of the entries that were there before and are there now.
    fn changes(&self, before: &Self) -> Changes {
        let both = self.iter().filter_map(|(key, now)| Some((now, before.get(key)?)));
        let changes = both.fold(Changes::default(), |all, (now, then)| all.and(now.changes(then)));
        match self.len() == before.len() {
            true => changes,
            false => changes.and(Changes { before: before.extent(), now: self.extent() }),
        }
    }
    fn astray(&self, expected: &Self, slack: Slack) -> Option<Astray> {
        Astray::of_lengths(self.len(), expected.len()).or_else(|| {
            self.iter().find_map(|(key, value)| match expected.get(key) {
                Some(expected) => value.astray(expected, slack),
                None => Astray::of_lengths(1, 0),
            })
        })
    }
    fn nudge_value(&mut self, slack: Slack, toward: Toward) {
        for (number, value) in self.entries.values_mut().enumerate() {
            value.nudge_value(slack, toward.part(number));
        }
    }
}

/// # Gradients
///
/// Each operation takes the shadow of the map along. A shadow with another number
/// of entries panics, and so does one with other keys when such a key is used,
/// before anything is changed. Keys carry no gradient.
impl<K: Eq + Hash + Debug, V> Map<K, V> {
    /// The adjoint of [`insert`](Self::insert): the value at `key` comes back into
    /// `value`, and its gradient into `d_value`.
    ///
    /// The gradient that was in `d_value` is that of the zero which `insert` left
    /// behind. Zero is a constant, so this gradient is dropped.
    ///
    /// ```
    /// # use retrograde::containers::Map;
    /// let (mut map, mut d_map) = (Map::from_iter([('a', 2.0)]), Map::from_iter([('a', 0.2)]));
    /// let (mut x, mut d_x) = (0.0, 0.0);
    /// map.insert_adjoint(&mut d_map, 'a', &mut x, &mut d_x);
    /// assert!(map.is_empty() && d_map.is_empty());
    /// assert_eq!((x, d_x), (2.0, 0.2));
    /// ```
    ///
    /// # Panics
    ///
    /// If the key does not exist, or `value` does not hold zero, or the shadow
    /// does not fit the map.
    #[inline]
    #[track_caller]
    pub fn insert_adjoint(&mut self, d_self: &mut Self, key: K, value: &mut V, d_value: &mut V)
    where
        V: Zero + Check,
    {
        self.take_with_gradient(d_self, key, value, d_value, "map.insert(..)");
    }

    /// The adjoint of the inverse of [`insert`](Self::insert): it is
    /// [`remove_adjoint`](Self::remove_adjoint).
    #[inline]
    #[track_caller]
    pub fn insert_inverse_adjoint(
        &mut self,
        d_self: &mut Self,
        key: K,
        value: &mut V,
        d_value: &mut V,
    ) where
        K: Clone,
        V: Zero + Differentiable,
    {
        self.put_with_gradient(d_self, key, value, d_value, "map.insert(..)");
    }

    /// The adjoint of [`remove`](Self::remove): the value goes back in at `key`,
    /// and its gradient into the shadow.
    ///
    /// ```
    /// # use retrograde::containers::Map;
    /// let (mut map, mut d_map) = (Map::new(), Map::new());
    /// let (mut x, mut d_x) = (2.0, 0.2);
    /// map.remove_adjoint(&mut d_map, 'a', &mut x, &mut d_x);
    /// assert_eq!((map['a'], d_map['a']), (2.0, 0.2));
    /// assert_eq!((x, d_x), (0.0, 0.0));
    /// ```
    ///
    /// # Panics
    ///
    /// If the key exists already, or the shadow does not fit the map.
    #[inline]
    #[track_caller]
    pub fn remove_adjoint(&mut self, d_self: &mut Self, key: K, value: &mut V, d_value: &mut V)
    where
        K: Clone,
        V: Zero + Differentiable,
    {
        self.put_with_gradient(d_self, key, value, d_value, "map.remove(..)");
    }

    /// The adjoint of the inverse of [`remove`](Self::remove): it is
    /// [`insert_adjoint`](Self::insert_adjoint).
    #[inline]
    #[track_caller]
    pub fn remove_inverse_adjoint(
        &mut self,
        d_self: &mut Self,
        key: K,
        value: &mut V,
        d_value: &mut V,
    ) where
        V: Zero + Check,
    {
        self.take_with_gradient(d_self, key, value, d_value, "map.remove(..)");
    }

    /// The adjoint of [`insert_copy`](Self::insert_copy): the copy is dropped, and
    /// its gradient is added to that of `value`.
    ///
    /// ```
    /// # use retrograde::containers::Map;
    /// let (mut map, mut d_map) = (Map::from_iter([('a', 2.0)]), Map::from_iter([('a', 0.25)]));
    /// let (x, mut d_x) = (2.0, 1.0);
    /// map.insert_copy_adjoint(&mut d_map, 'a', &x, &mut d_x);
    /// assert!(map.is_empty() && d_map.is_empty());
    /// assert_eq!(d_x, 1.25);
    /// ```
    ///
    /// # Panics
    ///
    /// If the key does not exist, or holds something else, or the shadow does not
    /// fit the map.
    #[inline]
    #[track_caller]
    pub fn insert_copy_adjoint(&mut self, d_self: &mut Self, key: K, value: &V, d_value: &mut V)
    where
        V: Check + Differentiable,
    {
        self.drop_with_gradient(d_self, key, value, d_value, "map.insert_copy(..)");
    }

    /// The adjoint of the inverse of [`insert_copy`](Self::insert_copy): it is
    /// [`remove_copy_adjoint`](Self::remove_copy_adjoint).
    #[inline]
    #[track_caller]
    pub fn insert_copy_inverse_adjoint(
        &mut self,
        d_self: &mut Self,
        key: K,
        value: &V,
        _d_value: &mut V,
    ) where
        K: Clone,
        V: Differentiable,
    {
        self.put_copy_with_gradient(d_self, key, value, "map.insert_copy(..)");
    }

    /// The adjoint of [`remove_copy`](Self::remove_copy): a copy of the value goes
    /// back in at `key`, with a gradient of zero.
    ///
    /// What was dropped was the same as `value`, which has the gradient of both.
    ///
    /// ```
    /// # use retrograde::containers::Map;
    /// let (mut map, mut d_map) = (Map::new(), Map::new());
    /// let (x, mut d_x) = (2.0, 1.0);
    /// map.remove_copy_adjoint(&mut d_map, 'a', &x, &mut d_x);
    /// assert_eq!((map['a'], d_map['a'], d_x), (2.0, 0.0, 1.0));
    /// ```
    ///
    /// # Panics
    ///
    /// If the key exists already, or the shadow does not fit the map.
    #[inline]
    #[track_caller]
    pub fn remove_copy_adjoint(&mut self, d_self: &mut Self, key: K, value: &V, _d_value: &mut V)
    where
        K: Clone,
        V: Differentiable,
    {
        self.put_copy_with_gradient(d_self, key, value, "map.remove_copy(..)");
    }

    /// The adjoint of the inverse of [`remove_copy`](Self::remove_copy): it is
    /// [`insert_copy_adjoint`](Self::insert_copy_adjoint).
    #[inline]
    #[track_caller]
    pub fn remove_copy_inverse_adjoint(
        &mut self,
        d_self: &mut Self,
        key: K,
        value: &V,
        d_value: &mut V,
    ) where
        V: Check + Differentiable,
    {
        self.drop_with_gradient(d_self, key, value, d_value, "map.remove_copy(..)");
    }

    with_every_shadow! {
        __insert_adjoint = insert_adjoint([key: K] value: &mut V, d_value: &mut V)
            where V: Zero + Check;
        __insert_inverse_adjoint = insert_inverse_adjoint([key: K] value: &mut V, d_value: &mut V)
            where K: Clone, V: Zero + Differentiable;
        __remove_adjoint = remove_adjoint([key: K] value: &mut V, d_value: &mut V)
            where K: Clone, V: Zero + Differentiable;
        __remove_inverse_adjoint = remove_inverse_adjoint([key: K] value: &mut V, d_value: &mut V)
            where V: Zero + Check;
        __insert_copy_adjoint = insert_copy_adjoint([key: K] value: &V, d_value: &mut V)
            where V: Check + Differentiable;
        __insert_copy_inverse_adjoint = insert_copy_inverse_adjoint([key: K] value: &V, d_value: &mut V)
            where K: Clone, V: Differentiable;
        __remove_copy_adjoint = remove_copy_adjoint([key: K] value: &V, d_value: &mut V)
            where K: Clone, V: Differentiable;
        __remove_copy_inverse_adjoint = remove_copy_inverse_adjoint([key: K] value: &V, d_value: &mut V)
            where V: Check + Differentiable;
    }

    #[inline]
    #[track_caller]
    fn take_with_gradient(
        &mut self,
        d_self: &mut Self,
        key: K,
        value: &mut V,
        d_value: &mut V,
        source: &'static str,
    ) where
        V: Zero + Check,
    {
        self.must_fit(d_self, &key);
        let key = self.take(key, value, Leaves::BackAgain, source);
        if let Some(gradient) = d_self.entries.remove(&key) {
            *d_value = gradient;
        }
    }

    #[inline]
    #[track_caller]
    fn put_with_gradient(
        &mut self,
        d_self: &mut Self,
        key: K,
        value: &mut V,
        d_value: &mut V,
        source: &'static str,
    ) where
        K: Clone,
        V: Zero + Differentiable,
    {
        self.must_fit(d_self, &key);
        self.put(key.clone(), || mem::replace(value, V::zero()), source);
        d_self.entries.insert(key, mem::replace(d_value, value.zero_like()));
    }

    #[inline]
    #[track_caller]
    fn drop_with_gradient(
        &mut self,
        d_self: &mut Self,
        key: K,
        value: &V,
        d_value: &mut V,
        source: &'static str,
    ) where
        V: Check + Differentiable,
    {
        self.must_fit(d_self, &key);
        let key = self.drop_copy(key, value, source);
        if let Some(gradient) = d_self.entries.remove(&key) {
            d_value.accumulate_shadow(gradient);
        }
    }

    #[inline]
    #[track_caller]
    fn put_copy_with_gradient(&mut self, d_self: &mut Self, key: K, value: &V, source: &'static str)
    where
        K: Clone,
        V: Differentiable,
    {
        self.must_fit(d_self, &key);
        self.put(key.clone(), || value.clone(), source);
        d_self.entries.insert(key, value.zero_like());
    }

    #[inline]
    #[track_caller]
    fn must_fit(&self, shadow: &Self, key: &K) {
        if self.len() != shadow.len() {
            lengths_differ(self.len(), shadow.len());
        }
        if self.contains_key(key) != shadow.contains_key(key) {
            keys_differ(key, self.contains_key(key));
        }
    }

    #[track_caller]
    fn must_have_keys_of(&self, gradient: &Self) {
        if self.len() != gradient.len() {
            let (there, here) = (self.len(), gradient.len());
            panic!("a gradient of {here} entries for a shadow of {there}");
        }
        if let Some((key, _)) = gradient.iter().find(|(key, _)| !self.contains_key(key)) {
            panic!("a gradient for the key {key:?}, for which the shadow has no entry");
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn lengths_differ(map: usize, shadow: usize) -> ! {
    panic!("the shadow of a map of {map} entries has {shadow}")
}

#[cold]
#[inline(never)]
#[track_caller]
fn keys_differ(key: &impl Debug, in_map: bool) -> ! {
    let (with, without) = if in_map { ("map", "shadow") } else { ("shadow", "map") };
    panic!("the {with} has an entry for the key {key:?}, and the {without} has none")
}
