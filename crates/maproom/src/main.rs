//! The program with the games of this project.

use std::process::ExitCode;

fn main() -> ExitCode {
    maproom::main_with([])
}
