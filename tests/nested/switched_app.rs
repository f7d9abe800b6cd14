//! Uses a library with an annotated pool, and says whether this build reports.

fn main() {
    lib_a::put(lib_a::take(16));
    #[cfg(feature = "quiet")]
    lib_b::nothing();
    // Its `Display` would be a symbol of the runtime.
    println!(
        "{}",
        match mstx::BUILD {
            mstx::Build::On => "on",
            mstx::Build::WithoutRuntime => "without runtime",
            mstx::Build::Off => "off",
            mstx::Build::ReleaseOff => "release off",
            _ => "something else",
        }
    );
}

#[cfg(test)]
#[test]
fn with_lib_c() {
    lib_c::nothing();
}
