//! What can be changed through `&`.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{
    AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicPtr, AtomicU8,
    AtomicU16, AtomicU32, AtomicU64, AtomicUsize,
};
use std::sync::{Arc, Mutex, OnceLock, RwLock, mpsc};

/// Asks for the type that something is called on: the compiler's search for `is_steady`
/// finds the one of [`Unsteady`] types, if it is one.
pub struct Behind<'a, T: ?Sized>(pub &'a T);

/// A cell, a lock or an atomic, or a reference to one.
pub trait Unsteady {}

macro_rules! unsteady {
    ($([$($parameter:ident)?] $type:ty;)+) => {$(
        impl<$($parameter: ?Sized)?> Unsteady for $type {}
    )+};
}

unsteady! {
    [T] Cell<T>;
    [T] RefCell<T>;
    [T] Mutex<T>;
    [T] RwLock<T>;
    [] AtomicBool;
    [] AtomicI8;
    [] AtomicI16;
    [] AtomicI32;
    [] AtomicI64;
    [] AtomicIsize;
    [] AtomicU8;
    [] AtomicU16;
    [] AtomicU32;
    [] AtomicU64;
    [] AtomicUsize;
}
impl<T: Unsteady + ?Sized> Unsteady for &T {}
impl<T: Unsteady + ?Sized> Unsteady for &mut T {}
impl<T: Unsteady + ?Sized> Unsteady for Box<T> {}
impl<T: Unsteady + ?Sized> Unsteady for Rc<T> {}
impl<T: Unsteady + ?Sized> Unsteady for Arc<T> {}
impl<T> Unsteady for OnceCell<T> {}
impl<T> Unsteady for OnceLock<T> {}
impl<T> Unsteady for AtomicPtr<T> {}
impl<T> Unsteady for mpsc::Sender<T> {}
impl<T> Unsteady for mpsc::Receiver<T> {}

/// Not implemented: what an expression may call such a method on.
#[diagnostic::on_unimplemented(
    message = "this may change the `{Self}` that it is called on, and expressions are evaluated in both directions",
    label = "changes what is behind a `&`",
    note = "help: take what is inside as an argument of its own, `&mut`; or do it in a `host! {{ … }}`, if it may be done in both directions"
)]
pub trait Unchanged {}

pub trait AskUnsteady<T: ?Sized> {
    fn is_steady(&self)
    where
        T: Unchanged;
}

impl<T: Unsteady + ?Sized> AskUnsteady<T> for Behind<'_, T> {
    fn is_steady(&self)
    where
        T: Unchanged,
    {
    }
}

pub trait AskSteady {
    fn is_steady(&self) {}
}

impl<T: ?Sized> AskSteady for &Behind<'_, T> {}
