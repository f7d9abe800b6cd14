//! The colours of calls.

use core::cmp::Reverse;

use super::style::COLOURS;
use crate::recording::memory::{Full, Vec, filled, index, place};
use crate::recording::story::Story;

/// What a call has registered.
#[derive(Clone, Copy, Default)]
pub(super) struct Site {
    pub(super) regions: u64,
    pub(super) bytes: u64,
    /// Those that are live at the end.
    pub(super) live: u64,
    /// Bytes times nanoseconds: what can be seen of it in the picture.
    area: u128,
}

/// All calls that registered regions.
pub(super) struct Sites {
    all: Vec<Site>,
    /// The origins of those that have colours, in the order of these.
    pub(super) coloured: [Option<u32>; COLOURS],
    /// What all others have registered.
    pub(super) others: Site,
    /// How many others there are.
    pub(super) other_calls: u64,
}

impl Sites {
    pub(super) fn of(story: &Story<'_>) -> Result<Self, Full> {
        // The last one stands for all that are not known.
        let mut sites = filled(Site::default(), story.names.origins() + 1)?;
        let unknown = sites.len() - 1;
        for region in &story.regions {
            let Some(site) = sites.get_mut(index(region.origin).min(unknown)) else { continue };
            site.regions += 1;
            site.bytes = site.bytes.saturating_add(region.size);
            site.live += u64::from(region.is_live());
            let lifetime = region.end.min(story.end).saturating_sub(region.begin.time.max(story.begin)).max(1);
            site.area = site.area.saturating_add(u128::from(region.size) * u128::from(lifetime));
        }
        let mut this = Self { all: sites, coloured: [None; COLOURS], others: Site::default(), other_calls: 0 };
        this.colour();
        Ok(this)
    }

    /// Gives colours to those that will be seen most.
    fn colour(&mut self) {
        let mut taken = [None; COLOURS];
        for (number, site) in self.all.iter().enumerate().filter(|(_, site)| site.regions > 0) {
            let mut next = Some((Reverse(site.area), number));
            // Sorts it in, and the last one out.
            for slot in &mut taken {
                if slot.is_none_or(|slot| next.is_some_and(|next| next < slot)) {
                    core::mem::swap(slot, &mut next);
                }
                if next.is_none() {
                    break;
                }
            }
        }
        self.coloured = taken.map(|slot| slot.map(|(_, number)| place(number)));
        for (number, site) in self.all.iter().enumerate().filter(|(_, site)| site.regions > 0) {
            if !self.coloured.contains(&Some(place(number))) {
                self.others.regions += site.regions;
                self.others.bytes = self.others.bytes.saturating_add(site.bytes);
                self.others.live += site.live;
                self.other_calls += 1;
            }
        }
    }

    /// The number of a call's colour; `COLOURS` for those that have none of their own.
    pub(super) fn colour_of(&self, origin: u32) -> usize {
        let number = place(index(origin).min(self.all.len() - 1));
        self.coloured.iter().position(|&coloured| coloured == Some(number)).unwrap_or(COLOURS)
    }

    pub(super) fn get(&self, origin: u32) -> Site {
        self.all.get(index(origin)).copied().unwrap_or_default()
    }
}
