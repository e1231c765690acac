//! Questions of all kinds, most of them wrong.

#![allow(missing_docs)]

mod common;

use common::{refusal, talk};
use retrograde_gradbench::Threads;
use serde_json::{Value, json};

/// The answer to one line.
fn answer(line: &str) -> Value {
    let answers = talk(line.as_bytes(), Threads::One);
    let [answer] = &answers[..] else { panic!("{} answers to {line}", answers.len()) };
    answer.clone()
}

const MODULES: [(&str, &[&str]); 12] = [
    ("ba", &["objective", "jacobian"]),
    ("det", &["primal", "gradient"]),
    ("gmm", &["objective", "jacobian"]),
    ("hello", &["square", "double"]),
    ("ht", &["objective", "jacobian"]),
    ("kmeans", &["cost", "dir"]),
    ("llsq", &["primal", "gradient"]),
    ("lse", &["primal", "gradient"]),
    ("lstm", &["objective", "jacobian"]),
    ("ode", &["primal", "gradient"]),
    ("particle", &["ff", "fr", "rf", "rr"]),
    ("saddle", &["ff", "fr", "rf", "rr"]),
];

#[test]
fn a_conversation() {
    let lines = [
        json!({"id": 0, "kind": "start", "eval": "hello"}),
        json!({"id": 1, "kind": "define", "module": "hello"}),
        json!({"id": 2, "kind": "evaluate", "module": "hello", "function": "square", "input": 3.0}),
        json!({"id": 3, "kind": "analysis", "of": 2, "valid": true}),
    ];
    let text = lines.map(|line| line.to_string()).join("\n");
    let answers = talk(text.as_bytes(), Threads::One);
    assert_eq!(answers[0], json!({"id": 0, "tool": "retrograde"}));
    assert_eq!(answers[1], json!({"id": 1, "success": true}));
    assert_eq!(
        (&answers[2]["id"], &answers[2]["success"], &answers[2]["output"]),
        (&json!(2), &json!(true), &json!(9.0))
    );
    assert_eq!(answers[3], json!({"id": 3}));
    assert_eq!(answers.len(), 4);
}

#[test]
fn every_module_is_defined() {
    for (module, _) in MODULES {
        let line = json!({"id": 1, "kind": "define", "module": module}).to_string();
        assert_eq!(answer(&line), json!({"id": 1, "success": true}));
    }
}

#[test]
fn runs_are_counted_and_timed() {
    for (runs, seconds, at_least) in [(1, 0.0, 1), (5, 0.0, 5), (1, 0.01, 1), (0, 0.0, 1)] {
        let input = json!({"x": [1.0, 2.0], "min_runs": runs, "min_seconds": seconds});
        let line = json!({"id": 1, "kind": "evaluate", "module": "lse", "function": "primal", "input": input});
        let answer = answer(&line.to_string());
        let timings = answer["timings"].as_array().expect("timings");
        let evaluations = timings.iter().filter(|timing| timing["name"] == "evaluate");
        let times: Vec<u64> =
            evaluations.map(|timing| timing["nanoseconds"].as_u64().expect("an integer")).collect();
        assert!(times.len() >= at_least);
        assert!(times.iter().sum::<u64>() as f64 >= seconds * 1e9);
        if seconds == 0.0 {
            assert_eq!(times.len(), at_least);
        }
        assert!(
            timings
                .iter()
                .all(|timing| timing["name"] == "evaluate" || timing["name"] == "prepare")
        );
    }
}

#[test]
fn names_that_are_not_known() {
    for module in ["nothing", "", "GMM", "gmm "] {
        let line = json!({"id": 4, "kind": "define", "module": module}).to_string();
        let answer = answer(&line);
        assert_eq!((&answer["id"], &answer["success"]), (&json!(4), &json!(false)));
        assert!(answer["error"].is_string());
        assert!(refusal(module, "objective", &json!({})).contains("no module"));
    }
    for (module, functions) in MODULES {
        let error = refusal(module, "nothing", &json!({}));
        assert!(functions.iter().all(|function| error.contains(function)), "{error}");
    }
}

