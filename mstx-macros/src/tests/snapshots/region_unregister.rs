// #[mstx::region_unregister(heap = self.base, ptr = p)]
// fn free(&self, p: NonNull<u8>) {
//     self.put(p)
// }

fn free(&self, p: NonNull<u8>) {
    let __mstx_call = ::mstx::__private::heard!(
        Release[::mstx::__private::Call::new(::mstx::__private::site!(region_unregister
        "free")).heap(& (self.base)).ptr(::mstx::__private::probe(& (p)).spans())
        .release()]
    );
    match () {
        () => self.put(p),
    }
}
