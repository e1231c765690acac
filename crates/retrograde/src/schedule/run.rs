//! A run under a schedule, as a function and with its gradient.

use super::machine::{Differentiator, END, Ending, Walker, Watch};
use super::step::ReversibleStep;
use super::walk::{Bennett, START, Walk, WalkBack, treeverse};
use super::{Memory, Progress, Report, Schedule, State, Step, Way, plan};
use crate::derivative::Differentiable;
use crate::{Adjoint, Reversible};
use std::borrow::BorrowMut;

/// Many steps, one after the other, under a schedule.
///
/// [`gradient`](Self::gradient) runs all of them and gives the gradient. A run is
/// also a reversible function, which adds the end to its first argument:
/// `run(end, start, parameters)` can be passed to other functions, and called,
/// undone and differentiated by them.
///
/// ```
/// use retrograde::prelude::*;
/// use retrograde::schedule::{Run, Schedule};
///
/// #[reversible]
/// fn bounce(next: &mut f64, now: &f64, slope: &f64, _k: usize) {
///     *next += *slope * (1.0 - 2.0 * (*now - 0.5).abs());
/// }
///
/// /// How far two starts are apart in the end.
/// #[reversible]
/// fn distance<F>(y: &mut f64, run: &F, a: &f64, b: &f64, slope: &f64)
/// where
///     F: for<'a> Reversible<(&'a mut f64, &'a f64, &'a f64)>,
/// {
///     #[compute]
///     {
///         let (mut end_of_a, mut end_of_b) = (0.0, 0.0);
///         run(&mut end_of_a, a, slope);
///         run(&mut end_of_b, b, slope);
///     }
///     *y += end_of_a - end_of_b;
/// }
///
/// let run = Run::new(bounce {}, 10, Schedule::Bennett { blocks: 2 });
/// let mut y = 0.0;
/// distance(&mut y, &run, &0.26, &0.25, &0.75);
/// let (mut d_a, mut d_b, mut d_slope) = (0.0, 0.0, 0.0);
/// distance::adjoint(&mut y, &mut 1.0, &run, &0.26, &mut d_a, &0.25, &mut d_b, &0.75, &mut d_slope);
/// assert_eq!((y, d_a.abs()), (0.0, 1.5_f64.powi(10)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Run<F> {
    step: F,
    steps: usize,
    schedule: Schedule,
}

/// Where a run has ended, and the gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct RunGradient<S, P> {
    /// The state after the last step.
    pub end: S,
    /// The gradient with respect to the start.
    pub d_start: S,
    /// The gradient with respect to the parameters, summed over all steps.
    pub d_parameters: P,
    /// What it has cost.
    pub report: Report,
}

impl<F> Run<F> {
    /// So many steps. None at all is a run that ends where it starts.
    ///
    /// # Panics
    ///
    /// If the schedule has no checkpoint, or fewer than two blocks.
    #[track_caller]
    pub fn new(step: F, steps: usize, schedule: Schedule) -> Self {
        schedule.check();
        Run { step, steps, schedule }
    }

    /// The end, and the gradient with respect to the start and the parameters.
    ///
    /// `seed(end, d_end)` writes the gradient with respect to the end, which it may
    /// look at; `d_end` holds zeros.
    ///
    /// ```
    /// use retrograde::prelude::*;
    /// use retrograde::schedule::{Run, Schedule};
    ///
    /// /// A damped spring, in steps of a tenth.
    /// #[reversible]
    /// fn spring(next: &mut [f64; 2], now: &[f64; 2], damping: &f64, _k: usize) {
    ///     let [place, speed] = *now;
    ///     next[0] += place + 0.1 * speed;
    ///     next[1] += speed - 0.1 * (place + *damping * speed);
    /// }
    ///
    /// let run = |schedule| {
    ///     // The energy of the end.
    ///     Run::new(spring {}, 500, schedule).gradient(&[1.0, 0.0], &0.3, |end, d_end| *d_end = *end)
    /// };
    /// let stored = run(Schedule::StoreAll);
    /// let small = run(Schedule::Treeverse { checkpoints: 5 });
    /// assert_eq!((small.d_start, small.d_parameters), (stored.d_start, stored.d_parameters));
    /// assert_eq!((stored.report.forward, stored.report.peak), (500, 500));
    /// assert_eq!((small.report.forward, small.report.peak), (2577, 6));
    /// ```
    pub fn gradient<S: State + ?Sized, P: State + ?Sized>(
        &self,
        start: &S,
        parameters: &P,
        seed: impl FnMut(&S, &mut S),
    ) -> RunGradient<S::Owned, P::Owned>
    where
        F: Step<S, P>,
    {
        self.run_gradient(start, parameters, seed, &mut Memory::new(), None)
    }

