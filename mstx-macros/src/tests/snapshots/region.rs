// #[mstx::region(size = n)]
// pub fn alloc(&self, n: usize) -> Option<NonNull<u8>> {
//     self.take(n)
// }

pub fn alloc(&self, n: usize) -> Option<NonNull<u8>> {
    ::mstx::__private::around! {
        __mstx_call[let __mstx_call =
        ::mstx::__private::heard!(Call[::mstx::__private::Call::new(::mstx::__private::site!(region
        "alloc")).size(n).begin()]);] __mstx_result[mut] [Option < NonNull < u8 > >]
        '__mstx_body { self.take(n) } { self.take(n) } [__mstx_result = __mstx_call
        .pass_sized:: < Option < NonNull < u8 > > > (__mstx_result)] [return
        __mstx_result;]
    }
}
