//! What each imitated tool answers and keeps.
#![cfg(target_os = "linux")]

#[macro_use]
mod support;

use support::{By, Client};

const HEAP: usize = 0x10000;

scenario!(
    full_writes_a_line_per_call,
    "full",
    || {
        let c = Client::attach();
        assert_eq!(c.status, 0);
        c.mark(Some(c"a \"b\""));
        let range = c.range_start(c"step");
        c.range_end(range);
        assert_eq!(c.tool_id(), 0);
        let d = c.domain(Some(c"kv"));
        c.domain_mark(d, c"m");
        let range = c.domain_range_start(d, c"n");
        c.domain_range_end(d, range);
        let h = c.heap(d, HEAP, 4096);
        let r = c.register(d, h, &[(HEAP, 16), (HEAP + 32, 64)]);
        assert_eq!(c.live(), [[0x10000, 16, 0x10000], [0x10020, 64, 0x10000]]);
        c.unregister(d, &[By::Handle(r[0]), By::Handle(r[1])]);
        c.heap_end(d, h);
        c.domain_destroy(d);
        assert_eq!((c.calls(12), c.calls(16), c.calls(17), c.calls(99)), (1, 2, 2, 0));
        assert_eq!((c.violations(), c.accessible(0x10000, 1)), (0, -1));
    },
    |log| {
        log.clean();
        let expected = [
            "init temper=full modules=5,6,5",
            "ready -> 0",
            r#"mark message="a \"b\"" stream=0x0"#,
            r#"range_start message="step" stream=0x0 -> 1"#,
            "range_end id=1",
            "get_tool_id -> 0x0",
            "domain_create name=kv -> d1",
            r#"domain_mark domain=d1 message="m" stream=0x0"#,
            r#"domain_range_start domain=d1 message="n" stream=0x0 -> 2"#,
            "domain_range_end domain=d1 id=2",
            "heap_register domain=d1 device=0 ptr=0x10000 size=4096 -> h1",
            "regions_register domain=d1 heap=h1 count=2 [0x10000+16 dev=0 -> r1, 0x10020+64 dev=0 -> r2]",
            "regions_unregister domain=d1 count=2 [handle r1 = 0x10000+16, handle r2 = 0x10020+64]",
            "heap_unregister domain=d1 heap=h1 ptr=0x10000 size=4096",
            "domain_destroy domain=d1",
        ];
        assert_eq!(log.events[..expected.len()], expected);
        let exit = "exit open=0 violations=0 calls=13 bytes=0 init=1 mark=1 range_start=1";
        assert!(log.events[expected.len()].starts_with(exit), "{}", log.text);
        assert_eq!(log.events.len(), expected.len() + 1);
    }
);

scenario!(
    full_takes_whatever_comes,
    "full",
    || {
        let c = Client::attach();
        let d = c.domain(Some(c"not a name"));
        assert_ne!(d, 0);
        let h = c.heap(d, HEAP, 4096);
        c.register_on(0, d, h, &[(HEAP, 16)], std::ptr::null_mut());
        c.unregister(d, &[By::Pointer(HEAP)]);
        c.register(d, h, &[(HEAP, 8), (HEAP + 8, 8)]);
        c.heap_end(d, HEAP);
        assert_eq!(c.live(), [] as [[u64; 3]; 0]);
    },
    |log| {
        assert_eq!(log.broken(), [6, 1, 4, 5]);
        log.has("regions_unregister domain=d1 count=1 [pointer 0x10000]");
    }
);

scenario!(
    open_regions_are_listed_at_exit,
    "full",
    || {
        let c = Client::attach();
        let h = c.heap(0, HEAP, 4096);
        c.register(0, h, &[(HEAP + 64, 8)]);
        c.register(0, 0, &[(0x90000, 16)]);
        c.summary();
    },
    |log| {
        log.clean();
        assert_eq!(log.starting("exit open=2 violations=0 calls=3 bytes=24").len(), 2);
        assert_eq!(log.starting("open 0x10040+8 heap=0x10000").len(), 2);
        assert_eq!(log.starting("open 0x90000+16 heap=0x0").len(), 2);
    }
);

scenario!(
    pointer_only,
    "pointer-only",
    || {
        let c = Client::attach();
        assert_eq!(c.domain(Some(c"my_crate__pool")), 0);
        assert_ne!(c.domain(Some(c"ptaCaching")), 0);
        assert_eq!(c.heap(0, HEAP, 4096), 0);
        assert_eq!(c.register(0, 0, &[(HEAP, 16), (HEAP + 16, 16)]), [0, 0]);
        c.unregister(0, &[By::Pointer(HEAP)]);
        assert_eq!(c.live(), [[0x10010, 16, 0x10000]]);
        c.unregister(0, &[By::Pointer(HEAP + 16)]);
        c.heap_end(0, HEAP);
    },
    |log| {
        log.clean();
        log.has("exit open=0");
    }
);

