//! Numbers for domains and origins, so that a region's record is small.

use core::ffi::CStr;
use core::hash::{BuildHasherDefault, Hasher};

use hashbrown::HashTable;

use crate::domain::{MAX_DEFAULT_NAME, MAX_NAME, Name, check};
use crate::label::FloorBoundary;
use crate::listed::Listed;
use crate::live::memory::{Full, Grow, Vec, keep, vec};
use crate::tool::Handle;
use crate::{Answer, Domain, DomainInfo, Origin};

/// Mixes what is hashed; the keys here are addresses and names of the program itself, so nobody attacks them.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

/// For hash maps that use [`Mix`].
pub(crate) type Hashing = BuildHasherDefault<Mix>;

fn mix(words: impl IntoIterator<Item = usize>) -> u64 {
    let mut hasher = Mix::default();
    words.into_iter().for_each(|word| hasher.write_usize(word));
    hasher.finish()
}

/// The origins seen so far.
pub(crate) struct Origins {
    list: Vec<Origin>,
    table: HashTable<u32, Listed>,
}

/// An origin's number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OriginId(u32);

impl Origins {
    pub(crate) const fn new() -> Self {
        Self { list: vec(), table: HashTable::new_in(Listed) }
    }

    fn hash(origin: &Origin) -> u64 {
        // In one word with the site: where there is no address, it costs nothing.
        let site = core::ptr::from_ref(origin.site).addr().wrapping_add(origin.address);
        mix([site, core::ptr::from_ref(origin.caller).addr()])
    }

    /// The number of an origin that was seen before.
    pub(crate) fn find(&self, origin: &Origin) -> Option<OriginId> {
        let same = |&index: &u32| {
            let known = &self.list[index as usize];
            let called = core::ptr::eq(known.site, origin.site) && core::ptr::eq(known.caller, origin.caller);
            called && known.address == origin.address
        };
        self.table.find(Self::hash(origin), same).copied().map(OriginId)
    }

    pub(crate) fn number(&mut self, origin: Origin) -> Result<OriginId, Full> {
        if let Some(known) = self.find(&origin) {
            return Ok(known);
        }
        let hash = Self::hash(&origin);
        let index = u32::try_from(self.list.len()).map_err(|_| Full)?;
        self.table.try_reserve(1, |&index| Self::hash(&self.list[index as usize])).map_err(|_| Full)?;
        self.list.add(origin)?;
        self.table.insert_unique(hash, index, |&index| Self::hash(&self.list[index as usize]));
        Ok(OriginId(index))
    }

    pub(crate) fn get(&self, id: OriginId) -> Origin {
        self.list[id.0 as usize]
    }
}

/// A domain's number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DomainId(pub(crate) u16);

/// A domain as the books know it.
pub(crate) struct KnownDomain {
    name: &'static str,
    /// Under which of the tool's domains it is sent.
    wire: u16,
    /// How many heaps of it are live.
    pub(crate) heaps: usize,
}

/// A domain as the injected tool knows it: two of the program's may be renamed to one.
#[derive(Clone, Copy)]
pub(crate) struct WireDomain {
    pub(crate) name: &'static CStr,
    pub(crate) answer: Answer,
    pub(crate) handle: Handle,
}

/// The domains used so far.
pub(crate) struct Domains {
    list: Vec<KnownDomain>,
    pub(crate) wire: Vec<WireDomain>,
}

/// Where a default name is spelled out.
struct Spelling {
    bytes: [u8; MAX_NAME],
    length: usize,
}

impl Spelling {
    fn push(&mut self, byte: u8) {
        if self.length < MAX_NAME {
            self.bytes[self.length] = byte;
            self.length += 1;
        }
    }

    /// The path of a module in the letters that tools take.
    fn of_module(path: &str) -> Self {
        let mut spelling = Self { bytes: [0; MAX_NAME], length: 0 };
        let mut rest = path;
        while let Some(&byte) = rest.as_bytes().first() {
            if let Some(after) = rest.strip_prefix("r#") {
                rest = after;
                continue;
            }
            match byte {
                // Of a path's `::`, each colon becomes one underscore.
                b':' => spelling.push(b'_'),
                byte if byte.is_ascii_alphanumeric() || byte == b'_' => spelling.push(byte),
                _ => {
                    // A character of several bytes: each of them.
                    let character = rest.chars().next().map_or(1, char::len_utf8);
                    for &byte in &rest.as_bytes()[..character] {
                        spelling.push(b'x');
                        spelling.push(hex(byte >> 4));
                        spelling.push(hex(byte & 15));
                    }
                    rest = &rest[character..];
                    continue;
                }
            }
            rest = &rest[1..];
        }
        if spelling.length > MAX_DEFAULT_NAME {
            spelling.cut(path);
        }
        spelling
    }

