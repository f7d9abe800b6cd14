//! What is run.

use mstx_tests::{Output, Run};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) const POOLS: [&str; 8] = ["bump", "free-list", "headers", "buddy", "arena", "malloc-slab", "mmap-slab", "growing"];

/// The mistakes, and how the page names them.
pub(crate) const MISTAKES: [(&str, &str); 14] = [
    ("none", "none"),
    ("past-the-end", "write one past the end"),
    ("before", "write one before the start"),
    ("padding", "overrun into the padding"),
    ("next-block", "write one past the end, into the next block"),
    ("gap", "write to free memory"),
    ("after-free", "use after release"),
    ("after-reset", "use after the heap's reset"),
    ("after-resize", "use of the old block after a resize"),
    ("uninitialised", "read before the first write"),
    ("double-free", "release twice"),
    ("interior-free", "release of an address inside a block"),
    ("wrong-heap", "release to another pool"),
    ("leak", "live at the end of its heap"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tool {
    /// The checker with nothing else.
    Checker,
    Valgrind,
    AddressSanitizer,
}

impl Tool {
    pub(crate) const ALL: [Tool; 3] = [Tool::Checker, Tool::Valgrind, Tool::AddressSanitizer];
}

/// One pool, one mistake, one tool; by their places in the lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cell {
    mistake: usize,
    pub(crate) tool: Tool,
    pool: usize,
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {:?}", self.pool(), self.mistake(), self.tool)
    }
}

impl Cell {
    pub(crate) fn all() -> impl Iterator<Item = Cell> {
        let mistakes = 0..MISTAKES.len();
        mistakes.flat_map(|mistake| {
            Tool::ALL.into_iter().flat_map(move |tool| (0..POOLS.len()).map(move |pool| Cell { mistake, tool, pool }))
        })
    }

    pub(crate) fn pool(self) -> &'static str {
        POOLS[self.pool]
    }

    pub(crate) fn mistake(self) -> &'static str {
        MISTAKES[self.mistake].0
    }

    /// Runs its program.
    pub(crate) fn run(self, tools: &Tools) -> Output {
        let run = match self.tool {
            Tool::Checker => Run::new(matrix()),
            // Right programs also without what is asked for: they are run for `cases`, too.
            Tool::Valgrind => mstx_tests::valgrind(matrix(), &[]).expect("it was there").env("MSTX_CHECK", "uninit=1"),
            Tool::AddressSanitizer => Run::new(tools.sanitized.as_ref().expect("it was built")),
        };
        run.arg(self.pool()).arg(self.mistake()).limit(Duration::from_secs(120)).output()
    }
}

/// The program.
pub(crate) fn matrix() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_matrix"))
}

/// Which tools there are.
pub(crate) struct Tools {
    valgrind: bool,
    /// The program with AddressSanitizer.
    pub(crate) sanitized: Option<PathBuf>,
}

impl Tools {
    pub(crate) fn new() -> Tools {
        let folder = mstx_tests::with_address_sanitizer(&["--package", "mstx-tests", "--bin", "matrix"]);
        Tools { valgrind: mstx_tests::valgrind(matrix(), &[]).is_some(), sanitized: folder.map(|folder| folder.join("matrix")) }
    }

    pub(crate) fn has(&self, tool: Tool) -> bool {
        match tool {
            Tool::Checker => true,
            Tool::Valgrind => self.valgrind,
            Tool::AddressSanitizer => self.sanitized.is_some(),
        }
    }

    pub(crate) fn count(&self) -> usize {
        Tool::ALL.into_iter().filter(|&tool| self.has(tool)).count()
    }
}
