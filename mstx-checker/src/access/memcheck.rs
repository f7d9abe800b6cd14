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

use super::heaps::{Heaps, Key, Mark, Region};
use super::valgrind;

/// How far from a block of a pool memcheck still names it.
const ZONE: usize = 16;

/// A heap has begun.
pub(super) fn heap_begins(heaps: &mut Heaps, key: Key) {
    if let Some((outer, region)) = outer(heaps, key) {
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
    }
    let Some(heap) = heaps.get_mut(key) else { return };
    let (start, size) = (heap.start(), heap.end - heap.start());
    if shrink(start, size) {
        heap.mark = Mark::Shrunk;
        valgrind::pool(start, ZONE);
    }
    valgrind::no_access(start, size);
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
    // What inner heaps say of theirs stays.
    heaps.beside(key, start..start + size, |piece| valgrind::defined(piece.start, piece.len()));
    if let Some(heap) = heaps.get_mut(key) {
        heap.mark = Mark::None;
    }
    if let Some((_, region)) = outer(heaps, key).filter(|(_, region)| region.inner == 1) {
        begin_block(heaps, &region, true);
    }
}

/// A heap has another size. It is in the table with its new one.
pub(super) fn heap_resized(heaps: &mut Heaps, key: Key, old: usize) {
    let Some(heap) = heaps.get_mut(key) else { return };
    let (start, size) = (heap.start(), heap.end - heap.start());
    if heap.mark == Mark::Shrunk {
        // The body may tell `malloc` of it, which is to know the right size then.
        heap.mark = Mark::Restored;
        quietly(|| valgrind::resize(start, 1, old));
        valgrind::no_access(start, old);
        reopen(heaps, key);
    }
    match start.wrapping_add(old) {
        end if size < old => valgrind::defined(start + size, end - (start + size)),
        end => valgrind::no_access(end, size - old),
    }
}

/// Lets the live regions of a heap be accessed.
fn reopen(heaps: &Heaps, key: Key) {
    let Some(heap) = heaps.get(key) else { return };
    for region in heap.regions.from(heap.start()) {
        heaps.beside(key, region.range(), |piece| valgrind::defined(piece.start, piece.len()));
    }
}

/// A region has begun. `defined`: it may hold something already.
pub(super) fn region_begins(heaps: &Heaps, key: Key, region: &Region, defined: bool) {
    if region.inner == 0 {
        begin_block(heaps, region, defined);
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

fn begin_block(heaps: &Heaps, region: &Region, defined: bool) {
    let Region { start, size, .. } = *region;
    if !heaps.is_block(start) {
        return valgrind::block(start, size, defined);
    }
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
    let Some(heap) = heaps.get(key) else { return };
    let gap = heap.gap(start, region.end());
    // Behind a block of `malloc`'s nobody may access anything anyhow.
    let room = gap.end - region.end() >= ZONE || (gap.end == heap.end && heap.mark != Mark::None);
    if !room && size > ZONE {
        // What is closed beside the block shall be its own end, and not the beginning of the next one.
        valgrind::pool_resize(start, start, size - ZONE);
    }
    valgrind::pool_unblock(start, start);
    if !room && size <= ZONE {
        let zone = region.end()..region.end() + ZONE;
        let next = heap.regions.from(region.end()).take_while(|next| next.start < zone.end);
        next.for_each(|next| valgrind::defined(next.start, next.end().min(zone.end) - next.start));
    }
}

/// Nothing is checked any more. `live`: memcheck looks for leaks among what is live, as far as it can.
///
/// Free memory is opened because an allocator may keep pointers there, which memcheck would not follow otherwise. A heap in a block of
/// `malloc`'s becomes that block again: as long as there are other blocks in it, it would not be looked at.
pub(super) fn end(heaps: &Heaps, live: bool) {
    for heap in heaps.all() {
        let in_block = heaps.around(heap.start()).any(|heap| heap.mark != Mark::None);
        for region in heap.regions.from(heap.start()).filter(|region| region.inner == 0 && (in_block || !live)) {
            end_block(heaps, heap.key, region);
        }
    }
    for heap in heaps.all() {
        let (start, size) = (heap.start(), heap.end - heap.start());
        if heap.mark != Mark::None {
            valgrind::unpool(start);
        }
        if heap.mark == Mark::Shrunk {
            quietly(|| valgrind::resize(start, 1, size));
        }
    }
    heaps.all().for_each(|heap| valgrind::defined(heap.start(), heap.end - heap.start()));
}
