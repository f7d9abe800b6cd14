//! Which call of the program's it is: the one that returns to our client's code, but behind what is only between the program and us. That
//! are the wrappers of the interface's own header, which a compiler that does not optimise leaves as functions of their own, and the
//! runtime of `mstx`, where that is the client.
#![allow(unsafe_code, reason = "walks the stack")]

use core::sync::atomic::{AtomicUsize, Ordering};

use crate::python;
use crate::symbols::{self, Owner};

/// How many addresses are remembered.
const PLACES: usize = 1024;

/// Addresses that calls return to, and above their bits whose they are.
static KNOWN: [AtomicUsize; PLACES] = [const { AtomicUsize::new(0) }; PLACES];

const OWNER: u32 = usize::BITS - 2;

/// How many callers are looked at behind the first one.
const DEEP: usize = 40;

/// The address in the program that is to be named, where `returns_to` is the one that the call returns to.
pub(crate) fn of(returns_to: usize) -> usize {
    match owner(returns_to) {
        Owner::Client => behind(returns_to).unwrap_or(returns_to),
        Owner::Python => python::caller().unwrap_or(returns_to),
        Owner::Program | Owner::Language => returns_to,
    }
}

/// Whose code is at an address.
fn owner(address: usize) -> Owner {
    let place = &KNOWN[(address ^ (address >> 10)) % PLACES];
    let there = place.load(Ordering::Relaxed);
    if there & !(3 << OWNER) == address {
        return [Owner::Program, Owner::Client, Owner::Language, Owner::Python][there >> OWNER];
    }
    let owner = symbols::owner(address);
    if address >> OWNER == 0 {
        // Whatever was remembered there is looked up again, the next time.
        place.store(address | ((owner as usize) << OWNER), Ordering::Relaxed);
    }
    owner
}

/// The first caller that is the program itself.
fn behind(returns_to: usize) -> Option<usize> {
    let (mut found, mut seen, mut left) = (None, false, DEEP);
    let look = |frame: &backtrace::Frame| {
        let address = frame.ip().addr();
        if !seen {
            seen = address == returns_to;
            return true;
        }
        match owner(address) {
            Owner::Program => found = Some(address),
            Owner::Python => found = python::caller().or(Some(address)),
            Owner::Client | Owner::Language => {
                left -= 1;
                return left > 0;
            }
        }
        false
    };
    // SAFETY: what is not synchronised is the library of another system.
    unsafe { backtrace::trace_unsynchronized(look) };
    found
}
