//! Kernels of every form that the device has, each run in all directions. A case gives
//! everything that it computed, to be compared between devices.
#![allow(dead_code)]
#![allow(non_snake_case, clippy::precedence, clippy::identity_op, clippy::bool_comparison)]

pub mod failing;

use retrograde_gpu::{Device, Error, Launch};

/// What a case computed: buffers, by name. One that begins with `~` is a sum over all
/// indices, which devices make in an order of their own, or of functions that libraries
/// round differently.
pub type Outcome = Vec<(String, Vec<f64>)>;

/// A case: runs on a device, and gives what it computed.
pub struct Case {
    pub name: &'static str,
    pub run: fn(&Device, Options) -> Result<Outcome, Error>,
}

/// How to launch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub exact: bool,
    pub checked: bool,
    pub deterministic: bool,
}

fn with<'a, F: retrograde::device::Function, G: retrograde_gpu::Grid>(
    launch: Launch<'a, F, G>,
    options: Options,
) -> Launch<'a, F, G> {
    let launch = if options.exact { launch.exact() } else { launch };
    let launch = if options.checked { launch.checked() } else { launch };
    if options.deterministic { launch.deterministic() } else { launch }
}

/// Numbers between −2 and 2 that look like chance.
fn noise(seed: u64, count: usize) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..count)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 51) as f64 - 2.0
        })
        .collect()
}

fn positive(seed: u64, count: usize) -> Vec<f64> {
    noise(seed, count).iter().map(|x| x.abs() + 0.25).collect()
}

/// All directions of a function `(i, y, x)`, one after the other.
macro_rules! case {
    ($function:ident, $count:expr, $y:expr, $x:expr) => {
        Case {
            name: stringify!($function),
            run: |device, options| {
                let count = $count;
                let mut outcome = Outcome::new();
                let mut y = device.upload(&$y)?;
                let x = device.upload(&$x)?;
                let mut d_y = device.upload(&noise(77, y.len()))?;
                let mut d_x = device.zeros::<f64>(x.len())?;
                let launch = || with(device.launch(&$function {}, count), options);
                launch().forward((&mut y, &x))?;
                outcome.push(("forward".to_string(), y.download()?));
                launch().adjoint((&mut y, &mut d_y, &x, &mut d_x))?;
                outcome.push(("adjoint y".to_string(), y.download()?));
                outcome.push(("adjoint d_y".to_string(), d_y.download()?));
                outcome.push(("adjoint d_x".to_string(), d_x.download()?));
                launch().inverse_adjoint((&mut y, &mut d_y, &x, &mut d_x))?;
                outcome.push(("inverse adjoint y".to_string(), y.download()?));
                outcome.push(("inverse adjoint d_x".to_string(), d_x.download()?));
                launch().inverse((&mut y, &x))?;
                outcome.push(("inverse".to_string(), y.download()?));
                launch().forward((&mut y, &x))?;
                launch().gradient((&mut y, &mut d_y, &x, &mut d_x))?;
                outcome.push(("gradient d_x".to_string(), d_x.download()?));
                Ok(outcome)
            },
        }
    };
}

mod expressions;
mod forms;
mod launches;
mod lent;
mod sums;
mod types;

/// Constants of the program, for kernels to refer to.
const SHIFT: f64 = 0.75;
const TABLE: [f64; 3] = [1.0, -2.5, 0.125];

pub fn cases() -> Vec<Case> {
    let groups = [
        forms::cases(),
        expressions::cases(),
        types::cases(),
        launches::cases(),
        lent::cases(),
        sums::cases(),
    ];
    groups.into_iter().flatten().collect()
}
