//! Government: card play, factories, technologies, hand sizes. Rules 7.3, 7.5, 9.1 to 9.4; rulings R53, R54, R56, R59.

use kernel::{Audience, EventSink};

use crate::areas::bits;
use crate::cards::{Card, Deck, Research, Tech};
use crate::choice::{Choice, Find};
use crate::economy::MOST;
use crate::factions::Faction;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::stage::{After, Stage};
use crate::state::{Part, State, VAULT, VaultPair};

/// The factories a Faction may build in a year. Rule 7.32.
pub(crate) const RAISES: u8 = 2;

impl Rules {
    /// Card play begins.
    pub(crate) fn begin_government<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        (state.at, state.passes) = (0, 0);
        self.snapshot(state);
        self.ask_government(state, sink);
    }

    /// The next player, after a play or a pass.
    pub(crate) fn next_government<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        state.at = (state.at + 1) % 3;
        self.ask_government(state, sink);
    }

    /// Asks the current player; one without cards and vault passes unasked. Ruling R37.
    fn ask_government<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        while state.passes < 3 {
            let own = state.of(Self::current(state));
            if own.cards() > 0 || own.vault_len() > 0 {
                state.stage = Stage::Government;
                return;
            }
            state.passes += 1;
            state.at = (state.at + 1) % 3;
        }
        self.resolve_diplomacy(state, After::HandSize, sink);
    }

    /// The plays of the current player.
    pub(crate) fn list_government(&self, state: &State, out: &mut Vec<Choice>) {
        let faction = Self::current(state);
        self.list_diplomacy(state, faction, out);
        if self.can_raise(state, faction) {
            out.push(Choice::Factory);
        }
        self.list_pairs(state, faction, out);
        self.list_spies(state, faction, out);
        self.list_reveals(state, faction, out);
        for nation in 0..self.atlas().nations.len() as u8 {
            if state.nation(nation).influencer == Some(faction) {
                out.push(Choice::Repudiate(nation));
            }
        }
        out.push(Choice::Pass);
    }

    /// Technologies of the vault, to be revealed. Rule 9.3.
    pub(crate) fn list_reveals(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        out.extend(state.of(faction).vault().map(|pair| Choice::Reveal(pair.tech)));
    }

    // --- factories -------------------------------------------------------------------------------

    /// Whether a factory can be paid for. Ruling R53.
    pub(crate) fn can_raise(&self, state: &State, faction: Faction) -> bool {
        let own = state.of(faction);
        own.raises < RAISES
            && own.ind < MOST
            && self.factory_money(state, faction) >= u32::from(self.factory_cost(state, faction))
    }

    /// The Factory value of all Investment cards in hand.
    pub(crate) fn factory_money(&self, state: &State, faction: Faction) -> u32 {
        let cards = bits(state.of(faction).hand[1]);
        cards.map(|index| u32::from(self.world.decks.investments[usize::from(index)].factory)).sum()
    }

    /// A card is laid down for a factory.
    pub(crate) fn pay<S: EventSink<GameEvent>>(&self, state: &mut State, laid: u8, card: Card, sink: &mut S) {
        let faction = Self::current(state);
        state.of_mut(faction).hand[1] &= !card.bit();
        state.discard(card);
        sink.emit(|| GameEvent::Paid { faction, card });
        let laid = laid + self.world.investment(card).factory;
        // A hand is only empty here in a guess at what is hidden: what is offered can be paid.
        if laid < self.factory_cost(state, faction) && state.of(faction).hand[1] != 0 {
            state.stage = Stage::Pay(laid);
            return;
        }
        let own = state.of_mut(faction);
        own.ind += 1;
        own.raises += 1;
        sink.emit(|| GameEvent::FactoryBuilt { faction, ind: state.of(faction).ind });
        self.played(state, sink);
    }

    /// A play is done: the next player.
    pub(crate) fn played<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        state.passes = 0;
        self.next_government(state, sink);
    }

    // --- technologies ------------------------------------------------------------------------------

    /// Whether a technology may be achieved now. Rules 9.1, 9.4.
    pub(crate) fn may_achieve(state: &State, faction: Faction, tech: Tech) -> bool {
        let own = state.of(faction);
        let known = own.techs | own.secret_techs();
        let stage = tech.stage();
        known & tech.bit() == 0
            && (stage == 0
                || (own.stage_year != state.year
                    && (stage == 1 || known & Tech::at(tech as usize - 1).bit() != 0)))
    }

    /// Whether a card shows a technology.
    pub(crate) fn shows(&self, card: Card, tech: Tech) -> bool {
        matches!(self.world.investment(card).research, Research::Tech(techs, _) if techs & tech.bit() != 0)
    }

    /// Whether a card can stand in for a technology: a Science card of its year, or Industrial Espionage. Rule 9.1.
    fn stands_for(&self, state: &State, faction: Faction, card: Card, tech: Tech) -> bool {
        match self.world.investment(card).research {
            Research::Science(year, techs) => state.year >= year && techs & tech.bit() != 0,
            Research::Tech(_, true) => faction.rivals().iter().any(|rival| state.of(*rival).knows(tech)),
            Research::Tech(..) | Research::Intelligence(_) => false,
        }
    }

    /// Tech-pairs. Rule 9.1, ruling R54.
    pub(crate) fn list_pairs(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        let hand = state.of(faction).hand[1];
        let vault = state.of(faction).vault_len() < VAULT;
        for first in bits(hand) {
            let first = Card::new(Deck::Investment, first);
            let Research::Tech(techs, _) = self.world.investment(first).research else { continue };
            for tech in bits(u64::from(techs)).map(|tech| Tech::at(usize::from(tech))) {
                if !Self::may_achieve(state, faction, tech) {
                    continue;
                }
                for second in bits(hand & !first.bit()) {
                    let second = Card::new(Deck::Investment, second);
                    if self.shows(second, tech) || self.stands_for(state, faction, second, tech) {
                        out.push(Choice::Pair(first, second, Find::new(tech, false)));
                        if vault {
                            out.push(Choice::Pair(first, second, Find::new(tech, true)));
                        }
                    }
                }
            }
        }
    }

    /// A pair is played: revealed, or into the vault. Rules 9.2, 9.3.
    pub(crate) fn achieve<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        cards: [Card; 2],
        find: Find,
        sink: &mut S,
    ) {
        let tech = find.tech();
        for card in cards {
            state.of_mut(faction).hand[1] &= !card.bit();
        }
        if tech.stage() > 0 {
            state.of_mut(faction).stage_year = state.year;
        }
        if !find.vault() {
            self.show_tech(state, faction, tech, cards, sink);
            return;
        }
        if let Some(free) = state.of_mut(faction).vault.iter_mut().find(|pair| pair.is_none()) {
            *free = Some(VaultPair { tech, cards });
        }
        let seat = self.seat_of(faction);
        sink.emit_to(Audience::Only(seat), || GameEvent::Vaulted { faction, tech: Some(tech) });
        sink.emit_to(Audience::Except(seat), || GameEvent::Vaulted { faction, tech: None });
    }

    fn show_tech<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        tech: Tech,
        cards: [Card; 2],
        sink: &mut S,
    ) {
        state.discard(cards[1]);
        let own = state.of_mut(faction);
        own.kept |= cards[0].bit();
        own.techs |= tech.bit();
        sink.emit(|| GameEvent::Revealed { faction, tech });
    }

    /// A technology of the vault is revealed.
    pub(crate) fn open_vault<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        tech: Tech,
        sink: &mut S,
    ) {
        let vault = &mut state.of_mut(faction).vault;
        let Some(at) = vault.iter().position(|pair| pair.is_some_and(|pair| pair.tech == tech)) else {
            return;
        };
        let Some(pair) = vault[at].take() else { return };
        // The others close up, so that the order tells nothing but age.
        vault[at..].rotate_left(1);
        self.show_tech(state, faction, tech, pair.cards, sink);
    }

    // --- hand sizes ----------------------------------------------------------------------------------

    /// Discards down to the limit, one player after the other. Rule 7.5.
    pub(crate) fn begin_hand_size<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        state.at = 0;
        self.ask_discard(state, sink);
    }

    /// The next card too many, or the seasons.
    pub(crate) fn ask_discard<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        while usize::from(state.at) < 3 {
            let faction = Self::current(state);
            if state.of(faction).cards() > u32::from(self.hand_limit(state, faction)) {
                state.stage = Stage::Discard;
                return;
            }
            state.at += 1;
        }
        self.begin_season(state, Part::Spring, sink);
    }

    /// A card goes face up to the discards.
    pub(crate) fn discard_card<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        card: Card,
        sink: &mut S,
    ) {
        state.of_mut(faction).hand[card.deck() as usize] &= !card.bit();
        state.discard(card);
        sink.emit(|| GameEvent::Discarded { faction, card });
    }
}
