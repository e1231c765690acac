//! What the schedules cost: as planned, and as in the literature.

use crate::schedule::{Event, Report, Run, Schedule, Way, by_hand, plan};

/// Runs steps that only count, and looks that states come in the right order.
fn cost(schedule: Schedule, steps: usize) -> Report {
    let step = by_hand(
        |next: &mut usize, now: &usize, &(), k| {
            assert_eq!(*now, k);
            *next = k + 1;
        },
        |_, now, _, _, _, k| assert_eq!(*now, k),
    );
    let at = Run::new(step, steps, schedule).gradient(&0, &(), |_, _| ());
    assert_eq!((at.end, at.report.adjoint), (steps, steps as u128));
    assert_eq!(at.report, plan::gradient(schedule, steps), "{schedule}, {steps} steps");
    at.report
}

/// The fewest steps forward, by trying all positions of the next checkpoint.
fn fewest(steps: usize, most: usize) -> Vec<Vec<u128>> {
    // By the number of checkpoints, then of steps.
    let mut table: Vec<Vec<u128>> =
        vec![(0..=steps as u128).map(|n| n * n.saturating_sub(1) / 2).collect()];
    for _ in 1..most {
        let fewer = table.last().unwrap();
        let mut row = vec![0, 0];
        for n in 2..=steps {
            row.push((1..n).map(|m| m as u128 + fewer[n - m] + row[m]).min().unwrap());
        }
        table.push(row);
    }
    table
}

#[test]
fn treeverse_is_the_optimum() {
    let table = fewest(120, 12);
    for (row, checkpoints) in table.iter().zip(1..) {
        for (steps, fewest) in row.iter().enumerate().skip(1) {
            let report = cost(Schedule::Treeverse { checkpoints }, steps);
            assert_eq!(report.forward - 1, *fewest, "{checkpoints} {steps}");
            assert_eq!(report.peak, steps.min(checkpoints + 1));
        }
    }
}

/// Steps, checkpoints, calls of the original treeverse, its peak of states, and the
/// fewest calls. It has no call that makes the end.
const TREEVERSE: [(usize, usize, u128, usize, u128); 11] = [
    (9999, 5, 113_095, 6, 112_854),
    (9999, 10, 60_227, 11, 57_617),
    (9999, 20, 37_972, 21, 37_972),
    (9999, 40, 29_128, 41, 29_094),
    (9999, 80, 27_138, 78, 26_594),
    (9999, 160, 19_837, 160, 19_836),
    (9999, 320, 19_681, 316, 19_676),
    (10, 3, 15, 4, 15),
    (30, 5, 67, 6, 62),
    (100_000, 3, 6_176_921, 4, 6_176_445),
    (100_000, 9, 940_950, 10, 915_244),
];

#[test]
fn treeverse_beside_the_original() {
    for (steps, checkpoints, calls, peak, fewest) in TREEVERSE {
        let report = cost(Schedule::Treeverse { checkpoints }, steps);
        assert_eq!(report.forward - 1, fewest, "{steps} {checkpoints}");
        assert!(fewest <= calls);
        // With fewer checkpoints than it was given, the original takes more steps. With
        // as many as it used, this one takes no more than it either.
        assert_eq!(report.peak, checkpoints + 1);
        let fewer = cost(Schedule::Treeverse { checkpoints: peak - 1 }, steps);
        assert_eq!(fewer.peak, peak);
        assert!(fewer.forward - 1 <= calls, "{steps} {peak}: {}", fewer.forward);
    }
}

/// From here on another state is in work.
#[test]
fn memory_of_long_runs() {
    for checkpoints in 1..40_usize {
        for steps in [-1, 0, 1].map(|more| ((checkpoints + 1).pow(2) as isize + more) as usize) {
            cost(Schedule::Treeverse { checkpoints }, steps);
        }
    }
}

#[test]
fn the_two_extremes() {
    for steps in [1, 2, 3, 4, 10, 300] {
        let stored = cost(Schedule::StoreAll, steps);
        let n = steps as u128;
        assert_eq!((stored.forward, stored.peak, stored.buffers), (n, steps, steps + 3));
        let again = cost(Schedule::RecomputeAll, steps);
        assert_eq!((again.forward, again.peak), (n * (n - 1) / 2 + 1, steps.min(2)));
        assert!(again.buffers <= 6);
        // More checkpoints than steps are not taken.
        assert_eq!(cost(Schedule::Treeverse { checkpoints: steps + 5 }, steps), stored);
    }
}

#[test]
fn plans_of_bennett() {
    for blocks in 2..12 {
        for steps in 0..150 {
            cost(Schedule::Bennett { blocks }, steps);
        }
    }
    // As many blocks as steps: all states are stored, and none uncomputed.
    let report = cost(Schedule::Bennett { blocks: 50 }, 50);
    assert_eq!((report.forward, report.inverse, report.peak), (50, 0, 51));
}

