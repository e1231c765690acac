//! What the optimise stage leaves of a body, in each direction.

use retrograde_compiler::attribute::Marks;
use retrograde_compiler::expand::{Directions, Options, Which, compile};
use retrograde_compiler::kinds::Kinds;
use retrograde_compiler::names::Names;
use retrograde_compiler::optimise::{Passes, optimise};
use retrograde_compiler::print;

fn compiled(source: &str) -> Directions {
    let function: syn::TraitItemFn = syn::parse_str(source).expect("the source must parse");
    compile(syn::Visibility::Inherited, function, Marks::default(), Options::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The Rust text of one of its functions, without spaces.
fn emitted(source: &str, which: Which) -> String {
    compiled(source).emit_one(which).to_string().replace(char::is_whitespace, "")
}

/// The optimised IR of both directions.
fn optimised(source: &str) -> (String, String) {
    let directions = compiled(source);
    let signature = &directions.function.signature;
    let body = directions.function.body.as_ref().expect("a body");
    let names = Names::of(signature, body);
    let kinds = Kinds::of(signature, false, &Default::default());
    let passes = Passes { lanes: false, bounds: false, ..Passes::default() };
    let inverse = directions.inverse.as_ref().expect("a body");
    (
        print::block(&optimise(body, signature, &names, &kinds, passes)),
        print::block(&optimise(inverse, signature, &names, &kinds, passes)),
    )
}

/// Checks the forward direction, which must differ from the inverse by signs only.
fn same_both_ways(source: &str, forward: &str) {
    let (f, inverse) = optimised(source);
    assert_eq!(f, forward, "forward");
    let flipped = forward.replace("y += ", "y -= ");
    assert_eq!(inverse, flipped, "inverse");
}

#[test]
fn uncomputing_of_compute_blocks_disappears() {
    same_both_ways(
        "fn f(y: &mut f64, x: &f64) {
            #[compute] { let mut n = 0.0; n += x.abs(); }
            *y += n.ln();
        }",
        "allocate n = 0.0\nn += x.abs()\n*y += n.ln()\n",
    );
}

#[test]
fn uncomputing_written_out_disappears() {
    same_both_ways(
        "fn f(y: &mut f64, x: &f64) {
            let mut n = 0.0;
            n += x.abs();
            *y += n.ln();
            n -= x.abs();
        }",
        "allocate n = 0.0\nn += x.abs()\n*y += n.ln()\n",
    );
}

#[test]
fn uncomputing_by_calls_and_loops_disappears() {
    same_both_ways(
        "fn f(y: &mut f64, x: &[f64]) {
            let mut n = 0.0;
            let mut m = 0.0;
            for v in x { n += *v; }
            norm(&mut m, &n);
            *y += m;
            !norm(&mut m, &n);
            !for v in x { n += *v; };
        }",
        "allocate n = 0.0\n\
         allocate m = 0.0\n\
         for v in x\n  n += *v\n\
         call norm(&mut m, &n)\n\
         *y += m\n",
    );
}

#[test]
fn what_an_argument_sees_is_uncomputed() {
    same_both_ways(
        "fn f(y: &mut f64, x: &mut f64, c: &f64) {
            #[compute] { *x -= *c; }
            *y += *x * *x;
        }",
        "*x -= *c\n*y += *x * *x\n*x += *c\n",
    );
}

#[test]
fn an_operand_that_may_have_changed_keeps_the_check() {
    let (forward, _) = optimised(
        "fn f(y: &mut [f64], i: usize, j: usize) {
            let mut n = 0.0;
            n += y[i];
            y[j] += n;
            n -= y[i];
        }",
    );
    assert_eq!(
        forward,
        "allocate n = 0.0\nn += y[i]\ny[j] += n\nn -= y[i]\nrelease n = 0.0  (checked)\n"
    );
}

