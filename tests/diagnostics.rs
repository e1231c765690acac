//! Every diagnostic: a span on the user's tokens, a reason, a help line.

#[test]
fn wrong_programs_are_explained() {
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}
