//! Builds the counting tool (a shared library, as injected ones are) and the hand-written client.

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

const SOURCES: [&str; 4] = ["c/mstx.h", "c/tool.c", "c/client.c", "c/thin.c"];

fn main() -> ExitCode {
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    let Some(out) = env::var_os("OUT_DIR").map(PathBuf::from) else { return failed("there is no OUT_DIR") };
    let tool = out.join("libmstx_bench_tool.so");
    // However this package is built: a client that was not optimised would be no measure.
    let mut build = cc::Build::new();
    build.opt_level(2).debug(false).std("c11").define("_GNU_SOURCE", None).warnings_into_errors(true);
    let mut link = build.get_compiler().to_command();
    link.args(["-shared", "-fPIC", "-o"]).arg(&tool).arg("c/tool.c");
    match link.status() {
        Ok(status) if status.success() => {}
        other => return failed(&format!("the tool was not built: {other:?}")),
    }
    build.file("c/client.c").file("c/thin.c").compile("mstx_bench_client");
    match fs::canonicalize(&tool) {
        Ok(path) => println!("cargo::rustc-env=MSTX_BENCH_TOOL={}", path.display()),
        Err(error) => return failed(&format!("{}: {error}", tool.display())),
    }
    ExitCode::SUCCESS
}

fn failed(why: &str) -> ExitCode {
    println!("cargo::error={why}");
    ExitCode::FAILURE
}
