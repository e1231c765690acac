//! Launches: a function, for every index of a grid.

use crate::arguments::{Arguments, Content, Fits, FitsAdjoint, Passed};
use crate::buffer::{Raw, same_length};
use crate::cuda::{self, Cuda, Entry};
use crate::device::{Device, Kind};
use crate::error::{Error, Failure};
use crate::packed::Packed;
use crate::source::{self, Direction, Parameter, Role, Settings, Shape};
use retrograde::device::{Argument, Check, Form, Function, Source};
use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

/// What a function runs over: `usize` indices, or rows and columns.
pub trait Grid: Copy {
    /// The first argument of the function.
    type Index;
    #[doc(hidden)]
    fn size(self) -> (usize, usize);
    #[doc(hidden)]
    fn index(row: usize, column: usize) -> Self::Index;
    #[doc(hidden)]
    const TWO: bool;
}

impl Grid for usize {
    type Index = usize;
    fn size(self) -> (usize, usize) {
        (1, self)
    }
    fn index(_row: usize, column: usize) -> usize {
        column
    }
    const TWO: bool = false;
}

/// Rows and columns: neighbours in a row run side by side.
impl Grid for (usize, usize) {
    type Index = (usize, usize);
    fn size(self) -> (usize, usize) {
        self
    }
    fn index(row: usize, column: usize) -> (usize, usize) {
        (row, column)
    }
    const TWO: bool = true;
}

/// A launch, to be given its arguments: see [`Device::launch`].
#[must_use = "nothing runs before `forward`, `inverse` or `adjoint` is called"]
pub struct Launch<'a, F, G> {
    device: &'a Device,
    function: &'a F,
    grid: G,
    own: Vec<&'a str>,
    shared: Vec<&'a str>,
    checked: bool,
    deterministic: bool,
    fused: bool,
}

impl<'a, F: Function, G: Grid> Launch<'a, F, G> {
    pub(crate) fn new(device: &'a Device, function: &'a F, grid: G) -> Self {
        Launch {
            device,
            function,
            grid,
            own: Vec::new(),
            shared: Vec::new(),
            checked: false,
            deterministic: false,
            fused: true,
        }
    }

    /// Says that no two indices read the same element of an argument, so that its
    /// gradient needs no atomic sums. If they do, the gradient is wrong.
    pub fn own(mut self, argument: &'a str) -> Self {
        self.own.push(argument);
        self
    }

    /// Says that several indices read the same element of an argument, so that its
    /// gradient is summed atomically. An argument `&[T]` is taken for shared without it,
    /// unless the compiler sees that each index reads its own element alone.
    pub fn shared(mut self, argument: &'a str) -> Self {
        self.shared.push(argument);
        self
    }

    /// Checks bounds and reversibility on the device; the call waits for it, and gives
    /// the first failure as an error.
    pub fn checked(mut self) -> Self {
        self.checked = true;
        self
    }

    /// Sums the gradients of shared arguments in an order that is always the same, so
    /// that every run gives the same bits: each of some workers takes a share of the
    /// indices and has a shadow of its own.
    pub fn deterministic(mut self) -> Self {
        self.deterministic = true;
        self
    }

    /// Rounds after every operation, as the processor does; without it, products and
    /// sums are fused.
    pub fn exact(mut self) -> Self {
        self.fused = false;
        self
    }

    /// Runs the function for every index.
    pub fn forward<A>(self, arguments: A) -> Result<(), Error>
    where
        A: Fits<F, G::Index>,
    {
        self.run(Direction::Forward, arguments, |f, a, i| a.call(f, i))
    }

    /// Undoes the function for every index.
    pub fn inverse<A>(self, arguments: A) -> Result<(), Error>
    where
        A: Fits<F, G::Index>,
    {
        self.run(Direction::Inverse, arguments, |f, a, i| a.call_inverse(f, i))
    }

    /// Undoes the function for every index, and carries the gradient back: every
    /// argument that has a gradient is followed by its shadow.
    pub fn adjoint<A>(self, arguments: A) -> Result<(), Error>
    where
        A: FitsAdjoint<F, G::Index>,
    {
        self.run(Direction::Adjoint, arguments, |f, a, i| a.call_adjoint(f, i))
    }

