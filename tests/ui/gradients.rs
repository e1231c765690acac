use retrograde::prelude::*;

type Step = Box<dyn for<'a> Reversible<(&'a mut f64,)>>;

#[reversible]
fn a_function_of_an_unknown_type(y: &mut f64, #[constant] steps: &[Step]) {
    let first = &steps[0];
    first(y);
}

#[reversible]
fn a_pattern_with_a_rest(y: &mut f64, x: &[f64; 4]) {
    let [first, .., last] = *x;
    *y += first * last;
}

#[derive(Clone, Debug, AdditiveGroup, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[reversible]
fn a_pattern_in_a_loop(total: &mut f64, points: &[Point]) {
    for Point { x, y } in points {
        *total += *x * *y;
    }
}

#[reversible]
fn the_rest_of_a_struct(p: &mut Point, x: &f64, q: &Point) {
    *p += Point { x: *x, ..*q };
}

#[reversible]
fn a_list_of_values(total: &mut f64, a: &f64, b: &f64) {
    for x in [*a, *b] {
        *total += x.sin();
    }
}

#[reversible]
fn a_shift_by_what_is_not_constant(y: &mut f64, x: &f64, by: &f64) {
    *shifted(&mut *y, *by) += *x;
}

#[reversible]
fn a_function_that_is_passed(y: &mut f64, x: &[f64], g: impl Fn(f64) -> f64) {
    *y += g(x[0]);
}

#[reversible]
fn a_pointer_to_a_function(y: &mut f64, x: &f64, g: fn(f64) -> f64) {
    *y += 2.0 * g(*x);
}

#[reversible]
fn a_value_for_none(y: &mut f64, x: &f64, #[constant] o: Option<f64>) {
    *y += o.unwrap_or(*x);
}

#[reversible]
fn into_a_type_that_is_not_named(y: &mut f64, x: &f32) {
    let wide: f64 = (*x).into();
    *y += wide;
}

fn main() {}
