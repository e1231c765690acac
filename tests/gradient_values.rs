//! The derivative of each function and operator: at random points and at the
//! edges, in every number type, through reversible functions.

mod gradient_values {
    mod complex;
    mod edges;
    mod groups;
    mod known;
    mod numbers;
    mod table;
}