#[test]
fn lines_that_are_no_messages() {
    for line in ["{", "nonsense", "[]", "3", "\"text\"", "null", "{\"id\":", "\u{7f}"] {
        let answer = answer(line);
        assert_eq!(answer["success"], false, "{line}");
        assert!(answer["error"].is_string());
    }
    let answers = talk(b"\xff\xfe\n{\"id\":1,\"kind\":\"start\"}\n", Threads::One);
    assert_eq!(
        (&answers[0]["success"], &answers[1]["tool"]),
        (&json!(false), &json!("retrograde"))
    );
    // The number is repeated, if it can be read.
    assert_eq!(answer(r#"{"id":9,"kind":5}"#)["id"], 9);
    assert_eq!(answer(r#"{"id":9}"#)["success"], false);
    assert_eq!(answer(r#"{"id":9,"kind":"define"}"#)["success"], false);
    assert_eq!(answer(r#"{"id":9,"kind":"evaluate","module":"lse"}"#)["success"], false);
    let without = r#"{"id":9,"kind":"evaluate","module":"lse","function":"primal"}"#;
    assert_eq!(answer(without)["success"], false);
    // What is not known of yet is acknowledged, and empty lines are none.
    assert_eq!(answer(r#"{"id":9,"kind":"later"}"#), json!({"id": 9}));
    assert_eq!(talk(b"\n\n \n", Threads::One), [] as [Value; 0]);
}

#[test]
fn inputs_of_other_kinds() {
    let strange = [
        json!(null),
        json!([]),
        json!({}),
        json!("x"),
        json!({"x": "y"}),
        json!([[1.0]]),
        json!(true),
    ];
    for (module, functions) in MODULES {
        for function in functions {
            for input in &strange {
                refusal(module, function, input);
            }
        }
    }
}

#[test]
fn shapes_that_do_not_fit() {
    let both = |module: &str, functions: [&str; 2], input: Value| {
        for function in functions {
            refusal(module, function, &input);
        }
    };
    let ba = |n: usize, m: usize, p: usize, camera: usize| json!({"n": n, "m": m, "p": p, "cam": vec![1.0; camera], "x": [1.0, 2.0, 3.0], "w": 1.0, "feat": [0.0, 0.0]});
    for input in
        [ba(0, 1, 1, 11), ba(1, 0, 1, 11), ba(1, 1, 0, 11), ba(1, 1, 1, 10), ba(1, 1, 1, 12)]
    {
        both("ba", ["objective", "jacobian"], input);
    }
    for (length, ell) in [(0, 0), (3, 2), (5, 2), (1, 0), (1024, 32), (1, -1)] {
        both("det", ["primal", "gradient"], json!({"A": vec![1.0; length], "ell": ell}));
    }
    let gmm = |d: usize, k: usize, n: usize, part: &str, rows: usize, width: usize| {
        let triangle = d * d.saturating_sub(1) / 2;
        let rows_of = |rows: usize, width: usize| vec![vec![0.5; width]; rows];
        let mut input = json!({
            "d": d, "k": k, "n": n, "m": 0, "gamma": 1.0, "x": rows_of(n, d), "alpha": vec![0.1; k],
            "mu": rows_of(k, d), "q": rows_of(k, d), "l": rows_of(k, triangle),
        });
        match part {
            "" => {}
            "alpha" => input[part] = json!(vec![0.1; rows]),
            _ => input[part] = json!(rows_of(rows, width)),
        }
        input
    };
    for input in [
        gmm(0, 1, 1, "", 0, 0),
        gmm(1, 0, 1, "", 0, 0),
        gmm(1, 1, 0, "", 0, 0),
        gmm(2, 2, 3, "alpha", 3, 0),
        gmm(2, 2, 3, "x", 2, 2),
        gmm(2, 2, 3, "x", 3, 1),
        gmm(2, 2, 3, "mu", 2, 3),
        gmm(2, 2, 3, "q", 1, 2),
        gmm(2, 2, 3, "l", 2, 2),
        gmm(2, 2, 3, "l", 0, 0),
    ] {
        both("gmm", ["objective", "jacobian"], input);
    }
    for (points, centroids) in [
        (vec![], vec![vec![1.0]]),
        (vec![vec![1.0]], vec![]),
        (vec![vec![]], vec![vec![]]),
        (vec![vec![1.0], vec![1.0, 2.0]], vec![vec![1.0]]),
        (vec![vec![1.0]], vec![vec![1.0, 2.0]]),
    ] {
        both("kmeans", ["cost", "dir"], json!({"points": points, "centroids": centroids}));
    }
    both("llsq", ["primal", "gradient"], json!({"x": [1.0], "n": -3}));
    both("lse", ["primal", "gradient"], json!({"x": []}));
    both("ode", ["primal", "gradient"], json!({"x": [], "s": 3}));
    both("ode", ["primal", "gradient"], json!({"x": [1.0], "s": -1}));
    let lstm = |main: (usize, usize), extra: usize, state: usize, symbols: usize, b: usize| {
        json!({
            "main_params": vec![vec![0.1; main.1]; main.0], "extra_params": vec![vec![0.1; b]; extra],
            "state": vec![vec![0.1; b]; state], "sequence": vec![vec![1.0; b]; symbols],
        })
    };
    for input in [
        lstm((2, 8), 3, 2, 1, 2),
        lstm((2, 8), 3, 2, 0, 2),
        lstm((3, 8), 3, 3, 4, 2),
        lstm((0, 8), 3, 0, 4, 2),
        lstm((2, 7), 3, 2, 4, 2),
        lstm((2, 8), 2, 2, 4, 2),
        lstm((2, 8), 3, 4, 4, 2),
        lstm((2, 0), 3, 2, 4, 0),
    ] {
        both("lstm", ["objective", "jacobian"], input);
    }
    for function in ["ff", "fr", "rf", "rr"] {
        refusal("saddle", function, &json!({"start": [1.0]}));
        refusal("saddle", function, &json!({"start": [1.0, 2.0, 3.0]}));
        refusal("particle", function, &json!({"w": [1.0]}));
    }
}

/// A hand that is right, to be spoilt.
fn hand() -> Value {
    let identity = json!([
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0]
    ]);
    json!({
        "theta": vec![0.1; 26],
        "us": [[0.2, 0.3]],
        "data": {
            "model": {
                "bone_count": 22,
                "bone_names": vec!["bone"; 22],
                "parents": (-1..21).collect::<Vec<i32>>(),
                "base_relatives": vec![&identity; 22],
                "inverse_base_absolutes": vec![&identity; 22],
                "base_positions": vec![[1.0, 2.0, 3.0, 1.0]; 3],
                "weights": vec![vec![0.5; 22]; 3],
                "triangles": [[0, 1, 2]],
                "is_mirrored": false,
            },
            "correspondences": [0],
            "points": [[1.0, 1.0, 1.0]],
        },
    })
}

#[test]
fn hands_that_are_not_right() {
    let spoilt: [(&str, Value); 14] = [
        ("/theta", json!([1.0])),
        ("/us", json!([[0.1, 0.2], [0.3, 0.4]])),
        ("/us", json!([[0.1]])),
        ("/data/points", json!([])),
        ("/data/points", json!([[1.0, 2.0]])),
        ("/data/correspondences", json!([1])),
        ("/data/correspondences", json!([-1])),
        ("/data/model/triangles", json!([[0, 1, 3]])),
        ("/data/model/parents", json!([-1])),
        ("/data/model/parents", json!((0..22).collect::<Vec<i32>>())),
        ("/data/model/weights", json!([[0.5], [0.5], [0.5]])),
        ("/data/model/weights", json!([])),
        ("/data/model/base_relatives", json!([])),
        ("/data/model/base_relatives", json!(vec![vec![vec![1.0; 4]; 4]; 22])),
    ];
    for function in ["objective", "jacobian"] {
        common::output("ht", function, &hand());
        for (place, value) in &spoilt {
            let mut hand = hand();
            *hand.pointer_mut(place).expect("a part of a hand") = value.clone();
            refusal("ht", function, &hand);
        }
    }
}
