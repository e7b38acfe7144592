//! The start of a game. Rules 5, 17, 18; rulings R94, R96.

use kernel::EventSink;

use crate::areas::{AREAS, AreaSet, BORDERS, LANDS, NATIONS, NONE};
use crate::cards::Deck;
use crate::factions::{BLOCKS, Faction, Parties, Power};
use crate::game_event::{GameEvent, UnitSeen};
use crate::rules::Rules;
use crate::stage::{After, Stage};
use crate::state::{
    Battle, Block, FactionState, NationState, Part, Spending, State, Status, Turn, VAULT, mark,
};
use crate::units::Kind;
use crate::world::NationKind;

/// The chits of the game by value. Rule 4.4.
pub(crate) const CHITS: [u8; 3] = [16, 12, 4];
/// The year before the first.
pub(crate) const BEFORE_1936: u8 = 35;
pub(crate) const BEFORE_1939: u8 = 38;

impl Rules {
    /// The opening position.
    pub fn start(&self) -> State {
        let turn = Turn {
            faction: Faction::Axis,
            moves: 0,
            emergency: false,
            defensive: false,
            may_declare: false,
            surprise: false,
            declared: None,
            interventions: 0,
            aggression: AreaSet::EMPTY,
            battles: AreaSet::EMPTY,
            open: AreaSet::EMPTY,
            ask: AreaSet::EMPTY,
        };
        let battle = Battle {
            area: NONE,
            against: Parties::NONE,
            round: 0,
            kind: Kind::Fortress,
            second: false,
            firing: NONE,
            striking: false,
            class: 0,
            hits: 0,
            entries: AreaSet::EMPTY,
            asked: Parties::NONE,
        };
        let mut state = State {
            blocks: [Block::FREE; BLOCKS],
            counts: [[0; AREAS]; 4],
            present: [AreaSet::EMPTY; 4],
            escaped: [AreaSet::EMPTY; 3],
            control: [AreaSet::EMPTY; 4],
            arrivals: [0; LANDS],
            nations: self.start_nations(),
            armed: 0,
            factions: Faction::ALL.map(|faction| self.start_faction(faction)),
            deck: Deck::ALL.map(|deck| self.world.all_cards(deck)),
            discard: [0; 2],
            cup: CHITS,
            crossed: [[0; BORDERS.div_ceil(4)]; 3],
            marks: [mark::NONE; LANDS],
            muster: AreaSet::EMPTY,
            year: if self.settings.short { BEFORE_1939 } else { BEFORE_1936 },
            part: Part::NewYear,
            order: Faction::ALL,
            turns: [None; 3],
            stage: Stage::SetUp(0),
            at: 0,
            passes: 0,
            turn,
            battle,
            spending: Spending::default(),
            picked: NONE,
            usa_groups: 0,
            usa_forced: false,
            active_ally: None,
            passive_full: false,
            verdict: None,
        };
        self.place_fixed(&mut state);
        self.snapshot(&mut state);
        state
    }

    fn start_nations(&self) -> [NationState; NATIONS] {
        std::array::from_fn(|at| {
            let info = &self.atlas().nations[at];
            let holder = match info.kind {
                NationKind::Great => info.power.map(Power::faction),
                NationKind::Major => info.power.filter(|power| *power != Power::Usa).map(Power::faction),
                NationKind::Colony(owner) => Some(owner.faction()),
                NationKind::Minor => None,
            };
            NationState {
                status: if holder.is_some() { Status::Belongs } else { Status::Neutral },
                influencer: None,
                markers: 0,
                violators: Parties::NONE,
                enemies: Parties::NONE,
                holder,
            }
        })
    }

    fn start_faction(&self, faction: Faction) -> FactionState {
        let forces = &self.world.forces;
        let ind =
            if self.settings.short { forces.short[faction.index()].ind } else { forces.ind[faction.index()] };
        FactionState {
            ind,
            raises: 0,
            factory_level: 0,
            declared: Parties::NONE,
            enemies: Parties::NONE,
            chits: [0; 3],
            fought: false,
            techs: 0,
            stage_year: 0,
            vault: [None; VAULT],
            hand: [0; 2],
            in_play: 0,
            second_end: 0,
            kept: 0,
            committed: None,
            due: [0; 2],
            stack: [0; 2],
        }
    }

    /// The Cadres that their owners choose, in the order in which they are asked for.
    pub(crate) fn chosen_cadres(&self) -> Vec<(Power, u8)> {
        let chosen = self.world.forces.units.iter().filter(|unit| unit.kind.is_none());
        let chosen = chosen.filter(|unit| !self.is_garrison(unit.area));
        chosen
            .flat_map(|unit| std::iter::repeat_n((unit.power, unit.area), usize::from(unit.count)))
            .collect()
    }

    /// Whether the Cadres of a city are Fortresses in the game for two. Rule 18, ruling R94.
    fn is_garrison(&self, area: u8) -> bool {
        let atlas = self.atlas();
        let id = atlas.area(area).id.as_str();
        self.settings.two_players && (id == "baku" || atlas.nation(atlas.nation_of(area)).id == "india")
    }

