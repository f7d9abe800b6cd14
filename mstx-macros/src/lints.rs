//! `#[expect]` on a function whose body is rewritten.
//!
//! Some lints of clippy do not see what they look for once `return` is written as a `break`, or the result is put into a variable
//! (`needless_return`, `unnecessary_wraps`, `question_mark`, ...). Nothing would be wrong with the user's code then, but the
//! expectation would be unfulfilled. The compiler's own lints see the same code as before.

use crate::groups::ours;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Path, Token};

/// What to write instead of the content of one attribute, if it expects a lint of clippy: that lint is allowed, the others are
/// still expected.
pub(crate) fn without_clippy_expectations(content: TokenStream) -> Option<Vec<TokenStream>> {
    let items = expect_list.parse2(content).ok()?;
    let is_reason = |item: &Item| item.path.is_ident("reason");
    let is_clippy = |item: &Item| item.path.segments.first().is_some_and(|root| root.ident == "clippy");
    let reason: Vec<&Item> = items.iter().filter(|item| is_reason(item)).collect();
    let (allowed, expected): (Vec<&Item>, Vec<&Item>) =
        items.iter().filter(|item| !is_reason(item)).partition(|item| is_clippy(item));
    if allowed.is_empty() {
        return None;
    }
    let mut contents = vec![quote_spanned!(ours()=> allow(#(#allowed,)* #(#reason)*))];
    if !expected.is_empty() {
        contents.push(quote_spanned!(ours()=> expect(#(#expected,)* #(#reason)*)));
    }
    Some(contents)
}

/// `clippy::needless_return`, or `reason = ".."`.
struct Item {
    path: Path,
    rest: Vec<TokenTree>,
}

impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.path.to_tokens(tokens);
        tokens.extend(self.rest.iter().cloned());
    }
}

fn expect_list(input: ParseStream<'_>) -> syn::Result<Punctuated<Item, Token![,]>> {
    let name: syn::Ident = input.parse()?;
    if name != "expect" {
        return Err(input.error("another attribute"));
    }
    let list;
    syn::parenthesized!(list in input);
    list.parse_terminated(item, Token![,])
}

fn item(input: ParseStream<'_>) -> syn::Result<Item> {
    let path = Path::parse_mod_style(input)?;
    let mut rest = Vec::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        rest.push(input.parse()?);
    }
    Ok(Item { path, rest })
}
