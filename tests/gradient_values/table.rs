//! The functions, each in a module of its own: alone and in a larger program, on
//! floats and on any number. What is emitted for these differs.

/// Functions of `x`, and where they are looked at.
macro_rules! unary {
    ([$elementary:tt] $($name:ident in $range:expr => |$x:ident| { $($e:tt)+ })+) => {
        $(pub mod $name {
            use retrograde::prelude::*;

            pub const RANGES: [std::ops::Range<f64>; 1] = [$range];

            #[reversible]
            pub fn concrete(y: &mut f64, $x: &f64) {
                *y += $($e)+;
            }

            #[reversible]
            pub fn generic<T: Real>(y: &mut T, $x: &T) {
                *y += $($e)+;
            }

            #[reversible]
            pub fn mixed_concrete(y: &mut f64, $x: &f64) {
                let a = $($e)+;
                *y += a * *$x + (0.5 * ($($e)+)).sin();
                *y -= 2.0 * ($($e)+) / (3.0 + a * a);
            }

            #[reversible]
            pub fn mixed_single(y: &mut f32, $x: &f32) {
                let a = $($e)+;
                *y += a * *$x + (0.5 * ($($e)+)).sin();
                *y -= 2.0 * ($($e)+) / (3.0 + a * a);
            }

            #[reversible]
            pub fn mixed_generic<T: Real>(y: &mut T, $x: &T) {
                let a = $($e)+;
                *y += a * *$x + (0.5 * ($($e)+)).sin();
                *y -= 2.0 * ($($e)+) / (3.0 + a * a);
            }

            unary!(@elementary $elementary |$x| { $($e)+ });
        })+
    };
    (@elementary yes |$x:ident| { $($e:tt)+ }) => {
        #[reversible]
        pub fn elementary<T: Elementary>(y: &mut T, $x: &T) {
            *y += $($e)+;
        }

        #[reversible]
        pub fn mixed_elementary<T: Elementary>(y: &mut T, $x: &T) {
            let a = $($e)+;
            *y += a * *$x + (0.5 * ($($e)+)).sin();
            *y -= 2.0 * ($($e)+) / (3.0 + a * a);
        }
    };
    (@elementary no |$x:ident| { $($e:tt)+ }) => {
        pub use generic as elementary;
        pub use mixed_generic as mixed_elementary;
    };
}

/// Functions of `a` and `b`.
macro_rules! binary {
    ([$elementary:tt]
        $($name:ident in $left:expr, $right:expr => |$a:ident, $b:ident| { $($e:tt)+ })+) => {
        $(pub mod $name {
            use retrograde::prelude::*;

            pub const RANGES: [std::ops::Range<f64>; 2] = [$left, $right];

            #[reversible]
            pub fn concrete(y: &mut f64, $a: &f64, $b: &f64) {
                *y += $($e)+;
            }

            #[reversible]
            pub fn generic<T: Real>(y: &mut T, $a: &T, $b: &T) {
                *y += $($e)+;
            }

            #[reversible]
            pub fn mixed_concrete(y: &mut f64, $a: &f64, $b: &f64) {
                *y += ($($e)+).sin() * *$a;
                *y -= *$b * ($($e)+);
            }

            #[reversible]
            pub fn mixed_single(y: &mut f32, $a: &f32, $b: &f32) {
                *y += ($($e)+).sin() * *$a;
                *y -= *$b * ($($e)+);
            }

            #[reversible]
            pub fn mixed_generic<T: Real>(y: &mut T, $a: &T, $b: &T) {
                *y += ($($e)+).sin() * *$a;
                *y -= *$b * ($($e)+);
            }

            binary!(@elementary $elementary |$a, $b| { $($e)+ });
        })+
    };
    (@elementary yes |$a:ident, $b:ident| { $($e:tt)+ }) => {
        #[reversible]
        pub fn elementary<T: Elementary>(y: &mut T, $a: &T, $b: &T) {
            *y += $($e)+;
        }

        #[reversible]
        pub fn mixed_elementary<T: Elementary>(y: &mut T, $a: &T, $b: &T) {
            *y += ($($e)+).sin() * *$a;
            *y -= *$b * ($($e)+);
        }
    };
    (@elementary no |$a:ident, $b:ident| { $($e:tt)+ }) => {
        pub use generic as elementary;
        pub use mixed_generic as mixed_elementary;
    };
}

