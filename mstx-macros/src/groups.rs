//! Groups with invisible delimiters.
//!
//! A fragment such as `$e:expr` reaches us inside such a group. The compiler ignores the group when a procedural macro hands it
//! back, so that `$e * 2` with `1 + 2` would become `1 + 2 * 2`. Wherever tokens are taken apart and put together again, these
//! groups are therefore replaced by parentheses, or by nothing where nothing can go wrong. Token groups that are handed through
//! as a whole keep theirs.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprParen, Type, TypeParen, parse2, token};

/// The spans of our own tokens: what is written with it names our own locals, and no lint looks at it.
pub(crate) fn ours() -> Span {
    Span::mixed_site()
}

/// Takes the invisible groups out of parsed code.
pub(crate) struct MakeVisible;

impl VisitMut for MakeVisible {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        while let Expr::Group(group) = expr {
            let mut inner = std::mem::replace(&mut *group.expr, Expr::PLACEHOLDER);
            let attrs = std::mem::take(&mut group.attrs);
            if !attrs.is_empty() || !binds_tightly(&inner) {
                inner = Expr::Paren(ExprParen { attrs, paren_token: token::Paren(ours()), expr: Box::new(inner) });
            }
            *expr = inner;
        }
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        while let Type::Group(group) = ty {
            let inner = std::mem::replace(&mut *group.elem, Type::Verbatim(TokenStream::new()));
            *ty = visible_type(inner);
        }
    }
}

/// Takes statements out of their groups, in all blocks: `$b` with a block, `$s` with a `let`. As a group they would be
/// expressions, and need a semicolon. `None` if there are none.
pub(crate) fn make_statements_visible(tokens: TokenStream) -> Option<TokenStream> {
    let mut changed = false;
    let mut out: Vec<TokenTree> = Vec::new();
    for tree in tokens {
        let TokenTree::Group(group) = &tree else {
            out.push(tree);
            continue;
        };
        let inner = make_statements_visible(group.stream());
        if group.delimiter() == Delimiter::None && is_statement(group, out.last()) {
            changed = true;
            out.extend(inner.unwrap_or_else(|| group.stream()));
        } else if let Some(inner) = inner {
            changed = true;
            let mut new = Group::new(group.delimiter(), inner);
            new.set_span(group.span());
            out.push(new.into());
        } else {
            out.push(tree);
        }
    }
    changed.then(|| out.into_iter().collect())
}

fn is_statement(group: &Group, before: Option<&TokenTree>) -> bool {
    let mut trees = group.stream().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Ident(first)), _) => first == "let",
        (Some(TokenTree::Group(block)), None) if block.delimiter() == Delimiter::Brace => match before {
            None => true,
            Some(TokenTree::Punct(punct)) => punct.as_char() == ';',
            Some(TokenTree::Group(block)) => block.delimiter() == Delimiter::Brace,
            Some(_) => false,
        },
        _ => false,
    }
}

/// Takes the invisible groups out of one level of a function's head, where they can only be types, paths, names and visibilities.
pub(crate) fn make_head_visible(tokens: Vec<TokenTree>) -> TokenStream {
    tokens
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => match parse2::<Type>(group.stream()) {
                Ok(ty) => {
                    let mut ty = visible_type(ty);
                    MakeVisible.visit_type_mut(&mut ty);
                    quote::ToTokens::into_token_stream(ty)
                }
                Err(_) => make_head_visible(group.stream().into_iter().collect()),
            },
            tree => tree.into(),
        })
        .collect()
}

/// Nothing that can stand beside such an expression takes a part of it away.
fn binds_tightly(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Array(_)
            | Expr::Call(_)
            | Expr::Field(_)
            | Expr::Group(_)
            | Expr::Index(_)
            | Expr::Lit(_)
            | Expr::Macro(_)
            | Expr::MethodCall(_)
            | Expr::Paren(_)
            | Expr::Path(_)
            | Expr::Tuple(_)
    )
}

/// `&$t` with `dyn A + B`: the only types that are written with an operator that something else may bind more tightly than.
fn visible_type(ty: Type) -> Type {
    let bounds = match &ty {
        Type::ImplTrait(ty) => ty.bounds.len(),
        Type::TraitObject(ty) => ty.bounds.len(),
        _ => 1,
    };
    if bounds > 1 {
        Type::Paren(TypeParen { attrs: Vec::new(), paren_token: token::Paren(ours()), elem: Box::new(ty) })
    } else {
        ty
    }
}
