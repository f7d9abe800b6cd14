//! Every combination of the features that switch reporting on and off, in both profiles.

use crate::nested::Project;
use mstx_tests::Run;
use std::path::Path;
use std::process::Command;

const SOURCE: &str = include_str!("../../nested/twin.rs");
const MANIFEST: &str = r#"
[features]
rt = ["mstx/rt"]
off = ["mstx/off"]
release_off = ["mstx/release_off"]
on = ["mstx/on"]

[dependencies]
mstx = { MSTX, default-features = false }
"#;
const FEATURES: [&str; 4] = ["rt", "off", "release_off", "on"];

/// The library without the attributes.
fn bare() -> String {
    let lines = SOURCE.lines().filter(|line| !line.trim_start().starts_with("#[mstx::"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn project() -> Project {
    Project::new("combinations")
        .package("twin_a", MANIFEST, &[("src/lib.rs", SOURCE)])
        .package("twin_b", MANIFEST, &[("src/lib.rs", &bare())])
        .package(
            "twin_app",
            &format!("{MANIFEST}twin_a = {{ path = \"../twin_a\" }}\n"),
            &[("src/main.rs", include_str!("../../nested/twin_app.rs"))],
        )
}

/// What the design says of a combination, in the words of `mstx::BUILD`.
fn state(features: &[&str], release: bool) -> &'static str {
    let has = |feature| features.contains(&feature);
    match () {
        () if has("on") => "on",
        () if !has("rt") => "without the runtime (default-features = false)",
        () if has("off") => "off (feature `off`)",
        () if has("release_off") && release => "off in this profile (feature `release_off`)",
        () => "on",
    }
}

/// All combinations, as the arguments for Cargo.
fn combinations() -> impl Iterator<Item = (Vec<&'static str>, bool)> {
    (0..16_u32).flat_map(|bits| {
        let chosen = FEATURES.iter().enumerate().filter(move |(bit, _)| bits & (1 << bit) != 0);
        let chosen: Vec<_> = chosen.map(|(_, &feature)| feature).collect();
        [(chosen.clone(), false), (chosen, true)]
    })
}

fn arguments(features: &str, release: bool) -> Vec<&str> {
    let mut arguments = vec!["--features", features];
    if release {
        arguments.push("--release");
    }
    arguments
}

fn symbols(program: &Path) -> usize {
    let output = Command::new("nm").arg("-C").arg(program).output().expect("nm can be run");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // The program asks for the state's name, which is one.
    text.lines().filter(|line| line.contains("mstx_runtime") && !line.contains("status::Build")).count()
}

#[test]
fn every_combination_is_in_the_state_that_is_promised() {
    let project = project();
    for (features, release) in combinations() {
        let (names, state) = (features.join(","), state(&features, release));
        let program = project.build("twin_app", "twin_app", &arguments(&names, release));
        let output = Run::new(&program).tool("full").output();
        assert!(output.status.success(), "{names} {release}: {output:?}");
        output.assert_printed(&[state]);
        if state == "on" {
            output.assert_clean();
            assert!(!output.memory().is_empty(), "{names} {release}: {output:?}");
        } else {
            assert!(output.lines.is_empty(), "{names} {release}: {output:?}");
            assert_eq!(if release { symbols(&program) } else { 0 }, 0, "{names}: symbols of the runtime are left");
        }
    }
}

#[test]
fn clippy_has_nothing_to_say_in_any_state() {
    let project = project();
    for features in ["", "rt", "rt,off", "rt,release_off", "on"] {
        for release in [false, true] {
            let arguments = [&["clippy", "-p", "twin_a"][..], &arguments(features, release)].concat();
            let said = project.cargo(&arguments);
            if said.stderr.contains("is not installed") {
                eprintln!("SKIPPED: clippy is not installed");
                return;
            }
            assert!(said.success, "{features} {release}: {}", said.stderr);
        }
    }
}

/// The machine code of a library, without what depends on its name and on where its source is.
fn machine_code(package: &str, features: &str) -> Vec<String> {
    let arguments = ["-p", package, "--release", "--features", features];
    let text = project().assembly(package, &arguments);
    let text = text.replace("twin_b", "twin_a");
    let lines = text.lines().map(|line| hashes_removed(line.trim()));
    lines.filter(|line| !line.starts_with(".file") && !line.starts_with(".ident") && !line.is_empty()).collect()
}

/// Symbols end in a hash: `17h0123456789abcdefE`.
fn hashes_removed(line: &str) -> String {
    let mut kept = String::new();
    let mut rest = line;
    while let Some(place) = rest.find("17h") {
        let (before, hash) = rest.split_at(place);
        kept.push_str(before);
        let is_hash = hash[3..].bytes().take(16).filter(u8::is_ascii_hexdigit).count() == 16;
        rest = if is_hash { &hash[19..] } else { &hash[3..] };
    }
    kept + rest
}

#[test]
fn switched_off_the_machine_code_is_that_of_the_function_without_the_attribute() {
    for features in ["", "rt,off", "rt,release_off"] {
        let (with, without) = (machine_code("twin_a", features), machine_code("twin_b", features));
        assert!(without.len() > 100, "the library has code: {without:?}");
        assert_eq!(with, without, "with the features `{features}`");
    }
    // And the comparison sees something: switched on, it is not the same.
    let (with, without) = (machine_code("twin_a", "on"), machine_code("twin_b", "on"));
    assert_ne!(with, without);
}
