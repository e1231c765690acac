//! Stacks and maps: what moves in takes its gradient along.

use crate::{check_forms, forms};
use retrograde::prelude::*;
use retrograde::testing::{Components, assert_gradient};

forms! {
    fn copies_on_a_stack(y, x) {
        let mut stack = Stack::new();
        for v in x {
            stack.push_copy(&(*v * *v));
        }
        y[0] += stack[1] * stack[2];
        y[1] += stack[3].sin();
        y[2] -= stack[0] * x[0];
        for v in x.iter().rev() {
            stack.pop_copy(&(*v * *v));
        }
    }

    fn moves_on_a_stack(y, x) {
        let mut stack = Stack::new();
        let mut a = x[0] * x[1];
        let mut b = x[2];
        stack.push(&mut a);
        a += x[3] * x[3];
        stack.push(&mut b);
        b += a;
        y[0] += stack[0] * stack[1] * b;
        stack[0] += x[3];
        y[1] += stack[0] * a;
        stack[0] -= x[3];
        b -= a;
        stack.pop(&mut b);
        a -= x[3] * x[3];
        stack.pop(&mut a);
    }

    fn a_stack_that_is_computed(y, x) {
        #[compute]
        {
            let mut stack = Stack::new();
            let mut v = 0.0;
            for i in 0..4 {
                v += x[i] * x[3 - i] + y[0];
                stack.push(&mut v);
            }
        }
        y[1] += stack[0] * stack[3];
        y[2] -= stack[1] * stack[2];
    }

    fn maps(y, x) {
        let mut map = Map::new();
        let mut v = x[0] * x[1];
        map.insert(3, &mut v);
        map.insert_copy(5, &x[2]);
        map[5] += map[3] * x[3];
        y[0] += map[3] * map[5];
        map[5] -= map[3] * x[3];
        map.remove_copy(5, &x[2]);
        map.remove(3, &mut v);
    }

    fn maps_in_loops(y, x) {
        #[compute]
        {
            let mut map = Map::new();
            for i in 0..4 {
                map.insert_copy(i, &(x[i] * x[0]));
            }
            for i in 1..4 {
                map[i] += map[i - 1] * x[i];
            }
        }
        y[0] += map[3] * map[0];
        y[1] -= map[2].sin() * map[1];
    }
}

#[test]
fn stacks() {
    check_forms!(copies_on_a_stack moves_on_a_stack a_stack_that_is_computed);
}

#[test]
fn maps_by_key() {
    check_forms!(maps maps_in_loops);
}

#[reversible]
fn pile<T: Real>(stack: &mut Stack<T>, y: &mut T, x: &T) {
    *y += *x * *x;
    stack.push(y);
    stack.push_copy(x);
    *y += stack[0] * stack[1];
}

#[test]
fn a_stack_as_an_argument() {
    let (mut stack, mut y, x) = (Stack::new(), 1.0, 3.0);
    pile(&mut stack, &mut y, &x);
    assert_eq!((stack.as_slice(), y), (&[10.0, 3.0][..], 30.0));
    let mut d_stack: Stack<f64> = [1.0, 10.0].into_iter().collect();
    let (mut d_y, mut d_x) = (100.0, 0.0);
    pile::adjoint(&mut stack, &mut d_stack, &mut y, &mut d_y, &x, &mut d_x);
    // On the stack: y + x², with 1 + 100 x; and x, with 10 + 100 (y + x²).
    assert!(stack.is_empty() && d_stack.is_empty());
    assert_eq!((y, d_y, d_x), (1.0, 301.0, 301.0 * 6.0 + 1010.0));
    // What moved takes its gradient along; a copy has none of its own as yet.
    pile::inverse_adjoint(&mut stack, &mut d_stack, &mut y, &mut d_y, &x, &mut d_x);
    assert_eq!((stack.as_slice(), y), (&[10.0, 3.0][..], 30.0));
    assert_eq!((d_stack.as_slice(), d_y, d_x), (&[301.0, 0.0][..], 0.0, 1010.0));
    // Differences cannot change a stack that is empty at first; one that is not, they can.
    let mut stack: Stack<f64> = [0.5].into_iter().collect();
    assert_gradient!(change_the_top(&mut stack, &x));
}

#[reversible]
fn change_the_top<T: Real>(stack: &mut Stack<T>, x: &T) {
    let mut y = 0.0;
    stack.pop(&mut y);
    y += *x * *x;
    stack.push(&mut y);
    stack[0] += x.sin() * *x;
}

#[reversible]
fn by_keys(y: &mut f64, map: &mut Map<u8, f64>, x: &f64) {
    *y += map[3] * map[7];
    map[3] += *x * map[11];
}

/// Every entry is moved and looked at, under its key.
#[test]
fn entries_of_a_map() {
    let mut map: Map<u8, f64> = [(3, 0.5), (7, 2.0), (11, -0.25)].into_iter().collect();
    let mut y = 0.0;
    assert_gradient!(by_keys(&mut y, &mut map, &1.5));
    assert_eq!((map.components(), map.component_name(0).as_str()), (3, "[11]"));
}