    /// Undoes [`adjoint`](Self::adjoint).
    pub fn inverse_adjoint<A>(self, arguments: A) -> Result<(), Error>
    where
        A: FitsAdjoint<F, G::Index>,
    {
        self.run(Direction::InverseAdjoint, arguments, |f, a, i| a.call_inverse_adjoint(f, i))
    }

    /// Carries the gradient back as [`adjoint`](Self::adjoint) does, where nobody looks
    /// at the values that it would restore: afterwards, they hold anything.
    pub fn gradient<A>(self, arguments: A) -> Result<(), Error>
    where
        A: FitsAdjoint<F, G::Index>,
    {
        self.run(Direction::Gradient, arguments, |f, a, i| a.call_gradient(f, i))
    }

    /// The derivatives of every number of an output with respect to what its index reads.
    ///
    /// The arguments are those of [`adjoint`](Self::adjoint), with a [`Basis`] in the place
    /// of the shadow of the output, an `&mut [Y]` of which each index writes its own
    /// element alone, and [`Rows`] in the place of the shadows of inputs, of which each
    /// index reads one element. For every index and every number of its `Y`, there is a row:
    /// the derivatives with respect to that element. Rows are written, not added to; the
    /// output stays as it is.
    ///
    /// ```
    /// use retrograde::prelude::*;
    /// use retrograde_gpu::{Basis, Device, Rows};
    ///
    /// #[reversible(gpu)]
    /// fn polar(i: usize, y: &mut [[f64; 2]], x: &[[f64; 2]], of: &[u32]) {
    ///     let k = of[i] as usize;
    ///     y[i][0] += x[k][0] * x[k][1].cos();
    ///     y[i][1] += x[k][0] * x[k][1].sin();
    /// }
    ///
    /// # fn main() -> Result<(), retrograde_gpu::Error> {
    /// let device = Device::best();
    /// let x = device.upload(&[[2.0, 0.0], [3.0, 0.0]])?;
    /// let of = device.upload(&[1_u32, 0, 1])?;
    /// let mut y = device.zeros(3)?;
    /// let mut rows = device.zeros(6)?;
    /// device
    ///     .launch(&polar {}, 3)
    ///     .jacobian((&mut y, Basis::of(3), &x, Rows::new(&mut rows, x.len()), &of))?;
    /// assert_eq!(rows.download()?[..2], [[1.0, 0.0], [0.0, 3.0]]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// [`Basis`]: crate::Basis
    /// [`Rows`]: crate::Rows
    pub fn jacobian<A>(self, mut arguments: A) -> Result<(), Error>
    where
        A: FitsAdjoint<F, G::Index>,
    {
        let source = &F::SOURCE;
        let (rows, columns) = self.grid.size();
        let count = rows * columns;
        let mut passed = arguments.passed();
        let mut components = None;
        for passed in passed.iter().filter(|passed| passed.shape == Shape::Basis) {
            components = Some(numbers_in(&(passed.form)(), source.name)?.1);
        }
        let Some(components) = components else {
            return Err(Error::NoSuchArgument {
                function: source.name,
                argument: "a `Basis` in the place of the shadow of its output".to_string(),
            });
        };
        for passed in passed.iter().filter(|passed| passed.shape == Shape::Rows) {
            if let Content::Memory(_, found) = &passed.content {
                same_length("the rows of a Jacobian", count * components, *found)?;
            }
        }
        let roles = self.roles(Direction::Jacobian, &passed)?;
        if count == 0 {
            return Ok(());
        }
        if let Kind::Cpu = self.device.0 {
            drop(passed);
            for index in 0..count {
                for component in 0..components {
                    arguments.begin(index, component);
                    let at = G::index(index / columns, index % columns);
                    arguments.call_gradient(self.function, at);
                    arguments.end(index * components + component);
                }
            }
            return Ok(());
        }
        let settings = Settings {
            direction: Direction::Jacobian,
            two: G::TWO,
            checked: self.checked,
            deterministic: false,
        };
        self.on_device(settings, &mut passed, &roles)
    }

    fn run<A: Arguments<G::Index>>(
        self,
        direction: Direction,
        mut arguments: A,
        on_host: impl Fn(&F, &mut A, G::Index),
    ) -> Result<(), Error> {
        let (rows, columns) = self.grid.size();
        let mut passed = arguments.passed();
        let roles = self.roles(direction, &passed)?;
        if rows == 0 || columns == 0 {
            return Ok(());
        }
        if let Kind::Cpu = self.device.0 {
            drop(passed);
            for row in 0..rows {
                for column in 0..columns {
                    on_host(self.function, &mut arguments, G::index(row, column));
                }
            }
            return Ok(());
        }
        let settings = Settings {
            direction,
            two: G::TWO,
            checked: self.checked,
            deterministic: self.deterministic && roles.iter().any(|role| role.is_summed_apart()),
        };
        self.on_device(settings, &mut passed, &roles)
    }

