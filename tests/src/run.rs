//! Running a program.

use crate::Output;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{OnceLock, mpsc};
use std::time::Duration;
use std::{env, fs, thread};

/// What a program does not inherit from the environment of the tests.
const VARIABLES: [&str; 11] = [
    "ASAN_OPTIONS",
    "LD_PRELOAD",
    "MSTX_BATCH",
    "MSTX_CHECK",
    "MSTX_DOMAINS",
    "MSTX_INJECTION_PATH",
    "MSTX_STUB",
    "MSTX_STUB_CALLBACK",
    "MSTX_STUB_LOG",
    "MSTX_STUB_QUIET",
    "VALGRIND_OPTS",
];

/// The stub tool: Cargo builds it into the folder that the test programs are in.
#[must_use]
pub fn stub() -> PathBuf {
    let path = program().with_file_name("libmstx_stub.so");
    assert!(path.exists(), "{} is missing: is `mstx-stub` a dev-dependency?", path.display());
    path
}

pub(crate) fn program() -> PathBuf {
    env::current_exe().expect("a test program has a path")
}

/// A folder for files of this run of the tests. Those of earlier runs are removed.
#[must_use]
pub fn scratch() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        const NAME: &str = "mstx-tests-";
        let program = program();
        let target = program.ancestors().nth(3).expect("test programs are in `target/<profile>/deps`");
        let all = target.join("tmp");
        for other in fs::read_dir(&all).into_iter().flatten().flatten() {
            let name = other.file_name().to_string_lossy().into_owned();
            let process = name.strip_prefix(NAME).filter(|process| !Path::new("/proc").join(process).exists());
            if process.is_some() {
                // Another run may do the same.
                let _ = fs::remove_dir_all(other.path());
            }
        }
        let folder = all.join(format!("{NAME}{}", std::process::id()));
        fs::create_dir_all(&folder).expect("the target folder can be written to");
        folder
    })
}

/// A path in [`scratch`] at which there is nothing yet.
fn fresh(name: &str) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    scratch().join(format!("{}-{name}", NEXT.fetch_add(1, Relaxed)))
}

/// A program that is about to be run.
#[derive(Debug)]
pub struct Run {
    command: Command,
    log: PathBuf,
    limit: Duration,
}

impl Run {
    /// Without a tool, and without any of our variables.
    pub fn new(program: impl AsRef<OsStr>) -> Run {
        let mut command = Command::new(program);
        for variable in VARIABLES {
            command.env_remove(variable);
        }
        let log = fresh("log");
        command.env("MSTX_STUB_LOG", &log);
        Run { command, log, limit: Duration::from_secs(60) }
    }

    /// Injects the stub, which is what `words` say.
    #[must_use]
    pub fn tool(self, words: &str) -> Run {
        self.library(stub()).env("MSTX_STUB", words)
    }

    /// Injects a library, or whatever is at that path.
    #[must_use]
    pub fn library(self, path: impl AsRef<OsStr>) -> Run {
        self.env("MSTX_INJECTION_PATH", path)
    }

    /// Preloads the stub, which is what `words` say.
    #[must_use]
    pub fn preload(self, words: &str) -> Run {
        self.env("LD_PRELOAD", stub()).env("MSTX_STUB", words)
    }

    /// One more argument.
    #[must_use]
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Run {
        self.command.arg(argument);
        self
    }

    /// One more variable of the environment.
    #[must_use]
    pub fn env(mut self, variable: &str, value: impl AsRef<OsStr>) -> Run {
        self.command.env(variable, value);
        self
    }

    /// Changes the command itself.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Command)) -> Run {
        change(&mut self.command);
        self
    }

    /// How long the program may take; a minute otherwise.
    #[must_use]
    pub fn limit(self, limit: Duration) -> Run {
        Run { limit, ..self }
    }

    /// Runs it. A program that takes too long is killed, which makes the test fail.
    #[must_use]
    pub fn output(mut self) -> Output {
        self.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let what = format!("{:?}", self.command);
        let child = self.command.spawn().unwrap_or_else(|error| fail(&format!("{what} cannot be run: {error}")));
        let process = child.id();
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || sender.send(child.wait_with_output()));
        let output = receiver.recv_timeout(self.limit).unwrap_or_else(|_| {
            kill(process);
            let log = fs::read_to_string(&self.log).unwrap_or_default();
            fail(&format!("{what} takes longer than {:?}:\n{log}", self.limit))
        });
        let output = output.expect("the program can be waited for");
        Output::new(what, process, &take(&self.log), output)
    }
}

/// Reads a log and removes it.
fn take(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let _ = fs::remove_file(log);
    text
}

fn kill(process: u32) {
    let process = libc::pid_t::try_from(process).expect("process numbers fit");
    // SAFETY: no conditions; the process is our child and was not waited for.
    unsafe { libc::kill(process, libc::SIGKILL) };
}

#[expect(clippy::panic, reason = "this is how a test fails")]
fn fail(why: &str) -> ! {
    panic!("{why}");
}
