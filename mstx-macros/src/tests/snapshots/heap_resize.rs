// #[mstx::heap_resize(heap = self.base, size = self.committed + more)]
// fn commit(&mut self, more: usize) -> Result<(), Full> {
//     self.committed += more;
//     Ok(())
// }

fn commit(&mut self, more: usize) -> Result<(), Full> {
    ::mstx::__private::around! {
        __mstx_call[let __mstx_call =
        ::mstx::__private::heard!(HeapResize[::mstx::__private::Call::new(::mstx::__private::site!(heap_resize
        "commit")).heap(& (self.base)).size(self.committed + more).heap_resize()]);]
        __mstx_result[] [Result < (), Full >] '__mstx_body { self.committed += more;
        Ok(()) } { self.committed += more; Ok(()) } [if let
        ::mstx::__private::Some(__mstx_ok) = ::mstx::__private::probe(& __mstx_result)
        .peel() { if let ::mstx::__private::Some(__mstx_ok) =
        ::mstx::__private::probe(__mstx_ok).peel() { __mstx_call.succeeded() } }] [return
        __mstx_result;]
    }
}
