//! Programs that are recorded, and the files that they leave behind.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use common::{POOL, at, heap, run, run_with};
use mstx_checker::{Format, Options, install_with, write};
use mstx_runtime::{domain, mark, range, register_region, unregister_region};

domain!(static LOOSE = "loose");

/// A directory of a test's own, which goes away with it.
struct Directory(PathBuf);

impl Directory {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mstx-checker-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("there is room for temporary files");
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("the path is text").to_owned()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("it is there");
        let mut names: Vec<_> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("it was written")
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn work() {
    let slab = heap("slab").register(at(0), 4096);
    let _range = range("work");
    for n in 0..10 {
        slab.register_region(at(n * 64), 64);
    }
    mark("half");
    for n in 0..9 {
        slab.unregister_region(at(n * 64));
    }
    register_region(&LOOSE, at(0x10_0000), 64);
    core::mem::forget(slab);
}

#[test]
fn the_environment_asks_for_all_files() {
    let directory = Directory::new("all");
    let [map, snapshot, trace, dhat] = ["m.svg", "s.pickle", "t.%p.json", "d.json"].map(|name| directory.file(name));
    let check = format!("heapmap={map},snapshot={snapshot},trace={trace},dhat={dhat}");
    let Some(run) = run_with("the_environment_asks_for_all_files", Some(&check), work) else { return };
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let names = directory.names();
    assert_eq!(names.len(), 4, "{names:?}");
    let trace = directory.file(&names[3]);
    let said = format!(
        "mstx: heap map written to {map}\nmstx: memory snapshot written to {snapshot}\nmstx: trace written to {trace}\n\
         mstx: DHAT profile written to {dhat}\nmstx: no faults\n"
    );
    assert!(run.stderr.starts_with(&said), "{}", run.stderr);
    let map = directory.read("m.svg");
    let document = roxmltree::Document::parse(&map).expect("it is XML");
    let titles = document.descendants().filter(|node| node.has_tag_name("title")).filter_map(|node| node.text());
    assert_eq!(titles.filter(|title| title.contains("tests/files.rs:")).count(), 11);
    let trace: serde_json::Value = serde_json::from_str(&directory.read(&names[3])).expect("it is JSON");
    let of =
        |phase: &str| trace["traceEvents"].as_array().map_or(0, |all| all.iter().filter(|event| event["ph"] == phase).count());
    assert_eq!((of("b"), of("e"), of("i")), (1 + 11 + 1, 9 + 1, 1));
    let process = names[3].trim_start_matches("t.").trim_end_matches(".json");
    assert_eq!(trace["traceEvents"][0]["pid"].to_string(), process);
    let dhat: serde_json::Value = serde_json::from_str(&directory.read("d.json")).expect("it is JSON");
    assert_eq!(dhat["pps"].as_array().map(Vec::len), Some(2));
}

#[test]
fn the_bound_is_said() {
    let directory = Directory::new("bound");
    let check = format!("recording=5,heapmap={}", directory.file("m.svg"));
    let Some(run) = run_with("the_bound_is_said", Some(&check), work) else { return };
    let said = "mstx: the files have the newest 5 events, and what was live before; 19 older ones were dropped";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert!(directory.read("m.svg").contains("19 older events dropped"));
}

#[test]
fn a_file_that_cannot_be_written() {
    let directory = Directory::new("missing");
    let check = format!("heapmap={}", directory.file("not/there.svg"));
    let Some(run) = run_with("a_file_that_cannot_be_written", Some(&check), work) else { return };
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("mstx: heap map not written to ") && run.stderr.contains("No such file"), "{}", run.stderr);
}

#[test]
fn without_any_event() {
    let directory = Directory::new("nothing");
    let check = format!("heapmap={},dhat={}", directory.file("m.svg"), directory.file("d.json"));
    let Some(run) = run_with("without_any_event", Some(&check), || {}) else { return };
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert!(directory.read("m.svg").contains("No heap and no region was registered."));
}

#[test]
fn wrong_options_are_named() {
    let Some(run) = run_with("wrong_options_are_named", Some("heapmap=,recording=0,svg=a"), work) else { return };
    assert_eq!(run.stderr.matches("` is ignored; expected").count(), 3, "{}", run.stderr);
}

#[test]
fn the_program_asks() {
    let program = || {
        install_with(Options::new().file(Format::HeapMap, "mstx-test-%p.svg").recording(1000));
        std::env::set_current_dir(std::env::temp_dir()).expect("it is there");
        work();
        println!("@process={}", std::process::id());
    };
    let Some(run) = run("the_program_asks", program) else { return };
    let process = run.stdout.split_once("@process=").and_then(|(_, rest)| rest.split_whitespace().next()).expect("it was said");
    let path = std::env::temp_dir().join(format!("mstx-test-{process}.svg"));
    let map = fs::read_to_string(&path).expect("it was written");
    let _ = fs::remove_file(path);
    assert!(map.contains("slab"), "{}", run.stderr);
}

#[test]
fn on_request() {
    let program = || {
        let directory = Directory::new("request");
        let path = |name: &str| Path::new(&directory.0).join(name);
        let unasked = write(Format::Trace, path("t.json"));
        assert_eq!(unasked.map_err(|error| error.kind()), Err(std::io::ErrorKind::Unsupported));
        install_with(Options::new().recording(1000));
        work();
        let regions = |name: &str| {
            write(Format::Trace, path(name)).expect("it is written");
            let trace: serde_json::Value = serde_json::from_str(&directory.read(name)).expect("it is JSON");
            trace["traceEvents"].as_array().map_or(0, |all| all.iter().filter(|event| event["cat"] == "region").count())
        };
        assert_eq!(regions("1.json"), 20);
        unregister_region(&LOOSE, at(0x10_0000));
        assert_eq!(regions("2.json"), 21);
        let nowhere = write(Format::Dhat, path("not/there.json"));
        assert_eq!(nowhere.map_err(|error| error.kind()), Err(std::io::ErrorKind::NotFound));
    };
    let Some(run) = run("on_request", program) else { return };
    assert_eq!(run.status, Some(0), "{}\n{}", run.stdout, run.stderr);
    assert!(!run.stderr.contains("written to"), "{}", run.stderr);
}

