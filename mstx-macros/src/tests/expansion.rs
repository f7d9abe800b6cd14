//! Whole expansions, compared as tokens.

use super::{expand, squeezed, tokens};
use crate::args::Word;

fn check(word: Word, args: &str, item: &str, expected: &str) {
    assert_eq!(squeezed(&expand(word, args, item)), squeezed(expected));
}

#[test]
fn a_region_with_everything_known_before() {
    check(
        Word::Region,
        "heap = self.base, size = n",
        "pub fn alloc(&self, n: usize) -> Option<NonNull<u8>> { self.take(n) }",
        r#"pub fn alloc(&self, n: usize) -> Option<NonNull<u8>> {
            ::mstx::__private::around! {
                __mstx_call [let __mstx_call = ::mstx::__private::heard!(Call [
                ::mstx::__private::Call::new(::mstx::__private::site!(region "alloc")).heap(&(self.base)).size(n).begin()]);]
                __mstx_result [mut] [Option<NonNull<u8>>]
                '__mstx_body
                { self.take(n) }
                { self.take(n) }
                [__mstx_result = __mstx_call.pass_sized::<Option<NonNull<u8>>>(__mstx_result)]
                [return __mstx_result;]
            }
        }"#,
    );
}

#[test]
fn a_heap_with_ret() {
    check(
        Word::Heap,
        "domain = \"kv\", ptr = ret.base, size = len",
        "fn r#new(len: usize) -> Result<Self, Full> { if len == 0 { return Err(Full); } Self::map(len) }",
        r#"fn r#new(len: usize) -> Result<Self, Full> {
            ::mstx::__private::around! {
                __mstx_call [let __mstx_call = ::mstx::__private::heard!(Call [
                ::mstx::__private::Call::new(::mstx::__private::site!(heap "new"))
                    .domain(::mstx::__private::domain!("kv")).size(len).begin()]);]
                __mstx_result [] [Result<Self, Full>]
                '__mstx_body
                {
                    if len == 0 { break '__mstx_body Err(Full); } Self::map(len)
                }
                {
                    if len == 0 { return Err(Full); } Self::map(len)
                }
                [if __mstx_call.is_heard() { if let ::mstx::__private::Some(__mstx_ok) = ::mstx::__private::probe(&__mstx_result).peel() {
                    if let ::mstx::__private::Some(__mstx_ok) = ::mstx::__private::probe(__mstx_ok).peel() {
                        __mstx_call.ptr(match __mstx_ok { ret => ::mstx::__private::probe(&(ret.base)).spans() }).finish()
                    }
                } }]
                [return __mstx_result;]
            }
        }"#,
    );
}

#[test]
fn ret_itself_is_the_value_and_not_the_reference() {
    check(
        Word::Region,
        "ptr = ret, size = ret",
        "fn alloc() -> usize { 64 }",
        r#"fn alloc() -> usize {
            ::mstx::__private::around! {
                __mstx_call [let __mstx_call = ::mstx::__private::heard!(Call [
                ::mstx::__private::Call::new(::mstx::__private::site!(region "alloc")).begin()]);]
                __mstx_result [] [usize]
                '__mstx_body
                { 64 }
                { 64 }
                [if __mstx_call.is_heard() { if let ::mstx::__private::Some(__mstx_ok) = ::mstx::__private::probe(&__mstx_result).peel() {
                    if let ::mstx::__private::Some(__mstx_ok) = ::mstx::__private::probe(__mstx_ok).peel() {
                        __mstx_call.ptr(match __mstx_ok { ret => ::mstx::__private::probe(ret).spans() })
                            .size(match __mstx_ok { ret => *ret }).finish()
                    }
                } }]
                [return __mstx_result;]
            }
        }"#,
    );
}

#[test]
fn a_release_that_cannot_fail_keeps_its_body() {
    check(
        Word::RegionUnregister,
        "ptr = p",
        "fn free(&self, p: *mut u8) { if p.is_null() { return; } self.put(p) }",
        r#"fn free(&self, p: *mut u8) {
            let __mstx_call = ::mstx::__private::heard!(Release [
                ::mstx::__private::Call::new(::mstx::__private::site!(region_unregister "free"))
                    .ptr(::mstx::__private::probe(&(p)).spans()).release()]);
            match () { () => { if p.is_null() { return; } self.put(p) } }
        }"#,
    );
}

