// #[mstx::region_unregister(heap = self.base, ptr = p)]
// fn free(&self, p: NonNull<u8>) {
//     self.put(p)
// }

fn free(&self, p: NonNull<u8>) {
    let __mstx_call = if ::mstx::__private::may_listen() {
        ::mstx::__private::Release::kept(
            if ::mstx::__private::does_listen() {
                ::mstx::__private::Call::new(
                        ::mstx::__private::site!(region_unregister "free"),
                    )
                    .heap(&(self.base))
                    .ptr(::mstx::__private::probe(&(p)).spans())
                    .release()
            } else {
                ::mstx::__private::Release::off()
            },
        )
    } else {
        ::mstx::__private::Release::off()
    };
    match () {
        () => self.put(p),
    }
}
