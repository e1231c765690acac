//! Gradients of operations against those that burn finds by its own record.

#![allow(missing_docs)]

use burn_tensor::{DType, Device, Tensor, TensorData};
use retrograde::prelude::*;
use retrograde_burn::{Error, With, alike, apply, scalar, vector};
use std::sync::Arc;

type Result = std::result::Result<(), Error>;

#[reversible]
fn norm<T: Real>(y: &mut T, x: &[T]) {
    #[compute]
    {
        let mut squares = T::zero();
        for v in x {
            squares += *v * *v;
        }
    }
    *y += squares.sqrt();
}

/// The products of each of `a` and the sine of each of `b`.
#[reversible]
fn outer<T: Real>(y: &mut [T], a: &[T], b: &[T]) {
    for (row, a) in y.chunks_exact_mut(b.len()).zip(a) {
        for (y, b) in row.iter_mut().zip(b) {
            *y += *a * b.sin();
        }
    }
}

#[reversible]
fn swish<T: Real>(y: &mut [T], x: &[T], #[constant] slope: &f64) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += *x / (1.0 + (-T::from_f64(*slope) * *x).exp());
    }
}

#[reversible]
fn fused(y: &mut f64, a: &[f64], b: &[f64], c: &[f64]) {
    for ((a, b), c) in a.iter().zip(b).zip(c) {
        *y += *a * *b + *c;
    }
}

fn recorded() -> Device {
    Device::flex().autodiff()
}

fn tensor<const D: usize>(shape: [usize; D], dtype: DType, device: &Device) -> Tensor<D> {
    let n = shape.iter().product();
    let values: Vec<f64> = (0..n).map(|i| (1.7 * i as f64 + 0.3).sin()).collect();
    Tensor::from_data(TensorData::new(values, shape).convert_dtype(dtype), (device, dtype))
}

fn variable<const D: usize>(shape: [usize; D], dtype: DType) -> Tensor<D> {
    tensor(shape, dtype, &recorded()).require_grad()
}

fn values<const D: usize>(tensor: &Tensor<D>) -> Vec<f64> {
    tensor.to_data().convert::<f64>().try_to_vec().expect("numbers")
}

#[track_caller]
fn close<const D: usize>(ours: &Tensor<D>, theirs: &Tensor<D>) {
    assert_eq!((ours.shape(), ours.dtype()), (theirs.shape(), theirs.dtype()));
    let tolerance = if ours.dtype() == DType::F32 { 1e-5 } else { 1e-12 };
    for (a, b) in values(ours).into_iter().zip(values(theirs)) {
        assert!((a - b).abs() <= tolerance, "{ours} {theirs}");
    }
}

/// Both ways give the same value and the same gradient by the variable.
#[track_caller]
fn agree<const D: usize, const E: usize>(
    x: &Tensor<D>,
    ours: impl Fn(Tensor<D>) -> std::result::Result<Tensor<E>, Error>,
    theirs: impl Fn(Tensor<D>) -> Tensor<E>,
) {
    let (ours, theirs) = (ours(x.clone()).expect("an operation"), theirs(x.clone()));
    close(&ours, &theirs);
    // A loss whose gradient by the result is not the same everywhere.
    let (ours, theirs) = (ours.sin().sum().backward(), theirs.sin().sum().backward());
    close(&x.grad(&ours).expect("a gradient"), &x.grad(&theirs).expect("a gradient"));
}

#[test]
fn a_scalar() {
    for dtype in [DType::F32, DType::F64] {
        agree(&variable([2, 5], dtype), |x| apply(scalar(norm {}), x), |x| x.square().sum().sqrt());
    }
}

#[test]
fn a_vector_of_two_arguments() {
    for dtype in [DType::F32, DType::F64] {
        let (a, b) = (variable([4, 1], dtype), variable([1, 3], dtype));
        let (by_a, by_b) = (b.clone().detach(), a.clone().detach());
        agree(
            &a,
            |a| apply(vector(outer {}, [4, 3]), (a, by_a.clone())),
            |a| a.matmul(by_a.clone().sin()),
        );
        agree(
            &b,
            |b| apply(vector(outer {}, [4, 3]), (by_b.clone(), b)),
            |b| by_b.clone().matmul(b.sin()),
        );
    }
}

