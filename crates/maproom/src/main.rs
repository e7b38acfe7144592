//! The program with the games of this project.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// A busy server draws a page for every choice, which is many small texts on several threads: a sixth of its time went to the
/// system's allocator.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    maproom::main_with([])
}