#[test]
fn powers_under_bennett() {
    let table = [(4_usize, 4_u32, 2401, 14), (2, 4, 81, 6), (2, 10, 59_049, 12), (3, 5, 3125, 12)];
    for (blocks, power, calls, peak) in table {
        let report = plan::call(Schedule::Bennett { blocks }, blocks.pow(power));
        assert_eq!((report.calls(), report.peak), (calls, peak));
        assert_eq!(report.calls(), (2 * blocks as u128 - 1).pow(power));
        assert_eq!(report.peak, power as usize * (blocks - 1) + 2);
    }
}

/// Blocks, calls forwards and backwards, and the peak of states, of 9999 steps.
const BENNETT: [(usize, u128, u128, usize); 6] = [
    (5, 89_303, 89_298, 24),
    (10, 34_299, 34_289, 38),
    (20, 28_478, 28_458, 53),
    (40, 18_399, 18_359, 82),
    (80, 14_958, 14_878, 143),
    (160, 9999, 9840, 221),
];

#[test]
fn bennett_on_the_way_there() {
    for (blocks, forward, inverse, peak) in BENNETT {
        let there = plan::Blocks::new(blocks).sweep(9999);
        assert_eq!((there.forward, there.inverse, 1 + there.states), (forward, inverse, peak));
        // The way back makes again what was uncomputed.
        let report = cost(Schedule::Bennett { blocks }, 9999);
        assert_eq!(report.peak, peak);
        assert!(report.forward < 2 * forward, "{report:?}");
    }
}

#[test]
fn progress_comes_to_an_end() {
    for schedule in [
        Schedule::StoreAll,
        Schedule::RecomputeAll,
        Schedule::Treeverse { checkpoints: 3 },
        Schedule::Bennett { blocks: 3 },
    ] {
        let step = by_hand(|_: &mut f64, _: &f64, &(), _| (), |_, _, _, _, _, _| ());
        let (mut last, mut kept, mut most) = (0, 1_usize, 1);
        let run = Run::new(step, 40, schedule);
        let at = run.gradient_watched(
            &0.0,
            &(),
            |_, _| (),
            |progress| {
                let counted = match progress.event {
                    Event::Keep(_) => {
                        kept += 1;
                        false
                    }
                    Event::Drop(_) => {
                        kept -= 1;
                        false
                    }
                    _ => true,
                };
                most = most.max(kept);
                assert_eq!(progress.done, last + u128::from(counted), "{progress:?}");
                last = progress.done;
                assert_eq!(progress.of, plan::gradient(schedule, 40).calls());
            },
        );
        assert_eq!((last, kept), (at.report.calls(), 1));
        if let Way::Checkpoints(checkpoints) = schedule.way(40) {
            assert_eq!(most, checkpoints.min(40));
        }
    }
}

#[test]
fn what_fits_is_used() {
    for steps in 0..70 {
        let mut last = u128::MAX;
        for buffers in 0..80 {
            let Some(choice) = plan::treeverse_within(steps, buffers) else {
                assert!(buffers < 6, "{steps} {buffers}");
                continue;
            };
            assert!(choice.cost.buffers <= buffers);
            assert!(choice.cost.forward <= last);
            last = choice.cost.forward;
            // One checkpoint more would not fit, or not help.
            let Schedule::Treeverse { checkpoints } = choice.schedule else { unreachable!() };
            let more = plan::gradient(Schedule::Treeverse { checkpoints: checkpoints + 1 }, steps);
            assert!(more.buffers > buffers || more.forward == choice.cost.forward);
            if let Some(choice) = plan::bennett_within(steps, buffers) {
                assert!(choice.cost.buffers <= buffers);
            }
        }
        assert_eq!(
            plan::best(steps, 8, 8 * (steps as u128 + 3)).unwrap().schedule,
            Schedule::StoreAll
        );
        assert_eq!(plan::best(steps, 8, 16), None);
    }
    // Plans take no longer for more steps.
    let far = plan::treeverse_within(usize::MAX, 100).unwrap();
    assert!(far.cost.forward > usize::MAX as u128);
    assert!(plan::bennett_within(usize::MAX, 100).is_some());
    assert_eq!(plan::best(100, 0, 0).unwrap().schedule, Schedule::StoreAll);
}

#[test]
fn bennett_uses_the_best_number_of_blocks() {
    let best = plan::bennett_within(9999, 60).unwrap();
    for blocks in 2..9999 {
        let cost = plan::gradient(Schedule::Bennett { blocks }, 9999);
        assert!(cost.buffers > 60 || cost.calls() >= best.cost.calls());
    }
}
