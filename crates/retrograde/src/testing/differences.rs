//! Slopes by differences, and whether a gradient agrees with them.

use super::{Components, Options, all};

/// What is said of a gradient.
pub(super) enum Verdict {
    /// It agrees with differences.
    Right,
    /// It does not, and why.
    Wrong(String),
}

/// The sum of all that a function leaves, each with a weight, as a function of one argument.
pub(super) struct Outputs<'a, A, F> {
    arguments: &'a A,
    forward: F,
    /// Of each number that the function leaves.
    weights: Vec<f64>,
    /// What is left where nothing is moved.
    here: Vec<f64>,
    /// Whether numbers are a fixed distance apart, however small they are.
    fixed: Vec<bool>,
    options: Options,
    precision: f64,
}

/// The slopes that one step gives.
#[derive(Clone, Copy, Debug)]
struct Slopes {
    left: f64,
    both: f64,
    right: f64,
    /// The size of what they are sums of.
    size: f64,
    /// What round-off can do to them.
    noise: f64,
}

impl Slopes {
    /// How far the sides are apart.
    fn spread(&self) -> f64 {
        // Not `max`, which takes no notice of a NaN.
        (self.left - self.both).abs() + (self.right - self.both).abs()
    }
}

/// The slope on one side, step by step.
#[derive(Clone, Copy, Debug)]
struct Side {
    slope: f64,
    allowed: f64,
}

/// Steps get smaller by this factor.
const SHRINK: f64 = 8.0;

/// Where two successive steps bring something down by so much, it goes to 0: it falls with the
/// square of the step at least, by 64.
const FALL: f64 = 16.0;

impl<'a, A: Components + Clone, F: Fn(&mut A)> Outputs<'a, A, F> {
    pub(super) fn new(
        arguments: &'a A,
        seeds: &A,
        forward: F,
        options: Options,
        precision: f64,
    ) -> Self {
        let mut probe = seeds.clone();
        let mut holds = |i: usize| {
            probe.set_component(i, 1e-30);
            probe.component(i) != 0.0
        };
        let fixed = (0..seeds.components()).map(|i| !holds(i)).collect();
        let weights = all(seeds);
        let mut outputs =
            Outputs { arguments, forward, weights, here: Vec::new(), fixed, options, precision };
        outputs.here = outputs.at(None);
        outputs
    }

    /// What is left, with one number of the arguments changed.
    fn at(&self, changed: Option<(usize, f64)>) -> Vec<f64> {
        let mut state = self.arguments.clone();
        if let Some((i, value)) = changed {
            state.set_component(i, value);
        }
        (self.forward)(&mut state);
        all(&state).iter().zip(&self.weights).map(|(value, weight)| value * weight).collect()
    }

    /// How far a gradient may be from differences, relative to its size.
    fn tolerance(&self) -> f64 {
        self.options.tolerance.unwrap_or_else(|| 4.0 * self.precision.powf(0.4))
    }

    /// The slopes with a step, by the points at one step and at two.
    fn slopes(&self, i: usize, step: f64) -> Slopes {
        let x = self.arguments.component(i);
        let at = |steps: f64| self.at(Some((i, x + steps * step)));
        let (a, b, c, d) = (at(1.0), at(-1.0), at(2.0), at(-2.0));
        let mut slopes = Slopes { left: 0.0, both: 0.0, right: 0.0, size: 0.0, noise: 0.0 };
        let numbers = self.here.iter().zip(&self.fixed).zip(&self.weights);
        for (k, ((here, fixed), weight)) in numbers.enumerate() {
            let (Some(a), Some(b), Some(c), Some(d)) = (a.get(k), b.get(k), c.get(k), d.get(k))
            else {
                // As many numbers are left only where nothing changes the shape.
                slopes.both = f64::NAN;
                continue;
            };
            let both = (8.0 * (a - b) - (c - d)) / (12.0 * step);
            slopes.left += (3.0 * here - 4.0 * b + d) / (2.0 * step);
            slopes.right += (4.0 * a - c - 3.0 * here) / (2.0 * step);
            slopes.both += both;
            slopes.size += both.abs();
            let largest = [a, b, c, d].into_iter().fold(here.abs(), |l, x| l.max(x.abs()));
            let unit = if *fixed { weight.abs().max(largest) } else { largest };
            slopes.noise += 30.0 * unit * self.precision / step;
        }
        slopes
    }

