//! The paper's programs on a graphics processor.

mod measure;

use crate::experiment::{Context, Experiment};
use crate::findings::{Cell, Claim, Findings, Table, Verdict};
use measure::Measured;
use retrograde_gpu::Device;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "gpu",
    title: "On a graphics processor",
    paper: "section “Bundle adjustment” (CUDA), supplement, and ReversibleSeismic.jl",
    about: "The same reversible functions, forward, inverse and adjoint, on an NVIDIA processor. \
            What many threads read gets the sum of their gradients, which the paper forbids.",
    run,
};

/// What an H200 has measured.
const STORED: &str = include_str!("h200.json");

fn run(context: &Context) -> Findings {
    let mut findings = Findings::default();
    let (measured, here) = match Device::gpu(0).and_then(|device| measure::all(&device, context)) {
        Ok(measured) => (measured, true),
        Err(error) => {
            let first = error.to_string();
            let first = first.lines().next().unwrap_or_default().to_string();
            findings.note(format!(
                "Not measured here: {first}. These numbers were measured on an NVIDIA H200."
            ));
            (serde_json::from_str(STORED).expect("written by this program"), false)
        }
    };
    if here && let Ok(path) = std::env::var("RETROGRADE_GPU_RESULTS") {
        let text = serde_json::to_string_pretty(&measured).expect("plain numbers");
        if let Err(error) = std::fs::write(&path, text) {
            findings.note(format!("{path} could not be written: {error}"));
        }
    }
    tell(&measured, &mut findings);
    findings
}

const MS: f64 = 1e-3;

fn tell(measured: &Measured, findings: &mut Findings) {
    let mut table = Table::new(
        format!("Jacobian of bundle adjustment, {}", measured.device),
        ["observations", "over by hand", "one core over it", "time", "by hand", "one core", "TB/s"],
    );
    for size in &measured.bundle {
        let bytes = 296.0 * size.observations as f64;
        table.row([
            size.observations.into(),
            Cell::Ratio(size.generated / size.by_hand),
            size.cpu.map(|cpu| Cell::Ratio(cpu / size.generated)).into(),
            Cell::Time(size.generated * MS),
            Cell::Time(size.by_hand * MS),
            size.cpu.map(|cpu| Cell::Time(cpu * MS)).into(),
            Cell::Number(bytes / size.generated * 1e-9),
        ]);
    }
    findings.table(table);
    let mut table = Table::new(
        format!("Kernels, {}", measured.device),
        ["kernel", "adjoint over forward", "forward", "adjoint", "forward TB/s", "adjoint TB/s"],
    );
    for kernel in &measured.kernels {
        let rate = |bytes: f64, time: f64| bytes * kernel.indices as f64 / time * 1e-9;
        table.row([
            kernel.name.clone().into(),
            Cell::Ratio(kernel.adjoint / kernel.forward),
            Cell::Time(kernel.forward * MS),
            Cell::Time(kernel.adjoint * MS),
            Cell::Number(rate(kernel.bytes[0], kernel.forward)),
            Cell::Number(rate(kernel.bytes[1], kernel.adjoint)),
        ]);
    }
    findings.table(table);
    if let Some(wave) = &measured.wave {
        let mut table = Table::new(
            format!("Wave of {0} × {0}, {1}", wave.width, measured.device),
            ["what", "over a step", "time"],
        );
        let mut row = |what: String, time: f64| {
            table.row([what.into(), Cell::Ratio(time / wave.step), Cell::Time(time * MS)]);
        };
        row("a step".into(), wave.step);
        row("its adjoint".into(), wave.adjoint);
        row(
            format!("gradient of {} steps, {} forward", wave.steps, wave.forward_calls),
            wave.gradient,
        );
        findings.table(table);
    }
    if let Some(bodies) = &measured.bodies {
        let mut table = Table::new(
            format!("{} bodies, {} steps, {}", bodies.bodies, bodies.steps, measured.device),
            ["what", "over forward", "time"],
        );
        for (what, time) in [("forward", bodies.forward), ("back, with gradient", bodies.gradient)]
        {
            table.row([what.into(), Cell::Ratio(time / bodies.forward), Cell::Time(time * MS)]);
        }
        findings.table(table);
        findings.note(format!(
            "After the way back, the bodies are at most {:.1e} from where they began.",
            bodies.back
        ));
    }
    findings.note(format!(
        "A launch takes {:.1} µs, and the first one of a kernel {:.2} s, with its compiling.",
        measured.launch,
        measured.compile * MS
    ));
    if let Some(largest) = measured.bundle.last()
        && let Some(cpu) = largest.cpu
    {
        let faster = cpu / largest.generated;
        findings.claim(Claim::new(
            "C14",
            "The Jacobian of bundle adjustment on a GPU, over one core",
            "153 to 264 times as fast",
            format!("{faster:.0} times as fast, at {} observations", largest.observations),
            if faster >= 200.0 { Verdict::Better } else { Verdict::NotReproduced },
        ));
    }
}
