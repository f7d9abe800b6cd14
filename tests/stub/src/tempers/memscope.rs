//! msMemScope, as measured: the two ways in which it treats the domains it knows.

use super::{FIXED_NAMES, Live, Temper, is_domain_create, is_memory_call};
use crate::abi::{CORE, Handle, RegionRef};
use crate::books::{Entry, Handles, Key, Name, Range, Table};
use crate::log;
use std::collections::BTreeMap;
use std::ffi::c_int;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Trace {
    /// Goes by handles, and takes no name twice.
    Atb,
    /// Goes by addresses, and gives no handles.
    Pta,
}

pub(crate) struct MemScope {
    trace: Trace,
    handles: Handles,
    domains: BTreeMap<Vec<u8>, Handle>,
    heaps: Table,
    /// Overlaps and repetitions are all recorded; the youngest of an address is the one found.
    regions: Table,
    /// The last size at each address, which a second release subtracts once more.
    sizes: BTreeMap<u64, u64>,
    bytes: i64,
}

impl MemScope {
    pub(crate) fn atb() -> MemScope {
        MemScope::new(Trace::Atb)
    }

    pub(crate) fn pta() -> MemScope {
        MemScope::new(Trace::Pta)
    }

    fn new(trace: Trace) -> MemScope {
        MemScope {
            trace,
            handles: Handles::default(),
            domains: BTreeMap::new(),
            heaps: Table::default(),
            regions: Table::default(),
            sizes: BTreeMap::new(),
            bytes: 0,
        }
    }

    /// Events of a domain that it does not know, the default one included, are ignored.
    fn listens(&self, domain: Handle) -> bool {
        self.domains.values().any(|known| *known == domain)
    }

    fn remove(&mut self, key: Key) {
        if let Some(region) = self.regions.remove(key) {
            self.bytes -= region.range.size as i64;
        }
    }

    /// Reads every reference as a handle.
    fn unregister_handle(&mut self, handle: Handle) {
        if let Some(key) = self.regions.by_handle(handle) {
            self.remove(key);
        }
    }

    /// Reads every reference as an address.
    fn unregister_address(&mut self, start: u64) {
        if let Some(key) = self.regions.at(start) {
            self.remove(key);
        } else if let Some(size) = self.sizes.get(&start) {
            self.bytes -= *size as i64;
        }
    }
}

impl Temper for MemScope {
    fn fills(&self, module: c_int, id: u32) -> bool {
        (module == CORE && id <= 3) || is_domain_create(module, id) || is_memory_call(module, id)
    }

    fn needs_all_modules(&self) -> bool {
        true
    }

    fn reaches_too_far(&self) -> bool {
        true
    }

    fn mark(&mut self, message: Option<&[u8]>) {
        if message.is_none() {
            log::crash(format_args!("mark: null message"));
        }
    }

    fn domain_create(&mut self, name: Option<&[u8]>) -> Handle {
        let Some(name) = name.filter(|name| FIXED_NAMES.contains(name)) else {
            return 0;
        };
        if let Some(known) = self.domains.get(name) {
            return if self.trace == Trace::Atb { 0 } else { *known };
        }
        let domain = self.handles.domain();
        self.domains.insert(name.to_vec(), domain);
        domain
    }

    fn heap_register(&mut self, domain: Handle, heap: &Range) -> Handle {
        if !self.listens(domain) {
            return 0;
        }
        self.heaps.insert(Entry { domain, range: *heap, handle: 0, heap: None });
        if self.trace == Trace::Atb { heap.start as Handle } else { 0 }
    }

    /// Its regions stay.
    fn heap_unregister(&mut self, domain: Handle, heap: Handle) {
        if let Some(key) = self.heaps.at(heap as u64).filter(|_| self.listens(domain)) {
            self.heaps.remove(key);
        }
    }

    fn regions_register(&mut self, domain: Handle, _heap: Handle, regions: &[Range], mut handles: Option<&mut [Handle]>) {
        if !self.listens(domain) {
            return;
        }
        if self.trace == Trace::Atb && handles.is_none() {
            log::crash(format_args!("regions_register: null handle array, {}", Name(domain)));
        }
        for (index, range) in regions.iter().enumerate() {
            let written = handles.as_mut().and_then(|handles| handles.get_mut(index));
            let handle = match written {
                Some(out) if self.trace == Trace::Atb => {
                    *out = self.handles.region();
                    *out
                }
                _ => 0,
            };
            let heap = self.heaps.innermost(range);
            self.regions.insert(Entry { domain, range: *range, handle, heap });
            self.sizes.insert(range.start, range.size);
            self.bytes += range.size as i64;
        }
    }

    fn regions_unregister(&mut self, domain: Handle, refs: &[RegionRef]) {
        if !self.listens(domain) {
            return;
        }
        for region in refs {
            match self.trace {
                Trace::Atb => self.unregister_handle(region.target),
                Trace::Pta => self.unregister_address(region.target as u64),
            }
        }
    }

    fn live(&self) -> Vec<Live> {
        self.regions
            .iter()
            .map(|(_, region)| {
                let heap = region.heap.map_or(0, |(start, _)| start);
                [region.range.start, region.range.size, heap]
            })
            .collect()
    }

    fn bytes(&self) -> i64 {
        self.bytes
    }
}
