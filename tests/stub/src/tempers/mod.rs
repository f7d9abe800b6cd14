//! The tools that are imitated, one file per family.

mod memscope;
mod msan;
mod recorder;

use crate::abi::{CORE, DOMAIN, Handle, MEMORY, RegionRef};
use crate::books::Range;
use crate::config::{Base, Config};
use std::ffi::c_int;

/// A live region as a test sees it: start, size, start of its heap or 0.
pub(crate) type Live = [u64; 3];

/// One tool: what it fills, what it answers, what it keeps in its books.
pub(crate) trait Temper: Send {
    /// Whether it implements a function.
    fn fills(&self, module: c_int, id: u32) -> bool;

    /// It refuses to start without all three modules.
    fn needs_all_modules(&self) -> bool {
        false
    }

    /// It tests `size >= id` where `size > id` would be right.
    fn reaches_too_far(&self) -> bool {
        false
    }

    fn tool_id(&self) -> u64 {
        0
    }

    fn mark(&mut self, _message: Option<&[u8]>) {}

    fn domain_create(&mut self, name: Option<&[u8]>) -> Handle;

    fn domain_destroy(&mut self, _domain: Handle) {}

    fn heap_register(&mut self, domain: Handle, heap: &Range) -> Handle;

    fn heap_unregister(&mut self, domain: Handle, heap: Handle);

    /// `handles` is as long as `regions` and zeroed; nothing where the client gave no array. What stays zero is not
    /// written to the client.
    fn regions_register(&mut self, domain: Handle, heap: Handle, regions: &[Range], handles: Option<&mut [Handle]>);

    fn regions_unregister(&mut self, domain: Handle, refs: &[RegionRef]);

    /// The live regions by its own books, in order.
    fn live(&self) -> Vec<Live>;

    /// Its sum of all live bytes; a tool that counts a release twice drifts.
    fn bytes(&self) -> i64 {
        self.live().iter().map(|[_, size, _]| *size as i64).sum()
    }

    /// Whether memory may be accessed, for a tool that knows, where it knows.
    fn accessible(&self, _start: u64, _size: u64) -> Option<bool> {
        None
    }
}

/// The tool that the settings ask for.
pub(crate) fn chosen(config: &Config) -> Box<dyn Temper> {
    match config.base {
        Base::Full => Box::new(recorder::Recorder::full()),
        Base::PointerOnly => Box::new(recorder::Recorder::pointer_only()),
        Base::HandleOnly => Box::new(recorder::Recorder::handle_only()),
        Base::Msan => Box::new(msan::Msan::new(config.walking)),
        Base::Atb => Box::new(memscope::MemScope::atb()),
        Base::Pta => Box::new(memscope::MemScope::pta()),
    }
}

/// The domain names that msMemScope knows.
const FIXED_NAMES: [&[u8]; 5] = [b"atb", b"mindsporeMemPool", b"ptaCaching", b"ptaWorkspace", b"msleaks"];

const fn is_domain_create(module: c_int, id: u32) -> bool {
    module == DOMAIN && id == 1
}

/// The four that every tool implements.
const fn is_memory_call(module: c_int, id: u32) -> bool {
    module == MEMORY && id >= 1 && id <= 4
}

const fn is_tool_id(module: c_int, id: u32) -> bool {
    module == CORE && id == 4
}
