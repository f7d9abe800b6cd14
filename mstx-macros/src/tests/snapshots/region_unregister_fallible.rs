// #[mstx::region_unregister(ptr = p)]
// fn free(&self, p: NonNull<u8>) -> Result<(), Busy> {
//     self.put(p)
// }

fn free(&self, p: NonNull<u8>) -> Result<(), Busy> {
    let __mstx_call = if ::mstx::__private::listening() {
        ::mstx::__private::Call::new(::mstx::__private::site!(region_unregister "free"))
            .ptr(::mstx::__private::probe(&(p)).spans())
            .release()
    } else {
        ::mstx::__private::Release::off()
    };
    let __mstx_result: Result<(), Busy>;
    __mstx_result = '__mstx_body: {
        if false {
            break '__mstx_body ::mstx::__private::never::<Result<(), Busy>>()
        } else {
            self.put(p)
        }
    };
    if __mstx_call.is_on() {
        if ::mstx::__private::probe(&__mstx_result).is_err() {
            __mstx_call.refused()
        }
    }
    return __mstx_result;
}
