//! What generated code needs and people do not.
#![allow(missing_docs)]

/// Reads a value out of its place, through any references.
///
/// A method rather than a function, so that the compiler's search for it does
/// the dereferencing: on a `T`, `&T` or `&mut T` it gives a `T`.
pub trait Value: Clone {
    #[inline]
    fn __value(&self) -> Self {
        self.clone()
    }
}

impl<T: Clone> Value for T {}

/// Evaluates an expression that must not change anything: what an `Fn` captures,
/// it may only read.
#[inline(always)]
pub fn pure<R>(expression: impl Fn() -> R) -> R {
    expression()
}

/// Stand-ins for functions without a companion type. Generated code imports
/// the callee as `Callee` and one of these by a glob, which loses against it.
pub mod no_inverse {
    #[diagnostic::on_unimplemented(
        message = "this function has no inverse",
        label = "called by a reversible function, which must be able to undo it",
        note = "help: mark the function with `#[reversible]`, give it an inverse by hand with `#[instruction(inverse = …)]`, or call it inside `host! {{ … }}` if it may run in both directions"
    )]
    pub trait Invertible {}

    macro_rules! stand_ins {
        ($($module:ident($($argument:ident),*))+) => {$(
            pub mod $module {
                pub struct Callee {}
                impl Callee {
                    #[allow(non_snake_case, clippy::too_many_arguments)]
                    pub fn inverse<$($argument),*>($(_: $argument),*)
                    where
                        ($($argument,)*): super::Invertible,
                    {
                    }
                }
            }
        )+};
    }

    stand_ins! {
        arguments_1(A)
        arguments_2(A, B)
        arguments_3(A, B, C)
        arguments_4(A, B, C, D)
        arguments_5(A, B, C, D, E)
        arguments_6(A, B, C, D, E, F)
        arguments_7(A, B, C, D, E, F, G)
        arguments_8(A, B, C, D, E, F, G, H)
        arguments_9(A, B, C, D, E, F, G, H, I)
        arguments_10(A, B, C, D, E, F, G, H, I, J)
        arguments_11(A, B, C, D, E, F, G, H, I, J, K)
        arguments_12(A, B, C, D, E, F, G, H, I, J, K, L)
    }
}
