//! Positions set by hand, one thing at a time: for worked examples and for questions about made-up positions.
//!
//! Every setting is a key, for some keys a subject, and a value: `ind axis` is `12`, `units` is
//! `germany infantry 3 munich`, `nations poland` is `armed axis`. What is set is added to what is there.

use crate::areas::NONE;
use crate::cards::{Card, Deck, Diplomacy, Research};
use crate::factions::{Faction, Parties};
use crate::position_words::{Fault, Words};
use crate::rules::Rules;
use crate::set_up::BEFORE_1939;
use crate::stage::Stage;
use crate::state::{Part, State, Status, VaultPair, mark};
use crate::world::NationKind;

/// Whose value a key sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// It has no subject.
    None,
    /// A Faction.
    Faction,
    /// A nation.
    Nation,
    /// An area.
    Area,
}

/// The keys in the order in which a whole position is put together: each relies on those before it only.
pub(crate) const KEYS: [(&str, Subject); 18] = [
    ("year", Subject::None),
    ("season", Subject::None),
    ("order", Subject::None),
    ("active_ally", Subject::None),
    ("nations", Subject::Nation),
    ("war", Subject::None),
    ("units", Subject::None),
    ("ind", Subject::Faction),
    ("hand", Subject::Faction),
    ("in_play", Subject::Faction),
    ("vault", Subject::Faction),
    ("techs", Subject::Faction),
    ("discards", Subject::None),
    ("chits", Subject::Faction),
    ("fought", Subject::None),
    ("marks", Subject::Area),
    ("usa_groups", Subject::None),
    ("phase", Subject::None),
];

/// The words of blockade marks by their number.
pub(crate) const MARKS: [&str; 3] = ["none", "med", "full"];
/// The words of the seasons.
pub(crate) const SEASONS: [(&str, Part); 5] = [
    ("new_year", Part::NewYear),
    ("spring", Part::Spring),
    ("summer", Part::Summer),
    ("fall", Part::Fall),
    ("winter", Part::Winter),
];
/// How a nation can stand.
const STATUSES: [&str; 9] =
    ["neutral", "axis", "west", "ussr", "armed", "satellite", "conquered", "defeated", "joined"];

impl Rules {
    /// A position without units and cards in hand, in which the die for Turn Order is due.
    pub(crate) fn blank(&self) -> State {
        let mut state = self.start();
        for block in 0..state.blocks.len() {
            if state.blocks[block].on_map() {
                state.remove(block);
            }
        }
        state.year = if self.settings.short { BEFORE_1939 } else { 36 };
        state.stage = Stage::TurnOrder;
        self.snapshot(&mut state);
        state
    }

    /// Changes one detail of a position; the key may have its subject behind it: `ind axis`.
    pub(crate) fn set_by_hand(&self, state: &mut State, key: &str, value: &str) -> Result<(), String> {
        let (word, subject) = key.trim().split_once(' ').unwrap_or((key.trim(), ""));
        let mut changed = *state;
        self.set(&mut changed, word, subject, value).map_err(|fault| fault.sentence())?;
        self.invariants(&changed).map_err(|why| format!("such a position can't be: {why}"))?;
        *state = changed;
        Ok(())
    }

    /// Changes one detail of a position.
    pub(crate) fn set(&self, state: &mut State, key: &str, subject: &str, value: &str) -> Result<(), Fault> {
        let words = &mut Words::new(value);
        match key {
            "year" => state.year = (words.number(1936..=1945)? - 1900) as u8,
            "season" => state.part = season(words)?,
            "order" => state.order = order(words)?,
            "active_ally" => state.active_ally = Some(words.faction()?),
            "nations" => self.set_nation(state, subject_of(subject, |s| s.nation(self))?, words)?,
            "war" => self.set_war(state, words)?,
            "units" => self.set_unit(state, words)?,
            "ind" => state.of_mut(faction(subject)?).ind = words.number(0..=25)? as u8,
            "hand" => {
                let card = self.take_card(state, words)?;
                state.of_mut(faction(subject)?).hand[card.deck() as usize] |= card.bit();
            }
            "in_play" => self.set_in_play(state, faction(subject)?, words)?,
            "vault" => self.set_vault(state, faction(subject)?, words)?,
            "techs" => self.set_tech(state, faction(subject)?, words)?,
            "discards" => {
                let card = self.take_card(state, words)?;
                state.discard(card);
            }
            "chits" => set_chit(state, faction(subject)?, words)?,
            "fought" => state.of_mut(words.faction()?).fought = true,
            "marks" => {
                let area = subject_of(subject, |s| s.area(self))?;
                let at = words.read("none, med or full", || MARKS, |w| MARKS.iter().position(|m| *m == w))?;
                if let Some(mark) = state.marks.get_mut(usize::from(area)) {
                    *mark = [mark::NONE, mark::MED, mark::FULL][at];
                }
            }
            "usa_groups" => {
                state.usa_groups = words.number(0..=3)? as u8;
                state.usa_forced = true;
            }
            "phase" => self.set_phase(state, words)?,
            _ => {
                let known: Vec<&str> = KEYS.iter().map(|(key, _)| *key).collect();
                let what = format!("{:?} is no part of a position", diagnostics::shown(key));
                return Err(Fault::new(0..0, what, diagnostics::datafile::any_of(&known)));
            }
        }
        words.end()
    }

