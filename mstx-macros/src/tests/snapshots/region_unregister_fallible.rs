// #[mstx::region_unregister(ptr = p)]
// fn free(&self, p: NonNull<u8>) -> Result<(), Busy> {
//     self.put(p)
// }

fn free(&self, p: NonNull<u8>) -> Result<(), Busy> {
    ::mstx::__private::around! {
        __mstx_call[let __mstx_call =
        ::mstx::__private::heard!(Release[::mstx::__private::Call::new(::mstx::__private::site!(region_unregister
        "free")).ptr(::mstx::__private::probe(& (p)).spans()).release()]);]
        __mstx_result[] [Result < (), Busy >] '__mstx_body { self.put(p) } { self.put(p)
        } [if ::mstx::__private::probe(& __mstx_result).is_err() { __mstx_call.refused()
        }] [return __mstx_result;]
    }
}