#[test]
fn a_different_way_back_keeps_the_check() {
    for undo in ["n -= 2.0 * *x;", "", "n -= *x; n -= *x;", "n += *x;"] {
        let source =
            format!("fn f(y: &mut f64, x: &f64) {{ let mut n = 0.0; n += *x; *y += n; {undo} }}");
        let (forward, inverse) = optimised(&source);
        for text in [forward, inverse] {
            assert!(text.ends_with("release n = 0.0  (checked)\n"), "{undo}: {text}");
        }
    }
}

#[test]
fn an_update_between_uses_the_ancilla_and_is_no_obstacle() {
    // `y` reads `n`, but that changes neither `n` nor what it was made of.
    let (forward, _) = optimised(
        "fn f(y: &mut f64, x: &f64) {
            let mut n = 0.0;
            n += *x;
            *y += n;
            n -= *x;
            *y -= n;
        }",
    );
    // The second use needs the uncomputed value, which is then compared.
    assert_eq!(
        forward,
        "allocate n = 0.0\nn += *x\n*y += n\nn -= *x\n*y -= n\nrelease n = 0.0  (checked)\n"
    );
}

#[test]
fn several_updates_of_one_ancilla_are_undone_together() {
    same_both_ways(
        "fn f(y: &mut f64, x: &f64) {
            #[compute] { let mut a = 0.0; a += *x; a += *x * *x; swap_in(&mut a, x); }
            *y += a;
        }",
        "allocate a = 0.0\na += *x\na += *x * *x\ncall swap_in(&mut a, x)\n*y += a\n",
    );
}

#[test]
fn unchecked_drops_the_release() {
    let source = "#[unchecked] fn f(y: &mut f64, x: &f64) {
        let mut n = 0.0; n += *x; *y += n; n -= 2.0 * *x;
    }";
    let (forward, _) = optimised(source);
    assert_eq!(forward, "allocate n = 0.0\nn += *x\n*y += n\n");
}

#[test]
fn loops_that_count_need_no_postcondition() {
    let proved = [
        "let mut k = 0; while (k < n, k != 0) { k += 1; *y += k; } unlet!(k = n);",
        "let mut k = n; while (k > 1, k != n) { *y += k; k -= 2; } unlet!(k = n % 2);",
        "let mut k = n; while (k >= 3, k < n) { *y += k; k -= 3; } unlet!(k = n % 3);",
    ];
    let open = [
        // The counter may wrap around,
        "let mut k = 0; while (k < n, k != 0) { k += 2; *y += k; } unlet!(k = n);",
        "let mut k = n; while (k > 0, k != n) { k -= 2; *y += k; } unlet!(k = 0);",
        "let mut k = 0; while (k != n, k != 0) { k += 1; *y += k; } unlet!(k = n);",
        // it starts elsewhere,
        "let mut k = 1; while (k < n, k != 0) { k += 1; *y += k; } unlet!(k = n);",
        "let mut k = 0; k += n; while (k < n, k != 0) { k += 1; *y += k; } unlet!(k = n);",
        // it is changed a second time,
        "let mut k = 0; while (k < n, k != 0) { k += 1; *y += k; bump(&mut k); } unlet!(k = n);",
        // or it is no integer.
        "let mut k = 0.0; while (k < n, k != 0.0) { k += 1.0; *y += k; } unlet!(k = n);",
    ];
    for (bodies, expected) in [(&proved[..], false), (&open[..], true)] {
        for body in bodies {
            let (forward, _) = optimised(&format!("fn f(y: &mut u32, n: u32) {{ {body} }}"));
            let head = forward.lines().find(|line| line.starts_with("while")).expect(body);
            assert_eq!(head.ends_with("(checked)"), expected, "{body}\n{forward}");
        }
    }
}

