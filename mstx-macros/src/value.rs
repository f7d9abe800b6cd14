//! The expression of an argument, and what the expansion must know of it.

use crate::args::Word;
use crate::groups::MakeVisible;
use crate::std_macros::{Separator, StdMacro};
use crate::valid::Errors;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, Attribute, Block, Error, Expr, ExprAsync, ExprBlock, ExprClosure, ExprConst, ExprForLoop, ExprIf, ExprLet, ExprLit,
    ExprLoop, ExprTryBlock, ExprWhile, Item, Label, Lifetime, Lit, LitStr, Macro, Pat, PatIdent, PathArguments, Stmt, Type,
};

pub(crate) struct Value {
    pub(crate) tokens: TokenStream,
    /// The `ret` that the expression uses: it is evaluated after the body then.
    pub(crate) ret: Option<Ident>,
    /// `"kv_cache"`
    pub(crate) literal: Option<LitStr>,
}

impl Value {
    /// Ways out of the expression are errors: it is evaluated outside of the user's body, where they would lead elsewhere.
    pub(crate) fn new(word: Word, mut expr: Expr, errors: &mut Errors) -> Value {
        MakeVisible.visit_expr_mut(&mut expr);
        let literal = match &expr {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.clone()),
            _ => None,
        };
        let mut reader = Reader { word, errors, ret: None, hidden: false, inner: false, loops: Vec::new() };
        reader.visit_expr_mut(&mut expr);
        Value { ret: reader.ret, literal, tokens: expr.into_token_stream() }
    }

    /// Whether it is `ret`, and nothing else: the success value, and not the reference that `ret` is.
    pub(crate) fn is_ret_itself(&self) -> bool {
        let mut tokens = self.tokens.clone().into_iter();
        let first = tokens.next();
        matches!((first, tokens.next(), &self.ret), (Some(TokenTree::Ident(name)), None, Some(ret)) if name == *ret)
    }

    /// Without names and suffixes nothing says which type is meant, and `32 << 30` would be an `i32`.
    pub(crate) fn is_bare_number(&self) -> bool {
        fn bare(tokens: TokenStream) -> bool {
            tokens.into_iter().all(|tree| match tree {
                TokenTree::Ident(_) => false,
                TokenTree::Group(group) => bare(group.stream()),
                TokenTree::Punct(_) => true,
                TokenTree::Literal(number) => match Lit::new(number) {
                    Lit::Int(number) => number.suffix().is_empty(),
                    _ => false,
                },
            })
        }
        bare(self.tokens.clone())
    }

    /// Where the expression begins and ends.
    pub(crate) fn ends(&self) -> (Span, Span) {
        let mut trees = self.tokens.clone().into_iter().map(|tree| tree.span());
        let first = trees.next().unwrap_or_else(Span::call_site);
        (first, trees.last().unwrap_or(first))
    }
}

/// Looks for `ret`, and for ways out of the expression.
struct Reader<'a> {
    word: Word,
    errors: &'a mut Errors,
    ret: Option<Ident>,
    /// A name `ret` of the expression's own is in scope.
    hidden: bool,
    /// In a closure or an async block, which `return` and `?` do not lead out of.
    inner: bool,
    /// The labels of the loops and blocks around, and `None` for a loop without.
    loops: Vec<Option<Ident>>,
}

