//! The text of the kernels, compiled by the system's C++ compiler, gives the same bits as
//! the Rust functions.

mod corpus;

use corpus::failing::*;
use corpus::{Options, cases};
use retrograde_gpu::{Device, Error};

/// Compares all cases, on two threads: most of the time goes into compiling.
fn compare(options: Options) {
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let halves = [0, 1].map(|half| scope.spawn(move || differences(options, half)));
        halves.into_iter().flat_map(|half| half.join().expect("it ran to its end")).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with every other case.
fn differences(options: Options, half: usize) -> Vec<String> {
    let (cpu, emulated) = (Device::cpu(), emulated());
    let mut wrong = Vec::new();
    for case in cases().into_iter().skip(half).step_by(2) {
        let expected = (case.run)(&cpu, options).expect("runs here");
        let found = match (case.run)(&emulated, options) {
            Ok(found) => found,
            Err(error) => {
                let text = error.to_string();
                let short: Vec<&str> =
                    text.lines().filter(|l| l.contains("error")).take(8).collect();
                if std::env::var("RETROGRADE_SHOW").is_ok_and(|name| name == case.name) {
                    println!("{text}");
                }
                wrong.push(format!(
                    "{}: {}",
                    case.name,
                    if short.is_empty() { text.clone() } else { short.join("\n") }
                ));
                continue;
            }
        };
        for ((name, expected), (_, found)) in expected.iter().zip(&found) {
            let sums = name.starts_with('~') || options.deterministic;
            let tolerance = if case.name == "single precision" { 1e-6 } else { 1e-12 };
            let differ = |(a, b): &(&f64, &f64)| match sums {
                true => (**a - **b).abs() > tolerance * (1.0 + a.abs()),
                false => a.to_bits() != b.to_bits() && !(a.is_nan() && b.is_nan()),
            };
            if let Some(i) = expected.iter().zip(found).position(|pair| differ(&pair)) {
                let (a, b) = (expected[i], found[i]);
                wrong.push(format!("{}, {name}[{i}]: {b:?} instead of {a:?}", case.name));
            }
        }
    }
    wrong
}

/// With RETROGRADE_NVRTC=1, every kernel must compile for NVIDIA's processors, too.
fn emulated() -> Device {
    match std::env::var_os("RETROGRADE_NVRTC") {
        Some(_) => Device::emulated_for("sm_90"),
        None => Device::emulated(),
    }
    .expect("a folder for kernels")
}

#[test]
fn kernels_give_the_bits_of_the_functions() {
    compare(Options { exact: true, ..Options::default() });
}

#[test]
fn checks_do_not_change_a_bit() {
    compare(Options { exact: true, checked: true, ..Options::default() });
}

#[test]
fn sums_in_a_fixed_order_are_the_same_sums() {
    compare(Options { exact: true, deterministic: true, ..Options::default() });
}

#[test]
fn the_first_failure_is_reported() {
    let device = emulated();
    let x = device.upload(&[1.0, 2.0, 3.0, 4.0]).unwrap();
    let mut y = device.upload(&[0.5; 4]).unwrap();
    let failure = |result: Result<(), Error>, expected: &str| {
        let text = match result {
            Err(error @ Error::Check(_)) => error.to_string(),
            other => panic!("{other:?} instead of {expected}"),
        };
        assert!(text.starts_with(expected), "{text}");
        assert!(text.contains("corpus/failing.rs:"), "{text}");
    };
    failure(
        device.launch(&past_the_end {}, 4).checked().forward((&mut y, &x)),
        "`past_the_end` at index 2: element 4 of 4 in `y[i] += x[i + 2];`",
    );
    failure(
        device.launch(&not_undone {}, 4).checked().forward((&mut y, &x)),
        "`not_undone` at index 0: `let mut a = x[i];` does not hold",
    );
    failure(
        device.launch(&changes_its_condition {}, 4).checked().forward((&mut y, &x)),
        "`changes_its_condition` at index 2: `if (y[i] > 0.0, y[i] > 0.0)` does not hold",
    );
    failure(
        device.launch(&asserts {}, 4).checked().forward((&mut y, &x)),
        "`asserts` at index 2: `host! { assert!(x[i] < 3.0); }` does not hold",
    );
    failure(
        device.launch(&range_too_long {}, 4).checked().forward((&mut y, &x)),
        "`range_too_long` at index 2: element 5 of 4 in `for v in &x[i..i + 3]`",
    );
    failure(
        device.launch(&reads_what_it_writes {}, 4).checked().forward((&mut y, &x)),
        "`reads_what_it_writes` at index 2: `y[i] += y[j] * 2.0;` does not hold",
    );
    failure(
        device.launch(&lends_one_place_twice {}, 4).checked().forward((&mut y, &x)),
        "`lends_one_place_twice` at index 3: `rot(&mut y[i], &mut y[j], &x[i]);` does not hold",
    );
}
