//! The same in every framework.

use super::pattern::{product, random};
use super::{Found, found};
use crate::experiment::Context;
use crate::measure::{Contender, assert_near, heap, race};
use crate::programs::program::numbers;
use retrograde::calculus::With;
use retrograde::operation::{Operation, vector};
use std::sync::Arc;

/// A tensor framework that finds gradients. Every way gives those by its variables.
pub trait Framework {
    /// What it is called.
    const NAME: &'static str;
    /// A tensor of one dimension.
    type Vector;
    /// A tensor of two dimensions.
    type Matrix;
    /// Whole numbers that index tensors.
    type Indices;

    /// A variable.
    fn vector(values: &[f64]) -> Self::Vector;
    /// A square variable, given row after row.
    fn matrix(size: usize, values: &[f64]) -> Self::Matrix;
    /// Indices.
    fn indices(indices: impl Iterator<Item = usize>) -> Self::Indices;
    /// What a tensor holds.
    fn values(tensor: &Self::Vector) -> Vec<f64>;
    /// What a tensor holds, row after row.
    fn entries(tensor: &Self::Matrix) -> Vec<f64>;

    /// The norm as a loop over the elements of a tensor.
    fn norm_by_elements(x: &Self::Vector) -> Self::Vector;
    /// The norm as a loop over variables of one element each.
    fn norm_by_variables(x: &[Self::Vector]) -> Vec<Self::Vector>;
    /// The norm by operations on whole tensors.
    fn norm_by_tensors(x: &Self::Vector) -> Self::Vector;
    /// The norm as a reversible function.
    fn norm_as_node(x: &Self::Vector) -> Self::Vector;

    /// The sum of a matrix, whose zeros are stored too, times a vector.
    fn product_dense(a: &Self::Matrix, x: &Self::Vector) -> (Self::Matrix, Self::Vector);
    /// The same of the entries: each finds its number in the vector, and its row in the product.
    fn product_by_indices(
        values: &Self::Vector,
        x: &Self::Vector,
        rows: &Self::Indices,
        columns: &Self::Indices,
    ) -> (Self::Vector, Self::Vector);
    /// The same with the product as a reversible function.
    fn product_as_node(
        product: Arc<dyn Operation<2>>,
        values: &Self::Vector,
        x: &Self::Vector,
    ) -> (Self::Vector, Self::Vector);
}

/// The ways to the gradient of a norm, ours last.
pub const NORMS: [&str; 4] = [
    "a loop over the elements of a tensor",
    "a loop over variables of one element",
    "sqr, sum, sqrt of whole tensors",
    "the reversible norm as a node",
];

/// The ways to the gradient of a sparse product, ours last.
pub const PRODUCTS: [&str; 3] = [
    "a dense matrix, its zeros too",
    "gather, multiply, scatter",
    "the reversible product as a node",
];

/// Measures the gradient of a norm in each way.
pub fn norm<F: Framework>(context: &Context, n: usize) -> Vec<Found> {
    let values = numbers(1, n);
    let x = F::vector(&values);
    let each: Vec<F::Vector> = values.iter().map(|value| F::vector(&[*value])).collect();

    let length = values.iter().map(|x| x * x).sum::<f64>().sqrt();
    let expected: Vec<f64> = values.iter().map(|x| x / length).collect();
    let near = |found: &[f64], expected: &[f64]| assert_near(F::NAME, found, expected, 1e-9);
    near(&F::values(&F::norm_by_elements(&x)), &expected);
    let by_variables = F::norm_by_variables(&each);
    near(&by_variables.iter().flat_map(F::values).collect::<Vec<f64>>(), &expected);
    near(&F::values(&F::norm_by_tensors(&x)), &expected);
    near(&F::values(&F::norm_as_node(&x)), &expected);

    let heaps = [
        heap(|| F::norm_by_elements(&x)),
        heap(|| F::norm_by_variables(&each)),
        heap(|| F::norm_by_tensors(&x)),
        heap(|| F::norm_as_node(&x)),
    ];
    let contenders = vec![
        Contender::new(NORMS[0], || F::norm_by_elements(&x)),
        Contender::new(NORMS[1], || F::norm_by_variables(&each)),
        Contender::new(NORMS[2], || F::norm_by_tensors(&x)),
        Contender::new(NORMS[3], || F::norm_as_node(&x)),
    ];
    found(&race(context.budget(), contenders), &heaps)
}

/// Measures the gradient of the sum of a sparse product in each way.
pub fn sparse<F: Framework>(context: &Context, n: usize, density: f64) -> Vec<Found> {
    let (pattern, entries) = random(n, density);
    let column = |j| pattern.column_rows(j).iter().map(move |i| (*i, j));
    let places: Vec<(usize, usize)> = (0..n).flat_map(column).collect();
    let mut dense = vec![0.0; n * n];
    for ((i, j), entry) in places.iter().zip(&entries) {
        dense[i * n + j] = *entry;
    }
    let vector_of = numbers(2, n);
    let (a, values, x) = (F::matrix(n, &dense), F::vector(&entries), F::vector(&vector_of));
    let rows = F::indices(places.iter().map(|(i, _)| *i));
    let columns = F::indices(places.iter().map(|(_, j)| *j));
    let product: Arc<dyn Operation<2>> = Arc::new(vector(With(product {}, Arc::new(pattern)), [n]));

    let by_entries: Vec<f64> = places.iter().map(|(_, j)| vector_of[*j]).collect();
    let mut by_x = vec![0.0; n];
    for ((_, j), entry) in places.iter().zip(&entries) {
        by_x[*j] += entry;
    }
    let near = |found: &[f64], expected: &[f64]| assert_near(F::NAME, found, expected, 1e-9);
    let (d_a, d_x) = F::product_dense(&a, &x);
    let d_a = F::entries(&d_a);
    near(&places.iter().map(|(i, j)| d_a[i * n + j]).collect::<Vec<f64>>(), &by_entries);
    near(&F::values(&d_x), &by_x);
    for (d_values, d_x) in [
        F::product_by_indices(&values, &x, &rows, &columns),
        F::product_as_node(product.clone(), &values, &x),
    ] {
        near(&F::values(&d_values), &by_entries);
        near(&F::values(&d_x), &by_x);
    }

    let heaps = [
        heap(|| F::product_dense(&a, &x)),
        heap(|| F::product_by_indices(&values, &x, &rows, &columns)),
        heap(|| F::product_as_node(product.clone(), &values, &x)),
    ];
    let contenders = vec![
        Contender::new(PRODUCTS[0], || F::product_dense(&a, &x)),
        Contender::new(PRODUCTS[1], || F::product_by_indices(&values, &x, &rows, &columns)),
        Contender::new(PRODUCTS[2], || F::product_as_node(product.clone(), &values, &x)),
    ];
    found(&race(context.budget(), contenders), &heaps)
}
