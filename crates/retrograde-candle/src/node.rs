//! Operations as nodes of candle's graph.

use candle_core::{
    CpuStorage, CustomOp1, CustomOp2, CustomOp3, DType, Layout, Result, Shape, Storage, Tensor,
    WithDType, bail,
};
use retrograde::operation::{Element, Operation, Passes};

/// Applies an operation to tensors, as one node of candle's graph.
///
/// ```
/// use candle_core::{Device, Result, Var};
/// use retrograde::prelude::*;
/// use retrograde_candle::{apply, scalar};
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
/// fn main() -> Result<()> {
///     let x = Var::new(&[3.0, 4.0], &Device::Cpu)?;
///     let length = apply(scalar(norm {}), [&x])?;
///     let loss = length.sqr()?; // and on with candle's own operations
///     let gradients = loss.backward()?;
///     assert_eq!(gradients.get(&x).unwrap().to_vec1::<f64>()?, [6.0, 8.0]);
///     Ok(())
/// }
/// ```
///
/// A matrix whose places of entries are fixed, by its values and a vector:
///
/// ```
/// use candle_core::{Device, Result, Var};
/// use retrograde::prelude::*;
/// use retrograde_candle::{With, apply, vector};
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
/// fn main() -> Result<()> {
///     let places: Arc<[(usize, usize)]> = Arc::from([(0, 0), (2, 0), (1, 1)]);
///     let a = Var::new(&[1f32, 2.0, 3.0], &Device::Cpu)?;
///     let x = Var::new(&[10f32, 20.0], &Device::Cpu)?;
///     let y = apply(vector(With(product {}, places), [3]), [&a, &x])?;
///     assert_eq!(y.to_vec1::<f32>()?, [10.0, 60.0, 20.0]);
///     let gradients = y.sum_all()?.backward()?;
///     assert_eq!(gradients.get(&a).unwrap().to_vec1::<f32>()?, [10.0, 10.0, 20.0]);
///     assert_eq!(gradients.get(&x).unwrap().to_vec1::<f32>()?, [3.0, 3.0]);
///     Ok(())
/// }
/// ```
///
/// A tensor that is not contiguous is made so first.
///
/// # Errors
///
/// If a tensor is not on the CPU, or not of `f32` or `f64`, or if they are not all of the same
/// type, or if the function is [`only`](retrograde::operation::Scalar::only) for another one.
///
/// # Panics
///
/// If the function does: when lengths do not fit, or what it does cannot be reversed.
pub fn apply<const N: usize, O>(operation: O, tensors: [&Tensor; N]) -> Result<Tensor>
where
    O: Operation<N> + 'static,
{
    let node = Node(operation);
    let name = node.0.name();
    for tensor in tensors {
        if !tensor.device().is_cpu() {
            bail!("{name} runs on the CPU, and not on {:?}", tensor.device().location());
        }
        let (first, found) = (tensors[0].dtype(), tensor.dtype());
        if found != first {
            bail!("{name} needs tensors of one type, and not of {first:?} and {found:?}");
        }
        let runs = match found {
            DType::F32 => node.0.on_f32().is_some(),
            DType::F64 => node.0.on_f64().is_some(),
            _ => false,
        };
        if !runs {
            bail!("{name} does not run on {found:?}");
        }
    }
    match &tensors[..] {
        [x] => x.contiguous()?.apply_op1(node),
        [a, b] => a.contiguous()?.apply_op2(&b.contiguous()?, node),
        [a, b, c] => a.contiguous()?.apply_op3(&b.contiguous()?, &c.contiguous()?, node),
        _ => bail!("{name} takes {N} tensors, and candle has operations on 1 to 3"),
    }
}

/// An operation in candle's graph. What [`apply`] has checked is not checked again.
struct Node<const N: usize, O>(O);

impl<const N: usize, O: Operation<N>> Node<N, O> {
    fn forward(&self, x: &[(&CpuStorage, &Layout)]) -> Result<(CpuStorage, Shape)> {
        let x: [_; N] = x.try_into().expect("as many tensors as arguments");
        match x[0].0 {
            CpuStorage::F32(_) => self.forward_on::<f32>(x),
            _ => self.forward_on::<f64>(x),
        }
    }

