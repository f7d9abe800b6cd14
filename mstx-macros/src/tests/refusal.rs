//! Messages.

use super::{errors, expand};
use crate::args::Word;

const ALLOC: &str = "fn alloc(n: usize) -> *mut u8 { take(n) }";

fn refused(word: Word, args: &str, item: &str, expected: &[&str]) {
    assert_eq!(errors(word, args, item), expected, "{args}");
}

#[test]
fn the_function_is_still_there() {
    assert!(expand(Word::Region, "sise = n", ALLOC).ends_with("fn alloc (n : usize) -> * mut u8 { take (n) }"));
}

#[test]
fn all_at_once() {
    refused(
        Word::Region,
        "sise = n, heap, size = n?, size = 2, ptr = , domain = \"a::b\", \"x\", device: 3, crate = 3 + 4",
        ALLOC,
        &[
            "unknown argument `sise` (did you mean `size`?); expected one of: `heap`, `ptr`, `size`, `domain`, `device`, `returns_in_macros`, `crate`",
            "`heap` needs a value: write `heap = <heap or pointer into it>`",
            "an argument of `#[mstx::region]` cannot use `?`: it is not part of the function's body; \
             `ptr` and `size` take an `Option` as it is",
            "`size` is given twice",
            "`ptr` has no value: write `ptr = <pointer>`",
            "expected an argument of the form `name = value`; \
             expected one of: `heap`, `ptr`, `size`, `domain`, `device`, `returns_in_macros`, `crate`",
            "expected `=` or `,` after `device`: write `device = <number>`",
            "`crate` is a path: write `crate = <path of the mstx crate>`",
            "a domain's name consists of letters A-Z and a-z, digits and `_`, without ':'",
        ],
    );
}

#[test]
fn arguments_of_other_words() {
    refused(Word::Flush, "size = 3", ALLOC, &["`#[mstx::flush]` takes no `size`; the only one is `crate`"]);
    refused(
        Word::Heap,
        "heap = p, size = 1",
        ALLOC,
        &["`#[mstx::heap]` registers a new heap: `ptr = <pointer>` or the return type says where it starts; \
           expected one of: `ptr`, `size`, `domain`, `name`, `host`, `device`, `deferred`, `returns_in_macros`, `crate`"],
    );
}

#[test]
fn misspelt_arguments() {
    let meant = |name: &str| {
        let error = errors(Word::Heap, name, "fn f() -> &'static mut [u8] { g() }").remove(0);
        error.split_once("did you mean `").and_then(|(_, rest)| Some(rest.split_once('`')?.0.to_owned()))
    };
    for (name, key) in
        [("sise", "size"), ("Size", "size"), ("prt", "ptr"), ("domian", "domain"), ("devise", "device"), ("defered", "deferred")]
    {
        assert_eq!(meant(name).as_deref(), Some(key), "{name}");
    }
    // Known, or too far from all.
    for name in ["stream", "p", "len", "bytes", "at", "pool"] {
        assert_eq!(meant(name), None, "{name}");
    }
}

#[test]
fn missing_arguments() {
    refused(
        Word::HeapResize,
        "",
        ALLOC,
        &[
            "`#[mstx::heap_resize]` needs `heap`: write `heap = <heap or pointer into it>`",
            "`#[mstx::heap_resize]` needs `size`: write `size = <bytes>`",
        ],
    );
    refused(
        Word::Region,
        "size = n",
        "fn f(n: usize) {}",
        &["this function returns nothing: say where the region is with `ptr = <pointer>`"],
    );
    // It was not forgotten.
    refused(Word::Region, "ptr = , size = n", "fn f(n: usize) {}", &["`ptr` has no value: write `ptr = <pointer>`"]);
    refused(
        Word::RegionUnregister,
        "prt = p",
        "fn f(p: *mut u8) {}",
        &["unknown argument `prt` (did you mean `ptr`?); expected one of: `ptr`, `size`, `heap`, `domain`, `crate`"],
    );
}

