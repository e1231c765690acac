//! What a launch takes: buffers, single values in memory, and values.

use crate::buffer::{Buffer, Raw, Single};
use crate::bytes::zero;
use crate::source::Shape;
use retrograde::device::{Form, Type};
use retrograde::{Adjoint, Reversible};
use std::any::TypeId;
use std::borrow::Cow;

/// An argument of a launch.
pub trait Argument: for<'a> OnHost<'a> {
    #[doc(hidden)]
    fn passed(&mut self) -> Passed<'_>;
    /// On the processor, before the row of one number of one index.
    #[doc(hidden)]
    fn begin(&mut self, _index: usize, _component: usize) {}
    /// On the processor, after a row.
    #[doc(hidden)]
    fn end(&mut self, _row: usize) {}
}

/// What an argument is to the function when it runs on the processor.
pub trait OnHost<'a> {
    /// Its type there.
    type Host;
    #[doc(hidden)]
    fn host(this: &'a mut Self) -> Self::Host;
}

/// An argument on its way to a device.
#[doc(hidden)]
pub struct Passed<'a> {
    pub(crate) shape: Shape,
    pub(crate) written: bool,
    pub(crate) id: TypeId,
    pub(crate) form: fn() -> Form,
    pub(crate) content: Content<'a>,
}

/// What is passed.
pub(crate) enum Content<'a> {
    /// A value, by its bytes.
    Bytes(Cow<'a, [u8]>),
    /// Memory, and the number of its elements.
    Memory(Raw<'a>, usize),
    /// Nothing: the kernel makes it.
    Nothing,
}

/// The arguments of a launch behind the index.
pub trait Arguments<I>: for<'a> AllOnHost<'a, I> {
    #[doc(hidden)]
    fn passed(&mut self) -> Vec<Passed<'_>>;
    #[doc(hidden)]
    fn begin(&mut self, index: usize, component: usize);
    #[doc(hidden)]
    fn end(&mut self, row: usize);
}

/// The arguments of a function when it runs on the processor, the index among them.
pub trait AllOnHost<'a, I> {
    /// Their type there.
    type Host;
    #[doc(hidden)]
    fn host(this: &'a mut Self, index: I) -> Self::Host;
}

/// Arguments that fit a function, behind an index.
#[diagnostic::on_unimplemented(
    message = "these are not the arguments of `{F}` behind the index",
    note = "help: pass a `&Buffer` for a `&[T]`, a `&mut Buffer` for a `&mut [T]`, a number for a number, a `Value` for a struct or array, and a `&Single` for a `&T`"
)]
pub trait Fits<F, I>: Arguments<I> {
    #[doc(hidden)]
    fn call(&mut self, function: &F, index: I);
    #[doc(hidden)]
    fn call_inverse(&mut self, function: &F, index: I);
}

/// Arguments that fit the adjoint of a function: each that carries a gradient is followed
/// by its shadow.
#[diagnostic::on_unimplemented(
    message = "these are not the arguments of the adjoint of `{F}` behind the index",
    note = "help: every argument that carries a gradient is followed by its shadow: a `&mut Buffer` for a slice, a `&mut Single` for a number or a reference to one"
)]
pub trait FitsAdjoint<F, I>: Arguments<I> {
    #[doc(hidden)]
    fn call_adjoint(&mut self, function: &F, index: I);
    #[doc(hidden)]
    fn call_inverse_adjoint(&mut self, function: &F, index: I);
    #[doc(hidden)]
    fn call_gradient(&mut self, function: &F, index: I);
}

impl<A, F, I> Fits<F, I> for A
where
    A: Arguments<I>,
    F: for<'h> Reversible<<A as AllOnHost<'h, I>>::Host>,
{
    fn call(&mut self, function: &F, index: I) {
        function.call(A::host(self, index));
    }
    fn call_inverse(&mut self, function: &F, index: I) {
        function.call_inverse(A::host(self, index));
    }
}

