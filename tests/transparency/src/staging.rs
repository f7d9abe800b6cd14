//! A copy of the workspace, in which the macro crate has an edition of its own.

use std::fs;
use std::path::{Path, PathBuf};

/// What is copied: all that it takes to build the facade.
const PARTS: [&str; 7] = ["Cargo.toml", "Cargo.lock", "src", "mstx-macros", "mstx-runtime", "mstx-checker", "tests/stub"];

/// A package that depends on all that shapes use, so that one build makes it.
const SHAPES: &str = r#"[package]
name = "shapes"
edition = "2024"

[features]
off = ["mstx/off"]
release_off = ["mstx/release_off"]

[dependencies]
mstx = { path = ".." }
mstx-macros = { path = "../mstx-macros" }
mstx-runtime = { path = "../mstx-runtime", default-features = false }
async-trait = "0.1"
tracing = { version = "0.1", default-features = false, features = ["attributes"] }
"#;

/// Copies the workspace at `root` to `to`.
pub(crate) fn stage(root: &Path, to: &Path, macro_edition: &str) -> PathBuf {
    for part in PARTS {
        copy(&root.join(part), &to.join(part));
    }
    edit(&to.join("Cargo.toml"), |line| {
        let members = r#"members = ["mstx-macros", "mstx-runtime", "mstx-checker", "tests/stub", "shapes"]"#;
        line.starts_with("members = ").then(|| members.to_owned())
    });
    edit(&to.join("mstx-macros/Cargo.toml"), |line| {
        line.starts_with("edition").then(|| format!("edition = \"{macro_edition}\""))
    });
    write(&to.join("shapes/Cargo.toml"), SHAPES.as_bytes());
    write(&to.join("shapes/src/lib.rs"), b"");
    to.join("Cargo.toml")
}

fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        return write(to, &fs::read(from).expect("the workspace can be read"));
    }
    for entry in fs::read_dir(from).expect("the workspace can be read") {
        let name = entry.expect("the workspace can be read").file_name();
        copy(&from.join(&name), &to.join(&name));
    }
}

/// Replaces the one line for which `change` gives another.
fn edit(file: &Path, change: impl Fn(&str) -> Option<String>) {
    let text = fs::read_to_string(file).expect("manifests are text");
    let lines: Vec<String> = text.lines().map(|line| change(line).unwrap_or_else(|| line.to_owned())).collect();
    assert!(lines.iter().zip(text.lines()).filter(|(new, old)| new != old).count() <= 1, "{}", file.display());
    write(file, (lines.join("\n") + "\n").as_bytes());
}

/// Leaves a file alone that has this content already: what depends on it need not be built again.
pub(crate) fn write(file: &Path, content: &[u8]) {
    if fs::read(file).is_ok_and(|old| old == content) {
        return;
    }
    fs::create_dir_all(file.parent().expect("files are in folders")).expect("the target folder can be written to");
    fs::write(file, content).expect("the target folder can be written to");
}
