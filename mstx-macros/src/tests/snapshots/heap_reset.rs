// #[mstx::heap_reset(heap = self.base)]
// fn reset(&mut self) {
//     self.used = 0;
// }

fn reset(&mut self) {
    let __mstx_call = ::mstx::__private::heard!(
        Body[::mstx::__private::Call::new(::mstx::__private::site!(heap_reset "reset"))
        .heap(& (self.base)).heap_reset()]
    );
    match () {
        () => {
            self.used = 0;
        }
    }
}
