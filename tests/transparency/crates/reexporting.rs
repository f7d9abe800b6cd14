//! A crate through which the shapes reach the facade, and whose macros write annotated functions for them.

pub extern crate mstx;

/// Adds a word to a function.
#[macro_export]
macro_rules! allocates {
    ($($function:tt)*) => {
        #[$crate::mstx::region(crate = $crate::mstx, size = 4)]
        $($function)*
    };
}

/// Writes a whole function.
#[macro_export]
macro_rules! release {
    ($name:ident($pointer:ident), $body:block) => {
        #[$crate::mstx::region_unregister(crate = $crate::mstx, ptr = $pointer)]
        pub fn $name($pointer: *mut u8) -> bool $body
    };
}
