//! Generics, where clauses, lifetimes, `Self`, trait impls.

use std::cell::Cell;
use std::marker::PhantomData;

struct Slab<'p, T, const N: usize> {
    base: *mut u8,
    top: Cell<usize>,
    _l: PhantomData<&'p mut [T]>,
}

#[derive(Debug)]
struct Full<S>(PhantomData<S>);

impl<'p, T, const N: usize> Slab<'p, T, N>
where
    T: Default + Copy,
{
    const CAP: usize = 4096;

    #[expect(clippy::mut_from_ref, reason = "as pools do")]
    #[mstx::region(size = N * size_of::<U>())]
    pub(crate) fn take<'s, U>(&'s self, init: U) -> Result<&'s mut [U; N], Full<Self>>
    where
        U: Into<T> + Copy,
        'p: 's,
    {
        let at = self.top.get();
        if at + N * size_of::<U>() > Self::CAP {
            return Err(Full(PhantomData));
        }
        self.top.set(at + N * size_of::<U>());
        let _check: T = init.into();
        // SAFETY: there is room up to CAP.
        let p = unsafe { self.base.add(at) }.cast::<[U; N]>();
        // SAFETY: the memory is there, aligned for the types used here, and handed out once.
        unsafe { p.write([init; N]) };
        // SAFETY: as above; it was just written.
        Ok(unsafe { &mut *p })
    }

    #[expect(clippy::needless_arbitrary_self_type, reason = "the case is about such receivers")]
    #[mstx::region_unregister(ptr = p)]
    fn put(self: &Self, p: *mut T) -> Option<T>
    where
        Self: Sized,
    {
        p.is_null().then(T::default)
    }
}

trait Source {
    type Out;
    fn get(&self, n: usize) -> Self::Out;
}

impl<T, const N: usize> Source for Slab<'_, T, N> {
    type Out = *mut u8;

    #[mstx::region(size = n)]
    fn get(&self, n: usize) -> Self::Out {
        self.base.wrapping_add(self.top.replace(self.top.get() + n))
    }
}

fn slab<T, const N: usize>(mem: &mut [u64]) -> Slab<'_, T, N> {
    Slab { base: mem.as_mut_ptr().cast(), top: Cell::new(0), _l: PhantomData }
}

pub(super) fn c05() {
    let (mut first, mut second) = (vec![0_u64; 512], vec![0_u64; 512]);
    let s = slab::<u64, 4>(&mut first);
    assert_eq!(s.take(7_u64).ok().map(|taken| taken[3]), Some(7));
    assert!(!s.get(8).is_null() && s.put(std::ptr::null_mut()) == Some(0));
    let other = slab::<u32, 2>(&mut second);
    assert_eq!(other.take(5_u16).ok().map(|taken| taken[1]), Some(5));
    crate::report::faults();
    for domain in mstx::domains().filter(|domain| domain.name().ends_with("c05")) {
        println!("domain {}", domain.name());
    }
}
