// #[mstx::range(name = format!("layer {n}"))]
// fn layer(n: usize) -> usize {
//     forward(n)
// }

fn layer(n: usize) -> usize {
    let __mstx_call = ::mstx::__private::heard!(
        Range[::mstx::__private::Range::new(::mstx::__private::site!(range "layer"))
        .name(& (format!("layer {n}"))).enter()]
    );
    match () {
        () => forward(n),
    }
}
