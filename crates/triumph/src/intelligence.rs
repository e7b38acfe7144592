//! Intelligence cards and the Double Agent. Rule 9.5; rulings R10, R55.

use crate::areas::{NONE, bits};
use crate::cards::{Card, Deck, Intel, Research, Tech};
use crate::choice::{Choice, Find};
use crate::factions::Faction;
use crate::game_event::{GameEvent, UnitSeen};
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::{State, VAULT};
use kernel::{Audience, EventSink};

impl Rules {
    pub(crate) fn intel(&self, card: Card) -> Option<Intel> {
        match self.world.investment(card).research {
            Research::Intelligence(intel) => Some(intel),
            _ => None,
        }
    }

    /// What an Intelligence card can aim at: areas, nations, or just the Rival (255). Rule 9.5.
    pub(crate) fn aims(&self, state: &State, intel: Intel, target: Faction, mut aim: impl FnMut(u8)) {
        let there = state.of(target);
        match intel {
            Intel::Agent => {
                let at = target.index();
                state.present[at].or(state.escaped[at]).iter().for_each(aim);
            }
            Intel::Coup => {
                let minors = bits(self.atlas().minors);
                minors.filter(|nation| state.nation(*nation).influencer == Some(target)).for_each(aim);
            }
            Intel::CodeBreak | Intel::SpyRing if there.cards() > 0 => aim(NONE),
            Intel::Sabotage if there.ind > 0 => aim(NONE),
            Intel::Mole if there.vault_len() > 0 => aim(NONE),
            _ => {}
        }
    }

    pub(crate) fn list_spies(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        for index in bits(state.of(faction).hand[1]) {
            let card = Card::new(Deck::Investment, index);
            let Some(intel) = self.intel(card) else { continue };
            for target in faction.rivals() {
                self.aims(state, intel, target, |aim| out.push(Choice::Spy(card, target, aim)));
            }
        }
    }

