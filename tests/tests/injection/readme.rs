//! What the README says, done: its commands, one after the other.

use mstx_tests::page::{block, lines};
use mstx_tests::scratch;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::programs::{has, root};

#[test]
fn its_commands_print_what_it_shows() {
    if !has("cc") {
        return;
    }
    let readme = fs::read_to_string(root().join("README.md")).expect("there is a README");
    let shown = block(&readme, "console", "$ cargo build --release -p mstx-checker-injection");
    let shown = lines(shown);
    let commands: Vec<&str> = shown.iter().map_while(|line| line.strip_prefix("$ ")).collect();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nested/target");
    // Cargo's folder is another one here, and the program is not to be left there.
    let program = scratch().join("wrong");
    let mut printed = String::new();
    for command in &commands {
        let command = command.replace("$PWD/target", &target.display().to_string());
        let command = command.replace("target/wrong", &program.display().to_string());
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(&command).current_dir(root()).env_remove("MSTX_CHECK").env_remove("LD_PRELOAD");
        shell.env("CARGO_TARGET_DIR", &target).env("CARGO_NET_OFFLINE", "true");
        let output = shell.output().expect("there is a shell");
        printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{command}: {printed}");
    }
    assert_eq!(shown[commands.len()..], lines(&printed));
}
