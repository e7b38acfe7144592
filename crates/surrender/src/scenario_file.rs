//! Reads scenarios. Rules 30.1 to 30.4.

use crate::scenario::Scenario;

/// The scenario of an option: the id of one of ours, or the text of a file.
pub fn chosen(option: &str) -> Result<Scenario, String> {
    let _ = option;
    todo!("politics")
}
