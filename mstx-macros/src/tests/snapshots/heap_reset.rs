// #[mstx::heap_reset(heap = self.base)]
// fn reset(&mut self) {
//     self.used = 0;
// }

fn reset(&mut self) {
    let __mstx_call = if ::mstx::__private::may_listen() {
        ::mstx::__private::Body::kept(
            if ::mstx::__private::does_listen() {
                ::mstx::__private::Call::new(
                        ::mstx::__private::site!(heap_reset "reset"),
                    )
                    .heap(&(self.base))
                    .heap_reset()
            } else {
                ::mstx::__private::Body::off()
            },
        )
    } else {
        ::mstx::__private::Body::off()
    };
    match () {
        () => {
            self.used = 0;
        }
    }
}
