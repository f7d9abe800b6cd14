//! Faults that users of comparable tools met; `cNN` are their numbers. Those that need crates of their own are in `features`.

use crate::{TEMPERS, assert_told, scenario, under};
use mstx_tests::{Output, Run};
use std::time::Duration;

/// Runs a program under the built-in checker, without another tool and with one: it finds no fault, and says so once.
#[track_caller]
fn assert_no_fault(run: impl Fn() -> Run) {
    for run in [run(), run().tool("full,quiet")] {
        let output = run.env("MSTX_CHECK", "1").output();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(output.stderr.matches("mstx: ").count(), 1, "{output:?}");
        assert!(output.stderr.starts_with("mstx: no faults"), "{output:?}");
    }
}

#[test]
fn the_checker_finds_no_fault_in_what_is_right() {
    for case in ["c01", "c03", "c05", "c09", "c11", "c13", "c17", "c23", "c25", "c33", "c37", "c45"] {
        assert_no_fault(|| scenario(&format!("cases::{case}")));
    }
}

#[test]
fn c15_two_leaks_are_two_faults_for_the_checker() {
    let output = scenario("cases::c15").env("MSTX_CHECK", "exitcode=9").output();
    assert_eq!(output.status.code(), Some(9), "{output:?}");
    let leaks = output.stderr.matches("mstx: fault[MSTX10]: region still live at the end of its heap").count();
    assert_eq!((leaks, output.stderr.matches("mstx: fault[").count()), (2, 2), "{output:?}");
}

/// The three recorders.
const RECORDERS: [&str; 3] = ["full", "pointer-only", "handle-only"];

/// The sizes of all regions that were registered.
fn sizes(output: &Output) -> Vec<String> {
    let registered = output.memory().into_iter().filter(|call| call.starts_with("register "));
    let size = |word: &str| word.split_once('+').map(|(_, size)| size.to_owned());
    registered.flat_map(|call| call.split(' ').filter_map(size).collect::<Vec<_>>()).collect()
}

#[test]
fn c01_functions_that_return_borrows_of_self() {
    let output = under("full", "cases::c01");
    output.assert_clean();
    assert_eq!(sizes(&output), ["8", "8"], "{output:?}");
    assert_eq!(output.count("regions_unregistered"), 1);
}

#[test]
fn c03_every_way_out_of_a_body() {
    let output = under("full", "cases::c03");
    output.assert_clean();
    assert_eq!(sizes(&output), ["1", "8", "64", "2000"], "{output:?}");
}

#[test]
fn c05_each_instance_has_its_size_and_all_share_a_domain() {
    let output = under("full", "cases::c05");
    output.assert_clean();
    assert_eq!(sizes(&output), ["32", "8", "4"], "{output:?}");
    output.assert_printed(&["domain scenario__cases__c05"]);
    assert_eq!(output.starting("domain_create").len(), 1, "{output:?}");
}

#[test]
fn c09_a_block_that_is_reused_before_its_release_returns() {
    for tool in TEMPERS {
        let output = under(tool, "cases::c09");
        output.assert_clean();
        output.assert_printed(&[]);
        output.assert_memory(&["register 0x10000+64", "unregister 0x10000+64", "register 0x10000+64"]);
        output.assert_alternates();
    }
}

#[test]
fn c11_the_tool_is_told_the_callers_bytes() {
    let output = under("full", "cases::c11");
    output.assert_clean();
    let [a, b] = output.printed_lines();
    output.assert_memory(&[&format!("register {a}+5"), &format!("register {b}+33")]);
}

#[test]
fn c13_blocks_of_no_bytes_are_no_regions() {
    assert_told("cases::c13", &["register 0x10000+16", "unregister 0x10000+16"]);
}

