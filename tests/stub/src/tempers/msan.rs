//! msSanitizer, as measured.
//!
//! It has two halves that keep books of their own, and most of its oddities come from where they disagree: the part in
//! the program turns handles into addresses, the server knows addresses only. Not imitated: the device memory below the
//! heaps (a heap is always taken to lie in some), the crashes under threads and at exit, and what a forked child does to
//! its parent's books: these three are violations here.

use super::{Live, Temper, is_domain_create, is_memory_call, is_tool_id};
use crate::abi::{BY_HANDLE, Handle, RegionRef};
use crate::books::{Handles, Name, Range};
use crate::checks::is_name;
use crate::log;
use crate::shadow::Shadow;
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::hint::black_box;

const TOOL_ID: u64 = 0x1002;

/// The device that a reference by pointer goes to: the calling thread's current one, always the first here.
const CURRENT_DEVICE: u32 = 0;

pub(crate) struct Msan {
    walking: bool,
    handles: Handles,
    domains: BTreeMap<Vec<u8>, Handle>,
    /// Heap handles, also of heaps that were refused.
    heaps: BTreeMap<Handle, Range>,
    /// Region handles, also of regions that were refused, dropped, or unregistered by pointer.
    regions: BTreeMap<Handle, Range>,
    server: Server,
}

impl Msan {
    pub(crate) fn new(walking: bool) -> Msan {
        Msan {
            walking,
            handles: Handles::default(),
            domains: BTreeMap::new(),
            heaps: BTreeMap::new(),
            regions: BTreeMap::new(),
            server: Server::default(),
        }
    }
}

impl Temper for Msan {
    fn fills(&self, module: c_int, id: u32) -> bool {
        is_tool_id(module, id) || is_domain_create(module, id) || is_memory_call(module, id)
    }

    fn tool_id(&self) -> u64 {
        TOOL_ID
    }

    fn domain_create(&mut self, name: Option<&[u8]>) -> Handle {
        let Some(name) = name else {
            log::crash(format_args!("domain_create: null name"));
        };
        if !is_name(name) {
            log::tool_error(format_args!("invalid domain name {}", name.escape_ascii()));
            return 0;
        }
        *self.domains.entry(name.to_vec()).or_insert_with(|| self.handles.domain())
    }

    fn heap_register(&mut self, _domain: Handle, heap: &Range) -> Handle {
        let handle = self.handles.heap();
        self.heaps.insert(handle, *heap);
        if heap.is_degenerate() {
            log::tool_error(format_args!("invalid heap {heap}"));
        } else {
            self.server.heap_register(heap);
        }
        handle
    }

    fn heap_unregister(&mut self, _domain: Handle, heap: Handle) {
        match self.heaps.remove(&heap) {
            Some(range) => self.server.heap_unregister(&range),
            None => log::tool_error(format_args!("illegal free of heap {}", Name(heap))),
        }
    }

    fn regions_register(&mut self, _domain: Handle, heap: Handle, regions: &[Range], handles: Option<&mut [Handle]>) {
        let Some(handles) = handles else {
            log::tool_error(format_args!("null handle array, {} regions dropped", regions.len()));
            return;
        };
        let heap = self.heaps.get(&heap).copied();
        for (range, out) in regions.iter().zip(handles) {
            *out = self.handles.region();
            self.regions.insert(*out, *range);
            if range.is_degenerate() {
                log::tool_error(format_args!("invalid region {range}"));
            } else {
                self.server.region_register(heap.map(|heap| heap.start), range);
            }
        }
    }

    fn regions_unregister(&mut self, _domain: Handle, refs: &[RegionRef]) {
        for region in refs {
            if self.walking {
                self.server.walk();
            }
            if region.kind == BY_HANDLE {
                match self.regions.remove(&region.target) {
                    Some(range) => self.server.region_unregister(range.device, range.start),
                    None => log::tool_error(format_args!("illegal free of {}", Name(region.target))),
                }
            } else {
                // The handle stays: it leaks, and may later remove a newer region at the address.
                self.server.region_unregister(CURRENT_DEVICE, region.target as u64);
            }
        }
    }

