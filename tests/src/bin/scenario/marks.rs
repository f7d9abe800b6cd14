//! Marks and ranges.

use std::ffi::c_void;
use std::ptr::without_provenance_mut;

mstx::domain!(static KV = "kv");

crate::scenarios![marks, ranges, annotated, cut, streams];

fn marks() {
    mstx::mark("step 7");
    KV.mark("full");
    mstx::mark("");
}

fn ranges() {
    let outer = mstx::range("outer");
    let inner = KV.range("inner");
    drop(inner);
    drop(outer);
}

#[mstx::range]
fn step() {
    mstx::mark("in step");
}

#[mstx::range(name = format!("step {number}"), domain = KV)]
fn named(number: u32) -> u32 {
    if number == 0 {
        return 0;
    }
    number + 1
}

#[mstx::range(stream = stream)]
fn launch(stream: *mut c_void) -> Result<(), ()> {
    let _ = stream;
    Err(())
}

fn annotated() {
    step();
    assert_eq!((named(0), named(3)), (0, 4));
    assert!(launch(without_provenance_mut(0x5000)).is_err());
}

fn cut() {
    mstx::mark("before\0after");
    mstx::mark(&"x".repeat(300));
    mstx::mark(&("y".repeat(155) + "\u{e4}"));
    mstx::mark(&("z".repeat(154) + "\u{e4}" + "more"));
    drop(mstx::range(&"r".repeat(300)));
    KV.mark("k\0v");
}

fn streams() {
    let stream = without_provenance_mut::<c_void>(0x5000);
    mstx::mark_on("on", stream);
    KV.mark_on("kv on", stream);
    drop(mstx::range_on("range on", stream));
    drop(KV.range_on("kv range on", stream));
}
