//! Beginnings, ends and forks; where the tool comes from.

use crate::{SCENARIO, TEMPERS, scenario, under};
use mstx_tests::{Output, Run, scratch, stub};
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

const ONE_REGION: [&str; 4] =
    ["heap 0x10000+4096", "register 0x10100+64 in 0x10000", "unregister 0x10100+64", "end 0x10000+4096"];

mod beginnings {
    use super::*;

    #[test]
    fn a_program_that_reports_nothing_never_asks_for_a_tool() {
        let output = under("full", "process::nothing");
        assert_eq!(output.lines.len(), 0, "{output:?}");
    }

    #[test]
    fn init_is_the_first_use_and_happens_once() {
        let output = under("full", "process::init_first");
        output.assert_clean();
        output.assert_memory(&ONE_REGION);
        assert_eq!(output.starting("init ").len(), 1, "{output:?}");
        output.assert_printed(&["true true", "tool libmstx_stub.so (id 0x0) listens"]);
    }

    #[test]
    fn init_without_a_tool_says_that_nobody_listens() {
        let output = scenario("process::init_first").output();
        output.assert_printed(&["false false", "no tool"]);
        assert_eq!(output.stderr, "", "{output:?}");
    }

    #[test]
    fn events_before_main_reach_the_tool() {
        let output = scenario("process::before_main").tool("full").env("SCENARIO_BEFORE_MAIN", "1").output();
        output.assert_clean();
        let mut expected = vec![
            "heap 0x20000+4096",
            "register 0x20100+64 in 0x20000",
            "register 0x20200+64 in 0x20000",
            "unregister 0x20100+64",
            "unregister 0x20200+64",
            "end 0x20000+4096",
        ];
        expected.extend(ONE_REGION);
        output.assert_memory(&expected);
    }

    #[test]
    fn status_names_the_tool_by_what_it_says_of_itself() {
        under("msan", "process::one_region").assert_printed(&["tool libmstx_stub.so (id 0x1002) listens"]);
    }
}

mod tools {
    use super::*;

    #[test]
    fn a_preloaded_tool_is_found() {
        for words in ["full", "msan", "pta"] {
            let output = scenario("process::one_region").preload(words).output();
            output.assert_clean();
            assert_eq!(output.memory().len(), ONE_REGION.len(), "{output:?}");
            assert!(output.stdout.contains("found in the process"), "{output:?}");
        }
    }

    #[test]
    fn a_preloaded_tool_takes_the_place_of_one_that_does_not_load() {
        let missing = scratch().join("missing.so");
        let output = scenario("process::one_region").preload("full").library(&missing).output();
        output.assert_keeps_rules();
        output.assert_memory(&ONE_REGION);
        let [line] = output.complaints();
        assert!(line.contains(&*missing.to_string_lossy()) && line.contains("tried instead"), "{line}");
        assert!(output.stdout.contains("since the library was not found"), "{output:?}");
    }

    #[test]
    fn the_variable_wins_over_a_preloaded_tool() {
        let output = scenario("process::one_region").preload("full").library(stub()).output();
        output.assert_clean();
        output.assert_memory(&ONE_REGION);
        assert!(output.stdout.contains("libmstx_stub.so"), "{output:?}");
    }

    /// It shares nothing with the other stub, so the two vouch for each other.
    #[test]
    fn a_tool_written_in_c_is_told_the_same() {
        let library = scratch().join("librecorder.so");
        let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("stub/c/recorder.c");
        let status = Command::new("cc").args(["-shared", "-fPIC", "-Wall", "-Werror", "-o"]).arg(&library).arg(source).status();
        assert!(status.is_ok_and(|status| status.success()), "the C compiler works");
        let log = scratch().join("c.log");
        let output = scenario("tools::tour").library(&library).env("MSTX_STUB_LOG", &log).output();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let lines = fs::read_to_string(&log).unwrap_or_default();
        let _ = fs::remove_file(&log);
        let rust = under("full", "tools::tour");
        rust.assert_clean();
        let c_told: Vec<String> = lines.lines().flat_map(c_words).collect();
        let rust_told: Vec<String> = rust.events().flat_map(rust_words).collect();
        assert_eq!(c_told, rust_told, "{lines}");
        assert_eq!((lines.lines().next(), lines.lines().last()), (Some("init"), Some("exit")));
    }

