//! Questions that an expansion asks of a value whose type it does not know.
//!
//! [`Probe`] has inherent methods for the types with a special answer, and derefs to [`Direct`], [`Buffer`] and then [`Other`],
//! whose methods of the same names answer for the types that are left. Method lookup tries them in that order, for concrete
//! types and without a trait in scope.

#![expect(clippy::unnecessary_wraps, clippy::unused_self, reason = "all answers to one question have one form")]

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::num::NonZeroUsize;
use core::ops::Deref;

use crate::value::{of_list, spans_of};
use crate::{KnowsSize, Regions, Report, Spans};

/// Asks about `value`.
pub const fn probe<T: ?Sized>(value: &T) -> Probe<'_, T> {
    Probe(Direct(Buffer(Other(value))))
}

/// First: types with an answer of their own, and references to what stands for regions.
#[derive(Debug)]
pub struct Probe<'a, T: ?Sized>(Direct<'a, T>);

/// Second: types that stand for regions.
#[derive(Debug)]
pub struct Direct<'a, T: ?Sized>(Buffer<'a, T>);

/// Third: owners of a buffer.
#[derive(Debug)]
pub struct Buffer<'a, T: ?Sized>(Other<'a, T>);

/// Last: all other types.
#[derive(Debug)]
pub struct Other<'a, T: ?Sized>(&'a T);

impl<'a, T: ?Sized> Deref for Probe<'a, T> {
    type Target = Direct<'a, T>;
    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'a, T: ?Sized> Deref for Direct<'a, T> {
    type Target = Buffer<'a, T>;
    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'a, T: ?Sized> Deref for Buffer<'a, T> {
    type Target = Other<'a, T>;
    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'a, T: ?Sized> Probe<'a, T> {
    const fn value(&self) -> &'a T {
        self.0.0.0.0
    }
}

// `peel`: the success value; `is_err`: whether it is an error.

// One inherent impl for each question and type of answer, and a trait behind it: with several, a value whose type is not known
// because of another error would make the compiler complain of "multiple applicable items" as well.

/// `Option` and `Result`.
pub trait Peel {
    /// What is in it.
    type Success;
    /// The success value.
    fn success(&self) -> Option<&Self::Success>;
}

impl<T> Peel for Option<T> {
    type Success = T;
    #[inline]
    fn success(&self) -> Option<&T> {
        self.as_ref()
    }
}

impl<T, E> Peel for Result<T, E> {
    type Success = T;
    #[inline]
    fn success(&self) -> Option<&T> {
        self.as_ref().ok()
    }
}

impl<'a, T: Peel> Probe<'a, T> {
    /// The value in `Some` or `Ok`.
    #[inline]
    #[must_use]
    pub fn peel(&self) -> Option<&'a T::Success> {
        self.value().success()
    }
}

impl<T, E> Probe<'_, Result<T, E>> {
    /// Whether it is `Err`.
    #[inline]
    #[must_use]
    pub const fn is_err(&self) -> bool {
        self.value().is_err()
    }
}

impl<'a, T: ?Sized> Other<'a, T> {
    /// The value itself, where it is neither `Option` nor `Result`.
    #[inline]
    #[must_use]
    pub const fn peel(&self) -> Option<&'a T> {
        Some(self.0)
    }

    /// Only a `Result` can be an error.
    #[inline]
    #[must_use]
    pub const fn is_err(&self) -> bool {
        false
    }
}

// `spans`: what the argument `ptr` stands for; `sized_spans`: the same where there is no argument `size`.

fn spans_of_list<T: Regions>(list: &[T]) -> Spans {
    let mut spans = Spans::new();
    of_list(list, &mut Report { spans: &mut spans });
    spans
}

fn pointer(address: usize) -> Spans {
    let mut spans = Spans::new();
    spans.push(address, None);
    spans
}

fn buffer<T: ?Sized>(value: &T) -> Spans {
    let mut spans = Spans::new();
    spans.push(core::ptr::from_ref(value).addr(), Some(size_of_val(value)));
    spans
}

/// What does not mean what [`Regions`] says of it: an address as an integer, and a reference to what stands for regions, which
/// means those and not the memory that it lies in.
pub trait Meant {
    /// What knows the size, or does not.
    type Of: ?Sized;
    /// What is meant.
    fn meant(&self) -> Spans;
}

