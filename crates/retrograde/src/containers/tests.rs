mod gradients;

use super::{Map, Stack};
use crate::check::Check;
use crate::check::Slack;
use crate::error::{Broken, InvertibilityError};
use crate::num::Zero;
use proptest::prelude::*;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The failure of an operation, which must leave the container as it was.
fn failure_of<C: Clone + PartialEq + Debug>(
    container: &mut C,
    operation: impl FnOnce(&mut C),
) -> InvertibilityError {
    let before = container.clone();
    let payload = catch_unwind(AssertUnwindSafe(|| operation(container))).unwrap_err();
    assert_eq!(*container, before);
    let error = *payload.downcast::<InvertibilityError>().unwrap();
    assert_eq!(error.broken, Broken::Container);
    error
}

/// What is found of an element that is dropped without being known.
fn dropped(element: &str) -> String {
    format!("{element}, which is dropped when it is taken back, and must be known")
}

mod stack {
    use super::*;

    proptest! {
        #[test]
        fn every_operation_is_undone(
            start: Vec<i32>,
            operations in prop::collection::vec((0..4_u8, any::<i32>()), 0..40),
        ) {
            let mut stack = Stack::from_iter(start);
            let mut trace = Vec::new();
            for (operation, value) in operations {
                let before = stack.clone();
                let mut x = if operation == 1 { 0 } else { value };
                match (operation, stack.top().copied()) {
                    (0, _) => stack.push(&mut x),
                    (1, Some(_)) => stack.pop(&mut x),
                    (2, _) => stack.push_copy(&x),
                    (3, Some(top)) => { x = top; stack.pop_copy(&x) }
                    _ => continue,
                }
                trace.push((operation, x, before));
            }
            for (operation, mut x, before) in trace.into_iter().rev() {
                match operation {
                    0 => stack.push_inverse(&mut x),
                    1 => stack.pop_inverse(&mut x),
                    2 => stack.push_copy_inverse(&x),
                    _ => stack.pop_copy_inverse(&x),
                }
                prop_assert_eq!(&stack, &before);
                prop_assert!(operation != 1 || x == 0);
            }
        }
    }

    #[test]
    fn an_empty_stack_gives_nothing() {
        let mut stack = Stack::<i32>::new();
        let line = line!() + 1;
        let error = failure_of(&mut stack, |stack| stack.pop(&mut 0));
        assert_eq!((error.source, error.found.as_str()), ("stack.pop(..)", "an empty stack"));
        assert_eq!((error.file, error.line), (file!(), line));
        let error = failure_of(&mut stack, |stack| stack.push_copy_inverse(&0));
        assert_eq!((error.source, error.found.as_str()), ("stack.push_copy(..)", "an empty stack"));
    }

    #[test]
    fn a_value_is_not_popped_over_another() {
        let mut stack = Stack::from_iter([1, 2]);
        let error = failure_of(&mut stack, |stack| stack.push_inverse(&mut 7));
        assert_eq!(error.source, "stack.push(..)");
        assert_eq!((error.expected.as_str(), error.found.as_str()), ("0", "7"));
        let error = failure_of(&mut stack, |stack| stack.pop_copy(&1));
        assert_eq!((error.expected.as_str(), error.found), ("1", dropped("2")));
        assert_eq!(stack.as_slice(), [1, 2]);
    }

    /// More than round-off may be what an undo forgot.
    #[test]
    fn only_round_off_may_be_in_the_emptied_place() {
        for left in [1e-3, -1e-9, 1e-12] {
            let mut stack = Stack::from_iter([1.0]);
            let error = failure_of(&mut stack, |stack| stack.pop(&mut { left }));
            assert_eq!(error.expected, "0.0");
            failure_of(&mut stack, |stack| stack.push_inverse(&mut { left }));
            let mut map = Map::from_iter([(1, 1.0)]);
            failure_of(&mut map, |map| map.remove(1, &mut { left }));
            failure_of(&mut map, |map| map.insert_inverse(1, &mut { left }));
            let mut parts = Stack::from_iter([[1.0, 1.0]]);
            failure_of(&mut parts, |stack| stack.pop(&mut [0.0, left]));
        }
        // However large what arrives.
        failure_of(&mut Stack::from_iter([1e9]), |stack| stack.pop(&mut 1e-9));
        for left in [0.0, -0.0, 0.1 + 0.2 - 0.3] {
            let mut x = left;
            Stack::from_iter([1.0]).push_inverse(&mut x);
            assert_eq!(x, 1.0);
        }
        // What is moved there is not undone.
        failure_of(&mut Stack::from_iter([1.0]), |stack| stack.pop(&mut 1.6e-19));
        failure_of(&mut Map::from_iter([(1, 1.0)]), |map| map.remove(1, &mut 1.6e-19));
    }

    /// At the scale of the copy, not at one of the container's.
    #[test]
    fn copies_agree_at_their_own_scale() {
        let mut stack = Stack::from_iter([1e9, 1e-3]);
        failure_of(&mut stack, |stack| stack.pop_copy(&1.001e-3));
        failure_of(&mut stack, |stack| stack.pop_copy(&0.0));
        let mut map = Map::from_iter([(1, 1e9), (2, 1e-3)]);
        failure_of(&mut map, |map| map.remove_copy(2, &1.001e-3));
    }

