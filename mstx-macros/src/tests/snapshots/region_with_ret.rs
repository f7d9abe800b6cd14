// #[mstx::region(heap = self, ptr = ret.at, size = ret.bytes)]
// fn alloc(&self, bytes: usize) -> Result<Block, Full> {
//     Block::new(self, bytes)
// }

fn alloc(&self, bytes: usize) -> Result<Block, Full> {
    ::mstx::__private::around! {
        __mstx_call[let __mstx_call =
        ::mstx::__private::heard!(Call[::mstx::__private::Call::new(::mstx::__private::site!(region
        "alloc")).heap(& (self)).begin()]);] __mstx_result[] [Result < Block, Full >]
        '__mstx_body { Block::new(self, bytes) } { Block::new(self, bytes) } [if
        __mstx_call.is_heard() { if let ::mstx::__private::Some(__mstx_ok) =
        ::mstx::__private::probe(& __mstx_result).peel() { if let
        ::mstx::__private::Some(__mstx_ok) = ::mstx::__private::probe(__mstx_ok).peel() {
        __mstx_call.ptr(match __mstx_ok { ret => ::mstx::__private::probe(& (ret.at))
        .spans() }).size(match __mstx_ok { ret => ret.bytes }).finish() } } }] [return
        __mstx_result;]
    }
}
