//! Printing to a standard output that may be closed at any time (`maproom … | head`) without a panic.

use std::fmt;
use std::io::{ErrorKind, Write as _};

/// `print!` for a standard output that may be closed.
macro_rules! out {
    ($($argument:tt)*) => { $crate::output::print(format_args!($($argument)*)) };
}

/// `println!` for a standard output that may be closed.
macro_rules! outln {
    () => { $crate::output::print(format_args!("\n")) };
    ($($argument:tt)*) => { $crate::output::print(format_args!("{}\n", format_args!($($argument)*))) };
}

/// `eprintln!` for a standard error that may be closed.
macro_rules! errln {
    ($($argument:tt)*) => { $crate::output::complain(format_args!($($argument)*)) };
}

/// Prints and flushes. If the reader is gone the command continues silently: its exit code and the match it saves still
/// count. If writing fails (for example a full disk), the program ends with an error.
pub fn print(text: fmt::Arguments<'_>) {
    let mut out = std::io::stdout().lock();
    if let Err(why) = out.write_fmt(text).and_then(|()| out.flush())
        && why.kind() != ErrorKind::BrokenPipe
    {
        complain(format_args!("can't write to standard output: {why}"));
        std::process::exit(1);
    }
}

/// Prints a line on standard error, which may be closed.
pub fn complain(text: fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Prints one JSON document.
pub fn json(document: &impl serde::Serialize) {
    match serde_json::to_string_pretty(document) {
        Ok(text) => outln!("{text}"),
        Err(why) => errln!("can't write JSON: {why}"),
    }
}
