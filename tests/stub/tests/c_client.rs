//! The C client against the stub and against the C recorder: three readings of the interface that know nothing of each
//! other.
#![cfg(target_os = "linux")]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use support::{Log, library, temporary};

/// Compiles one of the C files.
fn compile(source: &str, name: &str, arguments: &[&str]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("c").join(source);
    let target = temporary(name);
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command.args(["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O1"]);
    command.args(arguments).arg("-o").arg(&target).arg(source).arg("-ldl");
    assert!(command.status().expect("a C compiler").success());
    target
}

/// Runs the client in a mode with a tool.
fn client(tool: &Path, words: &str, mode: &str) -> (PathBuf, std::process::ExitStatus) {
    let name = format!("client-{words}-{mode}");
    let program = compile("client.c", &name, &[]);
    let log = temporary(&format!("{name}-log"));
    let mut command = Command::new(&program);
    command.arg(mode).env("MSTX_INJECTION_PATH", tool);
    command.env("MSTX_STUB", words).env("MSTX_STUB_LOG", &log);
    let status = command.status().expect("the client runs");
    let _ = fs::remove_file(program);
    (log, status)
}

fn with_stub(words: &str, mode: &str) -> Log {
    let (log, status) = client(&library(), words, mode);
    Log::take(&log, status)
}

#[test]
fn right_is_right_for_every_tool() {
    for words in ["full", "msan", "walking", "atb", "pta", "pointer-only", "handle-only", "extra"] {
        let log = with_stub(words, "right");
        log.clean();
        log.has("exit open=0 violations=0");
    }
    for words in ["refuses", "null-heaps", "msan,null-heaps", "slow-calls"] {
        with_stub(words, "right").clean();
    }
}

#[test]
fn wrong_is_seen_with_every_tool() {
    for words in ["full", "msan", "handle-only"] {
        let log = with_stub(words, "wrong");
        assert!(log.status.success());
        assert_eq!(log.broken(), [3, 6, 6, 1, 6, 6, 5, 6], "{words}\n{}", log.text);
    }
}

#[test]
fn the_official_client_has_no_spare_slots() {
    let log = with_stub("full", "official");
    assert!(log.status.success());
    assert_eq!(log.broken(), [9, 9, 9]);
}

#[test]
fn pointers_where_handles_were_written() {
    assert_eq!(with_stub("full", "bare").broken(), [1, 1, 1]);
    assert_eq!(with_stub("pta", "bare").broken(), []);
}

#[test]
fn forked_and_late() {
    let log = with_stub("msan", "fork");
    assert!(log.status.success());
    assert_eq!(log.broken(), [8]);
    log.has("exit open=0 violations=0");
    let log = with_stub("full", "late");
    assert_eq!(log.broken(), [8; 8]);
}

#[test]
fn a_tool_that_fails_is_not_called() {
    let log = with_stub("fails", "right");
    assert_eq!((log.status.code(), log.broken()), (Some(2), vec![]));
}

#[test]
fn quiet_leaves_violations_and_the_summary() {
    let log = with_stub("msan,quiet", "wrong");
    assert_eq!(log.broken().len(), 8);
    assert!(log.starting("regions_").is_empty() && log.starting("tool-error").is_empty());
    log.has("exit open=0 violations=8 calls=10 bytes=0 init=1 domain_create=3 heap_register=1");
}

#[test]
fn the_recorder_in_c_says_the_same() {
    let recorder = compile("recorder.c", "librecorder.so", &["-shared", "-fPIC"]);
    let (log, status) = client(&recorder, "full", "right-c");
    assert!(status.success());
    let expected = "init\n\
        domain_create ptaCaching -> d1\n\
        heap_register d1 0x12c000000000 4096 -> h1\n\
        regions_register d1 h1 3\n\
        region 0x12c000000000 16 -> r1\n\
        region 0x12c000000010 100 -> r2\n\
        region 0x12c000000400 1 -> r3\n\
        regions_unregister d1 1\n\
        handle r1 0x12c000000000 16\n\
        regions_unregister d1 2\n\
        handle r2 0x12c000000010 100\n\
        handle r3 0x12c000000400 1\n\
        heap_unregister d1 h1\n\
        mark done\n\
        exit\n";
    assert_eq!(fs::read_to_string(&log).expect("a log"), expected);
    let _ = fs::remove_file(log);
    let _ = fs::remove_file(recorder);
}
