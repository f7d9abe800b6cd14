//! The rules, applied to every call whatever the imitated tool makes of it.
//!
//! The books here follow what the client said, so that one mistake is reported once and not again with every call that
//! comes after it.

use crate::abi::{BY_HANDLE, BY_POINTER, Handle, RegionRef};
use crate::books::{Entry, Key, Name, Range, Table};
use crate::log::violation;
use std::collections::{BTreeMap, BTreeSet};

const NAME_MAX: usize = 1023;
const MESSAGE_MAX: usize = 156;

/// What the client has told so far.
pub(crate) struct Checks {
    /// How often each name was asked for.
    names: BTreeMap<Vec<u8>, u32>,
    domains: BTreeSet<Handle>,
    named: BTreeMap<Handle, Vec<u8>>,
    heaps: Table,
    regions: Table,
    /// Ranges that have begun, with their domains.
    ranges: BTreeMap<u64, Handle>,
    /// The tool did not fill the functions that end heaps and regions, so nothing can be said about what is live.
    blind: bool,
}

impl Checks {
    pub(crate) fn new(blind: bool) -> Checks {
        Checks {
            names: BTreeMap::new(),
            domains: BTreeSet::new(),
            named: BTreeMap::new(),
            heaps: Table::default(),
            regions: Table::default(),
            ranges: BTreeMap::new(),
            blind,
        }
    }

    /// Each of the `clients` may create each name once. Returns how often this one has been created now.
    pub(crate) fn domain_create(&mut self, name: Option<&[u8]>, clients: u64) -> u32 {
        let Some(name) = name else {
            violation!(6, "domain_create: null name");
            return 1;
        };
        if !is_name(name) {
            let length = name.len();
            violation!(6, "domain_create: bad name of {length} bytes: {}", name.escape_ascii());
        }
        let times = self.names.entry(name.to_vec()).or_insert(0);
        *times += 1;
        if u64::from(*times) > clients {
            violation!(3, "domain_create: {} was created before", name.escape_ascii());
        }
        *times
    }

    pub(crate) fn domain_created(&mut self, name: Option<&[u8]>, domain: Handle) {
        if domain != 0 {
            self.domains.insert(domain);
            self.named.insert(domain, name.unwrap_or_default().to_vec());
        }
    }

    pub(crate) fn domain_destroy(&mut self, domain: Handle) {
        self.domain("domain_destroy", domain);
        self.domains.remove(&domain);
        if let Some(name) = self.named.remove(&domain) {
            self.names.remove(&name);
        }
    }

    /// Null is the default domain, and what some tools answer.
    pub(crate) fn domain(&self, call: &str, domain: Handle) {
        if domain != 0 && !self.domains.contains(&domain) {
            violation!(3, "{call}: {} is no domain", Name(domain));
        }
    }

    pub(crate) fn message(&self, call: &str, message: Option<&[u8]>) {
        match message {
            None => violation!(6, "{call}: null message"),
            Some(text) if text.len() > MESSAGE_MAX => {
                violation!(6, "{call}: message of {} bytes", text.len());
            }
            Some(_) => {}
        }
    }

    pub(crate) fn range_started(&mut self, domain: Handle, id: u64) {
        self.ranges.insert(id, domain);
    }

    /// An id of 0 is what clients have where the tool does not start ranges.
    pub(crate) fn range_end(&mut self, call: &str, domain: Handle, id: u64) {
        match self.ranges.remove(&id) {
            None if id != 0 => violation!(6, "{call}: range {id} was not begun, or has ended"),
            Some(begun) if begun != domain => {
                violation!(6, "{call}: range {id} was begun in domain {}", Name(begun));
            }
            _ => {}
        }
    }

    pub(crate) fn heap_register(&mut self, domain: Handle, range: &Range) -> Option<Key> {
        self.domain("heap_register", domain);
        if degenerate("heap_register", range) || self.blind {
            return None;
        }
        for (_, heap) in self.heaps.iter().filter(|(_, heap)| heap.range.overlaps(range)) {
            let other = heap.range;
            if other.start == range.start {
                violation!(6, "heap_register: {range} has the base of live heap {other}");
            } else if range.contains(&other) {
                violation!(6, "heap_register: {range} encloses live heap {other}");
            } else if !other.contains(range) {
                violation!(6, "heap_register: {range} straddles live heap {other}");
            }
        }
        if let Some(region) = self.regions.first_overlap(range).and_then(|k| self.regions.get(k)) {
            violation!(6, "heap_register: {range} overlaps live region {}", region.range);
        }
        Some(self.heaps.insert(Entry { domain, range: *range, handle: 0, heap: None }))
    }

    pub(crate) fn heap_registered(&mut self, heap: Option<Key>, handle: Handle) {
        if let Some(key) = heap {
            self.heaps.set_handle(key, handle);
        }
    }

    /// Returns what the heap was.
    pub(crate) fn heap_unregister(&mut self, domain: Handle, heap: Handle) -> Option<Range> {
        self.domain("heap_unregister", domain);
        if heap == 0 {
            violation!(4, "heap_unregister: null heap; its address is its handle");
            return None;
        }
        let Some(key) = self.find_heap("heap_unregister", heap) else {
            if !self.blind {
                violation!(6, "heap_unregister: {} is no live heap", Name(heap));
            }
            return None;
        };
        let left: Vec<Key> =
            self.regions.iter().filter(|(_, region)| region.heap == Some(key)).map(|(region, _)| region).collect();
        let entry = self.heaps.remove(key)?;
        if entry.domain != domain {
            violation!(3, "heap_unregister: {} is of domain {}", Name(heap), Name(entry.domain));
        }
        if !left.is_empty() {
            let (range, count) = (entry.range, left.len());
            violation!(5, "heap_unregister: {range} has {count} live regions");
            for region in left {
                self.regions.remove(region);
            }
        }
        Some(entry.range)
    }