macro_rules! behind_reference {
    ($($reference:ty)*) => {$(
        impl<T: Regions> Meant for $reference {
            type Of = T;
            fn meant(&self) -> Spans {
                spans_of(&**self)
            }
        }
    )*};
}
behind_reference!(&T &mut T);

/// The same for a list behind a reference.
macro_rules! list_behind_reference {
    ($($reference:ty)*) => {$(
        impl<T: Regions> Meant for $reference {
            type Of = T;
            fn meant(&self) -> Spans {
                spans_of_list(self)
            }
        }
    )*};
}
list_behind_reference!(&[T] &mut [T]);

macro_rules! integer {
    ($($integer:ty: $address:expr;)*) => {$(
        /// An address as an integer: only here, never as a return type.
        impl Meant for $integer {
            type Of = $integer;
            fn meant(&self) -> Spans {
                let address: fn($integer) -> usize = $address;
                pointer(address(*self))
            }
        }
        /// The address, and not where it is kept.
        impl Meant for &$integer {
            type Of = $integer;
            fn meant(&self) -> Spans {
                (**self).meant()
            }
        }
        /// The address, and not where it is kept.
        impl Meant for &mut $integer {
            type Of = $integer;
            fn meant(&self) -> Spans {
                (**self).meant()
            }
        }
        /// `None` is no region.
        impl Meant for Option<$integer> {
            type Of = $integer;
            fn meant(&self) -> Spans {
                self.as_ref().map_or_else(Spans::new, Meant::meant)
            }
        }
    )*};
}
integer! {
    usize: |address| address;
    u64: |address| usize::try_from(address).unwrap_or(0);
    NonZeroUsize: NonZeroUsize::get;
}

impl<T: Meant> Probe<'_, T> {
    /// What is meant.
    #[must_use]
    pub fn spans(&self) -> Spans {
        self.value().meant()
    }

    /// The same, where the type says how long the regions are. The bound is not one of the impl: where it does not hold, no other
    /// answer is looked for.
    #[must_use]
    pub fn sized_spans(&self) -> Spans
    where
        T::Of: KnowsSize,
    {
        self.value().meant()
    }
}

impl<T: Regions + ?Sized> Direct<'_, T> {
    /// Pointers, references, lists of them, and types with `Regions`.
    #[must_use]
    pub fn spans(&self) -> Spans {
        spans_of(self.0.0.0)
    }

    /// The same, where the type says how long the regions are. A list of thin pointers is not taken for the memory of the list.
    #[must_use]
    pub fn sized_spans(&self) -> Spans
    where
        T: KnowsSize,
    {
        spans_of(self.0.0.0)
    }
}

/// What owns memory.
pub trait Owner {
    /// The owned memory.
    fn memory(&self) -> Spans;
}

macro_rules! owner {
    ($($owner:ty)*) => {$(
        impl<T: ?Sized> Owner for $owner {
            fn memory(&self) -> Spans {
                buffer::<T>(self)
            }
        }
    )*};
}
owner!(Box<T> Rc<T> Arc<T>);

impl<T> Owner for Vec<T> {
    fn memory(&self) -> Spans {
        buffer(self.as_slice())
    }
}

impl<T: Owner> Buffer<'_, T> {
    /// The owned memory.
    #[must_use]
    pub fn spans(&self) -> Spans {
        self.0.0.memory()
    }

    /// The owned memory, whose size is known.
    #[must_use]
    pub fn sized_spans(&self) -> Spans {
        self.0.0.memory()
    }
}

impl<T: ?Sized> Other<'_, T> {
    /// Here only for its error message: where the bound holds, [`Probe::spans`] is found first.
    #[must_use]
    pub fn spans(&self) -> Spans
    where
        T: Regions,
    {
        spans_of(self.0)
    }

    /// Here only for its error message: where the bounds hold, [`Probe::sized_spans`] is found first.
    #[must_use]
    pub fn sized_spans(&self) -> Spans
    where
        T: Regions + KnowsSize,
    {
        spans_of(self.0)
    }
}

// `moved`: where a resized region is now.

/// What a resize returns.
pub trait Moved {
    /// Where the region is now.
    fn to(&self) -> Spans;
}

/// Nothing returned: resized in place.
impl Moved for () {
    fn to(&self) -> Spans {
        Spans::same_place()
    }
}

/// Resized in place, or refused.
impl Moved for bool {
    fn to(&self) -> Spans {
        if *self { Spans::same_place() } else { Spans::new() }
    }
}

