//! What shapes are compiled against.

use crate::Shape;
use crate::compiler::{Crate, Toolchain, succeed};
use crate::staging::{stage, write};
use crate::twin;
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The facade with a runtime, and the crates that shapes use besides.
#[derive(Clone, Debug)]
pub(crate) struct Facade {
    mstx: PathBuf,
    /// Name and file.
    others: Vec<(&'static str, PathBuf)>,
    /// Where what they depend on is found.
    folders: Vec<PathBuf>,
}

impl Facade {
    /// The compiler's arguments for a shape.
    pub(crate) fn arguments(&self, shape: &Shape) -> Vec<String> {
        let mut arguments: Vec<String> = self.folders.iter().map(|folder| format!("-Ldependency={}", folder.display())).collect();
        let other = |(name, file): &(&str, PathBuf)| format!("--extern={name}={}", file.display());
        arguments.extend(self.others.iter().map(other));
        if shape.facade != "none" {
            arguments.push(format!("--extern={}={}", shape.facade, self.mstx.display()));
        }
        arguments
    }
}

/// All facades that have the macro crate in one edition.
#[derive(Debug)]
pub(crate) struct Facades {
    /// The edition of the macro crate.
    pub edition: String,
    /// Counts.
    pub(crate) counting: Facade,
    /// With the runtime.
    pub(crate) on: Facade,
    /// For the twins: no attributes anywhere.
    pub(crate) plain: Facade,
    /// The same, built as the following are.
    pub(crate) plain_release: Facade,
    pub(crate) off: Facade,
    pub(crate) release_off: Facade,
}

/// The folders that the suite works with.
#[derive(Debug)]
pub(crate) struct Folders {
    /// The workspace.
    pub(crate) root: PathBuf,
    /// This package's `crates`.
    pub(crate) crates: PathBuf,
    /// Everything that is built goes in here.
    pub(crate) target: PathBuf,
}

impl Facades {
    pub(crate) fn build(folders: &Folders, toolchain: &Toolchain, edition: &str) -> Facades {
        let manifest = stage(&folders.root, &folders.target.join(format!("workspace-{edition}")), edition);
        // Cargo gives the crates of both copies the same names.
        let target = folders.target.join(format!("build-{edition}"));
        let build = |arguments: &[&str]| artifacts(toolchain, &manifest, &target, arguments);
        let builder = Builder { folders, toolchain, edition };
        let on = build(&[]);
        let off = build(&["--release", "--features", "off"]);
        let release_off = build(&["--release", "--features", "release_off"]);
        Facades {
            edition: edition.to_owned(),
            counting: builder.counting(&on),
            plain: builder.facade("plain", &on, on.file("mstx"), twin::without_attributes),
            plain_release: builder.facade("plain_release", &off, off.file("mstx"), twin::without_attributes),
            on: builder.facade("on", &on, on.file("mstx"), str::to_owned),
            off: builder.facade("off", &off, off.file("mstx"), str::to_owned),
            release_off: builder.facade("release_off", &release_off, release_off.file("mstx"), str::to_owned),
        }
    }
}

struct Builder<'a> {
    folders: &'a Folders,
    toolchain: &'a Toolchain,
    edition: &'a str,
}

impl Builder<'_> {
    /// The facade that counts, on the values of the real runtime.
    fn counting(&self, artifacts: &Artifacts) -> Facade {
        let dependencies = ["mstx_macros", "mstx_runtime"].map(|name| artifacts.dependency(name));
        let mstx = self.library("counting", "mstx", artifacts, &dependencies, str::to_owned);
        self.facade("counting", artifacts, &mstx, str::to_owned)
    }

    fn facade(&self, kind: &str, artifacts: &Artifacts, mstx: &Path, text: fn(&str) -> String) -> Facade {
        let depends_on_mstx = [format!("--extern=mstx={}", mstx.display())];
        let reexporting = self.library(kind, "reexporting", artifacts, &depends_on_mstx, text);
        let mut others =
            vec![("reexporting", reexporting), ("helpers", self.library(kind, "helpers", artifacts, &[], str::to_owned))];
        others.extend(["async_trait", "tracing"].map(|name| (name, artifacts.file(name).to_owned())));
        let folders = vec![artifacts.folder.clone(), self.folder(kind)];
        Facade { mstx: mstx.to_owned(), others, folders }
    }

    fn folder(&self, kind: &str) -> PathBuf {
        self.folders.target.join(format!("crates-{}", self.edition)).join(kind)
    }

    /// Compiles one of the package's own crates: `crates/counting.rs` is the facade that counts.
    fn library(
        &self,
        kind: &str,
        name: &str,
        artifacts: &Artifacts,
        dependencies: &[String],
        text: fn(&str) -> String,
    ) -> PathBuf {
        let folder = self.folder(kind);
        let file = if name == "mstx" { "counting.rs" } else { &format!("{name}.rs") };
        let source = folder.join(file);
        let original = fs::read_to_string(self.folders.crates.join(file)).expect("the package's crates can be read");
        write(&source, text(&original).as_bytes());
        let mut dependencies = dependencies.to_vec();
        dependencies.push(format!("-Ldependency={}", artifacts.folder.display()));
        let output = folder.join(format!("lib{name}.rlib"));
        let library = Crate { source: &source, name, edition: "2024", dependencies };
        let compiled = library.compile(self.toolchain, &self.toolchain.rustc, &output, &["--crate-type=rlib", "-O"]);
        assert!(compiled.is_ok(), "{}", compiled.unwrap_or_else(|said| said));
        output
    }
}

/// What cargo has built.
struct Artifacts {
    files: HashMap<String, PathBuf>,
    folder: PathBuf,
}

impl Artifacts {
    fn file(&self, name: &str) -> &Path {
        &self.files[name]
    }

    fn dependency(&self, name: &str) -> String {
        format!("--extern={name}={}", self.file(name).display())
    }
}

fn artifacts(toolchain: &Toolchain, manifest: &Path, target: &Path, arguments: &[&str]) -> Artifacts {
    let mut command = Command::new(&toolchain.cargo);
    command.args(["build", "--quiet", "--package=shapes", "--message-format=json", "--manifest-path"]).arg(manifest);
    command.arg("--target-dir").arg(target).args(arguments).env("CARGO_PROFILE_DEV_DEBUG", "0");
    let output = succeed(&mut command);
    let messages = String::from_utf8_lossy(&output.stdout);
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let artifact = |message: Value| {
        let name = message["target"]["name"].as_str()?.to_owned();
        let mut files = message["filenames"].as_array()?.iter().filter_map(|file| file.as_str().map(PathBuf::from));
        let is_library = |file: &PathBuf| file.extension().is_some_and(|end| end == "rlib" || end == "so");
        Some((name, files.find(is_library)?))
    };
    let files: HashMap<String, PathBuf> = messages.filter_map(artifact).collect();
    let folder = files["mstx"].parent().expect("files are in folders").to_owned();
    Artifacts { files, folder }
}
