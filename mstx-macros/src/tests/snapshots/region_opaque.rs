// #[mstx::region(ptr = base, size = 4096)]
// fn pages<T>(base: *mut T) -> Option<impl Iterator<Item = *mut T>> {
//     Some(once(base))
// }

fn pages<T>(base: *mut T) -> Option<impl Iterator<Item = *mut T>> {
    let __mstx_call = ::mstx::__private::heard!(
        Call[::mstx::__private::Call::new(::mstx::__private::site!(region "pages"))
        .ptr(::mstx::__private::probe(& (base)).spans()).size:: <
        ::core::primitive::usize > (4096).begin()]
    );
    let __mstx_result: Option<_>;
    __mstx_result = '__mstx_body: {
        if false {
            break '__mstx_body ::mstx::__private::never::<Option<_>>()
        } else {
            Some(once(base))
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
                __mstx_call.finish()
            }
        }
    }
    return __mstx_result;
}
