//! The body of a function that reports after it.
//!
//! It becomes the value of a block with a label, and each `return` in it a `break` out of that block. Why the result has exactly
//! this shape is told at [`labelled`].

use crate::groups::{MakeVisible, make_statements_visible, ours};
use crate::input::Attr;
use crate::lints::without_clippy_expectations;
use crate::std_macros::{only_own_code, visit_arguments};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::parse::Parser as _;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, Expr, ExprBreak, ExprParen, Lifetime, Macro, Path, Token, Type, parse2, token};

pub(crate) struct Body {
    /// The attributes that were inside of the body: they must stay in front.
    pub(crate) inner_attrs: Vec<Attr>,
    /// The body, if possible the very group that the user wrote.
    pub(crate) block: Group,
}

/// The way out of the body that takes the place of `return`.
pub(crate) struct Exit {
    pub(crate) label: Lifetime,
    /// The function returns a value: a `return` without one is an error of the user's, about which the compiler is to speak.
    pub(crate) needs_value: bool,
}

impl Body {
    /// The body as it is.
    pub(crate) fn untouched(body: &Group) -> Body {
        Body::new(body, None)
    }

    /// The body with `break` for `return`.
    pub(crate) fn with_breaks(body: &Group, exit: &Exit) -> Body {
        Body::new(body, Some(exit))
    }

    /// A body that cannot be parsed is left as it is. It may be one that the user is still writing, about which the compiler has
    /// said all there is to say, or one with a syntax from the future.
    fn new(body: &Group, exit: Option<&Exit>) -> Body {
        let mut trees: Vec<TokenTree> = body.stream().into_iter().collect();
        let inner_attrs = Attr::take_inner(&mut trees);
        let exit = exit.filter(|_| mentions_return(&trees));
        if inner_attrs.is_empty() && exit.is_none() {
            return Body { inner_attrs, block: body.clone() };
        }
        let mut content: TokenStream = trees.into_iter().collect();
        if let Some(visible) = make_statements_visible(content.clone()) {
            content = visible;
        }
        if let Ok(stmts) = Block::parse_within.parse2(content.clone()) {
            let mut block = Block { brace_token: token::Brace(body.span()), stmts };
            MakeVisible.visit_block_mut(&mut block);
            let found = exit.is_some_and(|exit| {
                let mut returns = Returns { exit, found: false };
                returns.visit_block_mut(&mut block);
                returns.found
            });
            if !found && inner_attrs.is_empty() {
                return Body { inner_attrs, block: body.clone() };
            }
            content = block.stmts.iter().map(ToTokens::to_token_stream).collect();
        }
        let mut block = Group::new(Delimiter::Brace, content);
        block.set_span(body.span());
        Body { inner_attrs, block }
    }
}

/// Most bodies have none, and need not be parsed.
fn mentions_return(trees: &[TokenTree]) -> bool {
    trees.iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == "return",
        TokenTree::Group(group) => mentions_return(&group.stream().into_iter().collect::<Vec<_>>()),
        _ => false,
    })
}

/// Rewrites the `return`s of one function, and not those of the functions, closures and async blocks in it.
struct Returns<'a> {
    exit: &'a Exit,
    found: bool,
}

impl Returns<'_> {
    /// The body is that of another of our words on the same function, which has been expanded already: at its end is a `return`.
    fn leave_instead(&self, mac: &mut Macro) -> bool {
        let mut trees: Vec<TokenTree> = mac.tokens.clone().into_iter().collect();
        let Some(TokenTree::Group(end)) = trees.last_mut() else { return false };
        let mut inside = end.stream().into_iter();
        let Some(TokenTree::Ident(first)) =
            inside.next().filter(|first| matches!(first, TokenTree::Ident(name) if name == "return"))
        else {
            return false;
        };
        let label = &self.exit.label;
        let rest: TokenStream = inside.collect();
        let mut group = Group::new(end.delimiter(), quote_spanned!(first.span()=> break #label #rest));
        group.set_span(end.span());
        *end = group;
        mac.tokens = trees.into_iter().collect();
        true
    }
}

/// What a function that reports after its body has become.
fn is_around(path: &Path) -> bool {
    let mut from_the_end = path.segments.iter().rev();
    let mut is = |name: &str| from_the_end.next().is_some_and(|segment| segment.ident == name);
    is("around") && is("__private")
}

impl VisitMut for Returns<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::Return(ret) if ret.expr.is_some() || !self.exit.needs_value => {
                self.found = true;
                *expr = Expr::Break(ExprBreak {
                    attrs: std::mem::take(&mut ret.attrs),
                    break_token: Token![break](ret.return_token.span),
                    label: Some(self.exit.label.clone()),
                    expr: ret.expr.take().map(|expr| unmistakable(expr, ret.return_token.span)),
                });
            }
            _ => {}
        }
    }

    /// `?` is left alone in all of them: what it returns is a failure, of which nothing is reported.
    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        if !mentions_return(&mac.tokens.clone().into_iter().collect::<Vec<_>>()) {
            return;
        }
        if is_around(&mac.path) {
            self.found |= self.leave_instead(mac);
            return;
        }
        visit_arguments(mac, |argument| self.visit_expr_mut(argument));
    }

    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        *attrs = std::mem::take(attrs).into_iter().flat_map(allowed).collect();
    }

    only_own_code!();
}

/// `break 'label loop { .. }` makes the compiler warn of a confusion. What else it says of the expression, it says at its `return`.
fn unmistakable(expr: Box<Expr>, place: Span) -> Box<Expr> {
    match *expr {
        Expr::Block(_) | Expr::ForLoop(_) | Expr::Loop(_) | Expr::While(_) => {
            let paren_token = token::Paren(ours().located_at(place));
            Box::new(Expr::Paren(ExprParen { attrs: Vec::new(), paren_token, expr }))
        }
        _ => expr,
    }
}

fn allowed(attr: Attribute) -> Vec<Attribute> {
    let contents = without_clippy_expectations(attr.meta.to_token_stream()).unwrap_or_default();
    let attrs: Vec<Attribute> = contents
        .into_iter()
        .filter_map(|content| {
            let (pound_token, bracket_token) = (Token![#](ours()), token::Bracket(ours()));
            Some(Attribute { pound_token, style: attr.style, bracket_token, meta: parse2(content).ok()? })
        })
        .collect();
    if attrs.is_empty() { vec![attr] } else { attrs }
}

/// `let result: T; result = <the value of the body>;`, with `p` for the path of what expansions use.
///
/// - The result is declared first and assigned then. `let result = { .. };` would extend the lives of temporaries in the body's
///   last expression.
/// - The label is on a block of ours. On the user's block it would decide which edition's rules for temporaries the block
///   follows.
/// - Without the `break` that is never taken, a body that never ends would make what follows it unreachable code, and the
///   compiler would warn of it. Its value must come from a call: that of `loop {}` is known not to come.
/// - The body is an `else` branch because there braces are never superfluous.
pub(crate) fn labelled(
    p: &TokenStream,
    label: &Lifetime,
    mutable: Option<Token![mut]>,
    result: &Ident,
    ty: &Type,
    body: &Group,
) -> TokenStream {
    quote_spanned! {ours()=>
        let #mutable #result: #ty;
        #result = #label: {
            if false { break #label #p::never::<#ty>() } else #body
        };
    }
}
