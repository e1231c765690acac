//! Gradients of operations against those that candle finds by its own graph.

#![allow(missing_docs)]

use candle_core::{DType, Device, Result, Tensor, Var};
use retrograde::prelude::*;
use retrograde_candle::{Operation, With, alike, apply, scalar, vector};
use std::sync::Arc;

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

/// Both ways of finding a loss give the same value and the same gradients.
fn agree<const N: usize>(
    variables: [&Var; N],
    ours: impl Fn([&Tensor; N]) -> Result<Tensor>,
    theirs: impl Fn([&Tensor; N]) -> Result<Tensor>,
) -> Result<()> {
    let tensors = variables.map(|variable| &**variable);
    let (ours, theirs) = (ours(tensors)?, theirs(tensors)?);
    assert_eq!(ours.shape(), theirs.shape());
    assert_eq!(ours.dtype(), theirs.dtype());
    close(&ours, &theirs)?;
    // A loss whose gradient by the result is not the same everywhere.
    let (ours, theirs) = (ours.sin()?.sum_all()?.backward()?, theirs.sin()?.sum_all()?.backward()?);
    for tensor in tensors {
        close(ours.get(tensor).unwrap(), theirs.get(tensor).unwrap())?;
    }
    Ok(())
}

fn close(ours: &Tensor, theirs: &Tensor) -> Result<()> {
    assert_eq!(ours.shape(), theirs.shape());
    let tolerance = if ours.dtype() == DType::F32 { 1e-5 } else { 1e-12 };
    let difference = (ours - theirs)?.abs()?.flatten_all()?.max(0)?.to_dtype(DType::F64)?;
    assert!(difference.to_scalar::<f64>()? <= tolerance, "{ours} {theirs}");
    Ok(())
}

fn variable(shape: &[usize], dtype: DType) -> Result<Var> {
    let n = shape.iter().product();
    let values: Vec<f64> = (0..n).map(|i| (1.7 * i as f64 + 0.3).sin()).collect();
    Var::from_tensor(&Tensor::from_vec(values, shape, &Device::Cpu)?.to_dtype(dtype)?)
}

#[test]
fn a_scalar() -> Result<()> {
    for dtype in [DType::F32, DType::F64] {
        agree(
            [&variable(&[2, 5], dtype)?],
            |[x]| apply(scalar(norm {}), [x]),
            |[x]| x.sqr()?.sum_all()?.sqrt(),
        )?;
    }
    Ok(())
}

#[test]
fn a_vector_of_two_arguments() -> Result<()> {
    for dtype in [DType::F32, DType::F64] {
        agree(
            [&variable(&[4], dtype)?, &variable(&[3], dtype)?],
            |[a, b]| apply(vector(outer {}, [4, 3]), [a, b]),
            |[a, b]| a.unsqueeze(1)?.matmul(&b.sin()?.unsqueeze(0)?),
        )?;
    }
    Ok(())
}

#[test]
fn each_element_with_data() -> Result<()> {
    let slope = Arc::new(1.5);
    agree(
        [&variable(&[2, 3, 2], DType::F64)?],
        |[x]| apply(alike(With(swish {}, slope.clone())), [x]),
        |[x]| x / ((x * -1.5)?.exp()? + 1.0)?,
    )
}

#[test]
fn three_arguments_of_one_type() -> Result<()> {
    let [a, b, c] = [[2, 2], [1, 4], [4, 1]].map(|shape| variable(&shape, DType::F64));
    agree(
        [&a?, &b?, &c?],
        |[a, b, c]| apply(scalar(fused {}).only::<f64>(), [a, b, c]),
        |[a, b, c]| (a.flatten_all()? * b.flatten_all()?)?.sum_all()? + c.sum_all()?,
    )
}

/// Their elements are seen in the order of the transposed tensor, and the gradient comes back
/// in that of the variable; a part of a tensor does not begin where its memory does.
#[test]
fn tensors_that_are_not_contiguous() -> Result<()> {
    let x = variable(&[4, 3], DType::F64)?;
    agree(
        [&x],
        |[x]| {
            apply(
                vector(outer {}, [3, 4]),
                [&x.narrow(0, 1, 1)?.flatten_all()?, &x.t()?.narrow(0, 2, 1)?],
            )
        },
        |[x]| x.narrow(0, 1, 1)?.t()?.matmul(&x.t()?.narrow(0, 2, 1)?.sin()?),
    )
}

/// A gradient that candle hands over as one number, seen everywhere.
#[test]
fn a_gradient_that_is_not_contiguous() -> Result<()> {
    let x = variable(&[3, 2], DType::F32)?;
    let slope = Arc::new(0.5);
    let y = apply(alike(With(swish {}, slope)), [&x.t()?])?;
    let ours = y.t()?.sum_all()?.backward()?;
    let theirs = (&*x / ((&*x * -0.5)?.exp()? + 1.0)?)?.sum_all()?.backward()?;
    close(ours.get(&x).unwrap(), theirs.get(&x).unwrap())
}

#[test]
fn a_tensor_without_gradient_gets_none() -> Result<()> {
    let a = variable(&[2], DType::F64)?;
    let b = Tensor::new(&[1.0, 2.0], &Device::Cpu)?;
    let gradients = apply(vector(outer {}, [2, 2]), [&a, &b])?.sum_all()?.backward()?;
    assert!(gradients.get(&a).is_some());
    assert!(gradients.get(&b).is_none());
    Ok(())
}

/// One operation, applied many times, to its own results too.
#[test]
fn shared_operations() -> Result<()> {
    let swish: Arc<dyn Operation<1>> = Arc::new(alike(With(swish {}, Arc::new(1.0))));
    agree(
        [&variable(&[5], DType::F64)?],
        |[x]| apply(swish.clone(), [&apply(swish.clone(), [x])?]),
        |[x]| x.silu()?.silu(),
    )
}

fn message(result: Result<Tensor>) -> String {
    result.unwrap_err().to_string().lines().next().unwrap().to_string()
}

#[test]
fn errors_say_what_is_wrong() -> Result<()> {
    let [x32, x64] = [DType::F32, DType::F64].map(|dtype| variable(&[2], dtype));
    let (x32, x64) = (x32?, x64?);
    let mixed = message(apply(vector(outer {}, [2, 2]), [&x32, &x64]));
    assert_eq!(mixed, "gradients::outer needs tensors of one type, and not of F32 and F64");
    let integers = Tensor::new(&[1_i64, 2], &Device::Cpu)?;
    let integers = message(apply(scalar(norm {}), [&integers]));
    assert_eq!(integers, "gradients::norm does not run on I64");
    let only = message(apply(scalar(fused {}).only::<f64>(), [&x32, &x32, &x32]));
    assert_eq!(only, "gradients::fused does not run on F32");
    Ok(())
}