    /// What each argument is, and whether all fit.
    fn roles(&self, direction: Direction, passed: &[Passed]) -> Result<Vec<Role>, Error> {
        let source = &F::SOURCE;
        for name in self.own.iter().chain(&self.shared) {
            if !source.arguments.iter().any(|argument| argument.name == *name) {
                let argument = name.to_string();
                return Err(Error::NoSuchArgument { function: source.name, argument });
            }
        }
        let mut roles = Vec::with_capacity(passed.len());
        let mut all = passed.iter();
        for argument in &source.arguments[1..] {
            let Some(value) = all.next() else { break };
            self.lies_here(argument, value)?;
            roles.push(self.role_of_value(argument, value)?);
            if !(direction.with_shadows() && argument.active) {
                continue;
            }
            let Some(shadow) = all.next() else { break };
            self.lies_here(argument, shadow)?;
            if let (Content::Memory(_, expected), Content::Memory(_, found)) =
                (&value.content, &shadow.content)
                && shadow.shape != Shape::Rows
            {
                let what = format!("the shadow of `{}`", argument.name);
                same_length(&what, *expected, *found)?;
            }
            roles.push(self.role_of_shadow(argument, value, shadow)?);
        }
        Ok(roles)
    }

    /// A number that is written, and not a slice of them, is one for all indices.
    fn role_of_value(&self, argument: &Argument, value: &Passed) -> Result<Role, Error> {
        let (rows, columns) = self.grid.size();
        if value.shape != Shape::Place || !value.written || (argument.adds)() {
            let sum = value.shape == Shape::Place && value.written;
            return Ok(if sum { Role::Sum } else { Role::Value });
        }
        if rows.saturating_mul(columns) <= 1 {
            return Ok(Role::Value);
        }
        Err(Error::Race { function: F::SOURCE.name, argument: argument.name })
    }

    fn role_of_shadow(
        &self,
        argument: &Argument,
        value: &Passed,
        shadow: &Passed,
    ) -> Result<Role, Error> {
        let says = |list: &[&str]| list.contains(&argument.name);
        let (own, shared) = (argument.own || says(&self.own), says(&self.shared));
        Ok(match (shadow.shape, value.written) {
            // Of what is only added to, the shadow is only read.
            (Shape::Place, true) => Role::Own,
            (Shape::Place, false) => Role::Shared,
            _ if own && !shared => Role::Own,
            (_, false) => Role::Shared,
            (_, true) if shared && self.deterministic => {
                return Err(Error::NotInOrder {
                    function: F::SOURCE.name,
                    argument: argument.name,
                });
            }
            (_, true) => Role::Open,
        })
    }

    fn lies_here(&self, argument: &Argument, passed: &Passed) -> Result<(), Error> {
        let Content::Memory(raw, _) = &passed.content else { return Ok(()) };
        let here = match (raw, &self.device.0) {
            (Raw::Cuda(memory), Kind::Cuda(cuda)) => cuda.holds(memory),
            (Raw::CudaMut(memory), Kind::Cuda(cuda)) => cuda.holds(memory),
            (Raw::Host, Kind::Cpu) => true,
            #[cfg(feature = "emulation")]
            (Raw::Emulated(_), Kind::Emulated(_)) => true,
            _ => false,
        };
        if here { Ok(()) } else { Err(Error::OtherDevice { argument: argument.name }) }
    }

