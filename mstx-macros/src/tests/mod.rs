//! What attributes expand to, and what they refuse: outside of the compiler, on tokens.

mod expansion;
mod refusal;
mod ret;
mod snapshots;

use crate::args::Word;
use crate::expand::attribute;
use proc_macro2::{TokenStream, TokenTree};

fn tokens(code: &str) -> TokenStream {
    code.parse().expect("tokens")
}

/// The item as the attribute leaves it.
fn expand(word: Word, args: &str, item: &str) -> String {
    attribute(word, tokens(args), tokens(item)).to_string()
}

/// Whether the compiler's version of our dependencies puts a space between two tokens does not matter.
fn squeezed(code: &str) -> String {
    code.split_whitespace().collect()
}

/// The messages of the attribute's errors.
fn errors(word: Word, args: &str, item: &str) -> Vec<String> {
    messages(attribute(word, tokens(args), tokens(item)))
}

fn messages(expansion: TokenStream) -> Vec<String> {
    let mut trees = expansion.into_iter().peekable();
    let mut messages = Vec::new();
    while let Some(tree) = trees.next() {
        let is_error = matches!(&tree, TokenTree::Ident(name) if name == "compile_error");
        if is_error && matches!(trees.next(), Some(TokenTree::Punct(_))) {
            if let Some(TokenTree::Group(text)) = trees.next() {
                let text: syn::LitStr = syn::parse2(text.stream()).expect("the text of an error");
                messages.push(text.value());
            }
        }
    }
    messages
}