impl Reader<'_> {
    fn found(&mut self, ret: Ident) {
        if !self.hidden {
            self.ret.get_or_insert(ret);
        }
    }

    fn way_out(&mut self, what: &str, span: Span) {
        if !self.inner {
            let instead = if what == "?" { "; `ptr` and `size` take an `Option` as it is" } else { "" };
            let text = format!(
                "an argument of `#[mstx::{}]` cannot use `{what}`: it is not part of the function's body{instead}",
                self.word.name()
            );
            self.errors.push(Error::new(span, text));
        }
    }

    /// Names that are bound in here are gone afterwards.
    fn scope(&mut self, read: impl FnOnce(&mut Self)) {
        let hidden = self.hidden;
        read(self);
        self.hidden = hidden;
    }

    fn bind(&mut self, pat: &mut Pat) {
        let mut finder = BindsRet(false);
        finder.visit_pat_mut(pat);
        self.hidden |= finder.0;
    }

    /// In a loop, or in a block with a label.
    fn in_loop(&mut self, label: Option<&Label>, read: impl FnOnce(&mut Self)) {
        self.loops.push(label.map(|label| label.name.ident.clone()));
        self.scope(read);
        self.loops.pop();
    }

    /// `break` or `continue` with this label ends in the expression.
    fn stays(&self, label: Option<&Lifetime>) -> bool {
        match label {
            Some(label) => self.loops.iter().flatten().any(|known| *known == label.ident),
            None => !self.loops.is_empty(),
        }
    }

    fn inside(&mut self, read: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.inner, true);
        self.scope(read);
        self.inner = outer;
    }

    /// The arguments of `format!` and the like, which may take `{ret}` from the format string.
    fn arguments(&mut self, list: &mut Punctuated<Expr, Separator>) {
        let names_ret = |expr: &Expr| matches!(expr, Expr::Assign(named) if is_ret(&named.left).is_some());
        let captures = !list.iter().any(names_ret);
        for expr in list {
            match expr {
                // `format!("{n}", n = 1)`
                Expr::Assign(named) => self.visit_expr_mut(&mut named.right),
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                    let format = text.value().replace("{{", "");
                    if captures && (format.contains("{ret}") || format.contains("{ret:")) {
                        self.found(Ident::new("ret", text.span()));
                    }
                }
                _ => self.visit_expr_mut(expr),
            }
        }
    }

    /// A macro that is not known: a lone `ret` in its arguments is taken for the value, as it would be in an expression.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut trees = tokens.into_iter().peekable();
        let (mut dots, mut colons) = (0, 0);
        while let Some(tree) = trees.next() {
            let punct = as_punct(Some(&tree));
            let before_colon = as_punct(trees.peek()) == Some(':');
            match tree {
                TokenTree::Group(group) => self.tokens(group.stream()),
                // Neither `.ret` (but `..ret` is a range) nor `path::ret`, `ret::path` or `ret: field`.
                TokenTree::Ident(ident) if ident == "ret" && dots != 1 && colons != 2 && !before_colon => self.found(ident),
                _ => {}
            }
            dots = if punct == Some('.') { dots + 1 } else { 0 };
            colons = if punct == Some(':') { colons + 1 } else { 0 };
        }
    }
}

