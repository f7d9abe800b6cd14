//! `errno`, which an annotated function may have set for its caller.

use super::system;

/// The value of `errno` is put back when this goes.
pub(crate) struct Saved(i32);

impl Saved {
    pub(crate) fn new() -> Self {
        Self(system::errno())
    }
}

impl Drop for Saved {
    fn drop(&mut self) {
        system::set_errno(self.0);
    }
}
