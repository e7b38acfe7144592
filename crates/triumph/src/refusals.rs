//! Why a choice can't be made now: set-up, New Year, Command. It explains, it never decides: whatever is asked about here
//! is known not to be listed. Only what the mover may know is looked at.

use kernel::Refusal;

use crate::areas::AreaSet;
use crate::cards::{Card, Deck};
use crate::choice::Choice;
use crate::factions::{Faction, Power, blocks_of};
use crate::labels_war::dice_words;
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::{State, Status, flag};
use crate::units::Kind;
use crate::words::{capitalized, count};
use crate::world::Atlas;

/// A reason with its rule.
pub(crate) fn no(reason: impl Into<String>, rule: &'static str) -> Refusal {
    Refusal::new(reason, rule)
}

impl Rules {
    /// Why a choice that is not listed can't be made.
    pub(crate) fn why_not(&self, state: &State, choice: Choice) -> Refusal {
        let faction = self.decider(state).unwrap_or(state.turn.faction);
        match (state.stage, choice) {
            (Stage::Over, _) => no("the game is over", "16.0"),
            (Stage::SetUp(at), Choice::Cadre(kind)) => match self.cadres().nth(usize::from(at)) {
                Some((power, area)) => self.why_not_type(state, power, area, kind),
                None => no("all Cadres are placed", "5.0"),
            },
            (Stage::Muster(_), Choice::Muster(kind)) => match self.next_muster(state) {
                Some((faction, area)) => self.why_not_type(state, faction.great(), area, kind),
                None => no("no unit is to be placed", "8.2"),
            },
            (Stage::ActiveAlly, Choice::Active(_)) => {
                no("only the West or the USSR can be the Active Ally", "18.4")
            }
            (Stage::Arrival(_), Choice::Arrive(area)) => self.why_not_arrival(state, area),
            (Stage::Spend, _) => self.why_not_spend(state, faction, choice),
            (Stage::Step, Choice::Step(block)) => self.why_no_step(state, faction, usize::from(block)),
            (Stage::Build, Choice::New(power, kind)) => self.why_not_new(state, faction, power, kind),
            (Stage::BuildAt, Choice::At(area)) => self.why_not_at(state, area),
            (Stage::Government | Stage::FreePlay(_) | Stage::Pay(_), _)
            | (Stage::DoubleAgent(..) | Stage::Turned(..) | Stage::Mole(..), _) => {
                self.why_not_play(state, faction, choice)
            }
            (Stage::Discard, Choice::Discard(card)) => self.not_held(state, faction, card),
            (Stage::Command, Choice::Commit(card)) => self.not_held(state, faction, card),
            (Stage::Winter, Choice::Commit(card)) => match card.deck() {
                Deck::Investment => no("there is no bluff in Winter: only Action cards count", "10.4"),
                Deck::Action => self.not_held(state, faction, card),
            },
            (Stage::SecondCard, Choice::Commit(card)) | (Stage::WarCard(_), Choice::Discard(card)) => {
                let rule = if state.stage == Stage::SecondCard { "18.6" } else { "18.7" };
                let first = state.of(faction).committed.filter(|_| state.stage == Stage::SecondCard);
                if first.is_some_and(|first| !self.is_valid(state, first)) {
                    return no("the first card is not of this season: a second one adds nothing", rule);
                }
                if state.of(faction).holds(card) {
                    no(format!("{} is not a card of this season", self.world.card_id(card)), rule)
                } else {
                    self.not_held(state, faction, card)
                }
            }
            (Stage::Tie(..), Choice::Order(_)) => {
                no("only the tied turns change places; the others stay where they are", "10.1")
            }
            (Stage::Movement | Stage::Destination, _) => self.why_not_move(state, choice),
            _ if self.decider(state).is_none() => self.why_not_drawn(state, choice),
            _ => self.why_not_fight(state, faction, choice),
        }
    }

    /// A choice of another kind than what is asked.
    pub(crate) fn not_asked(&self, state: &State) -> Refusal {
        let prompt = self.prompt(state);
        no(format!("this is the question now: {}", prompt.text), prompt.rule)
    }

    /// A card that its would-be player does not hold.
    pub(crate) fn not_held(&self, state: &State, faction: Faction, card: Card) -> Refusal {
        let id = self.world.card_id(card);
        let own = state.of(faction);
        if own.committed == Some(card) {
            return no(format!("{id} is committed already"), "10.1");
        }
        if card.deck() == Deck::Action && own.in_play & card.bit() != 0 {
            return no(format!("{id} is in play already"), "7.31");
        }
        no(format!("{} does not hold {id}", faction.the()), "4.3")
    }