unary! { [yes]
    negation in -3.0..3.0 => |x| { -*x }
    plus in -3.0..3.0 => |x| { *x + 1.5 }
    plus_from_left in -3.0..3.0 => |x| { 1.5 + *x }
    minus in -3.0..3.0 => |x| { *x - 1.5 }
    minus_from_left in -3.0..3.0 => |x| { 1.5 - *x }
    times in -3.0..3.0 => |x| { *x * 1.5 }
    times_from_left in -3.0..3.0 => |x| { 1.5 * *x }
    over in -3.0..3.0 => |x| { *x / 1.5 }
    scaled in -3.0..3.0 => |x| { x.scaled(1.5) }
    over_from_left in 0.3..3.0 => |x| { 1.5 / *x }
    square in -3.0..3.0 => |x| { *x * *x }
    recip in 0.3..3.0 => |x| { x.recip() }
    sqrt in 0.1..4.0 => |x| { x.sqrt() }
    cbrt in 0.1..4.0 => |x| { x.cbrt() }
    exp in -2.0..2.0 => |x| { x.exp() }
    fast_exp in -2.0..2.0 => |x| { x.fast_exp() }
    fast_tanh in -2.0..2.0 => |x| { x.fast_tanh() }
    exp2 in -2.0..2.0 => |x| { x.exp2() }
    exp_m1 in -2.0..2.0 => |x| { x.exp_m1() }
    ln in 0.2..4.0 => |x| { x.ln() }
    ln_1p in -0.6..4.0 => |x| { x.ln_1p() }
    log2 in 0.2..4.0 => |x| { x.log2() }
    log10 in 0.2..4.0 => |x| { x.log10() }
    sin in -3.0..3.0 => |x| { x.sin() }
    cos in -3.0..3.0 => |x| { x.cos() }
    tan in -1.2..1.2 => |x| { x.tan() }
    asin in -0.9..0.9 => |x| { x.asin() }
    acos in -0.9..0.9 => |x| { x.acos() }
    atan in -3.0..3.0 => |x| { x.atan() }
    sinh in -2.0..2.0 => |x| { x.sinh() }
    cosh in -2.0..2.0 => |x| { x.cosh() }
    tanh in -2.0..2.0 => |x| { x.tanh() }
    asinh in -3.0..3.0 => |x| { x.asinh() }
    acosh in 1.2..4.0 => |x| { x.acosh() }
    atanh in -0.8..0.8 => |x| { x.atanh() }
    sin_of_both in -3.0..3.0 => |x| { x.sin_cos().0 }
    cos_of_both in -3.0..3.0 => |x| { x.sin_cos().1 }
    powi_0 in 0.3..2.0 => |x| { x.powi(0) }
    powi_1 in 0.3..2.0 => |x| { x.powi(1) }
    powi_2 in -2.0..2.0 => |x| { x.powi(2) }
    powi_5 in -0.7..0.7 => |x| { x.powi(5) }
    powi_minus_3 in 1.1..2.0 => |x| { x.powi(-3) }
    powf_by_itself in 0.3..2.0 => |x| { x.powf(*x) }
}

unary! { [no]
    abs in 0.1..3.0 => |x| { x.abs() }
    abs_of_negative in -3.0..-0.1 => |x| { x.abs() }
    floor in 0.1..0.9 => |x| { x.floor() }
    ceil in 0.1..0.9 => |x| { x.ceil() }
    round in 0.1..0.4 => |x| { x.round() }
    trunc in 0.1..0.9 => |x| { x.trunc() }
    signum in 0.1..0.9 => |x| { x.signum() }
    fract in 2.1..2.9 => |x| { x.fract() }
    fract_of_negative in -2.9..-2.1 => |x| { x.fract() }
    clamp in -1.4..1.9 => |x| { x.clamp(-1.5, 2.0) }
    clamp_below in -3.0..-1.6 => |x| { x.clamp(-1.5, 2.0) }
    clamp_above in 2.1..3.0 => |x| { x.clamp(-1.5, 2.0) }
    rest_of_literal in 2.6..3.6 => |x| { *x % 1.25 }
    rest_in_literal in 0.7..0.9 => |x| { 2.0 % *x }
    log_of_literal in 0.2..4.0 => |x| { x.log(3.0) }
}

