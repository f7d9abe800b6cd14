//! Which files are wanted at the end of the process, and who said so.

use core::num::NonZeroUsize;

use super::format::Format;
use crate::lock::Lock;
use crate::recording;
use crate::recording::memory::{Vec, vec};

/// The names, in the order of `Format::ALL`.
type Names<'a> = [Option<&'a [u8]>; Format::ALL.len()];

/// What is asked of the recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wishes<'a> {
    pub(crate) files: Names<'a>,
    /// How many events are kept.
    pub(crate) events: Option<NonZeroUsize>,
}

impl Wishes<'_> {
    pub(crate) const NONE: Self = Self { files: [None; Format::ALL.len()], events: None };

    const fn is_none(&self) -> bool {
        matches!(self, Self { files: [None, None, None, None], events: None })
    }

    /// These, and where they say nothing, those.
    fn or(self, other: Self) -> Self {
        let mut files = self.files;
        for (name, other) in files.iter_mut().zip(other.files) {
            *name = name.or(other);
        }
        Self { files, events: self.events.or(other.events) }
    }
}

struct Wanted {
    by_program: Wishes<'static>,
    /// What whoever runs the program asks for, which counts for more.
    by_environment: Wishes<'static>,
}

static WANTED: Lock<Wanted> = Lock::new(Wanted { by_program: Wishes::NONE, by_environment: Wishes::NONE });

/// The program asks for these, besides what it has asked for before.
pub(crate) fn by_program(wishes: Wishes<'static>) {
    // A forked child records nothing, and whoever held a lock may be left behind.
    if !wishes.is_none() && !super::is_forked() {
        ask(|wanted| wanted.by_program = wishes.or(wanted.by_program));
    }
}

/// Reads one option of `MSTX_CHECK`. Returns whether it is one of these.
pub(crate) fn by_environment(option: &[u8]) -> bool {
    let Some(wishes) = parse(option) else { return false };
    // The variable may change, so the names are kept, for as long as the process lives.
    let wishes = Wishes { files: wishes.files.map(|name| name.and_then(keep)), ..wishes };
    ask(|wanted| wanted.by_environment = wishes.or(wanted.by_environment));
    true
}

fn ask(change: impl FnOnce(&mut Wanted)) {
    let wishes = WANTED.with(|wanted| {
        change(wanted);
        wanted.by_environment.or(wanted.by_program)
    });
    if let Some(events) = wishes.and_then(|wishes| wishes.events) {
        recording::keep(events.get());
    }
    recording::start();
}

/// What is wanted.
pub(crate) fn wishes() -> Wishes<'static> {
    WANTED.with(|wanted| wanted.by_environment.or(wanted.by_program)).unwrap_or_default()
}

fn parse(option: &[u8]) -> Option<Wishes<'_>> {
    let at = option.iter().position(|&byte| byte == b'=')?;
    let (name, value) = (&option[..at], &option[at + 1..]);
    if name == b"recording" {
        let events = core::str::from_utf8(value).ok()?.parse().ok()?;
        return Some(Wishes { events: Some(events), ..Wishes::NONE });
    }
    let place = Format::ALL.iter().position(|format| format.option().as_bytes() == name)?;
    let mut wishes = Wishes::NONE;
    *wishes.files.get_mut(place)? = (!value.is_empty()).then_some(value);
    (!wishes.is_none()).then_some(wishes)
}

fn keep(name: &[u8]) -> Option<&'static [u8]> {
    let mut kept = vec();
    kept.try_reserve_exact(name.len()).ok()?;
    kept.extend_from_slice(name);
    Some(Vec::leak(kept))
}

#[cfg(test)]
mod tests {
    use core::num::NonZeroUsize;

    use super::{Wishes, parse};

    #[test]
    fn files_and_the_number_of_events() {
        let name = |at: usize, name: &'static str| {
            let mut wishes = Wishes::NONE;
            wishes.files[at] = Some(name.as_bytes());
            Some(wishes)
        };
        assert_eq!(parse(b"heapmap=a.svg"), name(0, "a.svg"));
        assert_eq!(parse(b"snapshot=b=c"), name(1, "b=c"));
        assert_eq!(parse(b"trace=%p.json"), name(2, "%p.json"));
        assert_eq!(parse(b"dhat=d"), name(3, "d"));
        assert_eq!(parse(b"recording=7"), Some(Wishes { events: NonZeroUsize::new(7), ..Wishes::NONE }));
    }

    #[test]
    fn everything_else_is_unknown() {
        for option in ["", "heapmap", "heapmap=", "recording=", "recording=0", "recording=-1", "recording=many", "svg=a"] {
            assert_eq!(parse(option.as_bytes()), None, "{option}");
        }
    }

    #[test]
    fn what_one_leaves_unsaid_the_other_says() {
        let (Some(first), Some(second)) = (parse(b"heapmap=a"), parse(b"heapmap=b")) else { return };
        let third = parse(b"recording=3").unwrap_or_default();
        assert_eq!(first.or(second).or(third), Wishes { events: third.events, ..first });
    }
}
