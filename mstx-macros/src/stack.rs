//! Several of our words on one function: their order, and what cannot be combined.
//!
//! The compiler expands the topmost attribute first, so its code ends up innermost. The words have an order of their own,
//! whichever is written first: an attribute that finds one below itself that belongs further inside puts itself below that one
//! and is done.

use crate::args::{Args, Word};
use crate::groups::ours;
use crate::input::{Attr, Input};
use crate::valid::Errors;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::{Error, Path};

/// From the inside to the outside. What is further inside comes later at the start of a call, and earlier at its end:
/// - a flush sends what the words before it have reported;
/// - a heap has grown, or exists, when the regions in it are registered;
/// - a heap on a region ends before that region does;
/// - what a function takes in exchange is registered after the old is gone;
/// - a batch holds back what all of these report;
/// - a range covers everything.
const ORDER: [Word; 11] = [
    Word::AllocatorInternal,
    Word::Flush,
    Word::HeapResize,
    Word::RegionResize,
    Word::RegionUnregister,
    Word::HeapReset,
    Word::HeapUnregister,
    Word::Heap,
    Word::Region,
    Word::Batch,
    Word::Range,
];

/// What two words would say of one call that cannot both be true.
const CONTRADICTIONS: [(Word, Word, &str); 6] = [
    (Word::RegionResize, Word::Region, "a resize registers the region at its new place itself"),
    (Word::RegionResize, Word::RegionUnregister, "a region that is released is not resized"),
    (Word::Heap, Word::HeapResize, "a heap that is new has its size already"),
    (Word::Heap, Word::HeapReset, "a heap that is new has no regions to end"),
    (Word::HeapUnregister, Word::HeapResize, "a heap that ends has no new size"),
    (Word::HeapUnregister, Word::HeapReset, "the end of a heap ends its regions, too"),
];

/// Refuses what cannot be combined with an attribute below this one.
pub(crate) fn check(args: &Args, input: &Input, errors: &mut Errors) {
    let word = args.word;
    let name = word.name();
    for (other, attr) in below(args.krate.as_ref(), input) {
        let contradiction = CONTRADICTIONS.iter().find(|(a, b, _)| (word, other) == (*a, *b) || (other, word) == (*a, *b));
        if other == word {
            let text = format!("`#[mstx::{name}]` is on this function twice");
            errors.push(Error::new_spanned(attr, text));
        } else if let Some((_, _, why)) = contradiction {
            let text = format!("`#[mstx::{name}]` and `#[mstx::{}]` cannot be on one function: {why}", other.name());
            errors.push(Error::new_spanned(attr, text));
        }
    }
}

/// The function with this attribute moved below the others, if one of them must be expanded first.
pub(crate) fn moved(args: &Args, written: &TokenStream, input: &Input) -> Option<TokenStream> {
    let Args { word, krate, .. } = args;
    if !below(krate.as_ref(), input).any(|(other, _)| place(other) < place(*word)) {
        return None;
    }
    let here = ours().located_at(Span::call_site());
    let name = Ident::new(word.name(), here);
    let path = match krate {
        Some(krate) => quote_spanned!(here=> #krate::#name),
        None => quote_spanned!(here=> ::mstx::#name),
    };
    let mut attrs = input.attrs.clone();
    attrs.push(Attr::outer(quote_spanned!(here=> #path(#written)), Span::call_site()));
    Some(input.emit(&attrs, input.body.stream()))
}

fn place(word: Word) -> usize {
    ORDER.iter().position(|other| *other == word).unwrap_or(ORDER.len())
}

/// Our words among the attributes that are still to be expanded: `region` or `mstx::region`.
fn below<'a>(krate: Option<&'a Path>, input: &'a Input) -> impl Iterator<Item = (Word, &'a Attr)> {
    input.attrs.iter().filter_map(move |attr| {
        let path = attr.path()?;
        let name = &path.segments.last()?.ident;
        let word = Word::ALL.into_iter().find(|word| name == word.name())?;
        let ours = path.segments.len() == 1 || is_crate(&path, krate);
        ours.then_some((word, attr))
    })
}

/// The path without its last segment is the crate's.
fn is_crate(path: &Path, krate: Option<&Path>) -> bool {
    let names = |path: &Path| path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>();
    let mut path = names(path);
    path.pop();
    path == ["mstx"] || krate.is_some_and(|krate| path == names(krate))
}
