//! Decisions that functions, methods and types hide: by two numbers, at one single value, of
//! structs and containers, as arguments and as what a `match` takes out.

use super::*;

/// Runs a program there and back on numbers that often meet: what comes back is what it began
/// with, or it stops. `run` gives how far it is off.
#[track_caller]
fn right_or_stopped(run: impl Fn(&[f64]) -> f64) {
    let mut stopped = 0;
    for seed in 0..150 {
        let x: Vec<f64> = numbers(seed, 9).iter().map(|x| (x * 6.0).round() / 10.0).collect();
        match catch_unwind(AssertUnwindSafe(|| run(&x))) {
            Ok(off) => assert!(off.abs() < 1e-12, "off by {off} for {x:?}"),
            Err(payload) => {
                let error = payload.downcast::<InvertibilityError>().expect("a check");
                assert_eq!(error.broken, Broken::Decision, "{error}");
                stopped += 1;
            }
        }
    }
    assert!(stopped > 0, "none is too close");
}

/// The same of a gradient, which is right for all of them.
#[track_caller]
fn right(run: impl Fn(&[f64]) -> (Vec<f64>, Vec<f64>)) {
    for seed in 0..150 {
        let x: Vec<f64> = numbers(seed, 9).iter().map(|x| (x * 6.0).round() / 10.0).collect();
        let (found, expected) = run(&x);
        let close = found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(close, "{found:?} instead of {expected:?} for {x:?}");
    }
}

