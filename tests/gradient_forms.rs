//! Every form of statement, differentiated: against differences, against dual
//! numbers, and back again; on any real number and on floats.

mod gradient_forms {
    mod by_hand;
    mod calls;
    mod constants;
    mod containers;
    mod control;
    mod elements;
    mod fused;
    mod idioms;
    mod indices;
    mod literals;
    mod loops;
    mod made;
    mod matching;
    mod names;
    mod operators;
    mod patterns;
    mod places;
    mod plain;
    mod pure;
    mod recursion;
    mod slices;
    mod spelling;
    mod sums;
    mod traits;
    mod updates;
    mod vectors;
}
mod gradient_harness;
