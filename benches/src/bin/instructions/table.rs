//! What is counted, and how much it may be.

use mstx::Build;

use crate::counts::Cost;
use crate::pair::Pair;
use crate::{cases, peers};

pub(crate) struct Row {
    what: &'static str,
    pub(crate) pair: Pair,
    may: May,
}

/// What an attribute may add.
enum May {
    /// So many instructions, and no call.
    Add(u64),
    /// So many were promised and more are added; but not more than that.
    AddMore { promised: u64, at_most: u64 },
    /// Another's: only shown.
    Anything,
}

const fn row(what: &'static str, pair: Pair, may: May) -> Row {
    Row { what, pair, may }
}

pub(crate) const TABLE: &[Row] = &[
    row("region, the size a parameter", cases::region_size::PAIR, May::AddMore { promised: 8, at_most: 15 }),
    row(
        "region, the size a parameter, the body a call",
        cases::region_size_calling::PAIR,
        May::AddMore { promised: 8, at_most: 14 },
    ),
    row("region, address and size returned", cases::region_returned::PAIR, May::AddMore { promised: 4, at_most: 8 }),
    row(
        "region, address and size returned, the body a call",
        cases::region_returned_calling::PAIR,
        May::AddMore { promised: 4, at_most: 14 },
    ),
    row("region_unregister", cases::unregister::PAIR, May::Add(14)),
    row("region_unregister, the body a call", cases::unregister_calling::PAIR, May::AddMore { promised: 14, at_most: 16 }),
    row("region_resize", cases::resize::PAIR, May::AddMore { promised: 14, at_most: 17 }),
    row("region_resize, the body a call", cases::resize_calling::PAIR, May::AddMore { promised: 14, at_most: 18 }),
    row("heap_reset", cases::reset::PAIR, May::Add(14)),
    row("heap_reset, the body a call", cases::reset_calling::PAIR, May::Add(14)),
    row("others: tracing, #[instrument(skip_all)]", peers::instrument::PAIR, May::Anything),
    row("others: tracing, #[instrument(skip_all, ret)]", peers::instrument_ret::PAIR, May::Anything),
    #[cfg(feature = "tracy")]
    row("others: tracy-client, a span, not connected", peers::tracy::PAIR, May::Anything),
    row("others: a client in C that builds its descriptor first", peers::c_client::PAIR, May::Anything),
];

impl Row {
    /// Switched off, nothing may be added.
    pub(crate) const IS_OFF: bool = !matches!(mstx::BUILD, Build::On);

    /// Prints it, and says whether it holds.
    pub(crate) fn print(&self, (with, without): (Cost, Cost)) -> bool {
        let more = i128::from(with.instructions) - i128::from(without.instructions);
        let calls = i128::from(with.calls) - i128::from(without.calls);
        let (promised, at_most) = match self.may {
            May::Anything => (None, None),
            _ if Self::IS_OFF => (Some(0), Some(0)),
            May::Add(most) => (Some(most), Some(most)),
            May::AddMore { promised, at_most } => (Some(promised), Some(at_most)),
        };
        let holds = at_most.is_none_or(|most| more <= i128::from(most) && calls <= 0);
        let reached = promised.is_none_or(|most| more <= i128::from(most));
        let said = match (holds, reached) {
            (true, true) => "",
            (true, false) => "  NOT reached",
            (false, _) => "  MORE THAN ALLOWED",
        };
        let figure = promised.map_or(String::new(), |most| most.to_string());
        println!(
            "{:<64} {:>4} {:>7} {:>5} {:>5} {:>6}{said}",
            self.what, with.instructions, without.instructions, more, calls, figure
        );
        holds
    }
}
