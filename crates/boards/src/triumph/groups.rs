//! Headings for choices of which many differ in one thing only.
//!
//! What can be done with a nation by several cards has none: the menu of a place shows the words under a heading alone, and
//! there the card must be told.

use triumph::{Choice, Rules, State};

use super::units::block_words;

/// The heading of a choice in the list, and what it is called there.
pub fn of(rules: &Rules, state: &State, choice: Choice) -> Option<(String, String)> {
    let nation = |nation: u8| rules.atlas().nation(nation).name.clone();
    let area = |area: u8| rules.atlas().area(area).name.clone();
    let unit = |block: u8| {
        let at = usize::from(block);
        let unit = &state.blocks[at];
        format!("{}, {}", block_words(rules, at, unit), area(unit.area))
    };
    match choice {
        Choice::Violate(of) => {
            let draws = rules.atlas().nation(of).reaction;
            let price = match draws {
                0 => String::new(),
                1 => ": 1 card for each Rival".to_owned(),
                cards => format!(": {cards} cards for each Rival"),
            };
            Some(("Violate the neutrality of".to_owned(), format!("{}{price}", nation(of))))
        }
        Choice::Move(block) => Some(("Move".to_owned(), unit(block))),
        Choice::Step(block) => Some(("Strengthen".to_owned(), unit(block))),
        Choice::Disband(block) => Some(("Disband".to_owned(), unit(block))),
        Choice::At(to) => Some(("Place it in".to_owned(), area(to))),
        _ => None,
    }
}
