//! The elementary functions: which there are, and what their slopes ask for.
//! The slopes themselves are the library's, in `retrograde::derivative`.

/// What the slope of a function of one argument is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// Its argument.
    Argument,
    /// Its value, which may be at hand.
    Value,
}

/// Functions of one argument.
pub const UNARY: [(&str, From); 25] = [
    ("abs", From::Argument),
    ("acos", From::Argument),
    ("acosh", From::Argument),
    ("asin", From::Argument),
    ("asinh", From::Argument),
    ("atan", From::Argument),
    ("atanh", From::Argument),
    ("cbrt", From::Value),
    ("cos", From::Argument),
    ("cosh", From::Argument),
    ("exp", From::Value),
    ("exp2", From::Value),
    ("exp_m1", From::Argument),
    ("fast_exp", From::Value),
    ("fast_tanh", From::Value),
    ("ln", From::Argument),
    ("ln_1p", From::Argument),
    ("log10", From::Argument),
    ("log2", From::Argument),
    ("recip", From::Value),
    ("sin", From::Argument),
    ("sinh", From::Argument),
    ("sqrt", From::Value),
    ("tan", From::Value),
    ("tanh", From::Value),
];

/// Functions of two arguments, and whether their slopes need their value too.
pub const BINARY: [(&str, bool); 5] =
    [("atan2", false), ("hypot", true), ("max", false), ("min", false), ("powf", true)];

/// Functions that are constant but for jumps.
pub const JUMPS: [&str; 7] =
    ["ceil", "div_euclid", "floor", "round", "round_ties_even", "signum", "trunc"];

/// Functions that are made of others.
pub const COMPOSED: [&str; 8] =
    ["clamp", "copysign", "fract", "log", "mul_add", "rem_euclid", "to_degrees", "to_radians"];

/// Those of them that are taken apart without a rule that asks for a real number.
pub const OF_REALS: [&str; 6] =
    ["clamp", "fract", "mul_add", "rem_euclid", "to_degrees", "to_radians"];

/// Functions of complex numbers and vectors, whose results may have another
/// type: what their pullbacks take beside the gradient.
pub const OTHER: [(&str, Takes); 5] = [
    ("arg", Takes::Argument),
    ("conj", Takes::Nothing),
    ("norm", Takes::ArgumentAndValue),
    ("norm_sqr", Takes::Argument),
    ("norm_squared", Takes::Argument),
];

/// Methods of the standard library's that have no rule.
pub const STANDARD: [&str; 18] = [
    "expect",
    "first",
    "fold",
    "get",
    "into",
    "iter",
    "last",
    "map",
    "map_or",
    "map_or_else",
    "max_by",
    "min_by",
    "product",
    "sum",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
];

/// Methods with rules of their own that are not of real numbers alone.
const WITH_RULES: [&str; 6] = ["clone", "dot", "scaled", "sin_cos", "to_owned", "to_vec"];

/// Whether the derivative of a method is that which its type has by this name.
pub fn is_of_user(method: &str) -> bool {
    !is_known(method)
        && !OTHER.iter().any(|(name, _)| *name == method)
        && !WITH_RULES.contains(&method)
        && !STANDARD.contains(&method)
        && !crate::place::is_shape(method)
        && !method.starts_with("__")
}

/// What a pullback takes beside the gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// No more.
    Nothing,
    /// The argument.
    Argument,
    /// The argument and the value.
    ArgumentAndValue,
}

/// Whether a method maps real numbers to real numbers.
pub fn is_known(name: &str) -> bool {
    UNARY.iter().any(|(n, _)| *n == name)
        || BINARY.iter().any(|(n, _)| *n == name)
        || JUMPS.contains(&name)
        || COMPOSED.contains(&name)
        || name == "powi"
}
