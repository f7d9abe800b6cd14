//! The files that are written from the recording.

mod cover;
mod dhat;
mod escape;
mod format;
mod heapmap;
mod label;
mod name;
mod open;
mod out;
mod process;
mod progress;
mod reason;
mod snapshot;
#[cfg(test)]
mod tests;
mod trace;
pub(crate) mod wanted;

use core::fmt::Write as _;
use std::io;
use std::path::Path;

use mstx_runtime::ToolStatus;

pub use self::format::Format;
use self::out::Out;
use self::progress::Progress;
use self::reason::Reason;
use crate::recording;
use crate::recording::memory::{Full, Vec};
use crate::recording::story::Story;
use crate::text::Text;

/// Writes what was recorded up to now to a file.
///
/// In `path`, `%p` is the process's number, and `%%` is `%`. A file that is there already is overwritten. It may be called from
/// any thread, any number of times; other threads that report wait meanwhile. It does not allocate from the program's global
/// allocator, except where the system is not a Unix.
///
/// ```
/// use mstx_checker::{Format, Options};
///
/// mstx_checker::install_with(Options::new().recording(100_000));
/// // ...
/// # let path = std::env::temp_dir().join("mstx-doc-%p.svg");
/// # #[cfg(any())]
/// let path = "map.svg";
/// mstx_checker::write(Format::HeapMap, path)?;
/// # std::fs::remove_file(std::env::temp_dir().join(format!("mstx-doc-{}.svg", std::process::id())))?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// What the system says: there is no such directory, for instance. `Unsupported`, if nothing is recorded: see
/// [`Options::recording`](crate::Options::recording); and in a forked child, and where reporting is switched off. `OutOfMemory`,
/// if the system has none left. `WouldBlock`, in a signal handler that interrupts the recording itself.
pub fn write(format: Format, path: impl AsRef<Path>) -> io::Result<()> {
    if !recording::is_on() || is_forked() {
        return Err(io::ErrorKind::Unsupported.into());
    }
    write_named(format, &real_name(path.as_ref().as_os_str().as_encoded_bytes())?)
}

/// Whether this is a forked child: it may have been forked from the midst of the recording.
fn is_forked() -> bool {
    matches!(mstx_runtime::status().tool(), ToolStatus::Forked)
}

fn real_name(name: &[u8]) -> io::Result<Vec<u8>> {
    name::expand(name, std::process::id())
}

fn write_named(format: Format, name: &[u8]) -> io::Result<()> {
    let progress = Progress::new(format, name);
    // The file is opened only when there is something to put into it, and closed before another thread writes to it.
    let told = recording::tell(
        |done, all| progress.read(done, all),
        |story| {
            let mut out = Out::to_file(open::create(name)?, &progress)?;
            tell(format, story, &mut out).map_err(|Full| io::ErrorKind::OutOfMemory)?;
            out.finish()
        },
    );
    told.ok_or(io::ErrorKind::WouldBlock)?.map_err(|Full| io::ErrorKind::OutOfMemory)?
}

/// Tells a story in a format.
fn tell(format: Format, story: &Story<'_>, out: &mut Out<'_>) -> Result<(), Full> {
    match format {
        Format::HeapMap => heapmap::write(story, out),
        Format::Snapshot => snapshot::write(story, out),
        Format::Trace => trace::write(story, out),
        Format::Dhat => dhat::write(story, out),
    }
}

/// The process is ending: writes the files that are wanted.
pub(crate) fn end() {
    if !recording::is_on() || is_forked() {
        return;
    }
    let wishes = wanted::wishes();
    let files = Format::ALL.into_iter().zip(wishes.files).filter_map(|(format, name)| Some((format, name?)));
    for (format, wish) in files {
        let name = real_name(wish);
        let shown = name.as_deref().unwrap_or(wish).escape_ascii();
        let written = name.as_deref().map_err(|error| error.kind().into()).and_then(|name| write_named(format, name));
        Text::print(|text| match &written {
            Ok(()) => writeln!(text, "mstx: {format} written to {shown}"),
            Err(error) => writeln!(text, "mstx: {format} not written to {shown}: {}", Reason(error)),
        });
    }
    let (dropped, kept) = recording::counts();
    if dropped > 0 && wishes.files.iter().any(Option::is_some) {
        Text::print(|text| {
            writeln!(
                text,
                "mstx: the files have the newest {kept} events, and what was live before; {dropped} older ones were dropped \
                 (recording=N in MSTX_CHECK keeps N)"
            )
        });
    }
}
