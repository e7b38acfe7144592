//! What may be chosen now, and why something may not.

use kernel::{Dice, Mover, Refusal};

use crate::choice::Choice;
use crate::layout::bits;
use crate::rules::Rules;
use crate::state::{Phase, State};
use crate::stratagem::Stratagem;
use crate::units::{Class, KINDS, Kind, Side};

/// How many random placements the conformance suite tries in each position.
const SAMPLED_PLACEMENTS: u32 = 48;

fn refuse(rule: &'static str, reason: impl Into<String>) -> Option<Refusal> {
    Some(Refusal { reason: reason.into(), rule })
}

impl Rules {
    /// Who chooses next.
    #[inline]
    pub fn mover(&self, state: &State) -> Mover {
        let side = match state.phase {
            Phase::Over => return Mover::Nobody,
            Phase::Place | Phase::Blitz | Phase::BombRow | Phase::Strategic => state.side,
            Phase::NameTheatre => Side::Second,
            Phase::Open => self.opener(state),
            _ => return Mover::Fate,
        };
        self.seat_of(side).map_or(Mover::Nobody, Mover::Seat)
    }

    /// The theatre to which a blitz binds the next unit; `None` if nothing does.
    fn bound_to(&self, state: &State) -> Option<u8> {
        (state.phase == Phase::Blitz).then(|| self.space(state.placing.space).theatre)
    }

    /// The spaces on which a token of the side to move may be placed now. Rules 4, 5.7, 5.8.
    pub fn targets(&self, state: &State, token: Kind) -> u64 {
        if !matches!(state.phase, Phase::Place | Phase::Blitz)
            || !state.hands[state.side.index()].pool().has(token)
        {
            return 0;
        }
        let region = self.bound_to(state).map_or(u64::MAX, |theatre| self.theatre(theatre).mask);
        self.played(state, state.side, token).map_or(0, |unit| self.spaces_for(state, unit) & region)
    }

    /// Adds every open choice, in a stable order.
    #[inline]
    pub fn list(&self, state: &State, out: &mut Vec<Choice>) {
        match state.phase {
            Phase::Place | Phase::Blitz => self.list_placements(state, out),
            Phase::Deal | Phase::Draw => {
                out.extend(state.bags[state.side.index()].kinds().map(Choice::Draw));
            }
            Phase::Research => out.extend(state.pile.kinds().map(Choice::Research)),
            Phase::Hit => out.extend(state.hands[state.side.enemy().index()].pool().kinds().map(Choice::Hit)),
            Phase::BombRow if self.settings.bombing_by_place => {
                out.extend(self.row_places(state, true).map(Choice::BombAt));
            }
            Phase::BombRow => out.extend(self.row_targets(state).kinds().map(Choice::Bomb)),
            Phase::Strategic => {
                out.extend(bits(u64::from(self.strategic_targets(state))).map(Choice::Strategic));
            }
            Phase::Open => {
                let closed = self.space(state.placing.space).theatre;
                out.extend(bits(u64::from(self.openable(state, closed))).map(Choice::Open));
            }
            Phase::NameTheatre => out.extend(bits(u64::from(state.open)).map(Choice::Theatre)),
            Phase::Difficulty | Phase::UnitDie => out.extend((1..=6).map(Choice::Die)),
            Phase::StartCity => out.extend(bits(self.start_cities(state)).map(Choice::City)),
            Phase::Stratagem => out.extend(state.bot.cup.iter().map(Choice::Stratagem)),
            Phase::Over => {}
        }
    }

    fn list_placements(&self, state: &State, out: &mut Vec<Choice>) {
        let before = out.len();
        let region = self.bound_to(state).map_or(u64::MAX, |theatre| self.theatre(theatre).mask);
        for kind in state.hands[state.side.index()].pool().kinds() {
            let Some(unit) = self.played(state, state.side, kind) else { continue };
            let spaces = self.spaces_for(state, unit) & region;
            out.extend(bits(spaces).map(|space| Choice::Place { kind, space }));
        }
        if state.phase == Phase::Blitz {
            out.push(Choice::Stop);
        } else if out.len() == before {
            out.push(Choice::Stuck);
        }
    }

