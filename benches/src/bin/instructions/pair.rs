//! Pairs of functions that differ in an attribute only.

use mstx_benches::thin::Pool;

/// A pair: how callgrind calls the two, and what calls each of them so many times.
pub(crate) struct Pair {
    pub(crate) with: &'static str,
    pub(crate) without: &'static str,
    pub(crate) run: fn(&Pool, usize),
}

/// One function, twice. `MARK` is another number in each, or the compiler would make functions with equal code one. They are called
/// through pointers that the compiler does not see through: so it cannot bend them to their only caller.
macro_rules! twins {
    (
        $(#[$doc:meta])* mod $case:ident: $type:ty = |$call:ident, $pool:ident| $calling:expr;
        [$($word:tt)*]
        fn($($parameters:tt)*) $(-> $returned:ty)? { $($body:tt)* }
    ) => {
        $(#[$doc])*
        pub(crate) mod $case {
            use super::*;

            mod with {
                use super::*;
                const MARK: usize = 0x1_0000 + 2 * line!() as usize;
                #[$($word)*]
                #[inline(never)]
                pub(crate) fn body($($parameters)*) $(-> $returned)? { $($body)* }
            }

            mod without {
                use super::*;
                const MARK: usize = 0x1_0001 + 2 * line!() as usize;
                #[inline(never)]
                pub(crate) fn body($($parameters)*) $(-> $returned)? { $($body)* }
            }

            fn run($pool: &Pool, times: usize) {
                let both: [$type; 2] = [with::body, without::body];
                for $call in both {
                    let $call = black_box($call);
                    for _ in 0..times {
                        let _ = black_box($calling);
                    }
                }
            }

            pub(crate) const PAIR: Pair = Pair {
                with: concat!(module_path!(), "::with::body"),
                without: concat!(module_path!(), "::without::body"),
                run,
            };
        }
    };
}
pub(crate) use twins;