impl<A, F, I> FitsAdjoint<F, I> for A
where
    A: Arguments<I>,
    F: for<'h> Adjoint<<A as AllOnHost<'h, I>>::Host>,
{
    fn call_adjoint(&mut self, function: &F, index: I) {
        function.call_adjoint(A::host(self, index));
    }
    fn call_inverse_adjoint(&mut self, function: &F, index: I) {
        function.call_inverse_adjoint(A::host(self, index));
    }
    fn call_gradient(&mut self, function: &F, index: I) {
        function.call_gradient(A::host(self, index));
    }
}

impl<'a, T: Type> OnHost<'a> for &Buffer<T> {
    type Host = &'a [T];
    fn host(this: &'a mut Self) -> &'a [T] {
        this.host_slice()
    }
}

impl<T: Type> Argument for &Buffer<T> {
    fn passed(&mut self) -> Passed<'_> {
        let content = Content::Memory(self.raw(), self.len());
        let (shape, written) = (Shape::Slice, false);
        Passed { shape, written, id: TypeId::of::<T>(), form: T::form, content }
    }
}

impl<'a, T: Type> OnHost<'a> for &mut Buffer<T> {
    type Host = &'a mut [T];
    fn host(this: &'a mut Self) -> &'a mut [T] {
        this.host_slice_mut()
    }
}

impl<T: Type> Argument for &mut Buffer<T> {
    fn passed(&mut self) -> Passed<'_> {
        let length = self.len();
        let content = Content::Memory(self.raw_mut(), length);
        let (shape, written) = (Shape::Slice, true);
        Passed { shape, written, id: TypeId::of::<T>(), form: T::form, content }
    }
}

impl<'a, T: Type> OnHost<'a> for &Single<T> {
    type Host = &'a T;
    fn host(this: &'a mut Self) -> &'a T {
        &this.0.host_slice()[0]
    }
}

impl<T: Type> Argument for &Single<T> {
    fn passed(&mut self) -> Passed<'_> {
        let content = Content::Memory(self.0.raw(), 1);
        let (shape, written) = (Shape::Place, false);
        Passed { shape, written, id: TypeId::of::<T>(), form: T::form, content }
    }
}

impl<'a, T: Type> OnHost<'a> for &mut Single<T> {
    type Host = &'a mut T;
    fn host(this: &'a mut Self) -> &'a mut T {
        &mut this.0.host_slice_mut()[0]
    }
}

impl<T: Type> Argument for &mut Single<T> {
    fn passed(&mut self) -> Passed<'_> {
        let content = Content::Memory(self.0.raw_mut(), 1);
        let (shape, written) = (Shape::Place, true);
        Passed { shape, written, id: TypeId::of::<T>(), form: T::form, content }
    }
}

/// A struct or array that is passed by value.
#[derive(Clone, Copy, Debug)]
pub struct Value<T>(pub T);

impl<'a, T: Type> OnHost<'a> for Value<T> {
    type Host = T;
    fn host(this: &'a mut Self) -> T {
        this.0
    }
}

impl<T: Type> Argument for Value<T> {
    fn passed(&mut self) -> Passed<'_> {
        passed_by_value(&self.0)
    }
}

fn passed_by_value<T: Type>(value: &T) -> Passed<'_> {
    crate::bytes::size::<T>(1).expect("one value has a size");
    let content = Content::Bytes(crate::bytes::of(std::slice::from_ref(value)));
    let (shape, written) = (Shape::Value, false);
    Passed { shape, written, id: TypeId::of::<T>(), form: T::form, content }
}

/// In the place of the shadow of an output, for [`Launch::jacobian`](crate::Launch): each of
/// its numbers in turn.
#[derive(Debug)]
pub struct Basis<T> {
    length: usize,
    scratch: Vec<T>,
}

impl<T: Type> Basis<T> {
    /// For an output of so many elements.
    pub fn of(length: usize) -> Self {
        Basis { length, scratch: Vec::new() }
    }
}