#[test]
fn c15_a_heap_ends_before_its_memory_does() {
    let heap = "heap_register domain=d1 device=0 ptr=0x500000000000 size=65536";
    for tool in TEMPERS {
        let output = under(tool, "cases::c15");
        output.assert_keeps_rules();
        output.assert_printed(&[
            "RegionLeaked 0x500000000000+64 in 0x500000000000: close@close; take@a",
            "RegionLeaked 0x500000000040+128 in 0x500000000000: close@close; take@b",
        ]);
        output.assert_open(&[]);
        assert_eq!(output.starting(heap).len(), 2, "{output:?}");
    }
    let output = under("full", "cases::c15");
    output.assert_memory(&[
        "heap 0x500000000000+65536",
        "register 0x500000000000+64 in 0x500000000000",
        "register 0x500000000040+128 in 0x500000000000",
        "unregister 0x500000000000+64 0x500000000040+128",
        "end 0x500000000000+65536",
        "heap 0x500000000000+65536",
        "register 0x500000000000+64 in 0x500000000000",
        "unregister 0x500000000000+64",
        "end 0x500000000000+65536",
    ]);
    // Each time the memory is given back right after the tool was told of the end.
    let events: Vec<&str> = output.events().collect();
    let unmapped = events.iter().enumerate().filter(|(_, event)| event.starts_with("mark message=\"unmap\""));
    let before: Vec<&str> = unmapped.map(|(index, _)| events[index - 1]).collect();
    assert_eq!(before.len(), 2, "{output:?}");
    assert!(before.iter().all(|event| event.starts_with("heap_unregister")), "{output:?}");
}

#[test]
fn c17_device_memory_is_told_with_its_device_and_never_touched() {
    let output = under("full", "cases::c17");
    output.assert_clean();
    let [unsaid] = output.printed_lines();
    output.assert_memory(&[
        "heap 0x12c000000000+1073741824",
        "heap 0x12c100000000+1073741824 on 1",
        "register 0x12c000000000+4096 in 0x12c000000000",
        "unregister 0x12c000000000+4096",
        "end 0x12c000000000+1073741824",
        "register 0x12c100000000+4096 on 1 in 0x12c100000000",
        "unregister 0x12c100000000+4096",
        "end 0x12c100000000+1073741824",
        &format!("heap {unsaid}+4096"),
        &format!("register {unsaid}+64 in {unsaid}"),
        &format!("unregister {unsaid}+64"),
        &format!("end {unsaid}+4096"),
    ]);
    for tool in TEMPERS {
        let output = under(tool, "cases::c17");
        output.assert_clean();
        output.assert_open(&[]);
    }
}

/// With a stack limit of 16 MB, and in 10 seconds.
#[test]
fn c21_an_annotated_global_allocator() {
    let limited = "ulimit -s 16384 && exec \"$0\"";
    let program = env!("CARGO_BIN_EXE_global_allocator");
    let run = |tool| Run::new("sh").arg("-c").arg(limited).arg(program).limit(Duration::from_secs(10)).tool(tool).output();
    for tool in ["full,quiet", "msan,quiet", "handle-only,quiet"] {
        let output = run(tool);
        output.assert_clean();
        let live = output.count("regions_registered") - output.count("regions_unregistered");
        output.assert_printed(&[&format!("live {live} faults 0")]);
        assert!(output.count("regions_registered") > 40_000, "{output:?}");
        assert_eq!(output.count("open"), live, "{output:?}");
    }
    run("full,quiet,slow-init").assert_clean();
    let limited = || Run::new("sh").arg("-c").arg(limited).arg(program).limit(Duration::from_secs(10));
    assert_no_fault(limited);
}

#[test]
fn c23_events_while_thread_locals_are_destroyed() {
    for tool in ["full", "msan"] {
        let output = under(tool, "cases::c23");
        output.assert_clean();
        output.assert_printed(&["4 4", "8 8"]);
        output.assert_open(&[]);
        output.assert_alternates();
    }
}

/// Asserts that nobody but the program itself called the tool.
#[track_caller]
fn assert_one_process(output: &Output) {
    let others: Vec<_> = output.lines.iter().filter(|line| line.process != output.process).collect();
    assert!(others.is_empty(), "{others:?}\n{output:?}");
}

#[test]
fn c25_forks_while_other_threads_report() {
    let output = under("full,quiet", "cases::c25");
    output.assert_clean();
    output.assert_printed(&["200 children ended"]);
    output.assert_open(&[]);
    assert_one_process(&output);
}