    /// A card that is to go somewhere: it must still be in its deck.
    fn take_card(&self, state: &mut State, words: &mut Words<'_>) -> Result<Card, Fault> {
        let mut ahead = words.clone();
        let card = words.card(self)?;
        let deck = &mut state.deck[card.deck() as usize];
        if *deck & card.bit() == 0 {
            let at = ahead.word().map_or(0..0, |(at, _)| at);
            let what = format!("{} is somewhere else already", self.world.card_id(card));
            return Err(Fault::new(at, what, "a card that is still in its deck"));
        }
        *deck &= !card.bit();
        Ok(card)
    }

    /// `A31 austria`: a Diplomacy card in play and the nation that it means.
    fn set_in_play(&self, state: &mut State, owner: Faction, words: &mut Words<'_>) -> Result<(), Fault> {
        let card = self.take_card(state, words)?;
        let ends = match card.deck() {
            Deck::Action => match self.world.action(card).diplomacy {
                Diplomacy::Nations(ends) => Some(ends),
                Diplomacy::Wild(..) => None,
            },
            Deck::Investment => None,
        };
        let Some(ends) = ends else {
            return Err(Fault::new(0..3, "this card names no nations", "an Action card with two nations"));
        };
        let names = ends.map(|end| self.atlas().nation(end).id.as_str());
        let end = words.read(&names.join(" or "), || names, |word| names.iter().position(|n| *n == word))?;
        let own = state.of_mut(owner);
        own.in_play |= card.bit();
        if end == 1 {
            own.second_end |= card.bit();
        }
        Ok(())
    }

    /// `sonar I04 I05`: a technology in the vault with its two cards.
    fn set_vault(&self, state: &mut State, owner: Faction, words: &mut Words<'_>) -> Result<(), Fault> {
        let tech = words.tech()?;
        let cards = [self.take_card(state, words)?, self.take_card(state, words)?];
        if cards.iter().any(|card| card.deck() == Deck::Action) {
            return Err(Fault::new(0..0, "an Action card shows no technology", "two Investment cards"));
        }
        let year = state.year;
        let own = state.of_mut(owner);
        let Some(free) = own.vault.iter_mut().find(|pair| pair.is_none()) else {
            return Err(Fault::new(0..0, "the vault is full", "at most 8 pairs"));
        };
        *free = Some(VaultPair { tech, cards });
        if tech.stage() > 0 {
            own.stage_year = own.stage_year.max(year.saturating_sub(1));
        }
        Ok(())
    }

    /// A revealed technology; a card that shows it is laid aside if the deck still has one.
    fn set_tech(&self, state: &mut State, owner: Faction, words: &mut Words<'_>) -> Result<(), Fault> {
        let tech = words.tech()?;
        let shows = |index: &u8| {
            let research = self.world.investment(Card::new(Deck::Investment, *index)).research;
            matches!(research, Research::Tech(techs, _) if techs & tech.bit() != 0)
        };
        let card = crate::areas::bits(state.deck[1]).find(shows);
        if let Some(index) = card {
            state.deck[1] &= !(1 << index);
            state.of_mut(owner).kept |= 1 << index;
        }
        state.of_mut(owner).techs |= tech.bit();
        Ok(())
    }

    /// `axis west`: the first has declared war on the second.
    fn set_war(&self, state: &mut State, words: &mut Words<'_>) -> Result<(), Fault> {
        let by = words.faction()?;
        let rivals = by.rivals().map(Faction::word);
        let find = |word: &str| Faction::parse(word).filter(|on| *on != by);
        let on = words.read(&rivals.join(" or "), || rivals, find)?;
        if state.at_war(by, on) {
            return Ok(());
        }
        state.of_mut(by).enemies = state.of(by).enemies.with(on);
        state.of_mut(on).enemies = state.of(on).enemies.with(by);
        state.of_mut(by).declared = state.of(by).declared.with(on);
        state.of_mut(on).factory_level += 1;
        Ok(())
    }

