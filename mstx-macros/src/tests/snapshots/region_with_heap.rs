// #[mstx::region(heap = self.base, size = layout.size(), domain = KV_CACHE)]
// #[track_caller]
// pub fn alloc(&self, layout: Layout) -> Result<NonNull<u8>, Full> {
//     if layout.size() > self.free() {
//         return Err(Full);
//     }
//     Ok(self.take(layout)?)
// }

#[track_caller]
pub fn alloc(&self, layout: Layout) -> Result<NonNull<u8>, Full> {
    ::mstx::__private::around! {
        __mstx_call[let __mstx_call =
        ::mstx::__private::heard!(Call[::mstx::__private::Call::new(::mstx::__private::site!(region
        "alloc")).heap(& (self.base)).size(layout.size()).domain(& (KV_CACHE))
        .begin()]);] __mstx_result[mut] [Result < NonNull < u8 >, Full >] '__mstx_body {
        if layout.size() > self.free() { break '__mstx_body Err(Full); } Ok(self
        .take(layout) ?) } { if layout.size() > self.free() { return Err(Full); } Ok(self
        .take(layout) ?) } [__mstx_result = __mstx_call.pass_sized:: < Result < NonNull <
        u8 >, Full > > (__mstx_result)] [return __mstx_result;]
    }
}