    /// The steps from the largest to the smallest: powers of two, so that they move numbers by
    /// just as much as they say.
    fn steps(&self, i: usize) -> impl Iterator<Item = f64> + use<A, F> {
        let x = self.arguments.component(i).abs();
        let default = 0.5 * self.precision.powf(0.2) * if x > 0.0 { x.max(1e-3) } else { 1.0 };
        let first = self.options.step.unwrap_or(default).log2().floor().exp2();
        let spacing = if self.fixed_at(i) { self.precision } else { self.precision * x };
        let smallest = (4.0 * spacing).max(f64::MIN_POSITIVE / f64::EPSILON);
        let mut next = first.max(smallest);
        std::iter::from_fn(move || {
            let step = next;
            next /= SHRINK;
            (step >= smallest).then_some(step)
        })
    }

    /// Whether the numbers around an argument are a fixed distance apart.
    fn fixed_at(&self, i: usize) -> bool {
        let mut probe = self.arguments.clone();
        probe.set_component(i, 1e-30);
        probe.component(i) == 0.0
    }

    /// Whether a gradient agrees with differences.
    ///
    /// Where the slopes of both sides meet, the function is smooth, and this is its slope. Where
    /// they do not, a smaller step may leave out what was in the way. If none does, each side
    /// has a slope of its own, or none.
    pub(super) fn judge(&self, i: usize, found: f64) -> Verdict {
        let tolerance = self.tolerance();
        let (mut spreads, mut misses) = (Vec::new(), Vec::new());
        let (mut lefts, mut rights): (Vec<Side>, Vec<Side>) = (Vec::new(), Vec::new());
        let (mut wrong, mut best): (Option<f64>, Option<Slopes>) = (None, None);
        for step in self.steps(i) {
            let slopes = self.slopes(i, step);
            let spread = slopes.spread();
            // Not a number is the smaller one.
            let largest = slopes.size.max(slopes.left.abs()).max(slopes.right.abs());
            if lefts.len() >= 2 && slopes.noise > 1e-3 * largest {
                break;
            }
            let allowed = tolerance * slopes.size + slopes.noise;
            spreads.push(spread);
            misses.push((found - slopes.both).abs());
            let smooth = spread <= allowed || falls(&spreads);
            if smooth && (misses[misses.len() - 1] <= allowed || falls(&misses)) {
                return Verdict::Right;
            }
            wrong = wrong.or(smooth.then_some(slopes.both));
            // It may yet come nearer, as the step gets smaller.
            if let Some(slope) = wrong
                && !nears(&misses)
            {
                return Verdict::Wrong(should_be(slope, found, ""));
            }
            if best.is_none_or(|best| spread < best.spread()) {
                best = Some(slopes);
            }
            let side = |slope: f64| Side { slope, allowed: tolerance * slope.abs() + slopes.noise };
            lefts.push(side(slopes.left));
            rights.push(side(slopes.right));
        }
        if let Some(slope) = wrong {
            return Verdict::Wrong(should_be(slope, found, ""));
        }
        // Round-off that the size of the results does not tell of.
        if let Some(best) = best
            && best.spread() <= 1e-3 * best.size
        {
            let near = (found - best.both).abs() <= tolerance * best.size + 2.0 * best.spread();
            return if near {
                Verdict::Right
            } else {
                Verdict::Wrong(should_be(best.both, found, ""))
            };
        }
        let inside = |low: Side, high: Side| {
            found >= low.slope - low.allowed && found <= high.slope + high.allowed
        };
        match (settled(&lefts), settled(&rights)) {
            (Some(left), Some(right)) => {
                let (low, high) =
                    if left.slope < right.slope { (left, right) } else { (right, left) };
                if inside(low, high) {
                    return Verdict::Right;
                }
                Verdict::Wrong(format!(
                    "should be between {:?} and {:?} at a kink by differences, and is {found:?}",
                    low.slope, high.slope
                ))
            }
            (Some(side), None) | (None, Some(side)) if inside(side, side) => Verdict::Right,
            (Some(side), None) | (None, Some(side)) => {
                Verdict::Wrong(should_be(side.slope, found, " of one side"))
            }
            (None, None) => Verdict::Wrong(format!(
                "is {found:?}, and no differences settle there\n\
                 help: choose another point, or give a `step` and a `tolerance`"
            )),
        }
    }
}

fn should_be(expected: f64, found: f64, of: &str) -> String {
    format!("should be {expected:?} by differences{of}, and is {found:?}")
}

/// Whether something went down twice, as it does when it goes to 0 with the step.
fn falls(values: &[f64]) -> bool {
    matches!(values, [.., a, b, c] if *b <= a / FALL && *c <= b / FALL)
}

/// Whether something may go to 0 yet.
fn nears(values: &[f64]) -> bool {
    match values {
        [.., a, b] => *b <= a / FALL,
        _ => true,
    }
}

/// The slope of one side, where two steps in succession agree on it.
fn settled(sides: &[Side]) -> Option<Side> {
    let agree = |pair: &&[Side]| (pair[0].slope - pair[1].slope).abs() <= pair[1].allowed;
    sides.windows(2).find(agree).map(|pair| pair[1])
}
