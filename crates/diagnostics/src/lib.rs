//! Reads text files that people write and points at mistakes in them.
//!
//! * [`Problems`] collects the mistakes in one text, each with its line, what was expected and a hint.
//! * [`datafile`] reads TOML with the place of every value, all errors at once.
//! * [`examples`] reads the worked examples of a rulebook and reports on them.

pub mod datafile;
pub mod examples;
mod file_check;
mod source;

pub use file_check::FileCheck;
pub use source::{Position, Problem, Problems, Severity, nearest, shown};
