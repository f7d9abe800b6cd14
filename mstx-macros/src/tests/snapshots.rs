//! Whole expansions, kept in a form that people can read: `snapshots/*.rs`.
//!
//! A snapshot begins with a function and its attribute, commented out; below stands what becomes of them. A new one needs only its
//! first part. With `MSTX_SNAPSHOTS=overwrite` the second part is written anew.

use super::tokens;
use crate::args::Word;
use crate::expand::attribute;
use proc_macro2::{TokenStream, TokenTree};
use std::fs;
use std::path::{Path, PathBuf};

/// How many lines the expansion of a plain method has beyond those of the method.
const MOST_ADDED: usize = 15;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/snapshots")
}

struct Snapshot {
    path: PathBuf,
    /// The function and its attribute, as comments.
    head: String,
    expected: String,
}

impl Snapshot {
    fn read(path: PathBuf) -> Snapshot {
        let text = fs::read_to_string(&path).expect("snapshots can be read");
        let is_head = |line: &&str| line.starts_with("//");
        let head: Vec<&str> = text.lines().take_while(is_head).collect();
        let rest: Vec<&str> = text.lines().skip_while(is_head).skip_while(|line| line.is_empty()).collect();
        Snapshot { path, head: head.join("\n"), expected: rest.join("\n") + "\n" }
    }

    fn input(&self) -> String {
        let lines: Vec<&str> = self.head.lines().map(|line| line.trim_start_matches("//")).collect();
        lines.join("\n")
    }

    fn expansion(&self) -> String {
        let (word, args, item) = split(tokens(&self.input()));
        pretty(attribute(word, args, item))
    }
}

/// `#[mstx::region(size = n)] fn f() {}` in its parts.
fn split(input: TokenStream) -> (Word, TokenStream, TokenStream) {
    let mut trees = input.into_iter();
    let (pound, attribute) = (trees.next(), trees.next());
    assert!(matches!(pound, Some(TokenTree::Punct(_))), "a snapshot begins with an attribute");
    let Some(TokenTree::Group(attribute)) = attribute else { unreachable!("`#` stands before a group") };
    let mut inside: Vec<TokenTree> = attribute.stream().into_iter().collect();
    let args = match inside.pop() {
        Some(TokenTree::Group(args)) => args.stream(),
        Some(name) => {
            inside.push(name);
            TokenStream::new()
        }
        None => TokenStream::new(),
    };
    let name = inside.pop().map(|name| name.to_string());
    let word = Word::ALL.into_iter().find(|word| name.as_deref() == Some(word.name()));
    (word.expect("one of our words"), args, trees.collect())
}

fn pretty(function: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(function).expect("expansions are functions"))
}

fn all() -> Vec<Snapshot> {
    let files = fs::read_dir(folder()).expect("snapshots can be read");
    files.map(|file| Snapshot::read(file.expect("snapshots can be read").path())).collect()
}

#[test]
fn as_they_are_kept() {
    let overwrite = std::env::var_os("MSTX_SNAPSHOTS").is_some_and(|wish| wish == "overwrite");
    for snapshot in all() {
        let expansion = snapshot.expansion();
        if overwrite {
            fs::write(&snapshot.path, format!("{}\n\n{expansion}", snapshot.head)).expect("snapshots can be written");
        } else {
            let file = snapshot.path.display();
            assert_eq!(snapshot.expected, expansion, "{file}\n\nis now\n\n{expansion}\nMSTX_SNAPSHOTS=overwrite keeps it");
        }
    }
}

#[test]
fn a_plain_method_stays_short() {
    for name in ["region.rs", "region_unregister.rs", "heap_reset.rs", "flush.rs", "range.rs"] {
        let snapshot = Snapshot::read(folder().join(name));
        let method = pretty(split(tokens(&snapshot.input())).2);
        let added = snapshot.expansion().lines().count() - method.lines().count();
        assert!(added <= MOST_ADDED, "{name}: {added} lines are added");
    }
}