    /// As [`gradient`](Self::gradient), in the memory of an earlier run.
    ///
    /// ```
    /// use retrograde::prelude::*;
    /// use retrograde::schedule::{Memory, Run, Schedule};
    ///
    /// #[reversible]
    /// fn blend(next: &mut [f64], now: &[f64], rate: &f64, _k: usize) {
    ///     let n = now.len();
    ///     for i in 0..n {
    ///         next[i] += now[i] + *rate * (now[(i + 1) % n] - now[i]);
    ///     }
    /// }
    ///
    /// let run = Run::new(blend {}, 100, Schedule::Treeverse { checkpoints: 5 });
    /// let (start, mut rate, mut memory) = ([1.0, 0.0, 0.0, 0.0], 0.001, Memory::new());
    /// // At which rate is the first number 0.5 in the end?
    /// for _ in 0..100 {
    ///     let seed = |end: &[f64], d_end: &mut [f64]| d_end[0] = end[0] - 0.5;
    ///     let at = run.gradient_in(&mut memory, &start[..], &rate, seed);
    ///     rate -= 1e-4 * at.d_parameters;
    /// }
    /// let end = run.gradient(&start[..], &rate, |_, _| ()).end;
    /// assert!((end[0] - 0.5).abs() < 1e-3);
    /// ```
    pub fn gradient_in<S: State + ?Sized, P: State + ?Sized>(
        &self,
        memory: &mut Memory<S>,
        start: &S,
        parameters: &P,
        seed: impl FnMut(&S, &mut S),
    ) -> RunGradient<S::Owned, P::Owned>
    where
        F: Step<S, P>,
    {
        self.run_gradient(start, parameters, seed, memory, None)
    }

    /// As [`gradient`](Self::gradient); `watch` is called whenever something has
    /// happened, with how many calls of all were made.
    ///
    /// ```
    /// # use retrograde::prelude::*;
    /// use retrograde::schedule::{Event, Run, Schedule};
    ///
    /// # #[reversible]
    /// # fn season(next: &mut f64, now: &f64, growth: &f64, _k: usize) {
    /// #     *next += *growth * *now * (1.0 - *now);
    /// # }
    /// let run = Run::new(season {}, 4, Schedule::Treeverse { checkpoints: 2 });
    /// let mut events = Vec::new();
    /// run.gradient_watched(&0.5, &2.5, |_, d_end| *d_end = 1.0, |progress| {
    ///     if progress.done == progress.of / 2 {
    ///         println!("half-way");
    ///     }
    ///     events.push(progress.event);
    /// });
    /// use Event::*;
    /// assert_eq!(events, [
    ///     Forward(0), Forward(1), Keep(2), Forward(2), Forward(3), Adjoint(3), Adjoint(2), Drop(2),
    ///     Forward(0), Keep(1), Adjoint(1), Drop(1), Adjoint(0),
    /// ]);
    /// ```
    pub fn gradient_watched<S: State + ?Sized, P: State + ?Sized>(
        &self,
        start: &S,
        parameters: &P,
        seed: impl FnMut(&S, &mut S),
        mut watch: impl FnMut(Progress),
    ) -> RunGradient<S::Owned, P::Owned>
    where
        F: Step<S, P>,
    {
        self.run_gradient(start, parameters, seed, &mut Memory::new(), Some(&mut watch))
    }

    fn run_gradient<S: State + ?Sized, P: State + ?Sized>(
        &self,
        start: &S,
        parameters: &P,
        mut seed: impl FnMut(&S, &mut S),
        memory: &mut Memory<S>,
        watch: Option<Watch>,
    ) -> RunGradient<S::Owned, P::Owned>
    where
        F: Step<S, P>,
    {
        let mut d_parameters = parameters.zero_like();
        let all = plan::gradient(self.schedule, self.steps).calls();
        let watch = watch.map(|watch| (&mut *watch as Watch, all));
        let walker = Walker::new(&self.step, start, parameters).reusing(memory);
        let ending = Ending::Made(&mut seed);
        let mut machine = Differentiator::new(walker, d_parameters.borrow_mut(), ending, watch);
        match self.schedule.way(self.steps) {
            _ if self.steps == 0 => machine.arrive(START),
            Way::Checkpoints(checkpoints) => treeverse(&mut machine, self.steps, checkpoints),
            Way::Blocks(blocks) => Bennett::new(&mut machine, blocks).gradient(self.steps),
        }
        let (end, d_start, report) = machine.finish(memory);
        let end = end.expect("every run arrives");
        RunGradient { end, d_start, d_parameters, report }
    }
}

