//! Which expressions are evaluated after the body.

use super::errors;
use crate::args::Args;
use crate::args::{Key, Word};
use crate::valid::Errors;

fn is_late(expr: &str) -> bool {
    let mut errors = Errors::new(&super::tokens(""));
    let args = Args::read(Word::Region, super::tokens(&format!("size = {expr}")), &mut errors);
    assert!(errors.is_empty(), "{expr}");
    args.get(Key::Size).is_some_and(|arg| arg.ret().is_some())
}

#[test]
fn expressions_with_ret() {
    for expr in [
        "ret",
        "ret.len()",
        "*ret",
        "f(&ret)",
        "S { ret }",
        "n..ret",
        "{ let ret = ret.len(); ret }",
        "if let Some(ret) = n { 1 } else { ret }",
        "match n { ret => 1 } + ret",
        "(|| ret)()",
        "format!(\"{ret:?}\").len()",
        "format!(\"{}\", ret).len()",
        "matches!(ret, Some(_)) as usize",
        "own!(a, ret)",
        "own!(..ret)",
        "own!(S { a: ret })",
    ] {
        assert!(is_late(expr), "{expr}");
    }
}

#[test]
fn expressions_without() {
    for expr in [
        "self.ret",
        "n.ret()",
        "ret::SIZE",
        "m::ret",
        "S { ret: 1 }.size()",
        "(|ret: usize| ret + 1)(n)",
        "{ let ret = n; ret }",
        "if let Some(ret) = n { ret } else { 1 }",
        "match n { ret if ret > 1 => ret, _ => 0 }",
        "{ let mut a = 0; for ret in 0..n { a += ret } a }",
        "{ while let Some(ret) = it.next() { f(ret) } 1 }",
        "format!(\"{ret}\", ret = n).len() - format!(\"{{ret}}\").len()",
        "matches!(n, ret if ret > 1) as usize",
        "own!(a.ret, ret::x, m::ret, S { ret: 1 })",
        "r#return",
    ] {
        assert!(!is_late(expr), "{expr}");
    }
}

#[test]
fn only_after_the_body() {
    let expected = "`ptr` of `#[mstx::region_unregister]` is needed before the body, when there is no `ret` yet";
    assert_eq!(errors(Word::RegionUnregister, "ptr = ret", "fn f() {}"), [expected]);
    let expected = "`heap` of `#[mstx::region]` is needed before the body, when there is no `ret` yet";
    assert_eq!(errors(Word::Region, "heap = ret, size = 1", "fn f() -> *mut u8 { g() }"), [expected]);
    assert!(errors(Word::Heap, "name = ret.name, size = 1", "fn f() -> *mut u8 { g() }").is_empty());
    // Something else after the body may still be meant.
    let expected = "this function returns nothing: `ret` is neither a pointer nor a number";
    assert_eq!(errors(Word::Heap, "ptr = ret, size = 1", "fn f() {}"), [expected]);
    assert!(errors(Word::Heap, "ptr = (ret, p).1, size = 1", "fn f(p: *mut u8) {}").is_empty());
}
