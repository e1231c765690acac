//! Reversible functions in tensor frameworks.
//!
//! The frameworks take minutes to build, so each is a feature: without any, only what the
//! operations themselves cost is measured.

#[cfg(feature = "burn")]
mod burn;
#[cfg(feature = "candle")]
mod candle;
#[cfg(any(feature = "candle", feature = "burn"))]
mod framework;
mod pattern;

use crate::experiment::{Context, Experiment};
use crate::findings::{Cell, Claim, Findings, Table, Verdict};
use crate::format;
use crate::measure::{Contender, Heap, Times, heap, race};
use crate::programs::norm::norm;
use crate::programs::program::numbers;
use pattern::{product, random};
use retrograde::calculus::With;
use retrograde::operation::{Operation, scalar, vector};
use std::sync::Arc;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "tensors",
    title: "Porting to a tensor framework",
    paper: "appendix “Porting NiLang to Zygote”, and SparseADRules.jl",
    about: "A framework that records every operation on its tensors is slow where a program is \
            a loop over elements. A reversible function is one operation for it, with the \
            adjoint as its backward pass. The norm of a vector, and the sum over a sparse \
            matrix times a vector: by the framework’s own graph, and with ours as a node in it.",
    run,
};

/// The bar of C21: our node is at least so many times as fast as the graph of elements.
const FASTER: f64 = 20.0;
/// How many times as fast the paper's is.
const FASTER_IN_THE_PAPER: f64 = 228.967 / 4.015;

/// The elements of the vector, and the rows of the matrix.
const SIZE: usize = 1000;
const DENSITY: f64 = 0.1;
const KIB: f64 = 1024.0;

/// One way to a gradient, and what it costs.
struct Found {
    way: String,
    time: f64,
    bytes: f64,
    allocations: Option<u64>,
}

impl Found {
    fn in_the_paper(way: &str, time: f64, bytes: f64, allocations: Option<u64>) -> Self {
        Found { way: way.into(), time, bytes, allocations }
    }
}

fn found(times: &Times, heaps: &[Heap]) -> Vec<Found> {
    let costs = times.iter().zip(heaps);
    let found = costs.map(|((way, time), heap)| Found {
        way: way.into(),
        time,
        bytes: heap.peak as f64,
        allocations: Some(heap.allocations),
    });
    found.collect()
}