#[test]
fn c25_forks_while_the_tool_initialises() {
    let output = under("full,slow-init", "cases::c25_while_initialising");
    output.assert_clean();
    output.assert_printed(&["10 children ended"]);
    assert_eq!((output.count("regions_registered"), output.count("regions_unregistered")), (1, 1), "{output:?}");
    assert_one_process(&output);
}

/// The case asks for 200 runs; each takes 0.3 s, so these are 25.
#[test]
fn c33_the_first_call_from_many_threads() {
    for _ in 0..25 {
        let output = under("full,slow-init", "cases::c33");
        output.assert_clean();
        output.assert_open(&[]);
        output.assert_alternates();
        let counts = ["init", "domain_create", "heap_register", "regions_register", "regions_unregister"];
        assert_eq!(counts.map(|kind| output.count(kind)), [1, 1, 1, 32, 32], "{output:?}");
        let ready = output.events().position(|event| event == "ready -> 0");
        assert_eq!(ready, Some(1), "nothing comes before the tool is ready\n{output:?}");
    }
}

mod c35_where_is_the_tool {
    use super::*;
    use mstx_tests::{scratch, stub};
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    const PROGRAM: &str = "cases::c35";

    /// A way in which the tool is not there.
    struct Absence {
        path: Option<PathBuf>,
        words: &'static str,
        /// What `status()` says.
        reason: &'static str,
    }

    fn absences() -> [Absence; 6] {
        let absence = |path, words, reason| Absence { path, words, reason };
        [
            absence(Some(scratch().join("missing.so")), "", "not found"),
            absence(Some(text_file()), "", "could not be loaded"),
            absence(Some(other_library()), "", "no function InitInjectionMstx"),
            absence(Some(stub()), "fails", "InitInjectionMstx failed"),
            absence(Some(stub()), "refuses", "refuse"),
            absence(None, "", "no tool"),
        ]
    }

    fn text_file() -> PathBuf {
        let path = scratch().join("text.so");
        fs::write(&path, "This is no library.\n").expect("the folder can be written to");
        path
    }

    /// A library that is no tool.
    fn other_library() -> PathBuf {
        let path = scratch().join("libother.so");
        compile("int other(void) { return 1; }\n", &path);
        path
    }

    fn compile(code: &str, library: &Path) {
        let source = library.with_extension("c");
        fs::write(&source, code).expect("the folder can be written to");
        let status = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(library).arg(source).status();
        assert!(status.is_ok_and(|status| status.success()), "the C compiler works");
    }

    fn run(absence: &Absence) -> Run {
        let run = scenario(PROGRAM).env("MSTX_STUB", absence.words);
        match &absence.path {
            Some(path) => run.library(path),
            None => run,
        }
    }

    #[test]
    fn the_program_does_the_same_whatever_is_wrong_with_the_tool() {
        for absence in absences() {
            let output = run(&absence).output();
            assert_eq!((output.status.code(), output.stdout.as_str()), (Some(0), "done\n"), "{output:?}");
        }
    }

    #[test]
    fn status_names_the_reason() {
        let mut seen = Vec::new();
        for absence in absences() {
            let output = run(&absence).env("ASK", "1").output();
            let status = output.stderr.lines().find_map(|line| line.strip_prefix("status: ")).unwrap_or_default();
            assert!(status.contains(absence.reason), "{status:?} does not say `{}`", absence.reason);
            assert!(!seen.contains(&status.to_owned()), "{status:?} is said of two");
            seen.push(status.to_owned());
        }
    }

    #[test]
    fn one_line_where_the_variable_leads_to_no_tool_and_silence_where_it_is_unset() {
        for absence in absences() {
            let output = run(&absence).output();
            match &absence.path {
                Some(path) if absence.words != "refuses" => {
                    let [line] = output.complaints();
                    let named = line.starts_with("mstx: ") && line.contains(&*path.to_string_lossy());
                    assert!(named && line.contains(absence.reason), "{line}");
                }
                _ => assert_eq!(output.stderr, "", "{output:?}"),
            }
        }
    }

