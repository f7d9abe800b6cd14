//! Many events from several threads: at the end the tool knows what the program knows.

use std::time::Duration;

use mstx_tests::Run;

/// How many events: 300,000, or as many as `MSTX_SOAK` says. For a hundred million, `--release` is the way.
fn events() -> String {
    std::env::var("MSTX_SOAK").unwrap_or_else(|_| "300000".to_owned())
}

#[test]
fn after_many_events_from_many_threads_the_books_agree() {
    let soak = Run::new(env!("CARGO_BIN_EXE_soak")).arg(events());
    let output = soak.tool("msan,quiet").env("MSTX_STUB_QUIET", "1").limit(Duration::from_secs(3000)).output();
    println!("{}", output.stdout);
    assert!(output.stdout.contains("the books agree"), "{output:?}");
}
