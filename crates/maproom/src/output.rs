//! Standard output that may be closed at any moment: a reader that went away (`maproom … | head`) ends the
//! program quietly instead of with a panic.

use std::fmt;
use std::io::Write as _;

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

/// Prints at once.
pub fn print(text: fmt::Arguments<'_>) {
    let mut out = std::io::stdout().lock();
    if out.write_fmt(text).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Prints a line on standard error; nobody may be there to read it.
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