    /// Fate's draws.
    fn why_not_drawn(&self, state: &State, choice: Choice) -> Refusal {
        match (state.stage, choice) {
            (Stage::Draw(_), Choice::Card(card)) => {
                let deck = Self::next_due(state).map_or(card.deck(), |(_, deck)| deck);
                if deck == card.deck() {
                    no(format!("{} does not lie in the deck", self.world.card_id(card)), "7.24")
                } else {
                    no(format!("an {} card is drawn", deck.title()), "7.24")
                }
            }
            (Stage::SetAside(..) | Stage::SpyCard(..), Choice::Card(card)) => {
                no(format!("{} is not among the cards", self.world.card_id(card)), "9.5")
            }
            (Stage::SpyDeck(..), Choice::FromDeck(_)) => no("there is no such card in the hand", "9.5"),
            (Stage::Chit(..), Choice::Chit(value)) => {
                no(format!("no Peace Dividend of {value} is left to draw"), "4.4")
            }
            (Stage::TurnOrder, Choice::Die(_)) => no("a die shows 1 to 6", "7.14"),
            (Stage::Dice, Choice::Hits(_)) => {
                let (dice, _) = self.shot(state);
                no(format!("{} can't hit more than {}", dice_words(dice), count(dice, "time")), "12.4")
            }
            _ => no(format!("Fate draws now: {}", self.prompt(state).waiting), self.prompt(state).rule),
        }
    }

    /// A type that can't be placed in an area. Rulings R4, R9.
    fn why_not_type(&self, state: &State, power: Power, area: u8, kind: Kind) -> Refusal {
        let place = self.place_name(area);
        let fort = state.own_at(power.faction(), area).any(|(_, unit)| unit.kind == Kind::Fortress);
        match () {
            () if kind.is_ship() && !self.atlas().area(area).coastal => {
                no(format!("no ships in {place}, which is not Coastal"), "R4")
            }
            () if kind == Kind::Fortress && fort => {
                no(format!("there is a Fortress in {place} already"), "7.231")
            }
            () => self.pool_is_empty(power, kind),
        }
    }

    fn pool_is_empty(&self, power: Power, kind: Kind) -> Refusal {
        let pool = self.atlas().pools[power.index()][kind.index()];
        let name = format!("{} {}", power.adjective(), kind.title());
        match pool {
            0 => no(format!("there is no {name}"), "R9"),
            1 => no(format!("the only {name} is on the map"), "R9"),
            _ => no(format!("all {pool} {name} blocks are on the map"), "R9"),
        }
    }

    fn why_not_arrival(&self, state: &State, area: u8) -> Refusal {
        let place = self.place_name(area);
        if !self.atlas().nation(self.atlas().usa).areas.has(area) {
            return no(format!("{place} is not in the USA"), "R50");
        }
        if !state.controls(Faction::West, area) {
            return no(format!("the West does not control {place}"), "R50");
        }
        no(format!("{place} is Disputed"), "R50")
    }

    // --- Production ------------------------------------------------------------------------------

    fn why_not_spend(&self, state: &State, faction: Faction, choice: Choice) -> Refusal {
        let part = |part: usize| {
            let names = ["steps and new units", "Action cards", "Investment cards"];
            no(
                format!(
                    "the Passive Ally divides its points evenly, and {} have had their share",
                    names[part]
                ),
                "18.5",
            )
        };
        let cards = |deck: Deck| {
            let at = deck as usize + 1;
            match () {
                () if self.before_short_game(state) => {
                    no("cards are drawn later: only CV are added before 1939", "17.2")
                }
                () if Self::cards_left(state, deck) == 0 => {
                    no(format!("no {} card is left in the deck or the discards", deck.title()), "R6")
                }
                () => part(at),
            }
        };
        match choice {
            Choice::BuyAction => cards(Deck::Action),
            Choice::BuyInvestment => cards(Deck::Investment),
            Choice::Strengthen | Choice::Build if !self.part_is_open(state, 0) => part(0),
            Choice::Strengthen => no("no unit can take a step now", "7.23"),
            Choice::Build => no("no type has blocks left and an area to be built in", "7.23"),
            Choice::Disband(block) => self.why_not_disband(state, faction, usize::from(block)),
            Choice::Step(_) => no("first choose to strengthen a unit, then which", "7.23"),
            Choice::New(..) | Choice::At(_) => {
                no("first choose to build a unit, then which and where", "7.23")
            }
            _ => self.not_asked(state),
        }
    }

