//! burn.

use super::framework::Framework;
use crate::programs::norm::norm;
use burn_tensor::{DType, Device, Int, Tensor, TensorData};
use retrograde_burn::{Operation, apply, scalar};
use std::sync::Arc;

pub struct Burn;

fn variable<const D: usize>(values: &[f64], shape: [usize; D]) -> Tensor<D> {
    let data = TensorData::new(values.to_vec(), shape);
    Tensor::from_data(data, (&Device::flex().autodiff(), DType::F64)).require_grad()
}

/// The gradients of a loss by two variables.
fn both<const A: usize, const B: usize>(
    loss: Tensor<1>,
    a: &Tensor<A>,
    b: &Tensor<B>,
) -> (Tensor<A>, Tensor<B>) {
    let gradients = loss.backward();
    let message = "a gradient by each variable";
    (a.grad(&gradients).expect(message), b.grad(&gradients).expect(message))
}

/// The gradient of a loss by a variable.
fn one(loss: Tensor<1>, x: &Tensor<1>) -> Tensor<1> {
    x.grad(&loss.backward()).expect("a gradient")
}

/// The norm, square by square.
fn square_by_square(mut elements: impl Iterator<Item = Tensor<1>>) -> Tensor<1> {
    let first = elements.next().expect("an element").square();
    elements.fold(first, |squares, element| squares + element.square()).sqrt()
}

impl Framework for Burn {
    const NAME: &'static str = "burn";
    type Vector = Tensor<1>;
    type Matrix = Tensor<2>;
    type Indices = Tensor<1, Int>;

    fn vector(values: &[f64]) -> Tensor<1> {
        variable(values, [values.len()])
    }

    fn matrix(size: usize, values: &[f64]) -> Tensor<2> {
        variable(values, [size, size])
    }

    fn indices(indices: impl Iterator<Item = usize>) -> Tensor<1, Int> {
        let indices: Vec<i32> = indices.map(|index| index as i32).collect();
        Tensor::from_ints(&indices[..], &Device::flex().autodiff())
    }

    fn values(tensor: &Tensor<1>) -> Vec<f64> {
        tensor.to_data().try_to_vec().expect("numbers")
    }

    fn entries(tensor: &Tensor<2>) -> Vec<f64> {
        tensor.to_data().try_to_vec().expect("numbers")
    }

    fn norm_by_elements(x: &Tensor<1>) -> Tensor<1> {
        let [n] = x.dims();
        one(square_by_square((0..n).map(|i| x.clone().narrow(0, i, 1))), x)
    }

    fn norm_by_variables(x: &[Tensor<1>]) -> Vec<Tensor<1>> {
        let gradients = square_by_square(x.iter().cloned()).backward();
        x.iter().map(|x| x.grad(&gradients).expect("a gradient by each variable")).collect()
    }

    fn norm_by_tensors(x: &Tensor<1>) -> Tensor<1> {
        one(x.clone().square().sum().sqrt(), x)
    }

    fn norm_as_node(x: &Tensor<1>) -> Tensor<1> {
        one(apply(scalar(norm {}), x.clone()).expect("a tensor on the CPU"), x)
    }

    fn product_dense(a: &Tensor<2>, x: &Tensor<1>) -> (Tensor<2>, Tensor<1>) {
        both(a.clone().matmul(x.clone().unsqueeze_dim(1)).sum(), a, x)
    }

    fn product_by_indices(
        values: &Tensor<1>,
        x: &Tensor<1>,
        rows: &Tensor<1, Int>,
        columns: &Tensor<1, Int>,
    ) -> (Tensor<1>, Tensor<1>) {
        let products = values.clone() * x.clone().select(0, columns.clone());
        let zeros = Tensor::zeros_like(&x.clone().detach());
        let y = zeros.select_assign(0, rows.clone(), products, burn_tensor::IndexingUpdateOp::Add);
        both(y.sum(), values, x)
    }

    fn product_as_node(
        product: Arc<dyn Operation<2>>,
        values: &Tensor<1>,
        x: &Tensor<1>,
    ) -> (Tensor<1>, Tensor<1>) {
        let y: Tensor<1> = apply(product, (values.clone(), x.clone())).expect("tensors on the CPU");
        both(y.sum(), values, x)
    }
}
