//! Inversion is its own inverse, for every statement form.

use proc_macro2::Span;
use proptest::prelude::*;
use quote::format_ident;
use retrograde_compiler::invert::invert;
use retrograde_compiler::ir::*;
use retrograde_compiler::print;
use syn::{Expr, parse_str};

fn expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        Just("*x".to_string()),
        Just("n".to_string()),
        Just("v[i]".to_string()),
        (0..9u32).prop_map(|k| format!("{k}.5")),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} + {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} * {b}")),
            inner.prop_map(|a| format!("({a}).sin()")),
        ]
    })
    .prop_map(|text| parse_str(&text).expect("generated expressions parse"))
}

fn place() -> impl Strategy<Value = Expr> {
    prop_oneof![Just("*y"), Just("w[i]"), Just("p.a.0"), Just("a")]
        .prop_map(|text| parse_str(text).expect("a place"))
}

fn operator() -> impl Strategy<Value = Operator> {
    use Operator::*;
    prop_oneof![Just(Add), Just(Subtract), Just(Xor), Just(Multiply), Just(Divide)]
}

fn binding() -> impl Strategy<Value = Binding> {
    (0..4u8, expr(), any::<bool>()).prop_map(|(k, value, verify)| {
        let name = format_ident!("n{k}");
        Binding { pattern: syn::parse_quote!(#name), value, verify }
    })
}

fn ancilla() -> impl Strategy<Value = Ancilla> {
    (0..4u8, any::<bool>(), expr(), any::<bool>()).prop_map(|(k, typed, value, verify)| Ancilla {
        name: format_ident!("a{k}"),
        ty: typed.then(|| syn::parse_quote!(f64)),
        value,
        verify,
        proved: false,
        looked_at: false,
        reused: false,
    })
}

fn call() -> impl Strategy<Value = Call> {
    let callee = prop_oneof![
        Just(Callee::Function(syn::parse_quote!(module::g::<f64>))),
        Just(Callee::Associated(syn::parse_quote!(Type::g))),
        Just(Callee::Value(format_ident!("step"))),
        Just(Callee::Method {
            receiver: syn::parse_quote!(self.layer),
            name: format_ident!("g"),
            turbofish: None
        }),
    ];
    let arguments = proptest::collection::vec(expr(), 0..3);
    let directions =
        [Direction::Forward, Direction::Inverse, Direction::Adjoint, Direction::InverseAdjoint];
    let direction = proptest::sample::select(directions.to_vec());
    (callee, arguments, direction).prop_map(|(callee, arguments, direction)| Call {
        callee,
        arguments,
        parentheses: Default::default(),
        direction,
    })
}

fn kind() -> impl Strategy<Value = Kind> + Clone {
    let leaf = prop_oneof![
        (place(), operator(), expr()).prop_map(|(place, operator, value)| Kind::Update {
            place,
            operator,
            value
        }),
        binding().prop_map(Kind::Bind),
        binding().prop_map(Kind::Unbind),
        ancilla().prop_map(Kind::Allocate),
        ancilla().prop_map(Kind::Release),
        call().prop_map(Kind::Call),
        Just(Kind::Host(Host(quote::quote!(println!("host"))))),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let block = proptest::collection::vec(statement(inner), 0..4);
        let arm = (expr(), expr(), any::<bool>(), block.clone())
            .prop_map(|(pre, post, verify, body)| Arm { pre, post, verify, body });
        prop_oneof![
            (block.clone(), block.clone())
                .prop_map(|(compute, body)| Kind::Compute { compute, body }),
            (proptest::collection::vec(arm, 1..3), proptest::option::of(block.clone()))
                .prop_map(|(arms, otherwise)| Kind::If { arms, otherwise }),
            (expr(), expr(), any::<bool>(), block.clone())
                .prop_map(|(pre, post, verify, body)| Kind::While { pre, post, verify, body }),
            (any::<bool>(), any::<bool>(), block.clone()).prop_map(|(reversed, verify, body)| {
                Kind::For {
                    pattern: syn::parse_quote!((i, x)),
                    sequence: syn::parse_quote!(xs.iter().enumerate()),
                    reversed,
                    verify,
                    body,
                }
            }),
            block.prop_map(Kind::Block),
        ]
    })
}

fn statement(
    kind: impl Strategy<Value = Kind> + Clone,
) -> impl Strategy<Value = Statement> + Clone {
    (kind, any::<bool>()).prop_map(|(kind, checked)| Statement {
        kind,
        span: Span::call_site(),
        source: Default::default(),
        checked,
        generated: false,
        undoes: false,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn inverting_twice_gives_the_same(block in proptest::collection::vec(statement(kind()), 0..6)) {
        let twice = invert(&invert(&block));
        prop_assert!(twice == block, "{}\nbecame\n{}", print::block(&block), print::block(&twice));
    }

    #[test]
    fn the_inverse_of_a_sequence_is_the_inverses_in_reverse(
        first in proptest::collection::vec(statement(kind()), 0..4),
        second in proptest::collection::vec(statement(kind()), 0..4),
    ) {
        let both: Block = first.iter().chain(&second).cloned().collect();
        let expected: Block = invert(&second).into_iter().chain(invert(&first)).collect();
        prop_assert!(invert(&both) == expected);
    }
}

/// A single statement that is its own inverse is `^=` or `host!`, or made of such.
#[test]
fn every_form_but_xor_and_host_changes() {
    let cases = [
        ("*y += *x;", "*y -= *x\n"),
        ("*y -= *x;", "*y += *x\n"),
        ("*y ^= n;", "*y ^= n\n"),
        ("*y *= *x;", "*y /= *x\n"),
        ("*y /= *x;", "*y *= *x\n"),
        ("g(y, x);", "uncall g(y, x)\n"),
        ("!g(y, x);", "call g(y, x)\n"),
        ("g::inverse(y, x);", "call g(y, x)\n"),
        ("m.g(x);", "uncall m.g(x)\n"),
        ("m.g_inverse(x);", "call m.g(x)\n"),
        ("T::g(x);", "uncall T::g(x)\n"),
        ("T::g_inverse(x);", "call T::g(x)\n"),
        ("for i in 0..n { *y += i; }", "for i in 0..n backwards\n  *y -= i\n"),
        ("for i in (0..n).rev() { *y += i; }", "for i in 0..n\n  *y -= i\n"),
        ("if n > 0 { *y += n; } else { *y ^= n; }", "if n > 0\n  *y -= n\nelse\n  *y ^= n\n"),
        ("if (*y > 0, *y > 1) { *y += 1; }", "if *y > 1 after *y > 0  (checked)\n  *y -= 1\n"),
        (
            "while (*y < 9, *y > 0) { *y += 1; }",
            "while *y > 0 after *y < 9  (checked)\n  *y -= 1\n",
        ),
        ("let n = *x; *y += n;", "bind n = *x\n*y -= n\nunbind n = *x\n"),
        (
            "let mut a = 0; a += *x; unlet!(a = 3);",
            "allocate a = 3\na -= *x\nrelease a = 0  (checked)\n",
        ),
        (
            "#[compute] { let mut a = 0; a += *x; } *y += a;",
            "compute\n  allocate a = 0\n  a += *x\nuse\n  *y -= a\nuncompute\n",
        ),
        ("{ *y += 1; *x += 2; }", "block\n  *x -= 2\n  *y -= 1\n"),
        ("!{ *y += 1; *x += 2; };", "block\n  *y += 1\n  *x += 2\n"),
        ("host! { log(); }", "host log();\n"),
    ];
    for (source, expected) in cases {
        let block: syn::Block = parse_str(&format!("{{ {source} }}")).expect(source);
        let mut diagnostics = retrograde_compiler::diagnostics::Diagnostics::default();
        let (values, mut used) = Default::default();
        let parsed = retrograde_compiler::parse::body(
            &block,
            true,
            &values,
            &values,
            &mut used,
            &mut diagnostics,
        );
        diagnostics.finish().expect(source);
        assert_eq!(print::block(&invert(&parsed.block)), expected, "{source}");
        assert!(invert(&invert(&parsed.block)) == parsed.block, "{source}");
    }
}
