//! Values as the bytes that a device sees, and back.

use crate::error::Error;
use retrograde::device::{Layout, Plain, Type};
use std::borrow::Cow;

/// The bytes that so many values take.
///
/// # Panics
///
/// If an implementation by hand says two things about the size: the device goes by the form,
/// and would read and write beyond the memory.
pub(crate) fn size<T: Type>(length: usize) -> Result<usize, Error> {
    let layout = T::LAYOUT;
    if T::plain().is_none() {
        let form = T::form().layout();
        assert!(
            form == Some(layout),
            "`{}` is laid out as {layout:?}, and its form on the device as {form:?}",
            std::any::type_name::<T>()
        );
    }
    layout.size.checked_mul(length).ok_or(Error::OutOfMemory { bytes: usize::MAX })
}

/// The bytes of values: they themselves, or a copy without what lies between their fields.
pub(crate) fn of<T: Type>(values: &[T]) -> Cow<'_, [u8]> {
    match T::plain() {
        Some(plain) => Cow::Borrowed(seen(values, plain)),
        None => {
            let mut bytes = vec![0; values.len() * T::LAYOUT.size];
            store(values, &mut bytes);
            Cow::Owned(bytes)
        }
    }
}

/// Writes values into as many bytes.
pub(crate) fn store<T: Type>(values: &[T], to: &mut [u8]) {
    match (T::plain(), T::LAYOUT) {
        (Some(plain), _) => to.copy_from_slice(seen(values, plain)),
        (None, Layout { size: 0, .. }) => {}
        (None, Layout { size, .. }) => {
            values.iter().zip(to.chunks_exact_mut(size)).for_each(|(value, to)| value.store(to));
        }
    }
}

/// Reads values from as many bytes, which `fill` brings.
pub(crate) fn load<T: Type, E>(
    to: &mut [T],
    fill: impl FnOnce(&mut [u8]) -> Result<(), E>,
) -> Result<(), E> {
    match T::plain() {
        Some(plain) => fill(seen_mut(to, plain)),
        None => {
            let size = T::LAYOUT.size;
            let mut bytes = vec![0; to.len() * size];
            fill(&mut bytes)?;
            for (i, value) in to.iter_mut().enumerate() {
                *value = T::load(&bytes[i * size..][..size]);
            }
            Ok(())
        }
    }
}

/// What zero bytes are.
pub(crate) fn zero<T: Type>() -> T {
    const FEW: usize = 256;
    match T::LAYOUT.size {
        size if size <= FEW => T::load(&[0; FEW][..size]),
        size => T::load(&vec![0; size]),
    }
}

/// Makes one of the numbers of a value one.
pub(crate) fn set_number<T: Type>(value: &mut T, number: usize) {
    let wide = crate::source::numbers_in(&T::form()).is_none_or(|(wide, _)| wide);
    let mut bytes = vec![0; T::LAYOUT.size];
    value.store(&mut bytes);
    if wide {
        bytes[8 * number..8 * number + 8].copy_from_slice(&1.0_f64.to_ne_bytes());
    } else {
        bytes[4 * number..4 * number + 4].copy_from_slice(&1.0_f32.to_ne_bytes());
    }
    *value = T::load(&bytes);
}

