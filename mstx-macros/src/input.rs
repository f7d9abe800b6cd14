//! The function as the macros see it: the head read, the body kept as tokens.

use crate::groups::{make_head_visible, ours};
use proc_macro2::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser as _};
use syn::{Path, ReturnType, Signature, Token, Type, Visibility};

pub(crate) struct Input {
    /// The attributes below (and, unless they have been expanded, above) ours.
    pub(crate) attrs: Vec<Attr>,
    /// From the visibility to the `where` clause, for the output.
    pub(crate) head: TokenStream,
    pub(crate) sig: Signature,
    pub(crate) body: Group,
}

/// Why an item is not a function that can be rewritten.
pub(crate) enum Unfit {
    NoBody,
    NotAFunction,
    /// `fn` it is, but with a syntax that is not known here.
    Unreadable(syn::Error),
}

impl Input {
    pub(crate) fn read(item: TokenStream) -> Result<Input, Unfit> {
        let mut trees: Vec<TokenTree> = unwrap_item(item).into_iter().collect();
        let attrs = Attr::take_outer(&mut trees);
        let last = trees.pop().ok_or(Unfit::NotAFunction)?;
        // Not the one in `static HOOK: fn()`.
        let mut qualifiers = trees.iter().take_while(|tree| !matches!(tree, TokenTree::Punct(_)));
        let is_fn = qualifiers.any(|tree| matches!(tree, TokenTree::Ident(ident) if ident == "fn"));
        let head = make_head_visible(trees);
        let body = match last {
            TokenTree::Group(group) => unwrap_block(group),
            _ => None,
        };
        match (read_head.parse2(head.clone()), body) {
            (Ok(sig), Some(body)) => Ok(Input { attrs, head, sig, body }),
            (Ok(_), None) => Err(Unfit::NoBody),
            (Err(error), _) => Err(if is_fn { Unfit::Unreadable(error) } else { Unfit::NotAFunction }),
        }
    }

    /// `None` where nothing is returned.
    pub(crate) fn returns(&self) -> Option<&Type> {
        match &self.sig.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => match visible(ty) {
                Type::Tuple(tuple) if tuple.elems.is_empty() => None,
                ty => Some(ty),
            },
        }
    }

    pub(crate) fn never_returns(&self) -> bool {
        matches!(self.returns(), Some(Type::Never(_)))
    }

    /// The function with other attributes and another body.
    pub(crate) fn emit(&self, attrs: &[Attr], body: TokenStream) -> TokenStream {
        let mut block = Group::new(Delimiter::Brace, body);
        // With the user's own brace, lints and errors about the whole function are what they were.
        block.set_span(self.body.span());
        let mut tokens = TokenStream::new();
        attrs.iter().for_each(|attr| attr.to_tokens(&mut tokens));
        self.head.to_tokens(&mut tokens);
        block.to_tokens(&mut tokens);
        tokens
    }
}

fn read_head(input: ParseStream<'_>) -> syn::Result<Signature> {
    input.parse::<Visibility>()?;
    input.parse::<Option<Token![default]>>()?;
    input.parse()
}

/// `$t` is in a group.
fn visible(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => visible(&group.elem),
        ty => ty,
    }
}

/// `$item` as a whole is in a group with invisible delimiters.
fn unwrap_item(item: TokenStream) -> TokenStream {
    let mut trees = item.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => unwrap_item(group.stream()),
        _ => item,
    }
}

/// `$body`, too.
fn unwrap_block(group: Group) -> Option<Group> {
    match group.delimiter() {
        Delimiter::Brace => Some(group),
        Delimiter::None => {
            let mut trees = group.stream().into_iter();
            match (trees.next(), trees.next()) {
                (Some(TokenTree::Group(inner)), None) => unwrap_block(inner),
                _ => None,
            }
        }
        _ => None,
    }
}

/// An attribute, as tokens.
#[derive(Clone)]
pub(crate) struct Attr {
    pound: Punct,
    /// `!` of an inner attribute
    bang: Option<Punct>,
    pub(crate) content: Group,
}

impl Attr {
    pub(crate) fn outer(content: TokenStream, span: Span) -> Attr {
        Attr { pound: punct('#', span), bang: None, content: bracket(content, span) }
    }

    /// Another attribute in the place of this one, on which lints about attributes say nothing.
    pub(crate) fn replaced(&self, content: TokenStream) -> Attr {
        let bang = self.bang.as_ref().map(|_| punct('!', ours()));
        Attr { pound: punct('#', ours()), bang, content: bracket(content, ours()) }
    }

    /// Takes the attributes that `trees` begins with.
    fn take_outer(trees: &mut Vec<TokenTree>) -> Vec<Attr> {
        let mut attrs = Vec::new();
        loop {
            match trees.as_slice() {
                [TokenTree::Punct(pound), TokenTree::Group(content), ..] if pound.as_char() == '#' => {
                    attrs.push(Attr { pound: pound.clone(), bang: None, content: content.clone() });
                    trees.drain(..2);
                }
                _ => return attrs,
            }
        }
    }

    /// Takes the inner attributes that a body begins with: they belong to the function.
    pub(crate) fn take_inner(trees: &mut Vec<TokenTree>) -> Vec<Attr> {
        let mut attrs = Vec::new();
        loop {
            match trees.as_slice() {
                [TokenTree::Punct(pound), TokenTree::Punct(bang), TokenTree::Group(content), ..]
                    if pound.as_char() == '#' && bang.as_char() == '!' =>
                {
                    let bang = Some(bang.clone());
                    attrs.push(Attr { pound: pound.clone(), bang, content: content.clone() });
                    trees.drain(..3);
                }
                _ => return attrs,
            }
        }
    }

    /// The path of the attribute, without what follows it.
    pub(crate) fn path(&self) -> Option<Path> {
        let parser = |input: ParseStream<'_>| {
            let path = input.call(Path::parse_mod_style)?;
            input.parse::<TokenStream>()?;
            Ok(path)
        };
        parser.parse2(self.content.stream()).ok()
    }

    /// `#[naked]` or `#[unsafe(naked)]`
    pub(crate) fn is_naked(&self) -> bool {
        let content = self.content.stream().to_string();
        content == "naked" || content.replace(' ', "") == "unsafe(naked)"
    }
}

impl ToTokens for Attr {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.pound.to_tokens(tokens);
        self.bang.to_tokens(tokens);
        self.content.to_tokens(tokens);
    }
}

fn punct(char: char, span: Span) -> Punct {
    let mut punct = Punct::new(char, Spacing::Alone);
    punct.set_span(span);
    punct
}

fn bracket(content: TokenStream, span: Span) -> Group {
    let mut group = Group::new(Delimiter::Bracket, content);
    group.set_span(span);
    group
}
