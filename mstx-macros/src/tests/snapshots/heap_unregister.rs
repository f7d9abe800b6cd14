// #[mstx::heap_unregister(heap = self.base)]
// fn release(self) {
//     drop(self.memory);
// }

fn release(self) {
    let __mstx_call = ::mstx::__private::heard!(
        Body[::mstx::__private::Call::new(::mstx::__private::site!(heap_unregister
        "release")).heap(& (self.base)).heap_unregister()]
    );
    match () {
        () => {
            drop(self.memory);
        }
    }
}