#[allow(unsafe_code)]
fn seen<T>(values: &[T], _plain: Plain<T>) -> &[u8] {
    // SAFETY: only the library makes a `Plain<T>`, of types that are made of numbers with nothing
    // between them: all their bytes hold something.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

#[allow(unsafe_code)]
fn seen_mut<T>(values: &mut [T], _plain: Plain<T>) -> &mut [u8] {
    // SAFETY: as above, and any bits are a number.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::device::Form;
    use retrograde::prelude::*;

    /// With gaps: 3 bytes behind the truth value, 4 behind the whole number.
    #[derive(Clone, Copy, Debug, PartialEq, Device)]
    #[repr(C)]
    struct Gaps {
        on: bool,
        count: u32,
        kind: i32,
        weight: f64,
        parts: [Complex<f32>; 2],
    }

    const GAPS: Gaps = Gaps {
        on: true,
        count: 7,
        kind: -1,
        weight: 2.5,
        parts: [Complex::new(1.0, 2.0), Complex::new(3.0, 4.0)],
    };

    fn loaded<T: Type>(to: &mut [T], fill: impl FnOnce(&mut [u8])) {
        let done: Result<(), ()> = load(to, |bytes| {
            fill(bytes);
            Ok(())
        });
        done.expect("filled");
    }

    fn round_trip<T: Type + PartialEq + std::fmt::Debug>(values: &[T]) -> Vec<u8> {
        let bytes = of(values).into_owned();
        assert_eq!(bytes.len(), size::<T>(values.len()).unwrap());
        let mut back: Vec<T> = vec![zero(); values.len()];
        loaded(&mut back, |to| to.copy_from_slice(&bytes));
        assert_eq!(back, values);
        bytes
    }

    #[test]
    fn values_come_back() {
        round_trip(&[1.5_f64, -2.0]);
        round_trip(&[[1_u32, 2], [3, 4]]);
        round_trip(&[true, false]);
        round_trip(&[[true, false]; 3]);
        round_trip(&[Complex::new(1.0_f32, 2.0)]);
        let bytes = round_trip(&[GAPS, Gaps { on: false, ..GAPS }]);
        assert_eq!(bytes.len(), 2 * size_of::<Gaps>());
        assert_eq!(bytes[1..4], [0; 3]);
        assert_eq!(bytes[12..16], [0; 4]);
    }

    /// As the C++ of the device lays it out.
    #[test]
    fn fields_are_where_c_has_them() {
        let mut bytes = vec![0; size_of::<Gaps>()];
        GAPS.store(&mut bytes);
        let at = |place: usize| bytes[place..place + 4].to_vec();
        assert_eq!(bytes[0], 1);
        assert_eq!(at(std::mem::offset_of!(Gaps, count)), 7_u32.to_ne_bytes());
        assert_eq!(at(std::mem::offset_of!(Gaps, kind)), (-1_i32).to_ne_bytes());
        let weight = std::mem::offset_of!(Gaps, weight);
        assert_eq!(bytes[weight..weight + 8], 2.5_f64.to_ne_bytes());
        assert_eq!(at(std::mem::offset_of!(Gaps, parts) + 12), 4.0_f32.to_ne_bytes());
        assert_eq!(Gaps::LAYOUT, Layout { size: size_of::<Gaps>(), align: align_of::<Gaps>() });
    }

    /// Other bits than 0 and 1 make no truth value, as a kernel by hand may leave them.
    #[test]
    fn any_bits_are_a_value() {
        let mut on = [false];
        loaded(&mut on, |to| to.fill(7));
        assert_eq!(on, [true]);
        assert!(bool::plain().is_none() && <[bool; 2]>::plain().is_none());
        assert!(Gaps::plain().is_none());
    }

    /// By hand, and with a lie: whoever says it gets a panic, and not the memory of others.
    #[derive(Clone, Copy)]
    struct Lie(&'static str);

    impl Type for Lie {
        const LAYOUT: Layout = Layout { size: 1, align: 1 };
        fn form() -> Form {
            f64::form()
        }
        fn store(&self, to: &mut [u8]) {
            to[0] = self.0.len() as u8;
        }
        fn load(_from: &[u8]) -> Self {
            Lie("")
        }
    }

    #[test]
    #[should_panic(expected = "and its form on the device as")]
    fn a_wrong_layout_is_refused() {
        let _ = crate::Device::cpu().upload(&[Lie("words")]);
    }

    #[test]
    fn too_many_are_refused() {
        assert!(matches!(size::<f64>(usize::MAX / 4), Err(Error::OutOfMemory { .. })));
    }
}
