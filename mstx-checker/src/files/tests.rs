//! What the files say, as their readers read it.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::format::Format;
use super::out::Out;
use super::progress::Progress;
use super::tell;
use crate::recording::tests::Stage;

/// A file of a stage's story.
fn file(format: Format, stage: &Stage) -> Vec<u8> {
    let mut bytes = Vec::new();
    let Some(story) = stage.story() else { return bytes };
    let progress = Progress::new(format, b"memory");
    let Ok(mut out) = Out::to_memory(&mut bytes, &progress) else { return bytes };
    assert!(tell(format, &story, &mut out).is_ok());
    assert!(out.finish().is_ok());
    bytes
}

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("it is JSON")
}

/// The stories that every format must cope with.
fn stages() -> Option<Vec<(&'static str, Stage)>> {
    let nothing = Stage::new()?;
    let mut everything = Stage::new()?;
    everything.everything();
    let mut cut = Stage::new()?;
    cut.recorder.keep(5);
    (0..3).for_each(|_| cut.everything());
    let mut no_heap = Stage::new()?;
    for n in 0..50 {
        no_heap.region(None, 0x1000 + n * 64, 64, n % 3);
    }
    let mut only_heaps = Stage::new()?;
    for _ in 0..50 {
        only_heaps.heap("heap", 0x1000, 64, 0);
        only_heaps.heap_end("heap", 0x1000, 64);
    }
    let mut many_heaps = Stage::new()?;
    for n in 0..100 {
        many_heaps.heap(&format!("heap {n}"), 0x1000 + n * 0x1000, 0x1000, u32::try_from(n).unwrap_or(0) * 1000);
        many_heaps.region(Some(0x1000 + n * 0x1000), 0x1000 + n * 0x1000, n + 1, n % 3);
    }
    let mut lies = Stage::new()?;
    lies.heap("heap", 0x1000, 0x1000, 0);
    lies.region(Some(0x1000), 0x1000, 0x800, 0);
    lies.region(Some(0x1000), 0x1400, 0x8000, 0);
    lies.heap_end("heap", 0x1000, 0x1000);
    lies.end(0x9999, 1, 0);
    let mut strange = Stage::new()?;
    strange.heap("<&\"'\\]]>\n\0\u{1b}\u{ffff}\u{2028}\u{1f600}", 0x1000, 0x1000, 0);
    strange.region(Some(0x1000), 0x1000, 64, 0);
    strange.mark_as(c"\xff<\x01&\xc3");
    strange.mark("]]>\u{fffe}");
    strange.range(&"\u{e4}".repeat(10_000));
    let mut at_once = Stage::new()?;
    at_once.pace = 0;
    at_once.everything();
    let mut far = Stage::new()?;
    far.heap("far", usize::MAX - 0xff, 0xff, 0);
    far.region(Some(usize::MAX - 0xff), usize::MAX - 0xff, 0xff, 0);
    far.region(None, 0, 1, 0);
    Some(vec![
        ("nothing", nothing),
        ("everything", everything),
        ("cut", cut),
        ("no heap", no_heap),
        ("only heaps", only_heaps),
        ("many heaps", many_heaps),
        ("lies", lies),
        ("strange", strange),
        ("at once", at_once),
        ("far", far),
    ])
}

#[test]
fn every_format_copes_with_every_story() {
    for (name, stage) in stages().into_iter().flatten() {
        println!("{name}");
        json(&file(Format::Trace, &stage));
        let dhat = json(&file(Format::Dhat, &stage));
        let mut frames: Vec<_> = dhat["pps"].as_array().into_iter().flatten().map(|point| point["fs"].to_string()).collect();
        frames.sort();
        assert!(frames.windows(2).all(|pair| pair[0] != pair[1]), "{name}: the viewer refuses repeated frames: {frames:?}");
        let map = String::from_utf8(file(Format::HeapMap, &stage)).expect("it is text");
        let document = roxmltree::Document::parse(&map);
        assert!(document.is_ok(), "{name}: {document:?}");
        assert!(!map.contains("NaN") && !map.contains("inf\"") && !map.contains("=\"-"), "{name}: {map}");
        unpickle(&file(Format::Snapshot, &stage));
    }
}

