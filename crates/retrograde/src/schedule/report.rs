//! What a run says of itself.

/// What a run costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many steps were taken forwards. In a gradient, one of them makes the end.
    pub forward: u128,
    /// How many steps were taken backwards, to uncompute a state.
    pub inverse: u128,
    /// How many adjoints of a step were run. None of them takes a step forwards:
    /// the states before and after its step are there.
    pub adjoint: u128,
    /// The most states that were kept at once: the start, those that wait, and the
    /// one at which the run stands.
    ///
    /// So it is counted in the literature. Further states are in work only: the one
    /// that a step writes while it reads another, and the one after the step whose
    /// adjoint is next.
    pub peak: usize,
    /// The most states that were in memory, of every kind: the start, those that were
    /// kept, those in work, and in a gradient the two that hold gradients.
    pub buffers: usize,
}

impl Report {
    /// All calls, in any direction.
    pub fn calls(&self) -> u128 {
        self.forward + self.inverse + self.adjoint
    }

    /// How long it takes, where a step takes `step` seconds in either direction and
    /// its adjoint `adjoint` seconds.
    pub fn seconds(&self, step: f64, adjoint: f64) -> f64 {
        (self.forward + self.inverse) as f64 * step + self.adjoint as f64 * adjoint
    }
}

/// Something that a run has done; a state is called by the number of steps from
/// the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// From state `k`, the next one was made.
    Forward(usize),
    /// The state after `k` was uncomputed.
    Inverse(usize),
    /// The gradient went back to state `k`.
    Adjoint(usize),
    /// A checkpoint was taken.
    Keep(usize),
    /// A checkpoint was dropped.
    Drop(usize),
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What has just happened.
    pub event: Event,
    /// How many calls were made, in any direction.
    pub done: u128,
    /// How many there will be.
    pub of: u128,
}
