//! Why a Government play can't be made: Diplomacy, factories, technologies, Intelligence. Rules 7.3, 8, 9.

use kernel::Refusal;

use crate::areas::{NONE, bits};
use crate::cards::{Card, Deck, Diplomacy, Intel, Research, Tech, Wild};
use crate::choice::{Choice, Find};
use crate::economy::MOST;
use crate::factions::Faction;
use crate::government::RAISES;
use crate::refusals::no;
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::{State, Status, VAULT};
use crate::words::{capitalized, count};

impl Rules {
    /// Why a card play is not open.
    pub(crate) fn why_not_play(&self, state: &State, faction: Faction, choice: Choice) -> Refusal {
        match (state.stage, choice) {
            (Stage::Government | Stage::FreePlay(_), Choice::Diplomacy(card, nation)) => {
                self.why_not_diplomacy(state, faction, card, nation)
            }
            (Stage::Government | Stage::FreePlay(_), Choice::Wild(card, nation)) => {
                self.why_not_wild(state, faction, card, nation)
            }
            (Stage::FreePlay(_), _) => no("only Diplomacy is played before 1939", "17.5"),
            (Stage::Government, Choice::Factory) => self.why_no_factory(state, faction),
            (Stage::Government, Choice::Pay(_)) => {
                no("first choose to build a factory, then what pays for it", "7.32")
            }
            (Stage::Government, Choice::Pair(keep, other, find)) => {
                self.why_not_pair(state, faction, keep, other, find)
            }
            (Stage::Government, Choice::Spy(card, target, place)) => {
                self.why_not_spy(state, faction, card, target, place)
            }
            (Stage::Government, Choice::Reveal(tech)) => self.not_in_vault(state, faction, tech),
            (Stage::Government, Choice::Repudiate(nation)) => {
                let name = self.nation_name(nation);
                no(format!("{} has no marker in {name}", faction.the()), "8.11")
            }
            (Stage::Pay(_), Choice::Pay(card)) if card.deck() == Deck::Action => {
                no("Investment cards pay for a factory, not Action cards", "7.32")
            }
            (Stage::Pay(_), Choice::Pay(card)) => self.not_held(state, faction, card),
            (Stage::Pay(_), _) => no("the factory has been begun: there is no way back", "R53"),
            (Stage::DoubleAgent(..), Choice::DoubleAgent) => {
                no(format!("{} does not hold the Double Agent", faction.the()), "9.5")
            }
            (Stage::Turned(card, _, player), Choice::Aim(place)) => {
                self.why_not_aim(state, self.spy(card), player, place)
            }
            (Stage::Mole(_, user, target), Choice::Take(card, find)) => {
                self.why_not_take(state, user, target, card, find)
            }
            _ => self.not_asked(state),
        }
    }

    pub(crate) fn not_in_vault(&self, state: &State, faction: Faction, tech: Tech) -> Refusal {
        if state.of(faction).knows(tech) {
            return no(format!("{} is shown already", tech.title()), "9.2");
        }
        no(format!("{} is not in the vault of {}", tech.title(), faction.the()), "9.3")
    }

    /// Why Diplomacy can't touch a nation. Rule 8.11.
    fn not_courted(&self, state: &State, nation: u8) -> Option<Refusal> {
        if self.is_courted(state, nation) {
            return None;
        }
        let name = capitalized(&self.nation_name(nation));
        let now = state.nation(nation);
        let is = self.agrees(nation, "is", "are");
        let holder = now.holder.map_or("nobody", Faction::the);
        let reason = match now.status {
            Status::Neutral => format!("{name} {is} closed to Diplomacy"),
            Status::Armed => format!("{name} {is} at arms and closed to Diplomacy"),
            Status::Satellite => format!("{name} {is} a Satellite of {holder}"),
            Status::Conquered => format!("{name} {is} conquered by {holder}"),
            Status::Belongs => format!("{name} {is} on the side of {holder}"),
            Status::Defeated => format!("{name} {is} Defeated"),
        };
        Some(no(reason, "8.11"))
    }

    fn why_not_diplomacy(&self, state: &State, faction: Faction, card: Card, nation: u8) -> Refusal {
        if card.deck() == Deck::Investment {
            return no("Diplomacy takes an Action card", "7.31");
        }
        if !state.of(faction).holds(card) {
            return self.not_held(state, faction, card);
        }
        match &self.world.action(card).diplomacy {
            Diplomacy::Wild(title, _) => no(format!("{title} is a WildCard: it takes effect at once"), "8.3"),
            Diplomacy::Nations(ends) if !ends.contains(&nation) => {
                no(format!("{} does not name {}", self.world.card_id(card), self.nation_name(nation)), "7.31")
            }
            Diplomacy::Nations(_) => self.not_courted(state, nation).unwrap_or_else(|| self.not_asked(state)),
        }
    }

