//! How long things take, and how much memory; and whether they give the same.

use crate::findings::{Cell, Table};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Something to be measured: its name, and what it does.
pub struct Contender<'a> {
    name: &'a str,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a> Contender<'a> {
    /// A contender. What `run` gives is kept from being optimised away.
    pub fn new<T>(name: &'a str, mut run: impl FnMut() -> T + 'a) -> Self {
        Contender {
            name,
            run: Box::new(move || {
                black_box(run());
            }),
        }
    }
}

/// The shortest time of each contender.
#[derive(Clone, Debug)]
pub struct Times<'a>(Vec<(&'a str, f64)>);

impl Times<'_> {
    /// The time of a contender, in seconds.
    ///
    /// # Panics
    ///
    /// If there is no such contender.
    #[track_caller]
    pub fn of(&self, name: &str) -> f64 {
        self.get(name).unwrap_or_else(|| panic!("{name:?} was not measured"))
    }

    /// The time of a contender, if there is one of this name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.iter().find(|(other, _)| *other == name).map(|(_, time)| time)
    }

    /// How many times as long one takes as another.
    ///
    /// # Panics
    ///
    /// If there is no such contender.
    #[track_caller]
    pub fn ratio(&self, of: &str, to: &str) -> f64 {
        self.of(of) / self.of(to)
    }

    /// All of them, in the order in which they were given.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(name, time)| (*name, *time))
    }

    /// All of them, also over the one that is the plain program.
    ///
    /// # Panics
    ///
    /// If there is no such contender.
    #[track_caller]
    pub fn over(&self, plain: &str, title: impl Into<String>) -> Table {
        let mut table = Table::new(title, ["program", "over plain", "time"]);
        for (name, time) in self.iter() {
            table.row([name.into(), Cell::Ratio(time / self.of(plain)), Cell::Time(time)]);
        }
        table
    }
}

/// Times each contender in turns, so that what slows the machine slows them all, for about
/// `budget` each, and gives the shortest. What takes longer than that runs three times.
pub fn race<'a>(budget: Duration, mut contenders: Vec<Contender<'a>>) -> Times<'a> {
    const ROUNDS: u32 = 8;
    const FEWEST: u32 = 2;
    /// Long beside the clock's own steps.
    const LONG: Duration = Duration::from_micros(200);
    let slice = budget / ROUNDS;
    let mut calls = Vec::new();
    let mut best: Vec<f64> = Vec::new();
    for Contender { run, .. } in &mut contenders {
        let mut count = 1;
        let mut taken = time(run, count);
        while taken < LONG && count < 1 << 24 {
            count *= 2;
            taken = time(run, count);
        }
        calls.push(count);
        best.push(taken.as_secs_f64() / f64::from(count));
    }
    for round in 0..ROUNDS {
        for ((Contender { run, .. }, calls), best) in
            contenders.iter_mut().zip(&calls).zip(&mut best)
        {
            if round >= FEWEST && *best * f64::from(*calls) >= budget.as_secs_f64() {
                continue;
            }
            let start = Instant::now();
            loop {
                let taken = time(run, *calls).as_secs_f64() / f64::from(*calls);
                *best = best.min(taken);
                if start.elapsed() >= slice {
                    break;
                }
            }
        }
    }
    Times(contenders.iter().map(|contender| contender.name).zip(best).collect())
}

fn time(run: &mut dyn FnMut(), calls: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        run();
    }
    start.elapsed()
}

/// What a run takes from the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heap {
    /// How often memory was asked for.
    pub allocations: u64,
    /// The most that was held at one time, in bytes.
    pub peak: u64,
}

/// What this thread takes from the heap while it runs something.
pub fn heap<T>(run: impl FnOnce() -> T) -> Heap {
    let found = allocation_counter::measure(|| {
        black_box(run());
    });
    Heap { allocations: found.count_total, peak: found.bytes_max }
}

/// Numbers must be those that are expected, but for so much of the largest of them.
///
/// # Panics
///
/// If they are not.
#[track_caller]
pub fn assert_near(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let largest = expected.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!(
            (a - b).abs() <= tolerance * largest,
            "component {k} of {what} is {a} instead of {b}"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same code wherever it is called: two copies of a loop may differ in speed.
    #[inline(never)]
    fn work(n: u64) -> u64 {
        (0..n).fold(0, |sum, i| black_box(sum ^ i.wrapping_mul(31)))
    }

    #[test]
    fn twice_the_work_takes_longer() {
        let contenders = vec![
            Contender::new("once", || work(black_box(20_000))),
            Contender::new("twice", || work(black_box(40_000))),
        ];
        let times = race(Duration::from_millis(40), contenders);
        let ratio = times.ratio("twice", "once");
        assert!((1.5..3.0).contains(&ratio), "{ratio}");
        assert_eq!(times.iter().count(), 2);
    }

    #[test]
    fn what_is_near() {
        assert_near("the same", &[0.0, -10.0 + 1e-12], &[1e-12, -10.0], 1e-12);
        for other in [&[0.0, -9.9][..], &[0.0, f64::NAN], &[0.0]] {
            let far = || assert_near("another", other, &[0.0, -10.0], 1e-3);
            assert!(std::panic::catch_unwind(far).is_err(), "{other:?}");
        }
    }

    #[test]
    fn the_heap_is_counted() {
        let vector = heap(|| vec![1_u8; 1000]);
        assert_eq!(vector, Heap { allocations: 1, peak: 1000 });
        assert_eq!(heap(|| 1 + black_box(1)), Heap { allocations: 0, peak: 0 });
    }
}
