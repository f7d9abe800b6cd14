//! Calls from outside of Rust: all that is known of such a call is the address that it returns to. Whoever has let the checker in says
//! what stands there (`libmstx_checker.so` does).

use std::sync::OnceLock;

use mstx_runtime::Origin;

/// What stands at an address of the program. Not public API.
#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    /// The source file; or the program's or library's file with an offset, where there is no more than that.
    pub file: &'static str,
    /// The line; 0 for none.
    pub line: u32,
    /// The function; empty if it has no name.
    pub function: &'static str,
}

/// Finds out what stands at an address that a call returns to.
pub type Resolve = fn(usize) -> Symbol;

static RESOLVE: OnceLock<Resolve> = OnceLock::new();

/// Says who knows what stands at an address.
pub fn resolve_with(resolve: Resolve) {
    let _ = RESOLVE.set(resolve);
}

/// What there is to say of the place of a call, if it is one from outside of Rust.
pub(crate) fn symbol(origin: Origin) -> Option<Symbol> {
    let address = Some(origin.address()).filter(|&address| address != 0)?;
    let unknown = Symbol { file: "(unknown)", line: 0, function: "" };
    Some(RESOLVE.get().map_or(unknown, |resolve| resolve(address)))
}
