//! Heaps and regions as Valgrind's memcheck is told of them.
//!
//! | event | |
//! |---|---|
//! | a heap begins | nobody may access its memory |
//! | a region begins, ends | a block as of `malloc`'s, without a red zone: memcheck names it, with the stacks of both calls |
//! | a heap ends | its memory may be accessed, and holds something |
//!
//! Blocks may not overlap, or memcheck ends the process when it looks for leaks:
//! - A heap in a block of `malloc`'s may. But memcheck would name that block, and never a region; so it is shrunk to its first byte.
//! - A region that begins where such a block begins has the same name for memcheck. It is a block of a pool of its own.
//! - A region on which another heap lies is no block; what is beside that heap may be accessed.
//!
//! Some of this takes several requests, between which memory that is live may not be accessed. Another thread may run there, and do so:
//! meanwhile that is no error ([`unheeded`]).

use core::ops::Range;

use super::heaps::{Heap, Heaps, Key, Mark, Region};
use super::valgrind;

/// How far from a block of a pool memcheck still names it. When the block begins and when it ends, nobody may access that any more.
const ZONE: usize = 16;

/// As much as an allocator reads of its links at once, aligned to that.
pub(super) const WORDS: usize = 16;

/// A heap has begun. What lives in it already is told next; until then no access to it is an error.
pub(super) fn heap_begins(heaps: &mut Heaps, key: Key) {
    if let Some((outer, region)) = outer(heaps, key) {
        unheeded(&region.range(), || {
            if region.inner == 1 {
                // It is shrunk before, or memcheck would say of all that is in the new heap that it is in a block which was freed.
                if heaps.is_block(region.start) {
                    valgrind::pool_resize(region.start, region.start, 1);
                } else if region.size > 1 {
                    valgrind::resize(region.start, region.size, 1);
                }
                end_block(heaps, outer, &Region { size: 1, ..region });
            }
            heaps.beside(outer, region.range(), |piece| valgrind::defined(piece.start, piece.len()));
        });
    }
    let Some(heap) = heaps.get_mut(key) else { return };
    let (start, size) = (heap.start(), heap.end - heap.start());
    valgrind::ignore(&heap.range());
    if shrink(start, size) {
        heap.mark = Mark::Shrunk;
        valgrind::pool(start, ZONE);
    }
    valgrind::no_access(start, size);
}

/// All is known that lives in a heap.
pub(super) fn heap_has_begun(heap: &Heap) {
    valgrind::heed(&heap.range());
}

fn unheeded<R>(range: &Range<usize>, work: impl FnOnce() -> R) -> R {
    valgrind::ignore(range);
    let result = work();
    valgrind::heed(range);
    result
}

/// Shrinks the block of `malloc`'s that is all of the heap. Returns whether there is one.
fn shrink(start: usize, size: usize) -> bool {
    if size < 2 {
        return false;
    }
    let last = start + size - 1;
    valgrind::defined(last, 1);
    quietly(|| valgrind::resize(start, size, 1));
    !valgrind::is_accessible(last)
}

fn quietly(work: impl FnOnce()) {
    valgrind::disable();
    work();
    valgrind::enable();
}

/// The region that a heap lies on, and the heap which that is in.
fn outer(heaps: &mut Heaps, key: Key) -> Option<(Key, Region)> {
    let region = *heaps.under(key)?;
    Some((heaps.get(key)?.parent?, region))
}

/// A heap ends; its regions have ended before. It is still in the table.
pub(super) fn heap_ends(heaps: &mut Heaps, key: Key) {
    let Some(heap) = heaps.get(key) else { return };
    let (start, size, mark) = (heap.start(), heap.end - heap.start(), heap.mark);
    if mark != Mark::None {
        valgrind::unpool(start);
    }
    if mark == Mark::Shrunk {
        quietly(|| valgrind::resize(start, 1, size));
    }
    // If not all was known of it.
    valgrind::heed(&(start..start + size));
    // What inner heaps say of theirs stays.
    heaps.beside(key, start..start + size, |piece| valgrind::defined(piece.start, piece.len()));
    if let Some(heap) = heaps.get_mut(key) {
        heap.mark = Mark::None;
    }
    if let Some((outer, region)) = outer(heaps, key).filter(|(_, region)| region.inner == 1) {
        begin_block(heaps, outer, &region, true);
    }
}

