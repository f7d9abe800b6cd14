//! Plain recorders: one that works with everything, and two that each work with only half of what clients may do.

use super::{FIXED_NAMES, Live, Temper};
use crate::abi::{BY_HANDLE, Handle, MEMORY, RegionRef};
use crate::books::{Entry, Handles, Key, Range, Table};
use crate::checks::is_name;
use std::collections::BTreeMap;
use std::ffi::c_int;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    /// Takes handles and pointers, any name, any order.
    Both,
    /// Null heaps, handle array untouched, every reference read as a pointer, a few fixed names.
    Pointers,
    /// Names of letters, digits and `_`; wants the handle array; forgets references by pointer.
    Handles,
}

pub(crate) struct Recorder {
    half: Half,
    handles: Handles,
    domains: BTreeMap<Vec<u8>, Handle>,
    heaps: Table,
    regions: Table,
}

impl Recorder {
    pub(crate) fn full() -> Recorder {
        Recorder::new(Half::Both)
    }

    pub(crate) fn pointer_only() -> Recorder {
        Recorder::new(Half::Pointers)
    }

    pub(crate) fn handle_only() -> Recorder {
        Recorder::new(Half::Handles)
    }

    fn new(half: Half) -> Recorder {
        Recorder {
            half,
            handles: Handles::default(),
            domains: BTreeMap::new(),
            heaps: Table::default(),
            regions: Table::default(),
        }
    }

    fn find_heap(&self, heap: Handle) -> Option<Key> {
        let by_address = || self.heaps.at(heap as u64);
        match self.half {
            Half::Both => self.heaps.by_handle(heap).or_else(by_address),
            Half::Pointers => by_address(),
            Half::Handles => self.heaps.by_handle(heap),
        }
    }

    fn find_region(&self, region: &RegionRef) -> Option<Key> {
        let by_handle = region.kind == BY_HANDLE;
        match self.half {
            Half::Both if by_handle => self.regions.by_handle(region.target),
            Half::Handles if by_handle => self.regions.by_handle(region.target),
            Half::Handles => None,
            Half::Both | Half::Pointers => self.regions.at(region.target as u64),
        }
    }
}

impl Temper for Recorder {
    /// All 13; function 5 of the memory module only where it was asked for, see `hostile`.
    fn fills(&self, module: c_int, id: u32) -> bool {
        module != MEMORY || id <= 4
    }

    fn domain_create(&mut self, name: Option<&[u8]>) -> Handle {
        let Some(name) = name else { return 0 };
        let known = match self.half {
            Half::Both => true,
            Half::Pointers => FIXED_NAMES.contains(&name),
            Half::Handles => is_name(name),
        };
        if !known {
            return 0;
        }
        *self.domains.entry(name.to_vec()).or_insert_with(|| self.handles.domain())
    }

    fn domain_destroy(&mut self, domain: Handle) {
        self.domains.retain(|_, known| *known != domain);
    }

    fn heap_register(&mut self, domain: Handle, heap: &Range) -> Handle {
        let handle = if self.half == Half::Pointers { 0 } else { self.handles.heap() };
        self.heaps.insert(Entry { domain, range: *heap, handle, heap: None });
        handle
    }

    fn heap_unregister(&mut self, _domain: Handle, heap: Handle) {
        let Some(key) = self.find_heap(heap) else {
            return;
        };
        self.heaps.remove(key);
        let inside: Vec<Key> =
            self.regions.iter().filter(|(_, region)| region.heap == Some(key)).map(|(region, _)| region).collect();
        for region in inside {
            self.regions.remove(region);
        }
    }

    fn regions_register(&mut self, domain: Handle, heap: Handle, regions: &[Range], mut handles: Option<&mut [Handle]>) {
        if self.half == Half::Handles && handles.is_none() {
            return;
        }
        let known = if heap == 0 { None } else { self.find_heap(heap) };
        for (index, range) in regions.iter().enumerate() {
            let heap = known.or_else(|| self.heaps.innermost(range));
            let written = handles.as_mut().and_then(|handles| handles.get_mut(index));
            let handle = match written {
                Some(out) if self.half != Half::Pointers => {
                    *out = self.handles.region();
                    *out
                }
                _ => 0,
            };
            self.regions.insert(Entry { domain, range: *range, handle, heap });
        }
    }

    fn regions_unregister(&mut self, _domain: Handle, refs: &[RegionRef]) {
        for region in refs {
            if let Some(key) = self.find_region(region) {
                self.regions.remove(key);
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
}
