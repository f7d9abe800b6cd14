//! Mistakes in accesses: the library tells the tools that see them what may be accessed.

use mstx_tests::{Output, Run, valgrind};
use std::path::PathBuf;
use std::process::Command;

use crate::programs::{WAYS, Way, compile, let_in, root};
use crate::report::assert_silent;

/// The line of the program that has this comment.
fn line(comment: &str) -> String {
    let source = std::fs::read_to_string(root().join("tests/c/access.c")).expect("it is there");
    let line = source.lines().position(|line| line.ends_with(&format!("/* {comment} */"))).expect("it is there");
    format!("access.c:{}", line + 1)
}

/// Runs the program under Valgrind.
fn under_valgrind(way: Way, what: &str) -> Option<Output> {
    let program = compile("access", &["-O1"])?;
    Some(let_in(way, valgrind(&program, &[])?.arg(what)).output())
}

#[test]
fn valgrind_sees_what_is_behind_a_region_and_what_was_released() {
    for way in WAYS {
        for (what, seen) in
            [("behind", "0 bytes after a block of size 100"), ("freed", "8 bytes inside a block of size 100 free'd")]
        {
            let Some(output) = under_valgrind(way, what) else { return };
            assert_eq!(output.status.code(), Some(77), "{output:?}");
            for text in ["Invalid write of size 1", seen, &line(what), "pool_alloc (access.c:"] {
                assert!(output.stderr.contains(text), "{text}: {output:?}");
            }
            assert_eq!(output.stderr.matches("Invalid ").count(), 1, "{output:?}");
        }
    }
}

#[test]
fn valgrind_lets_be_what_is_right() {
    for way in WAYS {
        let Some(output) = under_valgrind(way, "right") else { return };
        assert_silent(&output);
    }
}

#[test]
fn accesses_are_left_alone_on_request() {
    let Some(program) = compile("access", &["-O1"]) else { return };
    let Some(run) = valgrind(&program, &[]) else { return };
    let output = let_in(Way::Path, run.arg("behind").env("MSTX_CHECK", "access=0")).output();
    assert_silent(&output);
}

/// The program, built with AddressSanitizer; `None` where there is none.
fn sanitized() -> Option<PathBuf> {
    let program = compile("right", &["-O1"])?;
    let mut trial = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".into()));
    trial.args(["-fsanitize=address", "-x", "c", "-", "-o"]).arg(program.with_file_name("trial"));
    let output = trial.stdin(std::process::Stdio::null()).output().expect("there is a compiler");
    let said = String::from_utf8_lossy(&output.stderr);
    // An empty program has no `main`; without the sanitizer its library is missing, too.
    if said.contains("asan") || said.contains("unrecognized") {
        assert!(std::env::var_os("CI").is_none(), "the C compiler has no AddressSanitizer, and `CI` is set");
        println!("skipped: the C compiler has no AddressSanitizer");
        return None;
    }
    compile("access", &["-O1", "-fsanitize=address"])
}

#[test]
fn address_sanitizer_sees_the_same() {
    let Some(program) = sanitized() else { return };
    for (what, seen) in [
        ("behind", "mstx: WRITE of 1 byte is 0 bytes after a region of 100 bytes, in heap `blocks`"),
        ("freed", "mstx: WRITE of 1 byte is 8 bytes inside a released region of 100 bytes, in heap `blocks`"),
    ] {
        let output = crate::programs::run(Way::Path, &program, what);
        assert!(!output.status.success(), "{output:?}");
        for text in ["AddressSanitizer: use-after-poison", seen, &line(what), "= in `pool_alloc`"] {
            assert!(output.stderr.contains(text), "{text}: {output:?}");
        }
    }
    assert_silent(&crate::programs::run(Way::Path, &program, "right"));
}

#[test]
fn protected_pages_see_it_without_a_tool() {
    let Some(program) = compile("access", &["-O1"]) else { return };
    for way in WAYS {
        let run = |what: &str| let_in(way, Run::new(&program).arg(what).env("MSTX_CHECK", "guard=1")).output();
        let output = run("page");
        assert!(!output.status.success(), "{output:?}");
        assert!(output.stderr.contains("in heap `blocks`") && output.stderr.contains("= in `pool_alloc`"), "{output:?}");
        assert_silent(&run("right"));
    }
}