scenario!(
    handle_only,
    "handle-only",
    || {
        let c = Client::attach();
        assert_eq!(c.domain(Some(c"a::b")), 0);
        let d = c.domain(Some(c"a__b"));
        let h = c.heap(d, HEAP, 4096);
        let r = c.register(d, h, &[(HEAP, 16)]);
        c.unregister(d, &[By::Pointer(HEAP)]);
        assert_eq!(c.live().len(), 1);
        c.unregister(d, &[By::Handle(r[0])]);
        assert_eq!(c.live().len(), 0);
        c.register_on(0, d, h, &[(HEAP, 16)], std::ptr::null_mut());
        assert_eq!(c.live().len(), 0);
    },
    |log| assert_eq!(log.broken(), [6, 1, 6, 1])
);

scenario!(
    msan_answers,
    "msan",
    || {
        let c = Client::attach();
        let filled = |module, ids: &[usize]| (0..7).all(|id| c.filled(module, id) == ids.contains(&id));
        assert!(filled(1, &[4]) && filled(2, &[1]) && filled(3, &[1, 2, 3, 4]));
        assert_eq!(c.tool_id(), 0x1002);
        let d = c.domain(Some(c"kv"));
        assert_eq!(c.domain(Some(c"kv")), d);
        assert_eq!(c.domain(Some(c"k:v")), 0);
        assert_eq!(c.domain(Some(c"")), 0);
        let h = c.heap(d, HEAP, 4096);
        assert_ne!(h, 0);
        assert_eq!((c.accessible(0x10000, 4096), c.accessible(0x10000, 4097)), (0, -1));
        let r = c.register(d, h, &[(HEAP + 16, 16)]);
        assert_eq!((c.accessible(0x10010, 16), c.accessible(0x10010, 17)), (1, 0));
        assert_eq!(c.accessible(0xfff0, 32), -1);
        c.unregister(d, &[By::Handle(r[0])]);
        assert_eq!(c.accessible(0x10010, 16), 0);
        c.heap_end(d, h);
        assert_eq!(c.accessible(0x10000, 1), -1);
    },
    |log| {
        assert_eq!(log.broken(), [3, 6, 6]);
        log.has("tool-error invalid domain name k:v");
        log.has("domain_create name=k:v -> null");
    }
);

scenario!(
    msan_refuses_and_drops,
    "msan",
    || {
        let c = Client::attach();
        let h = c.heap(0, HEAP, 4096);
        c.register_on(0, 0, h, &[(HEAP, 16)], std::ptr::null_mut());
        let r = c.register(0, h, &[(HEAP, 0), (0, 16), (HEAP + 4090, 16)]);
        assert!(r.iter().all(|handle| *handle != 0));
        assert_eq!((c.live().len(), c.accessible(0x10000, 4096)), (0, 0));
        c.unregister(0, &[By::Handle(r[0])]);
        let one = c.register(0, h, &[(HEAP, 32)]);
        let two = c.register(0, h, &[(HEAP + 16, 32)]);
        c.unregister(0, &[By::Handle(one[0])]);
        assert_eq!((c.accessible(0x10010, 16), c.accessible(0x10020, 16)), (0, 1));
        c.unregister(0, &[By::Handle(two[0])]);
        c.unregister(0, &[By::Handle(two[0])]);
        assert_eq!(c.calls(18), 6);
    },
    |log| {
        assert_eq!(log.broken(), [1, 6, 6, 6, 6, 6, 6, 6]);
        log.has("tool-error null handle array, 1 regions dropped");
        log.has("tool-error region 0x10ffa+16 dropped, outside its heap");
        assert_eq!(log.starting("tool-error illegal free").len(), 2);
    }
);

scenario!(
    msan_unregisters_oddly_by_pointer,
    "msan",
    || {
        let c = Client::attach();
        let h = c.heap(0, HEAP, 4096);
        let old = c.register(0, h, &[(HEAP, 16)]);
        c.unregister(0, &[By::Pointer(HEAP)]);
        assert_eq!(c.accessible(0x10000, 16), 0);
        c.register(0, h, &[(HEAP, 32)]);
        c.unregister(0, &[By::Handle(old[0])]);
        assert_eq!((c.live().len(), c.accessible(0x10000, 1)), (0, 0));
        let other = c.heap(0, 0x20000, 4096);
        c.register_on(1, 0, other, &[(0x20000, 16)], [0].as_mut_ptr());
        c.unregister(0, &[By::Pointer(0x20000)]);
        assert_eq!(c.live().len(), 1);
    },
    |log| log.has("tool-error illegal free at 0x20000, device 0")
);

scenario!(
    msan_brings_stale_regions_back,
    "msan",
    || {
        let c = Client::attach();
        let h = c.heap(0, HEAP, 4096);
        c.register(0, h, &[(HEAP, 16)]);
        c.heap_end(0, h);
        assert_eq!((c.live().len(), c.accessible(0x10000, 16)), (0, -1));
        let h = c.heap(0, HEAP, 4096);
        assert_eq!((c.live().len(), c.accessible(0x10000, 16)), (1, 1));
        c.heap_end(0, h);
    },
    |log| {
        assert_eq!(log.broken(), [5]);
        assert_eq!(log.starting("tool-error heap 0x10000+4096 had 1 live regions").len(), 2);
    }
);

