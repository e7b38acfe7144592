//! The result of checking a file.

/// The result of checking a readable file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCheck {
    /// What is in the file, a line each.
    pub summary: Vec<String>,
    /// Warnings, ready to be shown; empty if there are none.
    pub warnings: String,
    /// What failed (an example that comes out otherwise), a line each.
    pub failures: Vec<String>,
}
