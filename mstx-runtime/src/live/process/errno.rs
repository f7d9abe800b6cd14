//! `errno`, which an annotated function may have set for its caller.

use super::system;

/// The value of `errno` is put back when this goes.
#[derive(Debug)]
pub struct Saved(i32);

impl Saved {
    /// Remembers it.
    #[allow(clippy::new_without_default, reason = "there is no such value")]
    #[must_use]
    pub fn new() -> Self {
        Self(system::errno())
    }
}

impl Drop for Saved {
    fn drop(&mut self) {
        system::set_errno(self.0);
    }
}
