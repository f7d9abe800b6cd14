//! The attributes of `mstx`. Use them through that crate, which re-exports them: what they expand to is found in it.
//!
//! An attribute rewrites the function that it is put on so that calls of it report heaps and regions of memory to whatever tool
//! listens. Apart from that the function stays what it was: it compiles if it compiled before, does the same, keeps its place in
//! messages and its lints.
//!
//! What is common to them is told at [`region`](macro@region).

#![forbid(unsafe_code)]

mod args;
mod awaits;
mod derive;
mod expand;
mod groups;
mod input;
mod lints;
mod returns;
mod rewrite;
mod stack;
mod std_macros;
#[cfg(test)]
mod tests;
mod valid;
mod value;

use args::Word;
use derive::Derived;
use proc_macro::TokenStream;

/// Registers a heap when the function has obtained its memory: after the body, if that succeeded.
///
/// | argument | |
/// |---|---|
/// | `ptr = ..` | where the heap starts; without it, what the function returns |
/// | `size = ..` | its bytes; needed unless the type of the pointer knows them (`&mut [u8]`, `(ptr, usize)`) |
/// | `domain = ..` | a `Domain`, or a literal; without it, the domain named after the module |
/// | `name = ..` | how reports call the heap: a string |
/// | `host` | it is host memory: checked on the host, and sent only to tools that ask for such memory |
/// | `device = n` | it is memory of device `n`: sent to tools, and never accessed on the host |
/// | `deferred`, `deferred = n` | events of this heap are held back until a flush, or until `n` are pending |
///
/// `ptr`, `size`, `name`, `device` and `deferred` may use `ret`. Nothing is reported for `None`, `Err`, a null pointer or a
/// panic.
///
/// ```
/// use std::ptr::NonNull;
///
/// mstx::domain!(pub static KV_CACHE = "kv_cache");
///
/// struct Pool { base: NonNull<u8>, len: usize }
/// #[derive(Debug)]
/// struct OutOfMemory;
///
/// impl Pool {
///     #[mstx::heap(domain = KV_CACHE, ptr = ret.base, size = len)]
///     fn new(len: usize) -> Result<Self, OutOfMemory> {
///         let memory = NonNull::from(Box::leak(vec![0; len].into_boxed_slice()));
///         Ok(Self { base: memory.cast(), len })
///     }
/// }
/// # assert_eq!(Pool::new(64).unwrap().len, 64);
/// ```
#[proc_macro_attribute]
pub fn heap(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::Heap, args.into(), item.into()).into()
}

/// Unregisters a heap before the function gives its memory back: first its regions, then the heap itself.
///
/// | argument | |
/// |---|---|
/// | `heap = ..` | required: a `Heap` guard, a pointer to the heap's start or into it, or a type with `AsHeap` |
/// | `domain = ..` | only a heap of this domain: a `Domain`, or a literal |
///
/// ```
/// # use std::ptr::NonNull;
/// struct Pool { base: NonNull<[u8]> }
///
/// impl Pool {
///     #[mstx::heap_unregister(heap = self.base)]
///     fn release(self) {
///         // SAFETY: `base` comes from a leaked box, and nothing uses it any more.
///         drop(unsafe { Box::from_raw(self.base.as_ptr()) });
///     }
/// }
/// # Pool { base: NonNull::from(Box::leak(vec![0; 64].into_boxed_slice())) }.release();
/// ```
#[proc_macro_attribute]
pub fn heap_unregister(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::HeapUnregister, args.into(), item.into()).into()
}

/// Unregisters all regions of a heap before the function resets it, in one call of the tool.
///
/// | argument | |
/// |---|---|
/// | `heap = ..` | required: a `Heap` guard, a pointer to the heap's start or into it, or a type with `AsHeap` |
/// | `domain = ..` | only a heap of this domain: a `Domain`, or a literal |
///
/// ```
/// # use std::ptr::NonNull;
/// struct Arena { base: NonNull<u8>, used: usize }
///
/// impl Arena {
///     #[mstx::heap_reset(heap = self.base)]
///     fn reset(&mut self) {
///         self.used = 0;
///     }
/// }
/// # Arena { base: NonNull::dangling(), used: 3 }.reset();
/// ```
#[proc_macro_attribute]
pub fn heap_reset(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::HeapReset, args.into(), item.into()).into()
}

