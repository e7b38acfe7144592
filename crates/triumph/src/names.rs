//! Stable names of choices: `move germany infantry 3 berlin`, `to paris via lorraine`.

use std::fmt::Write as _;

use crate::areas::NONE;
use crate::cards::{Card, Deck, Tech};
use crate::choice::{Choice, Find};
use crate::factions::{Faction, Parties, Power};
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::{State, flag};
use crate::units::{Class, Kind};

impl Rules {
    fn area_id(&self, area: u8) -> &str {
        &self.atlas().area(area).id
    }

    fn nation_id(&self, nation: u8) -> &str {
        &self.atlas().nation(nation).id
    }

    /// A unit by all that can be told of it: equal units have equal names.
    fn write_unit(&self, state: &State, block: u8, out: &mut String) {
        let at = usize::from(block);
        let unit = &state.blocks[at.min(state.blocks.len() - 1)];
        let power = Power::of_block(at).map_or("minor", Power::word);
        let area = if unit.on_map() { self.area_id(unit.area) } else { "pool" };
        let _ = write!(out, "{power} {} {} {area}", unit.kind.word(), unit.cv);
        if unit.is(flag::ESCAPED) {
            out.push_str(" escaped");
        }
        if unit.is(flag::DISRUPTED) {
            out.push_str(" disrupted");
        }
        if unit.is(flag::STEPPED) {
            out.push_str(" stepped");
        }
        if unit.is(flag::ACTED) {
            out.push_str(" acted");
        }
        if unit.is(flag::REVEALED) && !Self::is_fighting(state) {
            out.push_str(" seen");
        }
        if unit.is(flag::MOVED) && unit.from == NONE {
            out.push_str(" moved");
        }
        if unit.from != NONE {
            let _ = write!(out, " from {}", self.area_id(unit.from));
        }
        if state.stage == Stage::Group && unit.origin != NONE {
            let _ = write!(out, " out_of {}", self.area_id(unit.origin));
        }
    }

    /// Whether a Battle, or what follows from it, is under way: all units in question lie face up.
    pub(crate) const fn is_fighting(state: &State) -> bool {
        matches!(
            state.stage,
            Stage::Action(_)
                | Stage::Dice
                | Stage::Hit(_)
                | Stage::AfterStrike
                | Stage::Rebase
                | Stage::Leave(..)
                | Stage::Escape(_)
                | Stage::Vault(_)
                | Stage::Group
        )
    }

