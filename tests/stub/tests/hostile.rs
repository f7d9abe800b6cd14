//! Tools that do what they should not.
#![cfg(target_os = "linux")]

#[macro_use]
mod support;

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use support::{By, Client, Offer};

const HEAP: usize = 0x10000;

static CALLED: AtomicUsize = AtomicUsize::new(0);

extern "C" fn callback() {
    CALLED.fetch_add(1, Relaxed);
}

fn offer_callback() {
    let address = (callback as *const () as usize).to_string();
    // SAFETY: no other thread of this process looks at the environment now.
    unsafe { std::env::set_var("MSTX_STUB_CALLBACK", address) };
}

scenario!(
    partial,
    "partial",
    || {
        let c = Client::attach();
        assert!(c.filled(3, 1) && c.filled(3, 3) && !c.filled(3, 2) && !c.filled(3, 4));
        assert!(!c.filled(1, 1) && !c.filled(2, 1));
        let h = c.heap(0, HEAP, 4096);
        c.register(0, h, &[(HEAP, 16)]);
        c.register(0, h, &[(HEAP, 16)]);
    },
    support::Log::clean
);

scenario!(
    fails,
    "fails,msan",
    || {
        let c = Client::attach();
        assert_eq!(c.status, 1);
        assert_eq!(c.heap(0, HEAP, 4096), 0);
    },
    |log| {
        log.has("ready -> 1");
        assert_eq!(log.broken(), [0]);
    }
);

scenario!(
    calls_back,
    "calls-back",
    || {
        offer_callback();
        Client::attach();
        assert_eq!(CALLED.load(Relaxed), 1);
    },
    |log| {
        log.clean();
        assert_eq!(log.starting("callback"), ["callback begin", "callback end"]);
    }
);

scenario!(
    calls_nobody_back,
    "calls-back",
    || {
        Client::attach();
    },
    |log| log.has("callback none")
);

scenario!(
    re_enters_once_in_each_function,
    "re-enters",
    || {
        offer_callback();
        let c = Client::attach();
        for _ in 0..2 {
            let r = c.register(0, 0, &[(HEAP, 16)]);
            c.unregister(0, &[By::Handle(r[0])]);
        }
        assert_eq!(CALLED.load(Relaxed), 2);
    },
    support::Log::clean
);

extern "C" fn callback_that_registers() {
    let attached = ATTACHED.get().expect("attached before");
    attached.register(0, 0, &[(HEAP + 64, 16)]);
}

static ATTACHED: std::sync::OnceLock<Client> = std::sync::OnceLock::new();

scenario!(
    a_client_that_calls_from_inside_a_call_is_reported,
    "re-enters",
    || {
        let c = ATTACHED.get_or_init(Client::attach);
        let address = (callback_that_registers as *const () as usize).to_string();
        // SAFETY: no other thread of this process looks at the environment now.
        unsafe { std::env::set_var("MSTX_STUB_CALLBACK", address) };
        c.register(0, 0, &[(HEAP, 16)]);
        assert_eq!(c.live().len(), 2);
    },
    |log| {
        assert_eq!(log.broken(), [2]);
        log.has("VIOLATION rule=2 regions_register: from inside another memory call");
    }
);

scenario!(
    extra_with_a_spare_slot,
    "extra",
    || {
        let c = Client::attach();
        for (module, size) in [(1, 5), (2, 6), (3, 5)] {
            assert!(c.filled(module, size));
            c.bare(module, size);
        }
    },
    |log| assert_eq!(log.broken(), [9, 9, 9])
);

scenario!(
    extra_without_one,
    "extra",
    || {
        Client::offer(Offer { spare: false, ..Offer::default() });
    },
    |log| {
        assert_eq!(log.broken(), [9; 6]);
        log.has("VIOLATION rule=9 init: module 3 has no spare slot behind the last");
        log.has("VIOLATION rule=9 init: a tool that writes function 5 of module 3 would crash");
    }
);

scenario!(
    modules_and_sizes_are_checked,
    "msan",
    || {
        let c = Client::offer(Offer { sizes: [5, 0, 6], spare: true });
        assert_eq!(c.status, 0);
        assert!(c.filled(3, 4) && !c.filled(3, 5));
    },
    |log| {
        assert_eq!(log.broken(), [9, 9]);
        log.has("init temper=msan modules=5,none,6");
    }
);

scenario!(
    mem_scope_wants_all_modules,
    "atb",
    || {
        let c = Client::offer(Offer { sizes: [5, 0, 5], spare: true });
        assert_eq!(c.status, 1);
        assert!(!c.filled(3, 1));
    },
    |log| assert_eq!(log.broken(), [9])
);

scenario!(
    permissions,
    "permissions",
    || {
        let c = Client::offer(Offer { sizes: [5, 6, 6], spare: true });
        assert!(c.filled(3, 5));
    },
    support::Log::clean
);

