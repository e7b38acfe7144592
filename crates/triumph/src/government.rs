//! Government: card play, factories, technologies, Intelligence, hand sizes. Rules 7.3, 7.5, 9; rulings R10, R53 to R59.

use kernel::{Audience, EventSink};

use crate::areas::{NONE, bits};
use crate::cards::{Card, Deck, Intel, Research, Tech};
use crate::choice::{Choice, Find};
use crate::economy::MOST;
use crate::factions::Faction;
use crate::game_event::{GameEvent, UnitSeen};
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

    // --- Intelligence ------------------------------------------------------------------------------

    fn intel(&self, card: Card) -> Option<Intel> {
        match self.world.investment(card).research {
            Research::Intelligence(intel) => Some(intel),
            _ => None,
        }
    }

    /// What an Intelligence card can aim at: areas, nations, or just the Rival (255). Rule 9.5.
    fn aims(&self, state: &State, intel: Intel, target: Faction, out: &mut Vec<u8>) {
        let there = state.of(target);
        match intel {
            Intel::Agent => {
                let at = target.index();
                out.extend(state.present[at].or(state.escaped[at]).iter());
            }
            Intel::Coup => {
                let minors = bits(self.atlas().minors);
                out.extend(minors.filter(|nation| state.nation(*nation).influencer == Some(target)));
            }
            Intel::CodeBreak | Intel::SpyRing if there.cards() > 0 => out.push(NONE),
            Intel::Sabotage if there.ind > 0 => out.push(NONE),
            Intel::Mole if there.vault_len() > 0 => out.push(NONE),
            _ => {}
        }
    }

    pub(crate) fn list_spies(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        let mut aims = Vec::new();
        for index in bits(state.of(faction).hand[1]) {
            let card = Card::new(Deck::Investment, index);
            let Some(intel) = self.intel(card) else { continue };
            for target in faction.rivals() {
                aims.clear();
                self.aims(state, intel, target, &mut aims);
                out.extend(aims.iter().map(|aim| Choice::Spy(card, target, *aim)));
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
        let mut aims = Vec::new();
        self.aims(state, intel, player, &mut aims);
        match (aims.first(), intel) {
            (None, _) => {
                state.discard(card);
                self.played(state, sink);
            }
            (Some(_), Intel::Agent | Intel::Coup) => state.stage = Stage::Turned(card, holder, player),
            (Some(&aim), _) => self.spy_works(state, card, holder, player, aim, sink),
        }
    }

    /// What a turned card can aim at.
    pub(crate) fn list_turned(&self, state: &State, card: Card, player: Faction, out: &mut Vec<Choice>) {
        let mut aims = Vec::new();
        if let Some(intel) = self.intel(card) {
            self.aims(state, intel, player, &mut aims);
        }
        out.extend(aims.into_iter().map(Choice::Aim));
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
