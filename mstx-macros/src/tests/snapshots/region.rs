// #[mstx::region(size = n)]
// pub fn alloc(&self, n: usize) -> Option<NonNull<u8>> {
//     self.take(n)
// }

pub fn alloc(&self, n: usize) -> Option<NonNull<u8>> {
    let __mstx_call = if ::mstx::__private::listening() {
        ::mstx::__private::Call::new(::mstx::__private::site!(region "alloc"))
            .size(n)
            .begin()
    } else {
        ::mstx::__private::Call::off()
    };
    let __mstx_result: Option<NonNull<u8>>;
    __mstx_result = '__mstx_body: {
        if false {
            break '__mstx_body ::mstx::__private::never::<Option<NonNull<u8>>>()
        } else {
            self.take(n)
        }
    };
    if __mstx_call.is_on() {
        __mstx_call.returned_sized::<Option<NonNull<u8>>>(&__mstx_result)
    }
    return __mstx_result;
}