scenario!(
    msan_erases_the_outer_heap_of_the_same_base,
    "msan",
    || {
        let c = Client::attach();
        let outer = c.heap(0, HEAP, 4096);
        let inner = c.heap(0, HEAP, 256);
        c.register(0, outer, &[(HEAP + 1024, 16)]);
        assert_eq!(c.accessible(0x10400, 16), 1);
        c.heap_end(0, inner);
        assert_eq!((c.accessible(0x10400, 16), c.live().len()), (-1, 0));
    },
    |log| {
        assert_eq!(log.broken(), [6]);
        log.has("VIOLATION rule=6 heap_register: 0x10000+256 has the base of live heap 0x10000+4096");
    }
);

scenario!(
    msan_paints_nested_heaps,
    "msan",
    || {
        let c = Client::attach();
        let outer = c.heap(0, HEAP, 4096);
        let beside = c.register(0, outer, &[(HEAP, 1024), (HEAP + 2048, 1024)]);
        let inner = c.heap(0, HEAP + 1024, 1024);
        let within = c.register(0, inner, &[(HEAP + 1024, 8)]);
        assert_eq!((c.accessible(0x10000, 1032), c.accessible(0x10408, 1)), (1, 0));
        c.unregister(0, &[By::Handle(within[0])]);
        c.heap_end(0, inner);
        assert_eq!((c.accessible(0x10400, 1024), c.accessible(0x10000, 1024)), (0, 1));
        c.unregister(0, &[By::Handle(beside[0]), By::Handle(beside[1])]);
        c.heap_end(0, outer);
    },
    support::Log::clean
);

scenario!(
    msan_dies_of_a_null_name,
    "msan",
    || {
        Client::attach().domain(None);
    },
    |log| {
        assert!(!log.status.success());
        assert_eq!(log.broken(), [6]);
        log.has("crash domain_create: null name");
    }
);

scenario!(
    atb,
    "atb",
    || {
        let c = Client::attach();
        assert!(!c.filled(1, 4) && c.filled(1, 1) && !c.filled(2, 3));
        assert_eq!(c.domain(Some(c"my_crate")), 0);
        let d = c.domain(Some(c"atb"));
        assert_ne!(d, 0);
        assert_eq!(c.domain(Some(c"atb")), 0);
        assert_eq!(c.heap(0, 0x90000, 16), 0);
        let h = c.heap(d, HEAP, 4096);
        assert_eq!(h, HEAP);
        let r = c.register(d, h, &[(HEAP, 16), (HEAP + 16, 0)]);
        assert!(r.iter().all(|handle| *handle != 0));
        assert_eq!(c.live().len(), 2);
        c.unregister(d, &[By::Pointer(HEAP)]);
        assert_eq!(c.live().len(), 2);
        c.heap_end(d, h);
        c.unregister(d, &[By::Handle(r[0]), By::Handle(r[0])]);
        assert_eq!(c.live(), [[0x10010, 0, 0x10000]]);
        c.register_on(0, d, h, &[(HEAP, 16)], std::ptr::null_mut());
    },
    |log| {
        assert!(!log.status.success());
        log.has("heap_register domain=d1 device=0 ptr=0x10000 size=4096 -> 0x10000");
        log.has("crash regions_register: null handle array");
    }
);

scenario!(
    pta,
    "pta",
    || {
        let c = Client::attach();
        let d = c.domain(Some(c"ptaCaching"));
        assert_eq!(c.domain(Some(c"ptaCaching")), d);
        assert_eq!(c.heap(d, HEAP, 4096), 0);
        c.register_on(0, d, 0, &[(HEAP, 16)], std::ptr::null_mut());
        assert_eq!(c.register(d, 0, &[(HEAP + 16, 16)]), [0]);
        c.unregister(d, &[By::Handle(1)]);
        c.unregister(d, &[By::Pointer(HEAP), By::Pointer(HEAP + 16)]);
        assert_eq!(c.live().len(), 0);
        c.unregister(d, &[By::Pointer(HEAP)]);
        c.heap_end(d, HEAP);
        c.mark(None);
    },
    |log| {
        assert!(!log.status.success());
        assert_eq!(log.broken(), [3, 1, 6, 6, 6]);
        log.has("crash mark: null message");
    }
);

scenario!(
    pta_totals_drift,
    "pta",
    || {
        let c = Client::attach();
        let d = c.domain(Some(c"msleaks"));
        c.register(d, 0, &[(HEAP, 16)]);
        c.unregister(d, &[By::Pointer(HEAP)]);
        c.unregister(d, &[By::Pointer(HEAP)]);
    },
    |log| log.has("exit open=0 violations=1 calls=4 bytes=-16")
);