#[test]
fn host_code_keeps_what_it_mentions() {
    let (forward, _) = optimised(
        "fn f(y: &mut f64, x: &f64) {
            let mut n = 0.0;
            n += *x;
            *y += n;
            n -= *x;
            host! { println!(\"{n}\", n = n); }
        }",
    );
    assert!(forward.contains("n -= *x"), "{forward}");
}

#[test]
fn writes_through_a_local_view_are_seen() {
    let bodies = [
        "for i in 0..3 { let row = &mut y[i..]; row[0] += x[0]; }",
        "{ let (a, b) = y.split_at_mut(1); swap(&mut a[0], &mut b[0]); }",
        "for row in y.chunks_exact_mut(2) { let (a, b) = row.split_at_mut(1); add(a, b); }",
        "if x[0] > 0.0 { let row = &mut *y; let part = &mut row[1..]; part[0] += 1.0; }",
    ];
    for body in bodies {
        let (forward, inverse) = optimised(&format!("fn f(y: &mut [f64], x: &[f64]) {{ {body} }}"));
        assert!(forward.lines().count() > 1, "{body}\n{forward}");
        assert_eq!(forward.lines().count(), inverse.lines().count(), "{body}\n{inverse}");
    }
    // And what was computed from the place is not proved to be the same after it.
    let (forward, _) = optimised(
        "fn f(y: &mut [f64]) {
            let mut n = 0.0;
            n += y[0];
            { let row = &mut y[0..2]; row[1] += n; }
            n -= y[0];
        }",
    );
    assert!(forward.ends_with("release n = 0.0  (checked)\n"), "{forward}");
}

/// The parts that are borrowed before the passes of the loops of a body.
fn borrowed(body: &str) -> Vec<String> {
    let source = format!(
        "fn f(y: &mut [f64], x: &[f64], s: &mut State, r: &State, k: usize, n: usize) {{ {body} }}"
    );
    let function: syn::TraitItemFn = syn::parse_str(&source).expect("the source must parse");
    let directions =
        compile(syn::Visibility::Inherited, function, Marks::default(), Options::default())
            .unwrap_or_else(|error| panic!("{body}: {error}"));
    let signature = &directions.function.signature;
    let block = directions.function.body.as_ref().expect("a body");
    let names = Names::of(signature, block);
    let kinds = Kinds::of(signature, false, &Default::default());
    let text = print::block(&optimise(block, signature, &names, &kinds, Passes::default()));
    let parts = text.lines().filter(|line| line.contains("bind __part"));
    parts.map(|line| line.split('"').nth(1).expect("a source").to_string()).collect()
}

