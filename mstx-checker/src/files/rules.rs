//! What those who read the files demand of them, as functions that panic where it is not so.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().expect(key)
}

fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().expect(key)
}

/// What Valgrind's `dh_view.js` demands when it loads a profile.
pub(super) fn dhat(profile: &Value) {
    for field in ["mode", "verb", "tu", "Mtu", "tuth", "cmd"] {
        assert!(profile[field].is_string() || profile[field].is_u64(), "{field}");
    }
    for field in ["pid", "tg", "te"] {
        assert!(profile[field].is_number(), "{field}");
    }
    assert_eq!((&profile["dhatFileVersion"], &profile["bklt"], &profile["bkacc"]), (&2.into(), &true.into(), &false.into()));
    assert!(profile["tg"].as_f64() <= profile["te"].as_f64());
    let frames = list(profile, "ftbl");
    assert_eq!(frames[0], "[root]");
    assert!(frames.iter().all(Value::is_string));
    let mut seen = Vec::new();
    for point in list(profile, "pps") {
        for (bytes, blocks) in [("tb", "tbk"), ("mb", "mbk"), ("gb", "gbk"), ("eb", "ebk")] {
            assert!(number(point, bytes) >= number(point, blocks), "no block is empty: {point}");
            assert!(number(point, bytes) <= number(point, "tb") && number(point, blocks) <= number(point, "tbk"), "{point}");
        }
        assert!(point["tl"].is_number(), "{point}");
        let stack = list(point, "fs");
        assert!(!stack.is_empty());
        let known = |frame: &Value| frame.as_u64().is_some_and(|frame| (1..frames.len() as u64).contains(&frame));
        assert!(stack.iter().all(known), "{point}");
        assert!(!seen.contains(&stack), "data file contains a repeated location: {point}");
        seen.push(stack);
    }
}

/// What is live at an address, and how large it is; nothing overlaps.
#[derive(Default)]
struct Live(BTreeMap<u64, u64>);

impl Live {
    fn begin(&mut self, event: &Value) {
        let (start, size) = (number(event, "addr"), number(event, "size"));
        let before = self.0.range(..u64::MAX).take_while(|&(&other, _)| other < start.saturating_add(size)).last();
        assert!(before.is_none_or(|(other, length)| other + length <= start), "it overlaps another: {event}");
        self.0.insert(start, size);
    }

    fn end(&mut self, event: &Value) {
        assert_eq!(self.0.remove(&number(event, "addr")), Some(number(event, "size")), "it is live: {event}");
    }

    fn has(&self, event: &Value) -> bool {
        let (start, size) = (number(event, "addr"), number(event, "size"));
        self.0.range(..=start).last().is_some_and(|(other, length)| start + size <= other + length)
    }
}

/// What a strict replay of a snapshot demands: what happened leads to what is there in the end.
pub(super) fn snapshot(snapshot: &Value) {
    let devices = list(snapshot, "device_traces").len();
    let mut ends: Vec<(Live, Live)> = (0..devices).map(|_| Default::default()).collect();
    for segment in list(snapshot, "segments") {
        let (segments, regions) = &mut ends[usize::try_from(number(segment, "device")).expect("a device")];
        let (mut next, mut live) = (number(segment, "address"), 0);
        segments.0.insert(next, number(segment, "total_size"));
        for block in list(segment, "blocks") {
            assert_eq!(number(block, "address"), next, "blocks tile the segment: {segment}");
            next += number(block, "size");
            if block["state"] == "active_allocated" {
                live += number(block, "size");
                regions.0.insert(number(block, "address"), number(block, "size"));
            } else {
                assert_eq!(block["state"], "inactive");
            }
        }
        assert_eq!(next, number(segment, "address") + number(segment, "total_size"), "{segment}");
        assert_eq!((number(segment, "allocated_size"), number(segment, "active_size")), (live, live), "{segment}");
    }
    let mut categories = Vec::new();
    for (trace, end) in list(snapshot, "device_traces").iter().zip(&ends) {
        let (mut segments, mut regions) = (Live::default(), Live::default());
        let (mut last, mut requested) = (0, None);
        for event in trace.as_array().expect("a list of events") {
            assert!(number(event, "time_us") >= last, "in order of time: {event}");
            last = number(event, "time_us");
            assert!(event["frames"].is_array() && number(event, "stream") == 0, "{event}");
            categories.extend(event["category"].as_str());
            let completes = requested.take().is_some_and(|address| address == event["addr"]);
            match event["action"].as_str().expect("an action") {
                "segment_alloc" => segments.begin(event),
                "segment_free" => segments.end(event),
                "alloc" => {
                    assert!(segments.has(event), "it is in a segment: {event}");
                    regions.begin(event);
                }
                "free_requested" => requested = Some(event["addr"].clone()),
                "free_completed" => {
                    assert!(completes, "the event before requests it: {event}");
                    regions.end(event);
                }
                action => unreachable!("{action}"),
            }
        }
        assert_eq!((segments.0, regions.0), (end.0.0.clone(), end.1.0.clone()), "what happened leads to what there is");
    }
    assert!(categories.is_empty() || categories.contains(&"unknown"), "or the viewer does not draw");
}

/// What Perfetto demands to draw a trace as it is meant: what ends has begun, and time does not go back.
pub(super) fn trace(trace: &Value) {
    let (mut last, mut open) = (0.0, BTreeSet::new());
    for event in list(trace, "traceEvents") {
        let phase = event["ph"].as_str().expect("a phase");
        if phase == "M" {
            continue;
        }
        assert!(event["pid"].is_u64() && event["tid"].is_u64() && event["name"].is_string(), "{event}");
        let time = event["ts"].as_f64().expect("a time");
        assert!(time >= last, "in order: {event}");
        last = time;
        let key = ["cat", "name", "pid", "id2"].map(|key| event[key].to_string());
        match phase {
            "b" => {
                assert!(event["id2"]["local"].as_str().is_some_and(|id| id.starts_with("0x")), "{event}");
                assert!(open.insert(key), "it begins once: {event}");
            }
            "e" => assert!(open.remove(&key), "it has begun: {event}"),
            "C" => assert!(event["args"]["bytes"].is_u64(), "{event}"),
            "i" => assert!(event["s"].is_string(), "{event}"),
            _ => unreachable!("{event}"),
        }
    }
}
