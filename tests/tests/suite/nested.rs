//! Projects of their own, in which a user depends on mstx: they lie in the target folder, and share one target folder.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// What Cargo makes for all projects.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("nested/target")
}

/// The root of this workspace, where the package `mstx` is.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the workspace")
}

/// A file's text, written only where it differs, so that Cargo does not see a change where there is none.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|known| known == text) {
        return;
    }
    let folder = path.parent().expect("files are in folders");
    fs::create_dir_all(folder).expect("the target folder can be written to");
    fs::write(path, text).expect("the target folder can be written to");
}

/// A workspace.
pub(crate) struct Project {
    folder: PathBuf,
    members: Vec<&'static str>,
    /// Paths in the folder, and what the files hold.
    files: Vec<(PathBuf, String)>,
}

/// What Cargo said.
pub(crate) struct Said {
    pub(crate) success: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Tests run at the same time, and some have a project in common, or programs of one name.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

impl Project {
    pub(crate) fn new(name: &str) -> Project {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nested").join(name);
        Project { folder, members: Vec::new(), files: Vec::new() }
    }

    /// One more package. In `manifest`, which begins after the package's name, `MSTX` stands for `path = ".."`.
    pub(crate) fn package(mut self, name: &'static str, manifest: &str, files: &[(&str, &str)]) -> Project {
        let mstx = format!("path = {:?}", root());
        let head = format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n");
        let folder = Path::new(name);
        self.members.push(name);
        self.files.push((folder.join("Cargo.toml"), head + &manifest.replace("MSTX", &mstx)));
        self.files.extend(files.iter().map(|(path, text)| (folder.join(path), (*text).to_owned())));
        self
    }

    fn write(&self) {
        write(&self.folder.join("Cargo.toml"), &format!("[workspace]\nresolver = \"3\"\nmembers = {:?}\n", self.members));
        for (path, text) in &self.files {
            write(&self.folder.join(path), text);
        }
        // The versions are those that this workspace was built with, so nothing has to be fetched.
        let own = self.folder.join("Cargo.lock");
        if let Ok(lock) = fs::read_to_string(root().join("Cargo.lock"))
            && !own.exists()
        {
            write(&own, &lock);
        }
    }

    /// Runs Cargo. All warnings are errors.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Said {
        let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        self.run(arguments)
    }

    fn run(&self, arguments: &[&str]) -> Said {
        self.write();
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        for (variable, _) in env::vars_os() {
            // What Cargo tells a test of its package is not for another Cargo.
            let variable = variable.to_string_lossy();
            if variable.starts_with("CARGO_PKG_") || variable.starts_with("MSTX_") {
                command.env_remove(&*variable);
            }
        }
        command.args(arguments).args(["--offline", "--color", "never"]).current_dir(&self.folder);
        command.env("CARGO_TARGET_DIR", target()).env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
        command.env("RUSTFLAGS", "-D warnings").env_remove("CARGO_ENCODED_RUSTFLAGS");
        let output = command.output().expect("Cargo can be run");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Said { success: output.status.success(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Builds a package, and returns a copy of the file it makes: another build may make one of that name.
    #[track_caller]
    pub(crate) fn build(&self, package: &str, file: &str, arguments: &[&str]) -> PathBuf {
        static COPIES: AtomicU32 = AtomicU32::new(0);
        let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let said = self.run(&[&["build", "-p", package], arguments].concat());
        assert!(said.success, "{package} {arguments:?} does not build:\n{}", said.stderr);
        let profile = if arguments.contains(&"--release") { "release" } else { "debug" };
        let copy = mstx_tests::scratch().join(format!("{}-{file}", COPIES.fetch_add(1, Relaxed)));
        fs::copy(target().join(profile).join(file), &copy).expect("Cargo has made the file");
        copy
    }
}
