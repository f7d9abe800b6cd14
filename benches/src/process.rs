//! What concerns whole processes: a process with a tool, and how much memory this one uses.
#![allow(unsafe_code, reason = "asks the C library how much is allocated")]

use std::process::{Command, ExitCode};
use std::{env, fs, io};

use crate::tool;

/// This program again, with these arguments and the counting tool. The runtime looks for a tool once, before anything else.
///
/// # Errors
///
/// If this program's own file cannot be found.
pub fn with_tool(arguments: &[String]) -> io::Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    command.args(arguments).env(tool::VARIABLE, tool::PATH).env_remove("MSTX_CHECK").env_remove(tool::COSTS);
    Ok(command)
}

/// This program again, with these arguments, without the counting tool. The checker listens if it is asked for anything.
///
/// # Errors
///
/// If this program's own file cannot be found.
pub fn with_checker(arguments: &[String], check: &str) -> io::Result<Command> {
    let mut command = with_nobody(arguments)?;
    command.env("MSTX_CHECK", check);
    Ok(command)
}

/// This program again, with these arguments; nobody listens.
///
/// # Errors
///
/// If this program's own file cannot be found.
pub fn with_nobody(arguments: &[String]) -> io::Result<Command> {
    let mut command = with_tool(arguments)?;
    command.env_remove(tool::VARIABLE);
    Ok(command)
}

/// Runs this program again with the counting tool, unless that has happened: then `main`.
pub fn main_with_tool(main: impl FnOnce()) -> ExitCode {
    if env::var_os(tool::VARIABLE).is_some_and(|path| path == tool::PATH) {
        main();
        return ExitCode::SUCCESS;
    }
    let arguments: Vec<String> = env::args().skip(1).collect();
    let status = with_tool(&arguments).and_then(|mut command| command.status());
    if status.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The bytes of this process that are in memory.
#[must_use]
pub fn resident() -> Option<usize> {
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = statm.split(' ').nth(1)?.parse().ok()?;
    // SAFETY: reads a constant of the system.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    Some(pages * usize::try_from(page).ok()?)
}

/// The most bytes of this process that were in memory so far.
#[must_use]
pub fn most_resident() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    Some(kilobytes?.parse::<usize>().ok()? * 1024)
}

/// The bytes that are allocated from the C library, with what it adds to each.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[must_use]
pub fn allocated() -> Option<usize> {
    // SAFETY: only reads the allocator's books.
    let info = unsafe { libc::mallinfo2() };
    Some(info.uordblks + info.hblkhd)
}

/// Other C libraries do not tell.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
#[must_use]
pub fn allocated() -> Option<usize> {
    None
}
