// #[mstx::heap(domain = "kv_cache", ptr = ret.base, size = len, name = ret.name, device = 1)]
// fn new(len: usize) -> Result<Self, OutOfMemory> {
//     Self::map(len)
// }

fn new(len: usize) -> Result<Self, OutOfMemory> {
    ::mstx::__private::around! {
        __mstx_call[let __mstx_call =
        ::mstx::__private::heard!(Call[::mstx::__private::Call::new(::mstx::__private::site!(heap
        "new")).domain(::mstx::__private::domain!("kv_cache")).size(len).device(1)
        .begin()]);] __mstx_result[] [Result < Self, OutOfMemory >] '__mstx_body {
        Self::map(len) } { Self::map(len) } [if __mstx_call.is_heard() { if let
        ::mstx::__private::Some(__mstx_ok) = ::mstx::__private::probe(& __mstx_result)
        .peel() { if let ::mstx::__private::Some(__mstx_ok) =
        ::mstx::__private::probe(__mstx_ok).peel() { match __mstx_ok { ret => __mstx_call
        .ptr(match __mstx_ok { ret => ::mstx::__private::probe(& (ret.base)).spans() })
        .name(& (ret.name)).finish() } } } }] [return __mstx_result;]
    }
}