    /// `west 2`, `armed axis entered ussr`, `satellite west`, `conquered axis`, `defeated axis`, `joined`, `neutral`.
    fn set_nation(&self, state: &mut State, nation: u8, words: &mut Words<'_>) -> Result<(), Fault> {
        let mut ahead = words.clone();
        let expected = "markers (west 2), armed, satellite, conquered, defeated, joined or neutral";
        let status =
            words.read(expected, || STATUSES, |word| STATUSES.iter().copied().find(|s| *s == word))?;
        let info = self.atlas().nation(nation);
        let fits = match info.kind {
            NationKind::Great => false,
            NationKind::Major if nation == self.atlas().usa => !matches!(status, "armed" | "satellite"),
            NationKind::Major => status == "defeated",
            NationKind::Colony(_) => matches!(status, "armed" | "conquered"),
            NationKind::Minor => !matches!(status, "defeated" | "joined"),
        };
        if !fits {
            let at = ahead.word().map_or(0..0, |(at, _)| at);
            let what = format!("{} can't be that", info.name);
            return Err(Fault::new(at, what, "a status that this nation can have"));
        }
        if state.armed >> nation & 1 != 0 {
            self.disarm(state, nation);
        }
        if let Some(power) = info.power.filter(|_| status != "joined") {
            // A Power that is out of the game, or not yet in it, has no units. Rule 2.22.
            power.blocks().for_each(|block| {
                if state.blocks[block].on_map() {
                    state.remove(block);
                }
            });
        }
        let mut new = *state.nation(nation);
        (new.influencer, new.markers, new.status) = (None, 0, Status::Neutral);
        match status {
            "neutral" => new.holder = None,
            "armed" => {
                self.arm(state, nation);
                new = *state.nation(nation);
                while !words.is_empty() {
                    let entered = words.takes("entered");
                    let party = words.faction()?;
                    if !entered {
                        new.violators = new.violators.with(party);
                    }
                    if info.capital != NONE {
                        new.enemies = new.enemies.with(party);
                    }
                }
            }
            "satellite" | "conquered" | "defeated" => {
                new.status = match status {
                    "satellite" => Status::Satellite,
                    "conquered" => Status::Conquered,
                    _ => Status::Defeated,
                };
                new.holder = Some(words.faction()?);
            }
            "joined" => {
                (new.status, new.holder) = (Status::Belongs, Some(Faction::West));
                let level = &mut state.of_mut(Faction::West).factory_level;
                *level = level.saturating_add(1);
            }
            _ => {
                new.influencer = ahead.faction().ok();
                new.markers = words.number(1..=3)? as u8;
                new.holder = None;
            }
        }
        *state.nation_mut(nation) = new;
        self.snapshot(state);
        Ok(())
    }
}

fn faction(subject: &str) -> Result<Faction, Fault> {
    subject_of(subject, Words::faction)
}

/// The subject of a key; what is wrong with it is said of the whole value.
fn subject_of<'t, T>(
    subject: &'t str,
    read: impl FnOnce(&mut Words<'t>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let mut words = Words::new(subject);
    let value = read(&mut words).and_then(|value| words.end().map(|()| value));
    value.map_err(|fault| Fault { at: 0..0, ..fault })
}

/// A season by its word.
fn season(words: &mut Words<'_>) -> Result<Part, Fault> {
    let known = SEASONS.map(|(word, _)| word);
    let find = |word: &str| SEASONS.iter().find(|(name, _)| *name == word).map(|(_, part)| *part);
    words.read(&diagnostics::datafile::any_of(&known), || known, find)
}

/// All three Factions in some order.
fn order(words: &mut Words<'_>) -> Result<[Faction; 3], Fault> {
    let order = [words.faction()?, words.faction()?, words.faction()?];
    let all = order.into_iter().fold(Parties::NONE, Parties::with);
    if all.count() < 3 {
        return Err(Fault::new(0..0, "a Faction stands there twice", "axis, west and ussr in some order"));
    }
    Ok(order)
}

/// A Peace Dividend of a value.
fn set_chit(state: &mut State, owner: Faction, words: &mut Words<'_>) -> Result<(), Fault> {
    let value = usize::from(words.number(0..=2)?);
    if state.cup[value] == 0 {
        return Err(Fault::new(0..0, "no such chit is left in the cup", "another value"));
    }
    state.cup[value] -= 1;
    state.of_mut(owner).chits[value] += 1;
    Ok(())
}
