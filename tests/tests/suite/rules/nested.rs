//! Heaps that lie on regions of other heaps.

use super::*;

const OUTER: &str = "register 0x10100+1024 in 0x10000";
const OUTER_GONE: &str = "unregister 0x10100+1024";

#[test]
fn the_pieces_beside_an_inner_heap_are_told_instead_of_the_region() {
    assert_told(
        "nested::inside_a_region",
        &[
            HEAP,
            OUTER,
            OUTER_GONE,
            "heap 0x10200+256",
            "register 0x10100+256 0x10300+512 in 0x10000",
            "register 0x10210+16 in 0x10200",
            "register 0x10800+64 in 0x10000",
            "unregister 0x10210+16",
            "unregister 0x10100+256 0x10300+512",
            "end 0x10200+256",
            OUTER,
            OUTER_GONE,
            "unregister 0x10800+64",
            END,
        ],
    );
}

#[test]
fn no_piece_where_the_inner_heap_begins_with_the_region() {
    assert_told(
        "nested::at_the_start_of_a_region",
        &[
            HEAP,
            OUTER,
            OUTER_GONE,
            "heap 0x10100+256",
            "register 0x10200+768 in 0x10000",
            "register 0x10100+16 in 0x10100",
            "unregister 0x10100+16",
            "unregister 0x10200+768",
            "end 0x10100+256",
            OUTER,
            OUTER_GONE,
            END,
        ],
    );
}

#[test]
fn no_pieces_where_the_inner_heap_is_all_of_the_region() {
    assert_told(
        "nested::all_of_a_region",
        &[
            HEAP,
            OUTER,
            OUTER_GONE,
            "heap 0x10100+1024",
            "register 0x10100+1024 in 0x10100",
            "unregister 0x10100+1024",
            "end 0x10100+1024",
            OUTER,
            OUTER_GONE,
            END,
        ],
    );
}

#[test]
fn an_inner_heap_with_the_base_of_the_outer_one_is_not_sent_but_its_regions_are() {
    assert_told(
        "nested::at_the_base_of_the_outer_heap",
        &[
            HEAP,
            "register 0x10000+1024 in 0x10000",
            "unregister 0x10000+1024",
            "register 0x10100+768 in 0x10000",
            "register 0x10010+16 in 0x10000",
            "unregister 0x10010+16",
            "register 0x10000+256 in 0x10000",
            "unregister 0x10000+256",
            "unregister 0x10100+768",
            "register 0x10000+1024 in 0x10000",
            "unregister 0x10000+1024",
            END,
        ],
    );
}

#[test]
fn two_heaps_of_one_domain_at_one_address() {
    assert_told(
        "nested::same_domain_at_the_base_of_the_outer_heap",
        &[
            HEAP,
            "register 0x10000+4096 in 0x10000",
            "unregister 0x10000+4096",
            "register 0x10100+3840 in 0x10000",
            "register 0x10010+16 in 0x10000",
            "unregister 0x10010+16",
            "unregister 0x10100+3840",
            "register 0x10000+4096 in 0x10000",
            "unregister 0x10000+4096",
            END,
        ],
    );
}

#[test]
fn two_inner_heaps_on_one_region() {
    assert_told(
        "nested::side_by_side_on_one_region",
        &[
            HEAP,
            OUTER,
            OUTER_GONE,
            "heap 0x10100+256",
            "register 0x10200+768 in 0x10000",
            "unregister 0x10200+768",
            "heap 0x10300+256",
            "register 0x10200+256 0x10400+256 in 0x10000",
            "register 0x10100+16 in 0x10100",
            "register 0x10300+16 in 0x10300",
            "unregister 0x10100+16",
            "unregister 0x10200+256 0x10400+256",
            "end 0x10100+256",
            "register 0x10100+512 0x10400+256 in 0x10000",
            "unregister 0x10300+16",
            "unregister 0x10100+512 0x10400+256",
            "end 0x10300+256",
            OUTER,
            OUTER_GONE,
            END,
        ],
    );
}

#[test]
fn a_heap_in_a_heap_in_a_heap() {
    assert_told(
        "nested::three_deep",
        &[
            HEAP,
            OUTER,
            OUTER_GONE,
            "heap 0x10100+1024",
            "register 0x10200+512 in 0x10100",
            "unregister 0x10200+512",
            "heap 0x10280+128",
            "register 0x10200+128 0x10300+256 in 0x10100",
            "register 0x10280+16 in 0x10280",
            "unregister 0x10280+16",
            "unregister 0x10200+128 0x10300+256",
            "end 0x10280+128",
            "register 0x10200+512 in 0x10100",
            "unregister 0x10200+512",
            "end 0x10100+1024",
            OUTER,
            OUTER_GONE,
            END,
        ],
    );
}

#[test]
fn a_heap_on_a_region_of_no_heap() {
    assert_told(
        "nested::on_a_region_of_no_heap",
        &[
            "register 0x10000+4096",
            "unregister 0x10000+4096",
            "heap 0x10400+1024",
            "register 0x10000+1024 0x10800+2048",
            "register 0x10400+64 in 0x10400",
            "unregister 0x10400+64",
            "unregister 0x10000+1024 0x10800+2048",
            "end 0x10400+1024",
            "register 0x10000+4096",
            "unregister 0x10000+4096",
        ],
    );
}

#[test]
fn an_inner_heap_grows_over_a_piece() {
    assert_told(
        "nested::inner_heap_grows",
        &[
            HEAP,
            OUTER,
            OUTER_GONE,
            "heap 0x10200+256",
            "register 0x10100+256 0x10300+512 in 0x10000",
            "register 0x10210+16 in 0x10200",
            // Everything that the growth changes, in four calls.
            "unregister 0x10210+16",
            "unregister 0x10100+256 0x10300+512",
            "end 0x10200+256",
            "heap 0x10200+512",
            "register 0x10210+16 in 0x10200",
            "register 0x10100+256 0x10400+256 in 0x10000",
            "register 0x10300+16 in 0x10200",
            "unregister 0x10210+16 0x10300+16",
            "unregister 0x10100+256 0x10400+256",
            "end 0x10200+512",
            OUTER,
            OUTER_GONE,
            END,
        ],
    );
}

#[test]
fn an_arena_calls_its_backing_pool() {
    assert_told(
        "nested::moves_with_outer_alloc",
        &[
            HEAP,
            "register 0x10400+512 in 0x10000",
            "unregister 0x10400+512",
            "heap 0x10400+512",
            "register 0x10a00+64 in 0x10000",
            "unregister 0x10a00+64",
            "register 0x10400+32 in 0x10400",
            "unregister 0x10400+32",
            "end 0x10400+512",
            "register 0x10400+512 in 0x10000",
            "unregister 0x10400+512",
            END,
        ],
    );
}