/// What Python makes of a pickle; `None` without a Python.
fn unpickle(pickle: &[u8]) -> Option<Value> {
    let program = "import sys, json, pickle; json.dump(pickle.load(sys.stdin.buffer), sys.stdout)";
    let python = Command::new("python3").args(["-c", program]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut python) = python else {
        println!("skipped: there is no python3 to read the pickle");
        return None;
    };
    let mut input = python.stdin.take().expect("it is piped");
    input.write_all(pickle).expect("Python reads");
    drop(input);
    let output = python.wait_with_output().expect("Python ends");
    assert!(output.status.success(), "Python reads the pickle");
    Some(json(&output.stdout))
}

#[test]
fn a_snapshot() {
    let Some(mut stage) = Stage::new() else { return };
    stage.heap("heap", 0x1000, 0x1000, 0);
    stage.region(Some(0x1000), 0x1000, 0x100, 1);
    stage.region(Some(0x1000), 0x1200, 0x100, 2);
    stage.end(0x1000, 0x100, 1);
    stage.region(None, 0x9_0000_0000, 0x8000_0000, 1);
    let Some(snapshot) = unpickle(&file(Format::Snapshot, &stage)) else { return };
    let segment = &snapshot["segments"][0];
    let block = |at: usize| {
        let block = &segment["blocks"][at];
        (block["address"].as_u64(), block["size"].as_u64(), block["state"].as_str())
    };
    let blocks: Vec<_> = (0..3).map(block).collect();
    assert_eq!(blocks[0], (Some(0x1000), Some(0x200), Some("inactive")));
    assert_eq!(blocks[1], (Some(0x1200), Some(0x100), Some("active_allocated")));
    assert_eq!(blocks[2], (Some(0x1300), Some(0xd00), Some("inactive")));
    assert_eq!((&segment["total_size"], &segment["allocated_size"]), (&0x1000.into(), &0x100.into()));
    let actions = |device: usize| {
        let events = snapshot["device_traces"][device].as_array().expect("a list");
        events
            .iter()
            .map(|event| format!("{} {:#x}", event["action"].as_str().unwrap_or(""), event["addr"].as_u64().unwrap_or(0)))
            .collect()
    };
    let trace: Vec<String> = actions(0);
    assert_eq!(
        trace,
        ["segment_alloc 0x1000", "alloc 0x1000", "alloc 0x1200", "free_requested 0x1000", "free_completed 0x1000"],
        "{snapshot:#}"
    );
    // A region of no heap has a segment of its own, on a device of its own.
    let trace: Vec<String> = actions(1);
    assert_eq!(trace, ["segment_alloc 0x900000000", "alloc 0x900000000"]);
    assert_eq!(snapshot["segments"][1]["device"], 1);
    assert_eq!(snapshot["device_traces"][1][1]["size"], 0x8000_0000_u64);
    let frame = &snapshot["device_traces"][0][1]["frames"][0];
    assert_eq!(frame["name"], "mstx::register_region");
    assert_eq!(frame["line"], stage.origins[1].caller().line());
    assert_eq!(snapshot["device_traces"][0][1]["time_us"], 2);
}

/// A heap inside of another is shown on another device: the format has no memory inside of memory.
#[test]
fn a_snapshot_of_nested_heaps() {
    let Some(mut stage) = Stage::new() else { return };
    stage.everything();
    let Some(snapshot) = unpickle(&file(Format::Snapshot, &stage)) else { return };
    let count = |device: usize| snapshot["device_traces"][device].as_array().map_or(0, Vec::len);
    // Devices 0 to 3 are the program's, 4 to 7 have the heaps inside of theirs, and 8 has regions of no heap.
    assert_eq!([0, 1, 2, 3, 4, 8].map(count), [22, 0, 0, 6, 5, 7], "{snapshot:#}");
    let total: u64 =
        snapshot["segments"][0]["blocks"].as_array().map_or(0, |blocks| blocks.iter().filter_map(|b| b["size"].as_u64()).sum());
    assert_eq!(total, 0x2_0000, "blocks tile the segment");
}

