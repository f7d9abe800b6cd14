//! The files that are written from the recording.

mod dhat;
mod escape;
mod format;
mod heapmap;
mod label;
mod name;
mod open;
mod out;
mod process;
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
use crate::recording;
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
    write_named(format, path.as_ref().as_os_str().as_encoded_bytes())
}

fn write_named(format: Format, name: &[u8]) -> io::Result<()> {
    // A forked child may have been forked from the midst of the recording.
    if !recording::is_on() || matches!(mstx_runtime::status().tool(), ToolStatus::Forked) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let name = name::expand(name, std::process::id())?;
    let file = open::create(&name)?;
    let mut out = Out::to_file(file, &name)?;
    let told = recording::tell(|story| tell(format, story, &mut out));
    let whole = told.ok_or(io::ErrorKind::WouldBlock)?;
    whole.and_then(|whole| whole).map_err(|_| io::ErrorKind::OutOfMemory)?;
    out.finish()
}

/// Opens a file for reports; `%p` in its name is the process's number. Returns its descriptor, which is never closed.
pub(crate) fn open_to_append(name: &[u8]) -> io::Result<i32> {
    open::append(&name::expand(name, std::process::id())?)
}

/// Opens a file to read.
pub(crate) fn open_to_read(name: &[u8]) -> io::Result<std::fs::File> {
    open::read(name)
}

/// Tells a story in a format.
fn tell(format: Format, story: &Story<'_>, out: &mut Out<'_>) -> Result<(), recording::memory::Full> {
    match format {
        Format::HeapMap => heapmap::write(story, out),
        Format::Snapshot => snapshot::write(story, out),
        Format::Trace => trace::write(story, out),
        Format::Dhat => dhat::write(story, out),
    }
}

/// The process is ending: writes the files that are wanted.
pub(crate) fn end() {
    if !recording::is_on() {
        return;
    }
    let wishes = wanted::wishes();
    let files = Format::ALL.into_iter().zip(wishes.files).filter_map(|(format, name)| Some((format, name?)));
    for (format, name) in files {
        let shown = name.escape_ascii();
        match write_named(format, name) {
            Ok(()) => Text::print(|text| writeln!(text, "mstx: {format} written to {shown}")),
            Err(error) => Text::print(|text| writeln!(text, "mstx: {format} not written to {shown}: {error}")),
        }
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
