//! The README, followed to the letter: a new crate outside of the workspace.

use crate::nested::{Project, root};
use mstx_tests::Run;
use std::fs;

/// The first block of this kind that begins so.
fn block<'a>(readme: &'a str, kind: &str, start: &str) -> &'a str {
    let fence = format!("```{kind}\n{start}");
    let begin = readme.find(&fence).expect("the README has the block") + fence.len() - start.len();
    let length = readme[begin..].find("```").expect("the block ends");
    &readme[begin..begin + length]
}

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
    let shown: Vec<&str> = shown.lines().skip(1).map(str::trim_end).collect();
    let output = Run::new(crate::nested::examples().join("quickstart")).output();
    // Addresses differ from run to run.
    let normal = |line: &str| {
        let words = line.split(' ').map(|word| if word.contains("0x7") || word.contains("0x5") { "ADDRESS" } else { word });
        words.collect::<Vec<_>>().join(" ").trim_end().to_owned()
    };
    let printed: Vec<String> = output.stderr.lines().map(normal).collect();
    let shown: Vec<String> = shown.into_iter().map(normal).collect();
    assert_eq!(shown, printed);
}