#[test]
fn a_trace() {
    let Some(mut stage) = Stage::new() else { return };
    stage.everything();
    let trace = json(&file(Format::Trace, &stage));
    let events = trace["traceEvents"].as_array().expect("a list");
    let count =
        |phase: &str, category: &str| events.iter().filter(|event| event["ph"] == phase && event["cat"] == category).count();
    assert_eq!((count("b", "region"), count("e", "region")), (13, 9));
    assert_eq!((count("b", "heap"), count("e", "heap")), (4, 2));
    assert_eq!((count("b", "range"), count("e", "range")), (3, 2));
    assert_eq!((count("i", "mark"), count("i", "heap")), (1, 1));
    let mut last = 0.0;
    for event in events.iter().filter(|event| event["ph"] != "M") {
        let time = event["ts"].as_f64().expect("a time");
        assert!(time >= last, "in order: {event}");
        last = time;
        assert!(event["pid"].is_u64() && event["tid"].is_u64() && event["name"].is_string(), "{event}");
        if event["ph"] == "b" || event["ph"] == "e" {
            assert!(event["id2"]["local"].as_str().is_some_and(|id| id.starts_with("0x")), "{event}");
        }
    }
    // Everything that ends has begun, under the same name.
    for end in events.iter().filter(|event| event["ph"] == "e") {
        let same = |event: &&Value| event["ph"] == "b" && ["cat", "id2", "name"].iter().all(|key| event[key] == end[key]);
        assert_eq!(events.iter().filter(same).count(), 1, "{end}");
    }
    let counter = |event: &&Value| event["ph"] == "C" && event["name"] == "bytes in first & only at 0x100000";
    let bytes: Vec<_> = events.iter().filter(counter).filter_map(|event| event["args"]["bytes"].as_u64()).collect();
    assert_eq!(bytes.iter().max(), Some(&(8 * 0xf00 + 0x100)));
    assert_eq!(bytes.last(), Some(&(2 * 0xf00 + 0x100)));
    let first = events.iter().find(|event| event["cat"] == "region").expect("a region");
    assert_eq!((&first["args"]["address"], &first["args"]["size"]), (&"0x100000".into(), &0xf00.into()));
    assert_eq!(trace["otherData"]["events_dropped"], "0");
}

#[test]
fn a_dhat_profile() {
    let Some(mut stage) = Stage::new() else { return };
    stage.heap("heap", 0x1000, 0x1000, 0);
    stage.region(Some(0x1000), 0x1000, 100, 1);
    stage.region(Some(0x1000), 0x1200, 100, 1);
    stage.region(Some(0x1000), 0x1400, 50, 2);
    stage.end(0x1000, 100, 1);
    stage.region(None, 0x9000, 7, 1);
    let dhat = json(&file(Format::Dhat, &stage));
    assert_eq!((&dhat["dhatFileVersion"], &dhat["bklt"], &dhat["bkacc"]), (&2.into(), &true.into(), &false.into()));
    assert_eq!((dhat["tg"].as_f64(), dhat["te"].as_f64()), (Some(4.0), Some(7.0)));
    let keys = ["tb", "tbk", "mb", "mbk", "gb", "gbk", "eb", "ebk"];
    let point = |at: usize| keys.map(|key| dhat["pps"][at][key].as_u64().unwrap_or(9999));
    assert_eq!(point(0), [200, 2, 200, 2, 200, 2, 100, 1]);
    assert_eq!(point(1), [50, 1, 50, 1, 50, 1, 50, 1]);
    assert_eq!(point(2), [7, 1, 7, 1, 0, 0, 7, 1]);
    assert_eq!(dhat["pps"][0]["tl"].as_f64(), Some(3.0 + 4.0), "from 2 to 5, and from 3 to the end at 7");
    let frames = |at: usize| -> Vec<_> {
        let frames = dhat["pps"][at]["fs"].as_array().expect("a list");
        frames.iter().filter_map(|frame| dhat["ftbl"][usize::try_from(frame.as_u64()?).ok()?].as_str()).collect()
    };
    let line = stage.origins[1].caller().line();
    let call = frames(0)[0];
    assert!(call.starts_with("mstx::register_region (") && call.contains(&format!("tests.rs:{line}:")), "{call}");
    assert_eq!(frames(0)[1..], ["in heap"]);
    assert_eq!(frames(2), [call, "in no heap, domain pool"], "one frame has one number");
}

