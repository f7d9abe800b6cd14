// #[mstx::heap_resize(heap = self.base, size = self.committed + more)]
// fn commit(&mut self, more: usize) -> Result<(), Full> {
//     self.committed += more;
//     Ok(())
// }

fn commit(&mut self, more: usize) -> Result<(), Full> {
    let __mstx_call = if ::mstx::__private::listening() {
        ::mstx::__private::Call::new(::mstx::__private::site!(heap_resize "commit"))
            .heap(&(self.base))
            .size(self.committed + more)
            .heap_resize()
    } else {
        ::mstx::__private::HeapResize::off()
    };
    let __mstx_result: Result<(), Full>;
    __mstx_result = '__mstx_body: {
        if false {
            break '__mstx_body ::mstx::__private::never::<Result<(), Full>>()
        } else {
            self.committed += more;
            Ok(())
        }
    };
    if __mstx_call.is_on() {
        if let ::mstx::__private::Some(__mstx_ok) = ::mstx::__private::probe(
                &__mstx_result,
            )
            .peel()
        {
            if let ::mstx::__private::Some(__mstx_ok) = ::mstx::__private::probe(
                    __mstx_ok,
                )
                .peel()
            {
                __mstx_call.succeeded()
            }
        }
    }
    return __mstx_result;
}
