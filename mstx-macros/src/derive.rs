//! `#[derive(Regions, KnowsSize, AsHeap)]`: for newtypes around a pointer, and for structs that keep one in a field.

use crate::groups::ours;
use crate::valid::in_every_edition;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Attribute, Error, Index, Item, ItemStruct, Member, Path, Token, Type};

/// A trait that can be derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Derived {
    Regions,
    KnowsSize,
    AsHeap,
}

/// What `#[mstx(..)]` can say of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Ptr,
    Size,
    Heap,
}

/// A field, and how it is reached.
struct Place<'a> {
    member: Member,
    ty: &'a Type,
    marks: Vec<Mark>,
}

/// The impl of the trait; or the errors, all at once.
pub(crate) fn derive(derived: Derived, item: TokenStream) -> TokenStream {
    expand(derived, item).unwrap_or_else(in_every_edition)
}

fn expand(derived: Derived, item: TokenStream) -> Result<TokenStream, Error> {
    let item = match syn::parse2(item)? {
        Item::Struct(item) => item,
        other => return Err(Error::new_spanned(other, "only structs can derive this: implement the trait by hand")),
    };
    let krate = krate(&item.attrs)?;
    let places = places(&item)?;
    let (trait_name, body) = match derived {
        Derived::Regions => ("Regions", regions(&krate, &item, &places)?),
        Derived::KnowsSize => ("KnowsSize", knows_size(&krate, &item, &places)?),
        Derived::AsHeap => ("AsHeap", as_heap(&krate, &item, &places)?),
    };
    let trait_name = Ident::new(trait_name, ours());
    let (name, (generics, arguments, bounds)) = (&item.ident, item.generics.split_for_impl());
    Ok(quote_spanned! {ours()=>
        impl #generics #krate::#trait_name for #name #arguments #bounds { #body }
    })
}

/// `crate = path` in `#[mstx(..)]` on the type, or `::mstx`.
fn krate(attributes: &[Attribute]) -> Result<TokenStream, Error> {
    let mut krate = quote_spanned!(ours()=> ::mstx);
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("mstx")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta.error("expected `crate = path`; `ptr`, `size` and `heap` stand on fields"));
            }
            meta.input.parse::<Token![=]>()?;
            krate = meta.input.call(Path::parse_mod_style)?.into_token_stream();
            Ok(())
        })?;
    }
    Ok(krate)
}

fn places(item: &ItemStruct) -> Result<Vec<Place<'_>>, Error> {
    let mut places = Vec::new();
    for (index, field) in (0..).zip(&item.fields) {
        let mut marks = Vec::new();
        for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("mstx")) {
            attribute.parse_nested_meta(|meta| {
                let known = [("ptr", Mark::Ptr), ("size", Mark::Size), ("heap", Mark::Heap)];
                let mark = known.into_iter().find(|(name, _)| meta.path.is_ident(name));
                let (name, mark) = mark.ok_or_else(|| meta.error("expected one of `ptr`, `size`, `heap`"))?;
                if !meta.input.is_empty() && !meta.input.peek(Token![,]) {
                    return Err(meta.input.error(format!("`{name}` takes no value: write `#[mstx({name})]`")));
                }
                marks.push(mark);
                Ok(())
            })?;
        }
        let index = Member::Unnamed(Index { index, span: field.ty.span() });
        places.push(Place { member: field.ident.clone().map_or(index, Member::Named), ty: &field.ty, marks });
    }
    Ok(places)
}

/// The field with this mark; without one, the only field there is, apart from `PhantomData`.
fn place<'a, 'b>(item: &ItemStruct, places: &'b [Place<'a>], mark: Mark, text: &str) -> Result<&'b Place<'a>, Error> {
    let mut marked = places.iter().filter(|place| place.marks.contains(&mark));
    if let Some(place) = marked.next() {
        return match marked.next() {
            None => Ok(place),
            Some(second) => Err(Error::new_spanned(&second.member, format!("a second field is marked `#[mstx({text})]`"))),
        };
    }
    let mut real = places.iter().filter(|place| !is_phantom(place.ty));
    match (real.next(), real.next()) {
        (Some(place), None) => Ok(place),
        _ => Err(Error::new_spanned(&item.ident, format!("mark the field that is meant with `#[mstx({text})]`"))),
    }
}

fn is_phantom(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "PhantomData"))
}

fn size<'a, 'b>(places: &'b [Place<'a>]) -> Option<&'b Place<'a>> {
    places.iter().find(|place| place.marks.contains(&Mark::Size))
}

fn regions(krate: &TokenStream, item: &ItemStruct, places: &[Place<'_>]) -> Result<TokenStream, Error> {
    let Place { member: ptr, .. } = place(item, places, Mark::Ptr, "ptr")?;
    // At the field, where an error about its type belongs.
    let here = ours().located_at(ptr.span());
    let spans = quote_spanned!(here=> #krate::__private::probe(&self.#ptr).spans());
    let report = match size(places) {
        None => quote_spanned!(ours()=> report.__take(&#spans)),
        Some(Place { member: size, .. }) => {
            let bytes = quote_spanned!(ours().located_at(size.span())=> self.#size);
            quote_spanned!(ours()=> report.__take_sized(&#spans, #bytes))
        }
    };
    Ok(quote_spanned!(ours()=> fn regions(&self, report: &mut #krate::Report<'_>) { #report }))
}

/// A marker; but it promises something, and that is checked.
fn knows_size(krate: &TokenStream, item: &ItemStruct, places: &[Place<'_>]) -> Result<TokenStream, Error> {
    if size(places).is_some() {
        return Ok(TokenStream::new());
    }
    let Place { member, .. } = place(item, places, Mark::Ptr, "ptr")?;
    let here = ours().located_at(member.span());
    let checked = quote_spanned!(here=> #krate::__private::probe(&self.#member).sized_spans());
    Ok(quote_spanned!(ours()=> fn __check(&self) { let _ = #checked; }))
}

fn as_heap(krate: &TokenStream, item: &ItemStruct, places: &[Place<'_>]) -> Result<TokenStream, Error> {
    let Place { member, .. } = place(item, places, Mark::Heap, "heap")?;
    let here = ours().located_at(member.span());
    let heap = quote_spanned!(here=> #krate::AsHeap::as_heap(&self.#member));
    Ok(quote_spanned!(ours()=> fn as_heap(&self) -> #krate::HeapKey { #heap }))
}
