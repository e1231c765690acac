//! Decisions of called functions on what other called functions change: nobody sees both the
//! change and the decision, but who calls them sees what is passed.

use super::*;

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct State {
    time: f64,
    sums: Vec<f64>,
}

impl State {
    fn at(time: f64) -> Self {
        State { time, sums: vec![time; 3] }
    }

    #[reversible]
    fn advance(&mut self, by: &f64) {
        self.time += *by;
    }

    #[reversible]
    fn add(&mut self, k: usize, by: &f64) {
        self.sums[k] += *by;
    }

    #[differentiable]
    fn gate(&self, v: f64) -> f64 {
        if self.time > 0.0 { v * v } else { 0.0 }
    }

    #[differentiable]
    fn gate_inside(&self, v: f64) -> f64 {
        self.gate(v)
    }

    #[differentiable]
    fn gate_of(&self, k: usize, v: f64) -> f64 {
        if self.sums[k] > 0.0 { v * v } else { 0.0 }
    }

    #[reversible]
    fn count(&self, y: &mut f64, v: &f64) {
        if self.time > 0.0 {
            *y += *v * *v;
        }
    }
}

#[reversible]
fn add_to(s: &mut f64, v: &f64) {
    *s += *v;
}

#[reversible]
fn add_to_all(s: &mut [f64], v: &f64) {
    for a in s {
        *a += *v;
    }
}

#[reversible]
fn add_at(s: &mut [f64], k: usize, v: &f64) {
    s[k] += *v;
}

#[differentiable]
fn gate_of_first(s: &[f64], v: f64) -> f64 {
    if s[0] > 0.0 { v * v } else { 0.0 }
}

#[differentiable]
fn gate_of_states(s: &[State], v: f64) -> f64 {
    let squared = s[0].gate(v);
    squared * 1.0
}

#[reversible]
fn count(y: &mut f64, s: &f64, v: &f64) {
    if *s > 0.0 {
        *y += *v * *v;
    }
}

#[reversible]
fn count_at(y: &mut f64, s: &[f64], k: usize, v: &f64) {
    if s[k] > 0.0 {
        *y += *v * *v;
    }
}

#[reversible]
fn by_methods(y: &mut f64, s: &mut State, x: &[f64]) {
    for k in 0..x.len() {
        *y += s.gate(x[k]);
        s.advance(&x[k]);
    }
}

#[reversible]
fn by_a_method_inside(y: &mut f64, s: &mut State, x: &[f64]) {
    for k in 0..x.len() {
        *y += s.gate_inside(x[k]);
        s.advance(&x[k]);
    }
}

#[reversible]
fn by_reversible_methods(y: &mut f64, s: &mut State, x: &[f64]) {
    for k in 0..x.len() {
        s.count(y, &x[k]);
        s.advance(&x[k]);
    }
}

#[reversible]
fn of_a_field(y: &mut f64, s: &mut State, x: &[f64]) {
    for k in 0..x.len() {
        count(y, &s.time, &x[k]);
        add_to(&mut s.time, &x[k]);
    }
}

#[reversible]
fn of_an_element_inside(y: &mut f64, s: &mut State, x: &[f64]) {
    for k in 0..x.len() {
        *y += s.gate_of(1, x[k]);
        s.add(1, &x[k]);
    }
}

#[reversible]
fn of_states(y: &mut f64, s: &mut Vec<State>, x: &[f64]) {
    for k in 0..x.len() {
        *y += gate_of_states(s, x[k]);
        s[k % 1].time += x[k];
    }
}

#[reversible]
fn of_each_state(y: &mut f64, s: &mut Vec<State>, x: &[f64]) {
    for k in 0..x.len() {
        for one in s.iter_mut() {
            one.count(y, &x[k]);
        }
        for one in s.iter_mut() {
            one.advance(&x[k]);
        }
    }
}

#[reversible]
fn of_a_slice(y: &mut f64, s: &mut [f64], x: &[f64]) {
    for k in 0..x.len() {
        *y += gate_of_first(s, x[k]);
        add_to_all(s, &x[k]);
    }
}

#[reversible]
fn of_part_of_a_slice(y: &mut f64, s: &mut [f64], x: &[f64]) {
    for k in 0..x.len() {
        *y += gate_of_first(&s[1..], x[k]);
        add_to_all(&mut s[1..], &x[k]);
    }
}

