//! Programs that were published for Janus, the first reversible language, written in this one.
//!
//! Each has the results that its authors printed, and runs from them back to the start; then random
//! inputs there and back, and where every result has an input, random results back and there.

mod janus {
    mod burrows_wheeler;
    mod code;
    mod factor;
    mod fibonacci;
    mod range_coder;
    mod root;
    mod run_length;
    mod schrodinger;
    mod sort;
    mod turing;
}
