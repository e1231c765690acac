//! Counts and gradients of all schedules.

mod counts;
mod gradients;