scenario!(refuses, "refuses,msan", || assert_eq!(Client::attach().domain(Some(c"kv")), 0), support::Log::clean);

scenario!(
    refuses_second,
    "refuses-second",
    || {
        let c = Client::attach();
        assert_ne!(c.domain(Some(c"kv")), 0);
        assert_ne!(c.domain(Some(c"kw")), 0);
        assert_eq!(c.domain(Some(c"kv")), 0);
    },
    |log| assert_eq!(log.broken(), [3])
);

scenario!(
    a_second_client_may_create_a_domain_again,
    "refuses-second",
    || {
        let (a, b) = (Client::attach(), Client::attach());
        assert_ne!(a.domain(Some(c"kv")), 0);
        assert_eq!(b.domain(Some(c"kv")), 0);
        assert_eq!(b.calls(0), 2);
    },
    support::Log::clean
);

scenario!(
    slow_init,
    "slow-init",
    || {
        let begin = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| ATTACHED.get_or_init(Client::attach));
            std::thread::sleep(Duration::from_millis(100));
            Client::unattached().mark(Some(c"early"));
        });
        assert!(begin.elapsed() >= Duration::from_millis(300));
    },
    |log| {
        assert_eq!(log.broken(), [0]);
        log.has("VIOLATION rule=0 mark: before the initialiser returned");
    }
);

scenario!(
    null_heaps,
    "null-heaps,msan",
    || {
        let c = Client::attach();
        assert_eq!(c.heap(0, HEAP, 4096), 0);
        let r = c.register(0, HEAP, &[(HEAP, 16)]);
        assert_eq!(c.live(), [[0x10000, 16, 0x10000]]);
        c.unregister(0, &[By::Handle(r[0])]);
        let r = c.register(0, 0, &[(HEAP, 16)]);
        c.unregister(0, &[By::Handle(r[0])]);
        c.heap_end(0, HEAP);
        assert_eq!(c.accessible(0x10000, 16), -1);
    },
    support::Log::clean
);

scenario!(
    walking_is_slow,
    "walking",
    || {
        let c = Client::attach();
        let h = c.heap(0, HEAP, 1 << 24);
        let regions: Vec<(usize, u64)> = (0..4000).map(|i| (HEAP + 64 * i, 32)).collect();
        let r = c.register(0, h, &regions);
        let all: Vec<By> = r.into_iter().map(By::Handle).collect();
        let begin = Instant::now();
        c.unregister(0, &all[..200]);
        let early = begin.elapsed();
        c.unregister(0, &all[200..3800]);
        let begin = Instant::now();
        c.unregister(0, &all[3800..]);
        assert!(early > 3 * begin.elapsed(), "4000 live cost no more than 200");
        c.heap_end(0, h);
    },
    support::Log::clean
);

scenario!(
    a_forked_child_is_reported,
    "msan",
    || {
        let c = Client::attach();
        let r = c.register(0, 0, &[(HEAP, 16)]);
        // SAFETY: the child only calls the stub and exits.
        let child = unsafe { libc::fork() };
        if child == 0 {
            c.unregister(0, &[By::Handle(r[0])]);
            std::process::exit(0);
        }
        let mut status = 0;
        // SAFETY: the child is ours, the place outlives the call.
        unsafe { libc::waitpid(child, &mut status, 0) };
        assert_eq!((status, c.live().len()), (0, 1));
    },
    |log| {
        assert_eq!(log.broken(), [8]);
        assert_eq!(log.starting("exit").len(), 1);
        log.has("exit open=1 violations=0");
    }
);

extern "C" fn too_late() {
    let attached = ATTACHED.get().expect("attached before");
    attached.mark(Some(c"late"));
    attached.register(0, 0, &[(HEAP, 16)]);
}

scenario!(
    calls_after_exit_are_reported,
    "full",
    || {
        // SAFETY: the handler is a function of this program.
        unsafe { libc::atexit(too_late) };
        ATTACHED.get_or_init(Client::attach);
    },
    |log| {
        assert_eq!(log.broken(), [8, 8]);
        log.has("VIOLATION rule=8 mark: after the exit handlers ran");
    }
);

scenario!(
    two_threads_at_once_are_reported,
    "slow-calls",
    || {
        let c = ATTACHED.get_or_init(Client::attach);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for _ in 0..20 {
                        let r = c.register(0, 0, &[(HEAP + 64 * thread, 16)]);
                        c.unregister(0, &[By::Handle(r[0])]);
                    }
                });
            }
        });
        assert_eq!((c.calls(12), c.calls(13), c.live().len()), (80, 80, 0));
    },
    |log| {
        assert!(!log.broken().is_empty());
        assert!(log.broken().iter().all(|rule| *rule == 2));
    }
);

scenario!(
    a_misspelled_setting_ends_the_process,
    "msann",
    || {
        Client::attach();
    },
    |log| assert!(log.status.code().is_none())
);