#[test]
fn a_release_that_can_fail_is_looked_at() {
    for (ty, looked_at) in
        [("io::Result<()>", true), ("Self::Out", true), ("Option<u8>", false), ("(A, B)", false), ("bool", false)]
    {
        let expansion = expand(Word::RegionUnregister, "ptr = p", &format!("fn free(p: *mut u8) -> {ty} {{ put(p) }}"));
        assert_eq!(expansion.contains("refused"), looked_at, "{ty}");
    }
}

#[test]
fn words_without_a_result() {
    check(
        Word::Flush,
        "crate = my::mstx",
        "fn launch() { go() }",
        "fn launch() { if my::mstx::__private::listening() { my::mstx::__private::flush() } match () { () => { go() } } }",
    );
    check(
        Word::AllocatorInternal,
        "crate = my::mstx",
        "fn link() { go() }",
        "fn link() {
            let __mstx_call = if my::mstx::__private::listening() { my::mstx::__private::Internal::enter() }
                else { my::mstx::__private::Internal::off() };
            match () { () => { go() } }
        }",
    );
    check(Word::Region, "size = 3", "fn stop() -> ! { loop {} }", "fn stop() -> ! { loop {} }");
}

#[test]
fn the_default_domain_of_a_heap_is_listed() {
    assert!(expand(Word::Heap, "size = n", "fn new(n: usize) -> *mut u8 { map(n) }").contains("site ! (heap \"new\" lists)"));
    assert!(!expand(Word::Heap, "size = n, domain = D", "fn new(n: usize) -> *mut u8 { map(n) }").contains("lists"));
}

#[test]
fn bare_numbers_are_usize() {
    let of = |size: &str| expand(Word::Region, &format!("size = {size}"), "fn f(n: usize) -> *mut u8 { g() }");
    assert!(of("1 << 40").contains("size :: < :: core :: primitive :: usize > (1 << 40)"));
    assert!(of("n + 1").contains(". size (n + 1)"));
    assert!(of("4u32").contains(". size (4u32)"));
    let expansion = expand(Word::Region, "heap = 0x1000, ptr = 0x1010, size = 1", "fn f() {}");
    assert!(expansion.contains(". heap :: < :: core :: primitive :: usize > (& (0x1000))"), "{expansion}");
    assert!(expansion.contains("probe :: < :: core :: primitive :: usize > (& (0x1010))"), "{expansion}");
}

#[test]
fn a_type_that_cannot_be_named() {
    let expansion = expand(Word::Region, "ptr = p, size = 1", "fn f(p: *mut u8) -> Result<impl Iterator<Item = u8>, E> { g() }");
    assert!(expansion.contains("let __mstx_result : Result < _ , E > ;"), "{expansion}");
    // Nothing may stand between the return type and what is deduced from it.
    let expansion = expand(Word::Flush, "", "fn f() -> impl Fn(&u8) -> u8 { |x| *x }");
    assert!(expansion.ends_with("} | x | * x }"), "{expansion}");
}

/// The body of a function that returns `u8` after the rewriting.
fn rewritten(body: &str) -> String {
    let expansion = expand(Word::Region, "ptr = p, size = 1", &format!("fn f(p: *mut u8) -> u8 {{ {body} }}"));
    let original = format!(" }} {{ {} }} [", tokens(body));
    let body = expansion.split_once("[u8] '__mstx_body { ").and_then(|(_, rest)| rest.split_once(&original));
    body.expect("the rewritten body, and the one that was written").0.replace("'__mstx_body", "'l")
}

