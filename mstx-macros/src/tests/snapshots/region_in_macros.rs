// #[mstx::region(size = n, returns_in_macros)]
// fn alloc(&mut self, n: usize) -> *mut u8 {
//     reuse!(self.free.pop());
//     self.take(n)
// }

fn alloc(&mut self, n: usize) -> *mut u8 {
    ::mstx::__private::around! {
        __mstx_call[let __mstx_call =
        ::mstx::__private::heard!(Call[::mstx::__private::Call::new(::mstx::__private::site!(region
        "alloc")).size(n).begin()]);] __mstx_result[mut] [* mut u8] '__mstx_body {
        ::mstx::__private::run(move || { reuse!(self.free.pop()); self.take(n) }) } {
        reuse!(self.free.pop()); self.take(n) } [__mstx_result = __mstx_call.pass_sized::
        < * mut u8 > (__mstx_result)] [return __mstx_result;]
    }
}
