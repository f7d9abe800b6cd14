//! Signals, whose handlers may use a pool.

use super::system;

/// As long as this lives, no handler interrupts the thread.
pub(crate) struct Held(Option<system::SignalMask>);

impl Held {
    pub(crate) fn new() -> Self {
        Self(system::block_signals())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(mask) = &self.0 {
            system::set_signals(mask);
        }
    }
}
