//! The compiler and clippy, called as cargo calls them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where the programs are.
#[derive(Debug)]
pub(crate) struct Toolchain {
    pub(crate) cargo: PathBuf,
    pub(crate) rustc: PathBuf,
    pub(crate) clippy: PathBuf,
    sysroot: PathBuf,
}

impl Toolchain {
    /// The toolchain that builds this test.
    pub(crate) fn find() -> Toolchain {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output = succeed(Command::new(rustc).args(["--print", "sysroot"]));
        let sysroot = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()).into();
        let program = |name: &str| sysroot.join("bin").join(name);
        let (rustc, clippy) = (program("rustc"), program("clippy-driver"));
        assert!(clippy.exists(), "{} is missing: `rustup component add clippy`", clippy.display());
        Toolchain { cargo, rustc, clippy, sysroot }
    }
}

/// One crate that is to be compiled.
#[derive(Debug)]
pub(crate) struct Crate<'a> {
    pub(crate) source: &'a Path,
    pub(crate) name: &'a str,
    pub(crate) edition: &'a str,
    /// `--extern` and `-L`
    pub(crate) dependencies: Vec<String>,
}

impl Crate<'_> {
    /// Compiles it to `output`. Both ways it gives what the compiler says.
    pub(crate) fn compile(&self, toolchain: &Toolchain, program: &Path, output: &Path, more: &[&str]) -> Result<String, String> {
        // The source is named without its folder: its name ends up in the locations of panics.
        let folder = self.source.parent().expect("files are in folders");
        let mut command = Command::new(program);
        command.current_dir(folder).arg(self.source.file_name().unwrap_or_default());
        command.args(["--edition", self.edition, "--crate-name", self.name, "--sysroot"]).arg(&toolchain.sysroot);
        command.args(&self.dependencies).args(more).arg("-o").arg(output);
        let output = run(&mut command);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(said) } else { Err(said) }
    }
}

/// Runs a program that must end well.
pub(crate) fn succeed(command: &mut Command) -> Output {
    let output = run(command);
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    output
}

fn run(command: &mut Command) -> Output {
    command.output().expect("the compiler can be run")
}
