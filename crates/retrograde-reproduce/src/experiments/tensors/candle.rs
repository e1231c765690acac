//! candle.

use super::framework::Framework;
use crate::programs::norm::norm;
use candle_core::{DType, Device, Result, Tensor, Var};
use retrograde_candle::{Operation, apply, scalar};
use std::sync::Arc;

pub struct Candle;

/// The gradients of a loss by variables.
fn gradients<const N: usize>(loss: Result<Tensor>, variables: [&Tensor; N]) -> [Tensor; N] {
    let mut gradients = loss.and_then(|loss| loss.backward()).expect("a loss");
    variables.map(|variable| gradients.remove(variable).expect("a gradient by each variable"))
}

/// The norm, square by square.
fn square_by_square(elements: impl Iterator<Item = Result<Tensor>>) -> Result<Tensor> {
    let mut squares = Tensor::zeros((), DType::F64, &Device::Cpu)?;
    for element in elements {
        squares = (squares + element?.sqr()?)?;
    }
    squares.sqrt()
}

impl Framework for Candle {
    const NAME: &'static str = "candle";
    type Vector = Tensor;
    type Matrix = Tensor;
    type Indices = Tensor;

    fn vector(values: &[f64]) -> Tensor {
        let variable = Var::from_slice(values, values.len(), &Device::Cpu);
        variable.expect("a vector").as_tensor().clone()
    }

    fn matrix(size: usize, values: &[f64]) -> Tensor {
        let variable = Var::from_slice(values, (size, size), &Device::Cpu);
        variable.expect("a matrix").as_tensor().clone()
    }

    fn indices(indices: impl Iterator<Item = usize>) -> Tensor {
        Tensor::from_iter(indices.map(|index| index as u32), &Device::Cpu).expect("a vector")
    }

    fn values(tensor: &Tensor) -> Vec<f64> {
        tensor.flatten_all().and_then(|flat| flat.to_vec1()).expect("numbers")
    }

    fn entries(tensor: &Tensor) -> Vec<f64> {
        Self::values(tensor)
    }

    fn norm_by_elements(x: &Tensor) -> Tensor {
        let [d_x] = gradients(square_by_square((0..x.elem_count()).map(|i| x.get(i))), [x]);
        d_x
    }

    fn norm_by_variables(x: &[Tensor]) -> Vec<Tensor> {
        let loss = square_by_square(x.iter().map(|x| x.get(0)));
        let mut gradients = loss.and_then(|loss| loss.backward()).expect("a loss");
        x.iter().map(|x| gradients.remove(x).expect("a gradient by each variable")).collect()
    }

    fn norm_by_tensors(x: &Tensor) -> Tensor {
        let loss = || x.sqr()?.sum_all()?.sqrt();
        let [d_x] = gradients(loss(), [x]);
        d_x
    }

    fn norm_as_node(x: &Tensor) -> Tensor {
        let [d_x] = gradients(apply(scalar(norm {}), [x]), [x]);
        d_x
    }

    fn product_dense(a: &Tensor, x: &Tensor) -> (Tensor, Tensor) {
        let loss = || a.matmul(&x.unsqueeze(1)?)?.sum_all();
        gradients(loss(), [a, x]).into()
    }

    fn product_by_indices(
        values: &Tensor,
        x: &Tensor,
        rows: &Tensor,
        columns: &Tensor,
    ) -> (Tensor, Tensor) {
        let loss = || {
            let products = (values * x.index_select(columns, 0)?)?;
            x.zeros_like()?.index_add(rows, &products, 0)?.sum_all()
        };
        gradients(loss(), [values, x]).into()
    }

    fn product_as_node(
        product: Arc<dyn Operation<2>>,
        values: &Tensor,
        x: &Tensor,
    ) -> (Tensor, Tensor) {
        let loss = || apply(product, [values, x])?.sum_all();
        gradients(loss(), [values, x]).into()
    }
}
