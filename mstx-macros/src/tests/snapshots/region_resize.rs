// #[mstx::region_resize(heap = self.base, ptr = p, size = new)]
// fn realloc(&self, p: NonNull<u8>, new: usize) -> Option<NonNull<u8>> {
//     self.resize(p, new)
// }

fn realloc(&self, p: NonNull<u8>, new: usize) -> Option<NonNull<u8>> {
    let __mstx_call = if ::mstx::__private::listening() {
        ::mstx::__private::Call::new(::mstx::__private::site!(region_resize "realloc"))
            .heap(&(self.base))
            .ptr(::mstx::__private::probe(&(p)).spans())
            .size(new)
            .resize()
    } else {
        ::mstx::__private::Resize::off()
    };
    let __mstx_result: Option<NonNull<u8>>;
    __mstx_result = '__mstx_body: {
        if false {
            break '__mstx_body ::mstx::__private::never::<Option<NonNull<u8>>>()
        } else {
            self.resize(p, new)
        }
    };
    if __mstx_call.is_on() {
        __mstx_call.moved(::mstx::__private::probe(&__mstx_result).moved())
    }
    return __mstx_result;
}
