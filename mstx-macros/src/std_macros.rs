//! The arguments of the standard library's macros, as expressions.
//!
//! What a macro does with its tokens is its own business, except that these are known to evaluate
//! their arguments where they stand, in the function that they are written in.

use crate::groups::MakeVisible;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::{Pair, Punctuated};
use syn::visit_mut::VisitMut as _;
use syn::{Expr, Macro, Pat, Token, parse2};

const NAMES: [&str; 22] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "matches",
    "panic",
    "print",
    "println",
    "todo",
    "try",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

pub(crate) enum StdMacro {
    /// `format!("{}", a)`, `vec![a; n]`
    List(Punctuated<Expr, Separator>),
    /// `matches!(a, Some(n) if n > 1)`
    Matches(Box<Matches>),
}

pub(crate) enum Separator {
    Comma(Token![,]),
    Semi(Token![;]),
}

pub(crate) struct Matches {
    pub(crate) expr: Expr,
    comma: Token![,],
    pub(crate) pat: Pat,
    pub(crate) guard: Option<(Token![if], Expr)>,
    trailing: Option<Token![,]>,
}

impl StdMacro {
    /// Nothing if this is another macro, or if its arguments are not what they should be.
    pub(crate) fn parse(mac: &Macro) -> Option<StdMacro> {
        let name = &mac.path.segments.last()?.ident;
        let first = &mac.path.segments.first()?.ident;
        let of_std = mac.path.segments.len() == 1 || ["std", "core", "alloc"].iter().any(|root| first == root);
        if !of_std || !NAMES.iter().any(|known| name == known) {
            return None;
        }
        if name == "matches" {
            parse2(mac.tokens.clone()).ok().map(|matches| StdMacro::Matches(Box::new(matches)))
        } else {
            let parser = Punctuated::<Expr, Separator>::parse_terminated;
            syn::parse::Parser::parse2(parser, mac.tokens.clone()).ok().map(StdMacro::List)
        }
    }
}

/// Lets `visit` change the arguments of one of the standard library's macros, which are evaluated where it stands. Returns whether it
/// is one.
pub(crate) fn visit_arguments(mac: &mut Macro, mut visit: impl FnMut(&mut Expr)) -> bool {
    let Some(mut arguments) = StdMacro::parse(mac) else { return false };
    let mut argument = |expr: &mut Expr| {
        MakeVisible.visit_expr_mut(expr);
        visit(expr);
    };
    match &mut arguments {
        StdMacro::List(list) => list.iter_mut().for_each(argument),
        StdMacro::Matches(matches) => {
            argument(&mut matches.expr);
            if let Some((_, guard)) = &mut matches.guard {
                argument(guard);
            }
        }
    }
    mac.tokens = arguments.into_token_stream();
    true
}

/// The parts of a `VisitMut` that leave alone what is in a function's body without being run as a part of it.
macro_rules! only_own_code {
    () => {
        fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
        fn visit_expr_async_mut(&mut self, _: &mut syn::ExprAsync) {}
        fn visit_expr_const_mut(&mut self, _: &mut syn::ExprConst) {}
        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
        fn visit_type_mut(&mut self, _: &mut syn::Type) {}
        fn visit_path_arguments_mut(&mut self, _: &mut syn::PathArguments) {}

        fn visit_pat_mut(&mut self, pat: &mut syn::Pat) {
            // Only the guard of a match arm is evaluated in the function.
            if let syn::Pat::Guard(pat) = pat {
                self.visit_expr_mut(&mut pat.guard);
            }
        }
    };
}
pub(crate) use only_own_code;

impl ToTokens for StdMacro {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            StdMacro::List(list) => {
                for (expr, separator) in list.pairs().map(Pair::into_tuple) {
                    expr.to_tokens(tokens);
                    match separator {
                        Some(Separator::Comma(comma)) => comma.to_tokens(tokens),
                        Some(Separator::Semi(semi)) => semi.to_tokens(tokens),
                        None => {}
                    }
                }
            }
            StdMacro::Matches(matches) => {
                let Matches { expr, comma, pat, guard, trailing } = &**matches;
                expr.to_tokens(tokens);
                comma.to_tokens(tokens);
                pat.to_tokens(tokens);
                if let Some((keyword, guard)) = guard {
                    keyword.to_tokens(tokens);
                    guard.to_tokens(tokens);
                }
                trailing.to_tokens(tokens);
            }
        }
    }
}

impl Parse for Separator {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Token![;]) { input.parse().map(Separator::Semi) } else { input.parse().map(Separator::Comma) }
    }
}

impl Parse for Matches {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Matches {
            expr: input.parse()?,
            comma: input.parse()?,
            pat: Pat::parse_multi_with_leading_vert(input)?,
            guard: if input.peek(Token![if]) { Some((input.parse()?, input.parse()?)) } else { None },
            trailing: input.parse()?,
        })
    }
}