/// Other threads report while files are written: nothing is lost, and nobody hangs.
#[test]
fn on_request_under_load() {
    let program = || {
        install_with(Options::new().recording(100_000));
        let directory = Directory::new("load");
        let path = directory.0.join("m.svg");
        std::thread::scope(|scope| {
            for thread in 0..3 {
                scope.spawn(move || {
                    for n in 0..2000 {
                        let place = at(0x100_0000 * (thread + 1) + n % 50 * 64);
                        register_region(&POOL, place, 64);
                        unregister_region(&POOL, place);
                    }
                });
            }
            for _ in 0..10 {
                write(Format::HeapMap, &path).expect("it is written");
            }
        });
        write(Format::Trace, &path).expect("it is written");
        let trace: serde_json::Value = serde_json::from_str(&directory.read("m.svg")).expect("it is JSON");
        let of = |phase: &str| {
            trace["traceEvents"].as_array().map_or(0, |all| all.iter().filter(|event| event["ph"] == phase).count())
        };
        assert_eq!((of("b"), of("e")), (6000, 6000));
    };
    let Some(run) = run("on_request_under_load", program) else { return };
    assert_eq!(run.status, Some(0), "{}\n{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("mstx: no faults"), "{}", run.stderr);
}

/// Several threads ask for the same file: it is always one of theirs, as a whole.
#[test]
fn on_request_by_several_threads() {
    let program = || {
        install_with(Options::new().recording(100_000));
        let directory = Directory::new("together");
        let path = directory.0.join("t.json");
        work();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let path = &path;
                // Files of very different lengths.
                let format = if thread % 2 == 0 { Format::Trace } else { Format::Dhat };
                scope.spawn(move || (0..50).for_each(|_| write(format, path).expect("it is written")));
            }
        });
        let whole: Result<serde_json::Value, _> = serde_json::from_str(&directory.read("t.json"));
        assert!(whole.is_ok(), "{whole:?}");
    };
    let Some(run) = run("on_request_by_several_threads", program) else { return };
    assert_eq!(run.status, Some(0), "{}\n{}", run.stdout, run.stderr);
}

/// There is no room on the disk: that is said, and the program goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let program = || {
        work();
        let refused = write(Format::Trace, "/dev/full");
        assert_eq!(refused.map_err(|error| error.kind()), Err(std::io::ErrorKind::StorageFull));
    };
    let Some(run) = run_with("a_full_disk", Some("heapmap=/dev/full,dhat=/dev/full"), program) else { return };
    assert_eq!(run.status, Some(0), "{}\n{}", run.stdout, run.stderr);
    for what in ["heap map", "DHAT profile"] {
        let said = format!("mstx: {what} not written to /dev/full: No space left on device (os error 28)\n");
        assert!(run.stderr.contains(&said), "{}", run.stderr);
    }
}

/// Where a process aborts, nothing is written: a handler of signals is no place for it.
#[cfg(unix)]
#[test]
fn an_abort() {
    let directory = Directory::new("abort");
    let program = || {
        work();
        std::process::abort();
    };
    let Some(run) = run_with("an_abort", Some(&format!("heapmap={}", directory.file("m.svg"))), program) else { return };
    assert_eq!(run.status, None, "{}", run.stderr);
    assert!(directory.names().is_empty());
}

/// A forked child writes nothing, neither at its exit nor on request, and asking for more does not hang: the recording may have
/// been in use when it was forked.
#[cfg(unix)]
#[test]
fn a_forked_child() {
    static FORKED: AtomicBool = AtomicBool::new(false);
    let directory = Directory::new("fork");
    let program = || {
        work();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !FORKED.load(Relaxed) {
                    write(Format::Trace, "/dev/null").expect("it is written");
                }
            });
            for _ in 0..50 {
                // SAFETY: what the child calls neither allocates nor takes a lock of the C library but at its exit, and the other
                // thread has none of these.
                let child = unsafe { libc::fork() };
                if child == 0 {
                    register_region(&LOOSE, at(0x20_0000), 64);
                    install_with(Options::new().recording(77).file(Format::Trace, "never.json"));
                    let refused = write(Format::Dhat, "/dev/null").map_err(|error| error.kind());
                    // SAFETY: no conditions.
                    unsafe { libc::exit(i32::from(refused != Err(std::io::ErrorKind::Unsupported))) };
                }
                let mut status = 1;
                // SAFETY: the status is there to be written to.
                unsafe { libc::waitpid(child, &raw mut status, 0) };
                assert_eq!(status, 0);
            }
            FORKED.store(true, Relaxed);
        });
    };
    let Some(run) = run_with("a_forked_child", Some(&format!("heapmap={}", directory.file("%p.svg"))), program) else { return };
    assert_eq!(run.status, Some(0), "{}\n{}", run.stdout, run.stderr);
    assert_eq!(directory.names().len(), 1, "{:?}", directory.names());
    assert_eq!(run.stderr.matches("written to").count(), 1, "{}", run.stderr);
}
