//! Memory that is off limits for the program, and open while the allocator's own code runs.
//!
//! AddressSanitizer has no switch for one thread, and an allocator may access all of its free memory: links in released blocks, headers
//! between live ones. So what is off limits is opened whenever a thread begins to run the allocator's code, and closed when the last
//! one is through. For that not to cost more the larger a heap is, what is off limits is a limited number of windows of limited size:
//! beside the regions that were registered last, and in those that were released last.
//!
//! Memory may become somebody else's, and nobody says so. A window that was changed while it was closed is forgotten.

use core::ops::Range;

use super::sanitizer;

/// How many there are at most. Each is opened and closed with every call of an annotated function.
const MOST: usize = 256;
/// How large each is at most. A whole gap up to that size is off limits; of a larger one, what is next to a live region.
const SIZE: usize = 4096;
const EMPTY: Range<usize> = 0..0;

/// The windows. In none of them is there memory that is live.
pub(super) struct Windows {
    list: [Range<usize>; MOST],
    /// Up to here there are any.
    used: usize,
    /// The place of the oldest one, once all are used.
    oldest: usize,
    /// How many calls are in the allocator's code.
    inside: usize,
}

impl Windows {
    pub(super) const fn new() -> Self {
        Self { list: [const { EMPTY }; MOST], used: 0, oldest: 0, inside: 0 }
    }

    fn close(&self, range: &Range<usize>) {
        if self.inside == 0 && !range.is_empty() {
            sanitizer::poison(range.start, range.len());
        }
    }

    fn open(&self, range: &Range<usize>) {
        if self.inside == 0 && !range.is_empty() {
            sanitizer::unpoison(range.start, range.len());
        }
    }

    /// A call begins to run the allocator's code.
    pub(super) fn enter(&mut self) {
        if self.inside == 0 {
            self.forget_changed();
            self.list[..self.used].iter().for_each(|window| self.open(window));
        }
        self.inside += 1;
    }

    /// It is through.
    pub(super) fn leave(&mut self) {
        self.inside = self.inside.saturating_sub(1);
        if self.inside == 0 {
            self.list[..self.used].iter().for_each(|window| self.close(window));
        }
    }

    /// Nobody is in the allocator's code, so all are closed; but for those that somebody else has opened.
    fn forget_changed(&mut self) {
        for window in &mut self.list[..self.used] {
            if window.start < window.end && !sanitizer::is_poisoned(window) {
                *window = EMPTY;
            }
        }
    }

    /// One more, of the first bytes of `range`, in which nothing is live.
    pub(super) fn first(&mut self, range: Range<usize>) {
        let end = range.end.min(range.start.saturating_add(SIZE));
        self.add(range.start..end);
    }

    /// One more, of the last bytes of `range`.
    pub(super) fn last(&mut self, range: Range<usize>) {
        let start = range.start.max(range.end.saturating_sub(SIZE));
        self.add(start..range.end);
    }

    fn add(&mut self, range: Range<usize>) {
        let known = |window: &Range<usize>| window.start <= range.start && range.end <= window.end;
        if range.is_empty() || self.list[..self.used].iter().any(known) {
            return;
        }
        self.close(&range);
        let empty = self.list[..self.used].iter().position(Range::is_empty);
        if let Some(place) = empty.or_else(|| (self.used < MOST).then_some(self.used)) {
            self.used = self.used.max(place + 1);
            self.list[place] = range;
            return;
        }
        let old = core::mem::replace(&mut self.list[self.oldest], range);
        self.oldest = (self.oldest + 1) % MOST;
        self.open(&old);
        // Where it lay partly in others, these are still closed.
        self.list.iter().filter(|window| window.start < old.end && old.start < window.end).for_each(|window| self.close(window));
    }

    /// This is live, or nobody's concern, from now on.
    pub(super) fn remove(&mut self, range: &Range<usize>) {
        for place in 0..self.used {
            let window = self.list[place].clone();
            if window.is_empty() || window.end <= range.start || range.end <= window.start {
                continue;
            }
            self.open(&(window.start.max(range.start)..window.end.min(range.end)));
            self.list[place] = window.start..range.start.max(window.start);
            let rest = range.end.min(window.end)..window.end;
            if self.list[place].is_empty() {
                self.list[place] = rest;
            } else if !rest.is_empty() {
                self.open(&rest);
                self.add(rest);
            }
        }
    }

    /// None any more.
    pub(super) fn clear(&mut self) {
        if self.inside == 0 {
            self.forget_changed();
        }
        self.list[..self.used].iter().for_each(|window| self.open(window));
        (self.used, self.oldest) = (0, 0);
    }
}
