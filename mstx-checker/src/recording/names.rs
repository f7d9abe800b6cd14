//! What many events have in common, kept once and known by a number.

use hashbrown::HashTable;
use mstx_runtime::__private::Listed;
use mstx_runtime::{Label, Origin, Place};

use super::memory::{Vec, index, place, vec};
pub(crate) use super::once::UNKNOWN;
use super::once::{self, Once};
use crate::origin;

/// How many different texts, and how many different heaps, are kept: a program may make up names without end.
const MOST: usize = 1 << 16;
/// How many bytes of texts are kept.
const BYTES: usize = 16 << 20;

/// What heaps can have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Class {
    pub(crate) name: Label,
    /// The number of its domain.
    pub(crate) domain: u32,
    pub(crate) device: u32,
    pub(crate) place: Place,
    pub(crate) origin: u32,
}

impl Class {
    fn is(&self, other: &Self) -> bool {
        let key = |class: &Self| (class.domain, class.device, class.place, class.origin);
        key(self) == key(other) && self.name == other.name
    }

    fn hash(&self) -> u64 {
        once::hash(&(self.name.as_str(), self.domain, self.device, self.origin))
    }
}

/// Where regions of no heap are: a domain on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ground {
    /// The number of the domain.
    pub(crate) domain: u32,
    pub(crate) device: u32,
}

/// Everything that is known by a number.
pub(crate) struct Names {
    origins: Once<Origin>,
    classes: Once<Class>,
    grounds: Once<Ground>,
    domains: Texts,
    messages: Texts,
}

impl Names {
    pub(crate) const fn new() -> Self {
        Self { origins: Once::new(), classes: Once::new(), grounds: Once::new(), domains: Texts::new(), messages: Texts::new() }
    }

    pub(crate) fn origin(&mut self, origin: Origin) -> u32 {
        let is = |known: &Origin| origin::same(*known, origin);
        // As many as there are calls in the program.
        self.origins.number(origin, is, |origin| origin::hash(*origin), usize::MAX)
    }

    pub(crate) fn class(&mut self, class: Class) -> u32 {
        self.classes.number(class, |known| known.is(&class), Class::hash, MOST)
    }

    pub(crate) fn ground(&mut self, ground: Ground) -> u32 {
        self.grounds.number(ground, |known| *known == ground, once::hash, MOST)
    }

    pub(crate) fn domain(&mut self, name: &str) -> u32 {
        self.domains.number(name)
    }

    pub(crate) fn message(&mut self, message: &str) -> u32 {
        self.messages.number(message)
    }

    /// Forgets the messages that nobody speaks of any more. `renumber` is asked to change each number that somebody knows.
    pub(crate) fn forget_messages(&mut self, renumber: impl FnOnce(&mut dyn FnMut(&mut u32))) {
        let old = core::mem::replace(&mut self.messages, Texts::new());
        renumber(&mut |number| *number = old.get(*number).map_or(UNKNOWN, |message| self.messages.number(message)));
    }

    pub(crate) fn get_origin(&self, number: u32) -> Option<Origin> {
        self.origins.get(number)
    }

    pub(crate) fn get_class(&self, number: u32) -> Option<Class> {
        self.classes.get(number)
    }

    pub(crate) fn get_ground(&self, number: u32) -> Option<Ground> {
        self.grounds.get(number)
    }

    pub(crate) fn get_domain(&self, number: u32) -> Option<&str> {
        self.domains.get(number)
    }

    pub(crate) fn get_message(&self, number: u32) -> Option<&str> {
        self.messages.get(number)
    }

    /// How many origins there are; they are numbered from 0.
    pub(crate) fn origins(&self) -> usize {
        self.origins.len()
    }
}

/// Texts, one behind the other, each once.
pub(crate) struct Texts {
    bytes: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
    numbers: HashTable<u32, Listed>,
    last: u32,
}