#[reversible]
fn at_an_index(y: &mut f64, s: &mut [f64], x: &[f64]) {
    for k in 0..x.len() {
        count_at(y, s, k % 1, &x[k]);
        add_at(s, k % 1, &x[k]);
    }
}

#[reversible]
fn changed_at_an_index(y: &mut f64, s: &mut [f64], x: &[f64]) {
    for k in 0..x.len() {
        count_at(y, s, k % 1, &x[k]);
        s[k % 1] += x[k];
    }
}

/// The same, computed and uncomputed.
#[reversible]
fn computed(out: &mut f64, x: &[f64]) {
    #[compute]
    {
        let mut s = vec![0.0; 2];
        let mut y = 0.0;
        for k in 0..x.len() {
            count_at(&mut y, &s, k % 1, &x[k]);
            add_at(&mut s, k % 1, &x[k]);
        }
    }
    *out += y;
}

#[reversible]
fn computed_number(out: &mut f64, x: &[f64]) {
    #[compute]
    {
        let mut s = 0.0;
        let mut y = 0.0;
        for k in 0..x.len() {
            count(&mut y, &s, &x[k]);
            s += x[k];
        }
    }
    *out += y;
}

/// The last absorbs that 0.1 + 0.2 − 0.3 is not zero.
const X: [f64; 4] = [0.1, 0.2, -0.3, 1.0];

#[test]
fn decisions_on_what_is_passed_stop_if_they_are_close() {
    macro_rules! stop {
        ($($name:ident of $new:expr;)+) => {$(
            let there = |start: f64| {
                let (mut y, mut s) = (0.0, $new(start));
                $name(&mut y, &mut s, &X);
                (y, s)
            };
            let back = |start| {
                let (mut y, mut s) = there(start);
                $name::inverse(&mut y, &mut s, &X);
                y
            };
            let adjoint = |start| {
                let (mut y, mut s) = there(start);
                let (mut d_s, mut d_x) = (retrograde::derivative::zero_like(&s), [0.0; 4]);
                $name::adjoint(&mut y, &mut 1.0, &mut s, &mut d_s, &X, &mut d_x);
                d_x.to_vec()
            };
            let gradient = |start| $name::gradient(&mut $new(start), &X).d_x;
            let name = stringify!($name);
            assert_eq!(broken(|| back(0.0)), Broken::Decision, "{name}");
            assert_eq!(broken(|| adjoint(0.0)), Broken::Decision, "{name}");
            assert_eq!(broken(|| gradient(0.0)), Broken::Decision, "{name}");
            // Far from the limit, all is as it was.
            let twice = X.map(|x| 2.0 * x);
            assert!(back(0.5).abs() < 1e-12, "{name}");
            agree(&adjoint(0.5), &twice, name);
            agree(&gradient(0.5), &twice, name);
        )+};
    }
    stop! {
        by_methods of State::at;
        by_a_method_inside of State::at;
        by_reversible_methods of State::at;
        of_a_field of State::at;
        of_an_element_inside of State::at;
        of_states of |t| vec![State::at(t)];
        of_each_state of |t| vec![State::at(t)];
        of_a_slice of |t| [t; 2];
        of_part_of_a_slice of |t| [t; 2];
        at_an_index of |t| [t; 2];
        changed_at_an_index of |t| [t; 2];
    }
    macro_rules! stop_computed {
        ($($name:ident)+) => {$(
            let name = stringify!($name);
            let mut y = 0.0;
            $name(&mut y, &X);
            $name::inverse(&mut y, &X);
            assert_eq!(y, 0.0, "{name}");
            let adjoint = || $name::adjoint(&mut 0.0, &mut 1.0, &X, &mut [0.0; 4]);
            assert_eq!(broken(adjoint), Broken::Decision, "{name}");
            assert_eq!(broken(|| $name::gradient(&X)), Broken::Decision, "{name}");
        )+};
    }
    stop_computed!(computed computed_number);
}

/// Of a slice that is too long to be looked at each time.
#[test]
fn decisions_on_long_slices_stop_if_they_are_close() {
    let x: Vec<f64> = (0..5000).map(|k| X[k % 4]).collect();
    let (mut y, mut s) = (0.0, vec![0.0; 5000]);
    for k in [0, 4999] {
        at_index(&mut y, &mut s, k, &x);
        let back = || at_index::inverse(&mut y, &mut s, k, &x);
        assert_eq!(broken(back), Broken::Decision);
    }
}