/// A loop over a state, which a condition looks at, and which the numbers then change.
macro_rules! decided_by {
    ($(#[$attribute:meta])* $name:ident: $state:ty = $start:expr;
     |$s:ident, $x:ident, $k:ident| $condition:expr => $change:stmt) => {
        #[test]
        fn $name() {
            $(#[$attribute])*
            #[reversible]
            fn run($s: &mut $state, sum: &mut f64, $x: &[f64]) {
                for $k in 0..$x.len() {
                    if $condition {
                        *sum += $x[$k] * $x[$k];
                    }
                    $change
                }
            }
            right_or_stopped(|x| {
                let (mut state, mut sum) = ($start, 0.0);
                run(&mut state, &mut sum, x);
                run::inverse(&mut state, &mut sum, x);
                sum
            });
        }
    };
}

#[reversible]
fn advance(map: &mut Map<i32, f64>, x: &f64) {
    map[1] += *x;
}

fn late(t: f64) -> bool {
    t > 0.3
}

fn is_limit(t: f64) -> bool {
    t == 0.3
}

fn ahead(a: f64, b: f64) -> bool {
    a > b
}

fn is_first(scores: &[f64], k: usize) -> bool {
    scores.iter().all(|score| scores[k] >= *score)
}

fn any_late<T: AsRef<[Clock]>>(clocks: T) -> bool {
    clocks.as_ref().iter().any(|clock| clock.t > 0.3)
}

#[derive(Clone, Debug, PartialEq, AdditiveGroup, Differentiable)]
struct Clock {
    t: f64,
}

impl Clock {
    fn late(&self) -> bool {
        self.t > 0.3
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

impl Pair {
    fn ahead(&self) -> bool {
        self.a > self.b
    }
    fn len(&self) -> f64 {
        self.a.abs() + self.b.abs()
    }
    fn is_empty(&self) -> bool {
        self.a <= 0.3
    }
}

decided_by!(by_two_numbers: (f64, f64) = (0.2, 0.0); |s, x, k| ahead(s.0, s.1) => {
    s.0 += x[k];
    s.1 += x[x.len() - 1 - k];
});
decided_by!(by_two_fields: Pair = Pair { a: 0.2, b: 0.0 }; |s, x, k| s.ahead() => {
    s.a += x[k];
    s.b += x[x.len() - 1 - k];
});
decided_by!(by_elements: [f64; 3] = [0.1, 0.3, 0.0]; |s, x, k| is_first(&s[..], 2) => {
    s[k % 3] += x[k];
    s[(k + 1) % 3] += x[x.len() - 1 - k];
});
decided_by!(by_order: [f64; 2] = [0.0, 0.3]; |s, x, k| s.is_sorted() => s[0] += x[k]);
decided_by!(by_nested_elements: Vec<Vec<f64>> = vec![vec![0.0], vec![0.3]];
    |s, x, k| is_first(&s.concat(), 0) => s[0][0] += x[k]);
decided_by!(at_a_single_value: f64 = 0.0; |s, x, k| is_limit(*s) => *s += x[k]);
decided_by!(at_a_pole: f64 = 0.0; |s, x, k| (1.0 / (*s - 0.3)).is_finite() => *s += x[k]);
decided_by!(by_an_element_that_is_there: [f64; 2] = [0.0; 2];
    |s, x, k| s.contains(&0.3) => s[1] += x[k]);
decided_by!(by_bits: f64 = 0.0; |s, x, k| s.to_bits() & 1 == 1 => *s += x[k]);
decided_by!(by_a_struct_that_adds: Clock = Clock { t: 0.0 }; |s, x, k| s.late() => s.t += x[k]);
decided_by!(by_a_length_of_ones_own: Pair = Pair { a: 0.0, b: 0.1 };
    |s, x, k| s.len() > 0.3 => s.a += x[k]);
decided_by!(by_an_emptiness_of_ones_own: Pair = Pair { a: 0.0, b: 0.1 };
    |s, x, k| s.is_empty() => s.a += x[k]);
decided_by!(by_a_box: Box<f64> = Box::new(0.0); |s, x, k| late(**s) => **s += x[k]);
decided_by!(by_an_entry_of_a_map: Map<i32, f64> = Map::from_iter([(1, 0.0)]);
    |s, x, k| s[1] > 0.3 => advance(s, &x[k]));
decided_by!(by_structs_in_a_vector: Vec<Clock> = vec![Clock { t: 0.0 }];
    |s, x, k| any_late(&s) => s[0].t += x[k]);

#[test]
fn what_a_match_takes_out_is_that_of_the_way_there() {
    fn weight(t: f64) -> Option<usize> {
        (t > -0.3).then_some(if t > 0.3 { 2 } else { 1 })
    }
    #[reversible]
    fn f(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut t = 0.0;
            let mut sum = 0.0;
            for k in 0..x.len() {
                if let Some(m) = weight(t) {
                    sum += x[k] * x[k] * m as f64;
                }
                t += x[k];
            }
        }
        *y += sum;
    }
    right(|x| {
        let mut t = 0.0;
        let expected = x.iter().map(|v| {
            let by = 2.0 * v * weight(t).map_or(0.0, |m| m as f64);
            t += v;
            by
        });
        (f::gradient(x).d_x, expected.collect())
    });
}

#[test]
fn what_a_text_shows_is_kept() {
    #[reversible]
    fn f(y: &mut f64, x: &[f64]) {
        #[compute]
        {
            let mut t = 0.0;
            let mut sum = 0.0;
            for k in 0..x.len() {
                if format!("{t}").len() > 4 {
                    sum += x[k] * x[k];
                }
                t += x[k];
            }
        }
        *y += sum;
    }
    right(|x| {
        let mut t = 0.0;
        let expected = x.iter().map(|v| {
            let by = if format!("{t}").len() > 4 { 2.0 * v } else { 0.0 };
            t += v;
            by
        });
        (f::gradient(x).d_x, expected.collect())
    });
}

fn bucket(t: f64) -> i64 {
    if t > 0.3 { 3 } else { 1 }
}

#[reversible]
fn add(n: &mut i64, k: i64) {
    *n += k;
}

#[test]
fn what_is_passed_on_is_a_decision() {
    #[reversible]
    fn run(n: &mut i64, t: &mut f64, x: &[f64]) {
        for k in 0..x.len() {
            add(n, bucket(*t));
            *t += x[k];
        }
    }
    right_or_stopped(|x| {
        let (mut n, mut t) = (0, 0.0);
        run(&mut n, &mut t, x);
        run::inverse(&mut n, &mut t, x);
        n as f64
    });
}

#[test]
fn what_is_named_is_a_decision() {
    fn index(t: f64) -> usize {
        usize::from(t > 0.3)
    }
    #[reversible]
    fn run(sum: &mut f64, t: &mut f64, c: &[f64], x: &[f64]) {
        for k in 0..x.len() {
            #[constant]
            let at = index(*t);
            *sum += c[at];
            *t += x[k];
        }
    }
    right_or_stopped(|x| {
        let (mut sum, mut t) = (0.0, 0.0);
        run(&mut sum, &mut t, &[1.0, 10.0], x);
        run::inverse(&mut sum, &mut t, &[1.0, 10.0], x);
        sum
    });
}

#[test]
fn how_many_elements_are_skipped_is_a_decision() {
    fn count(t: f64) -> usize {
        usize::from(t > 0.3)
    }
    #[reversible]
    fn run(sum: &mut f64, t: &mut f64, c: &[f64], x: &[f64]) {
        for k in 0..x.len() {
            for v in c.iter().skip(count(*t)) {
                *sum += *v;
            }
            *t += x[k];
        }
    }
    right_or_stopped(|x| {
        let (mut sum, mut t) = (0.0, 0.0);
        run(&mut sum, &mut t, &[1.0, 10.0, 100.0], x);
        run::inverse(&mut sum, &mut t, &[1.0, 10.0, 100.0], x);
        sum
    });
}