    fn why_not_disband(&self, state: &State, faction: Faction, block: usize) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, block) {
            return refusal;
        }
        let Some(power) = Power::of_block(block) else { return self.not_asked(state) };
        let pool = self.atlas().pools[power.index()];
        let kind = state.blocks[block].kind;
        let full = state.used(power, kind) >= pool[kind.index()];
        match () {
            () if self.before_short_game(state) => no("nothing is disbanded before 1939", "17.2"),
            () if state.spending.points != state.spending.level => {
                no("units are disbanded before the first point is spent", "R48")
            }
            () if !full => {
                let left = format!("{} has more blocks of the type {}", power.title(), kind.title());
                no(format!("{left}: nothing is gained"), "R48")
            }
            () => self.alike(),
        }
    }

    /// Two units that are alike are listed once.
    pub(crate) fn alike(&self) -> Refusal {
        no("another unit that is the same in every way is listed instead", "19.1")
    }

    /// A block that is not one of the Faction's units on the map.
    pub(crate) fn not_own(&self, state: &State, faction: Faction, block: usize) -> Option<Refusal> {
        match state.blocks.get(block) {
            None => Some(no("there is no such unit", "3.1")),
            Some(_) if !blocks_of(faction).contains(&block) => {
                Some(no(format!("that is no unit of {}", faction.the()), "3.1"))
            }
            Some(unit) if !unit.on_map() => Some(no("that unit is not on the map", "3.1")),
            Some(_) => None,
        }
    }

    /// A unit that takes no step. Rule 7.23.
    fn why_no_step(&self, state: &State, faction: Faction, block: usize) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, block) {
            return refusal;
        }
        let unit = &state.blocks[block];
        let Some(power) = Power::of_block(block) else { return self.not_asked(state) };
        let most = self.atlas().max_cv[power.index()];
        let place = self.place_name(unit.area);
        let supplied = if state.of(faction).at_war() { self.supplied(state, faction) } else { AreaSet::LAND };
        match () {
            () if unit.is(flag::STEPPED) => {
                no("one step for each unit in a Production, none for a new one", "7.23")
            }
            () if unit.cv >= most => no(format!("{} units have at most {most} CV", power.adjective()), "3.1"),
            () if Atlas::is_sea(unit.area) => no("no steps at sea", "7.23"),
            () if self.foes(state, faction).has(unit.area) => {
                no(format!("Enemies are in {place}: the unit is Engaged"), "7.23")
            }
            () if unit.kind.is_troop() && !supplied.has(unit.area) => {
                no(format!("{place} has no Supply Line"), "7.23")
            }
            () if !self.may_grow(state, power, unit.area) => {
                no("before 1939 only units in Home Territory grow", "R96")
            }
            () => self.alike(),
        }
    }

    fn why_not_new(&self, state: &State, faction: Faction, power: Power, kind: Kind) -> Refusal {
        let nation = self.atlas().power_nation[power.index()];
        match () {
            () if power.faction() != faction => {
                no(format!("{} builds no {} units", faction.the(), power.adjective()), "7.23")
            }
            () if state.nation(nation).status == Status::Defeated => {
                no(format!("{} is Defeated", capitalized(&self.nation_name(nation))), "2.22")
            }
            () if state.nation(nation).status != Status::Belongs => {
                no("the USA has not joined the West", "8.43")
            }
            () if state.used(power, kind) >= self.atlas().pools[power.index()][kind.index()] => {
                self.pool_is_empty(power, kind)
            }
            () if kind == Kind::Fortress => {
                no(format!("no area is left for a {} Fortress", power.adjective()), "7.231")
            }
            () => no(
                format!(
                    "no home area of {} is Friendly, undisputed and fit for it",
                    self.nation_name(nation)
                ),
                "7.23",
            ),
        }
    }

    fn why_not_at(&self, state: &State, area: u8) -> Refusal {
        let (power, kind) = Self::picked_type(state);
        let faction = power.faction();
        let place = self.place_name(area);
        let fort = state.own_at(faction, area).any(|(_, unit)| unit.kind == Kind::Fortress);
        let home = self.atlas().home[power.index()].has(area);
        match () {
            () if Atlas::is_sea(area) => no("units are built on land", "7.23"),
            () if kind != Kind::Fortress && !home => {
                let nation = self.nation_name(self.atlas().power_nation[power.index()]);
                no(format!("{place} is not Home Territory of {nation}"), "2.3")
            }
            () if !state.controls(faction, area) => {
                no(format!("{} does not control {place}", faction.the()), "7.23")
            }
            () if !self.undisputed(state, faction).has(area) => no(format!("{place} is Disputed"), "7.23"),
            () if kind == Kind::Fortress && fort => {
                no(format!("there is a Fortress in {place} already"), "7.231")
            }
            () if kind == Kind::Fortress && self.fortress_power(state, faction, area) != power => {
                let owner = self.fortress_power(state, faction, area);
                no(format!("a Fortress in {place} is {}", owner.adjective()), "7.231")
            }
            () if kind == Kind::Fortress => {
                no(format!("{place} is not Home Territory: before 1939 nothing is built there"), "R96")
            }
            () if kind.is_ship() && !self.atlas().area(area).coastal => {
                no(format!("no ships in {place}, which is not Coastal"), "R4")
            }
            () => no(format!("{place} has no Supply Line"), "7.23"),
        }
    }
}