    /// `kind` and `start+size` for what the C recorder writes.
    fn c_words(line: &str) -> Vec<String> {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            [kind @ "heap_register", _, start, size, ..] => vec![format!("{kind} {start}+{size}")],
            ["regions_register" | "regions_unregister" | "heap_unregister", ..] => vec![words[0].to_owned()],
            ["region", start, size, ..] | ["handle", _, start, size] => vec![format!("{start}+{size}")],
            _ => Vec::new(),
        }
    }

    /// The same for the stub's line.
    fn rust_words(event: &str) -> Vec<String> {
        let words: Vec<&str> = event.split([' ', '[', ']', ',']).collect();
        let value = |name: &str| words.iter().find_map(|word| word.strip_prefix(name)).unwrap_or_default();
        match words[0] {
            "heap_register" => vec![format!("heap_register {}+{}", value("ptr="), value("size="))],
            kind @ ("regions_register" | "regions_unregister" | "heap_unregister") => {
                let regions = words.iter().filter(|word| word.starts_with("0x") && word.contains('+'));
                [kind.to_owned()].into_iter().chain(regions.map(|word| (*word).to_owned())).collect()
            }
            _ => Vec::new(),
        }
    }

    /// `None` where this is not possible here.
    fn set_user_id(program: &str) -> Option<Run> {
        const NOBODY: u32 = 65534;
        // Others must be able to get there.
        let copy = std::env::temp_dir().join(format!("mstx-privileged-{}", std::process::id()));
        fs::copy(program, &copy).ok()?;
        let made = chown(&copy, Some(0), Some(0)).and_then(|()| fs::set_permissions(&copy, Permissions::from_mode(0o4755)));
        made.ok()?;
        let run = Run::new(&copy).with(|command| {
            command.uid(NOBODY).gid(NOBODY).current_dir("/");
        });
        Some(run)
    }

    #[test]
    fn a_set_user_id_program_ignores_the_variables() {
        let Some(run) = set_user_id(SCENARIO) else {
            eprintln!("SKIPPED: only root can make a set-user-ID program");
            return;
        };
        let output = run.arg("process::privileged").tool("full").env("MSTX_DOMAINS", "bad").output();
        let copy = std::env::temp_dir().join(format!("mstx-privileged-{}", std::process::id()));
        let _ = fs::remove_file(copy);
        if output.printed().first() != Some(&"secure=1") {
            eprintln!("SKIPPED: set-user-ID bits have no effect here: {output:?}");
            return;
        }
        assert!(output.status.success() && output.lines.is_empty(), "{output:?}");
        assert!(output.printed()[1].contains("set-user-ID"), "{output:?}");
        assert!(!output.stderr.contains("MSTX_DOMAINS"), "{output:?}");
    }
}

mod ends {
    use super::*;

    #[test]
    fn live_regions_stay_live_at_exit() {
        let output = under("full", "process::returns_with_live_regions");
        output.assert_clean();
        output.assert_open(&["0x10100+64", "0x10200+64", "0x10300+64"]);
    }

    #[test]
    fn nothing_is_told_after_the_end() {
        for tool in TEMPERS {
            let output = under(tool, "process::after_main");
            output.assert_clean();
            output.assert_open(&["0x10100+64"]);
            assert_eq!(output.memory().len(), 2, "{output:?}");
            output.assert_printed(&["late: no tool: the process is ending"]);
        }
    }

    #[test]
    fn an_exit_handler_that_runs_before_the_end_may_still_report() {
        for tool in TEMPERS {
            let output = under(tool, "process::in_exit_handler_that_comes_first");
            output.assert_keeps_rules();
            output.assert_open(&["0x10300+64"]);
        }
    }