    #[test]
    fn a_bare_name_is_searched_for() {
        let folder = stub().parent().map(Path::to_path_buf).unwrap_or_default();
        let output = scenario(PROGRAM).library("libmstx_stub.so").env("LD_LIBRARY_PATH", folder).output();
        output.assert_clean();
        assert_eq!(output.memory().len(), 2, "{output:?}");
        let output = scenario(PROGRAM).library("libnowhere.so").env("ASK", "1").output();
        assert!(output.stderr.contains("not found"), "{output:?}");
    }

    #[test]
    fn a_folder_or_a_strange_path_is_no_tool() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let long = "x/".repeat(2000);
        for (path, reason) in [
            (scratch().as_os_str(), "could not be loaded"),
            (OsStr::from_bytes(b"/no\xff.so"), "not found"),
            (OsStr::new(&long), "not found"),
        ] {
            let output = scenario(PROGRAM).library(path).env("ASK", "1").output();
            assert_eq!((output.status.code(), output.stdout.as_str()), (Some(0), "done\n"), "{output:?}");
            let [line, status] = output.complaints();
            assert!(line.starts_with("mstx: MSTX_INJECTION_PATH="), "{line}");
            assert!(status.contains(reason), "{status}");
        }
    }

    #[test]
    fn an_empty_variable_is_no_variable() {
        let output = scenario(PROGRAM).library("").output();
        assert_eq!((output.status.code(), output.stderr.as_str()), (Some(0), ""), "{output:?}");
    }

    #[test]
    fn a_tool_that_failed_is_never_called() {
        let output = scenario(PROGRAM).tool("fails").output();
        let events: Vec<&str> = output.events().collect();
        assert_eq!(events[..2], ["init temper=fails modules=5,6,5", "ready -> 1"], "{output:?}");
        assert_eq!((output.count("calls"), output.count("violations")), (0, 0), "{output:?}");
    }

    #[test]
    fn a_tool_that_refuses_the_domain_is_told_of_its_events() {
        let output = scenario(PROGRAM).tool("refuses").output();
        output.assert_clean();
        output.assert_memory(&["register 0x10000+32", "unregister 0x10000+32"]);
    }
}

#[test]
fn c37_three_tools_end_with_empty_books() {
    const NAME: &str = "scenario__cases__c37__gpu__pool";
    for tool in RECORDERS {
        let output = under(tool, "cases::c37");
        output.assert_clean();
        output.assert_open(&[]);
        assert_eq!(output.starting(&format!("domain_create name={NAME} ")).len(), 1, "{output:?}");
        // All in one call; releases name the same registrations, so they are on the same device.
        let registered = output.starting("regions_register ");
        assert_eq!(registered.len(), 1, "{output:?}");
        assert_eq!(registered[0].matches("dev=2").count(), 3, "{output:?}");
        assert_eq!(output.count("regions_unregistered"), 3, "{output:?}");
        let answer = if tool == "pointer-only" { "Refused" } else { "Accepted" };
        assert_eq!(output.printed()[1], format!("{NAME} None {answer}"), "{output:?}");
    }
}

#[test]
fn c37_the_user_can_say_the_name() {
    for tool in RECORDERS {
        for output in [
            under(tool, "cases::c37_exact_name"),
            scenario("cases::c37").tool(tool).env("MSTX_DOMAINS", "scenario__cases__c37__gpu__pool=ptaCaching").output(),
        ] {
            output.assert_clean();
            output.assert_open(&[]);
            let created = output.starting("domain_create ");
            assert_eq!(created, ["domain_create name=ptaCaching -> d1"], "{output:?}");
        }
    }
}

#[test]
fn c45_links_inside_of_freed_blocks() {
    let output = under("full", "cases::c45");
    output.assert_clean();
    output.assert_printed(&[]);
    assert_eq!(sizes(&output), ["32", "32"], "{output:?}");
    output.assert_open(&[]);
    output.assert_alternates();
}

#[test]
fn c45_seeding_by_annotated_releases_is_eight_faults() {
    let output = under("full", "cases::c45_annotated_seeding");
    output.assert_keeps_rules();
    let printed = output.printed();
    assert_eq!(printed.len(), 8, "{output:?}");
    assert!(printed.iter().all(|fault| fault.starts_with("UnknownRelease ")), "{output:?}");
    assert_eq!(sizes(&output), ["32", "32"], "{output:?}");
    output.assert_open(&[]);
}