/// Resized in place, or refused.
impl Moved for Option<()> {
    fn to(&self) -> Spans {
        self.is_some().to()
    }
}

/// Resized in place, or refused.
impl<E> Moved for Result<(), E> {
    fn to(&self) -> Spans {
        self.is_ok().to()
    }
}

/// Resized in place, or refused.
impl<E> Moved for Result<bool, E> {
    fn to(&self) -> Spans {
        matches!(self, Ok(true)).to()
    }
}

/// Where the value says; a refusal stands for no region.
impl<T: Regions + ?Sized> Moved for T {
    fn to(&self) -> Spans {
        spans_of(self)
    }
}

impl<T: Moved + ?Sized> Probe<'_, T> {
    /// Where the region is now.
    #[must_use]
    pub fn moved(&self) -> Spans {
        self.value().to()
    }
}

impl<T: ?Sized> Other<'_, T> {
    /// Here only for its error message.
    #[must_use]
    pub fn moved(&self) -> Spans
    where
        T: Regions,
    {
        spans_of(self.0)
    }
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;
    use alloc::vec;
    use alloc::vec::Vec;
    use core::ptr::NonNull;

    use super::probe;
    use crate::{KnowsSize, Regions, Report, Spans};

    /// A block of a pool of the user's.
    struct Block(usize);

    impl Regions for Block {
        fn regions(&self, report: &mut Report<'_>) {
            report.region(self.0, 64);
        }
    }
    impl KnowsSize for Block {}

    fn list(spans: &Spans) -> Vec<(usize, Option<usize>)> {
        spans.iter().map(|span| (span.start, span.size)).collect()
    }

    #[test]
    fn what_stands_for_regions_does_so_behind_a_reference_too() {
        let block = Block(0x1000);
        let blocks = [Block(0x1000), Block(0x2000)];
        let one = [(0x1000, Some(64))];
        let both = [(0x1000, Some(64)), (0x2000, Some(64))];
        assert_eq!(list(&probe(&block).spans()), one);
        assert_eq!(list(&probe(&&block).spans()), one);
        assert_eq!(list(&probe(&&block).sized_spans()), one);
        assert_eq!(list(&probe(&&mut Block(0x1000)).spans()), one);
        assert_eq!(list(&probe(&&blocks).spans()), both);
        assert_eq!(list(&probe(&&blocks[..]).spans()), both);
        assert_eq!(list(&probe(&vec![Block(0x1000), Block(0x2000)]).sized_spans()), both);
        assert_eq!(list(&probe(&&NonNull::<u8>::dangling()).spans()), [(1, None)]);
    }

    #[test]
    fn memory_is_a_region_where_it_stands_for_none() {
        let bytes = [0_u8; 4];
        let here = bytes.as_ptr().addr();
        assert_eq!(list(&probe(&&bytes[1..]).spans()), [(here + 1, Some(3))]);
        assert_eq!(list(&probe(&&bytes).sized_spans()), [(here, Some(4))]);
        let boxed = Box::new([0_u16; 4]);
        let there = boxed.as_ptr().addr();
        assert_eq!(list(&probe(&boxed).spans()), [(there, Some(8))]);
        let buffer = vec![0_u32; 4];
        assert_eq!(list(&probe(&buffer).sized_spans()), [(buffer.as_ptr().addr(), Some(16))]);
    }

    #[test]
    fn integers_are_addresses() {
        assert_eq!(list(&probe(&0x1000_usize).spans()), [(0x1000, None)]);
        assert_eq!(list(&probe(&&0x1000_u64).spans()), [(0x1000, None)]);
        assert_eq!(list(&probe(&None::<u64>).spans()), []);
        assert_eq!(list(&probe(&Some(0x1000_usize)).spans()), [(0x1000, None)]);
    }

    #[test]
    fn a_resize_says_where_the_region_is_now() {
        assert!(probe(&()).moved().is_same_place());
        assert!(probe(&true).moved().is_same_place());
        assert!(probe(&Ok::<_, u8>(())).moved().is_same_place());
        assert!(!probe(&false).moved().is_same_place());
        assert_eq!(list(&probe(&None::<()>).moved()), []);
        assert_eq!(list(&probe(&Some(Block(0x1000))).moved()), [(0x1000, Some(64))]);
    }
}