    fn live(&self) -> Vec<Live> {
        let mut live: Vec<Live> =
            self.server.live.iter().map(|((_, start), region)| [*start, region.size, region.heap]).collect();
        live.sort_unstable();
        live
    }

    fn accessible(&self, start: u64, size: u64) -> Option<bool> {
        self.server.shadow.accessible(start, start.checked_add(size)?)
    }
}

#[derive(Clone, Copy)]
struct Placed {
    size: u64,
    /// The base of the heap, or 0.
    heap: u64,
}

/// A region's place: device and address.
type Place = (u32, u64);

/// The process that holds the shadow memory.
#[derive(Default)]
struct Server {
    /// Heaps by base: a second one with the base of another has no place.
    heaps: BTreeMap<u64, Range>,
    live: BTreeMap<Place, Placed>,
    /// Regions of heaps that went without them, by the heap's base.
    stale: BTreeMap<u64, Vec<(Place, Placed)>>,
    shadow: Shadow,
}

impl Server {
    fn heap_register(&mut self, heap: &Range) {
        if self.heaps.contains_key(&heap.start) {
            log::tool_error(format_args!("heap {heap} dropped, its base is taken"));
            return;
        }
        self.heaps.insert(heap.start, *heap);
        self.shadow.paint(heap.start, heap.end(), false);
        for (place, region) in self.stale.remove(&heap.start).unwrap_or_default() {
            self.place(place, region);
        }
    }

    /// Goes by the base, so that the end of a heap that was dropped is the end of the one that has its base.
    fn heap_unregister(&mut self, range: &Range) {
        let Some(heap) = self.heaps.remove(&range.start) else {
            log::tool_error(format_args!("illegal free of heap {range}"));
            return;
        };
        let left: Vec<(Place, Placed)> =
            self.live.iter().filter(|(_, region)| region.heap == heap.start).map(|(place, region)| (*place, *region)).collect();
        if !left.is_empty() {
            log::tool_error(format_args!("heap {heap} had {} live regions", left.len()));
            for (place, _) in &left {
                self.live.remove(place);
            }
            self.stale.entry(heap.start).or_default().extend(left);
        }
        let nested = self.heaps.values().any(|outer| outer.contains(&heap));
        if nested {
            self.shadow.paint(heap.start, heap.end(), false);
        } else {
            self.shadow.clear(heap.start, heap.end());
        }
    }

    fn region_register(&mut self, heap: Option<u64>, range: &Range) {
        let fits = |base: u64| self.heaps.get(&base).is_some_and(|heap| heap.contains(range));
        if !heap.is_none_or(fits) {
            log::tool_error(format_args!("region {range} dropped, outside its heap"));
            return;
        }
        let region = Placed { size: range.size, heap: heap.unwrap_or(0) };
        self.place((range.device, range.start), region);
    }

    /// A region at the address of another takes its record over.
    fn place(&mut self, place: Place, region: Placed) {
        self.live.insert(place, region);
        self.shadow.paint(place.1, place.1.saturating_add(region.size), true);
    }

    fn region_unregister(&mut self, device: u32, start: u64) {
        match self.live.remove(&(device, start)) {
            Some(region) if region.heap == 0 => {
                self.shadow.clear(start, start.saturating_add(region.size));
            }
            Some(region) => self.shadow.paint(start, start.saturating_add(region.size), false),
            None => log::tool_error(format_args!("illegal free at {start:#x}, device {device}")),
        }
    }

    /// The real server looks at every live region for each that goes.
    fn walk(&self) {
        black_box(self.live.values().fold(0, |sum: u64, region| sum.wrapping_add(region.size)));
    }
}