#[test]
fn a_heap_map() {
    let Some(mut stage) = Stage::new() else { return };
    stage.everything();
    let map = String::from_utf8(file(Format::HeapMap, &stage)).expect("it is text");
    let document = roxmltree::Document::parse(&map).expect("it is XML");
    let class = |node: &roxmltree::Node<'_, '_>, class: &str| {
        node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
    };
    let regions: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("rect") && node.children().any(|child| child.has_tag_name("title")))
        .collect();
    let ranges = regions.iter().filter(|node| class(node, "range")).count();
    assert_eq!((ranges, regions.len() - ranges), (3, 13));
    assert_eq!(regions.iter().filter(|node| class(node, "l")).count(), 4, "those that are live are outlined");
    let titles: Vec<_> = regions.iter().filter_map(|node| node.first_element_child()?.text()).collect();
    let line = stage.origins[0].caller().line();
    let title = titles.iter().find(|title| title.contains("0x103000 (first & only+0x3000)")).expect("it is there");
    for part in ["mstx::register_region\n", &format!("tests.rs:{line}:"), "3.75 KiB (3,840 bytes) at ", "\nthread 1, from "] {
        assert!(title.contains(part), "{title}");
    }
    assert!(titles.iter().any(|title| title.ends_with(", still live")));
    let text: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("tspan") || node.has_tag_name("text"))
        .filter_map(|node| node.text())
        .collect();
    for expected in ["first & only", "nested", "device", "Regions of no heap", "start <&\"> of \u{e4}ll", "free", "outer"] {
        assert!(text.contains(&expected), "{expected}: {text:?}");
    }
    assert_eq!(map.matches("class=\"peak\" d=\"M").count(), 4 + 1, "one for each panel, and the legend's");
}

/// Where there are too many regions, the picture says so.
#[test]
fn a_heap_map_of_too_many_regions() {
    let Some(mut stage) = Stage::new() else { return };
    stage.heap("heap", 0x1000_0000, 0x1000_0000, 0);
    for n in 0..25_000 {
        stage.region(Some(0x1000_0000), 0x1000_0000 + n * 64, 64, n % 3);
        if n >= 1000 {
            stage.end(0x1000_0000 + (n - 1000) * 64, 64, (n - 1000) % 3);
        }
    }
    let map = String::from_utf8(file(Format::HeapMap, &stage)).expect("it is text");
    assert!(map.contains("5,000 small regions in grey"));
    assert!(map.contains("at the end of the heap, never used"));
    assert!(map.len() < 10 << 20, "{}", map.len());
    assert!(
        roxmltree::Document::parse_with_options(&map, roxmltree::ParsingOptions { nodes_limit: u32::MAX, ..Default::default() })
            .is_ok()
    );
}

#[test]
fn what_was_dropped_is_said() {
    let Some(mut stage) = Stage::new() else { return };
    stage.recorder.keep(3);
    stage.everything();
    let Some(story) = stage.story() else { return };
    let dropped = story.dropped;
    assert!(dropped > 20);
    assert_eq!(json(&file(Format::Trace, &stage))["otherData"]["events_dropped"], dropped.to_string());
    let command = json(&file(Format::Dhat, &stage))["cmd"].to_string();
    assert!(command.contains(&format!("the oldest {dropped} events were dropped; the newest 3 are here")), "{command}");
    let map = file(Format::HeapMap, &stage);
    assert!(String::from_utf8_lossy(&map).contains(&format!("{dropped} older events dropped")));
    if let Some(snapshot) = unpickle(&file(Format::Snapshot, &stage)) {
        assert_eq!(snapshot["mstx_recording"]["events_dropped"], dropped);
    }
}