    #[test]
    fn locals_of_the_main_thread_may_still_report_or_not() {
        let output = under("full", "process::in_thread_locals_of_main");
        output.assert_clean();
        assert_eq!(output.open().len(), 1, "{output:?}");
    }

    #[test]
    fn exit_in_one_thread_while_others_report() {
        for tool in ["full", "msan"] {
            for _ in 0..10 {
                let output = scenario("process::exit_in_another_thread").tool(tool).limit(Duration::from_secs(10)).output();
                output.assert_clean();
                output.assert_alternates();
                assert!(output.memory().len() > 10, "{output:?}");
            }
        }
    }

    #[test]
    fn exit_from_inside_a_tool_call() {
        let output = under("full,re-enters", "process::exit_in_tool_call");
        output.assert_clean();
        output.assert_printed(&["exit"]);
        assert_eq!(output.count("regions_register"), 1, "{output:?}");
    }
}

mod forks {
    use super::*;

    /// What the parent told, and nobody else anything.
    #[track_caller]
    fn assert_only_parent(output: &Output) {
        output.assert_clean();
        assert_eq!(output.memory().len(), ONE_REGION.len(), "{output:?}");
        assert!(output.lines.iter().all(|line| line.process == output.process), "{output:?}");
    }

    #[test]
    fn a_child_tells_nothing() {
        for tool in TEMPERS {
            let output = under(tool, "process::child_is_silent");
            assert_only_parent(&output);
            let id = if tool == "msan" { "0x1002" } else { "0x0" };
            output.assert_printed(&[
                "child: false no tool: a forked child reports nothing; 0 faults",
                &format!("parent: tool libmstx_stub.so (id {id}) listens; 0 faults"),
            ]);
        }
    }

    #[test]
    fn nor_does_the_child_of_a_child() {
        assert_only_parent(&under("full", "process::grandchild_is_silent"));
    }
}

mod renaming {
    use super::*;

    fn renamed(value: &str) -> Output {
        scenario("process::renamed").tool("full").env("MSTX_DOMAINS", value).output()
    }

    /// The names in the order in which they were created.
    fn created(output: &Output) -> Vec<&str> {
        let created = output.starting("domain_create name=").into_iter();
        created.filter_map(|event| event.split(['=', ' ']).nth(2)).collect()
    }

    #[test]
    fn domains_are_told_under_their_new_names() {
        let output = renamed("first=ptaCaching,third=atb");
        output.assert_clean();
        assert_eq!(created(&output), ["ptaCaching", "second", "atb"], "{output:?}");
        output.assert_printed(&["first Some(\"ptaCaching\")", "second None", "third Some(\"atb\")"]);
    }

    #[test]
    fn two_domains_may_become_one() {
        let output = renamed("first=kv,second=kv");
        output.assert_clean();
        assert_eq!(created(&output), ["kv", "third"], "{output:?}");
        output.assert_open(&[]);
    }

    #[test]
    fn a_domain_may_take_the_name_of_another() {
        let output = renamed("first=second,second=first");
        output.assert_clean();
        assert_eq!(created(&output), ["second", "first", "third"], "{output:?}");
        let output = renamed("first=third");
        output.assert_clean();
        assert_eq!(created(&output), ["third", "second"], "{output:?}");
    }

    #[test]
    fn spaces_and_empty_entries_do_no_harm() {
        let output = renamed(" first=kv ,, third=atb,");
        output.assert_clean();
        assert_eq!(created(&output), ["kv", "second", "atb"], "{output:?}");
    }

    #[test]
    fn each_bad_entry_gives_a_line() {
        let long = format!("third={}", "x".repeat(1024));
        for entry in ["first", "first=", "first=no::name", "first=sp ace", "=kv", &long] {
            let output = renamed(&format!("{entry},second=kv"));
            output.assert_keeps_rules();
            assert_eq!(created(&output), ["first", "kv", "third"], "{output:?}");
            let [line] = output.complaints();
            assert!(line.starts_with("mstx: MSTX_DOMAINS: ") && line.contains(&entry[..6.min(entry.len())]), "{line}");
        }
    }
}