#[test]
fn both_gradients_at_once() -> Result {
    let (a, b) = (variable([4], DType::F64), variable([1, 3], DType::F64));
    let y: Tensor<2> = apply(vector(outer {}, [4, 3]), (a.clone(), b.clone()))?;
    let ours = y.sin().sum().backward();
    let y = a.clone().reshape([4, 1]).matmul(b.clone().sin());
    let theirs = y.sin().sum().backward();
    close(&a.grad(&ours).unwrap(), &a.grad(&theirs).unwrap());
    close(&b.grad(&ours).unwrap(), &b.grad(&theirs).unwrap());
    Ok(())
}

#[test]
fn each_element_with_data() {
    let swish = Arc::new(alike(With(swish {}, Arc::new(1.5))));
    agree(
        &variable([2, 3, 2], DType::F64),
        |x| apply(swish.clone(), x),
        |x| x.clone() / ((x * -1.5).exp() + 1.0),
    );
}

#[test]
fn three_arguments_of_one_type() {
    let (b, c) = (variable([4], DType::F64), variable([4, 1], DType::F64));
    agree(
        &variable([2, 2], DType::F64),
        |a| apply(scalar(fused {}).only::<f64>(), (a, b.clone(), c.clone())),
        |a| (a.reshape([4]) * b.clone()).sum() + c.clone().sum(),
    );
}

/// Their elements are seen in the order of the transposed tensor, and the gradient comes back
/// in that of the variable; a part of a tensor does not begin where its memory does.
#[test]
fn tensors_that_are_not_contiguous() {
    agree(
        &variable([4, 3], DType::F64),
        |x| {
            apply(
                vector(outer {}, [3, 4]),
                (x.clone().narrow(0, 1, 1), x.transpose().narrow(0, 2, 1)),
            )
        },
        |x| x.clone().narrow(0, 1, 1).transpose().matmul(x.transpose().narrow(0, 2, 1).sin()),
    );
}

/// A tensor without a record beside one with.
#[test]
fn constants_beside_variables() -> Result {
    let (a, b) = (variable([2], DType::F32), tensor([2], DType::F32, &Device::flex()));
    let y: Tensor<2> = apply(vector(outer {}, [2, 2]), (a.clone(), b))?;
    let gradients = y.sum().backward();
    assert!(a.grad(&gradients).is_some());
    Ok(())
}

#[test]
fn nothing_is_recorded_without_variables() -> Result {
    let x = tensor([2, 2], DType::F32, &Device::flex());
    let y: Tensor<1> = apply(scalar(norm {}), x.clone())?;
    close(&y, &x.square().sum().sqrt());
    Ok(())
}

#[test]
fn errors_say_what_is_wrong() {
    let x32 = variable([2], DType::F32);
    let x64 = variable([2], DType::F64);
    let error = apply::<2, 2, _>(vector(outer {}, [2, 2]), (x32.clone(), x64.clone()));
    let mixed = "gradients::outer needs tensors of one type, and not of F32 and F64";
    assert_eq!(error.unwrap_err().to_string(), mixed);
    let fused = scalar(fused {}).only::<f64>();
    let error = apply::<3, 1, _>(fused, (x32.clone(), x32.clone(), x32.clone()));
    assert_eq!(error.unwrap_err().to_string(), "gradients::fused does not run on F32");
    let error = apply::<1, 2, _>(scalar(norm {}), x64).unwrap_err();
    assert_eq!(error.to_string(), "gradients::norm gives a tensor of rank 1, and not 2");
    let checkpointed = tensor([2], DType::F32, &recorded().gradient_checkpointing());
    let error = apply::<1, 1, _>(scalar(norm {}), checkpointed).unwrap_err();
    let expected = "gradients::norm: tensors are needed on the CPU backend Flex, without gradient \
                    checkpointing, and not on";
    assert!(error.to_string().starts_with(expected), "{error}");
}
