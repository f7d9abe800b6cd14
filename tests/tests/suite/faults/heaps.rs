//! What is wrong with heaps.

use super::*;

#[test]
fn heap_twice() {
    assert_faults(
        "heap_twice",
        &["HeapRegisteredTwice 0x10000+4096 in 0x10000: open@second; open@first"],
        &[HEAP, TAKEN, "register 0x10200+64 in 0x10000", GIVEN],
        &["0x10200+64"],
    );
}

#[test]
fn heap_straddles() {
    assert_faults(
        "heap_straddles",
        &["HeapOverlap 0x10800+4096 in 0x10000: open@second; open@first"],
        &[HEAP, TAKEN, "register 0x10f00+64 in 0x10000"],
        &["0x10100+64", "0x10f00+64"],
    );
}

#[test]
fn heap_encloses() {
    assert_faults(
        "heap_encloses",
        &["HeapOverlap 0xf800+8192 in 0x10000: open@second; open@first"],
        &[HEAP, TAKEN, "register 0x10f00+64 in 0x10000"],
        &["0x10100+64", "0x10f00+64"],
    );
}

#[test]
fn heap_inside_beside_regions() {
    assert_faults(
        "heap_inside_beside_regions",
        &["HeapOverlap 0x10800+256 in 0x10000: open@second; open@first"],
        &[HEAP, TAKEN, "register 0x10800+64 in 0x10000"],
        &["0x10100+64", "0x10800+64"],
    );
}

/// Whether it is one more fault is not said here.
#[test]
fn the_end_of_a_heap_that_was_refused_ends_no_other() {
    for tool in TEMPERS {
        let output = under(tool, "faults::overlapping_heap_is_closed");
        output.assert_keeps_rules();
        let printed = output.printed();
        assert_eq!(printed[0], "HeapOverlap 0x10800+4096 in 0x10000: open@second; open@first", "{output:?}");
        assert!(printed[1..].iter().all(|fault| fault.ends_with(": close@close")), "{output:?}");
        assert!(!printed.iter().any(|fault| fault.contains("Leaked")), "{output:?}");
        output.assert_open(&["0x10100+64", "0x10200+64"]);
        assert_eq!(output.count("heap_unregister"), 0, "{output:?}");
    }
}

#[test]
fn wraps() {
    assert_faults(
        "wraps",
        &[
            "Wraps 0x10100+18446744073709551359: take@region",
            "Wraps 0x20000+18446744073709551359: open@heap",
            "Wraps 0xffffffffffffffef+64: take_at@loose",
        ],
        &[HEAP, TAKEN],
        &["0x10100+64"],
    );
}

#[test]
fn unknown_heap() {
    assert_faults(
        "unknown_heap",
        &[
            "UnknownHeap 0x20000: take@take",
            "UnknownHeap 0x20000: give@give",
            "UnknownHeap 0x20000: reset@reset",
            "UnknownHeap 0x20000: set_size@resize",
            "UnknownHeap 0x20000: close@close",
        ],
        &[HEAP, TAKEN],
        &["0x10100+64"],
    );
}

#[test]
fn ended_heap() {
    assert_faults(
        "ended_heap",
        &["UnknownHeap 0x10000: take@take", "UnknownHeap 0x10000: close@close"],
        &[HEAP, END, HEAP, "register 0x10100+32 in 0x10000"],
        &["0x10100+32"],
    );
}

#[test]
fn ambiguous_heap() {
    assert_faults(
        "ambiguous_heap",
        &["AmbiguousHeap 0x10000 in 0x10000: take_in@take"],
        &[HEAP, "register 0x10000+2048 in 0x10000", "unregister 0x10000+2048", "register 0x10400+1024 in 0x10000", TAKEN],
        &["0x10100+64", "0x10400+1024"],
    );
}