    /// The units of the bot's row that a bombing may send back. Rule 8.7.
    fn row_targets(&self, state: &State) -> crate::pool::Pool {
        let row = state.hands[state.side.enemy().index()].pool();
        if row.normals().is_empty() { row } else { row.normals() }
    }

    /// The places of the bot's row whose unit a bombing may, or may not, send back. Rule 8.7.
    fn row_places<'a>(&self, state: &'a State, open: bool) -> impl Iterator<Item = u8> + use<'a> {
        let targets = self.row_targets(state);
        let row = state.hands[state.side.enemy().index()].as_slice();
        (0..).zip(row).filter(move |(_, kind)| targets.has(**kind) == open).map(|(place, _)| place)
    }

    /// The starting cities that have not been drawn. Rule 10.7.
    fn start_cities(&self, state: &State) -> u64 {
        u64::from(self.layout.open) & !state.placing.collect
    }

    /// Fate's tickets: every token, face or city has one.
    #[inline]
    pub fn tickets(&self, state: &State) -> u32 {
        match state.phase {
            Phase::Deal | Phase::Draw => state.bags[state.side.index()].len(),
            Phase::Research => state.pile.len(),
            Phase::Hit => state.hands[state.side.enemy().index()].pool().len(),
            Phase::Stratagem => state.bot.cup.len(),
            Phase::StartCity => self.start_cities(state).count_ones(),
            _ => 6,
        }
    }

    /// What a ticket stands for.
    #[inline]
    pub fn drawn(&self, state: &State, ticket: u32) -> Choice {
        match state.phase {
            Phase::Deal | Phase::Draw => Choice::Draw(state.bags[state.side.index()].nth(ticket)),
            Phase::Research => Choice::Research(state.pile.nth(ticket)),
            Phase::Hit => Choice::Hit(state.hands[state.side.enemy().index()].pool().nth(ticket)),
            Phase::Stratagem => Choice::Stratagem(state.bot.cup.nth(ticket)),
            Phase::StartCity => {
                Choice::City(bits(self.start_cities(state)).nth(ticket as usize).unwrap_or_default())
            }
            _ => Choice::Die(ticket as u8 + 1),
        }
    }

    /// Why a choice can't be made now; `None` if it can.
    pub fn refusal(&self, state: &State, choice: Choice) -> Option<Refusal> {
        if state.phase == Phase::Over {
            return refuse("7", "the game is over");
        }
        match choice {
            Choice::Place { kind, space } => self.placement_refusal(state, kind, space),
            Choice::Stop if state.phase != Phase::Blitz => {
                refuse("3.2", "you must place a unit; only the unit after a blitz is optional")
            }
            Choice::Stop => None,
            Choice::Stuck if state.phase != Phase::Place => {
                refuse("3.1", "this is not the time to place a unit")
            }
            Choice::Stuck if self.can_place(state, state.side) => {
                refuse("3.2", "you must place a unit if one can be placed")
            }
            Choice::Stuck => None,
            Choice::Strategic(_) if state.phase != Phase::Strategic => {
                refuse("6", "you have no strategic advantage to spend")
            }
            Choice::Strategic(theatre) if self.strategic_targets(state) >> theatre & 1 == 0 => {
                let name = &self.theatre(theatre).name;
                if state.is_open(theatre) {
                    refuse("6", format!("the advantage was won in {name}, so it must go to another theatre"))
                } else {
                    refuse("6", format!("{name} is not open"))
                }
            }
            Choice::Bomb(_) | Choice::BombAt(_) if state.phase != Phase::BombRow => {
                refuse("8.7", "this is not the time to bomb")
            }
            Choice::Bomb(_) if self.settings.bombing_by_place => {
                let count = state.hands[state.side.enemy().index()].len();
                refuse("8.7", format!("name the unit by its place in the bot's row: bomb 1 to bomb {count}"))
            }
            Choice::BombAt(_) if !self.settings.bombing_by_place => {
                refuse("8.7", "in this match a unit is bombed by its kind")
            }
            Choice::BombAt(place) if !self.row_places(state, true).any(|open| open == place) => {
                let count = state.hands[state.side.enemy().index()].len();
                if usize::from(place) < count {
                    refuse("8.7", "a special weapon can only be bombed if the bot has nothing else")
                } else {
                    refuse("8.7", format!("the bot's row has {count} units"))
                }
            }
            Choice::Bomb(kind) if !self.row_targets(state).has(kind) => {
                if state.hands[state.side.enemy().index()].pool().has(kind) {
                    refuse("8.7", "a special weapon can only be bombed if the bot has nothing else")
                } else {
                    refuse("8.7", format!("the bot has no {} in its row", kind.name()))
                }
            }
            Choice::Open(_) if state.phase != Phase::Open => {
                refuse("10.4", "this is not the time to open a city")
            }
            Choice::Open(theatre)
                if self.openable(state, self.space(state.placing.space).theatre) >> theatre & 1 == 0 =>
            {
                let city = self.theatre(theatre);
                if state.is_open(theatre) || state.is_closed(theatre) {
                    refuse("10.4", format!("{} has already been opened", city.name))
                } else {
                    let closed = self.theatre(self.space(state.placing.space).theatre);
                    refuse("10.4", format!("{} is not linked to {}", city.name, closed.name))
                }
            }
            Choice::Theatre(_) if state.phase != Phase::NameTheatre => {
                refuse("8.3", "this is not the time to choose a theatre")
            }
            Choice::Theatre(theatre) if !state.is_open(theatre) => {
                refuse("8.3", format!("{} is not open", self.theatre(theatre).name))
            }
            Choice::Strategic(_)
            | Choice::Bomb(_)
            | Choice::BombAt(_)
            | Choice::Open(_)
            | Choice::Theatre(_) => None,
            fate => self.fate_refusal(state, fate),
        }
    }

    fn fate_refusal(&self, state: &State, choice: Choice) -> Option<Refusal> {
        let (open, rule, reason) = match choice {
            Choice::Die(_) => (
                matches!(state.phase, Phase::Difficulty | Phase::UnitDie),
                "8.3",
                "this is not the time to roll a die",
            ),
            Choice::Draw(kind) => (
                matches!(state.phase, Phase::Deal | Phase::Draw) && state.bags[state.side.index()].has(kind),
                "3.4",
                "this token can't be drawn now",
            ),
            Choice::Research(kind) => (
                state.phase == Phase::Research && state.pile.has(kind),
                "6",
                "this special weapon can't be drawn now",
            ),
            Choice::Hit(kind) => (
                state.phase == Phase::Hit && state.hands[state.side.enemy().index()].pool().has(kind),
                "6.3",
                "this token can't be bombed now",
            ),
            Choice::Stratagem(stratagem) => (
                state.phase == Phase::Stratagem && state.bot.cup.has(stratagem),
                "8.4",
                "this stratagem can't be drawn now",
            ),
            Choice::City(theatre) => (
                state.phase == Phase::StartCity && self.start_cities(state) >> theatre & 1 != 0,
                "10.7",
                "this city can't be drawn now",
            ),
            _ => return None,
        };
        if open { None } else { refuse(rule, reason) }
    }

    /// Rules 3.3, 4, 5.7.
    fn placement_refusal(&self, state: &State, kind: Kind, space: u8) -> Option<Refusal> {
        if !matches!(state.phase, Phase::Place | Phase::Blitz) {
            return refuse("3.5", "this is not the time to place a unit");
        }
        if !state.hands[state.side.index()].pool().has(kind) {
            return refuse("3.2", format!("there is no {} in the reserve", kind.name()));
        }
        if self.targets(state, kind) >> space & 1 != 0 {
            return None;
        }
        let place = self.space(space);
        let theatre = self.theatre(place.theatre);
        if let Some(bound) = self.bound_to(state)
            && bound != place.theatre
        {
            return refuse("4.3", format!("after a blitz only {} is open", self.theatre(bound).name));
        }
        let Some(unit) = self.played(state, state.side, kind) else {
            return refuse("5.7", "the spy copies the opponent's last unit, and there is none yet");
        };
        if state.is_closed(place.theatre) {
            return refuse("4.1", format!("{} is closed", theatre.name));
        }
        if !state.is_open(place.theatre) {
            return refuse("10.4", format!("{} has not been opened yet", theatre.name));
        }
        if state.occupied >> space & 1 != 0 {
            return refuse("1.4", "the space is taken");
        }
        if unit.class != Class::Scientist && place.campaign != state.active[usize::from(place.theatre)] {
            let active = &theatre.campaigns[usize::from(state.active[usize::from(place.theatre)])];
            return refuse("4.1", format!("{} must be fought first", active.label));
        }
        let copied = if kind == Kind::Spy { "a spy as " } else { "" };
        let (name, terrain) = (unit.kind.name(), place.terrain.words());
        refuse("4.2", format!("the space is {terrain}: not for {copied}{name}"))
    }

    /// Choices to try, legal or not.
    pub fn vocabulary<D: Dice>(&self, state: &State, dice: &mut D, out: &mut Vec<Choice>) {
        let spaces = self.layout.spaces.len() as u32;
        for _ in 0..SAMPLED_PLACEMENTS {
            let hand = state.hands[state.side.index()].as_slice();
            // Half of them with a token that is there.
            let kind = match hand.len() as u32 {
                0 => KINDS[dice.below(KINDS.len() as u32) as usize].kind,
                len if dice.below(2) == 0 => hand[dice.below(len) as usize],
                _ => KINDS[dice.below(KINDS.len() as u32) as usize].kind,
            };
            out.push(Choice::Place { kind, space: dice.below(spaces) as u8 });
        }
        for theatre in 0..self.layout.theatres.len() as u8 {
            out.extend([
                Choice::Strategic(theatre),
                Choice::Open(theatre),
                Choice::Theatre(theatre),
                Choice::City(theatre),
            ]);
        }
        for info in &KINDS {
            let kind = info.kind;
            out.extend([Choice::Bomb(kind), Choice::Draw(kind), Choice::Research(kind), Choice::Hit(kind)]);
        }
        out.extend((0..10).map(Choice::BombAt));
        out.extend(Stratagem::ALL.map(Choice::Stratagem));
        out.extend((1..=6).map(Choice::Die));
        out.extend([Choice::Stop, Choice::Stuck]);
    }

    /// What a person would look for and can't have: units that fit nowhere, targets that are barred.
    pub fn closed(&self, state: &State, out: &mut Vec<Choice>) {
        match state.phase {
            Phase::Place | Phase::Blitz => {
                for kind in state.hands[state.side.index()].pool().kinds() {
                    if self.targets(state, kind) == 0 {
                        let region = self.bound_to(state).map_or(u64::MAX, |at| self.theatre(at).mask);
                        let tried = bits(state.available & region).next();
                        out.extend(tried.map(|space| Choice::Place { kind, space }));
                    }
                }
            }
            Phase::Strategic => {
                let theatres = 0..self.layout.theatres.len() as u8;
                let barred = |theatre: &u8| {
                    let known = state.is_open(*theatre) || state.is_closed(*theatre);
                    known && self.strategic_targets(state) >> theatre & 1 == 0
                };
                out.extend(theatres.filter(barred).map(Choice::Strategic));
            }
            Phase::BombRow if self.settings.bombing_by_place => {
                out.extend(self.row_places(state, false).map(Choice::BombAt));
            }
            Phase::BombRow => {
                let row = state.hands[state.side.enemy().index()].pool();
                out.extend(row.kinds().filter(|kind| !self.row_targets(state).has(*kind)).map(Choice::Bomb));
            }
            _ => {}
        }
    }
}
