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
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the workspace")
}

/// Builds the examples of this workspace, with the checker in them. Returns the folder that they are in.
pub(crate) fn examples() -> PathBuf {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--examples", "--features", "checker", "--offline", "--quiet"]).current_dir(root());
    command.env("CARGO_TARGET_DIR", target());
    let output = command.output().expect("Cargo can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    target().join("debug/examples")
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
        command.args(arguments).current_dir(&self.folder);
        command.env("CARGO_NET_OFFLINE", "true").env("CARGO_TERM_COLOR", "never");
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

    /// The assembly of a library, in release.
    #[track_caller]
    pub(crate) fn assembly(&self, package: &str, arguments: &[&str]) -> String {
        let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = target().join("release/deps");
        let is_assembly = |path: &Path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            name.starts_with(&format!("{package}-")) && name.ends_with(".s")
        };
        let files =
            || fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()).filter(|path| is_assembly(path));
        for old in files() {
            fs::remove_file(old).expect("the target folder can be written to");
        }
        // A build that is up to date writes nothing.
        let manifest = self.folder.join(package).join("src/lib.rs");
        let now = std::time::SystemTime::now();
        let touched = fs::File::options().append(true).open(&manifest).and_then(|file| file.set_modified(now));
        touched.expect("the target folder can be written to");
        let options = ["--", "--emit", "asm", "-C", "codegen-units=1", "-C", "debuginfo=0"];
        let said = self.run(&[&["rustc"], arguments, &options].concat());
        assert!(said.success, "{package} {arguments:?} does not build:\n{}", said.stderr);
        let text: Vec<String> = files().map(|path| fs::read_to_string(path).expect("it was just written")).collect();
        let [text] = <[String; 1]>::try_from(text).expect("one file of assembly");
        text
    }
}