    fn forward_on<T: Element + WithDType>(
        &self,
        x: [(&CpuStorage, &Layout); N],
    ) -> Result<(CpuStorage, Shape)> {
        let shape = Shape::from(self.0.shape(x.map(|(_, layout)| layout.dims())));
        let mut y = vec![T::default(); shape.elem_count()];
        let x = all(x.map(|(storage, layout)| elements(storage, layout)))?;
        self.on::<T>()?.forward(&mut y, x);
        Ok((T::to_cpu_storage_owned(y), shape))
    }

    /// The gradient by each argument that carries one.
    fn backward<const M: usize>(
        &self,
        x: [&Tensor; M],
        y: &Tensor,
        d_y: &Tensor,
    ) -> Result<[Option<Tensor>; M]> {
        let x: [_; N] = x[..].try_into().expect("as many tensors as arguments");
        let gradients = match y.dtype() {
            DType::F32 => self.backward_on::<f32>(x, y, d_y),
            _ => self.backward_on::<f64>(x, y, d_y),
        }?;
        Ok(gradients.try_into().expect("a gradient for each tensor"))
    }

    fn backward_on<T: Element + WithDType>(
        &self,
        x: [&Tensor; N],
        y: &Tensor,
        d_y: &Tensor,
    ) -> Result<Vec<Option<Tensor>>> {
        let (mut y, mut d_y) = (copied::<T>(y)?, copied::<T>(d_y)?);
        let mut d_x = x.map(|x| vec![T::default(); x.elem_count()]);
        let stored = x.map(Tensor::storage_and_layout);
        let values = all(stored.each_ref().map(|(storage, layout)| match &**storage {
            Storage::Cpu(storage) => elements(storage, layout),
            _ => bail!("{} runs on the CPU", self.0.name()),
        }))?;
        let shadows = d_x.each_mut().map(|d_x| &mut d_x[..]);
        self.on::<T>()?.backward(&mut y, &mut d_y, values, shadows);
        let gradients = x.into_iter().zip(d_x).map(|(x, d_x)| {
            x.track_op().then(|| Tensor::from_vec(d_x, x.shape(), x.device())).transpose()
        });
        gradients.collect()
    }

    fn on<T: Element>(&self) -> Result<&dyn Passes<T, N>> {
        match T::passes(&self.0) {
            Some(passes) => Ok(passes),
            None => bail!("{} does not run on this type", self.0.name()),
        }
    }
}

/// The elements of a contiguous tensor.
fn elements<'a, T: WithDType>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [T]> {
    match layout.contiguous_offsets() {
        Some((start, end)) => Ok(&storage.as_slice()?[start..end]),
        None => bail!("a tensor is not contiguous"),
    }
}

fn copied<T: WithDType>(tensor: &Tensor) -> Result<Vec<T>> {
    tensor.flatten_all()?.to_vec1()
}

fn all<T, const N: usize>(results: [Result<T>; N]) -> Result<[T; N]> {
    let all: Vec<T> = results.into_iter().collect::<Result<_>>()?;
    Ok(all.try_into().ok().expect("as many as there were"))
}

macro_rules! candle {
    ($($op:ident ($($storage:ident $layout:ident),+) ($($x:ident),+) -> $gradient:ty;)+) => {$(
        impl<const N: usize, O: Operation<N>> $op for Node<N, O> {
            fn name(&self) -> &'static str {
                self.0.name()
            }
            fn cpu_fwd(
                &self,
                $($storage: &CpuStorage, $layout: &Layout),+
            ) -> Result<(CpuStorage, Shape)> {
                self.forward(&[$(($storage, $layout)),+])
            }
            fn bwd(&self, $($x: &Tensor,)+ y: &Tensor, d_y: &Tensor) -> Result<$gradient> {
                let [$($x),+] = self.backward([$($x),+], y, d_y)?;
                Ok(($($x),+))
            }
        }
    )+};
}

candle! {
    CustomOp1 (s l) (x) -> Option<Tensor>;
    CustomOp2 (s1 l1, s2 l2) (a, b) -> (Option<Tensor>, Option<Tensor>);
    CustomOp3 (s1 l1, s2 l2, s3 l3) (a, b, c) -> (Option<Tensor>, Option<Tensor>, Option<Tensor>);
}
