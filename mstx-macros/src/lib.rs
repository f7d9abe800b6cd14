//! The attributes of [`mstx`](https://docs.rs/mstx).
#![forbid(unsafe_code)]

mod args;
mod expand;
mod groups;
mod input;
mod lints;
mod returns;
mod rewrite;
mod stack;
mod std_macros;
mod valid;
mod value;

use args::Word;
use proc_macro::TokenStream;

/// doc
#[proc_macro_attribute]
pub fn heap(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::Heap, args.into(), item.into()).into()
}

/// doc
#[proc_macro_attribute]
pub fn heap_unregister(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::HeapUnregister, args.into(), item.into()).into()
}

/// doc
#[proc_macro_attribute]
pub fn heap_reset(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::HeapReset, args.into(), item.into()).into()
}

/// doc
#[proc_macro_attribute]
pub fn heap_resize(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::HeapResize, args.into(), item.into()).into()
}

/// doc
#[proc_macro_attribute]
pub fn region(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::Region, args.into(), item.into()).into()
}

/// doc
#[proc_macro_attribute]
pub fn region_unregister(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::RegionUnregister, args.into(), item.into()).into()
}

/// doc
#[proc_macro_attribute]
pub fn region_resize(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::RegionResize, args.into(), item.into()).into()
}

/// doc
#[proc_macro_attribute]
pub fn flush(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::Flush, args.into(), item.into()).into()
}

/// doc
#[proc_macro_attribute]
pub fn range(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::Range, args.into(), item.into()).into()
}

/// doc
#[proc_macro_attribute]
pub fn allocator_internal(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(Word::AllocatorInternal, args.into(), item.into()).into()
}
