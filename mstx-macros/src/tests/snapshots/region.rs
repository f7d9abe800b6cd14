// #[mstx::region(size = n)]
// pub fn alloc(&self, n: usize) -> Option<NonNull<u8>> {
//     self.take(n)
// }

pub fn alloc(&self, n: usize) -> Option<NonNull<u8>> {
    ::mstx::__private::around! {
        __mstx_call[let __mstx_call = if ::mstx::__private::may_listen() {
        ::mstx::__private::Call::kept(if ::mstx::__private::does_listen() {
        ::mstx::__private::Call::new(::mstx::__private::site!(region "alloc")).size(n)
        .begin() } else { ::mstx::__private::Call::off() }) } else {
        ::mstx::__private::Call::off() };] __mstx_result[mut] [Option < NonNull < u8 > >]
        '__mstx_body { self.take(n) } { self.take(n) } [__mstx_result = __mstx_call
        .pass_sized:: < Option < NonNull < u8 > > > (__mstx_result)] [return
        __mstx_result;]
    }
}
