#[test]
fn refused() {
    let cases = trybuild::TestCases::new();
    for room in ["arguments", "types", "functions", "stacking", "body"] {
        cases.compile_fail(format!("tests/ui/{room}/*.rs"));
    }
}
