//! `retrograde expand`.
//!
//! What is printed is compared with the files in `expected`; after a wanted
//! change, `RETROGRADE_BLESS=1 cargo test -p retrograde-cli` writes them anew.

mod common;

use common::retrograde;
use std::path::Path;

const RIGHT: &str = "samples/right.rs";
const WRONG: &str = "samples/wrong.rs";

#[track_caller]
fn compare(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected").join(name);
    if std::env::var_os("RETROGRADE_BLESS").is_some() {
        std::fs::write(path, found).expect("the folder is there");
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{name} differs; expected\n{expected}\nfound\n{found}");
}

#[test]
fn every_stage() {
    for stage in ["ir", "forward", "inverse", "adjoint", "inverse-adjoint", "gradient"] {
        let run = retrograde(&["expand", RIGHT, "--stage", stage]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        compare(&format!("{stage}.txt"), &run.stdout);
    }
}

#[test]
fn what_runs_on_a_device() {
    let run = retrograde(&["expand", "samples/device.rs", "--stage", "device"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    compare("device.txt", &run.stdout);
}

#[test]
fn all_stages_of_one_function() {
    let run = retrograde(&["expand", RIGHT, "--function", "norm"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    compare("norm.txt", &run.stdout);
}

#[test]
fn what_is_rust_can_be_read_as_rust() {
    for stage in ["forward", "inverse", "adjoint", "inverse-adjoint", "gradient"] {
        // A required method has no body, which stands in no file.
        for function in ["norm", "count_down", "apply_twice", "bounce", "local"] {
            let run = retrograde(&["expand", RIGHT, "--stage", stage, "--function", function]);
            syn::parse_file(&run.stdout).expect("Rust");
        }
    }
}

#[test]
fn functions_by_name() {
    for (name, heading) in [
        ("count_down", "// Counter::count_down (samples/right.rs:24:8)\n"),
        ("Counter::count_down", "// Counter::count_down (samples/right.rs:24:8)\n"),
        ("inner::bounce", "// inner::bounce (samples/right.rs:47:12)\n"),
        ("local", "// not_reversible::local (samples/right.rs:57:8)\n"),
    ] {
        let run = retrograde(&["expand", RIGHT, "-f", name, "-s", "ir"]);
        assert_eq!(run.code, 0, "{name}");
        assert!(run.stdout.starts_with(heading), "{name}: {}", run.stdout);
        assert_eq!(run.stdout.matches("// ir\n").count(), 1, "{name}: {}", run.stdout);
    }
}

#[test]
fn mistakes_are_told_all_at_once() {
    let run = retrograde(&["expand", WRONG]);
    assert_eq!(run.code, 1);
    compare("wrong.txt", &run.stderr);
    assert!(run.stdout.starts_with("// right ("), "the others are shown: {}", run.stdout);
    let run = retrograde(&["expand", WRONG, "--function", "assigns", "--stage", "inverse"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert_eq!(run.stderr.matches("error: ").count(), 4, "{}", run.stderr);
    let run = retrograde(&["expand", WRONG, "--function", "right"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}

#[track_caller]
fn unusable(arguments: &[&str], told: &[&str]) {
    let run = retrograde(arguments);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    for part in told {
        assert!(run.stderr.contains(part), "{part}\nis missing in\n{}", run.stderr);
    }
}

#[test]
fn a_file_that_cannot_be_read() {
    unusable(&["expand", "samples/missing.rs"], &["error: cannot read `samples/missing.rs`: "]);
    unusable(&["expand", "samples"], &["error: cannot read `samples`: "]);
}

#[test]
fn a_file_that_is_not_rust() {
    let place = " --> samples/unparsable.rs:5:11\n  |\n5 |     *y += ;\n  |           ^\n";
    let last = "error: `samples/unparsable.rs` is not valid Rust\n";
    unusable(&["expand", "samples/unparsable.rs"], &["error: expected ", place, last]);
}

#[test]
fn a_file_without_reversible_functions() {
    let reason = "error: no reversible function in `samples/none.rs`\n = help: put `#[reversible]`";
    unusable(&["expand", "samples/none.rs"], &[reason]);
    unusable(&["expand", "samples/none.rs", "--function", "plain"], &[reason]);
}

#[test]
fn a_function_that_is_not_there() {
    let names = "`norm`, `Counter::count_down`, `Layer::apply`, `Layer::apply_twice`, \
                 `inner::bounce`, `not_reversible::local`";
    let reason = "error: no reversible function named `Counter::norm` in `samples/right.rs`\n";
    unusable(&["expand", RIGHT, "--function", "Counter::norm"], &[reason, names]);
}

#[test]
fn a_command_line_that_is_wrong() {
    unusable(&["expand"], &["<FILE.rs>"]);
    unusable(&["expand", RIGHT, "--stage", "backward"], &["'backward'", "ir, forward, inverse"]);
    unusable(&["expand", RIGHT, "--functoin", "norm"], &["'--function'"]);
    unusable(&["expnad", RIGHT], &["'expand'"]);
    unusable(&["--color", "sometimes"], &["auto, always, never"]);
}

#[test]
fn colours_change_nothing_else() {
    for file in [RIGHT, WRONG] {
        let plain = retrograde(&["expand", file]);
        let coloured = retrograde(&["expand", file, "--color", "always"]);
        assert!(coloured.stdout.contains('\x1b'));
        for (plain, coloured) in [(plain.stdout, coloured.stdout), (plain.stderr, coloured.stderr)]
        {
            assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
        }
    }
}

#[test]
fn help_names_the_commands() {
    let run = retrograde(&["--help"]);
    assert_eq!(run.code, 0);
    assert!(run.stdout.contains("expand") && run.stdout.contains("tour"), "{}", run.stdout);
}
