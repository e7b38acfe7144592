//! The opening position of a scenario. Rules 30.1 to 30.3.

use crate::rules::Rules;
use crate::state::State;

impl Rules {
    /// The opening position.
    pub fn start(&self) -> State {
        todo!("politics")
    }
}