/// What each framework takes, ours last.
struct Frameworks {
    norms: Vec<(&'static str, Vec<Found>)>,
    products: Vec<(&'static str, Vec<Found>)>,
}

#[cfg(any(feature = "candle", feature = "burn"))]
impl Frameworks {
    fn add<F: framework::Framework>(&mut self, context: &Context) {
        context.next(&format!("the norm in {}", F::NAME));
        self.norms.push((F::NAME, framework::norm::<F>(context, SIZE)));
        context.next(&format!("the product in {}", F::NAME));
        self.products.push((F::NAME, framework::sparse::<F>(context, SIZE, DENSITY)));
    }
}

#[cfg_attr(not(any(feature = "candle", feature = "burn")), expect(unused_variables, unused_mut))]
fn frameworks(context: &Context) -> Frameworks {
    let mut frameworks = Frameworks { norms: Vec::new(), products: Vec::new() };
    #[cfg(feature = "candle")]
    frameworks.add::<candle::Candle>(context);
    #[cfg(feature = "burn")]
    frameworks.add::<burn::Burn>(context);
    frameworks
}

/// Both passes of an operation without a framework, as one would call it in a program.
fn alone<const N: usize>(context: &Context, operation: &dyn Operation<N>, x: [&[f64]; N]) -> Found {
    let passes = operation.on_f64().expect("an operation on f64");
    let outputs = operation.shape([&[]; N]).iter().product();
    let gradient = || {
        let mut y = vec![0.0; outputs];
        passes.forward(&mut y, x);
        let mut d_x = x.map(|x| vec![0.0; x.len()]);
        passes.backward(&mut y, &mut vec![1.0; outputs], x, d_x.each_mut().map(|d_x| &mut d_x[..]));
        d_x
    };
    let heap = heap(gradient);
    let times = race(context.budget(), vec![Contender::new("without a framework", gradient)]);
    found(&times, &[heap]).remove(0)
}

/// The ways of one task, those of each framework over its last one, which is ours.
fn table(title: &str, tasks: &[(&str, Vec<Found>)], alone: Found, paper: [Found; 2]) -> Table {
    let columns = ["where", "gradient by", "over our node", "time", "heap, peak", "allocations"];
    let mut table = Table::new(title, columns);
    let mut add = |place: &str, found: &Found, node: Option<f64>| {
        table.row([
            place.into(),
            found.way.as_str().into(),
            node.map(|node| Cell::Ratio(found.time / node)).into(),
            Cell::Time(found.time),
            Cell::Bytes(found.bytes),
            found.allocations.map(Cell::Count).into(),
        ]);
    };
    for (name, ways) in tasks {
        let node = ways.last().map(|node| node.time);
        ways.iter().for_each(|way| add(name, way, node));
    }
    add("Retrograde", &alone, None);
    let node = paper.last().map(|node| node.time);
    paper.iter().for_each(|way| add("paper", way, node));
    table
}

fn run(context: &Context) -> Findings {
    context.ahead(
        2 + 2 * usize::from(cfg!(feature = "candle")) + 2 * usize::from(cfg!(feature = "burn")),
    );
    let frameworks = frameworks(context);
    context.next("the operations alone");
    let x = numbers(1, SIZE);
    let norm_alone = alone(context, &scalar(norm {}), [&x]);
    let (pattern, values) = random(SIZE, DENSITY);
    let multiply = vector(With(product {}, Arc::new(pattern)), [SIZE]);
    let product_alone = alone(context, &multiply, [&values, &x]);
    context.next("done");

    let mut findings = Findings::default();
    findings.table(table(
        "The gradient of the norm of 1000 numbers",
        &frameworks.norms,
        norm_alone,
        [
            Found::in_the_paper("Zygote", 228.967e-6, 339.02 * KIB, Some(8083)),
            Found::in_the_paper("Zygote with NiLang’s norm", 4.015e-6, 23.69 * KIB, Some(2)),
        ],
    ));
    findings.table(table(
        "The gradient of sum(A x), by A and x: 1000 × 1000, a tenth of them not zero",
        &frameworks.products,
        product_alone,
        [
            Found::in_the_paper("Zygote", 15.065e-3, 8.42 * KIB * KIB, None),
            Found::in_the_paper("Zygote with SparseADRules", 644e-6, 3.86 * KIB * KIB, None),
        ],
    ));
    findings.claim(claim(&frameworks));
    if frameworks.norms.is_empty() {
        findings.note(
            "No framework was built in. `cargo run --release -p retrograde-cli --features candle \
             -- reproduce tensors` measures candle, and `--features burn` burn; each takes some \
             minutes to build.",
        );
    } else {
        findings.note(
            "The loop over elements is what the paper’s Zygote differentiates. In candle and burn \
             the gradient by an element that was taken out of a tensor is a whole tensor of zeros \
             with one other number, so that this graph takes time that grows with the square of \
             the length; the graph of a variable for each element has no such tensors. Operations \
             on whole tensors are what one would write in these frameworks where one can.",
        );
        findings.note(
            "A framework’s dense product finds a gradient for the zeros of the matrix as well. \
             The heap is that of the calling thread, beside the variables themselves, which are \
             there before.",
        );
    }
    findings
}

fn claim(frameworks: &Frameworks) -> Claim {
    let mut ours = Vec::new();
    let mut least = f64::INFINITY;
    for (name, ways) in &frameworks.norms {
        let [elements, variables, tensors, node] = &ways[..] else { unreachable!("four ways") };
        let ratio = |way: &Found| way.time / node.time;
        least = least.min(ratio(elements));
        ours.push(format!(
            "{name}: {:.0} times against its loop over elements ({} → {}), {:.0} times against \
             a variable for each, {:.1} times against whole tensors",
            ratio(elements),
            format::time(elements.time),
            format::time(node.time),
            ratio(variables),
            ratio(tensors),
        ));
    }
    let verdict = match least {
        _ if ours.is_empty() => Verdict::NotTried,
        ratio if ratio >= FASTER_IN_THE_PAPER => Verdict::Better,
        ratio => Verdict::of(ratio >= FASTER),
    };
    if ours.is_empty() {
        ours.push("no framework was built in".into());
    }
    Claim::new(
        "C21",
        format!(
            "The norm in a tensor framework: at least {FASTER} times as fast as its own graph of \
             elements"
        ),
        "229 µs → 4.0 µs in Zygote, 57 times",
        ours.join("; "),
        verdict,
    )
}