impl<'a, T: Type> OnHost<'a> for Basis<T> {
    type Host = &'a mut [T];
    fn host(this: &'a mut Self) -> &'a mut [T] {
        &mut this.scratch
    }
}

impl<T: Type> Argument for Basis<T> {
    fn passed(&mut self) -> Passed<'_> {
        let (shape, written, content) = (Shape::Basis, true, Content::Nothing);
        Passed { shape, written, id: TypeId::of::<T>(), form: T::form, content }
    }
    fn begin(&mut self, index: usize, component: usize) {
        self.scratch.clear();
        self.scratch.resize(self.length, zero());
        crate::bytes::set_number(&mut self.scratch[index], component);
    }
}

/// In the place of the shadow of an input, for [`Launch::jacobian`](crate::Launch): a row for
/// every number of every index.
pub struct Rows<'b, T> {
    rows: &'b mut Buffer<T>,
    length: usize,
    scratch: Vec<T>,
}

impl<'b, T: Type> Rows<'b, T> {
    /// Rows of derivatives with respect to one of `length` elements.
    pub fn new(rows: &'b mut Buffer<T>, length: usize) -> Self {
        Rows { rows, length, scratch: Vec::new() }
    }
}

impl<'a, T: Type> OnHost<'a> for Rows<'_, T> {
    type Host = &'a mut [T];
    fn host(this: &'a mut Self) -> &'a mut [T] {
        &mut this.scratch
    }
}

impl<T: Type> Argument for Rows<'_, T> {
    fn passed(&mut self) -> Passed<'_> {
        let length = self.rows.len();
        let content = Content::Memory(self.rows.raw_mut(), length);
        let (shape, written) = (Shape::Rows, true);
        Passed { shape, written, id: TypeId::of::<T>(), form: T::form, content }
    }
    fn begin(&mut self, _index: usize, _component: usize) {
        self.scratch.clear();
        self.scratch.resize(self.length, zero());
    }
    fn end(&mut self, row: usize) {
        // Of all elements, one was read.
        let found = self.scratch.iter().find(|value| {
            crate::bytes::of(std::slice::from_ref(*value)).iter().any(|byte| *byte != 0)
        });
        self.rows.host_slice_mut()[row] = found.copied().unwrap_or_else(zero);
    }
}

macro_rules! scalars {
    ($($type:ident)+) => {$(
        impl<'a> OnHost<'a> for $type {
            type Host = $type;
            fn host(this: &'a mut Self) -> $type {
                *this
            }
        }

        impl Argument for $type {
            fn passed(&mut self) -> Passed<'_> {
                passed_by_value(self)
            }
        }
    )+};
}

scalars!(f32 f64 i32 u32 i64 u64 isize usize bool);

macro_rules! tuples {
    ($(($($name:ident $place:tt)+))+) => {$(
        impl<'a, I, $($name: OnHost<'a>),+> AllOnHost<'a, I> for ($($name,)+) {
            type Host = (I, $($name::Host,)+);
            fn host(this: &'a mut Self, index: I) -> Self::Host {
                (index, $($name::host(&mut this.$place),)+)
            }
        }

        impl<I, $($name: Argument),+> Arguments<I> for ($($name,)+) {
            fn passed(&mut self) -> Vec<Passed<'_>> {
                vec![$(self.$place.passed()),+]
            }
            fn begin(&mut self, index: usize, component: usize) {
                $(self.$place.begin(index, component);)+
            }
            fn end(&mut self, row: usize) {
                $(self.$place.end(row);)+
            }
        }
    )+};
}

tuples! {
    (A 0)
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I0 8)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I0 8 J 9)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I0 8 J 9 K 10)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I0 8 J 9 K 10 L 11)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I0 8 J 9 K 10 L 11 M 12)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I0 8 J 9 K 10 L 11 M 12 N 13)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I0 8 J 9 K 10 L 11 M 12 N 13 O 14)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I0 8 J 9 K 10 L 11 M 12 N 13 O 14 P 15)
}