impl VisitMut for Reader<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Path(_) => {
                if let Some(ret) = is_ret(expr) {
                    self.found(ret.clone());
                }
            }
            Expr::Return(ret) => {
                self.way_out("return", ret.return_token.span);
                visit_mut::visit_expr_mut(self, expr);
            }
            Expr::Try(question) => {
                self.way_out("?", question.question_token.span);
                visit_mut::visit_expr_mut(self, expr);
            }
            Expr::Await(wait) => {
                self.way_out(".await", wait.await_token.span);
                visit_mut::visit_expr_mut(self, expr);
            }
            Expr::Break(leave) => {
                if !self.stays(leave.label.as_ref()) {
                    self.way_out("break", leave.break_token.span);
                }
                visit_mut::visit_expr_mut(self, expr);
            }
            Expr::Continue(next) => {
                if !self.stays(next.label.as_ref()) {
                    self.way_out("continue", next.continue_token.span);
                }
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        match StdMacro::parse(mac) {
            None => self.tokens(mac.tokens.clone()),
            Some(StdMacro::Matches(mut matches)) => {
                self.visit_expr_mut(&mut matches.expr);
                self.scope(|this| {
                    this.bind(&mut matches.pat);
                    if let Some((_, guard)) = &mut matches.guard {
                        this.visit_expr_mut(guard);
                    }
                });
            }
            Some(StdMacro::List(mut list)) => self.arguments(&mut list),
        }
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        self.scope(|this| {
            for stmt in &mut block.stmts {
                match stmt {
                    Stmt::Local(local) => {
                        if let Some(init) = &mut local.init {
                            this.visit_local_init_mut(init);
                        }
                        this.bind(&mut local.pat);
                    }
                    _ => this.visit_stmt_mut(stmt),
                }
            }
        });
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        self.inside(|this| {
            closure.inputs.iter_mut().for_each(|input| this.bind(input));
            this.visit_expr_mut(&mut closure.body);
        });
    }

    fn visit_expr_async_mut(&mut self, block: &mut ExprAsync) {
        self.inside(|this| this.visit_block_mut(&mut block.block));
    }

    fn visit_expr_try_block_mut(&mut self, block: &mut ExprTryBlock) {
        self.inside(|this| this.visit_block_mut(&mut block.block));
    }

    fn visit_expr_let_mut(&mut self, expr: &mut ExprLet) {
        self.visit_expr_mut(&mut expr.expr);
        self.bind(&mut expr.pat);
    }

    fn visit_expr_if_mut(&mut self, expr: &mut ExprIf) {
        self.scope(|this| {
            this.visit_expr_mut(&mut expr.cond);
            this.visit_block_mut(&mut expr.then_branch);
        });
        if let Some((_, otherwise)) = &mut expr.else_branch {
            self.visit_expr_mut(otherwise);
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        self.scope(|this| {
            this.bind(&mut arm.pat);
            // for the guard
            this.visit_pat_mut(&mut arm.pat);
            this.visit_expr_mut(&mut arm.body);
        });
    }

    fn visit_expr_while_mut(&mut self, expr: &mut ExprWhile) {
        self.in_loop(expr.label.as_ref(), |this| {
            this.visit_expr_mut(&mut expr.cond);
            this.visit_block_mut(&mut expr.body);
        });
    }

    fn visit_expr_for_loop_mut(&mut self, expr: &mut ExprForLoop) {
        self.visit_expr_mut(&mut expr.expr);
        self.in_loop(expr.label.as_ref(), |this| {
            this.bind(&mut expr.pat);
            this.visit_block_mut(&mut expr.body);
        });
    }

    fn visit_expr_loop_mut(&mut self, expr: &mut ExprLoop) {
        self.in_loop(expr.label.as_ref(), |this| this.visit_block_mut(&mut expr.body));
    }

    fn visit_expr_block_mut(&mut self, expr: &mut ExprBlock) {
        match &expr.label {
            Some(label) => self.in_loop(Some(label), |this| this.visit_block_mut(&mut expr.block)),
            None => self.visit_block_mut(&mut expr.block),
        }
    }

    // Nothing in these can be the value or a way out.
    fn visit_item_mut(&mut self, _: &mut Item) {}
    fn visit_type_mut(&mut self, _: &mut Type) {}
    fn visit_path_arguments_mut(&mut self, _: &mut PathArguments) {}
    fn visit_expr_const_mut(&mut self, _: &mut ExprConst) {}
    fn visit_attribute_mut(&mut self, _: &mut Attribute) {}
}

fn as_punct(tree: Option<&TokenTree>) -> Option<char> {
    match tree {
        Some(TokenTree::Punct(punct)) => Some(punct.as_char()),
        _ => None,
    }
}

/// The expression is the name alone.
fn is_ret(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident().filter(|ident| *ident == "ret"),
        _ => None,
    }
}

struct BindsRet(bool);

impl VisitMut for BindsRet {
    fn visit_pat_ident_mut(&mut self, pat: &mut PatIdent) {
        self.0 |= pat.ident == "ret";
        visit_mut::visit_pat_ident_mut(self, pat);
    }
}