/// Heaps of one name are one to DHAT's viewer, and must be one in its file: it refuses two program points with the same frames.
#[test]
fn a_dhat_profile_of_heaps_of_one_name() {
    let Some(mut stage) = Stage::new() else { return };
    for n in 0..3 {
        let start = 0x1000 + n * 0x1000;
        stage.heap("arena", start, 0x1000, u32::try_from(n).unwrap_or(0));
        stage.region(Some(start), start, 64, 1);
    }
    let dhat = json(&file(Format::Dhat, &stage));
    assert_eq!(dhat["pps"].as_array().map(Vec::len), Some(1));
    assert_eq!((&dhat["pps"][0]["tb"], &dhat["pps"][0]["tbk"]), (&192.into(), &3.into()));
}

/// What a pool calls its heaps, and a program its marks, comes out as it went in.
#[test]
fn names_read_back() {
    let Some(mut stage) = Stage::new() else { return };
    let name = "<&\"'\\ \u{1b}\u{e4}\u{1f600}>";
    stage.heap(name, 0x1000, 0x1000, 0);
    stage.region(Some(0x1000), 0x1000, 64, 0);
    stage.mark(name);
    stage.mark_as(c"not \xff text");
    let trace = json(&file(Format::Trace, &stage));
    let named = |wanted: &str| trace["traceEvents"].as_array().is_some_and(|all| all.iter().any(|event| event["name"] == wanted));
    assert!(named(name) && named(&format!("heap {name}")) && named("not \u{fffd} text"), "{trace:#}");
    let dhat = json(&file(Format::Dhat, &stage));
    assert!(dhat["ftbl"].as_array().is_some_and(|all| all.contains(&format!("in {name}").into())), "{dhat:#}");
    if let Some(snapshot) = unpickle(&file(Format::Snapshot, &stage)) {
        assert_eq!(snapshot["device_traces"][0][0]["user_metadata"], format!("heap: {name}"));
    }
    let map = String::from_utf8(file(Format::HeapMap, &stage)).expect("it is text");
    let document = roxmltree::Document::parse(&map).expect("it is XML");
    let shown = name.replace('\u{1b}', "\u{fffd}");
    assert!(document.descendants().any(|node| node.text() == Some(&shown)), "{map}");
}

/// Heaps without end, at one place and all alive, that are resized again and again: the picture does not grow with them, and writing
/// takes no time that grows with their square.
#[test]
fn very_many_heaps_and_resizes() {
    let Some(mut stage) = Stage::new() else { return };
    for n in 0..20_000 {
        stage.heap("one after the other", 0x1000, 0x1000, 0);
        stage.heap_resize("one after the other", 0x1000, 0x2000);
        stage.heap_end("one after the other", 0x1000, 0x2000);
        stage.heap("alive", 0x1000_0000 + n % 2 * 0x8000_0000 + n * 0x1000, 0x1000, 0);
    }
    stage.heap("resized", 0x8000, 0x1000, 0);
    for n in 1..40_000 {
        stage.heap_resize("resized", 0x8000, 0x1000 + n % 100);
    }
    for format in Format::ALL {
        let length = file(format, &stage).len();
        assert!(format != Format::HeapMap || length < 3 << 20, "{length}");
    }
}

/// Devices that are numbered far apart, with heaps in heaps on each.
#[test]
fn a_snapshot_of_many_devices() {
    let Some(mut stage) = Stage::new() else { return };
    for n in 0..200 {
        let (start, device) = (0x10_0000 + n * 0x10_000, u32::try_from(n).unwrap_or(0) * 1000);
        stage.heap("outer", start, 0x8000, device);
        stage.region(Some(start), start, 0x4000, 0);
        stage.heap("inner", start, 0x4000, device);
        stage.region(Some(start), start, 0x40, 1);
    }
    let Some(snapshot) = unpickle(&file(Format::Snapshot, &stage)) else { return };
    let traces = snapshot["device_traces"].as_array().expect("a list");
    assert!(traces.iter().all(|trace| trace.as_array().map(Vec::len) == Some(2)), "each has a heap and its region");
    assert_eq!(traces.len(), 400);
}
