//! One event in 32 bytes.

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    HeapRegister,
    HeapResize,
    RangeStart,
    RegionRegister,
    RegionUnregister,
    Mark,
    RangeEnd,
    HeapUnregister,
}

impl Kind {
    const ALL: [Self; 8] = [
        Self::HeapRegister,
        Self::HeapResize,
        Self::RangeStart,
        Self::RegionRegister,
        Self::RegionUnregister,
        Self::Mark,
        Self::RangeEnd,
        Self::HeapUnregister,
    ];
}

/// When something happened, and in which thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Nanoseconds since the recording began.
    pub(crate) time: u64,
    /// The thread's number, from 1. The threads from 65,535 on share that number.
    pub(crate) thread: u16,
}

/// Nanoseconds that fit: more than two years.
const LATEST: u64 = u64::MAX >> 8;
/// The largest size that fits: 256 TiB, which is the address space of a process.
const LARGEST: u64 = u64::MAX >> 16;

/// What happened, when, in which thread, and to whom.
///
/// | kind | address | size | what | whose |
/// |---|---|---|---|---|
/// | heap | its first | bytes | its class | its number |
/// | region | its first | bytes | its origin | the number of its heap, or its ground |
/// | mark | | the stream | the message | the domain |
/// | range | its number | the stream | the message | the domain |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// The time, and in the lowest 8 bits the kind.
    stamp: u64,
    pub(crate) address: u64,
    /// The size, and in the lowest 16 bits the thread.
    extent: u64,
    pub(crate) what: u32,
    pub(crate) whose: u32,
}

impl Event {
    pub(crate) fn new(kind: Kind, at: Moment, address: u64, size: u64) -> Self {
        Self {
            stamp: at.time.min(LATEST) << 8 | kind as u64,
            address,
            extent: size.min(LARGEST) << 16 | u64::from(at.thread),
            what: 0,
            whose: 0,
        }
    }

    /// Says what it is, and whose.
    pub(crate) const fn of(mut self, what: u32, whose: u32) -> Self {
        self.what = what;
        self.whose = whose;
        self
    }

    pub(crate) const fn kind(&self) -> Kind {
        Kind::ALL[(self.stamp & 0x7) as usize]
    }

    pub(crate) const fn time(&self) -> u64 {
        self.stamp >> 8
    }

    pub(crate) const fn size(&self) -> u64 {
        self.extent >> 16
    }

    pub(crate) const fn moment(&self) -> Moment {
        Moment { time: self.time(), thread: (self.extent & 0xffff) as u16 }
    }

    /// The same event with another size.
    pub(crate) fn resized(mut self, size: u64) -> Self {
        self.extent = size.min(LARGEST) << 16 | self.extent & 0xffff;
        self
    }

    /// What orders events: the time, and at one time a heap before its regions.
    pub(crate) const fn order(&self) -> u64 {
        self.stamp
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, Kind, Moment};

    #[test]
    fn an_event_has_32_bytes() {
        assert_eq!(size_of::<Event>(), 32);
    }

    #[test]
    fn what_goes_in_comes_out() {
        for kind in Kind::ALL {
            let at = Moment { time: 0x00ab_cdef_0123_4567, thread: 0xfedc };
            let event = Event::new(kind, at, u64::MAX, 0x89ab_cdef_0123).of(7, 8);
            assert_eq!((event.kind(), event.moment(), event.address), (kind, at, u64::MAX));
            assert_eq!((event.size(), event.what, event.whose), (0x89ab_cdef_0123, 7, 8));
            assert_eq!((event.resized(5).size(), event.resized(5).moment()), (5, at));
        }
    }

    #[test]
    fn what_is_too_large_is_cut() {
        let event = Event::new(Kind::Mark, Moment { time: u64::MAX, thread: 0 }, 0, u64::MAX);
        assert_eq!((event.kind(), event.time(), event.size()), (Kind::Mark, u64::MAX >> 8, u64::MAX >> 16));
    }
}
