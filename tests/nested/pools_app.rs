//! Lists the domains of a library that it mentions, or does not.

#[cfg(feature = "mention")]
use pools as _;

fn main() {
    #[cfg(feature = "call")]
    {
        std::mem::forget(pools::open_top());
        std::mem::forget(pools::G(0).open());
    }
    let mut names: Vec<_> = mstx::domains().map(|domain| domain.name()).collect();
    names.sort_unstable();
    for name in names {
        println!("{name}");
    }
}