    /// Writes the name of a choice.
    pub(crate) fn write_name(&self, state: &State, choice: Choice, out: &mut String) {
        let _ = match choice {
            Choice::Cadre(kind) | Choice::Muster(kind) => self.write_placing(state, choice, kind, out),
            Choice::Card(card) => write!(out, "card {}", self.world.card_id(card)),
            Choice::Chit(value) => write!(out, "chit {value}"),
            Choice::Die(die) => write!(out, "die {die}"),
            Choice::Hits(hits) => write!(out, "hits {hits}"),
            Choice::FromDeck(investment) => {
                write!(out, "deck {}", ["action", "investment"][usize::from(investment)])
            }
            Choice::Active(faction) => write!(out, "active {}", faction.word()),
            Choice::Arrive(area) => write!(out, "arrive {}", self.area_id(area)),
            Choice::BuyAction => write!(out, "buy action"),
            Choice::BuyInvestment => write!(out, "buy investment"),
            Choice::Strengthen => write!(out, "strengthen"),
            Choice::Build => write!(out, "build"),
            Choice::Finish => write!(out, "finish"),
            Choice::New(power, kind) => write!(out, "new {} {}", power.word(), kind.word()),
            Choice::At(area) => write!(out, "at {}", self.area_id(area)),
            Choice::Diplomacy(card, nation) => {
                write!(out, "diplomacy {} {}", self.world.card_id(card), self.nation_id(nation))
            }
            Choice::Wild(card, nation) => {
                write!(out, "wild {} {}", self.world.card_id(card), self.nation_id(nation))
            }
            Choice::Factory => write!(out, "factory"),
            Choice::Pay(card) => write!(out, "pay {}", self.world.card_id(card)),
            Choice::Pair(keep, other, find) => write!(
                out,
                "tech {} {} {} {}",
                find.tech().word(),
                self.world.card_id(keep),
                self.world.card_id(other),
                way(find)
            ),
            Choice::Take(card, find) => {
                write!(out, "take {} {} {}", find.tech().word(), self.world.card_id(card), way(find))
            }
            Choice::Spy(card, target, place) => {
                let _ = write!(out, "spy {} {}", self.world.card_id(card), target.word());
                self.write_place(card, place, out)
            }
            Choice::Aim(place) => {
                out.push_str("aim");
                let card = Self::card_in_the_air(state).unwrap_or(Card::new(Deck::Investment, 0));
                self.write_place(card, place, out)
            }
            Choice::Reveal(tech) => write!(out, "reveal {}", tech.word()),
            Choice::Repudiate(nation) => write!(out, "repudiate {}", self.nation_id(nation)),
            Choice::Pass => write!(out, "pass"),
            Choice::DoubleAgent => write!(out, "double agent"),
            Choice::LetItPass => write!(out, "let it pass"),
            Choice::Nothing => write!(out, "nothing"),
            Choice::Discard(card) => write!(out, "discard {}", self.world.card_id(card)),
            Choice::Commit(card) => write!(out, "commit {}", self.world.card_id(card)),
            Choice::Order([a, b, c]) => write!(out, "order {} {} {}", a.word(), b.word(), c.word()),
            Choice::War(rival) => write!(out, "war {}", rival.word()),
            Choice::Violate(nation) => write!(out, "violate {}", self.nation_id(nation)),
            Choice::Intervene(nation) => write!(out, "intervene {}", self.nation_id(nation)),
            Choice::Bomb => write!(out, "bomb"),
            Choice::To(to, NONE) => write!(out, "to {}", self.area_id(to)),
            Choice::To(to, via) => write!(out, "to {} via {}", self.area_id(to), self.area_id(via)),
            Choice::End => write!(out, "end"),
            Choice::StandBy => write!(out, "stand by"),
            Choice::GiveUp => write!(out, "give up"),
            Choice::Fight(area) => write!(out, "fight {}", self.area_id(area)),
            Choice::Avoid(area) => write!(out, "avoid {}", self.area_id(area)),
            Choice::Select(area) => write!(out, "select {}", self.area_id(area)),
            Choice::Against(parties) => {
                out.push_str("against");
                parties.factions().for_each(|faction| {
                    let _ = write!(out, " {}", faction.word());
                });
                if parties.has_minor() { write!(out, " minor") } else { Ok(()) }
            }
            Choice::Surface(block) => {
                let at = usize::from(block);
                let power = Power::of_block(at).map_or("minor", Power::word);
                write!(out, "surface {power} {}", self.area_id(state.blocks[at].area))
            }
            Choice::Fire(block, class) => {
                out.push_str("fire ");
                self.write_unit(state, block, out);
                write!(out, " {}", class.letter())
            }
            Choice::Retreat(block, to) | Choice::Rebase(block, to) => {
                out.push_str(if matches!(choice, Choice::Retreat(..)) { "retreat " } else { "rebase " });
                self.write_unit(state, block, out);
                write!(out, " to {}", self.area_id(to))
            }
            Choice::Disband(block)
            | Choice::Step(block)
            | Choice::Move(block)
            | Choice::Group(block)
            | Choice::Raid(block)
            | Choice::Strike(block)
            | Choice::Hit(block)
            | Choice::Escape(block) => {
                out.push_str(verb(choice));
                out.push(' ');
                self.write_unit(state, block, out);
                Ok(())
            }
        };
    }

    /// A new unit with the place where it stands.
    fn write_placing(&self, state: &State, choice: Choice, kind: Kind, out: &mut String) -> std::fmt::Result {
        let (word, area) = match (choice, state.stage) {
            (Choice::Cadre(_), Stage::SetUp(at)) => {
                ("cadre", self.cadres().nth(usize::from(at)).map(|(_, area)| area))
            }
            (Choice::Cadre(_), _) => ("cadre", None),
            _ => ("muster", self.next_muster(state).map(|(_, area)| area)),
        };
        match area {
            Some(area) => write!(out, "{word} {} {}", self.area_id(area), kind.word()),
            None => write!(out, "{word} {}", kind.word()),
        }
    }

