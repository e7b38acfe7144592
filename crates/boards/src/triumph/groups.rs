//! Headings for choices of which many differ in one thing only.

use triumph::{Choice, NONE, Rules, State};

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
        Choice::Diplomacy(card, of) => {
            Some((format!("Diplomacy with {}", rules.world.action(card).command()), nation(of)))
        }
        Choice::Wild(card, of) => Some((rules.card_text(card), nation(of))),
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
        Choice::Spy(card, target, place) if place != NONE => {
            let is_nation = matches!(
                rules.world.investment(card).research,
                triumph::Research::Intelligence(triumph::Intel::Coup)
            );
            let aim = if is_nation { nation(place) } else { area(place) };
            Some((format!("{} against {}", rules.world.investment(card).ends(), target.the()), aim))
        }
        _ => None,
    }
}
