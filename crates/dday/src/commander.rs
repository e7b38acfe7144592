//! The commander: a player made of rules of thumb, steered by weights in a text file. Rule 23.
use crate::{choice::Choice, rules::Rules, scenario::Side, state::State};
use kernel::source::Problems;
/// The commanders that are built in.
pub const COMMANDERS: &str = "";
/// Weights.
#[derive(Clone, Debug, Default)]
pub struct Personality {
    /// id
    pub id: String,
    /// about
    pub about: String,
}
/// What it keeps in mind.
#[derive(Clone, Debug, Default)]
pub struct Memory {}
impl Personality {
    /// Reads.
    pub fn read_first(name: &str, text: &str) -> Result<Self, Problems> {
        let _ = (name, text);
        Ok(Self::default())
    }
    /// Reads.
    pub fn read_all(name: &str, text: &str) -> Result<Vec<Self>, Problems> {
        let _ = (name, text);
        Ok(vec![])
    }
}
pub fn own_commanders() -> &'static [(&'static str, &'static str)] {
    &[("commander", "Plans, masses and holds objectives")]
}
pub fn instinct(_: &Rules, _: &State, _: &[Choice]) -> usize {
    0
}
pub fn command(
    _: &Rules,
    _: usize,
    _: &mut Memory,
    _: &State,
    _: &[Choice],
    _: Option<&mut String>,
) -> usize {
    0
}
impl Rules {
    /// Quick judgement.
    pub fn evaluate(&self, _: &State, _: Side) -> i32 {
        0
    }
}
