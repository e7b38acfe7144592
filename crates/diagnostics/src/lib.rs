//! Reading of the texts that people write, and pointing at what is wrong with them.
//!
//! * [`Problems`] collects what is wrong with one text: each problem with its line, what was expected and a hint.
//! * [`datafile`] reads TOML with the place of every value, all errors at once.
//! * [`examples`] reads the worked examples of a rulebook and reports on them.

pub mod datafile;
pub mod examples;
mod file_check;
mod source;

pub use file_check::FileCheck;
pub use source::{Position, Problem, Problems, Severity, nearest, shown};
