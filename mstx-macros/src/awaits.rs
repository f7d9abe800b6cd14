//! The body of an `async` function, which is the allocator's own code but for its `.await`s.
//!
//! At an `.await` the function may be suspended: the thread does something else, and another may go on with it, or nobody. So the body
//! is left before each and entered again after it: `future.await` becomes
//!
//! ```text
//! (match match future { value => { suspended(&call); value } }.await { value => { resumed(&call); value } })
//! ```
//!
//! What is awaited has the type that it had, also in the compiler's messages, and temporaries live as long as they did. What is bound is
//! not there any more while it waits. A `match` stands where the user's expression does: lints look at that. (Those about a `match` do not
//! take it for one.) Where something follows that binds to it, as in `future.await.len()`, there are no parentheses: lints would take them
//! for the user's. Elsewhere there are, since a statement cannot begin with a `match` in all cases.

use crate::groups::{MakeVisible, make_statements_visible, ours};
use crate::input::Attr;
use crate::std_macros::{only_own_code, visit_arguments};
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::Parser as _;
use syn::spanned::Spanned as _;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprAwait, ExprMacro, Macro, Stmt, token};

/// Other crates' macros that are in many functions, and await nothing.
const HARMLESS: [&str; 7] = ["debug", "error", "info", "log", "ready", "trace", "warn"];

/// The body with its `.await`s seen; where it `never_returns`, it does not go on after the last. `None` where there may be others: in a
/// macro, or in a syntax that is not known here.
pub(crate) fn seen(body: &Group, never_returns: bool, p: &TokenStream, call: &Ident) -> Option<Group> {
    let mut trees: Vec<TokenTree> = body.stream().into_iter().collect();
    let inner_attrs = Attr::take_inner(&mut trees);
    let content: TokenStream = trees.into_iter().collect();
    let content = make_statements_visible(content.clone()).unwrap_or(content);
    let stmts = Block::parse_within.parse2(content).ok()?;
    let mut block = Block { brace_token: token::Brace(body.span()), stmts };
    MakeVisible.visit_block_mut(&mut block);
    let mut awaits = Awaits { p, call, found: false, hidden: false };
    if let (Some(Stmt::Expr(Expr::Await(last), None)), true) = (block.stmts.last_mut(), never_returns) {
        awaits.suspend(last);
        let last = last.to_token_stream();
        block.stmts.pop();
        block.stmts.push(Stmt::Expr(Expr::Verbatim(last), None));
    }
    awaits.visit_block_mut(&mut block);
    if awaits.hidden {
        return None;
    }
    if !awaits.found {
        return Some(body.clone());
    }
    let stmts = &block.stmts;
    let mut seen = Group::new(body.delimiter(), quote!(#(#inner_attrs)* #(#stmts)*));
    seen.set_span(body.span());
    Some(seen)
}

struct Awaits<'a> {
    p: &'a TokenStream,
    call: &'a Ident,
    found: bool,
    /// There may be some that are not seen.
    hidden: bool,
}

fn mentions_await(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == "await",
        TokenTree::Group(group) => mentions_await(group.stream()),
        _ => false,
    })
}

/// Whether a macro awaits nothing but what is in its arguments.
fn is_harmless(mac: &Macro) -> bool {
    let mut names = mac.path.segments.iter().rev().map(|segment| segment.ident.to_string());
    let Some(name) = names.next() else { return false };
    // `heard`: what another of our words has put in front of the body.
    HARMLESS.contains(&name.as_str()) || (name == "heard" && names.next().is_some_and(|module| module == "__private"))
}

/// What is followed by something that binds to it.
fn receiver(expr: &mut Expr) -> Option<&mut Expr> {
    match expr {
        Expr::Await(expr) => Some(&mut *expr.base),
        Expr::Field(expr) => Some(&mut *expr.base),
        Expr::MethodCall(expr) => Some(&mut *expr.receiver),
        Expr::Try(expr) => Some(&mut *expr.expr),
        _ => None,
    }
}

impl Awaits<'_> {
    /// The value of an expression, after a call of a function with the name `then`.
    fn matched(&self, expr: &Expr, then: &str) -> Expr {
        let Awaits { p, call, .. } = self;
        let (user, here) = (expr.span(), ours().located_at(expr.span()));
        // What is awaited may never be ready, so that its type is `!`.
        let allowed = (then == "resumed").then(|| quote_spanned!(here=> #[allow(unreachable_code)]));
        let then = Ident::new(then, here);
        let arm = quote_spanned!(here=> #allowed __mstx_value => { #p::#then(&#call); __mstx_value });
        let mut arms = Group::new(Delimiter::Brace, arm);
        arms.set_span(user);
        Expr::Verbatim(quote_spanned!(user=> match #expr #arms))
    }

    fn suspend(&mut self, expr: &mut ExprAwait) {
        self.visit_expr_mut(&mut expr.base);
        self.found = true;
        *expr.base = self.matched(&expr.base, "suspended");
    }
}

impl VisitMut for Awaits<'_> {
    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        let Stmt::Expr(Expr::Await(expr), Some(_)) = stmt else { return visit_mut::visit_stmt_mut(self, stmt) };
        // Here the compiler looks whether what is awaited must be used, so the `.await` stays outermost.
        self.suspend(expr);
        let Awaits { p, call, .. } = self;
        let here = ours().located_at(expr.await_token.span);
        let resumed = quote_spanned!(here=> #[allow(unreachable_code)] #p::resumed(&#call););
        *stmt = Stmt::Expr(Expr::Verbatim(quote!(#stmt #resumed)), None);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(receiver) = receiver(expr) {
            if let Expr::Await(awaited) = receiver {
                self.suspend(awaited);
                *receiver = self.matched(receiver, "resumed");
            }
        }
        if let Expr::Await(awaited) = expr {
            self.suspend(awaited);
            let here = ours().located_at(awaited.await_token.span);
            let resumed = self.matched(expr, "resumed");
            *expr = Expr::Verbatim(quote_spanned!(here=> (#resumed)));
        } else {
            visit_mut::visit_expr_mut(self, expr);
        }
    }

    fn visit_expr_macro_mut(&mut self, expr: &mut ExprMacro) {
        self.visit_macro_mut(&mut expr.mac);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let mentions = mentions_await(mac.tokens.clone());
        if is_harmless(mac) && !mentions {
            return;
        }
        // There may be other macros in its arguments.
        let mut seen = mac.clone();
        if !visit_arguments(&mut seen, |argument| self.visit_expr_mut(argument)) {
            self.hidden = true;
        } else if mentions {
            *mac = seen;
        }
    }

    only_own_code!();
}
