// #[mstx::region]
// async fn alloc(&mut self, n: usize) -> Result<&mut [u8], Full> {
//     self.wait(n).await?;
//     Ok(self.take(n))
// }

async fn alloc(&mut self, n: usize) -> Result<&mut [u8], Full> {
    ::mstx::__private::around! {
        __mstx_call[let __mstx_call =
        ::mstx::__private::heard!(Call[::mstx::__private::Call::new(::mstx::__private::site!(region
        "alloc")).begin()]);] __mstx_result[mut] [Result < & mut [u8], Full >]
        '__mstx_body { match match self.wait(n) { __mstx_value => {
        ::mstx::__private::suspended(& __mstx_call); __mstx_value } } . await {
        #[allow(unreachable_code)] __mstx_value => { ::mstx::__private::resumed(&
        __mstx_call); __mstx_value } } ?; Ok(self.take(n)) } { self.wait(n). await ?;
        Ok(self.take(n)) } [__mstx_result = __mstx_call.pass:: < Result < & mut [u8],
        Full > > (__mstx_result)] [return __mstx_result;]
    }
}