#[reversible]
fn at_index(y: &mut f64, s: &mut Vec<f64>, at: usize, x: &[f64]) {
    for k in 0..x.len() {
        count_at(y, s, at, &x[k]);
        add_at(s, at, &x[k]);
        add_at(s, at, &-x[k]);
        count_at(y, s, at, &x[k]);
        add_at(s, at, &x[k]);
    }
}

#[reversible]
fn late(yes: &mut bool, t: &f64) {
    *yes ^= *t > 0.3;
}

/// The decision is made in a block that is computed and uncomputed.
#[reversible]
fn in_a_block(yes: &mut bool, t: &f64) {
    #[compute]
    {
        let mut own = false;
        late(&mut own, t);
    }
    *yes ^= own;
}

#[reversible]
fn of_blocks(s: &mut f64, yes: &mut [bool], x: &[f64]) {
    for k in 0..x.len() {
        in_a_block(&mut yes[k], s);
        *s += x[k];
    }
}

#[reversible]
fn of_uncalls(s: &mut f64, yes: &mut [bool], x: &[f64]) {
    for k in 0..x.len() {
        !late(&mut yes[k], s);
        *s += x[k];
    }
}

#[reversible]
fn of_filters(s: &mut [f64; 1], kept: &mut Stack<f64>, x: &[f64]) {
    for k in 0..x.len() {
        retrograde::functional::filter(&late {}, kept, &s[..]);
        s[0] += x[k];
    }
}

#[reversible]
fn of_sorts(s: &mut [f64; 2], first: &mut Vec<usize>, x: &[f64]) {
    for k in 0..x.len() {
        let mut origin = vec![0, 1];
        retrograde::order::sort(s, &mut origin);
        first[k] += origin[0];
        !retrograde::order::sort(s, &mut origin);
        s[0] += x[k];
        s[1] += x[x.len() - 1 - k];
        unlet!(origin = vec![0, 1]);
    }
}

/// Forwards or backwards: whoever is called while its caller goes back is told.
#[test]
fn calls_forwards_on_the_way_back_stop() {
    let x = [0.1, 0.1, 0.1, 0.1, 0.4, -0.3, 0.2, -0.1, -0.1];
    type Run = fn(&mut f64, &mut [bool], &[f64]);
    let runs: [(Run, Run); 2] =
        [(of_blocks, of_blocks::inverse), (of_uncalls, of_uncalls::inverse)];
    for (run, back) in runs {
        let (mut s, mut yes) = (0.0, [false; 9]);
        run(&mut s, &mut yes, &x);
        assert_eq!(broken(|| back(&mut s, &mut yes, &x)), Broken::Decision);
        // Apart from the limit, it comes back.
        let (mut s, mut yes) = (0.05, [false; 9]);
        run(&mut s, &mut yes, &x);
        back(&mut s, &mut yes, &x);
        assert!((s - 0.05).abs() < 1e-12 && yes == [false; 9]);
    }
    let (mut s, mut yes) = (0.0, [false; 9]);
    of_blocks(&mut s, &mut yes, &x);
    let adjoint = || of_blocks::adjoint(&mut s, &mut 1.0, &mut yes, &x, &mut [0.0; 9]);
    assert_eq!(broken(adjoint), Broken::Decision);
}

#[test]
fn filters_and_sorts_stop() {
    let x = [0.1, 0.1, 0.1, 0.1, 0.4, -0.3, 0.2, -0.1, -0.1];
    let (mut s, mut kept) = ([0.0], Stack::new());
    of_filters(&mut s, &mut kept, &x);
    assert_eq!(broken(|| of_filters::inverse(&mut s, &mut kept, &x)), Broken::Decision);

    let x = [0.0, 0.2, 0.4, -0.6, 0.6, -0.4, 0.6];
    let (mut s, mut first) = ([0.0; 2], vec![0; 7]);
    of_sorts(&mut s, &mut first, &x);
    assert_eq!(broken(|| of_sorts::inverse(&mut s, &mut first, &x)), Broken::Decision);
    let x = [0.1, 0.2, 0.5, 0.25, 0.15, 0.3, 0.7];
    let (mut s, mut first) = ([0.3, -0.45], vec![0; 7]);
    of_sorts(&mut s, &mut first, &x);
    assert!(first.contains(&1));
    of_sorts::inverse(&mut s, &mut first, &x);
    assert_eq!(first, [0; 7]);
}
