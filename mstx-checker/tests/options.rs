//! What `MSTX_CHECK` and the program can ask for.

mod common;

use std::fs;
use std::path::PathBuf;

use common::{POOL, at, heap, run, run_with};
use mstx_checker::{Leaks, Options, install, install_with};
use mstx_runtime::{domain, register_region, unregister_region};

domain!(static LOOSE = "loose");

/// Two faults of two kinds, a leaked heap, and two leaked regions.
fn work() {
    install();
    let slab = heap("slab").register(at(0), 4096);
    slab.register_region(at(0), 64);
    slab.register_region(at(64), 64);
    named!(twice: {
        slab.unregister_region(at(64));
        register_region(&POOL, core::ptr::null::<u8>(), 64);
    });
    named!(unknown: slab.unregister_region(at(128)));
    named!(loose: register_region(&LOOSE, at(0x10_0000), 32));
    core::mem::forget(slab);
}

/// A name in the directory for temporary files, of this process.
fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("mstx-checker-options-{}-{name}", std::process::id()))
}

const IGNORED: &str = "` is ignored; ";

#[test]
fn unknown_options_are_named_and_the_valid_ones_listed() {
    let check = "1,exitcod=9:exitcode=256,exitcode=9";
    let Some(run) = run_with("unknown_options_are_named_and_the_valid_ones_listed", Some(check), work) else { return };
    assert_eq!(run.status, Some(9), "the rest is used");
    let mut lines = run.stderr.lines();
    let unknown = lines.next().and_then(|line| line.split_once(IGNORED)).expect("it is named");
    assert_eq!(unknown.0, "mstx: MSTX_CHECK: `exitcod=9");
    for valid in ["`1`", "`exitcode=N`", "`leaks=0|1|2`", "`log=FILE`", "`heapmap=FILE`", "`guard=0|1`", "`help=1`"] {
        assert!(unknown.1.contains(valid), "{valid} in {}", unknown.1);
    }
    let unfit = "mstx: MSTX_CHECK: `exitcode=256` is ignored; it is `exitcode=N`: the process ends with this status (1 to 255) if there \
                 were faults";
    assert_eq!(lines.next(), Some(unfit));
    assert_eq!(run.stderr.matches("MSTX_CHECK").count(), 2, "{}", run.stderr);
}

#[test]
fn help_lists_the_options() {
    let Some(run) = run_with("help_lists_the_options", Some("help=1"), || ()) else { return };
    let mut lines = run.stderr.lines();
    assert_eq!(lines.next(), Some("mstx: options in MSTX_CHECK, separated by `,` or `:`"));
    let options: Vec<_> = lines.take_while(|line| line.starts_with("  ")).collect();
    assert_eq!(options.len(), 15, "{}", run.stderr);
    for option in options {
        let (name, help) = option.trim().split_once("  ").expect("a name, and what it does");
        assert!(name.contains('=') && help.trim().len() > 10, "{option}");
    }
}

#[test]
fn reports_go_to_a_file() {
    let log = path("log");
    let _ = fs::remove_file(&log);
    let check = format!("log={}", log.display());
    for times in 1..=2 {
        let Some(run) = run_with("reports_go_to_a_file", Some(&check), work) else { return };
        assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
        let written = fs::read_to_string(&log).expect("it is there");
        assert_eq!(written.matches("mstx: fault[MSTX04]: release of an unknown region\n").count(), times, "{written}");
        assert_eq!(written.matches("mstx: 2 faults\n").count(), times, "{written}");
    }
    let _ = fs::remove_file(log);
}

/// What the environment says counts; `%p` is the process.
#[test]
fn the_files_name_has_the_process() {
    let program = || {
        println!("@process={}", std::process::id());
        install_with(Options::new().log("/not/there"));
        work();
    };
    let check = format!("log={}", path("%p-100%%.log").display());
    let Some(run) = run_with("the_files_name_has_the_process", Some(&check), program) else { return };
    let process = run.stdout.split_once("@process=").and_then(|(_, rest)| rest.split_whitespace().next()).expect("it was said");
    let log = path(&format!("{process}-100%.log"));
    let written = fs::read_to_string(&log).expect("it is there");
    let _ = fs::remove_file(log);
    assert!(written.ends_with('\n') && written.contains("mstx: 2 faults\n"), "{written}");
    assert_eq!(run.stderr, "");
}

#[test]
fn a_file_that_cannot_be_written() {
    let Some(run) = run_with("a_file_that_cannot_be_written", Some("log=/not/there"), work) else { return };
    let line = "mstx: reports are not written to /not/there: ";
    assert!(run.stderr.starts_with(line), "{}", run.stderr);
    assert_eq!(run.stderr.matches(line).count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("mstx: fault[MSTX04]") && run.stderr.contains("mstx: 2 faults\n"), "{}", run.stderr);
}

#[track_caller]
fn assert_leaks_are_ignored(run: Option<common::Run>) {
    let Some(run) = run else { return };
    assert!(run.summary().starts_with("mstx: 2 faults\n"), "{}", run.stderr);
    assert!(!run.stderr.contains("live at exit"), "{}", run.stderr);
}

