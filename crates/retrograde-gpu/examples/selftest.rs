//! Every kernel of the corpus on the graphics processor, against this machine's processor:
//! one program, which can be carried to a machine without Rust.
//!
//! `cargo run --release -p retrograde-gpu --example selftest`; with `-- --sparing` for tools that
//! watch the driver, such as compute-sanitizer.

#[path = "../tests/corpus/mod.rs"]
mod corpus;

use corpus::failing::{not_undone, past_the_end};
use corpus::{Options, cases};
use retrograde::prelude::*;
use retrograde_gpu::{Device, Error};
use std::time::Instant;

#[reversible(gpu)]
fn tiny(i: usize, y: &mut [f64], x: &[f64]) {
    y[i] += x[i];
}

fn compare(gpu: &Device, options: Options) -> usize {
    let cpu = Device::cpu();
    let mut wrong = 0;
    for case in cases() {
        let expected = (case.run)(&cpu, Options::default()).expect("runs here");
        let start = Instant::now();
        let found = match (case.run)(gpu, options) {
            Ok(found) => found,
            Err(error) => {
                println!("{:18} {error}", case.name);
                wrong += 1;
                continue;
            }
        };
        let time = start.elapsed().as_secs_f64();
        let single = ["single precision", "narrowed"].contains(&case.name);
        let tolerance = if single { 1e-5 } else { 1e-11 };
        let mut worst = 0.0_f64;
        // What is undone has the errors of what was there before.
        let all = expected.iter().flat_map(|(_, values)| values).filter(|x| x.is_finite());
        let scale = all.fold(1.0_f64, |m, x| m.max(x.abs()));
        for ((name, expected), (_, found)) in expected.iter().zip(&found) {
            for (i, (a, b)) in expected.iter().zip(found).enumerate() {
                let error =
                    if a == b || a.is_nan() && b.is_nan() { 0.0 } else { (a - b).abs() / scale };
                if error.is_nan() || error > tolerance {
                    println!("{:18} {name}[{i}]: {b} instead of {a}", case.name);
                    wrong += 1;
                    break;
                }
                worst = worst.max(error);
            }
        }
        println!("{:18} ok, error at most {worst:.1e}, {time:.2} s with the compiling", case.name);
    }
    wrong
}

fn main() -> Result<(), Error> {
    let gpu = match Device::gpu(0) {
        Ok(gpu) => gpu,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    println!("on {}", gpu.name());
    let mut wrong = 0;
    for (title, options) in [
        ("fused", Options::default()),
        ("rounded as the processor does", Options { exact: true, ..Options::default() }),
        ("checked", Options { checked: true, ..Options::default() }),
        ("summed in a fixed order", Options { deterministic: true, ..Options::default() }),
    ] {
        println!("\n{title}");
        wrong += compare(&gpu, options);
    }

    println!("\nthe same bits in every run");
    let options = Options { deterministic: true, ..Options::default() };
    for case in cases() {
        let [first, second] = [0, 1].map(|_| (case.run)(&gpu, options));
        let bits = |outcome: corpus::Outcome| -> Vec<u64> {
            outcome.iter().flat_map(|(_, values)| values).map(|x| x.to_bits()).collect()
        };
        // Of `types`, the constant part keeps it from being summed so.
        if bits(first?) != bits(second?) && case.name != "types" {
            println!("{}: two runs differ", case.name);
            wrong += 1;
        }
    }

    println!("\ntwo queues");
    let other = gpu.stream()?;
    let a = gpu.upload(&vec![1.0; 1 << 22])?;
    let mut b = gpu.zeros::<f64>(1 << 22)?;
    for k in 0..200 {
        let queue = if k % 2 == 0 { &gpu } else { &other };
        queue.launch(&tiny {}, 1 << 22).forward((&mut b, &a))?;
    }
    let late = b.download()?.iter().filter(|x| **x != 200.0).count();
    println!("200 launches on two queues, one after the other: {late} sums are wrong");
    wrong += late;

    println!("\nerrors");
    let x = gpu.upload(&[1.0; 4])?;
    let mut y = gpu.zeros::<f64>(4)?;
    for (name, result) in [
        ("past the end", gpu.launch(&past_the_end {}, 4).checked().forward((&mut y, &x))),
        ("not undone", gpu.launch(&not_undone {}, 4).checked().forward((&mut y, &x))),
        (
            "another device",
            gpu.launch(&tiny {}, 4).forward((&mut y, &Device::cpu().upload(&[1.0; 4])?)),
        ),
        ("no such device", Device::gpu(99).map(drop)),
    ] {
        match result {
            Ok(()) => {
                println!("{name}: no error");
                wrong += 1;
            }
            Err(error) => println!("{name}: {error}"),
        }
    }

    // Tools that watch the driver take this for a mistake.
    if !std::env::args().any(|argument| argument == "--sparing") {
        match gpu.zeros::<f64>(1 << 45).map(drop) {
            Err(error @ Error::OutOfMemory { .. }) => println!("no memory: {error}"),
            other => {
                println!("no memory: {other:?}");
                wrong += 1;
            }
        }
    }

    println!("\nlaunching");
    let start = Instant::now();
    gpu.launch(&tiny {}, 4).exact().forward((&mut y, &x))?;
    gpu.synchronize()?;
    println!("first launch, with the compiling: {:.3} s", start.elapsed().as_secs_f64());
    for _ in 0..100 {
        gpu.launch(&tiny {}, 4).forward((&mut y, &x))?;
    }
    gpu.synchronize()?;
    let count = 10_000;
    let start = Instant::now();
    for _ in 0..count {
        gpu.launch(&tiny {}, 4).forward((&mut y, &x))?;
    }
    let queued = start.elapsed().as_secs_f64();
    gpu.synchronize()?;
    let done = start.elapsed().as_secs_f64();
    let each = 1e6 / f64::from(count);
    println!(
        "a launch: {:.2} µs until it is queued, {:.2} µs until it is done",
        queued * each,
        done * each
    );

    if wrong > 0 {
        println!("\n{wrong} wrong");
        std::process::exit(1);
    }
    println!("\nall right");
    Ok(())
}