    /// An Intelligence card is played: the target may answer. Ruling R55.
    pub(crate) fn play_spy<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        card: Card,
        target: Faction,
        place: u8,
        sink: &mut S,
    ) {
        let faction = Self::current(state);
        state.of_mut(faction).hand[1] &= !card.bit();
        sink.emit(|| GameEvent::SpyPlayed { faction, card, target, place });
        if state.of(target).hand[1] != 0 {
            state.stage = Stage::DoubleAgent(card, faction, target, place);
        } else {
            self.spy_works(state, card, faction, target, place, sink);
        }
    }

    /// The card in a hand that turns another.
    pub(crate) fn double_agent(&self, state: &State, faction: Faction) -> Option<Card> {
        let cards = bits(state.of(faction).hand[1]).map(|index| Card::new(Deck::Investment, index));
        { cards }.find(|card| self.intel(*card) == Some(Intel::DoubleAgent))
    }

    /// The card is turned on its player; the holder of Double Agent makes its choices. Ruling R10.
    pub(crate) fn turn_spy<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        card: Card,
        player: Faction,
        holder: Faction,
        sink: &mut S,
    ) {
        if let Some(agent) = self.double_agent(state, holder) {
            state.of_mut(holder).hand[1] &= !agent.bit();
            state.discard(agent);
        }
        sink.emit(|| GameEvent::Turned { faction: holder, against: player });
        let Some(intel) = self.intel(card) else { return };
        let mut first = None;
        self.aims(state, intel, player, |aim| first = first.or(Some(aim)));
        match (first, intel) {
            (None, _) => {
                state.discard(card);
                self.played(state, sink);
            }
            (Some(_), Intel::Agent | Intel::Coup) => state.stage = Stage::Turned(card, holder, player),
            (Some(aim), _) => self.spy_works(state, card, holder, player, aim, sink),
        }
    }

    /// What a turned card can aim at.
    pub(crate) fn list_turned(&self, state: &State, card: Card, player: Faction, out: &mut Vec<Choice>) {
        if let Some(intel) = self.intel(card) {
            self.aims(state, intel, player, |aim| out.push(Choice::Aim(aim)));
        }
    }

    /// An Intelligence card takes effect. Rule 9.5.
    pub(crate) fn spy_works<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        card: Card,
        by: Faction,
        target: Faction,
        place: u8,
        sink: &mut S,
    ) {
        let Some(intel) = self.intel(card) else { return };
        if intel != Intel::Mole {
            state.discard(card);
        }
        let seat = self.seat_of(by);
        match intel {
            Intel::Agent => {
                sink.emit_to(Audience::Only(seat), || {
                    let units = state.own_at(target, place).map(|(at, block)| UnitSeen {
                        power: crate::factions::Power::of_block(at),
                        face: Some((block.kind, block.cv)),
                    });
                    GameEvent::UnitsSeen { of: target, area: place, units: units.collect() }
                });
                sink.emit_to(Audience::Except(seat), || GameEvent::Looked { faction: by, of: target });
            }
            Intel::CodeBreak => {
                sink.emit_to(Audience::Only(seat), || {
                    let hand = state.of(target).hand;
                    let cards = Deck::ALL
                        .into_iter()
                        .flat_map(|deck| bits(hand[deck as usize]).map(move |index| Card::new(deck, index)));
                    GameEvent::HandSeen { of: target, cards: cards.collect() }
                });
                sink.emit_to(Audience::Except(seat), || GameEvent::Looked { faction: by, of: target });
            }
            Intel::SpyRing => {
                state.stage = Stage::SpyDeck(by, target);
                return;
            }
            Intel::Coup => {
                self.set_markers(state, place, None, 0);
                sink.emit(|| GameEvent::Coup { nation: place, by });
            }
            Intel::Sabotage => {
                let there = state.of_mut(target);
                there.ind = there.ind.saturating_sub(1);
                sink.emit(|| GameEvent::IndustryLost { faction: target, ind: state.of(target).ind });
            }
            Intel::Mole => {
                sink.emit_to(Audience::Only(seat), || GameEvent::VaultSeen {
                    of: target,
                    techs: state.of(target).vault().map(|pair| pair.tech).collect(),
                });
                sink.emit_to(Audience::Except(seat), || GameEvent::Looked { faction: by, of: target });
                state.stage = Stage::Mole(card, by, target);
                return;
            }
            Intel::DoubleAgent => {}
        }
        self.played(state, sink);
    }

    /// A stolen card changes hands.
    pub(crate) fn steal<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        by: Faction,
        from: Faction,
        card: Card,
        sink: &mut S,
    ) {
        let deck = card.deck();
        state.of_mut(from).hand[deck as usize] &= !card.bit();
        state.of_mut(by).hand[deck as usize] |= card.bit();
        let seats = kernel::SeatSet::default().with(self.seat_of(by)).with(self.seat_of(from));
        sink.emit_to(Audience::Among(seats), || GameEvent::Stolen { from, by, deck, card: Some(card) });
        sink.emit_to(Audience::Besides(seats), || GameEvent::Stolen { from, by, deck, card: None });
        self.played(state, sink);
    }

    /// What a Mole can take. Rule 9.1 (d).
    pub(crate) fn list_mole(&self, state: &State, by: Faction, target: Faction, out: &mut Vec<Choice>) {
        let secret = state.of(target).secret_techs();
        for index in bits(state.of(by).hand[1]) {
            let card = Card::new(Deck::Investment, index);
            let Research::Tech(techs, _) = self.world.investment(card).research else { continue };
            for tech in bits(u64::from(techs & secret)).map(|tech| Tech::at(usize::from(tech))) {
                if Self::may_achieve(state, by, tech) {
                    out.push(Choice::Take(card, Find::new(tech, false)));
                    if state.of(by).vault_len() < VAULT {
                        out.push(Choice::Take(card, Find::new(tech, true)));
                    }
                }
            }
        }
        out.push(Choice::Nothing);
    }
}