    fn why_not_wild(&self, state: &State, faction: Faction, card: Card, nation: u8) -> Refusal {
        if card.deck() == Deck::Investment {
            return no("a WildCard is an Action card", "8.3");
        }
        if !state.of(faction).holds(card) {
            return self.not_held(state, faction, card);
        }
        let Diplomacy::Wild(title, wild) = &self.world.action(card).diplomacy else {
            return no(format!("{} is no WildCard", self.world.card_id(card)), "8.3");
        };
        if let Some(refusal) = self.not_courted(state, nation) {
            return refusal;
        }
        let name = self.nation_name(nation);
        let now = state.nation(nation);
        let rival = now.influencer.filter(|other| *other != faction);
        let unlisted = || no(format!("{title} does not list {name}"), "8.3");
        let full = || no(format!("{} has three markers in {name} already", faction.the()), "8.41");
        let minor = self.atlas().minors >> nation & 1 != 0;
        match *wild {
            Wild::Listed(lists) if lists[faction.index()] >> nation & 1 == 0 => unlisted(),
            Wild::Isolation(list) if list >> nation & 1 == 0 => unlisted(),
            Wild::Isolation(_) | Wild::Loathing(_) if rival.is_none() => {
                no(format!("no Rival has a marker in {name}"), "8.3")
            }
            Wild::Isolation(_) | Wild::Loathing(_) => unlisted(),
            Wild::Intimidation | Wild::Guarantee if !minor => {
                no(format!("{} is no Minor", capitalized(&name)), "8.3")
            }
            Wild::Intimidation if self.can_influence(state, faction, nation) => {
                no(format!("no land of {} touches {name}", faction.the()), "8.3")
            }
            Wild::Guarantee if self.can_influence(state, faction, nation) => {
                no(format!("no land of a Rival touches {name}"), "8.3")
            }
            Wild::ForeignAid if state.of(faction).ind == 0 => {
                no("Foreign Aid costs 1 IND, and there is none", "8.3")
            }
            _ => full(),
        }
    }

    fn why_no_factory(&self, state: &State, faction: Faction) -> Refusal {
        let own = state.of(faction);
        let (cost, money) = (self.factory_cost(state, faction), self.factory_money(state, faction));
        match () {
            () if own.raises >= RAISES => no("two factories have been built this year", "7.32"),
            () if own.ind >= MOST => no(format!("IND is {MOST}, the most there is"), "7.32"),
            () => no(format!("needs {cost}, you hold {money}"), "7.32"),
        }
    }

    // --- technologies ------------------------------------------------------------------------------

    /// Why a technology can't be achieved now. Rules 9.1, 9.4.
    fn why_not_achieved(&self, state: &State, faction: Faction, tech: Tech) -> Option<Refusal> {
        if Self::may_achieve(state, faction, tech) {
            return None;
        }
        let own = state.of(faction);
        let title = tech.title();
        Some(match () {
            () if own.knows(tech) => no(format!("{title} is shown already"), "9.1"),
            () if own.secret_techs() & tech.bit() != 0 => {
                no(format!("{title} is in the vault already"), "9.1")
            }
            () if own.stage_year == state.year => no("one stage of Atomic Research a year", "9.4"),
            () => no(format!("Atomic Research {} comes first", tech.stage() - 1), "9.4"),
        })
    }

    fn why_not_pair(&self, state: &State, faction: Faction, keep: Card, other: Card, find: Find) -> Refusal {
        let tech = find.tech();
        if let Some(action) = [keep, other].into_iter().find(|card| card.deck() == Deck::Action) {
            return no(format!("{} is an Action card", self.world.card_id(action)), "9.1");
        }
        if let Some(missing) = [keep, other].into_iter().find(|card| !state.of(faction).holds(*card)) {
            return self.not_held(state, faction, missing);
        }
        if !self.shows(keep, tech) {
            let id = self.world.card_id(keep);
            return no(format!("{id} does not show {}; the kept card must", tech.title()), "R54");
        }
        if let Some(refusal) = self.why_not_achieved(state, faction, tech) {
            return refusal;
        }
        if keep == other {
            return no(format!("{} takes a second card, and you hold none", tech.title()), "9.1");
        }
        let id = self.world.card_id(other);
        match self.world.investment(other).research {
            Research::Science(year, techs) if techs & tech.bit() != 0 && state.year < year => {
                no(format!("{id} is Science of 19{year}: too early"), "9.1")
            }
            Research::Tech(_, true) if !self.shows(other, tech) => {
                no(format!("Industrial Espionage: no Rival has shown {}", tech.title()), "9.1")
            }
            _ if state.of(faction).vault_len() >= VAULT => no("the vault is full", "9.3"),
            _ => no(format!("{id} does not show {}", tech.title()), "9.1"),
        }
    }