#[test]
fn returns_of_the_function_itself() {
    let same = |before: &str, after: &str| assert_eq!(rewritten(before), tokens(after).to_string());
    same("return 1;", "break 'l 1;");
    same("match x { 1 if return 2 => 3, _ => return 4 }", "match x { 1 if break 'l 2 => 3, _ => break 'l 4 }");
    same("let Some(x) = y else { return 1 }; x", "let Some(x) = y else { break 'l 1 }; x");
    same("#[cfg(a)] return 1; 2", "#[cfg(a)] break 'l 1; 2");
    same("return loop { break 1 };", "break 'l (loop { break 1 });");
    same("println!(\"{}\", if a { return 1 } else { 2 }); 3", "println!(\"{}\", if a { break 'l 1 } else { 2 }); 3");
    same("matches!(a, Some(b) if { return b })", "matches!(a, Some(b) if { break 'l b })");
    same("vec![{ return 1 }; 3]; 2", "vec![{ break 'l 1 }; 3]; 2");
}

#[test]
fn other_returns_and_bodies_that_do_not_parse() {
    for body in [
        "let f = | x : u8 | { return x } ; f (1)",
        "async { return 1 } ; 2",
        "fn inner () -> u8 { return 1 } inner ()",
        "const { return 1 } ; 2",
        "my_macro ! (return 1) ; 2",
        "let x : [u8 ; { return 1 }] = y ; 2",
        "x ? ; 1",
        "return ;",
        "let = ; return 1",
    ] {
        assert_eq!(rewritten(body), body);
    }
}

/// The body of an `async` function of the allocator's own after the rewriting.
fn awaiting(body: &str) -> String {
    let expansion = squeezed(&expand(Word::AllocatorInternal, "", &format!("async fn f() -> u8 {{ {body} }}")));
    let (_, rest) = expansion.split_once("match(){()=>::mstx::__private::awaiting!{{").expect("a body");
    let rewritten = rest.strip_suffix(&format!("}}{{{}}}}}}}}}", squeezed(body))).expect("the body as it was");
    let p = "::mstx::__private::";
    let rewritten = rewritten.replace(&format!("__mstx_value=>{{{p}suspended(&__mstx_call);__mstx_value}}"), "S");
    let resumed = format!("{p}resumed(&__mstx_call);");
    // Otherwise what is never ready would be warned of.
    let allowed = "#[allow(unreachable_code)]";
    let rewritten = rewritten.replace(&format!("{allowed}__mstx_value=>{{{resumed}__mstx_value}}"), "R");
    rewritten.replace(&format!("{allowed}{resumed}"), "r();")
}

#[test]
fn awaits_of_the_function_itself() {
    let same = |before: &str, after: &str| assert_eq!(awaiting(before), squeezed(after));
    same("a.await", "(match match a {S}.await {R})");
    same("a.await + b.await", "(match match a {S}.await {R}) + (match match b {S}.await {R})");
    // What follows binds to it.
    same("a.await?.b(d.await) + 1", "match match a {S}.await {R}?.b((match match d {S}.await {R})) + 1");
    same("a(b.await).await.d", "match match a((match match b {S}.await {R})) {S}.await {R}.d");
    same("a.await.await", "(match match match match a {S}.await {R} {S}.await {R})");
    // There the compiler may say that what was awaited must be used.
    same("a.await; 1", "match a {S}.await; r(); 1");
    same("let x = a.await; x", "let x = (match match a {S}.await {R}); x");
    same("println!(\"{}\", a.await); 1", "println!(\"{}\", (match match a {S}.await {R})); 1");
    same("matches!(a.await, Some(b) if b)", "matches!((match match a {S}.await {R}), Some(b) if b)");
    same("if a { return b.await } 1", "if a { return (match match b {S}.await {R}) } 1");
    // These are others'.
    for body in
        ["async { a . await } ; 1", "async move | | a . await ; 1", "async fn g () { a . await } 1", "info ! (\"{}\" , a) ; 1"]
    {
        assert_eq!(awaiting(body), squeezed(body));
    }
}

