//! The README, followed to the letter: a new crate outside of the workspace.

use crate::nested::{Project, root};
use mstx_tests::Run;
use mstx_tests::page::{block, lines};
use std::fs;

#[test]
fn a_new_crate_made_by_following_it_works() {
    let readme = fs::read_to_string(root().join("README.md")).expect("there is a README");
    let program = block(&readme, "rust", "use std::cell::Cell;");
    // What its `cargo add` line says.
    assert!(readme.contains("cargo add --path ../mstx --features checker"));
    let manifest = "[dependencies]\nmstx = { MSTX, features = [\"checker\"] }\n";
    let project = Project::new("readme").package("pool", manifest, &[("src/main.rs", program)]);
    let program = project.build("pool", "pool", &[]);

    let output = Run::new(&program).env("MSTX_CHECK", "1").output();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.contains("region released twice"), "{output:?}");
    let line = |text: &str| {
        1 + block(&readme, "rust", "use std::cell::Cell;").lines().position(|line| line == text).expect("it is there")
    };
    let first = line("    pool.free(block);");
    for call in [first, first + 1] {
        assert!(output.stderr.contains(&format!("--> pool/src/main.rs:{call}:")), "both call sites: {output:?}");
    }
    // Without the checker it says nothing.
    assert_eq!(Run::new(&program).output().stderr, "");
}

#[test]
fn it_shows_what_the_example_prints() {
    let readme = fs::read_to_string(root().join("README.md")).expect("there is a README");
    let shown = block(&readme, "console", "$ cargo run --example quickstart");
    let output = Run::new(crate::nested::examples().join("quickstart")).output();
    assert_eq!(lines(shown)[1..], lines(&output.stderr));
}

#[test]
fn each_code_is_explained() {
    let page = fs::read_to_string(root().join("src/codes.md")).expect("there is a page");
    let titles: Vec<_> = page.lines().filter(|line| line.starts_with("# MSTX")).collect();
    let expected: Vec<_> = mstx::FaultKind::ALL.iter().map(|kind| format!("# {}: {kind}", kind.code())).collect();
    assert_eq!(titles, expected);
    // Each with an example: what is between a title and the next one.
    let sections = page.split("\n# MSTX").skip(1);
    assert!(sections.into_iter().all(|section| section.matches("```\n").count() == 2), "{page}");
}
