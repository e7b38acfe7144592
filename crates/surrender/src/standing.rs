//! Standing answers: who does not want to be asked again in this month says so once. Ruling 134.
//!
//! A standing answer is open to everybody. It could not be kept secret: what could intercept or be committed lies on the map,
//! so a question that is not asked tells as much as the answer.

use kernel::EventSink;

use crate::game_event::GameEvent;
use crate::ids::Faction;
use crate::rules::Rules;
use crate::state::{Commitment, State};

/// What a standing answer is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reaction {
    /// Interceptions (6.9): every mission is let go.
    Intercept,
    /// Commit markers of a defender (5.1): Will Not.
    Commit,
}

impl Reaction {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Intercept, Self::Commit];

    /// The bit of a faction's player in [`State::standing`].
    pub(crate) const fn bit(self, faction: Faction) -> u8 {
        1 << (self as u8 * 3 + faction.index() as u8)
    }
}

impl State {
    /// Whether a faction's player has given a standing answer.
    pub const fn stands(&self, reaction: Reaction, faction: Faction) -> bool {
        self.standing & reaction.bit(faction) != 0
    }
}

impl Rules {
    /// A player gives a standing answer, which lasts until the end of the month.
    pub(crate) fn stand_by<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        reaction: Reaction,
        faction: Faction,
        sink: &mut S,
    ) {
        state.standing |= reaction.bit(faction);
        sink.emit(|| GameEvent::StandsBy(faction, reaction));
    }

    /// Whether a defender may refuse all further commitments: only who chooses last, so that nothing is given away before
    /// both markers are shown.
    pub(crate) fn may_refuse_all(&self, state: &State, side: u8) -> bool {
        side == 1 && (state.fight.will[0] != Commitment::Open || !self.can_commit(state, 0))
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Discard, Viewer};

    use super::*;
    use crate::choice::Choice;
    use crate::frame::Frame;
    use crate::ids::Country;
    use crate::land_table::{POLAND, Table};
    use crate::markers::{Marker, Owner};

    /// A German army attacks a Polish one; both have a marker to commit, the Poles two.
    fn attack(table: &mut Table, army: &str, from: &str, enemy: &str, hex: &str) {
        let army = table.put(army, from);
        table.put(enemy, hex);
        table.play(Choice::Activate(army));
        table.play(Choice::Attack(table.hex(hex)));
    }

    #[test]
    fn a_defender_refuses_once_and_is_not_asked_again_in_this_month() {
        let mut table = Table::new(&POLAND, Faction::Axis);
        for country in [Country::GER, Country::GER, Country::POL] {
            table.marker(Marker::GroundSupport, Owner::Country(country));
        }
        attack(&mut table, "GER-4A", "2731", "POL-POM", "2732");
        assert_eq!(table.options(), [Choice::Commit, Choice::HoldBack], "an attacker has no standing answer");
        table.play(Choice::HoldBack);
        assert_eq!(table.options(), [Choice::Commit, Choice::HoldBack, Choice::HoldBackAll]);
        table.play(Choice::HoldBackAll);
        assert_eq!(table.state.frame(), Frame::FightDie(0));
        assert!(table.state.stands(Reaction::Commit, Faction::Western));
        for viewer in [Viewer::Spectator, Viewer::Seat(table.rules.seat_of(Faction::Axis))] {
            let view = table.rules.view(&table.state, viewer);
            assert_eq!(view.state().standing, table.state.standing, "a standing answer is open");
        }
        table.roll(1, 6);
        // The next attack: only the attacker is asked.
        attack(&mut table, "GER-8A", "3032", "POL-LOD", "2933");
        assert_eq!(table.state.frame(), Frame::Commit(0));
        table.play(Choice::HoldBack);
        assert_eq!(table.state.frame(), Frame::FightDie(0));
        table.roll(1, 6);
        // Next month they are asked again.
        table.rules.end_turn(&mut table.state, &mut Discard);
        assert_eq!(table.state.standing, 0);
    }

    #[test]
    fn nobody_refuses_everything_while_the_other_marker_is_still_to_be_chosen() {
        let mut table = Table::new(&POLAND, Faction::Axis);
        for country in [Country::GER, Country::POL] {
            table.marker(Marker::GroundSupport, Owner::Country(country));
        }
        attack(&mut table, "GER-4A", "2731", "POL-POM", "2732");
        assert!(!table.rules.may_refuse_all(&table.state, 0) && !table.rules.may_refuse_all(&table.state, 1));
        let refusal = table.rules.why_not(&table.state, Choice::HoldBackAll);
        assert_eq!(
            (refusal.reason.as_str(), refusal.rule),
            ("only a defender can say so in advance", "R134")
        );
        table.play(Choice::Commit);
        assert!(table.rules.may_refuse_all(&table.state, 1));
    }

    #[test]
    fn every_standing_answer_has_a_bit_of_its_own() {
        let mut all = 0_u8;
        for faction in Faction::ALL {
            for reaction in Reaction::ALL {
                assert_eq!(all & reaction.bit(faction), 0);
                all |= reaction.bit(faction);
            }
        }
        assert_eq!(all, 0b11_1111);
    }
}