/// Adds the end. Under Bennett's schedule every other state is uncomputed; under the
/// others, each is overwritten by the next but one.
impl<S, P, F> Reversible<(&mut S, &S, &P)> for Run<F>
where
    S: State + ?Sized,
    P: State + ?Sized,
    F: ReversibleStep<S, P>,
{
    fn call(&self, (end, start, parameters): (&mut S, &S, &P)) {
        if self.steps == 0 {
            return end.add_shadow(start.to_owned());
        }
        let mut walker = Walker::new(&self.step, start, parameters).ending_in(self.steps, end);
        if let Schedule::Bennett { blocks } = self.schedule {
            Bennett::new(&mut walker, blocks).compute(START, 0, self.steps);
        } else {
            walker.advance(START, 0, self.steps);
        }
    }

    fn call_inverse(&self, (end, start, parameters): (&mut S, &S, &P)) {
        if self.steps == 0 {
            return end.add_shadow(start.to_owned().negated_shadow());
        }
        let mut walker = Walker::new(&self.step, start, parameters).ending_in(self.steps, end);
        if let Schedule::Bennett { blocks } = self.schedule {
            Bennett::new(&mut walker, blocks).uncompute(START, 0, self.steps, END);
        } else {
            let last = self.steps - 1;
            let now = if last == 0 { START } else { walker.advance(START, 0, last) };
            walker.undo(now, last, END);
        }
    }
}

/// The arguments of the adjoint of a run.
type Shadowed<'a, S, P> = (&'a mut S, &'a mut S, &'a S, &'a mut S, &'a P, &'a mut P);

/// The arguments of the adjoint of a step.
type ShadowedStep<'a, S, P> = (&'a mut S, &'a mut S, &'a S, &'a mut S, &'a P, &'a mut P, usize);

impl<F> Run<F> {
    /// `last` is what is run of the last step, between the caller's end and the state
    /// before it. From there on, all is the same.
    fn back<S: State + ?Sized, P: State + ?Sized>(
        &self,
        (end, d_end, start, d_start, parameters, d_parameters): Shadowed<S, P>,
        last: impl Fn(&F, ShadowedStep<S, P>),
    ) where
        F: ReversibleStep<S, P>,
    {
        let k = self.steps - 1;
        let mut begin = |now: &S, d_now: &mut S, d_parameters: &mut P| {
            last(&self.step, (end, d_end, now, d_now, parameters, d_parameters, k));
        };
        let walker = Walker::new(&self.step, start, parameters);
        let ending = Ending::Given(&mut begin);
        let mut machine = Differentiator::new(walker, d_parameters, ending, None);
        match self.schedule.way(self.steps) {
            Way::Checkpoints(checkpoints) => treeverse(&mut machine, self.steps, checkpoints),
            Way::Blocks(blocks) => {
                Bennett::new(&mut machine, blocks).adjoint(START, 0, self.steps);
            }
        }
        let (_, gradient, _) = machine.finish(&mut Memory::new());
        d_start.add_shadow(gradient);
    }
}

impl<S, P, F> Adjoint<Shadowed<'_, S, P>> for Run<F>
where
    S: State + ?Sized,
    P: State + ?Sized,
    F: ReversibleStep<S, P>,
{
    fn call_adjoint(&self, arguments: Shadowed<S, P>) {
        if self.steps == 0 {
            let (end, d_end, start, d_start, ..) = arguments;
            end.add_shadow(start.to_owned().negated_shadow());
            return d_start.add_shadow(d_end.to_owned());
        }
        self.back(arguments, |step, arguments| step.call_adjoint(arguments));
    }

    fn call_inverse_adjoint(&self, arguments: Shadowed<S, P>) {
        if self.steps == 0 {
            let (end, d_end, start, d_start, ..) = arguments;
            end.add_shadow(start.to_owned());
            return d_start.add_shadow(d_end.to_owned().negated_shadow());
        }
        self.back(arguments, |step, arguments| step.call_inverse_adjoint(arguments));
    }

    fn call_gradient(&self, arguments: Shadowed<S, P>) {
        if self.steps == 0 {
            return self.call_adjoint(arguments);
        }
        self.back(arguments, |step, arguments| step.call_gradient(arguments));
    }
}