#[test]
fn awaits_that_may_be_hidden() {
    for body in [
        "select! { x = a => x }",
        "my::join!(a, b); 1",
        "info!(\"{}\", a.await); 1",
        "let = ; 1",
        "if wait!(a) { 1 } else { 2 }",
        "assert!(wait!(a)); 1",
    ] {
        let item = format!("async fn f() -> u8 {{ {body} }}");
        let expansion = expand(Word::AllocatorInternal, "", &item);
        assert!(expansion.contains("a macro that may `.await` something"), "{expansion}");
        let expansion = expand(Word::RegionUnregister, "ptr = p", &item);
        assert!(expansion.contains(". suspends () . release ()") && !expansion.contains("suspended"), "{expansion}");
    }
    // In a closure of ours, no `.await` is seen.
    let expansion = expand(Word::Region, "ptr = p, size = 1, returns_in_macros", "async fn f() -> u8 { a.await }");
    assert!(expansion.contains(". suspends () . begin ()") && !expansion.contains("suspended"), "{expansion}");
    // Another of our words, which was first, has them: in a macro.
    let item = "#[mstx::region(ptr = p, size = 1)] async fn f() -> u8 { a.await }";
    let first = expand(Word::RegionUnregister, "ptr = p", item);
    assert_eq!(first.matches("suspended").count(), 1, "{first}");
    let second = expand(Word::Region, "ptr = p, size = 1", first.split_once("] ").expect("an attribute").1);
    assert!(second.contains(". suspends () . begin ()"), "{second}");
}

#[test]
fn inner_attributes_stay_in_front() {
    let expansion = expand(Word::Flush, "", "fn f() -> u8 { #![allow(unused)] 1 }");
    assert!(expansion.contains("[allow (unused)] if"), "{expansion}");
}

#[test]
fn expectations_that_the_rewriting_would_disappoint() {
    let item = "#[expect(dead_code, clippy::needless_return, reason = \"why\")] fn f(p: *mut u8) -> u8 { return 1; }";
    let expansion = expand(Word::Region, "ptr = p, size = 1", item);
    let expected = "#[allow(clippy::needless_return, reason = \"why\")] #[expect(dead_code, reason = \"why\")] fn";
    assert!(expansion.starts_with(&tokens(expected).to_string()), "{expansion}");
    // A body that is not rewritten fulfils them.
    assert!(expand(Word::RegionUnregister, "ptr = p", item).starts_with("# [expect (dead_code , clippy :: needless_return"));
}

#[test]
fn the_order_of_several_words() {
    // `heap` reports first, so it is expanded first.
    let item = "#[mstx::heap(size = 2)] #[inline] fn f() -> *mut u8 { g() }";
    let expansion = expand(Word::Region, "size = 1", item);
    let expected = "#[mstx::heap(size = 2)] #[inline] #[::mstx::region(size = 1)] fn f() -> *mut u8 { g() }";
    assert_eq!(expansion, tokens(expected).to_string());
    // This is the order already.
    let expansion = expand(Word::Heap, "size = 2", "#[region(size = 1)] fn f() -> *mut u8 { g() }");
    assert!(expansion.starts_with("# [region (size = 1)] fn f () -> * mut u8 { :: mstx :: __private :: around !"), "{expansion}");
}

#[test]
fn fragments_of_macro_rules_keep_together() {
    use proc_macro2::{Delimiter, Group, TokenTree};
    use quote::quote;
    let group = |code: &str| TokenTree::from(Group::new(Delimiter::None, tokens(code)));
    let (sum, path, call) = (group("1 + 2"), group("a::b"), group("f(1)"));
    let (block, stmt, ty) = (group("{ g() }"), group("let x: u8 = 1"), group("dyn A + B"));
    let item = quote!(fn f(p: *mut u8) -> &#ty { #stmt; #block if a { return #sum * 2; } #path + #call + #block });
    let expansion = crate::expand::attribute(Word::Region, quote!(ptr = p, size = #sum * 2), item).to_string();
    for expected in [
        "-> & (dyn A + B) {",
        ". size :: < :: core :: primitive :: usize > ((1 + 2) * 2)",
        "let x : u8 = 1 ; { g () } if a { break '__mstx_body (1 + 2) * 2 ; } a :: b + f (1) + ({ g () })",
    ] {
        assert!(expansion.contains(expected), "{expected} in {expansion}");
    }
}