    /// Replaces the end by a hash of the whole, so that long names stay distinct.
    fn cut(&mut self, path: &str) {
        let mut hash = mix(path.bytes().map(usize::from));
        self.length = MAX_DEFAULT_NAME;
        for place in (MAX_DEFAULT_NAME - 16..MAX_DEFAULT_NAME).rev() {
            self.bytes[place] = hex((hash & 15) as u8);
            hash >>= 4;
        }
    }

    fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.length]).unwrap_or("mstx")
    }
}

const fn hex(digit: u8) -> u8 {
    b"0123456789abcdef"[(digit & 15) as usize]
}

impl Domains {
    pub(crate) const fn new() -> Self {
        Self { list: vec(), wire: vec() }
    }

    /// The number of a domain; `rename` says under which name the tool is to know it, if under another.
    pub(crate) fn number(
        &mut self,
        domain: &Domain,
        rename: impl FnOnce(&str) -> Option<&'static str>,
    ) -> Result<DomainId, Full> {
        if let Some(number) = domain.number.get() {
            return Ok(DomainId(u16::try_from(number.get() - 1).map_err(|_| Full)?));
        }
        let id = match domain.naming() {
            Name::Exact(name) => self.by_name(name, rename),
            Name::Module(path) => self.by_name(Spelling::of_module(path).as_str(), rename),
        }?;
        // All threads would store the same number.
        let _ = domain.number.set(core::num::NonZeroUsize::MIN.saturating_add(id.0.into()));
        Ok(id)
    }

    /// The number of the domain of this name.
    pub(crate) fn by_name(&mut self, name: &str, rename: impl FnOnce(&str) -> Option<&'static str>) -> Result<DomainId, Full> {
        if let Some(index) = self.list.iter().position(|known| known.name == name) {
            return Ok(DomainId(u16::try_from(index).map_err(|_| Full)?));
        }
        let index = u16::try_from(self.list.len()).map_err(|_| Full)?;
        let renamed = rename(name).filter(|new| check(new).is_ok());
        let wire = self.wire_by_name(renamed.unwrap_or(name))?;
        let name = core::str::from_utf8(keep(name.as_bytes())?).unwrap_or_default();
        self.list.add(KnownDomain { name, wire, heaps: 0 })?;
        Ok(DomainId(index))
    }

    fn wire_by_name(&mut self, name: &str) -> Result<u16, Full> {
        if let Some(index) = self.wire.iter().position(|wire| wire.name.to_bytes() == name.as_bytes()) {
            return u16::try_from(index).map_err(|_| Full);
        }
        let index = u16::try_from(self.wire.len()).map_err(|_| Full)?;
        self.wire.add(WireDomain { name: keep_c(name)?, answer: Answer::NotAsked, handle: Handle::NONE })?;
        Ok(index)
    }

    pub(crate) fn get(&self, id: DomainId) -> &KnownDomain {
        &self.list[usize::from(id.0)]
    }

    pub(crate) fn get_mut(&mut self, id: DomainId) -> &mut KnownDomain {
        &mut self.list[usize::from(id.0)]
    }

    pub(crate) fn name(&self, id: DomainId) -> &'static str {
        self.get(id).name
    }

    /// Under which of the tool's domains it is sent.
    pub(crate) fn wire(&self, id: DomainId) -> u16 {
        self.get(id).wire
    }

    /// How many the injected tool has refused.
    pub(crate) fn refused(&self) -> usize {
        self.list.iter().filter(|known| self.wire[usize::from(known.wire)].answer == Answer::Refused).count()
    }

    pub(crate) fn info(&self, index: usize) -> Option<DomainInfo> {
        let known = self.list.get(index)?;
        let wire = &self.wire[usize::from(known.wire)];
        let renamed = wire.name.to_str().ok().filter(|&name| name != known.name);
        Some(DomainInfo { name: known.name, renamed, answer: wire.answer })
    }
}

/// Copies `text`, up to an inner NUL, to a C string that is never given back.
fn keep_c(text: &str) -> Result<&'static CStr, Full> {
    let mut bytes = [0; MAX_NAME + 1];
    let end = text.floor_boundary(MAX_NAME);
    bytes[..end].copy_from_slice(&text.as_bytes()[..end]);
    CStr::from_bytes_until_nul(keep(&bytes[..=end])?).map_err(|_| Full)
}

#[cfg(test)]
mod tests {
    use std::borrow::ToOwned;
    use std::format;

    use super::Spelling;

    #[test]
    fn modules_become_names() {
        for (path, name) in [
            ("my_crate::gpu::pool", "my_crate__gpu__pool"),
            ("a::r#type::b", "a__type__b"),
            ("größe", "grxc3xb6xc3x9fe"),
        ] {
            assert_eq!(Spelling::of_module(path).as_str(), name);
        }
    }

    #[test]
    fn long_names_are_cut_and_stay_distinct() {
        let long = "m::".repeat(200);
        let names = ["a", "b"].map(|end| Spelling::of_module(&format!("{long}{end}")).as_str().to_owned());
        assert_eq!(names[0].len(), 255);
        assert_eq!(names[0][..239], names[1][..239]);
        assert_ne!(names[0], names[1]);
    }
}
