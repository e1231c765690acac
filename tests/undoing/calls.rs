//! Decisions over several calls: of a caller that makes one step at a time, and of functions on
//! what their caller undoes.

use crate::broken;
use retrograde::error::Broken;
use retrograde::prelude::*;

fn late(t: f64) -> bool {
    t >= 0.3
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Clock {
    time: f64,
    rings: f64,
}

impl Clock {
    fn rings(&self) -> bool {
        self.time >= 0.3
    }
}

#[reversible]
fn plain(t: &mut f64, s: &mut f64) {
    if *t >= 0.3 {
        *s += 1.0;
    }
    *t += 0.1;
}

#[reversible]
fn asked(t: &mut f64, s: &mut f64) {
    if late(*t) {
        *s += 1.0;
    }
    *t += 0.1;
}

#[reversible]
fn named(t: &mut f64, s: &mut f64) {
    let left = *t - 0.3;
    if left >= 0.0 {
        *s += 1.0;
    }
    *t += 0.1;
}

#[reversible]
fn matched(t: &mut f64, s: &mut f64) {
    match *t >= 0.3 {
        true => *s += 1.0,
        false => *s += 2.0,
    }
    *t += 0.1;
}

#[reversible]
fn contained(t: &mut f64, s: &mut f64) {
    if (0.3..9.0).contains(t) {
        *s += 1.0;
    }
    *t += 0.1;
}

#[reversible]
fn enlarged(t: &mut f64, s: &mut f64) {
    if (*t - 0.3) * 1e12 >= 0.0 {
        *s += 1.0;
    }
    *t += 0.1;
}

#[reversible]
fn remainder(t: &mut f64, s: &mut f64) {
    *s += *t % 0.3;
    *t += 0.1;
}

#[reversible]
fn computed(t: &mut f64, s: &mut f64) {
    {
        #[compute]
        {
            let mut n = 0.0;
            if *t >= 0.3 {
                n += 1.0;
            }
        }
        *s += n;
    }
    *t += 0.1;
}

#[reversible]
fn advance(t: &mut f64) {
    *t += 0.1;
}

#[reversible]
fn advanced(t: &mut f64, s: &mut f64) {
    if *t >= 0.3 {
        *s += 1.0;
    }
    advance(t);
}

#[reversible]
fn of_any_type<T: Real>(t: &mut T, s: &mut T) {
    if *t >= 0.3 {
        *s += 1.0;
    }
    *t += 0.1;
}

#[reversible]
fn by_a_method(clock: &mut Clock) {
    if (clock.rings(), _) {
        clock.rings += 1.0;
    }
    clock.time += 0.1;
}

#[reversible]
fn by_path(t: &mut f64, s: &mut f64) {
    *s += f64::floor(*t / 0.3);
    *t += 0.1;
}

#[reversible]
fn as_a_number(t: &mut f64, s: &mut f64) {
    *s += f64::from(PartialOrd::ge(&*t, &0.3) as u8 + (*t).lt(&0.3) as u8 * 2);
    *t += 0.1;
}

#[reversible]
fn across_a_cut(t: &mut f64, s: &mut f64) {
    *s += (*t - 0.3).atan2(-1.0);
    *t += 0.1;
}

#[reversible]
fn by_its_sign(t: &mut f64, s: &mut f64) {
    *s += 1f64.copysign(*t - 0.3);
    *t += 0.1;
}

#[reversible]
fn bit_by_bit(t: &mut f64, s: &mut f64) {
    *s += t.to_bits() as f64;
    *t += 0.1;
}

/// A whole number of a whole number is no decision of its own.
#[reversible]
fn far_from_limits(t: &mut f64, s: &mut f64) {
    *s += ((*t * 3.0).floor() as i64 + t.round() as i64) as f64;
    *t += 0.001;
}

#[reversible]
fn in_whole_hours(t: &mut f64, s: &mut f64) {
    if *t >= 3.0 {
        *s += 1.0;
    }
    *t += 1.0;
}

/// A caller that makes one step at a time: what rounding has come to since, the step does not
/// see.
#[test]
fn steps_of_a_caller_stop_at_decisions_of_any_form() {
    type Step = fn(&mut f64, &mut f64);
    let steps: [(Step, Step, &str); 15] = [
        (plain, plain::inverse, "plain"),
        (asked, asked::inverse, "asked"),
        (named, named::inverse, "named"),
        (matched, matched::inverse, "matched"),
        (contained, contained::inverse, "contained"),
        (enlarged, enlarged::inverse, "enlarged"),
        (remainder, remainder::inverse, "remainder"),
        (computed, computed::inverse, "computed"),
        (advanced, advanced::inverse, "advanced"),
        (by_path, by_path::inverse, "by path"),
        (as_a_number, as_a_number::inverse, "as a number"),
        (across_a_cut, across_a_cut::inverse, "across a cut"),
        (by_its_sign, by_its_sign::inverse, "by its sign"),
        (bit_by_bit, bit_by_bit::inverse, "bit by bit"),
        (of_any_type::<f64>, of_any_type::inverse::<f64>, "of any type"),
    ];
    for n in [12, 40, 60] {
        for (there, back, name) in steps {
            let (mut t, mut s) = (0.0, 0.0);
            (0..n).for_each(|_| there(&mut t, &mut s));
            let found = broken(|| (0..n).for_each(|_| back(&mut t, &mut s)));
            assert_eq!(found, Broken::Decision, "{name}, {n} steps");
        }
        let mut clock = Clock { time: 0.0, rings: 0.0 };
        (0..n).for_each(|_| by_a_method(&mut clock));
        let found = broken(|| (0..n).for_each(|_| by_a_method::inverse(&mut clock)));
        assert_eq!(found, Broken::Decision);
        let (mut t, mut s) = (0.55, 0.0);
        (0..n).for_each(|_| far_from_limits(&mut t, &mut s));
        (0..n).for_each(|_| far_from_limits::inverse(&mut t, &mut s));
        assert!(s == 0.0 && (t - 0.55).abs() < 1e-14);
        // Nothing is rounded.
        let (mut t, mut s) = (0.0, 0.0);
        (0..n).for_each(|_| in_whole_hours(&mut t, &mut s));
        (0..n).for_each(|_| in_whole_hours::inverse(&mut t, &mut s));
        assert_eq!((t, s), (0.0, 0.0));
    }
}

/// Decides on a number that it only reads.
#[reversible]
fn gate(y: &mut f64, t: &f64, x: &f64) {
    if *t >= 0.5 {
        *y += *x;
    }
}

#[reversible]
fn by_value(y: &mut f64, t: f64, x: &f64) {
    *y += if t >= 0.5 { *x } else { 0.0 };
}

#[reversible]
fn rounded(y: &mut f64, t: &f64, x: &f64) {
    *y += (2.0 * *t).floor() * *x;
}

#[reversible]
fn passed_on(y: &mut f64, t: &f64, x: &f64) {
    gate(y, t, x);
}

/// Reads the time, but decides on something else.
#[reversible]
fn not_on_time(y: &mut f64, t: &f64, x: &f64) {
    *y += *t * *x;
    gate(y, &0.5, x);
}

impl Clock {
    #[reversible]
    fn strike(&self, y: &mut f64, x: &f64) {
        if self.time >= 0.5 {
            *y += *x;
        }
    }
}

/// A function that advances a time by tenths and calls others, and the same with a `#[compute]`
/// block of its own.
macro_rules! callers {
    ($($name:ident: |$y:ident, $t:ident, $x:ident| $call:expr, $own:expr;)+) => {$(
        mod $name {
            use super::*;

            #[reversible]
            pub fn over_time($y: &mut f64, $t: &mut f64, $x: &f64) {
                for _ in 0..12 {
                    $call;
                    *$t += 0.1;
                }
            }

            #[reversible]
            pub fn computed(out: &mut f64, $x: &f64) {
                #[compute]
                {
                    let mut $t = 0.0;
                    let mut $y = 0.0;
                    for _ in 0..12 {
                        $own;
                        $t += 0.1;
                    }
                }
                *out += $y;
            }
        }
    )+};
}

callers! {
    lent: |y, t, x| gate(y, t, x), gate(&mut y, &t, x);
    given: |y, t, x| by_value(y, *t, x), by_value(&mut y, t, x);
    a_floor: |y, t, x| rounded(y, t, x), rounded(&mut y, &t, x);
    lent_on: |y, t, x| passed_on(y, t, x), passed_on(&mut y, &t, x);
    elsewhere: |y, t, x| not_on_time(y, t, x), not_on_time(&mut y, &t, x);
}

#[reversible]
fn strikes(y: &mut f64, clock: &mut Clock, x: &f64) {
    for _ in 0..12 {
        clock.strike(y, x);
        clock.time += 0.1;
    }
}

#[test]
fn functions_stop_at_decisions_on_what_their_caller_undoes() {
    macro_rules! stop {
        ($($name:ident)+) => {$(
            let (mut y, mut t) = (0.0, 0.0);
            $name::over_time(&mut y, &mut t, &3.0);
            let back = || $name::over_time::inverse(&mut y, &mut t, &3.0);
            assert_eq!(broken(back), Broken::Decision, "{}", stringify!($name));
            let mut t = 0.0;
            let gradient = || $name::over_time::gradient(&mut t, &3.0);
            assert_eq!(broken(gradient), Broken::Decision, "{}", stringify!($name));
            // What is computed is not undone where nobody looks at it.
            let mut y = 0.0;
            $name::computed(&mut y, &3.0);
            assert!(y > 0.0);
            let gradient = || $name::computed::gradient(&3.0);
            assert_eq!(broken(gradient), Broken::Decision, "{}", stringify!($name));
        )+};
    }
    stop!(lent given a_floor lent_on);
    let (mut y, mut clock) = (0.0, Clock { time: 0.0, rings: 0.0 });
    strikes(&mut y, &mut clock, &3.0);
    let back = || strikes::inverse(&mut y, &mut clock, &3.0);
    assert_eq!(broken(back), Broken::Decision);
}

/// In one call, what is decided by a path is kept, and a remainder stops.
mod in_one_call {
    use super::*;

    #[reversible]
    fn floors(y: &mut f64, x: &f64) {
        #[compute]
        {
            let mut t = 0.0;
            let mut s = 0.0;
            let mut bits = 0;
            for _ in 0..5 {
                s += f64::floor(t) * *x;
                bits ^= t.to_bits();
                t += 0.3;
            }
        }
        *y += s + (bits % 7) as f64 * *x;
    }

    #[reversible]
    fn remainders(y: &mut f64, x: &f64) {
        #[compute]
        {
            let mut t = 1.0;
            let mut s = 0.0;
            s += t.fract() * *x;
            t += 0.001;
            t += 0.7;
            s += t * *x;
        }
        *y += s;
    }

    #[test]
    fn is_kept_or_stops() {
        let (mut t, mut bits, mut floors_of) = (0.0_f64, 0, 0.0);
        for _ in 0..5 {
            (bits, floors_of) = (bits ^ t.to_bits(), floors_of + t.floor());
            t += 0.3;
        }
        assert_eq!(floors::gradient(&1.5).d_x, floors_of + (bits % 7) as f64);
        assert_eq!(broken(|| remainders::gradient(&1.5)), Broken::Decision);
    }
}

/// What is far from all limits, and what nobody undoes, may be decided on anywhere.
#[test]
fn other_decisions_of_functions_do_not_stop() {
    let (mut y, mut t) = (0.0, 0.03);
    lent::over_time(&mut y, &mut t, &3.0);
    assert_eq!(y, 21.0);
    lent::over_time::inverse(&mut y, &mut t, &3.0);
    assert!(y == 0.0 && (t - 0.03).abs() < 1e-15);
    assert_eq!(lent::over_time::gradient(&mut t, &3.0).d_x, 7.0);
    let (mut y, mut t) = (0.0, 0.0);
    elsewhere::over_time(&mut y, &mut t, &3.0);
    elsewhere::over_time::inverse(&mut y, &mut t, &3.0);
    assert!(y.abs() < 1e-13, "{y}");
    elsewhere::computed(&mut y, &3.0);
    // A tie that is none of rounding.
    let mut y = 0.0;
    gate(&mut y, &0.5, &3.0);
    gate::inverse(&mut y, &0.5, &3.0);
    assert_eq!((y, gate::gradient(&0.5, &3.0).d_x), (0.0, 1.0));
    // What one call was told, another does not hear.
    let (mut y, mut t) = (0.0, 0.0);
    lent::over_time(&mut y, &mut t, &3.0);
    assert_eq!(broken(|| lent::over_time::inverse(&mut y, &mut t, &3.0)), Broken::Decision);
    assert_eq!(gate::gradient(&0.5, &3.0).d_x, 1.0);
}