/// Reports the new size of a heap that grows or shrinks in place. Its regions stay.
///
/// A shrink is reported before the body, a growth after it, if it succeeded.
///
/// | argument | |
/// |---|---|
/// | `heap = ..` | required: a `Heap` guard, a pointer to the heap's start or into it, or a type with `AsHeap` |
/// | `size = ..` | required: the bytes of the whole heap from now on |
/// | `domain = ..` | only a heap of this domain: a `Domain`, or a literal |
///
/// ```
/// # use std::ptr::NonNull;
/// # struct Full;
/// struct Arena { base: NonNull<u8>, committed: usize, reserved: usize }
///
/// impl Arena {
///     #[mstx::heap_resize(heap = self.base, size = self.committed + more)]
///     fn commit(&mut self, more: usize) -> Result<(), Full> {
///         if more > self.reserved - self.committed {
///             return Err(Full);
///         }
///         self.committed += more;
///         Ok(())
///     }
/// }
/// # assert!(Arena { base: NonNull::dangling(), committed: 0, reserved: 4096 }.commit(64).is_ok());
/// ```
#[proc_macro_attribute]
pub fn heap_resize(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::HeapResize, args.into(), item.into()).into()
}

/// Registers the region, or the regions, that the function hands out: after the body, if that succeeded.
///
/// Several regions in one return value (`Vec`, arrays, `Box<[_]>`) are one call of the tool. With `#[track_caller]` on the function,
/// reports name the line that called it.
///
/// | argument | |
/// |---|---|
/// | `heap = ..` | the heap they are in; without it, the innermost heap that contains them, if any does |
/// | `ptr = ..` | where they are; without it, what the function returns |
/// | `size = ..` | the bytes of each; needed unless the type of the pointer knows them (`&mut [T]`, `(ptr, usize)`) |
/// | `domain = ..` | only a heap of this domain: a `Domain`, or a literal |
/// | `device = n` | for regions of no heap: they are memory of device `n` |
///
/// `ptr`, `size` and `device` may use `ret`. Nothing is reported for `None`, `Err`, a null pointer, a size of zero or a panic.
///
/// ```
/// use std::alloc::Layout;
/// use std::cell::Cell;
/// use std::ptr::NonNull;
///
/// struct Pool { base: NonNull<u8>, used: Cell<usize>, len: usize }
///
/// impl Pool {
///     #[mstx::region(heap = self.base, size = layout.size())]
///     #[track_caller]
///     fn alloc(&self, layout: Layout) -> Option<NonNull<u8>> {
///         let start = self.used.get().checked_next_multiple_of(layout.align())?;
///         let end = start.checked_add(layout.size())?;
///         if end > self.len {
///             return None;
///         }
///         self.used.set(end);
///         Some(self.base.map_addr(|base| base.saturating_add(start)))
///     }
///
///     #[mstx::region(heap = self.base, size = block.size())]
///     fn alloc_many(&self, n: usize, block: Layout) -> Vec<NonNull<u8>> {
///         (0..n).map_while(|_| self.alloc(block)).collect()
///     }
/// }
/// # let memory = NonNull::from(Box::leak(vec![0_u8; 64].into_boxed_slice()));
/// # let pool = Pool { base: memory.cast(), used: Cell::new(0), len: 64 };
/// # assert_eq!(pool.alloc_many(9, Layout::new::<u64>()).len(), 8);
/// ```
///
/// # Arguments
///
/// This holds for all attributes.
///
/// An argument is an expression over the function's parameters. It is evaluated once, before the body (which may move or shadow the
/// parameters), and only when a tool listens: it must not have side effects. Its type is checked in every build.
///
/// In [`heap`](macro@heap) and `region` an expression may use `ret`. It is evaluated after the body then, and `ret` is a reference
/// to what the function returned: to the success value, if that is an `Option` or a `Result`, or one of them in the other. Alone,
/// as in `ptr = ret`, it is that value.
///
/// ```
/// # use std::ptr::NonNull;
/// # struct Block { at: NonNull<u8>, bytes: usize }
/// # #[derive(Debug)] struct Full;
/// # struct Pool;
/// impl Pool {
///     #[mstx::region(ptr = ret.at, size = ret.bytes)]
///     fn alloc(&self, bytes: usize) -> Result<Block, Full> {
///         /* ... */
/// #       Ok(Block { at: NonNull::dangling(), bytes })
///     }
/// }
/// # assert!(Pool.alloc(3).is_ok());
/// ```
///
/// `ptr` takes what [`Regions`](derive@Regions) is implemented for, `Box`, `Vec` and their like (the memory that they own), and
/// addresses as integers. A reference to something with `Regions`, as to a pointer, means the regions of that.
///
/// `ptr` and `size` may be `Option`s: for `None`, nothing is reported. A field of a packed struct is written in a block, `{ self.base }`.
///
/// All attributes take `crate = path`, for crates that re-export `mstx` or know it by another name:
/// `#[my_crate::mstx::region(crate = my_crate::mstx, size = n)]`.
///
/// # Functions
///
/// All attributes can be put on functions and methods of any kind with a body: in traits and their impls, generic, unsafe, `extern`,
/// async (where "before the body" is the first poll), made by `macro_rules!`. Not on a `const fn`, which may run in the compiler;
/// nor, where the result is looked at, on a function that returns `impl Fn(..)`.
///
/// Tools that check accesses let the body through, and that of an async function between its `.await`s. If one of them may be in a macro
/// (any but those of the standard library, and for logging), such a body is not let through: what it accesses in free memory belongs
/// into a function of its own.
///
/// Several of them can be on one function, in any order: at the start of a call ranges begin, then what ends is reported, then
/// pending events are flushed; at its end heaps are reported, then regions.
///
/// A success value that is returned from inside a macro of your own (`my_return!(p)`) is not reported. Write `return` in the function
/// itself, or in the arguments of one of the standard library's macros; or add `returns_in_macros`, which runs the body as a closure:
/// then every way out is seen, `Location::caller()` in the body is the function itself, and parameters are dropped in another order.
/// (What `?` returns, or a macro such as `bail!`, is a failure, of which nothing would be reported.)
///
/// ```
/// macro_rules! give { ($block:expr) => { return $block }; }
///
/// #[mstx::region(size = 64, returns_in_macros)]
/// fn alloc(cached: Option<*mut u8>) -> *mut u8 {
///     if let Some(block) = cached {
///         give!(block);
///     }
///     /* ... */
/// #   std::ptr::null_mut()
/// }
/// # assert!(alloc(None).is_null());
/// ```
#[proc_macro_attribute]
pub fn region(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::Region, args.into(), item.into()).into()
}

