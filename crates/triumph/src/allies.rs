//! The game for two: one player has the West and the USSR. Rule 18; rulings R94, R97.

use kernel::EventSink;

use crate::areas::bits;
use crate::cards::{Card, Deck};
use crate::choice::Choice;
use crate::factions::Faction;
use crate::game_event::{Command, GameEvent};
use crate::rules::Rules;
use crate::stage::{After, Stage};
use crate::state::{Part, State};

impl Rules {
    /// Whether a Faction is the Passive Ally of the year.
    pub(crate) fn is_passive(&self, state: &State, faction: Faction) -> bool {
        self.settings.two_players
            && faction != Faction::Axis
            && state.active_ally.is_some_and(|active| active != faction)
    }

    /// The Active Ally is named.
    pub(crate) fn name_active<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        sink: &mut S,
    ) {
        let first = state.active_ally.is_none();
        state.active_ally = Some(faction);
        sink.emit(|| GameEvent::ActiveAlly { faction });
        let passive = self.second_card_asked(state);
        if first {
            self.set_aside_half(state, passive, Deck::Action, sink);
        } else {
            self.begin_production(state, sink);
        }
    }

    /// Half of each kind of card, rounded up, is set aside.
    fn set_aside_half<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        passive: Faction,
        deck: Deck,
        sink: &mut S,
    ) {
        let half = state.of(passive).hand_len(deck).div_ceil(2) as u8;
        match deck {
            _ if half > 0 => state.stage = Stage::SetAside(passive, deck, half),
            Deck::Action => self.set_aside_half(state, passive, Deck::Investment, sink),
            Deck::Investment => self.begin_production(state, sink),
        }
    }

    /// Half of a Passive Ally's first hand goes to its stack. Rule 18, ruling R97.
    pub(crate) fn set_aside<S: EventSink<GameEvent>>(&self, state: &mut State, card: Card, sink: &mut S) {
        let Stage::SetAside(passive, deck, left) = state.stage else { return };
        let own = state.of_mut(passive);
        own.hand[card.deck() as usize] &= !card.bit();
        own.stack[card.deck() as usize] |= card.bit();
        match deck {
            _ if left > 1 => state.stage = Stage::SetAside(passive, deck, left - 1),
            Deck::Action => self.set_aside_half(state, passive, Deck::Investment, sink),
            Deck::Investment => self.begin_production(state, sink),
        }
    }

    /// Whether drawn cards go to the face-down stack: those that a Passive Ally has bought.
    pub(crate) fn draws_to_stack(&self, state: &State, faction: Faction, after: After) -> bool {
        after == After::Production && self.is_passive(state, faction)
    }

    /// At New Year the stacks are opened.
    pub(crate) fn open_stacks(&self, state: &mut State) {
        for own in &mut state.factions {
            for deck in 0..2 {
                own.hand[deck] |= std::mem::take(&mut own.stack[deck]);
            }
        }
    }

    /// Whether a declaration of war costs a Faction a card. Rule 18.7.
    pub(crate) fn pays_for_war(&self, faction: Faction) -> bool {
        self.settings.two_players && faction != Faction::Axis
    }

    /// Whether an Ally holds the extra card that a declaration of war costs.
    pub(crate) fn can_pay_for_war(&self, state: &State, faction: Faction) -> bool {
        let valid = state.part.season().map_or(0, |season| self.seasons[season as usize]);
        !self.pays_for_war(faction) || state.of(faction).hand[0] & valid != 0
    }

    /// The cards with which an Ally pays for a war.
    pub(crate) fn list_war_cards(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        let valid = state.part.season().map_or(0, |season| self.seasons[season as usize]);
        let cards = bits(state.of(faction).hand[0] & valid);
        out.extend(cards.map(|index| Choice::Discard(Card::new(Deck::Action, index))));
    }

    /// The Passive Ally that has committed a card and holds another. It is asked whatever the two are: else the question
    /// would tell.
    fn wants_second_card(&self, state: &State) -> Option<Faction> {
        let passive = Faction::ALL.into_iter().find(|faction| self.is_passive(state, *faction))?;
        let own = state.of(passive);
        (own.committed.is_some() && own.cards() > 0).then_some(passive)
    }

    /// Whether a card that a Faction commits now is followed by the question for a second one.
    pub(crate) fn asks_second_card_after(&self, state: &State, committing: Faction) -> bool {
        let passive = Faction::ALL.into_iter().find(|faction| self.is_passive(state, *faction));
        passive.is_some_and(|passive| {
            let own = state.of(passive);
            if passive == committing { own.cards() > 1 } else { own.committed.is_some() && own.cards() > 0 }
        })
    }

    /// Asks the Passive Ally for a second card, or shows the cards.
    pub(crate) fn ask_second_card<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        state.passive_full = false;
        if self.wants_second_card(state).is_some() {
            state.stage = Stage::SecondCard;
        } else {
            self.cards_are_in(state, sink);
        }
    }

    /// All cards are committed: they are shown. In Winter the only one lies open already.
    pub(crate) fn cards_are_in<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if state.part == Part::Winter {
            self.next_turn(state, sink);
        } else {
            self.reveal_commands(state, sink);
        }
    }

    /// The Faction that is asked for a second card.
    pub(crate) fn second_card_asked(&self, state: &State) -> Faction {
        let passive = Faction::ALL.into_iter().find(|faction| self.is_passive(state, *faction));
        passive.unwrap_or(Faction::West)
    }

    /// The cards that make a Passive Ally's turn a full one.
    pub(crate) fn list_second_cards(&self, state: &State, out: &mut Vec<Choice>) {
        let passive = self.second_card_asked(state);
        let first = state.of(passive).committed;
        if first.is_some_and(|card| self.is_valid(state, card)) {
            // In Winter every Action card is of the season. Ruling R97.
            let valid = state.part.season().map_or(u64::MAX, |season| self.seasons[season as usize]);
            let cards = bits(state.of(passive).hand[0] & valid);
            out.extend(cards.map(|index| Choice::Commit(Card::new(Deck::Action, index))));
        }
        out.push(Choice::Pass);
    }

    /// A second card is added: the earlier letter counts, and the turn is a full one.
    pub(crate) fn add_second_card<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        card: Card,
        sink: &mut S,
    ) {
        let passive = self.second_card_asked(state);
        let Some(first) = state.of(passive).committed else { return };
        state.of_mut(passive).hand[0] &= !card.bit();
        let letter = |card: Card| self.world.action(card).letter;
        let (keep, drop) = if letter(card) < letter(first) { (card, first) } else { (first, card) };
        state.of_mut(passive).committed = Some(keep);
        state.discard(drop);
        state.passive_full = true;
        // The other card is shown with those of the Rivals; in Winter the first one lies open already.
        let shown = if state.part == Part::Winter { card } else { drop };
        sink.emit(|| GameEvent::CommandShown { faction: passive, card: shown, counts: Command::Valid });
        self.cards_are_in(state, sink);
    }

    /// Whether a turn with a card of the season is only a Defensive one.
    pub(crate) fn turn_is_defensive(&self, state: &State, faction: Faction) -> bool {
        self.is_passive(state, faction) && !state.passive_full
    }
}

#[cfg(test)]
mod tests {
    use kernel::Discard;

    use super::*;
    use crate::settings::Settings;

    #[test]
    fn the_question_for_a_second_card_tells_nothing() {
        let rules = Rules::new(Settings { two_players: true, ..Settings::default() });
        let card = |id: &str| rules.world.card(id).expect("a card");
        // A01 is of Spring, A16 of Summer; I13 is no Action card.
        for (first, hand, listed) in
            [("A01", "A02", 2), ("A16", "A02", 1), ("A01", "I13", 1), ("I13", "A01", 1)]
        {
            let mut state = rules.start();
            (state.part, state.active_ally) = (Part::Spring, Some(Faction::West));
            let own = state.of_mut(Faction::Ussr);
            own.committed = Some(card(first));
            own.hand[card(hand).deck() as usize] = card(hand).bit();
            rules.ask_second_card(&mut state, &mut Discard);
            assert_eq!(state.stage, Stage::SecondCard, "{first} with {hand} in hand");
            let mut choices = Vec::new();
            rules.list(&state, &mut choices);
            assert_eq!(choices.len(), listed, "{first} with {hand} in hand: {choices:?}");
        }
    }
}