/// A heap has another size. It is in the table with its new one.
pub(super) fn heap_resized(heaps: &mut Heaps, key: Key, old: usize) {
    let Some(heap) = heaps.get_mut(key) else { return };
    let (start, size) = (heap.start(), heap.end - heap.start());
    if heap.mark == Mark::Shrunk {
        // The body may tell `malloc` of it, which is to know the right size then.
        heap.mark = Mark::Restored;
        unheeded(&(start..start + old), || {
            quietly(|| valgrind::resize(start, 1, old));
            // At once: what is in there holds something.
            valgrind::defined(start, old);
            let inside = heaps.all().filter(|heap| (start..start + old).contains(&heap.start()) && heap.key >= key);
            for heap in inside {
                heap.gaps(|gap| valgrind::no_access(gap.start, gap.len()));
            }
        });
    }
    match start.wrapping_add(old) {
        end if size < old => valgrind::defined(start + size, end - (start + size)),
        end => {
            // As if it had begun.
            valgrind::ignore(&(end..start + size));
            valgrind::no_access(end, size - old);
        }
    }
}

/// A region is larger or smaller, where it was.
pub(super) fn region_resized(heaps: &Heaps, key: Key, old: &Region, new: &Region) {
    let start = new.start;
    let is_block = heaps.is_block(start);
    if is_block && (old.size > ZONE) != (new.size > ZONE) {
        return unheeded(&(start..new.end().max(old.end())), || {
            end_block(heaps, key, old);
            begin_block(heaps, key, new, true);
        });
    }
    if is_block {
        valgrind::pool_resize(start, start, new.size);
    } else {
        valgrind::resize(start, old.size, new.size);
    }
    if new.size > old.size {
        valgrind::defined(old.end(), new.size - old.size);
    } else {
        valgrind::no_access(new.end(), old.size - new.size);
    }
}

/// A region has begun. `defined`: it may hold something already.
pub(super) fn region_begins(heaps: &Heaps, key: Key, region: &Region, defined: bool) {
    if region.inner == 0 {
        begin_block(heaps, key, region, defined);
    } else {
        heaps.beside(key, region.range(), |piece| valgrind::defined(piece.start, piece.len()));
    }
}

/// A region has ended.
pub(super) fn region_ends(heaps: &Heaps, key: Key, region: &Region) {
    if region.inner == 0 {
        end_block(heaps, key, region);
    } else {
        heaps.beside(key, region.range(), |piece| valgrind::no_access(piece.start, piece.len()));
    }
}

/// Whether what is next to a region's end, as far as the zone of a pool goes, may be closed: there is nothing live.
fn has_room(heaps: &Heaps, key: Key, region: &Region) -> bool {
    let Some(heap) = heaps.get(key) else { return false };
    let gap = heap.gap(region.start, region.end());
    // Behind a block of `malloc`'s nobody may access anything anyhow.
    gap.end.saturating_sub(region.end()) >= ZONE || (gap.end == heap.end && heap.mark != Mark::None)
}

fn begin_block(heaps: &Heaps, key: Key, region: &Region, defined: bool) {
    let Region { start, size, .. } = *region;
    if !heaps.is_block(start) {
        return valgrind::block(start, size, defined);
    }
    // When it ends, others may have come next to it; then it takes the zone from its own end, so it must be larger.
    let zone = if size > ZONE && has_room(heaps, key, region) { ZONE } else { 0 };
    valgrind::unpool(start);
    valgrind::pool(start, zone);
    valgrind::pool_block(start, start, size);
    if defined {
        valgrind::defined(start, size);
    } else {
        valgrind::undefined(start, size);
    }
}

fn end_block(heaps: &Heaps, key: Key, region: &Region) {
    let Region { start, size, .. } = *region;
    if !heaps.is_block(start) {
        return valgrind::unblock(start);
    }
    let shrinks = size > ZONE && !has_room(heaps, key, region);
    if shrinks {
        valgrind::pool_resize(start, start, size - ZONE);
    }
    valgrind::pool_unblock(start, start);
    if shrinks {
        // It may have had no zone.
        valgrind::no_access(start, size);
    }
}

/// Nothing is checked any more, and other threads may go on.
///
/// No block stays: where one lies in a block of `malloc`'s, memcheck would look into the first alone, and take for lost what only the
/// rest of the other points to. Free memory is opened because an allocator may keep pointers there, which it would not follow otherwise.
pub(super) fn end(heaps: &Heaps) {
    heaps.all().for_each(|heap| valgrind::ignore(&heap.range()));
    // A heap of which nobody said that it has ended may be somebody else's memory by now.
    quietly(|| {
        for heap in heaps.all() {
            let blocks = heap.regions.from(heap.start()).filter(|region| region.inner == 0);
            blocks.for_each(|region| end_block(heaps, heap.key, region));
        }
        for heap in heaps.all() {
            let (start, size) = (heap.start(), heap.end - heap.start());
            if heap.mark != Mark::None {
                valgrind::unpool(start);
            }
            if heap.mark == Mark::Shrunk {
                valgrind::resize(start, 1, size);
            }
            valgrind::defined(start, size);
        }
    });
    heaps.all().for_each(|heap| valgrind::heed(&heap.range()));
}
