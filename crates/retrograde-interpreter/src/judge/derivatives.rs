//! Derivatives of what was emitted, against those of the source by dual numbers.

use super::{TOLERANCE, Trial, Values, Verdict, WILD, largest, numbers, tame};
use crate::machine::{Argument, Direction, run};
use crate::number::Dual;
use crate::random::Random;
use crate::value::Value;

fn weighted(weights: &[f64], slopes: &[Dual]) -> f64 {
    weights.iter().zip(slopes).map(|(weight, slope)| weight * slope.slope).sum()
}

impl Trial<'_> {
    /// The derivative of the source along a direction: the slopes of what it leaves.
    fn along(&self, before: &[Value<f64>], direction: &[f64]) -> Result<Vec<Dual>, Verdict> {
        let mut slopes = direction.iter();
        let mut next =
            |value: f64| Dual { value, slope: *slopes.next().expect("a slope for each number") };
        let duals: Vec<Value<Dual>> =
            before.iter().map(|value| value.with_numbers(&mut next)).collect();
        let after = self.run_plain(&self.source, &[self.function], self.undoing, &duals)?;
        let mut numbers = Vec::new();
        after.iter().for_each(|value| value.numbers(&mut numbers));
        Ok(numbers)
    }

    /// Random numbers of the shape of the arguments that have shadows; zeros elsewhere.
    fn random_shadows(&mut self, before: &[Value<f64>]) -> Values {
        let parameters = self.parameters.clone();
        parameters
            .iter()
            .zip(before)
            .map(|(parameter, value)| {
                let random = &mut self.random;
                value.with_numbers(&mut |_| if parameter.shadowed { random.number() } else { 0.0 })
            })
            .collect()
    }

    /// The adjoint there and the inverse adjoint back, and the gradient alone.
    pub(super) fn adjoints(&mut self, before: &Values, after: &Values) -> Result<(), Verdict> {
        let weights = self.random_shadows(before);
        let direction = self.random_shadows(before);
        let slopes = self.along(before, &numbers(&direction))?;
        let scale = largest(before).max(largest(after));
        let (restored, gradient) = self.run_shadowed("adjoint", after, &weights)?;
        self.near("the values after the adjoint", &restored, before, scale)?;
        self.transposed("adjoint", &weights, &slopes, &gradient, &direction, before)?;
        let (again, weights_again) = self.run_shadowed("inverse_adjoint", &restored, &gradient)?;
        let scale = scale.max(largest(&gradient));
        self.near("the values after the inverse adjoint", &again, after, scale)?;
        let scale = match self.near("", &weights_again, &weights, scale) {
            Ok(()) => scale,
            Err(_) => scale.max(self.magnified(&restored, &gradient, &weights_again)?),
        };
        let what = "the gradient after the inverse adjoint";
        if let Err(wrong) = self.near(what, &weights_again, &weights, scale) {
            let weighted = |slopes: &[Dual]| weighted(&numbers(&weights), slopes);
            let [least, most] = self.slopes_beside(before, &numbers(&direction), weighted)?;
            // At a kink, each way may go by another side.
            return if most - least > TOLERANCE * scale { Ok(()) } else { Err(wrong) };
        }
        if self.emitted.member(self.function, "__gradient").is_some() {
            let (_, alone) = self.run_shadowed("__gradient", after, &weights)?;
            self.near("the gradient without values", &alone, &gradient, scale)?;
        }
        Ok(())
    }

    /// What rounding grows to on the way back through the inverse adjoint, as a scale: how
    /// far its result moves if the gradient that it starts from moves by some bits.
    fn magnified(
        &self,
        values: &Values,
        gradient: &Values,
        result: &Values,
    ) -> Result<f64, Verdict> {
        const BITS: f64 = 1e-14;
        let moved: Values = gradient
            .iter()
            .map(|value| value.with_numbers(&mut |g| g + BITS * g.abs().max(1.0)))
            .collect();
        let (_, moved) = self.run_shadowed("inverse_adjoint", values, &moved)?;
        let (from, to) = (numbers(result), numbers(&moved));
        let far = from.iter().zip(&to).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        Ok(far / TOLERANCE)
    }

    /// `⟨w, J t⟩ = ⟨Jᵀ w, t⟩`
    fn transposed(
        &self,
        what: &str,
        weights: &[Value<f64>],
        slopes: &[Dual],
        gradient: &[Value<f64>],
        direction: &[Value<f64>],
        before: &[Value<f64>],
    ) -> Result<(), Verdict> {
        let (weights, gradient, direction) =
            (numbers(weights), numbers(gradient), numbers(direction));
        let there: Vec<f64> =
            weights.iter().zip(slopes).map(|(w, slope)| w * slope.slope).collect();
        let back: Vec<f64> = gradient.iter().zip(&direction).map(|(g, t)| g * t).collect();
        let scale: f64 = there.iter().chain(&back).map(|term| term.abs()).sum::<f64>().max(1.0);
        if !scale.is_finite() || scale > WILD {
            return Err(Verdict::Wild);
        }
        let (there, back): (f64, f64) = (there.iter().sum(), back.iter().sum());
        if (there - back).abs() <= TOLERANCE * scale {
            return Ok(());
        }
        let [least, most] =
            self.slopes_beside(before, &direction, |slopes| weighted(&weights, slopes))?;
        if least - TOLERANCE * scale <= back && back <= most + TOLERANCE * scale {
            return Ok(());
        }
        // Which one it is.
        let mut told = format!("{what}: ⟨w, J t⟩ is {there}, ⟨Jᵀ w, t⟩ is {back}");
        for i in (0..gradient.len()).take(60) {
            let mut unit = vec![0.0; gradient.len()];
            unit[i] = 1.0;
            let slopes = self.along(before, &unit)?;
            let expected = weighted(&weights, &slopes);
            if (expected - gradient[i]).abs() > TOLERANCE * scale {
                told += &format!(
                    "; by {} it is {}, expected {expected}",
                    self.name_of(i, before),
                    gradient[i]
                );
                break;
            }
        }
        Err(Verdict::Wrong(told))
    }

    /// The least and the largest derivative at points so near that the values are the same. They
    /// differ at a kink: at `max` of two equal numbers there is one on each side, at `hypot` of
    /// zeros one for each direction. Beside a jump the values differ, and a derivative of the
    /// other side is wrong.
    fn slopes_beside(
        &self,
        before: &[Value<f64>],
        direction: &[f64],
        derivative: impl Fn(&[Dual]) -> f64,
    ) -> Result<[f64; 2], Verdict> {
        const NUDGE: f64 = 1e-11;
        const SAME: f64 = 1e-8;
        let here = self.along(before, direction)?;
        let same = |a: &Dual, b: &Dual| (a.value - b.value).abs() <= SAME * a.value.abs().max(1.0);
        let mut random = Random::new(1);
        let [mut least, mut most] = [derivative(&here); 2];
        for _ in 0..16 {
            let mut nudge = |number: f64| number + NUDGE * random.number();
            let beside: Values =
                before.iter().map(|value| value.with_numbers(&mut nudge)).collect();
            let Ok(slopes) = self.along(&beside, direction) else { continue };
            if here.iter().zip(&slopes).all(|(a, b)| same(a, b)) {
                let slope = derivative(&slopes);
                (least, most) = (least.min(slope), most.max(slope));
            }
        }
        Ok([least, most])
    }

    /// What a number of the arguments is called.
    fn name_of(&self, mut index: usize, values: &[Value<f64>]) -> String {
        for (parameter, value) in self.parameters.iter().zip(values) {
            let count = numbers(std::slice::from_ref(value)).len();
            if index < count {
                return if count == 1 {
                    parameter.name.clone()
                } else {
                    format!("number {index} of {}", parameter.name)
                };
            }
            index -= count;
        }
        "nothing".into()
    }

    /// `f::gradient(…)`: the value that is added to the first `&mut` number, and its
    /// gradient by the other arguments.
    pub(super) fn gradient(&mut self, before: &Values) -> Result<(), Verdict> {
        let loss = self.parameters.iter().position(|parameter| parameter.written);
        let (Some(loss), true) = (loss, self.emitted.member(self.function, "gradient").is_some())
        else {
            return Ok(());
        };
        let mut start = before.clone();
        start[loss] = Value::Number(0.0);
        let mut direction = self.random_shadows(before);
        direction[loss] = Value::Number(0.0);
        let Ok(slopes) = self.along(&start, &numbers(&direction)) else { return Ok(()) };
        let at = numbers(&start[..loss]).len();
        let expected = slopes[at];
        let mut arguments = Vec::new();
        for (i, (parameter, value)) in self.parameters.iter().zip(&start).enumerate() {
            if i != loss {
                arguments.push(match parameter.lent {
                    true => Argument::Lent(value.clone()),
                    false => Argument::Given(value.clone()),
                });
            }
        }
        let path = [self.function, "gradient"];
        let result = run(&self.emitted, &path, Direction::Forward, &mut arguments)?;
        tame(&result)?;
        let Value::Struct(_, fields) = result.value else {
            return Err(Verdict::Unknown(format!("the gradient {}", result.value)));
        };
        let field =
            |name: &str| fields.iter().find(|(known, _)| &**known == name).map(|(_, value)| value);
        let Some(Value::Number(value)) = field("value") else {
            return Err(Verdict::Unknown("a gradient without a value".into()));
        };
        let (mut sum, mut scale) = (0.0, 1.0);
        for (parameter, direction) in self.parameters.iter().zip(&direction) {
            if let Some(gradient) = field(&format!("d_{}", parameter.name)) {
                let terms = numbers(std::slice::from_ref(gradient));
                let terms =
                    terms.iter().zip(numbers(std::slice::from_ref(direction))).map(|(g, t)| g * t);
                terms.for_each(|term| {
                    sum += term;
                    scale += term.abs();
                });
            }
        }
        let value_scale = expected.value.abs().max(1.0);
        if (value - expected.value).abs() > TOLERANCE * value_scale {
            let text = format!("gradient: the value is {value}, expected {}", expected.value);
            return Err(Verdict::Wrong(text));
        }
        let tolerance = TOLERANCE * scale.max(expected.slope.abs());
        if (sum - expected.slope).abs() <= tolerance {
            return Ok(());
        }
        let [least, most] =
            self.slopes_beside(&start, &numbers(&direction), |slopes| slopes[at].slope)?;
        if sum < least - tolerance || sum > most + tolerance {
            let text =
                format!("gradient: along a direction it is {sum}, expected {}", expected.slope);
            return Err(Verdict::Wrong(text));
        }
        Ok(())
    }
}