    /// What an Intelligence card aims at: an area for Agent, a nation for Coup.
    fn write_place(&self, card: Card, place: u8, out: &mut String) -> std::fmt::Result {
        if place == NONE {
            return Ok(());
        }
        let nation = self.aims_at_nations(card);
        write!(out, " {}", if nation { self.nation_id(place) } else { self.area_id(place) })
    }

    fn aims_at_nations(&self, card: Card) -> bool {
        use crate::cards::{Intel, Research};
        card.deck() == Deck::Investment
            && self.world.investment(card).research == Research::Intelligence(Intel::Coup)
    }

    /// Reads a name, whether it is open now or not.
    pub(crate) fn read_name(&self, state: &State, name: &str) -> Option<Choice> {
        let (word, rest) = name.split_once(' ').unwrap_or((name, ""));
        let words: Vec<&str> = rest.split(' ').collect();
        let area = |word: &str| self.atlas().find_area(word);
        let nation = |word: &str| self.atlas().find_nation(word);
        let card = |word: &str| self.world.card(word);
        let number = |word: &str| word.parse::<u8>().ok();
        let last = words.last().copied().unwrap_or_default();
        let choice = match (word, words.as_slice()) {
            ("cadre", _) => Choice::Cadre(Kind::parse(last)?),
            ("muster", _) => Choice::Muster(Kind::parse(last)?),
            ("card", [id]) => Choice::Card(card(id)?),
            ("chit", [value]) => Choice::Chit(number(value)?),
            ("die", [die]) => Choice::Die(number(die)?),
            ("hits", [hits]) => Choice::Hits(number(hits)?),
            ("deck", ["action"]) => Choice::FromDeck(false),
            ("deck", ["investment"]) => Choice::FromDeck(true),
            ("active", [faction]) => Choice::Active(Faction::parse(faction)?),
            ("arrive", [id]) => Choice::Arrive(area(id)?),
            ("buy", ["action"]) => Choice::BuyAction,
            ("buy", ["investment"]) => Choice::BuyInvestment,
            ("strengthen", [""]) => Choice::Strengthen,
            ("build", [""]) => Choice::Build,
            ("finish", [""]) => Choice::Finish,
            ("new", [power, kind]) => Choice::New(Power::parse(power)?, Kind::parse(kind)?),
            ("at", [id]) => Choice::At(area(id)?),
            ("diplomacy", [id, of]) => Choice::Diplomacy(card(id)?, nation(of)?),
            ("wild", [id, of]) => Choice::Wild(card(id)?, nation(of)?),
            ("factory", [""]) => Choice::Factory,
            ("pay", [id]) => Choice::Pay(card(id)?),
            ("tech", [tech, keep, other, way]) => Choice::Pair(card(keep)?, card(other)?, find(tech, way)?),
            ("take", [tech, id, way]) => Choice::Take(card(id)?, find(tech, way)?),
            ("spy", [id, target]) => Choice::Spy(card(id)?, Faction::parse(target)?, NONE),
            ("spy", [id, target, place]) => {
                let id = card(id)?;
                let place = if self.aims_at_nations(id) { nation(place)? } else { area(place)? };
                Choice::Spy(id, Faction::parse(target)?, place)
            }
            ("aim", [place]) => {
                let nations = Self::card_in_the_air(state).is_some_and(|card| self.aims_at_nations(card));
                Choice::Aim(if nations { nation(place)? } else { area(place)? })
            }
            ("reveal", [tech]) => Choice::Reveal(Tech::parse(tech)?),
            ("repudiate", [of]) => Choice::Repudiate(nation(of)?),
            ("pass", [""]) => Choice::Pass,
            ("double", ["agent"]) => Choice::DoubleAgent,
            ("let", ["it", "pass"]) => Choice::LetItPass,
            ("nothing", [""]) => Choice::Nothing,
            ("discard", [id]) => Choice::Discard(card(id)?),
            ("commit", [id]) => Choice::Commit(card(id)?),
            ("order", [a, b, c]) => {
                Choice::Order([Faction::parse(a)?, Faction::parse(b)?, Faction::parse(c)?])
            }
            ("war", [rival]) => Choice::War(Faction::parse(rival)?),
            ("violate", [of]) => Choice::Violate(nation(of)?),
            ("intervene", [of]) => Choice::Intervene(nation(of)?),
            ("bomb", [""]) => Choice::Bomb,
            ("to", [to]) => Choice::To(area(to)?, NONE),
            ("to", [to, "via", via]) => Choice::To(area(to)?, area(via)?),
            ("end", [""]) => Choice::End,
            ("stand", ["by"]) => Choice::StandBy,
            ("give", ["up"]) => Choice::GiveUp,
            ("fight", [id]) => Choice::Fight(area(id)?),
            ("avoid", [id]) => Choice::Avoid(area(id)?),
            ("select", [id]) => Choice::Select(area(id)?),
            ("against", parties) => {
                let mut all = Parties::NONE;
                for word in parties {
                    all = match *word {
                        "minor" => all.and(Parties::MINOR),
                        word => all.with(Faction::parse(word)?),
                    };
                }
                Choice::Against(all)
            }
            ("surface", [power, id]) => {
                let first = Power::parse(power)?.blocks().start;
                Choice::Surface(Self::lurking_at(state, first, area(id)?)? as u8)
            }
            ("fire", [unit @ .., class]) => {
                Choice::Fire(self.read_unit(state, &unit.join(" "))?, Class::parse(class)?)
            }
            ("retreat", [unit @ .., "to", to]) => {
                Choice::Retreat(self.read_unit(state, &unit.join(" "))?, area(to)?)
            }
            ("rebase", [unit @ .., "to", to]) => {
                Choice::Rebase(self.read_unit(state, &unit.join(" "))?, area(to)?)
            }
            _ => {
                let block = self.read_unit(state, rest)?;
                match word {
                    "disband" => Choice::Disband(block),
                    "step" => Choice::Step(block),
                    "move" => Choice::Move(block),
                    "group" => Choice::Group(block),
                    "raid" => Choice::Raid(block),
                    "strike" => Choice::Strike(block),
                    "hit" => Choice::Hit(block),
                    "escape" => Choice::Escape(block),
                    _ => return None,
                }
            }
        };
        Some(choice)
    }

