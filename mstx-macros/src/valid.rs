//! Everything that is refused, and in which words. (Names that a word does not take are refused while they are read, in
//! [`crate::args`]; ways out of an expression in [`crate::value`]; what cannot be combined with another word in
//! [`crate::stack`].)

use crate::args::{Args, Key, Word};
use crate::input::{Input, Unfit};
use crate::returns::{has_closure, may_be_result};
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::{Error, LitStr, Type};

/// All that was found, to be reported together.
pub(crate) struct Errors {
    found: Option<Error>,
    attribute: Span,
}

impl Errors {
    /// Of an attribute on this item.
    pub(crate) fn new(item: &TokenStream) -> Errors {
        // Where the attribute is, as a token that the user wrote: of others the compiler tells which macro they come from.
        let written = item.clone().into_iter().next();
        let attribute = written.map_or_else(Span::call_site, |written| Span::call_site().resolved_at(written.span()));
        Errors { found: None, attribute }
    }

    pub(crate) fn push(&mut self, error: Error) {
        match &mut self.found {
            Some(errors) => errors.combine(error),
            None => self.found = Some(error),
        }
    }

    /// What no single token is to blame for.
    pub(crate) fn of_attribute(&mut self, text: impl std::fmt::Display) {
        self.at(self.attribute, text);
    }

    fn at(&mut self, span: Span, text: impl std::fmt::Display) {
        self.push(Error::new(span, text));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_none()
    }

    /// The item is still there, so that what uses it gives no errors on top of these.
    pub(crate) fn before(self, item: TokenStream) -> TokenStream {
        let mut tokens = self.found.map(in_every_edition).unwrap_or_default();
        tokens.extend(item);
        tokens
    }
}

/// `compile_error!` without the `::core::` in front of it, which in the edition 2015 would be a path in the user's crate. (The names of
/// macros that are built in are known everywhere. All of it must be the user's tokens: of others the compiler tells, in each message,
/// which macro they come from.)
pub(crate) fn in_every_edition(errors: Error) -> TokenStream {
    let is_path = |tree: &TokenTree| !matches!(tree, TokenTree::Ident(name) if name == "compile_error");
    errors.into_iter().flat_map(|error| error.into_compile_error().into_iter().skip_while(is_path)).collect()
}

/// The item is no function, or none that can be read.
pub(crate) fn unfit(word: Word, why: Unfit, errors: &mut Errors) {
    let name = word.name();
    let text = match why {
        Unfit::NoBody => format!("`#[mstx::{name}]` needs a function with a body: put it where the body is written"),
        Unfit::NotAFunction => format!("`#[mstx::{name}]` needs a function with a body, and this is not a function"),
        Unfit::Unreadable(error) => {
            errors.push(error);
            format!("`#[mstx::{name}]` does not know this syntax of a function")
        }
    };
    errors.of_attribute(text);
}

pub(crate) fn check(args: &Args, input: &Input, errors: &mut Errors) {
    check_function(args, input, errors);
    check_ret(args, input, errors);
    check_combinations(args, errors);
    if let Some(literal) = args.get(Key::Domain).and_then(|arg| arg.value.as_ref()?.literal.as_ref()) {
        check_domain(literal, errors);
    }
}

fn check_function(args: &Args, input: &Input, errors: &mut Errors) {
    let name = args.word.name();
    let sig = &input.sig;
    if let Some(constness) = sig.constness {
        let text = format!(
            "`#[mstx::{name}]` cannot instrument a `const fn`: it may run while the program is compiled; \
             put it on the function that calls this one"
        );
        errors.at(constness.span, text);
    }
    if let Some(naked) = input.attrs.iter().find(|attr| attr.is_naked()) {
        let text = format!(
            "`#[mstx::{name}]` cannot instrument a naked function: its body is assembly only; \
             put it on the function that calls this one"
        );
        errors.push(Error::new_spanned(naked, text));
    }
    if let (Word::Batch, Some(asyncness)) = (args.word, sig.asyncness) {
        let text = "`#[mstx::batch]` cannot be put on an `async fn`: a batch belongs to a thread, and at an `.await` the function may go \
                    on in another; put it on the functions that this one calls";
        errors.at(asyncness.span, text);
    }
    let after_body = matches!(args.word, Word::Heap | Word::Region);
    match input.returns() {
        None if after_body && !args.names(Key::Ptr) => {
            let text = format!("this function returns nothing: say where the {name} is with `ptr = <pointer>`");
            errors.of_attribute(text);
        }
        Some(ty) if after_body && has_closure(ty) => {
            let text = format!("`#[mstx::{name}]` cannot be put on a function that returns a closure: a closure is not memory");
            errors.push(Error::new_spanned(ty, text));
        }
        Some(ty) if sees_failure(args.word, ty) && has_closure(ty) => {
            let text = format!(
                "`#[mstx::{name}]` cannot see whether a function that returns a closure has failed; \
                 return a `Box<dyn Fn(..)>`"
            );
            errors.push(Error::new_spanned(ty, text));
        }
        _ => {}
    }
}

/// Some `.await`s of an `async` function may be in a macro.
pub(crate) fn hidden_awaits(asyncness: Span, errors: &mut Errors) {
    let text = "`#[mstx::allocator_internal]` cannot be put on an `async fn` with a macro that may `.await` something: what the thread \
                does meanwhile would count as the allocator's own; put it on the functions that this one calls";
    errors.at(asyncness, text);
}

/// The word reports before the body, but looks at the result as well.
fn sees_failure(word: Word, ty: &Type) -> bool {
    match word {
        Word::RegionUnregister => may_be_result(ty),
        Word::RegionResize | Word::HeapResize => true,
        _ => false,
    }
}

/// `ret` is there after the body only, and only if something is returned.
fn check_ret(args: &Args, input: &Input, errors: &mut Errors) {
    let row = args.word.row();
    for arg in args.iter() {
        let (Some(ret), Some(value)) = (arg.ret(), &arg.value) else { continue };
        let (key, word) = (arg.key.name(), row.name);
        if !row.after_body.contains(&arg.key) {
            let text = format!("`{key}` of `#[mstx::{word}]` is needed before the body, when there is no `ret` yet");
            errors.at(ret.span(), text);
        } else if value.is_ret_itself() && input.returns().is_none() {
            errors.at(ret.span(), "this function returns nothing: `ret` is neither a pointer nor a number");
        }
    }
}

fn check_combinations(args: &Args, errors: &mut Errors) {
    if let (Word::Region, Some(device), true) = (args.word, args.get(Key::Device), args.has(Key::Heap)) {
        errors.at(device.name.span(), "`device` is for regions of no heap: with `heap`, the region is where its heap is");
    }
    if let (Some(device), true) = (args.get(Key::Device), args.has(Key::Host)) {
        errors.at(device.name.span(), "a heap is either `host` memory or the memory of a `device`, not both");
    }
}

/// What the interface takes as a name. Beyond 255 bytes one tool refuses it, but others do not.
fn check_domain(literal: &LitStr, errors: &mut Errors) {
    const LONGEST: usize = 1023;
    let name = literal.value();
    let bad = name.chars().find(|c| !c.is_ascii_alphanumeric() && *c != '_');
    let text = match (name.len(), bad) {
        (0, _) => "a domain's name cannot be empty".to_owned(),
        (1..=LONGEST, None) => return,
        (_, Some(bad)) => format!("a domain's name consists of letters A-Z and a-z, digits and `_`, without {bad:?}"),
        (long, None) => {
            format!("a domain's name has at most {LONGEST} bytes (some tools take no more than 255), and this {long}")
        }
    };
    errors.at(literal.span(), text);
}
