//! Each broken rule is reported, and nothing else is.
#![cfg(target_os = "linux")]

mod support;

use support::{By, Client};

const HEAP: usize = 0x10000;

/// Every step of the body is one mistake (or none), and the log has just these rules.
macro_rules! breaks {
    ($name:ident, $rules:expr, $body:expr) => {
        #[test]
        fn $name() {
            support::run(stringify!($name), "full", $body, |log| {
                assert!(log.status.success());
                let rules: &[u32] = &$rules;
                assert_eq!(log.broken(), rules, "{}", log.text);
            });
        }
    };
}

breaks!(rule_1_handles, [1, 1, 1, 1], || {
    let c = Client::attach();
    c.register_on(0, 0, 0, &[(HEAP, 16)], std::ptr::null_mut());
    c.unregister(0, &[By::Pointer(HEAP)]);
    c.register_on(0, 0, 0, &[(HEAP, 16)], [0x5a].as_mut_ptr());
    c.unregister(0, &[By::Pointer(HEAP)]);
    c.unregister(0, &[By::Handle(0)]);
});

breaks!(rule_3_domains, [3, 3, 3, 3, 3], || {
    let c = Client::attach();
    let a = c.domain(Some(c"a"));
    c.domain(Some(c"a"));
    let b = c.domain(Some(c"b"));
    let h = c.heap(a, HEAP, 4096);
    let r = c.register(b, h, &[(HEAP, 16)]);
    c.unregister(a, &[By::Handle(r[0])]);
    c.heap_end(b, h);
    c.domain_destroy(b);
    c.domain_mark(b, c"gone");
    c.domain(Some(c"b"));
});

breaks!(rule_4_null_heap, [4], || Client::attach().heap_end(0, 0));

breaks!(rule_5_heap_end_and_devices, [5, 5], || {
    let c = Client::attach();
    let h = c.heap(0, HEAP, 4096);
    c.register_on(1, 0, h, &[(HEAP, 16)], [0].as_mut_ptr());
    c.heap_end(0, h);
    let h = c.heap(0, HEAP, 4096);
    c.heap_end(0, h);
});

breaks!(rule_6_regions, [6; 11], || {
    let c = Client::attach();
    let h = c.heap(0, HEAP, 4096);
    let r = c.register(0, h, &[(HEAP, 16)]);
    c.register(0, h, &[(HEAP + 16, 0)]);
    c.register(0, h, &[(0, 16)]);
    c.register(0, 0, &[(usize::MAX - 7, 16)]);
    c.register(0, h, &[(HEAP + 8, 4)]);
    c.register(0, h, &[(HEAP + 32, 16), (HEAP + 40, 16)]);
    c.register(0, h, &[(HEAP + 4088, 16)]);
    c.register(0, 0, &[(HEAP - 8, 8)]);
    c.unregister(0, &[By::Handle(r[0])]);
    c.unregister(0, &[By::Handle(r[0])]);
    c.unregister(0, &[By::Pointer(0x500)]);
    c.register(0, 7, &[(0x900, 16)]);
    c.heap_end(0, 7);
    c.unregister(0, &[By::Pointer(0)]);
});

breaks!(rule_6_regions_of_several_heaps, [6, 6, 6], || {
    let c = Client::attach();
    let outer = c.heap(0, HEAP, 4096);
    let inner = c.heap(0, HEAP + 1024, 1024);
    c.register(0, inner, &[(HEAP + 1024, 16)]);
    c.register(0, outer, &[(HEAP + 2048, 16)]);
    // Over the inner heap's start and its region, two mistakes; then in free memory of the inner heap.
    c.register(0, outer, &[(HEAP + 1008, 32)]);
    c.register(0, outer, &[(HEAP + 1536, 16)]);
});

breaks!(rule_6_heaps, [6; 6], || {
    let c = Client::attach();
    let h = c.heap(0, HEAP, 4096);
    c.register(0, h, &[(HEAP + 64, 64)]);
    c.heap(0, HEAP + 1024, 1024);
    c.heap(0, HEAP + 64, 16);
    c.heap(0, HEAP + 4088, 16);
    c.heap(0, HEAP + 1024, 512);
    c.heap(0, 0x8000, 0x800);
    c.heap(0, 0x7ff0, 0x1000);
    c.heap(0, 0, 16);
    c.heap(0, 0x500, 0);
});

breaks!(rule_6_strings, [6, 6, 6, 6, 6], || {
    let c = Client::attach();
    let long = |n| std::ffi::CString::new(vec![b'x'; n]).expect("no NUL in it");
    c.domain(None);
    c.domain(Some(c""));
    c.domain(Some(c"a-b"));
    c.domain(Some(&long(1023)));
    c.domain(Some(&long(1024)));
    c.mark(Some(&long(156)));
    c.mark(Some(&long(157)));
});

breaks!(rule_6_ranges, [6, 6, 6], || {
    let c = Client::attach();
    c.range_end(0);
    c.range_end(77);
    let id = c.range_start(c"a");
    c.range_end(id);
    c.range_end(id);
    let d = c.domain(Some(c"d"));
    let id = c.domain_range_start(d, c"b");
    c.range_end(id);
});

breaks!(nothing, [], || {
    let c = Client::attach();
    let d = c.domain(Some(c"d"));
    let h = c.heap(d, HEAP, 4096);
    let r = c.register(d, h, &[(HEAP, 1024), (HEAP + 1024, 1024), (HEAP + 2048, 2048)]);
    c.unregister(d, &[By::Handle(r[1])]);
    let inner = c.heap(d, HEAP + 1024, 1024);
    let s = c.register(d, inner, &[(HEAP + 1024, 8), (HEAP + 2040, 8)]);
    c.unregister(d, &[By::Handle(s[0]), By::Handle(s[1])]);
    c.heap_end(d, inner);
    let again = c.register(d, h, &[(HEAP + 1024, 1024)]);
    c.unregister(d, &[By::Handle(r[0]), By::Handle(again[0]), By::Handle(r[2])]);
    c.heap_end(d, h);
    let free = c.register(0, 0, &[(HEAP, 16)]);
    c.unregister(0, &[By::Handle(free[0])]);
});