/// Unregisters a region that the function takes back: before the body, since after it the memory may be someone else's.
///
/// If the function returns an `Err`, the region is registered again.
///
/// | argument | |
/// |---|---|
/// | `ptr = ..` | required: the region; `None` where nothing is released (a reference count that is not zero yet) |
/// | `size = ..` | its bytes: a region of zero was never reported, and its release is silent |
/// | `heap = ..` | the heap it is in |
/// | `domain = ..` | only a heap of this domain: a `Domain`, or a literal |
///
/// ```
/// # use std::cell::RefCell;
/// # use std::ptr::NonNull;
/// struct Pool { base: NonNull<u8>, free: RefCell<Vec<NonNull<u8>>> }
///
/// impl Pool {
///     #[mstx::region_unregister(heap = self.base, ptr = p)]
///     fn free(&self, p: NonNull<u8>) {
///         self.free.borrow_mut().push(p);
///     }
/// }
/// # let pool = Pool { base: NonNull::dangling(), free: RefCell::default() };
/// # pool.free(NonNull::dangling());
/// # assert_eq!(pool.free.borrow().len(), 1);
/// ```
#[proc_macro_attribute]
pub fn region_unregister(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::RegionUnregister, args.into(), item.into()).into()
}

/// Reports the new size, and the new place, of a region that the function resizes.
///
/// The old region leaves and the new one comes when the body has succeeded. A function that returns nothing or a `bool` resizes
/// in place. After `None`, `Err`, a null pointer, `false` or a panic, nothing has changed.
///
/// | argument | |
/// |---|---|
/// | `ptr = ..` | required: the region as it was |
/// | `size = ..` | required: its bytes from now on |
/// | `heap = ..` | the heap it is in |
/// | `domain = ..` | only a heap of this domain: a `Domain`, or a literal |
///
/// ```
/// # use std::ptr::NonNull;
/// struct Pool { base: NonNull<u8>, block: usize }
///
/// impl Pool {
///     #[mstx::region_resize(heap = self.base, ptr = p, size = new)]
///     fn realloc(&self, p: NonNull<u8>, new: usize) -> Option<NonNull<u8>> {
///         (new <= self.block).then_some(p)
///     }
/// }
/// # assert!(Pool { base: NonNull::dangling(), block: 64 }.realloc(NonNull::dangling(), 32).is_some());
/// ```
#[proc_macro_attribute]
pub fn region_resize(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::RegionResize, args.into(), item.into()).into()
}

/// Sends everything that is pending to the tools, before the body: for functions that start a kernel.
///
/// ```
/// # struct Kernel { name: &'static str }
/// #[mstx::flush]
/// fn launch(kernel: &Kernel) {
///     println!("launching {}", kernel.name);
/// }
/// # launch(&Kernel { name: "softmax" });
/// ```
#[proc_macro_attribute]
pub fn flush(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::Flush, args.into(), item.into()).into()
}

/// Opens an MSTX range at the start of the function and closes it at the end, whichever way it ends. In an async function, from
/// the first poll to its end.
///
/// | argument | |
/// |---|---|
/// | `name = ..` | the range's message: a string; without it, the function's name |
/// | `domain = ..` | a `Domain`, or a literal; without it, the default domain |
/// | `stream = ..` | an `aclrtStream`: the range is one of the device |
///
/// ```
/// #[mstx::range]
/// fn step() { /* ... */ }
///
/// #[mstx::range(name = format!("layer {n}"), domain = "model")]
/// fn layer(n: usize) { /* ... */ }
/// # step();
/// # layer(1);
/// ```
#[proc_macro_attribute]
pub fn range(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::Range, args.into(), item.into()).into()
}