#[test]
fn leaks_may_be_ignored() {
    assert_leaks_are_ignored(run_with("leaks_may_be_ignored", Some("leaks=0"), work));
}

#[test]
fn the_program_may_ignore_leaks() {
    let program = || {
        install_with(Options::new().leaks(Leaks::Ignored));
        work();
    };
    assert_leaks_are_ignored(run("the_program_may_ignore_leaks", program));
}

#[test]
fn without_faults_ignored_leaks_are_one_line() {
    let program = || {
        let slab = heap("slab").register(at(0), 4096);
        slab.register_region(at(0), 64);
        core::mem::forget(slab);
    };
    let test = "without_faults_ignored_leaks_are_one_line";
    let Some(run) = run_with(test, Some("leaks=0,exitcode=9"), program) else { return };
    assert_eq!(run.stderr, "mstx: no faults; 1 heap and 1 region registered, at most 64 bytes of regions live\n");
    assert_eq!(run.status, Some(0));
}

/// By the code, and the call at fault or the one that it contradicts; by file, line, function and module.
#[test]
fn suppressions() {
    let program = || {
        install_with(Options::new().exit_code(9).suppressions("MSTX04 */options.rs # known\nMSTX18 mstx::register_region"));
        work();
    };
    let Some(run) = run("suppressions", program) else { return };
    assert!(run.stderr.starts_with("mstx: no faults\n"), "{}", run.stderr);
    assert!(run.stderr.ends_with("  suppressed: 2 faults, 0 live heaps, 0 live regions\n"), "{}", run.stderr);
    assert_eq!(run.status, Some(0), "what is suppressed does not count");
}

#[test]
fn suppressions_fit_exactly() {
    // Another code, another line, another module.
    let program = || {
        install_with(Options::new().suppressions("MSTX05 *\nMSTX04 mstx-checker/tests/options.rs:1\n* other"));
        work();
    };
    let Some(run) = run("suppressions_fit_exactly", program) else { return };
    assert!(run.summary().starts_with("mstx: 2 faults\n"), "{}", run.stderr);
    assert!(!run.stderr.contains("suppressed"), "{}", run.stderr);
}

#[test]
fn suppressed_leaks() {
    let program = || {
        install_with(
            Options::new().leaks(Leaks::Fault).exit_code(9).suppressions("* *\nleak mstx::register_region\nleak mstx::Heap"),
        );
        work();
    };
    let Some(run) = run("suppressed_leaks", program) else { return };
    assert_eq!(
        run.stderr,
        "mstx: no faults; 1 heap and 3 regions registered, at most 128 bytes of regions live\n  \
         suppressed: 2 faults, 1 live heap, 2 live regions\n"
    );
    assert_eq!(run.status, Some(0));
}

#[test]
fn some_suppressed_leaks() {
    let program = || {
        install_with(Options::new().suppressions("leak mstx::register_region"));
        work();
    };
    let Some(run) = run("some_suppressed_leaks", program) else { return };
    assert!(run.stderr.contains("  still live at exit: 1 region, 64 bytes\n"), "{}", run.stderr);
    assert!(run.stderr.ends_with("  suppressed: 0 faults, 0 live heaps, 1 live region\n"), "{}", run.stderr);
}

#[test]
fn suppressions_from_a_file() {
    let file = path("suppressions");
    fs::write(&file, "# known\n\nMSTX04 */options.rs\nMSTX99 a\nMSTX18\n").expect("it can be written");
    let check = format!("suppressions={}", file.display());
    let run = run_with("suppressions_from_a_file", Some(&check), work);
    let _ = fs::remove_file(file);
    let Some(run) = run else { return };
    for line in ["MSTX99 a", "MSTX18"] {
        let said = format!(
            "mstx: suppression `{line}` is ignored; it is a code, `leak` or `*`, and a call site: `MSTX05 src/pool.rs:12`\n"
        );
        assert_eq!(run.stderr.matches(&said).count(), 1, "{}", run.stderr);
    }
    assert!(run.summary().starts_with("mstx: 1 fault\n     1 x MSTX18 null address\n"), "{}", run.stderr);
}

#[test]
fn a_file_of_suppressions_that_is_not_there() {
    let test = "a_file_of_suppressions_that_is_not_there";
    let Some(run) = run_with(test, Some("suppressions=/not/there"), work) else { return };
    assert!(run.stderr.starts_with("mstx: suppressions are not read from /not/there: "), "{}", run.stderr);
    assert!(run.summary().starts_with("mstx: 2 faults\n"), "{}", run.stderr);
}

/// What is suppressed is in `faults()` all the same.
#[test]
fn the_program_sees_all_faults() {
    let program = || {
        install_with(Options::new().suppressions("* *"));
        work();
        assert_eq!(mstx_runtime::faults().count(), 2);
        unregister_region(&LOOSE, at(0x10_0000));
    };
    let Some(run) = run("the_program_sees_all_faults", program) else { return };
    assert_eq!(run.status, Some(0), "{}", run.stderr);
}
