//! The checker in a program that only links it: `MSTX_CHECK` switches it on.

mod common;

use mstx_checker as _;

use common::{POOL, run, run_with};
use mstx_runtime::register_region;

fn program() {
    register_region(&POOL, core::ptr::null::<u8>(), 64);
}

#[test]
fn switched_on() {
    let Some(run) = run_with("switched_on", Some("1"), program) else { return };
    assert!(run.stderr.starts_with("mstx: fault[MSTX18]: null address\n"), "{}", run.stderr);
    assert!(run.stderr.contains("\n\nmstx: 1 fault\n"), "{}", run.stderr);
}

#[test]
fn switched_off() {
    for check in [None, Some(""), Some("0")] {
        let Some(run) = run_with("switched_off", check, program) else { return };
        assert_eq!(run.stderr, "");
    }
    let Some(run) = run("switched_off", program) else { return };
    assert_eq!(run.stderr, "");
}
