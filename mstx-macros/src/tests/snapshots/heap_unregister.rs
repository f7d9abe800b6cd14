// #[mstx::heap_unregister(heap = self.base)]
// fn release(self) {
//     drop(self.memory);
// }

fn release(self) {
    let __mstx_call = if ::mstx::__private::may_listen() {
        ::mstx::__private::Body::kept(
            if ::mstx::__private::does_listen() {
                ::mstx::__private::Call::new(
                        ::mstx::__private::site!(heap_unregister "release"),
                    )
                    .heap(&(self.base))
                    .heap_unregister()
            } else {
                ::mstx::__private::Body::off()
            },
        )
    } else {
        ::mstx::__private::Body::off()
    };
    match () {
        () => {
            drop(self.memory);
        }
    }
}