    /// The first unit of a name. A unit that whoever chooses can't see has no name to them: any answer to it would tell whether
    /// it is there.
    pub(crate) fn read_unit(&self, state: &State, name: &str) -> Option<u8> {
        let own =
            self.decider(state).map_or(Parties::NONE, |faction| self.factions_of(self.seat_of(faction)));
        let mut written = String::new();
        let found = (0..state.blocks.len()).find(|&block| {
            let unit = &state.blocks[block];
            let is_open = unit.is(flag::REVEALED) || state.stage == Stage::Over;
            if !unit.on_map() || !(is_open || State::owner(block).is_none_or(|owner| own.has(owner))) {
                return false;
            }
            written.clear();
            self.write_unit(state, block as u8, &mut written);
            written == name
        });
        found.map(|block| block as u8)
    }
}

const fn way(find: Find) -> &'static str {
    if find.vault() { "vault" } else { "reveal" }
}

fn find(tech: &str, way: &str) -> Option<Find> {
    let vault = match way {
        "vault" => true,
        "reveal" => false,
        _ => return None,
    };
    Some(Find::new(Tech::parse(tech)?, vault))
}

const fn verb(choice: Choice) -> &'static str {
    match choice {
        Choice::Disband(_) => "disband",
        Choice::Step(_) => "step",
        Choice::Move(_) => "move",
        Choice::Group(_) => "group",
        Choice::Raid(_) => "raid",
        Choice::Strike(_) => "strike",
        Choice::Hit(_) => "hit",
        Choice::Escape(_) => "escape",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    #[test]
    fn surfacing_does_not_tell_the_cv() {
        let rules = Rules::new(Settings::default());
        let mut state = rules.start();
        let sea = rules.atlas().find_area("north_sea").expect("a sea");
        for cv in [1, 3] {
            let block = state.place(Power::Germany, Kind::Submarine, cv, sea).expect("a free block");
            state.set_escaped(block, true);
        }
        state.stage = Stage::Movement;
        (state.turn.faction, state.turn.moves) = (Faction::Axis, 1);
        let mut listed = Vec::new();
        rules.list(&state, &mut listed);
        listed.retain(|choice| matches!(choice, Choice::Surface(_)));
        let [one] = listed[..] else { panic!("one of the two is offered: {listed:?}") };
        let mut name = String::new();
        rules.write_name(&state, one, &mut name);
        assert_eq!(name, "surface germany north_sea");
        assert_eq!(rules.read_name(&state, &name), Some(one));
    }
}
