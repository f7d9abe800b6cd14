//! What there is to say when the process exits: one line, if everything is well.

use core::cmp::Reverse;
use core::fmt::{self, Display, Write as _};

use super::{Standing, origin};
use crate::checker::Books;
use crate::largest::largest;
use crate::options::{self, Leaks};
use crate::pools::Pool;
use crate::position::Position;
use crate::tally::{Group, Leaked, Tally, Whereabouts};
use crate::text::{Count, Style, Text};

/// How many entries each list has: those of the summary are the largest ones.
pub(crate) const LISTED: usize = 20;

/// What the process leaves behind.
pub(crate) struct Ends<'a> {
    books: &'a Books,
    /// The live heaps.
    standing: &'a [Standing],
    heaps: Leaked,
    regions: Leaked,
    leaks: Leaks,
}

impl<'a> Ends<'a> {
    pub(crate) fn of(books: &'a Books, standing: &'a [Standing]) -> Self {
        Self { books, standing, heaps: books.heaps.leaked(), regions: books.regions.leaked(), leaks: options::leaks() }
    }

    /// How many faults there were.
    pub(crate) fn faults(&self) -> u64 {
        self.books.faults.total() + if self.leaks == Leaks::Fault { self.leaked() } else { 0 }
    }

    /// How many heaps and regions are live.
    fn leaked(&self) -> u64 {
        self.heaps.live + self.regions.live
    }

    /// Whether live heaps and regions are listed.
    fn lists_leaks(&self) -> bool {
        self.leaks != Leaks::Ignored && self.leaked() > 0
    }
}

/// What there is to say.
pub(crate) fn summary(text: &mut Text, ends: &Ends<'_>) -> fmt::Result {
    let pools = ends.books.pools.all();
    write!(text, "mstx: ")?;
    match ends.faults() {
        0 => text.styled(Style::Note, "no faults")?,
        total => text.styled(Style::Fault, Count(total, "fault"))?,
    }
    if ends.faults() == 0 && !ends.lists_leaks() {
        well(text, ends)?;
        if pools.len() > 1 {
            each_pool(text, pools)?;
        }
    } else {
        writeln!(text)?;
        faults(text, ends)?;
        totals(text, "heap", &ends.books.heaps)?;
        totals(text, "region", &ends.books.regions)?;
        each_pool(text, pools)?;
    }
    if ends.lists_leaks() {
        live(text, "heap", &ends.books.heaps, ends.heaps)?;
        let (fullest, unlisted) = largest::<LISTED, _, _>(ends.standing.iter(), |standing| standing.live());
        for standing in fullest {
            writeln!(text, "    {standing}")?;
        }
        rest(text, "    ", unlisted, "other heap")?;
        live(text, "region", &ends.books.regions, ends.regions)?;
    }
    suppressed(text, ends)
}

/// The rest of a line that says that everything is well.
fn well(text: &mut Text, ends: &Ends<'_>) -> fmt::Result {
    let Books { heaps, regions, .. } = ends.books;
    if heaps.registered == 0 && regions.registered == 0 {
        return writeln!(text, "; nothing was registered");
    }
    let (registered, peak) = (Count(heaps.registered, "heap"), Count(regions.peak, "byte"));
    write!(text, "; {registered} and {} registered", Count(regions.registered, "region"))?;
    let live = ends.leaked() + ends.heaps.suppressed + ends.regions.suppressed;
    write!(text, "{}", if live == 0 { " and unregistered" } else { "" })?;
    writeln!(text, ", at most {peak} of regions live")
}

/// How many faults there were of each kind, and which calls have repeated theirs.
fn faults(text: &mut Text, ends: &Ends<'_>) -> fmt::Result {
    let faults = &ends.books.faults;
    for (kind, count) in faults.kinds() {
        writeln!(text, "  {count:4} x {} {kind}", kind.code())?;
        let (most, unlisted) =
            largest::<LISTED, _, _>(faults.repeats(kind), |(origin, count)| (*count, Reverse(origin.caller())));
        for (origin, count) in most {
            writeln!(text, "           {count} of them at {}", Position::of(origin))?;
        }
        rest(text, "           ", unlisted, "other call")?;
    }
    if ends.leaks == Leaks::Fault && ends.leaked() > 0 {
        writeln!(text, "  {:4} x leak   still live at exit", ends.leaked())?;
    }
    Ok(())
}

