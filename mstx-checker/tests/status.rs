//! With which status the process ends, and that its end is otherwise as it was.

mod common;

use std::process::exit;

use common::{POOL, Run, at, heap, run, run_with};
use mstx_checker::{Options, install, install_with};
use mstx_runtime::{BUILD, Build, Tool, attach, register_region};

fn make_fault() {
    register_region(&POOL, core::ptr::null::<u8>(), 64);
}

#[track_caller]
fn assert_status(run: Option<Run>, status: i32) {
    if let Some(run) = run {
        assert_eq!(run.status, Some(status), "{}", run.stderr);
    }
}

#[test]
fn it_listens_where_reporting_is_on() {
    if BUILD != Build::On {
        assert!(!install());
    }
    let program = || {
        assert!(install());
        assert!(install(), "a second time");
    };
    assert_status(run("it_listens_where_reporting_is_on", program), 0);
}

#[test]
fn faults_alone_change_nothing() {
    let program = || {
        install();
        make_fault();
    };
    assert_status(run("faults_alone_change_nothing", program), 0);
}

#[test]
fn the_program_asks() {
    let program = || {
        assert!(install_with(Options::new().exit_code(9)));
        make_fault();
    };
    assert_status(run("the_program_asks", program), 9);
}

#[test]
fn the_environment_asks() {
    assert_status(run_with("the_environment_asks", Some("exitcode=9"), make_fault), 9);
}

#[test]
fn the_environment_comes_first() {
    let program = || {
        install_with(Options::new().exit_code(9));
        make_fault();
    };
    assert_status(run_with("the_environment_comes_first", Some("1,exitcode=7"), program), 7);
}

#[test]
fn what_the_environment_leaves_unsaid() {
    let program = || {
        install_with(Options::new().exit_code(9));
        make_fault();
    };
    assert_status(run_with("what_the_environment_leaves_unsaid", Some("1"), program), 9);
}

#[test]
fn later_options_count() {
    let program = || {
        install_with(Options::new().exit_code(9));
        assert!(install());
        assert!(install_with(Options::new().exit_code(10)));
        assert!(install_with(Options::new()));
        make_fault();
    };
    assert_status(run("later_options_count", program), 10);
}

#[test]
fn no_fault_no_status() {
    assert_status(run_with("no_fault_no_status", Some("exitcode=9"), || assert!(install())), 0);
}

#[test]
fn a_leak_is_no_fault() {
    let program = || {
        let slab = heap("slab").register(at(0), 4096);
        slab.register_region(at(0), 64);
        core::mem::forget(slab);
    };
    assert_status(run_with("a_leak_is_no_fault", Some("exitcode=9"), program), 0);
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn a_failing_program_keeps_its_status() {
    let program = || {
        make_fault();
        exit(3);
    };
    assert_status(run_with("a_failing_program_keeps_its_status", Some("exitcode=9"), program), 3);
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
#[expect(clippy::panic, reason = "the program is to fail")]
fn so_does_one_that_panics() {
    let program = || {
        make_fault();
        panic!("as it should");
    };
    assert_status(run_with("so_does_one_that_panics", Some("exitcode=9"), program), 101);
}

#[test]
fn leaks_may_be_faults() {
    let program = || {
        let slab = heap("slab").register(at(0), 4096);
        slab.register_region(at(0), 64);
        core::mem::forget(slab);
    };
    let Some(run) = run_with("leaks_may_be_faults", Some("exitcode=9,leaks=2"), program) else { return };
    assert_eq!(run.status, Some(9));
    assert!(run.summary().starts_with("mstx: 2 faults\n     2 x leak   still live at exit\n"), "{}", run.stderr);
}

/// What is written without a newline is not lost, be it Rust's or C's, and handlers of the program run: those that were
/// registered before ours, those after it, and those of other tools.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn the_end_is_as_it_was() {
    struct Other;

    impl Tool for Other {
        fn end(&self) {
            print!("[end of another tool]");
        }
    }

    extern "C" fn early() {
        print!("[early handler]");
        put(c"[early handler in C]");
    }

    extern "C" fn late() {
        print!("[late handler]");
        put(c"[late handler in C]");
    }

    fn put(text: &core::ffi::CStr) {
        // SAFETY: the format takes a C string.
        unsafe { libc::printf(c"%s".as_ptr(), text.as_ptr()) };
    }

    static OTHER: Other = Other;

    let program = || {
        // SAFETY: the handler calls nothing that may not run at exit.
        unsafe { libc::atexit(early) };
        install_with(Options::new().exit_code(9));
        assert!(attach(&OTHER));
        make_fault();
        // SAFETY: the handler calls nothing that may not run at exit.
        unsafe { libc::atexit(late) };
        print!("[main]");
        put(c"[main in C]");
        exit(0);
    };
    let Some(run) = run("the_end_is_as_it_was", program) else { return };
    assert_eq!(run.status, Some(9));
    for text in [
        "[main]",
        "[main in C]",
        "[early handler]",
        "[early handler in C]",
        "[late handler]",
        "[late handler in C]",
        "[end of another tool]",
    ] {
        assert_eq!(run.stdout.matches(text).count(), 1, "{text} in {}", run.stdout);
    }
    assert_eq!(run.stderr.matches("mstx: 1 fault\n").count(), 1, "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn a_forked_child_is_left_alone() {
    let program = || {
        install_with(Options::new().exit_code(9));
        make_fault();
        // SAFETY: the child only calls what may be called after a fork.
        let child = unsafe { libc::fork() };
        if child == 0 {
            make_fault();
            let status = if install() { 1 } else { 0 };
            // SAFETY: the child has handlers of its parent's, which find that it is one.
            unsafe { libc::exit(status) };
        }
        let mut status = -1;
        // SAFETY: the status is written to a variable that is there.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        assert_eq!(status, 0);
    };
    let Some(run) = run("a_forked_child_is_left_alone", program) else { return };
    assert_eq!(run.status, Some(9), "{}", run.stderr);
    assert_eq!(run.stderr.matches("mstx: ").count(), 2, "{}", run.stderr);
}
