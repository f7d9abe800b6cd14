// #[mstx::region]
// async fn alloc(&mut self, n: usize) -> Result<&mut [u8], Full> {
//     self.wait(n).await?;
//     Ok(self.take(n))
// }

async fn alloc(&mut self, n: usize) -> Result<&mut [u8], Full> {
    let __mstx_call = if ::mstx::__private::listening() {
        ::mstx::__private::Call::new(::mstx::__private::site!(region "alloc")).begin()
    } else {
        ::mstx::__private::Call::off()
    };
    let __mstx_result: Result<&mut [u8], Full>;
    __mstx_result = '__mstx_body: {
        if false {
            break '__mstx_body ::mstx::__private::never::<Result<&mut [u8], Full>>()
        } else {
            self.wait(n).await?;
            Ok(self.take(n))
        }
    };
    if __mstx_call.is_on() {
        __mstx_call.returned::<Result<&mut [u8], Full>>(&__mstx_result)
    }
    return __mstx_result;
}