#[test]
fn what_every_pass_uses_is_borrowed_before() {
    let table: [(&str, &[&str]); 25] = [
        ("for i in 0..n { y[i] += x[i]; }", &["y[i]", "x[i]"]),
        ("for i in (k..n).rev() { y[i] += x[i + 1]; }", &["y[i]", "x[i + 1]"]),
        ("for i in k..n { y[i] += x[i] * x[i - 1] + x[i]; }", &["y[i]", "x[i]", "x[i - 1]"]),
        ("for i in 0..n { let j = k * n + i; y[j] += x[j - k]; }", &["y[j]", "x[j - k]"]),
        // One element under two names.
        ("for i in 0..n { let j = i + k; y[j] += x[k + i] * x[j]; }", &["y[j]", "x[k + i]"]),
        ("for i in 0..n { s.a[i] += r.a[i] * s.b[i]; }", &["s.a[i]", "r.a[i]", "s.b[i]"]),
        ("for i in 0..n { s.rows[k][i] += x[i]; }", &["s.rows[k][i]", "x[i]"]),
        // Nobody knows what these are made of.
        ("for i in 0..n { s.a[i] += r.a[i + 1]; }", &["s.a[i]"]),
        ("for i in k..n { s.a[i] += x[i]; }", &["x[i]"]),
        // Not in every pass.
        ("for i in 0..n { if x[i] > 0.0 { y[i] += 1.0; } }", &["x[i]"]),
        ("for i in 0..n { y[i] += if x[i] > 0.0 { x[i + 1] } else { x[i] }; }", &["y[i]", "x[i]"]),
        // Written through an index and used by another.
        ("for i in k..n { y[i] += y[i - 1] * x[i]; }", &["x[i]"]),
        ("for i in k..n { y[i] += y[0] * x[i]; }", &["x[i]"]),
        (
            "for i in k..n { { let e = &mut y[i]; *e += x[i]; } let m = y.len(); s.m += m; }",
            &["x[i]"],
        ),
        // One in two passes, or not the next one.
        ("for i in 0..n { y[i] += x[2 * i] + x[i / 2] + x[n - i]; }", &["y[i]"]),
        ("for i in 0..n { let mut j = 0; j += k; y[i] += x[i + j]; j -= k; }", &["y[i]"]),
        (
            "let mut j = 0; for i in 0..n { j += k; y[i] += x[i + j]; } unlet!(j = n * k);",
            &["y[i]"],
        ),
        // A function costs more than a few checks.
        ("for i in 0..n { y[i] += x[i].sin(); }", &[]),
        ("for i in k..n { g(&mut y[i], &x[i]); }", &[]),
        (
            "for i in 1..n { y[i] += x[i] * x[i - 1].sin() * x[i + 1]; }",
            &["y[i]", "x[i]", "x[i - 1]", "x[i + 1]"],
        ),
        (
            "for i in 0..n { y[i] += 1.0; s.a[i] += x[i] * r.a[i] * r.b[i]; host! { log(&y) } }",
            &["s.a[i]", "x[i]", "r.a[i]", "r.b[i]"],
        ),
        (
            "for i in 0..n { y[i] += x[i]; g(s); g(&mut s.a[i], &r.a[i], &r.b[i]); }",
            &["y[i]", "x[i]", "r.a[i]", "r.b[i]"],
        ),
        // Loops inside of the passes, and few passes.
        ("for i in 0..n { for j in 0..k { y[i] += x[j]; } }", &["x[j]"]),
        ("for i in 0..n { for j in 0..3 { y[i] += x[j]; } }", &["y[i]"]),
        ("for i in 0..3 { y[i] += x[i]; }", &[]),
    ];
    for (body, parts) in table {
        assert_eq!(borrowed(body), parts, "{body}");
    }
}

#[test]
fn loops_without_a_memory_run_forward_in_both_directions() {
    let elementwise = [
        "for i in 0..y.len() { y[i + 1] += x[i]; }",
        "for i in 0..n { for j in 1..n - 1 { let k = i * n + j; y[k] += x[k - n] * x[j]; } }",
        "for i in 0..y.len() { y[i] += x[i]; }",
        "for (a, b) in y.iter_mut().zip(x) { *a += *b; }",
        "for i in 0..y.len() { let t = x[i]; if t > 0.0 { y[i] += t; } }",
        "for i in 0..y.len() { for j in (0..9).rev() { y[i] += x[j]; } }",
    ];
    for body in elementwise {
        let source = format!("fn f(y: &mut [f64], x: &[f64], n: usize) {{ {body} }}");
        let (_, inverse) = optimised(&source);
        let first = inverse.lines().next().expect("a loop");
        assert!(!first.ends_with("backwards"), "{body}: {inverse}");
    }
    let ordered = [
        "for i in 0..y.len() { y[0] += x[i]; }",
        "for i in 1..y.len() { y[i] += y[i - 1]; }",
        "for i in 0..n { for j in 0..n { y[i + j] += x[i]; } }",
        "for i in 0..n { for j in 0..2 * n { y[i * n + j] += x[i]; } }",
        "for i in 0..n { for (j, v) in x.iter().enumerate() { y[i * n + j] += *v; } }",
        "for &i in index { y[i] += x[i]; }",
        "for i in 0..y.len() { y[index[i]] += x[i]; }",
        "for i in 0..y.len() { swap(&mut y[i], &mut y[0]); }",
        "for i in 0..y.len() { y[i] += x[i]; host! { log(i); } }",
    ];
    for body in ordered {
        let source =
            format!("fn f(y: &mut [f64], x: &[f64], index: &[usize], n: usize) {{ {body} }}");
        let (_, inverse) = optimised(&source);
        let first = inverse.lines().next().expect("a loop");
        assert!(first.ends_with("backwards"), "{body}: {inverse}");
    }
}