fn totals(text: &mut Text, thing: &str, tally: &Tally) -> fmt::Result {
    let (registered, unregistered, peak) = (tally.registered, tally.unregistered, Count(tally.peak, "byte"));
    writeln!(text, "  {thing}s: {registered} registered, {unregistered} unregistered, at most {peak} live")
}

/// The most that each pool held.
fn each_pool(text: &mut Text, pools: &[Pool]) -> fmt::Result {
    let rank = |pool: &&Pool| (pool.peak, pool.size, Reverse(pool.origin.caller()));
    let (fullest, unlisted) = largest::<LISTED, _, _>(pools.iter(), rank);
    for Pool { origin, name, heaps, size, peak } in fullest {
        write!(text, "  ")?;
        match (heaps, name) {
            (1, Some(name)) => write!(text, "heap `{name}` of ")?,
            (_, Some(name)) => write!(text, "{heaps} heaps `{name}` of at most ")?,
            (_, None) => write!(text, "{heaps} heaps of several names, of at most ")?,
        }
        let (size, peak) = (Count(*size, "byte"), Count(*peak, "byte"));
        let each = if *heaps == 1 { "" } else { " in each" };
        writeln!(text, "{size}, from {}: at most {peak} live{each}", Position::of(*origin))?;
    }
    rest(text, "  ", unlisted, "other pool")
}

/// What is still live, by the call that registered it.
fn live(text: &mut Text, thing: &'static str, tally: &Tally, leaked: Leaked) -> fmt::Result {
    if leaked.live == 0 {
        return Ok(());
    }
    writeln!(text, "  still live at exit: {}, {}", Count(leaked.live, thing), Count(leaked.bytes, "byte"))?;
    let (most, unlisted) = largest::<LISTED, _, _>(tally.leaks(), |group| group.rank());
    for group in most {
        let Group { live, bytes, whereabouts, .. } = group;
        writeln!(text, "    {}, {}, {}", Count(*live, thing), Count(*bytes, "byte"), Where(thing, whereabouts))?;
        origin(text, "      ", group.origin)?;
    }
    rest(text, "    ", unlisted, "other call")?;
    if tally.lost > 0 {
        writeln!(text, "    and some of {} that there was no memory to list", Count(tally.lost, thing))?;
    }
    Ok(())
}

fn rest(text: &mut Text, indent: &str, unlisted: usize, what: &'static str) -> fmt::Result {
    if unlisted == 0 { Ok(()) } else { writeln!(text, "{indent}and those of {}", Count(unlisted, what)) }
}

/// What is not said because somebody asked for that.
fn suppressed(text: &mut Text, ends: &Ends<'_>) -> fmt::Result {
    let (faults, heaps, regions) = (ends.books.faults.suppressed(), ends.heaps.suppressed, ends.regions.suppressed);
    if faults + heaps + regions == 0 {
        return Ok(());
    }
    let (faults, heaps) = (Count(faults, "fault"), Count(heaps, "live heap"));
    writeln!(text, "  suppressed: {faults}, {heaps}, {}", Count(regions, "live region"))
}

/// Where the live things of a call are.
struct Where<'a>(&'a str, &'a Whereabouts);

impl Display for Where<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            ("heap", Whereabouts::Heap(name)) => write!(f, "named `{name}`"),
            ("heap", _) => write!(f, "of several names"),
            (_, Whereabouts::Heap(name)) => write!(f, "in heap `{name}`"),
            (_, Whereabouts::Domain(name)) => write!(f, "in no heap, of domain `{name}`"),
            (_, Whereabouts::Several) => write!(f, "in several heaps"),
        }
    }
}