    fn place_fixed(&self, state: &mut State) {
        for unit in &self.world.forces.units {
            match unit.kind {
                Some(kind) => {
                    for _ in 0..unit.count {
                        state.place(unit.power, kind, unit.cv, unit.area);
                    }
                }
                None if self.is_garrison(unit.area) => {
                    let cv = unit.count.min(self.atlas().max_cv[unit.power.index()]);
                    state.place(unit.power, Kind::Fortress, cv, unit.area);
                }
                None => {}
            }
        }
    }

    /// The types that a Cadre may be: blocks are left, ships need a coast, one Fortress an area. Rulings R4, R9.
    pub(crate) fn kinds_for(&self, state: &State, power: Power, area: u8) -> impl Iterator<Item = Kind> {
        let pool = self.atlas().pools[power.index()];
        let coastal = self.atlas().area(area).coastal;
        let mut used = [0_u8; 7];
        for block in &state.blocks[power.blocks()] {
            if block.on_map() {
                used[block.kind.index()] += 1;
            }
        }
        let fortress = state.own_at(power.faction(), area).any(|(_, block)| block.kind == Kind::Fortress);
        Kind::ALL.into_iter().filter(move |kind| {
            let at = kind.index();
            used[at] < pool[at] && (coastal || !kind.is_ship()) && !(fortress && *kind == Kind::Fortress)
        })
    }

    /// Tells the owner what a unit is and everybody else that there is one.
    pub(crate) fn tell_placed<S: EventSink<GameEvent>>(
        &self,
        power: Power,
        kind: Kind,
        cv: u8,
        area: u8,
        built: bool,
        sink: &mut S,
    ) {
        let event = |face| {
            let unit = UnitSeen { power: Some(power), face };
            if built { GameEvent::Built { unit, area } } else { GameEvent::Placed { unit, area } }
        };
        let seat = self.seat_of(power.faction());
        sink.emit_to(kernel::Audience::Only(seat), || event(Some((kind, cv))));
        sink.emit_to(kernel::Audience::Except(seat), || event(None));
    }

    /// A Cadre of the set-up has its type.
    pub(crate) fn set_up_cadre<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        at: u8,
        kind: Kind,
        sink: &mut S,
    ) {
        let Some((power, area)) = self.cadres().nth(usize::from(at)) else { return };
        state.place(power, kind, 1, area);
        self.tell_placed(power, kind, 1, area, false, sink);
        state.stage = Stage::SetUp(at + 1);
        self.go_on_set_up(state, sink);
    }

    /// The next Cadre, or the first hands.
    pub(crate) fn go_on_set_up<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let Stage::SetUp(at) = state.stage else { return };
        let mut next = at;
        while let Some((power, area)) = self.cadres().nth(usize::from(next)) {
            if self.kinds_for(state, power, area).next().is_some() {
                state.stage = Stage::SetUp(next);
                return;
            }
            next += 1;
        }
        self.snapshot(state);
        if self.settings.short {
            // The special Turn Order of 1939 comes first. Rule 17.
            state.stage = Stage::TurnOrder;
            return;
        }
        for faction in Faction::ALL {
            state.of_mut(faction).due[0] = self.world.forces.cards[faction.index()];
        }
        self.draw_due(state, After::SetUp, sink);
    }

    // --- 1939 ------------------------------------------------------------------------------------

    /// Whether the start of 1939 is still being made.
    pub(crate) const fn before_short_game(&self, state: &State) -> bool {
        self.settings.short && state.year == BEFORE_1939
    }

    /// Each Faction in turn adds CV and Cadres. Rule 17.
    pub(crate) fn short_growth<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        while let Some(&faction) = state.order.get(usize::from(state.at)) {
            let points = self.world.forces.short[faction.index()].extra;
            state.spending = Spending { points, level: points, ..Spending::default() };
            state.stage = Stage::Spend;
            if points > 0 {
                return;
            }
            state.at += 1;
        }
        for faction in Faction::ALL {
            state.of_mut(faction).due = self.world.forces.short[faction.index()].cards;
        }
        self.draw_due(state, After::ShortStart, sink);
    }

    /// The Axis holds Austria and makes its free plays. Rule 17, ruling R85.
    pub(crate) fn short_plays<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        for &nation in &self.world.forces.short_satellites {
            let now = state.nation_mut(nation);
            (now.status, now.holder) = (Status::Satellite, Some(Faction::Axis));
            sink.emit(|| GameEvent::Joined { nation, faction: Faction::Axis });
        }
        for unit in &self.world.forces.short_units {
            if let Some(kind) = unit.kind {
                state.place(unit.power, kind, unit.cv, unit.area);
                self.tell_placed(unit.power, kind, unit.cv, unit.area, false, sink);
            }
        }
        self.snapshot(state);
        self.next_free_play(state, self.world.forces.short_plays, sink);
    }

    /// The next free play, or what comes of them.
    pub(crate) fn next_free_play<S: EventSink<GameEvent>>(&self, state: &mut State, left: u8, sink: &mut S) {
        if left > 0 && state.of(Faction::Axis).hand[0] != 0 {
            state.stage = Stage::FreePlay(left);
            return;
        }
        self.resolve_diplomacy(state, After::ShortPlays, sink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    #[test]
    fn only_the_short_game_is_made_in_1938() {
        for short in [false, true] {
            let rules = Rules::new(Settings { short, ..Settings::default() });
            let mut state = rules.start();
            state.year = BEFORE_1939;
            assert_eq!(
                rules.before_short_game(&state),
                short,
                "1938 is a year of the whole game like any other"
            );
        }
    }
}
