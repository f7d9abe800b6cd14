//! Groups with invisible delimiters.
//!
//! A fragment such as `$e:expr` reaches us inside such a group. The compiler ignores the group when a procedural macro hands it back, so that
//! `$e * 2` with `1 + 2` would become `1 + 2 * 2`. Wherever tokens are taken apart and put together again, these groups are therefore
//! replaced by parentheses, or by nothing where nothing can go wrong. Token groups that are handed through as a whole keep theirs.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprParen, Stmt, Type, TypeParen, parse2, token};

/// The spans of our own tokens: what is written with it names our own locals, and no lint looks at it.
pub(crate) fn ours() -> Span {
    Span::mixed_site()
}

/// Takes the invisible groups out of parsed code.
pub(crate) struct MakeVisible;

impl VisitMut for MakeVisible {
    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        // `$b` with a block is a statement of its own, `({ .. })` would need a semicolon.
        if let Stmt::Expr(expr, _) = stmt {
            while let Expr::Group(group) = expr {
                if !is_block(&group.expr) {
                    break;
                }
                *expr = std::mem::replace(&mut *group.expr, Expr::PLACEHOLDER);
            }
        }
        visit_mut::visit_stmt_mut(self, stmt);
    }

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

fn is_block(expr: &Expr) -> bool {
    match expr {
        Expr::Group(group) => is_block(&group.expr),
        Expr::Block(_) | Expr::Const(_) | Expr::ForLoop(_) | Expr::If(_) | Expr::Loop(_) => true,
        Expr::Match(_) | Expr::Unsafe(_) | Expr::While(_) => true,
        _ => false,
    }
}

/// `&$t` with `dyn A + B`: the only types that are written with an operator that something else may bind more tightly than.
fn visible_type(ty: Type) -> Type {
    let bounds = match &ty {
        Type::ImplTrait(ty) => ty.bounds.len(),
        Type::TraitObject(ty) => ty.bounds.len(),
        _ => 1,
    };
    if bounds > 1 { Type::Paren(TypeParen { attrs: Vec::new(), paren_token: token::Paren(ours()), elem: Box::new(ty) }) } else { ty }
}