#[test]
fn the_length_of_a_slice_keeps_no_value() {
    let gradient = emitted(
        "fn f(y: &mut [f64], q: &[f64], x: &[f64]) {
            for j in 0..x.len() {
                for (y_i, q_i) in y[j + 1..].iter_mut().zip(&q[j + 1..]) {
                    *y_i += *q_i * x[j];
                }
            }
        }",
        Which::Gradient,
    );
    assert!(!gradient.contains("*y_i-="), "{gradient}");
    // Host code that looks at the length looks at no value, but other code may.
    for (host, restores) in [("y.len()", false), ("y[0].len()", true), ("y", true)] {
        let source = format!(
            "fn f(y: &mut [f64], x: &[f64]) {{
                host! {{ assert_eq!({host}, x.len()); }}
                for (y_i, x_i) in y.iter_mut().zip(x) {{ *y_i += *x_i * *x_i; }}
            }}"
        );
        let gradient = emitted(&source, Which::Gradient);
        assert_eq!(gradient.contains("*y_i-="), restores, "{gradient}");
    }
    // What is handed on as a chunk of an ancilla need not be restored either, unless the
    // function looks at it; but a vector may become longer or shorter in a call.
    for (chunks, call) in [("chunks_exact_mut(1)", "__gradient"), ("iter_mut()", "__adjoint")] {
        let adjoint = emitted(
            &format!(
                "fn f(y: &mut f64, xs: &[f64], start: Vec<f64>) {{
                    #[compute]
                    {{
                        let mut rows = vec![start; xs.len()];
                        for (row, x) in rows.{chunks}.zip(xs) {{
                            change(row, x);
                        }}
                    }}
                    read(y, &rows);
                }}"
            ),
            Which::Adjoint,
        );
        assert!(adjoint.contains(&format!("Callee::{call}(row,")), "{adjoint}");
    }
}

#[test]
fn loops_read_before_them_what_they_do_not_change() {
    let source = |body: &str| {
        format!(
            "fn f(y: &mut [f64], z: &mut [f64], x: &[f64]) {{
                for (a, b) in y.iter_mut().zip(z.iter_mut()) {{ {body} }}
            }}"
        )
    };
    let kept = [
        "for v in x { *a += *b * *v; }",
        "for i in 0..9 { for v in x { *a += *b * *v; } }",
        "for v in x { let product = *b * *v; *a += product.sin(); }",
    ];
    for body in kept {
        let forward = emitted(&source(body), Which::Forward);
        assert_eq!(forward.matches("*b").count(), 1, "{forward}");
        assert!(forward.contains("let__held_0=*b;"), "{forward}");
    }
    let changed = [
        "for v in x { *a += *b * *v; *b -= *v; }",
        "for v in x { *a += *b * *v; add(b, v); }",
        "for v in x { *a += *b * *v; host! { log(); } }",
        "for v in x { let c = &mut *b; *c += *v; } *a += *b;",
        "while (*a < *b, *a > 0.0) { *a += *b; }",
        "for &w in x { for v in x { *a += w * *v; } }",
    ];
    for body in changed {
        let forward = emitted(&source(body), Which::Forward);
        assert!(!forward.contains("__held"), "{forward}");
    }
}

#[test]
fn sums_keep_the_order_of_what_stands_beside_them() {
    let source = |body: &str| {
        format!(
            "fn f(y: &mut f64, z: &mut [f64], x: &[f64], index: &[usize]) {{
                for (v, i) in x.iter().zip(index) {{ *y += *v * *v; {body} }}
            }}"
        )
    };
    let mixing = "z[0] += z[1] * *v; z[1] -= z[0] * *v;";
    for (body, backwards) in [("", false), ("z[*i] += *v;", true), (mixing, true)] {
        let inverse = emitted(&source(body), Which::Inverse);
        assert!(inverse.contains("[lane]-=*v**v"), "{inverse}");
        assert_eq!(
            inverse.contains("split_0.chunks.zip(split_1.chunks).rev()"),
            backwards,
            "{inverse}"
        );
        assert_eq!(inverse.contains("in(0..4usize).rev()"), backwards, "{inverse}");
    }
    // A sum that something reads is none.
    let inverse = emitted(&source("z[0] += *y;"), Which::Inverse);
    assert!(!inverse.contains("(&*y)"), "{inverse}");
}

