//! What the injected tool is still to be told: the difference between the books and what it knows.
//!
//! There is no log of events. A live region, piece or heap knows whether it was sent; what died after it was sent waits here
//! with its handle; what lives and was not sent is noted here by its address, and looked up when it is its turn.

use super::heaps::HeapId;
use crate::live::memory::{Full, Vec, vec};
use crate::tool::{Handle, Place, ToolRegion};
use crate::{Label, Origin};

/// A region, or a piece of one, that the tool knows and that is live no longer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gone {
    pub(crate) wire: u16,
    pub(crate) region: ToolRegion,
}

/// A heap that the tool knows and that is live no longer, or no longer of this size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    pub(crate) wire: u16,
    pub(crate) start: usize,
    pub(crate) size: usize,
    pub(crate) device: u32,
    pub(crate) place: Place,
    pub(crate) name: Label,
    pub(crate) origin: Origin,
    pub(crate) handle: Handle,
}

/// Everything that is pending.
pub(crate) struct Pending {
    pub(crate) gone: Vec<Gone>,
    pub(crate) ended: Vec<Ended>,
    pub(crate) heaps: Vec<HeapId>,
    /// Live regions and pieces that may not have been sent, by heap and start. One that was sent or died since is passed over.
    pub(crate) regions: Vec<(HeapId, usize)>,
}

impl Pending {
    pub(crate) const fn new() -> Self {
        Self { gone: vec(), ended: vec(), heaps: vec(), regions: vec() }
    }

    /// Makes room for `more` of each, so that what follows cannot fail half-way.
    pub(crate) fn reserve(&mut self, more: usize) -> Result<(), Full> {
        self.gone.try_reserve(more).map_err(|_| Full)?;
        self.ended.try_reserve(more).map_err(|_| Full)?;
        self.heaps.try_reserve(more).map_err(|_| Full)?;
        self.regions.try_reserve(more).map_err(|_| Full)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.gone.is_empty() && self.ended.is_empty() && self.heaps.is_empty() && self.regions.is_empty()
    }
}
