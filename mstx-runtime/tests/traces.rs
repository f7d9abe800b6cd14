//! Interleavings that simpler rules got wrong, under a tool like msSanitizer.
#![cfg(target_os = "linux")]

mod common;
#[path = "traces/all.rs"]
mod traces;

/// The settings of the stub tool.
const TOOL: &str = "msan";