#[test]
fn fields_that_nobody_looks_at_are_not_restored() {
    let gradient = |signature: &str| {
        emitted(
            &format!(
                "fn f({signature}, x: &f64) {{
                    s.kept += x.sin();
                    s.lost += s.kept * *x;
                    g(&mut s.lent, x);
                }}"
            ),
            Which::Gradient,
        )
    };
    let of_struct = gradient("s: &mut State");
    // The product needs what the sine was added to, and nobody what was added to it.
    assert!(!of_struct.contains("sum(&muts.lost"), "{of_struct}");
    assert!(of_struct.contains("__gradient(&muts.lent"), "{of_struct}");
    // A field of a smart pointer may be in another.
    let behind = gradient("s: &mut RefMut<State>");
    assert!(behind.contains("sum(&muts.lost"), "{behind}");
    assert!(behind.contains("__adjoint(&muts.lent"), "{behind}");
}

#[test]
fn postponed_sums_have_memory_before_all_loops() {
    let gradient = |outer: &str| {
        emitted(
            &format!(
                "fn f(y: &mut [f64], x: &[f64], n: usize) {{
                    {outer} {{ for i in 1..n {{ y[i] += x[i - 1] * x[i] * x[i]; }} }}
                }}"
            ),
            Which::Gradient,
        )
    };
    let nested = gradient("for _ in 0..n");
    let (memory, first) = (nested.find("postponed(&d_x"), nested.find("for_in"));
    assert!(memory.is_some() && memory < first, "{nested}");
    assert!(gradient("").contains("postponed(&d_x"));
}

#[test]
fn chunks_are_read_before_anything_is_written() {
    let gradient = |body: &str| {
        emitted(
            &format!(
                "fn f(y: &mut [f64], q: &[f64], x: &f64) {{
                    for (y, q) in y.iter_mut().zip(q) {{ {body} }}
                }}"
            ),
            Which::Gradient,
        )
    };
    // The gradient writes `d_q` and a sum, and reads `q` and `d_y`.
    let product = gradient("*y += *q * *x;");
    for (number, held) in [(0, false), (1, true), (2, true), (3, false)] {
        let text = format!("letchunk_{number}=held(chunk_{number})");
        assert_eq!(product.contains(&text), held, "{number} in {product}");
    }
}

/// A sum of complex numbers is made as one of real numbers.
#[test]
fn numbers_of_all_kinds_are_summed_up_in_lanes() {
    let by_rows = "for (y_i, row) in y.iter_mut().zip(w.chunks_exact(x.len())) {
        for (w_ij, x_j) in row.iter().zip(x) { *y_i += *w_ij * *x_j; }
    }";
    let by_columns = "for (x_j, column) in x.iter().zip(w.chunks_exact(y.len())) {
        for (w_ij, y_i) in column.iter().zip(y.iter_mut()) { *y_i += *w_ij * *x_j; }
    }";
    // What is summed up: the values, or the gradient.
    for (body, sum) in [(by_rows, "(&*y_i)"), (by_columns, "(&*d_x_j)")] {
        let adjoint = |bound: &str| {
            let source = format!("fn f<T: {bound}>(y: &mut [T], w: &[T], x: &[T]) {{ {body} }}");
            emitted(&source, Which::Adjoint)
        };
        for bound in ["Real", "Elementary", "Arithmetic"] {
            let text = adjoint(bound);
            assert!(text.contains("lanes::<_,") && text.contains(sum), "{bound}: {text}");
            // What a row or column has for itself is read once.
            assert!(text.contains("__held_"), "{bound}: {text}");
        }
        assert!(!adjoint("AdditiveGroup").contains("lanes::<_,"));
    }
}