    #[test]
    fn a_stack_can_be_an_ancilla() {
        let mut stack = Stack::<f64>::zero();
        assert!(stack.agrees(&Stack::new(), Slack::half_the_digits(0.0)));
        stack.push_copy(&-3.0);
        assert!(!stack.agrees(&Stack::new(), Slack::half_the_digits(1.0)));
        assert_eq!((stack.magnitude(), stack[0]), (3.0, -3.0));
    }
}

mod map {
    use super::*;
    use crate::place::Disjoint;

    proptest! {
        #[test]
        fn every_operation_is_undone(
            start in prop::collection::hash_map(0..6_u8, any::<i32>(), 0..6),
            operations in prop::collection::vec((0..4_u8, 0..6_u8, any::<i32>()), 0..40),
        ) {
            let mut map = Map::from_iter(start);
            let mut trace = Vec::new();
            for (operation, key, value) in operations {
                let before = map.clone();
                let mut x = if operation == 1 { 0 } else { value };
                match (operation, map.get(&key).copied()) {
                    (0, None) => map.insert(key, &mut x),
                    (1, Some(_)) => map.remove(key, &mut x),
                    (2, None) => map.insert_copy(key, &x),
                    (3, Some(entry)) => { x = entry; map.remove_copy(key, &x) }
                    _ => continue,
                }
                trace.push((operation, key, x, before));
            }
            for (operation, key, mut x, before) in trace.into_iter().rev() {
                match operation {
                    0 => map.insert_inverse(key, &mut x),
                    1 => map.remove_inverse(key, &mut x),
                    2 => map.insert_copy_inverse(key, &x),
                    _ => map.remove_copy_inverse(key, &x),
                }
                prop_assert_eq!(&map, &before);
                prop_assert!(operation != 1 || x == 0);
            }
        }
    }

    #[test]
    fn an_entry_is_not_overwritten() {
        let mut map = Map::from_iter([("a", 1)]);
        let mut x = 5;
        let line = line!() + 1;
        let error = failure_of(&mut map, |map| map.insert("a", &mut x));
        assert_eq!((error.source, error.found.as_str()), ("map.insert(..)", "an entry for \"a\""));
        assert_eq!((error.file, error.line, x), (file!(), line, 5));
        let error = failure_of(&mut map, |map| map.remove_copy_inverse("a", &5));
        assert_eq!(error.source, "map.remove_copy(..)");
    }

    #[test]
    fn a_missing_entry_is_not_removed() {
        let mut map = Map::from_iter([(1, 1)]);
        let error = failure_of(&mut map, |map| map.remove(2, &mut 0));
        assert_eq!((error.source, error.found.as_str()), ("map.remove(..)", "no entry for 2"));
        let error = failure_of(&mut map, |map| map.insert_copy_inverse(2, &0));
        assert_eq!((error.source, error.found.as_str()), ("map.insert_copy(..)", "no entry for 2"));
    }

    #[test]
    fn a_value_is_not_lost() {
        let mut map = Map::from_iter([(1, 10)]);
        let error = failure_of(&mut map, |map| map.remove(1, &mut 7));
        assert_eq!((error.expected.as_str(), error.found.as_str()), ("0", "7"));
        let error = failure_of(&mut map, |map| map.remove_copy(1, &7));
        assert_eq!((error.expected.as_str(), error.found), ("7", dropped("10")));
    }

    #[test]
    fn a_missing_key_is_named() {
        let mut map = Map::<_, i32>::from_iter([("a", 1)]);
        let message = |run: &mut dyn FnMut()| {
            let payload = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
            *payload.downcast::<String>().unwrap()
        };
        let expected = "the map has no entry for the key \"b\"";
        assert_eq!(message(&mut || map["b"] += 1), expected);
        assert_eq!(message(&mut || *map.disjoint(["a", "b"], "")[0] += 1), expected);
    }

    #[test]
    fn one_entry_is_not_borrowed_twice() {
        let mut map = Map::<_, i32>::from_iter([("a", 1)]);
        let run = AssertUnwindSafe(|| map.disjoint(["a", "a"], "f(a, b);").len());
        let error = catch_unwind(run).unwrap_err().downcast::<InvertibilityError>().unwrap();
        assert_eq!((error.broken, error.source), (Broken::Indices, "f(a, b);"));
        assert_eq!(error.found, "\"a\" and \"a\"");
    }

    #[test]
    fn a_map_can_be_an_ancilla() {
        let mut map = Map::<u8, f64>::zero();
        assert!(map.agrees(&Map::new(), Slack::half_the_digits(0.0)));
        map.insert_copy(1, &-3.0);
        assert!(!map.agrees(&Map::new(), Slack::half_the_digits(1.0)));
        assert!(!map.agrees(&Map::from_iter([(2, -3.0)]), Slack::half_the_digits(1.0)));
        assert!(map.agrees(&Map::from_iter([(1, -3.0 - 1e-12)]), Slack::half_the_digits(1.0)));
        assert_eq!(map.magnitude(), 3.0);
    }
}