impl Texts {
    pub(crate) const fn new() -> Self {
        Self { bytes: vec(), ends: vec(), numbers: HashTable::new_in(Listed), last: UNKNOWN }
    }

    fn get(&self, number: u32) -> Option<&str> {
        text(&self.bytes, &self.ends, number)
    }

    /// In the order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..place(self.ends.len())).map(|number| self.get(number).unwrap_or_default())
    }

    pub(crate) fn number(&mut self, new: &str) -> u32 {
        let Self { bytes, ends, numbers, last } = self;
        if text(bytes, ends, *last) == Some(new) {
            return *last;
        }
        if let Some(&known) = numbers.find(once::hash(new), |&number| text(bytes, ends, number) == Some(new)) {
            *last = known;
            return known;
        }
        let fits = ends.len() < MOST && bytes.len().saturating_add(new.len()) <= BYTES;
        let room = fits && bytes.try_reserve(new.len()).is_ok() && ends.try_reserve(1).is_ok();
        let rehash = |&number: &u32| text(bytes, ends, number).map_or(0, once::hash);
        if !room || numbers.try_reserve(1, rehash).is_err() {
            return UNKNOWN;
        }
        *last = place(ends.len());
        numbers.insert_unique(once::hash(new), *last, rehash);
        bytes.extend_from_slice(new.as_bytes());
        ends.push(bytes.len());
        *last
    }
}

fn text<'a>(bytes: &'a [u8], ends: &[usize], number: u32) -> Option<&'a str> {
    let number = index(number);
    let end = *ends.get(number)?;
    let start = number.checked_sub(1).map_or(Some(0), |before| ends.get(before).copied())?;
    core::str::from_utf8(bytes.get(start..end)?).ok()
}

#[cfg(test)]
mod tests {
    use super::{BYTES, Ground, MOST, Names, Texts, UNKNOWN};

    #[test]
    fn everything_stands_once() {
        let mut names = Names::new();
        let numbers = ["a", "", "b", "a", "", "b"].map(|text| names.message(text));
        assert_eq!(numbers, [0, 1, 2, 0, 1, 2]);
        assert_eq!((0..4).map(|number| names.get_message(number)).collect::<Vec<_>>(), [Some("a"), Some(""), Some("b"), None]);
        let ground = |domain| Ground { domain, device: 1 };
        assert_eq!([3, 4, 3].map(|domain| names.ground(ground(domain))), [0, 1, 0]);
        assert_eq!(names.get_ground(1), Some(ground(4)));
    }

    #[test]
    fn there_is_a_limit() {
        let mut names = Names::new();
        for n in 0..MOST {
            assert_eq!(names.message(&n.to_string()), u32::try_from(n).unwrap_or(UNKNOWN));
        }
        assert_eq!(names.message("one more"), UNKNOWN);
        assert_eq!(names.get_message(UNKNOWN), None);
        assert_eq!(names.message("77"), 77);
    }

    #[test]
    fn there_is_a_limit_of_bytes() {
        let mut texts = Texts::new();
        let long = "x".repeat(BYTES / 2);
        assert_eq!(texts.number(&long), 0);
        assert_eq!(texts.number(&format!("{long}y")), UNKNOWN);
        assert_eq!([texts.number(&long), texts.number("short")], [0, 1]);
    }

    #[test]
    fn messages_are_forgotten() {
        let mut names = Names::new();
        let mut known =
            ["a", "b", "c", "d"].map(|message| names.message(message)).into_iter().skip(2).chain([UNKNOWN]).collect::<Vec<_>>();
        names.forget_messages(|renumber| known.iter_mut().for_each(renumber));
        assert_eq!(known, [0, 1, UNKNOWN]);
        assert_eq!([0, 1, 2].map(|number| names.get_message(number)), [Some("c"), Some("d"), None]);
        assert_eq!(["d", "a"].map(|message| names.message(message)), [1, 2]);
    }
}
