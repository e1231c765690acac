//! Plans of long runs.

mod common;

use common::retrograde;
use std::{env, fs, process};

#[test]
fn each_schedule_and_which_to_take() {
    let arguments = "plan --steps 9999 --state-bytes 32MB --memory 800MB --step-seconds 0.05";
    let plan = retrograde(&arguments.split(' ').collect::<Vec<_>>());
    assert_eq!((plan.code, plan.stderr.as_str()), (0, ""));
    for part in [
        "The gradient of 9 999 steps, with 800 MB for states of 32.0 MB\n",
        "  store all                             9 999     25.0 min     10 002     320 GB  too much\n",
        "  recompute all                    49 985 002    28.9 days          6     192 MB\n",
        "> treeverse, 20 checkpoints            37 973     48.3 min         25     800 MB\n",
        "  Bennett, ",
        "Take `Schedule::Treeverse { checkpoints: 20 }`: each step is taken 3.8 times on average.\n",
        "A step takes 50.0 ms, its adjoint 100 ms; each schedule runs 9 999 adjoints.\n",
        // The chart: both axes, and what is in it.
        " 1 h ┤",
        " 10 GB ",
        "b Bennett   t treeverse   R recompute all   S store all   # taken   | the memory there is\n",
    ] {
        assert!(plan.stdout.contains(part), "{part}\nis missing in\n{}", plan.stdout);
    }
    for line in plan.stdout.lines() {
        assert!(line.chars().count() <= 92, "{line}");
        assert_eq!(line, line.trim_end());
    }
}

#[test]
fn all_fits() {
    let plan =
        retrograde(&["plan", "--steps", "1e3", "--state-bytes", "1.5MiB", "--memory", "10GB"]);
    assert_eq!(plan.code, 0);
    let expected =
        "> store all                             1 000       1.00 ×      1 003    1.58 GB\n";
    assert!(plan.stdout.contains(expected), "{}", plan.stdout);
    assert!(plan.stdout.contains("Take `Schedule::StoreAll`: all states fit"), "{}", plan.stdout);
}

#[test]
fn runs_of_any_length() {
    for steps in ["1", "2", "3", "7", "1000000000000", "18446744073709551615"] {
        let plan = retrograde(&["plan", "--steps", steps, "--state-bytes", "8", "--memory", "1kB"]);
        assert_eq!((plan.code, plan.stderr.as_str()), (0, ""), "{steps}");
    }
}

#[test]
fn a_picture() {
    let path = env::temp_dir().join(format!("retrograde-plan-{}.svg", process::id()));
    let file = path.to_str().expect("text");
    let mut arguments =
        vec!["plan", "--steps", "10000", "--state-bytes", "1MB", "--memory", "50MB"];
    arguments.extend(["--svg", file]);
    let plan = retrograde(&arguments);
    assert_eq!((plan.code, plan.stderr.as_str()), (0, ""));
    assert!(plan.stdout.contains(&format!("The picture is in {file}.\n")));
    let picture = fs::read_to_string(&path).expect("a picture");
    fs::remove_file(&path).expect("it is ours");
    assert!(picture.starts_with("<svg xmlns=") && picture.ends_with("</svg>\n"));
    for part in
        ["<path class=\"line", "treeverse", "Bennett", "store all", "the memory there is", "10 GB"]
    {
        assert!(picture.contains(part), "{part}");
    }
    assert!(!picture.contains("NaN") && !picture.contains("inf"));
    // A folder cannot be written to.
    arguments.pop();
    arguments.push(".");
    let plan = retrograde(&arguments);
    assert_eq!((plan.code, plan.stdout.as_str()), (2, ""));
    assert!(plan.stderr.starts_with("error: `.` cannot be written: "), "{}", plan.stderr);
}

#[test]
fn mistakes() {
    for (arguments, message) in [
        (
            "--steps 0 --state-bytes 1MB --memory 1GB",
            "`--steps`: a run of no steps needs no plan\n",
        ),
        ("--steps -7 --state-bytes 1MB --memory 1GB", "`--steps`: `-7` is no number of steps\n"),
        (
            "--steps many --state-bytes 1MB --memory 1GB",
            "`--steps`: `many` is no number of steps\n",
        ),
        ("--steps 9 --state-bytes 0 --memory 1GB", "`--state-bytes`: `0` is nothing\n"),
        ("--steps 9 --state-bytes 1XB --memory 1GB", "`--state-bytes`: `1XB` is no size\n"),
        ("--steps 9 --state-bytes 1MB --memory -1GB", "`--memory`: `-1GB` is less than nothing\n"),
        (
            "--steps 9 --state-bytes 1 --memory 9 --step-seconds 0",
            "`--step-seconds`: `0` is no time\n",
        ),
        (
            "--steps 9 --state-bytes 1 --memory 9 --adjoint-seconds 1",
            "the adjoint alone does not say how long a run takes\n = help: add `--step-seconds`\n",
        ),
        (
            "--steps 9 --state-bytes 1GB --memory 1MB",
            "nothing fits: 1.00 MB are less than any schedule needs for states of 1.00 GB\n = help: \
             recomputing all needs 6.00 GB\n",
        ),
        ("--steps 9 --state-bytes 1GB", "the following required arguments were not provided:"),
    ] {
        let arguments: Vec<&str> = ["plan"].into_iter().chain(arguments.split(' ')).collect();
        let plan = retrograde(&arguments);
        assert_eq!((plan.code, plan.stdout.as_str()), (2, ""), "{arguments:?}");
        let expected = format!("error: {message}");
        assert!(plan.stderr.starts_with(&expected), "{expected}{}", plan.stderr);
    }
}