binary! { [yes]
    sum in -3.0..3.0, -3.0..3.0 => |a, b| { *a + *b }
    difference in -3.0..3.0, -3.0..3.0 => |a, b| { *a - *b }
    product in -3.0..3.0, -3.0..3.0 => |a, b| { *a * *b }
    quotient in -3.0..3.0, 0.8..3.0 => |a, b| { *a / *b }
    powf in 0.7..2.0, -1.0..1.5 => |a, b| { a.powf(*b) }
    fraction in -2.0..2.0, -2.0..2.0 => |a, b| { (*a * *b - *a) / (3.0 + *b * *b) }
}

binary! { [no]
    hypot in 0.2..3.0, -3.0..3.0 => |a, b| { a.hypot(*b) }
    atan2 in 0.2..3.0, -3.0..3.0 => |a, b| { a.atan2(*b) }
    atan2_below in -3.0..-0.2, -3.0..3.0 => |a, b| { a.atan2(*b) }
    min_of_left in -3.0..0.9, 1.1..3.0 => |a, b| { a.min(*b) }
    min_of_right in 1.1..3.0, -3.0..0.9 => |a, b| { a.min(*b) }
    max_of_left in 1.1..3.0, -3.0..0.9 => |a, b| { a.max(*b) }
    max_of_right in -3.0..0.9, 1.1..3.0 => |a, b| { a.max(*b) }
    mul_add in -3.0..3.0, -3.0..3.0 => |a, b| { a.mul_add(*b, *a) }
    rest in 2.1..2.9, 0.98..1.0 => |a, b| { *a % *b }
    rest_of_negative in -2.9..-2.1, 0.98..1.0 => |a, b| { *a % *b }
    rest_by_negative in 2.1..2.9, -1.0..-0.98 => |a, b| { *a % *b }
    rem_euclid in 2.1..2.9, 0.98..1.0 => |a, b| { a.rem_euclid(*b) }
    rem_euclid_of_negative in -2.9..-2.1, 0.98..1.0 => |a, b| { a.rem_euclid(*b) }
    rem_euclid_by_negative in -2.9..-2.1, -1.0..-0.98 => |a, b| { a.rem_euclid(*b) }
    div_euclid in -2.9..-2.1, 0.98..1.0 => |a, b| { a.div_euclid(*b) * *a }
    copysign in 0.1..3.0, -3.0..-0.1 => |a, b| { a.copysign(*b) }
    copysign_of_negative in -3.0..-0.1, -3.0..-0.1 => |a, b| { a.copysign(*b) }
    log in 0.5..3.0, 1.5..4.0 => |a, b| { a.log(*b) }
    clamp_to_other in 1.1..3.0, -3.0..0.9 => |a, b| { a.clamp(*b - 5.0, *b) }
}

/// Calls a macro for each function of one argument, with whether complex numbers
/// have it.
macro_rules! each_unary {
    ($call:ident) => {
        $call! { yes
            negation plus plus_from_left minus minus_from_left times times_from_left over scaled
            over_from_left square recip sqrt cbrt exp exp2 exp_m1 fast_exp fast_tanh ln ln_1p log2 log10
            sin cos tan
            asin acos atan sinh cosh tanh asinh acosh atanh sin_of_both cos_of_both powi_0 powi_1
            powi_2 powi_5 powi_minus_3 powf_by_itself
        }
        $call! { no
            abs abs_of_negative floor ceil round trunc signum fract fract_of_negative clamp
            clamp_below clamp_above rest_of_literal rest_in_literal log_of_literal
        }
    };
}

/// The same for two arguments.
macro_rules! each_binary {
    ($call:ident) => {
        $call! { yes sum difference product quotient powf fraction }
        $call! { no
            hypot atan2 atan2_below min_of_left min_of_right max_of_left max_of_right mul_add rest
            rest_of_negative rest_by_negative rem_euclid rem_euclid_of_negative
            rem_euclid_by_negative div_euclid copysign copysign_of_negative log clamp_to_other
        }
    };
}

pub(crate) use {each_binary, each_unary};
