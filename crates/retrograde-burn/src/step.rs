//! Operations as steps of burn's record.

use burn_autodiff::Autodiff;
use burn_autodiff::checkpoint::base::Checkpointer;
use burn_autodiff::checkpoint::strategy::NoCheckpointing;
use burn_autodiff::grads::Gradients;
use burn_autodiff::ops::{Backward, Ops, OpsKind};
use burn_backend::tensor::FloatTensor;
use burn_flex::{Flex, FlexTensor};
use burn_tensor::{DType, Element as BurnElement, Tensor, TensorData};
use bytemuck::Pod;
use retrograde::operation::{Element, Operation, Passes};
use std::fmt;
use std::sync::Arc;

/// Applies an operation to tensors, as one step of burn's record.
///
/// `tensors` is one tensor, or a tuple of two or three. If one of them is on an autodiff device,
/// so is the result. burn has no tensors without dimensions: the result of a
/// [`scalar`](crate::scalar) operation is of the shape `[1]`.
///
/// ```
/// use burn_tensor::{Device, Tensor};
/// use retrograde::prelude::*;
/// use retrograde_burn::{Error, apply, scalar};
///
/// /// Adds the length of a vector.
/// #[reversible]
/// fn norm<T: Real>(y: &mut T, x: &[T]) {
///     #[compute]
///     {
///         let mut squares = T::zero();
///         for v in x {
///             squares += *v * *v;
///         }
///     }
///     *y += squares.sqrt();
/// }
///
/// # fn main() -> Result<(), Error> {
/// let x = Tensor::<1>::from_floats([3.0, 4.0], &Device::flex().autodiff()).require_grad();
/// let length: Tensor<1> = apply(scalar(norm {}), x.clone())?;
/// let loss = length.square(); // and on with burn's own operations
/// let gradients = loss.backward();
/// assert_eq!(x.grad(&gradients).unwrap().into_data().try_to_vec::<f32>().unwrap(), [6.0, 8.0]);
/// # Ok(())
/// # }
/// ```
///
/// A matrix whose places of entries are fixed, by its values and a vector:
///
/// ```
/// # use burn_tensor::{Device, Tensor};
/// # use retrograde::prelude::*;
/// # use retrograde_burn::{Error, With, apply, vector};
/// use std::sync::Arc;
///
/// /// Adds `A x`, where `A` has a value at each of the `places`.
/// #[reversible]
/// fn product<T: Real>(y: &mut [T], a: &[T], x: &[T], #[constant] places: &[(usize, usize)]) {
///     for (a, (i, j)) in a.iter().zip(places) {
///         y[*i] += *a * x[*j];
///     }
/// }
///
/// # fn main() -> Result<(), Error> {
/// let places: Arc<[(usize, usize)]> = Arc::from([(0, 0), (2, 0), (1, 1)]);
/// let device = Device::flex().autodiff();
/// let a = Tensor::<1>::from_floats([1.0, 2.0, 3.0], &device).require_grad();
/// let x = Tensor::<1>::from_floats([10.0, 20.0], &device).require_grad();
/// let y: Tensor<1> = apply(vector(With(product {}, places), [3]), (a.clone(), x.clone()))?;
/// let gradients = y.sum().backward();
/// assert_eq!(a.grad(&gradients).unwrap().into_data().try_to_vec::<f32>().unwrap(), [10.0, 10.0, 20.0]);
/// assert_eq!(x.grad(&gradients).unwrap().into_data().try_to_vec::<f32>().unwrap(), [3.0, 3.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// If a tensor is not on burn's CPU backend `Flex`, or is on one that recomputes what it needs
/// (gradient checkpointing), or is not of `f32` or `f64`; if they are not all of the same type;
/// if the function is [`only`](retrograde::operation::Scalar::only) for another one; or if the
/// result has another rank than `D`.
///
/// # Panics
///
/// If the function does: when lengths do not fit, or what it does cannot be reversed.
pub fn apply<const N: usize, const D: usize, O>(
    operation: O,
    tensors: impl Tensors<N>,
) -> Result<Tensor<D>, Error>
where
    O: Operation<N> + 'static,
{
    let name = operation.name();
    let arguments = tensors.arguments().map_err(|why| Error(format!("{name}: {why}")))?;
    let x = arguments.each_ref().map(|argument| argument.values().to_contiguous());
    let first = x[0].dtype();
    if let Some(other) = x.iter().find(|x| x.dtype() != first) {
        let found = other.dtype();
        return Err(Error(format!(
            "{name} needs tensors of one type, and not of {first:?} and {found:?}"
        )));
    }
    let operation = Shared(Arc::new(operation));
    let y = match first {
        DType::F32 => operation.forward::<f32>(&x)?,
        DType::F64 => operation.forward::<f64>(&x)?,
        other => return Err(Error(format!("{name} does not run on {other:?}"))),
    };
    let rank = y.layout().shape().num_dims();
    if rank != D {
        return Err(Error(format!("{name} gives a tensor of rank {rank}, and not {D}")));
    }
    if !arguments.iter().any(|argument| matches!(argument, Argument::Recorded(_))) {
        return Ok(Tensor::from_primitive::<Flex>(y));
    }
    let nodes = arguments.map(|argument| match argument {
        Argument::Recorded(tensor) => tensor.node(),
        Argument::Plain(tensor) => Recorded::new(tensor).node(),
    });
    let prepared = Step.prepare::<NoCheckpointing>(nodes).compute_bound().stateful();
    let y = match prepared {
        OpsKind::Tracked(prepared) => prepared.finish(State { operation, x, y: y.clone() }, y),
        OpsKind::UnTracked(prepared) => prepared.finish(y),
    };
    Ok(Tensor::from_primitive::<Autodiff<Flex>>(y))
}