    fn on_device(
        &self,
        settings: Settings,
        passed: &mut [Passed],
        roles: &[Role],
    ) -> Result<(), Error> {
        let source = const { &F::SOURCE };
        let ready = self.ready(source, settings, passed, roles)?;
        let (rows, columns) = self.grid.size();
        let mut report = match self.checked {
            true => Some(self.device.upload(&[[0_u64; 4]])?),
            false => None,
        };
        let workers = workers(rows * columns, passed, roles);
        // What workers sum for themselves.
        let mut own_sums = Vec::new();
        if settings.deterministic {
            for (passed, role) in passed.iter().zip(roles) {
                if let (true, Content::Memory(_, length)) =
                    (role.is_summed_apart(), &passed.content)
                {
                    let (wide, numbers) = numbers_in(&(passed.form)(), source.name)?;
                    let bytes = workers * length * numbers * if wide { 8 } else { 4 };
                    own_sums.push((self.device.zeros::<u32>(bytes / 4)?, wide, length * numbers));
                }
            }
        }
        let mut packed = Packed::default();
        packed.number(rows as u64);
        packed.number(columns as u64);
        let mut memory: Vec<Raw> = Vec::new();
        if let Some(report) = &mut report {
            packed.address();
            memory.push(report.raw_mut());
        }
        if settings.deterministic {
            packed.number(workers as u64);
        }
        let mut sums = own_sums.iter_mut();
        for (passed, role) in passed.iter_mut().zip(roles) {
            let taken = packed.take_one(passed);
            let own = match role {
                role if settings.deterministic && role.is_summed_apart() => sums.next(),
                _ => None,
            };
            memory.extend(match own {
                Some((buffer, ..)) => Some(buffer.raw_mut()),
                None => taken,
            });
        }
        let (grid, block) = match settings {
            Settings { direction: Direction::Jacobian, .. } => {
                let threads = source::ROWS_THREADS;
                let count = (rows * columns).div_ceil(threads) as u32;
                ((count, 1), (threads as u32, 1))
            }
            Settings { deterministic: true, .. } => blocks(1, workers, false),
            _ => blocks(rows, columns, G::TWO),
        };
        self.call(&ready, Entry::Kernel, grid, block, packed, memory)?;
        let shared = passed.iter_mut().zip(roles).filter(|(_, role)| role.is_summed_apart());
        for ((sum, wide, count), (passed, _)) in own_sums.iter().zip(shared) {
            let Content::Memory(raw, _) = &mut passed.content else { continue };
            let mut packed = Packed::default();
            packed.address();
            packed.address();
            packed.number(*count as u64);
            packed.number(workers as u64);
            let (grid, block) = blocks(1, *count, false);
            let memory = vec![raw.again(), sum.raw()];
            self.call(&ready, Entry::Sum { wide: *wide }, grid, block, packed, memory)?;
        }
        match report {
            Some(report) => failure(source.name, &ready.checks, report.download()?[0]),
            None => Ok(()),
        }
    }

    /// Calls an entry, whose arguments are complete but for the addresses of memory.
    fn call(
        &self,
        ready: &Ready,
        entry: Entry,
        grid: (u32, u32),
        block: (u32, u32),
        mut packed: Packed,
        memory: Vec<Raw>,
    ) -> Result<(), Error> {
        match (&self.device.0, &*ready.compiled) {
            (Kind::Cuda(cuda), Compiled::Cuda(compiled)) => {
                cuda.with_addresses(memory, |addresses| {
                    packed.fill(addresses);
                    cuda.launch(compiled, entry, grid, block, &mut packed.arguments())
                })
            }
            #[cfg(feature = "emulation")]
            (Kind::Emulated(_), Compiled::Emulated(compiled)) => {
                let address = |raw: &Raw| match raw {
                    Raw::Emulated(address) => *address as u64,
                    _ => unreachable!("checked before the launch"),
                };
                packed.fill(&memory.iter().map(address).collect::<Vec<u64>>());
                compiled.call(entry, &mut packed.arguments())
            }
            _ => unreachable!("compiled for this device"),
        }
    }