#[test]
fn combinations() {
    refused(
        Word::Region,
        "heap = h, size = n, device = 1",
        ALLOC,
        &["`device` is for regions of no heap: with `heap`, the region is where its heap is"],
    );
    refused(Word::Heap, "host = 1, device = 1, size = n", ALLOC, &["`host` takes no value: write `host`"]);
    refused(
        Word::Heap,
        "host, device = 1, size = n",
        ALLOC,
        &["a heap is either `host` memory or the memory of a `device`, not both"],
    );
}

#[test]
fn names_of_domains() {
    let of = |name: &str| errors(Word::HeapReset, &format!("heap = h, domain = \"{name}\""), "fn f() {}");
    assert!(of(&"a".repeat(1023)).is_empty());
    assert_eq!(
        of(&"a".repeat(1024)),
        ["a domain's name has at most 1023 bytes (some tools take no more than 255), and this 1024"]
    );
    assert_eq!(of(""), ["a domain's name cannot be empty"]);
    assert_eq!(of("naïve"), ["a domain's name consists of letters A-Z and a-z, digits and `_`, without 'ï'"]);
}

#[test]
fn ways_out_of_an_expression() {
    let of = |size: &str| errors(Word::Region, &format!("size = {size}"), ALLOC).len();
    for refused in
        ["n?", "{ return 1 }", "n.await", "loop { break 'a 1 }", "{ break }", "{ continue }", "format!(\"{}\", n?).len()"]
    {
        assert_eq!(of(refused), 1, "{refused}");
    }
    for fine in ["(|| { f()?; return 1 })()", "loop { break 1 }", "'a: { break 'a 1 }", "block_on(async { f().await? })"] {
        assert_eq!(of(fine), 0, "{fine}");
    }
}

#[test]
fn functions() {
    let region = |item: &str| errors(Word::Region, "size = 1", item);
    assert_eq!(
        region("const fn f() -> *mut u8 { g() }"),
        ["`#[mstx::region]` cannot instrument a `const fn`: it may run while the program is compiled; \
          put it on the function that calls this one"]
    );
    assert_eq!(
        region("#[unsafe(naked)] extern \"C\" fn f() -> *mut u8 { naked_asm!(\"ret\") }"),
        ["`#[mstx::region]` cannot instrument a naked function: its body is assembly only; \
          put it on the function that calls this one"]
    );
    assert_eq!(
        region("fn f(&self) -> *mut u8;"),
        ["`#[mstx::region]` needs a function with a body: put it where the body is written"]
    );
    for item in ["struct S;", "mod m { fn f() {} }", "impl S {}", "static HOOK: fn() = {}", "a + b", ""] {
        assert_eq!(region(item), ["`#[mstx::region]` needs a function with a body, and this is not a function"]);
    }
    assert_eq!(
        region("fn f() -> Option<impl FnMut(u8)> { g() }"),
        ["`#[mstx::region]` cannot be put on a function that returns a closure: a closure is not memory"]
    );
    assert_eq!(
        errors(Word::RegionUnregister, "ptr = p", "fn f(p: *mut u8) -> Result<impl Fn(u8), E> { g() }"),
        ["`#[mstx::region_unregister]` cannot see whether a function that returns a closure has failed; \
          return a `Box<dyn Fn(..)>`"]
    );
    assert_eq!(
        region("gen fn f() -> *mut u8 { g() }").last().map(String::as_str),
        Some("`#[mstx::region]` does not know this syntax of a function")
    );
    assert_eq!(errors(Word::AllocatorInternal, "", "async fn f() { g!() }").len(), 1);
    assert_eq!(errors(Word::AllocatorInternal, "", "async fn f() { g().await }").len(), 0);
}

#[test]
fn several_words() {
    let item = "#[mstx::region_resize(ptr = p, size = 1)] fn f(p: *mut u8) -> *mut u8 { p }";
    refused(
        Word::Region,
        "size = 1",
        item,
        &["`#[mstx::region]` and `#[mstx::region_resize]` cannot be on one function: \
           a resize registers the region at its new place itself"],
    );
    refused(Word::Flush, "", "#[mstx::flush] fn f() {}", &["`#[mstx::flush]` is on this function twice"]);
    refused(Word::Flush, "crate = a::b", "#[a::b::flush] fn f() {}", &["`#[mstx::flush]` is on this function twice"]);
    refused(Word::Flush, "", "#[other::flush] fn f() {}", &[]);
}