/// Why an operation could not be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// One tensor, or a tuple of two or three, of any ranks.
pub trait Tensors<const N: usize> {
    #[doc(hidden)]
    fn arguments(self) -> Result<[Argument; N], String>;
}

type Recorded = FloatTensor<Autodiff<Flex>>;

/// A tensor of any rank.
#[doc(hidden)]
pub enum Argument {
    Plain(FlexTensor),
    Recorded(Recorded),
}

impl Argument {
    fn of<const D: usize>(tensor: Tensor<D>) -> Result<Self, String> {
        let device = tensor.device();
        match tensor.clone().try_into_primitive::<Autodiff<Flex>>() {
            Ok(recorded) => Ok(Argument::Recorded(recorded)),
            Err(_) => match tensor.try_into_primitive::<Flex>() {
                Ok(plain) => Ok(Argument::Plain(plain)),
                Err(_) => Err(format!(
                    "tensors are needed on the CPU backend Flex, without gradient checkpointing, \
                     and not on {device:?}"
                )),
            },
        }
    }

    fn values(&self) -> &FlexTensor {
        match self {
            Argument::Plain(tensor) => tensor,
            Argument::Recorded(tensor) => tensor.primitive(),
        }
    }
}

impl<const A: usize> Tensors<1> for Tensor<A> {
    fn arguments(self) -> Result<[Argument; 1], String> {
        Ok([Argument::of(self)?])
    }
}

impl<const A: usize, const B: usize> Tensors<2> for (Tensor<A>, Tensor<B>) {
    fn arguments(self) -> Result<[Argument; 2], String> {
        Ok([Argument::of(self.0)?, Argument::of(self.1)?])
    }
}

impl<const A: usize, const B: usize, const C: usize> Tensors<3>
    for (Tensor<A>, Tensor<B>, Tensor<C>)
{
    fn arguments(self) -> Result<[Argument; 3], String> {
        Ok([Argument::of(self.0)?, Argument::of(self.1)?, Argument::of(self.2)?])
    }
}

/// An operation that burn's record holds too.
struct Shared<const N: usize>(Arc<dyn Operation<N>>);

impl<const N: usize> Clone for Shared<N> {
    fn clone(&self) -> Self {
        Shared(self.0.clone())
    }
}

impl<const N: usize> fmt::Debug for Shared<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl<const N: usize> Shared<N> {
    fn on<T: Element + BurnElement>(&self) -> Result<&dyn Passes<T, N>, Error> {
        let name = self.0.name();
        let dtype = T::dtype();
        T::passes(&*self.0).ok_or_else(|| Error(format!("{name} does not run on {dtype:?}")))
    }

    fn forward<T: Element + BurnElement + Pod>(
        &self,
        x: &[FlexTensor; N],
    ) -> Result<FlexTensor, Error> {
        let passes = self.on::<T>()?;
        let shapes = x.each_ref().map(|x| x.layout().shape().to_vec());
        let mut shape = self.0.shape(shapes.each_ref().map(|shape| &shape[..]));
        if shape.is_empty() {
            shape.push(1);
        }
        let mut y = vec![T::default(); shape.iter().product()];
        passes.forward(&mut y, x.each_ref().map(elements));
        Ok(FlexTensor::from_data(TensorData::new(y, shape)))
    }

    fn backward<T: Element + BurnElement + Pod>(
        &self,
        x: &[FlexTensor; N],
        y: &FlexTensor,
        d_y: &FlexTensor,
    ) -> [FlexTensor; N] {
        let (mut y, mut d_y) = (elements::<T>(y).to_vec(), elements::<T>(d_y).to_vec());
        let values = x.each_ref().map(elements::<T>);
        let mut d_x = values.map(|x| vec![T::default(); x.len()]);
        let shadows = d_x.each_mut().map(|d_x| &mut d_x[..]);
        let passes = self.on::<T>().expect("it went forward");
        passes.backward(&mut y, &mut d_y, values, shadows);
        let mut shapes = x.iter().map(|x| x.layout().shape().to_vec());
        d_x.map(|d_x| {
            let shape = shapes.next().expect("a shadow for each tensor");
            FlexTensor::from_data(TensorData::new(d_x, shape))
        })
    }
}

fn elements<T: BurnElement + Pod>(tensor: &FlexTensor) -> &[T] {
    tensor.as_slice().expect("contiguous, and of this type")
}

/// A reversible function in burn's record.
#[derive(Debug)]
struct Step;

/// What the backward pass needs.
#[derive(Clone, Debug)]
struct State<const N: usize> {
    operation: Shared<N>,
    x: [FlexTensor; N],
    y: FlexTensor,
}

impl<const N: usize> Backward<Flex, N> for Step {
    type State = State<N>;

    fn backward(self, ops: Ops<State<N>, N>, gradients: &mut Gradients, _: &mut Checkpointer) {
        let State { operation, x, y } = ops.state;
        let d_y = gradients.consume::<Flex>(&ops.node).to_contiguous();
        let d_x = match y.dtype() {
            DType::F32 => operation.backward::<f32>(&x, &y, &d_y),
            _ => operation.backward::<f64>(&x, &y, &d_y),
        };
        for (parent, d_x) in ops.parents.into_iter().zip(d_x) {
            if let Some(parent) = parent {
                gradients.register::<Flex>(parent.id, d_x);
            }
        }
    }
}