/// Holds back what the function's thread reports, in its body and in everything that it calls, until the function ends: then at most one
/// call of the tool unregisters, and one registers, for each heap. What was registered and unregistered in the meantime is never
/// sent.
///
/// A batch in a batch is part of the outer one. A flush sends what is pending, the batch goes on. Until it ends the tool does not
/// know of what is held back: it is for the building of pools and tables, not for code that uses what it allocates on a device. The
/// built-in checker sees everything at once.
///
/// ```
/// # struct Pool;
/// # impl Pool { fn alloc(&self, _: usize) {} }
/// #[mstx::batch]
/// fn build_tables(pool: &Pool) {
///     for _ in 0..1000 {
///         pool.alloc(64); // one call of the tool for all of them
///     }
/// }
/// # build_tables(&Pool);
/// ```
///
/// Not on an `async fn`. For a closure there is `mstx::batch(|| ..)`.
#[proc_macro_attribute]
pub fn batch(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::Batch, args.into(), item.into()).into()
}

/// Says that what the function accesses is the allocator's own: headers, links in free blocks. Nothing is reported.
///
/// ```
/// /// Links a free block into the list that `head` begins.
/// ///
/// /// # Safety
/// ///
/// /// `block` is a block of the pool that nobody uses.
/// #[mstx::allocator_internal]
/// unsafe fn link(head: &mut *mut u8, block: *mut u8) {
///     // SAFETY: the block is large enough for a pointer, and nobody else's.
///     unsafe { block.cast::<*mut u8>().write_unaligned(*head) };
///     *head = block;
/// }
/// # let (mut head, mut block) = (std::ptr::null_mut(), [0_u8; 8]);
/// # // SAFETY: as above.
/// # unsafe { link(&mut head, block.as_mut_ptr()) };
/// ```
///
/// On an `async fn`, that is its own body, and not what it awaits. At an `.await` the thread does something else, so each must be seen: in
/// macros but those of the standard library and for logging there may be some, and with one of those it is refused.
#[proc_macro_attribute]
pub fn allocator_internal(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::AllocatorInternal, args.into(), item.into()).into()
}

/// Says which regions a struct stands for: those of its only field, or of the one that is marked `#[mstx(ptr)]`.
///
/// The field is what `ptr = ..` takes: a pointer, an integer that is an address, or something with `Regions`. A field that is marked
/// `#[mstx(size)]` says how many bytes it is; then derive [`KnowsSize`](derive@KnowsSize) too.
///
/// ```
/// /// A pointer to memory of a device.
/// #[derive(Clone, Copy, mstx::Regions)]
/// struct DevicePtr(u64);
///
/// #[derive(mstx::Regions, mstx::KnowsSize)]
/// struct Block {
///     #[mstx(ptr)]
///     at: DevicePtr,
///     #[mstx(size)]
///     bytes: u32,
///     class: u8,
/// }
///
/// #[mstx::region] // all is known from the type
/// fn alloc(bytes: u32) -> Option<Block> {
///     Some(Block { at: DevicePtr(0x1000), bytes, class: 0 })
/// }
/// # assert_eq!(alloc(8).unwrap().class, 0);
/// ```
///
/// `#[mstx(crate = path)]` on the struct is for crates that re-export `mstx`.
#[proc_macro_derive(Regions, attributes(mstx))]
pub fn derive_regions(item: TokenStream) -> TokenStream {
    derive::derive(Derived::Regions, item.into()).into()
}

/// Says that a struct knows how long its regions are: it has a field that is marked `#[mstx(size)]`, or one whose type knows.
///
/// See [`Regions`](derive@Regions).
#[proc_macro_derive(KnowsSize, attributes(mstx))]
pub fn derive_knows_size(item: TokenStream) -> TokenStream {
    derive::derive(Derived::KnowsSize, item.into()).into()
}

/// Says which heap a struct stands for: that of its only field, or of the one that is marked `#[mstx(heap)]`.
///
/// ```
/// # use std::ptr::NonNull;
/// #[derive(mstx::AsHeap)]
/// struct Pool {
///     #[mstx(heap)]
///     base: NonNull<u8>,
///     used: usize,
/// }
///
/// impl Pool {
///     #[mstx::heap_reset(heap = self)] // instead of `self.base`
///     fn reset(&mut self) {
///         self.used = 0;
///     }
/// }
/// # Pool { base: NonNull::dangling(), used: 1 }.reset();
/// ```
#[proc_macro_derive(AsHeap, attributes(mstx))]
pub fn derive_as_heap(item: TokenStream) -> TokenStream {
    derive::derive(Derived::AsHeap, item.into()).into()
}
