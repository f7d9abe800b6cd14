// #[mstx::region_resize(heap = self.base, ptr = p, size = new)]
// fn realloc(&self, p: NonNull<u8>, new: usize) -> Option<NonNull<u8>> {
//     self.resize(p, new)
// }

fn realloc(&self, p: NonNull<u8>, new: usize) -> Option<NonNull<u8>> {
    ::mstx::__private::around! {
        __mstx_call[let __mstx_call =
        ::mstx::__private::heard!(Resize[::mstx::__private::Call::new(::mstx::__private::site!(region_resize
        "realloc")).heap(& (self.base)).ptr(::mstx::__private::probe(& (p)).spans())
        .size(new).resize()]);] __mstx_result[] [Option < NonNull < u8 > >] '__mstx_body
        { self.resize(p, new) } { self.resize(p, new) } [__mstx_call
        .moved(::mstx::__private::probe(& __mstx_result).moved())] [return
        __mstx_result;]
    }
}