    /// The compiled kernel, made when it is first asked for.
    fn ready(
        &self,
        source: &'static Source,
        settings: Settings,
        passed: &[Passed],
        roles: &[Role],
    ) -> Result<Arc<Ready>, Error> {
        static KERNELS: LazyLock<Mutex<Kernels>> = LazyLock::new(Mutex::default);
        let key = Key {
            source: std::ptr::from_ref(source) as usize,
            device: self.device.number(),
            settings,
            fused: self.fused,
            parameters: passed
                .iter()
                .zip(roles)
                .map(|(passed, role)| (passed.id, passed.shape, passed.written, *role))
                .collect(),
        };
        let kernels = || KERNELS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(ready) = kernels().launched.get(&key) {
            return Ok(ready.clone());
        }
        // Other threads need not wait for the compiler, even if one compiles the same.
        let parameters: Vec<Parameter> = passed
            .iter()
            .zip(roles)
            .map(|(passed, role)| Parameter {
                shape: passed.shape,
                form: (passed.form)(),
                written: passed.written,
                role: *role,
            })
            .collect();
        let kernel = source::kernel(source, &parameters, settings);
        let text = (key.device, key.fused, kernel.text.clone());
        let known = kernels().compiled.get(&text).cloned();
        let compiled = match (known, &self.device.0) {
            (Some(compiled), _) => compiled,
            (None, Kind::Cuda(cuda)) => {
                let compiled = Cuda::compile(cuda, source.name, &kernel.text, self.fused)?;
                Arc::new(Compiled::Cuda(compiled))
            }
            #[cfg(feature = "emulation")]
            (None, Kind::Emulated(emulator)) => {
                Arc::new(Compiled::Emulated(emulator.compile(source.name, &kernel)?))
            }
            (None, Kind::Cpu) => unreachable!("runs without a kernel"),
        };
        let mut kernels = kernels();
        let compiled = kernels.compiled.entry(text).or_insert(compiled).clone();
        let ready = Arc::new(Ready { compiled, checks: kernel.checks });
        Ok(kernels.launched.entry(key).or_insert(ready).clone())
    }
}

/// What was compiled, by the text and by what was launched: putting a text together takes longer
/// than a launch.
#[derive(Default)]
struct Kernels {
    launched: HashMap<Key, Arc<Ready>>,
    /// By the device, whether products are fused, and the text.
    compiled: HashMap<(usize, bool, String), Arc<Compiled>>,
}

/// What tells one kernel from another before its text is put together.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    /// Where the source lies, of which only sources that are the same in all share a place: a
    /// text alone says nothing of its constants and callees.
    source: usize,
    device: usize,
    settings: Settings,
    fused: bool,
    parameters: Vec<(TypeId, Shape, bool, Role)>,
}

struct Ready {
    compiled: Arc<Compiled>,
    checks: Vec<Check>,
}

enum Compiled {
    Cuda(cuda::Compiled),
    #[cfg(feature = "emulation")]
    Emulated(crate::emulation::Compiled),
}

/// Blocks of threads that cover a grid.
fn blocks(rows: usize, columns: usize, two: bool) -> ((u32, u32), (u32, u32)) {
    let block: (usize, usize) = if two { (32, 8) } else { (256, 1) };
    let count = |all: usize, of: usize| u32::try_from(all.div_ceil(of)).unwrap_or(u32::MAX);
    ((count(columns, block.0), count(rows, block.1)), (block.0 as u32, block.1 as u32))
}

/// How many workers share the indices: as many as keep a device busy, as long as their
/// shadows do not fill its memory.
fn workers(indices: usize, passed: &[Passed], roles: &[Role]) -> usize {
    const MOST: usize = 8192;
    const BYTES: usize = 1 << 28;
    let bytes: usize = passed
        .iter()
        .zip(roles)
        .filter(|(_, role)| role.is_summed_apart())
        .map(|(passed, _)| match &passed.content {
            Content::Memory(_, length) => {
                let numbers = source::numbers_in(&(passed.form)()).map_or(1, |(_, count)| count);
                8 * length * numbers
            }
            Content::Bytes(_) | Content::Nothing => 0,
        })
        .sum();
    indices.min(MOST).min((BYTES / bytes.max(1)).max(1))
}

/// The numbers that a type is made of, which must be of one kind.
fn numbers_in(form: &Form, function: &'static str) -> Result<(bool, usize), Error> {
    source::numbers_in(form).ok_or_else(|| Error::Driver {
        doing: "taking a value apart",
        said: format!(
            "an argument of `{function}` is made of numbers of several kinds\n\
             help: keep what is constant in an argument of its own"
        ),
    })
}

/// The first failure, if there is one.
fn failure(kernel: &'static str, checks: &[Check], report: [u64; 4]) -> Result<(), Error> {
    // Two numbers of four bytes come first.
    let [head, index, place, length] = report;
    let bytes = head.to_ne_bytes();
    let half = |from: usize| u32::from_ne_bytes(bytes[from..from + 4].try_into().expect("four"));
    if half(0) == 0 {
        return Ok(());
    }
    let check = checks[half(4) as usize];
    let beyond = (length > 0 || place > 0).then_some((place, length));
    Err(Error::Check(Failure { kernel, index, check, beyond }))
}