    fn why_not_take(&self, state: &State, user: Faction, target: Faction, card: Card, find: Find) -> Refusal {
        let tech = find.tech();
        match () {
            () if card.deck() == Deck::Action => no("the Mole is paired with an Investment card", "9.5"),
            () if !state.of(user).holds(card) => self.not_held(state, user, card),
            () if !self.shows(card, tech) => {
                no(format!("{} does not show {}", self.world.card_id(card), tech.title()), "9.1")
            }
            // The Mole sees the vault: this is no secret to its user.
            () if state.of(target).secret_techs() & tech.bit() == 0 => {
                no(format!("{} is not in the vault of {}", tech.title(), target.the()), "9.5")
            }
            () => self.why_not_achieved(state, user, tech).unwrap_or_else(|| no("the vault is full", "9.3")),
        }
    }

    // --- Intelligence ------------------------------------------------------------------------------

    fn why_not_spy(
        &self,
        state: &State,
        faction: Faction,
        card: Card,
        target: Faction,
        place: u8,
    ) -> Refusal {
        let Some(intel) = self.spy(card) else {
            return no(format!("{} is no Intelligence card", self.world.card_id(card)), "7.34");
        };
        match () {
            () if !state.of(faction).holds(card) => self.not_held(state, faction, card),
            () if intel == Intel::DoubleAgent => {
                no("Double Agent is only an answer to an Intelligence card against you", "9.5")
            }
            () if target == faction => no("Intelligence is played against a Rival", "7.34"),
            () => self.why_not_aim(state, Some(intel), target, place),
        }
    }

    /// Why a card can't aim at a Faction there. Only what everybody knows is looked at.
    fn why_not_aim(&self, state: &State, intel: Option<Intel>, target: Faction, place: u8) -> Refusal {
        let the = target.the();
        match intel {
            Some(Intel::Agent) if place == NONE => no("name the area that the Agent looks at", "9.5"),
            Some(Intel::Agent) => no(format!("{the} has no units in {}", self.place_name(place)), "9.5"),
            Some(Intel::Coup) if place == NONE => {
                no(format!("{the} has no markers in any Neutral Minor"), "9.5")
            }
            Some(Intel::Coup) if place == self.atlas().usa => no("a Coup does not touch the USA", "9.5"),
            Some(Intel::Coup) => {
                let name = state.nations.get(usize::from(place)).map(|_| self.nation_name(place));
                let name = name.unwrap_or_else(|| "that nation".to_owned());
                no(format!("{the} has no markers in {name}"), "9.5")
            }
            Some(Intel::CodeBreak | Intel::SpyRing) => no(format!("{the} has no cards in hand"), "9.5"),
            Some(Intel::Sabotage) => no(format!("{the} has no IND to lose"), "9.5"),
            Some(Intel::Mole) => no(format!("the vault of {the} is empty"), "9.5"),
            Some(Intel::DoubleAgent) | None => no("that card aims at nothing", "9.5"),
        }
    }

    /// How many cards above the HandSize a Faction holds, in words for the prompt.
    pub(crate) fn cards_over(&self, state: &State, faction: Faction) -> String {
        let over = state.of(faction).cards() as i32 - i32::from(self.hand_limit(state, faction));
        count(over.max(0), "card")
    }

    /// The technologies that a hand shows with one card only: what a second card would bring.
    pub(crate) fn single_cards(&self, state: &State, faction: Faction) -> Vec<(Card, Tech)> {
        let hand = state.of(faction).hand[1];
        let mut found: Vec<(Card, Tech)> = Vec::new();
        for index in bits(hand) {
            let card = Card::new(Deck::Investment, index);
            let Research::Tech(techs, _) = self.world.investment(card).research else { continue };
            for tech in Tech::ALL.into_iter().filter(|tech| techs & tech.bit() != 0) {
                if !found.iter().any(|(_, known)| *known == tech) {
                    found.push((card, tech));
                }
            }
        }
        found
    }
}
