//! One program: compiled, run, looked at.

use crate::assembly::{self, Functions};
use crate::compiler::{Crate, Toolchain};
use crate::facade::Facade;
use crate::lints::Lints;
use crate::shape::Shape;
use crate::staging::write;
use mstx_tests::{Output, Run};
use std::fs;
use std::path::{Path, PathBuf};

/// A shape or its twin, with one facade.
pub(crate) struct Subject<'a> {
    toolchain: &'a Toolchain,
    edition: &'a str,
    source: PathBuf,
    dependencies: Vec<String>,
}

impl<'a> Subject<'a> {
    pub(crate) fn new(toolchain: &'a Toolchain, shape: &'a Shape, text: &str, folder: &Path, facade: &Facade) -> Subject<'a> {
        let source = folder.join("shape.rs");
        write(&source, text.as_bytes());
        Subject { toolchain, edition: &shape.edition, source, dependencies: facade.arguments(shape) }
    }

    fn compile(&self, program: &Path, output: &Path, more: &[&str]) -> Result<String, String> {
        let shape = Crate { source: &self.source, name: "shape", edition: self.edition, dependencies: self.dependencies.clone() };
        shape.compile(self.toolchain, program, output, more)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.source.with_file_name(name)
    }

    /// Whether it compiles; what the compiler says of it if not.
    pub(crate) fn compiles(&self) -> Result<(), String> {
        self.compile(&self.toolchain.rustc, &self.file("shape.rmeta"), &["--emit=metadata", "-Awarnings"]).map(drop)
    }

    fn program(&self) -> Result<PathBuf, String> {
        let program = self.file("shape");
        self.compile(&self.toolchain.rustc, &program, &["-Awarnings", "-Cdebuginfo=0"])?;
        Ok(program)
    }

    /// Runs it, without a tool.
    pub(crate) fn run(&self) -> Result<Output, String> {
        Ok(Run::new(self.program()?).output())
    }

    /// Runs it under a tool.
    pub(crate) fn run_under_tool(&self) -> Result<Output, String> {
        Ok(Run::new(self.program()?).tool("full").output())
    }

    /// Runs it with the facade that counts.
    pub(crate) fn counts(&self) -> Result<String, String> {
        let counts = self.file("counts");
        // A program in which nothing is reported writes none.
        let _ = fs::remove_file(&counts);
        let _ = Run::new(self.program()?).env("MSTX_COUNTS", &counts).output();
        Ok(fs::read_to_string(&counts).unwrap_or_else(|_| "0 0".to_owned()))
    }

    pub(crate) fn lints(&self) -> Lints {
        let arguments = ["--emit=metadata", "--error-format=json", "-Wclippy::all", "-Wclippy::pedantic"];
        let said = self.compile(&self.toolchain.clippy, &self.file("shape.rmeta"), &arguments);
        Lints::read(&said.unwrap_or_else(|said| said))
    }

    /// The optimised machine code of all its functions, also of those that nothing calls.
    pub(crate) fn code(&self) -> Result<Functions, String> {
        let mut functions = self.assembly(&["-Clink-dead-code"])?;
        // What is left of the runtime may be there only because unused functions are kept.
        if functions.keys().any(|name| is_of_runtime(name)) {
            functions.retain(|name, _| !is_of_runtime(name));
            functions.extend(self.assembly(&[])?.into_iter().filter(|(name, _)| is_of_runtime(name)));
        }
        Ok(functions)
    }

    fn assembly(&self, more: &[&str]) -> Result<Functions, String> {
        let arguments = ["-O", "--emit=asm", "-Awarnings", "-Ccodegen-units=1", "-Cdebuginfo=0", "-Cmetadata=shape"];
        // With these symbols, a function has the same name in both programs.
        let arguments = [&arguments[..], &["-Csymbol-mangling-version=v0"], more].concat();
        let code = self.file("shape.s");
        self.compile(&self.toolchain.rustc, &code, &arguments)?;
        Ok(assembly::functions(&fs::read_to_string(&code).expect("the compiler has written the code")))
    }
}

fn is_of_runtime(name: &str) -> bool {
    name.contains("mstx_runtime::")
}
