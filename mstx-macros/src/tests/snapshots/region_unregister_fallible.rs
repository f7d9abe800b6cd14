// #[mstx::region_unregister(ptr = p)]
// fn free(&self, p: NonNull<u8>) -> Result<(), Busy> {
//     self.put(p)
// }

fn free(&self, p: NonNull<u8>) -> Result<(), Busy> {
    ::mstx::__private::around! {
        __mstx_call[let __mstx_call = if ::mstx::__private::may_listen() {
        ::mstx::__private::Release::kept(if ::mstx::__private::does_listen() {
        ::mstx::__private::Call::new(::mstx::__private::site!(region_unregister "free"))
        .ptr(::mstx::__private::probe(& (p)).spans()).release() } else {
        ::mstx::__private::Release::off() }) } else { ::mstx::__private::Release::off()
        };] __mstx_result[] [Result < (), Busy >] '__mstx_body { self.put(p) } { self
        .put(p) } [if ::mstx::__private::probe(& __mstx_result).is_err() { __mstx_call
        .refused() }] [return __mstx_result;]
    }
}
