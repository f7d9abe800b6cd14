//! What is emitted.
//!
//! ```text
//! P::around! {
//!     call [let call = P::heard!(Call [P::Call::new(P::site!(region "alloc")).size(n).begin()]);]
//!     result [mut] [T]
//!     'body { /* the body, with `break 'body` for `return` */ } { /* the body as it was written */ }
//!     [result = call.pass_sized::<T>(result)] [return result;]
//! }
//! ```
//!
//! The runtime has two macros of that name, and its features decide which of them is there: where reporting is on, the first body is
//! the value of a block with that label; where it is off, the second is the function's as it was, and the rest is only checked.
//!
//! All names of our own are invisible to the user's code ([`ours`]). They begin with `__mstx` because the other way round a
//! `const` or `static` of the user's would be seen by ours.

use crate::args::{Arg, Args, Key, Word};
use crate::awaits;
use crate::groups::ours;
use crate::input::{Attr, Input};
use crate::lints::without_clippy_expectations;
use crate::returns::{is_opaque, may_be_result, nameable};
use crate::rewrite::{Body, Exit, labelled};
use crate::stack;
use crate::valid::{self, Errors};
use crate::value::Value;
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Lifetime, Token, Type};

/// What comes after the body.
enum After {
    /// It looks at the result.
    Looks(TokenStream),
    /// The result goes through it: an expression that takes and gives it. As the last thing that the function does, it needs no
    /// stack frame.
    Passes(TokenStream),
}

/// The whole way from an attribute to the new function.
pub(crate) fn attribute(word: Word, arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::new(&item);
    let args = Args::read(word, arguments.clone(), &mut errors);
    let input = match Input::read(item.clone()) {
        Ok(input) => input,
        Err(why) => {
            valid::unfit(word, why, &mut errors);
            return errors.before(item);
        }
    };
    valid::check(&args, &input, &mut errors);
    stack::check(&args, &input, &mut errors);
    if !errors.is_empty() {
        return errors.before(item);
    }
    if let Some(moved) = stack::moved(&args, &arguments, &input) {
        return moved;
    }
    let expansion = Expansion::new(&args, &input);
    if let (Word::AllocatorInternal, true, Some(asyncness)) = (word, expansion.hides_awaits(), input.sig.asyncness) {
        valid::hidden_awaits(asyncness.span, &mut errors);
        return errors.before(item);
    }
    expansion.function()
}

struct Expansion<'a> {
    args: &'a Args,
    input: &'a Input,
    /// `::mstx::__private`
    p: TokenStream,
    /// What the runtime gives at the start of a call, and what it sees at the end.
    call: Ident,
    result: Ident,
    /// The success value in the result.
    ok: Ident,
    /// The body of an `async` function, which is left at each `.await`; `None` where it is none, or where there may be more of them.
    seen: Option<Group>,
}

impl<'a> Expansion<'a> {
    fn new(args: &'a Args, input: &'a Input) -> Self {
        let local = |name| Ident::new(name, ours());
        let (p, call) = (private(args, ours()), local("__mstx_call"));
        let awaits = args.word.has_body() && input.sig.asyncness.is_some() && !args.has(Key::ReturnsInMacros);
        let seen = if awaits { awaits::seen(&input.body, input.never_returns(), &p, &call) } else { None };
        Expansion { args, input, p, call, result: local("__mstx_result"), ok: local("__mstx_ok"), seen }
    }

    /// The body that is run where somebody listens.
    fn body(&self) -> &Group {
        self.seen.as_ref().unwrap_or(&self.input.body)
    }

    /// Whether the function may be suspended where that cannot be seen.
    fn hides_awaits(&self) -> bool {
        self.input.sig.asyncness.is_some() && self.seen.is_none()
    }

    fn function(&self) -> TokenStream {
        let Input { attrs, body, .. } = self.input;
        match (self.before(), self.after()) {
            (Some(before), Some(after)) => self.around(&before, after),
            (Some(before), None) => self.in_front(&before),
            (None, _) => self.input.emit(attrs, body.stream()),
        }
    }