    /// The heap of a handle. The address does where the tool gave no handle; where it gave one, that breaks a rule.
    fn find_heap(&self, call: &str, heap: Handle) -> Option<Key> {
        if let Some(key) = self.heaps.by_handle(heap) {
            return Some(key);
        }
        let key = self.heaps.at(heap as u64)?;
        let handle = self.heaps.get(key)?.handle;
        if handle != 0 {
            violation!(4, "{call}: heap {heap:#x} by address, its handle is {}", Name(handle));
        }
        Some(key)
    }

    /// Returns where each region stands, nothing for what no tool could record.
    pub(crate) fn regions_register(&mut self, domain: Handle, heap: Handle, ranges: &[Range]) -> Vec<Option<Key>> {
        self.domain("regions_register", domain);
        let known = if heap == 0 { None } else { self.find_heap("regions_register", heap) };
        if heap != 0 && known.is_none() && !self.blind {
            violation!(6, "regions_register: {} is no live heap", Name(heap));
        }
        let home = known.and_then(|key| self.heaps.get(key));
        if let Some(home) = home.filter(|home| home.domain != domain) {
            violation!(3, "regions_register: {} is of domain {}", Name(heap), Name(home.domain));
        }
        ranges.iter().map(|range| self.region_register(domain, known, range)).collect()
    }

    fn region_register(&mut self, domain: Handle, heap: Option<Key>, range: &Range) -> Option<Key> {
        if degenerate("regions_register", range) || self.blind {
            return None;
        }
        let heap = heap.or_else(|| self.heaps.innermost(range));
        let home = heap.and_then(|key| self.heaps.get(key)).map(|entry| entry.range);
        if let Some(home) = home {
            if !home.contains(range) {
                violation!(6, "regions_register: {range} is outside its heap {home}");
            }
            if home.device != range.device {
                let (own, other) = (range.device, home.device);
                violation!(5, "regions_register: {range} has device {own}, its heap {other}");
            }
        }
        for (_, other) in self.heaps.iter().filter(|(key, _)| Some(*key) != heap) {
            let other = other.range;
            let around = home.is_some_and(|home| other.contains(&home));
            if other.overlaps(range) && !around && home.is_none_or(|home| home.overlaps(&other)) {
                violation!(6, "regions_register: {range} lies across live heap {other}");
            }
        }
        if let Some(other) = self.regions.first_overlap(range).and_then(|k| self.regions.get(k)) {
            let whose = if other.heap == heap { "the same" } else { "another" };
            violation!(6, "regions_register: {range} overlaps {} of {whose} heap", other.range);
        }
        Some(self.regions.insert(Entry { domain, range: *range, handle: 0, heap }))
    }

    pub(crate) fn regions_registered(&mut self, regions: &[Option<Key>], handles: &[Handle]) {
        for (key, handle) in regions.iter().zip(handles) {
            if let Some(key) = key {
                self.regions.set_handle(*key, *handle);
            }
        }
    }

    /// Returns what each region was.
    pub(crate) fn regions_unregister(&mut self, domain: Handle, refs: &[RegionRef]) -> Vec<Option<Range>> {
        self.domain("regions_unregister", domain);
        refs.iter().map(|target| self.region_unregister(domain, target)).collect()
    }

    fn region_unregister(&mut self, domain: Handle, region: &RegionRef) -> Option<Range> {
        let target = region.target;
        let found = match region.kind {
            BY_HANDLE => self.regions.by_handle(target),
            BY_POINTER => self.regions.at(target as u64),
            kind => {
                violation!(0, "regions_unregister: {kind} is no kind of reference");
                return None;
            }
        };
        let Some(entry) = found.and_then(|key| self.regions.remove(key)) else {
            match (region.kind, target) {
                (BY_HANDLE, 0) => violation!(1, "regions_unregister: null handle"),
                (_, 0) => violation!(6, "regions_unregister: null pointer"),
                _ if self.blind => {}
                _ => violation!(6, "regions_unregister: {} is no live region", Name(target)),
            }
            return None;
        };
        let (range, handle) = (entry.range, entry.handle);
        if region.kind == BY_POINTER && handle != 0 {
            violation!(1, "regions_unregister: {range} by pointer, its handle is {}", Name(handle));
        }
        if entry.domain != domain {
            violation!(3, "regions_unregister: {range} is of domain {}", Name(entry.domain));
        }
        Some(range)
    }
}

/// Reports what no tool can do anything with.
fn degenerate(call: &str, range: &Range) -> bool {
    if range.start == 0 {
        violation!(6, "{call}: null address, size {}", range.size);
    }
    if range.size == 0 {
        violation!(6, "{call}: zero size at {:#x}", range.start);
    }
    if range.start.checked_add(range.size).is_none() {
        violation!(6, "{call}: {range} wraps around");
    }
    range.is_degenerate()
}

/// The rule for domain names.
pub(crate) fn is_name(name: &[u8]) -> bool {
    (1..=NAME_MAX).contains(&name.len()) && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}