#[test]
fn inner_heap_leaked() {
    assert_faults(
        "inner_heap_leaked",
        &[
            "HeapLeaked 0x10400+512 in 0x10400: close@close; open@inner",
            "RegionLeaked 0x10410+16 in 0x10400: close@close; take@small",
            "RegionLeaked 0x10400+1024 in 0x10000: close@close; take@under",
        ],
        &[
            HEAP,
            "register 0x10400+1024 in 0x10000",
            "unregister 0x10400+1024",
            "heap 0x10400+512",
            "register 0x10600+512 in 0x10000",
            "register 0x10410+16 in 0x10400",
            "unregister 0x10410+16",
            "unregister 0x10600+512",
            "end 0x10400+512",
            END,
            HEAP,
            "register 0x10400+1024 in 0x10000",
        ],
        &["0x10400+1024"],
    );
}

#[test]
fn heap_grows_into_heap() {
    assert_faults(
        "heap_grows_into_heap",
        &["HeapOverlap 0x10000+4112 in 0x11000: set_size@grow; open@next"],
        &[HEAP, "heap 0x11000+4096", TAKEN, "register 0x10200+64 in 0x10000"],
        &["0x10100+64", "0x10200+64"],
    );
}

#[test]
fn heap_shrinks_over_region() {
    assert_faults(
        "heap_shrinks_over_region",
        &["RegionLeaked 0x10800+64 in 0x10000: set_size@shrink; take@beyond"],
        &[
            HEAP,
            TAKEN,
            "register 0x10800+64 in 0x10000",
            "unregister 0x10800+64 0x10100+64",
            END,
            "heap 0x10000+1024",
            TAKEN,
            "register 0x10200+64 in 0x10000",
        ],
        &["0x10100+64", "0x10200+64"],
    );
}

#[test]
fn an_inner_heap_that_straddles_its_region_is_refused() {
    let output = under("full", "nested::straddles_its_region");
    output.assert_keeps_rules();
    output.assert_printed(&["HeapOverlap 0x10400+512 in 0x10000: open@inner; open@outer"]);
    let region = "register 0x10100+1024 in 0x10000";
    output.assert_memory(&[HEAP, region, "unregister 0x10100+1024", END]);
}

#[test]
fn inner_heap_leaked_at_reset() {
    assert_faults(
        "inner_heap_leaked_at_reset",
        &["HeapLeaked 0x10400+512 in 0x10400: reset@reset; open@inner"],
        &[
            HEAP,
            "register 0x10400+1024 in 0x10000",
            "unregister 0x10400+1024",
            "heap 0x10400+512",
            "register 0x10600+512 in 0x10000",
            "unregister 0x10600+512",
            "end 0x10400+512",
            "register 0x10400+64 in 0x10000",
        ],
        &["0x10400+64"],
    );
}

#[test]
fn outer_shrinks_over_inner_heap() {
    assert_faults(
        "outer_shrinks_over_inner_heap",
        &[
            "HeapLeaked 0x10800+512 in 0x10800: set_size@shrink; open@inner",
            "RegionLeaked 0x10800+16 in 0x10800: set_size@shrink; take@small",
            "RegionLeaked 0x10800+1024 in 0x10000: set_size@shrink; take@under",
        ],
        &[
            HEAP,
            TAKEN,
            "register 0x10800+1024 in 0x10000",
            "unregister 0x10800+1024",
            "heap 0x10800+512",
            "register 0x10a00+512 in 0x10000",
            "register 0x10800+16 in 0x10800",
            "unregister 0x10800+16",
            "unregister 0x10a00+512 0x10100+64",
            "end 0x10800+512",
            END,
            "heap 0x10000+1024",
            TAKEN,
            "register 0x10200+64 in 0x10000",
        ],
        &["0x10100+64", "0x10200+64"],
    );
}

#[test]
fn inner_heap_leaves_its_region() {
    assert_faults(
        "inner_heap_leaves_its_region",
        &["HeapOverlap 0x10400+1025 in 0x10000: set_size@grow; open@outer"],
        &[
            HEAP,
            "register 0x10400+1024 in 0x10000",
            "unregister 0x10400+1024",
            "heap 0x10400+512",
            "register 0x10600+512 in 0x10000",
            "register 0x10400+16 in 0x10400",
            "unregister 0x10400+16",
            "unregister 0x10600+512",
            "end 0x10400+512",
            "heap 0x10400+1024",
            "register 0x10400+16 in 0x10400",
            "register 0x107f0+16 in 0x10400",
        ],
        &["0x10400+16", "0x107f0+16"],
    );
}