    /// The function with something in front of its body.
    fn in_front(&self, before: &TokenStream) -> TokenStream {
        let p = &self.p;
        let Body { inner_attrs, block } = Body::untouched(self.body());
        let body = if self.input.returns().is_some_and(is_opaque) {
            // The types of closures are deduced from such a return type, but not through a `match`.
            block.stream()
        } else {
            // A scope of its own: the arguments must not see the items of the body. It is an arm because braces around an
            // expression are superfluous nearly everywhere else.
            let block = match &self.seen {
                Some(_) => {
                    let original = Body::untouched(&self.input.body).block;
                    quote_spanned!(ours()=> #p::awaiting! { #block #original })
                }
                None => quote!(#block),
            };
            quote_spanned!(ours()=> match () { () => #block })
        };
        self.input.emit(&self.input.attrs, quote!(#(#inner_attrs)* #before #body))
    }

    /// The function with something in front of its body and something that looks at the result.
    fn around(&self, before: &TokenStream, after: After) -> TokenStream {
        let Expansion { p, call, result, .. } = self;
        let label = Lifetime::new("'__mstx_body", ours());
        let exit = Exit { label, needs_value: self.input.returns().is_some() };
        let Body { inner_attrs, block } =
            if self.args.has(Key::ReturnsInMacros) { self.in_closure() } else { Body::with_breaks(self.body(), &exit) };
        // There the function ends, also for the borrow checker's messages.
        let end = ours().located_at(self.input.body.span_close());
        let returned = Ident::new(&result.to_string(), end);
        let end = quote_spanned!(end=> return #returned;);
        let (attrs, inner_attrs) = (without_expectations(&self.input.attrs), without_expectations(&inner_attrs));
        let Exit { label, .. } = &exit;
        let mutable = matches!(after, After::Passes(_)).then(|| Token![mut](ours()));
        let after = match after {
            After::Looks(after) => after,
            After::Passes(through) => quote_spanned!(ours()=> #result = #through),
        };
        let body = match self.return_type() {
            // What such a function returns cannot be written down, and not be checked without its body.
            Some(ty) if self.input.returns().is_some_and(is_opaque) => {
                let value = labelled(p, label, mutable, result, &ty, &block);
                quote_spanned!(ours()=> #before #value if #call.is_on() { #after } #end)
            }
            ty => {
                let ty = ty.map_or_else(|| quote_spanned!(ours()=> ()), ToTokens::into_token_stream);
                let original = Body::untouched(&self.input.body).block;
                quote_spanned! {ours()=>
                    #p::around! { #call [#before] #result [#mutable] [#ty] #label #block #original [#after] [#end] }
                }
            }
        };
        self.input.emit(&attrs, quote!(#(#inner_attrs)* #body))
    }

    /// The body as a closure that is called: a `return` in a macro of the user's, which cannot be seen here, ends there. The price is
    /// what closures cost: the order in which parameters are dropped, and `Location::caller()` in the body, are others.
    fn in_closure(&self) -> Body {
        let Body { inner_attrs, block } = Body::untouched(&self.input.body);
        let p = &self.p;
        let called = if self.input.sig.asyncness.is_some() {
            quote_spanned!(ours()=> async move #block .await)
        } else {
            quote_spanned!(ours()=> #p::run(move || #block))
        };
        let mut block = Group::new(Delimiter::Brace, called);
        block.set_span(self.input.body.span());
        Body { inner_attrs, block }
    }

    fn is_after_word(&self) -> bool {
        matches!(self.args.word, Word::Heap | Word::Region)
    }

    fn return_type(&self) -> Option<Type> {
        self.input.returns().map(nameable)
    }

    /// What happens before the body. Nothing where there is nothing to do at all.
    fn before(&self) -> Option<TokenStream> {
        let Expansion { p, call, .. } = self;
        if self.is_after_word() && self.input.never_returns() {
            return None;
        }
        let (maker, ready, kind) = match self.args.word {
            Word::Heap | Word::Region => ("Call", "begin", "Call"),
            Word::HeapUnregister => ("Call", "heap_unregister", "Body"),
            Word::HeapReset => ("Call", "heap_reset", "Body"),
            Word::HeapResize => ("Call", "heap_resize", "HeapResize"),
            Word::RegionUnregister => ("Call", "release", "Release"),
            Word::RegionResize => ("Call", "resize", "Resize"),
            Word::Range => ("Range", "enter", "Range"),
            Word::Flush => return Some(quote_spanned!(ours()=> if #p::listening() { #p::flush() })),
            Word::Batch => {
                let kind = quote_spanned!(ours()=> #p::Batch);
                return Some(quote_spanned!(ours()=> let #call = if #p::listening() { #kind::open() } else { #kind::off() };));
            }
            Word::AllocatorInternal => {
                let kind = quote_spanned!(ours()=> #p::Internal);
                return Some(quote_spanned!(ours()=> let #call = if #p::listening() { #kind::enter() } else { #kind::off() };));
            }
        };
        let new = self.new_call(maker);
        let arguments = self.args.iter().filter(|arg| arg.ret().is_none()).map(|arg| self.argument(arg));
        // Another thread may go on with it, and this one with something else.
        let suspends = (maker == "Call" && self.hides_awaits()).then(|| quote_spanned!(ours()=> .suspends()));
        let (ready, kind) = (Ident::new(ready, ours()), Ident::new(kind, ours()));
        Some(quote_spanned!(ours()=> let #call = #p::heard!(#kind [#new #(#arguments)* #suspends .#ready()]);))
    }

    /// `P::Call::new(P::site!(region "alloc"))`, all of it at the name of the user's function: there `Location::caller()` and
    /// `line!()` are to find themselves.
    fn new_call(&self, maker: &str) -> TokenStream {
        let here = self.input.sig.ident.span();
        let p = private(self.args, here).into_iter().map(|tree| at(tree, here)).collect::<TokenStream>();
        let maker = Ident::new(maker, here);
        let word = Ident::new(self.args.word.name(), here);
        let mut name = Literal::string(&self.input.sig.ident.unraw().to_string());
        name.set_span(here);
        // A heap without a domain opens the module's own: that domain is worth a place in the list.
        let lists = (self.args.word == Word::Heap && !self.args.has(Key::Domain)).then(|| Ident::new("lists", here));
        quote_spanned!(here=> #p::#maker::new(#p::site!(#word #name #lists)))
    }

    /// What happens after the body, on the way out; nothing if the result does not matter.
    fn after(&self) -> Option<After> {
        let Expansion { p, call, result, .. } = self;
        if self.input.never_returns() {
            return None;
        }
        let report = match self.args.word {
            Word::Heap | Word::Region => self.report(),
            Word::RegionUnregister if self.input.returns().is_some_and(may_be_result) => {
                After::Looks(quote_spanned!(ours()=> if #p::probe(&#result).is_err() { #call.refused() }))
            }
            Word::RegionResize => {
                let result = self.result_at_type();
                let moved = Ident::new("moved", self.at_type());
                After::Looks(quote_spanned!(ours()=> #call.moved(#p::probe(#result).#moved())))
            }
            Word::HeapResize => After::Looks(self.on_success(quote_spanned!(ours()=> #call.succeeded()))),
            _ => return None,
        };
        Some(report)
    }

    /// The end of a call that registers something.
    fn report(&self) -> After {
        let Expansion { call, .. } = self;
        let late: Vec<_> = self.args.iter().filter(|arg| arg.ret().is_some()).map(|arg| self.argument(arg)).collect();
        // With the user's own tokens as the type argument, an error underlines the return type.
        let ty = self.return_type();
        let sized = self.args.has(Key::Size);
        let method = |with, without| Ident::new(if sized { with } else { without }, ours());
        if late.is_empty() && !self.args.has(Key::Ptr) {
            let method = method("pass_sized", "pass");
            let result = Ident::new(&self.result.to_string(), self.at_type());
            return After::Passes(quote_spanned!(ours()=> #call.#method::<#ty>(#result)));
        }
        let told = if self.args.has(Key::Ptr) {
            quote_spanned!(ours()=> #call #(#late)* .finish())
        } else {
            let method = method("returned_sized", "returned");
            let result = self.result_at_type();
            quote_spanned!(ours()=> #call #(#late)* .#method::<#ty>(#result))
        };
        // What is called `ret` there lives as long as the name is looked at: a `String` in it is not moved out.
        let name = self.args.get(Key::Name).and_then(|arg| arg.value.as_ref());
        let told = name.map_or_else(|| told.clone(), |name| self.in_scope_of_ret(name, &told));
        let cannot_fail = late.is_empty() && self.input.returns().is_none();
        let told = if cannot_fail { told } else { self.on_success(told) };
        // The user's expressions are evaluated only where somebody listens.
        After::Looks(if late.is_empty() { told } else { quote_spanned!(ours()=> if #call.is_heard() { #told }) })
    }

    /// Looks through up to two layers of `Option` and `Result`.
    fn on_success(&self, then: TokenStream) -> TokenStream {
        let Expansion { p, result, ok, .. } = self;
        quote_spanned! {ours()=>
            if let #p::Some(#ok) = #p::probe(&#result).peel() {
                if let #p::Some(#ok) = #p::probe(#ok).peel() { #then }
            }
        }
    }

    /// `&result`, at the place of the return type.
    fn result_at_type(&self) -> TokenStream {
        let span = self.at_type();
        let result = Ident::new(&self.result.to_string(), span);
        quote_spanned!(span=> &#result)
    }

    fn at_type(&self) -> Span {
        let first = self.input.returns().and_then(|ty| ty.to_token_stream().into_iter().next());
        first.map_or_else(ours, |first| ours().located_at(first.span()))
    }

    /// `.size(n)`
    fn argument(&self, arg: &Arg) -> TokenStream {
        let p = &self.p;
        let Some(value) = &arg.value else {
            if arg.key == Key::ReturnsInMacros {
                return TokenStream::new();
            }
            let method = Ident::new(arg.key.name(), ours());
            return quote_spanned!(ours()=> .#method());
        };
        let expr = self.expression(value);
        let by_ref = reference(value, &self.in_scope_of_ret(value, &value.tokens));
        // The user's own `usize` may be another.
        let bare = value.is_bare_number().then(|| quote_spanned!(ours()=> ::<::core::primitive::usize>));
        match arg.key {
            Key::Domain => match &value.literal {
                Some(literal) => quote_spanned!(ours()=> .domain(#p::domain!(#literal))),
                None => quote_spanned!(ours()=> .domain(#by_ref)),
            },
            Key::Heap => quote_spanned!(ours()=> .heap #bare(#by_ref)),
            Key::Name => {
                let by_ref = reference(value, &value.tokens);
                quote_spanned!(ours()=> .name(#by_ref))
            }
            Key::Ptr => {
                let sized = self.is_after_word() && !self.args.has(Key::Size);
                let place = ours().located_at(value.ends().0);
                let spans = Ident::new(if sized { "sized_spans" } else { "spans" }, place);
                // What is asked for is asked for inside the scope of `ret`: a field of it must not be moved out.
                let what = if value.is_ret_itself() { value.tokens.clone() } else { reference(value, &value.tokens) };
                let asked = self.in_scope_of_ret(value, &quote_spanned!(ours()=> #p::probe #bare(#what).#spans()));
                quote_spanned!(ours()=> .ptr(#asked))
            }
            Key::Size => quote_spanned!(ours()=> .size #bare(#expr)),
            Key::Deferred => quote_spanned!(ours()=> .deferred_at #bare(#expr)),
            Key::Device => quote_spanned!(ours()=> .device(#expr)),
            Key::Stream => quote_spanned!(ours()=> .stream(#expr)),
            Key::Host | Key::ReturnsInMacros | Key::Crate => TokenStream::new(),
        }
    }

    /// The user's expression by value. `ret` itself is a reference, which is not what is meant.
    fn expression(&self, value: &Value) -> TokenStream {
        let tokens = &value.tokens;
        if value.is_ret_itself() {
            return self.in_scope_of_ret(value, &quote_spanned!(ours()=> *#tokens));
        }
        self.in_scope_of_ret(value, tokens)
    }

    /// Something with the success value as what the user calls `ret`. It begins and ends where the user's expression does.
    fn in_scope_of_ret(&self, value: &Value, then: &TokenStream) -> TokenStream {
        let (ok, (first, last)) = (&self.ok, value.ends());
        match &value.ret {
            Some(ret) => {
                let mut arms = Group::new(Delimiter::Brace, quote_spanned!(ours()=> #ret => #then));
                arms.set_span(ours().located_at(last));
                quote_spanned!(ours().located_at(first)=> match #ok #arms)
            }
            None => then.clone(),
        }
    }
}

/// The path of what expansions use.
fn private(args: &Args, span: Span) -> TokenStream {
    match &args.krate {
        // At the user's path, if that turns out to be another crate.
        Some(krate) => {
            let last = krate.segments.last().map_or(span, |last| span.located_at(last.ident.span()));
            quote_spanned!(last=> #krate::__private)
        }
        None => quote_spanned!(span=> ::mstx::__private),
    }
}

/// `&(expr)`: a `Box` must not be moved. It begins and ends where the user's expression does, so that all of that is underlined
/// when its type is wrong.
fn reference(value: &Value, expr: &TokenStream) -> TokenStream {
    let (first, last) = value.ends();
    let mut inner = Group::new(Delimiter::Parenthesis, expr.clone());
    inner.set_span(ours().located_at(last));
    quote_spanned!(ours().located_at(first)=> &#inner)
}

/// The token, seen at another place.
fn at(mut tree: TokenTree, place: Span) -> TokenTree {
    tree.set_span(tree.span().located_at(place));
    tree
}

fn without_expectations(attrs: &[Attr]) -> Vec<Attr> {
    let replace = |attr: &Attr| match without_clippy_expectations(attr.content.stream()) {
        Some(contents) => contents.into_iter().map(|content| attr.replaced(content)).collect(),
        None => vec![attr.clone()],
    };
    attrs.iter().flat_map(replace).collect()
}
