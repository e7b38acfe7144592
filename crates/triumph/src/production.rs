//! Production: levels, steps, new units, cards; USA arrivals. Rules 7.2, 8.45, 17; rulings R47 to R50.

use kernel::{Audience, EventSink};

use crate::areas::{AreaSet, LANDS};
use crate::cards::Deck;
use crate::choice::Choice;
use crate::factions::{Faction, Power, blocks_of};
use crate::game_event::{Cause, GameEvent, UnitSeen};
use crate::rules::Rules;
use crate::stage::{After, Stage};
use crate::state::{Part, Spending, State, Status, flag, mark};
use crate::units::Kind;

/// The types of a USA group, in the order in which they arrive. Rule 8.45.
const GROUP: [Kind; 4] = [Kind::AirForce, Kind::Fleet, Kind::Infantry, Kind::Tank];
/// The year of the first USA group.
const FIRST_GROUP: u8 = 42;

impl Rules {
    /// The Faction whose step it is.
    pub(crate) fn current(state: &State) -> Faction {
        state.order[usize::from(state.at).min(2)]
    }

    /// The Production Phase begins.
    pub(crate) fn begin_production<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        state.at = 0;
        self.snapshot(state);
        self.produce(state, sink);
    }

    /// Production of the current Faction, or the end of the phase.
    pub(crate) fn produce<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if usize::from(state.at) >= 3 {
            state.marks = [mark::NONE; LANDS];
            self.begin_government(state, sink);
            return;
        }
        let faction = Self::current(state);
        if faction == Faction::West && self.group_is_due(state) {
            self.next_arrival(state, 0, sink);
            return;
        }
        self.begin_spending(state, sink);
    }

    /// The next Faction produces.
    pub(crate) fn next_production<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        state.at += 1;
        self.produce(state, sink);
    }

    // --- USA arrivals --------------------------------------------------------------------------

    /// Whether a USA group comes in this Production. Rules 8.45, 8.46.
    fn group_is_due(&self, state: &State) -> bool {
        let joined = state.nation(self.atlas().usa).status == Status::Belongs;
        let due = if state.usa_forced {
            state.usa_groups < 3
        } else {
            (FIRST_GROUP..FIRST_GROUP + 3).contains(&state.year)
        };
        joined && due
    }

    /// The CV of the group that is arriving.
    pub(crate) fn group_cv(state: &State) -> u8 {
        if state.usa_forced {
            state.usa_groups + 1
        } else {
            (state.year + 1).saturating_sub(FIRST_GROUP).clamp(1, 3)
        }
    }

    /// The type of the n-th unit of a group.
    pub(crate) const fn group_kind(at: usize) -> Kind {
        GROUP[at % GROUP.len()]
    }

    /// Where units of the USA can arrive. Ruling R50.
    pub(crate) fn arrival_areas(&self, state: &State) -> AreaSet {
        let own = self.atlas().nation(self.atlas().usa).areas;
        own.and(self.undisputed(state, Faction::West))
    }

    /// The n-th unit of a group, or the end of it. What can't be placed is lost.
    pub(crate) fn next_arrival<S: EventSink<GameEvent>>(&self, state: &mut State, from: u8, sink: &mut S) {
        let pool = self.atlas().pools[Power::Usa.index()];
        for at in from..GROUP.len() as u8 {
            let kind = GROUP[usize::from(at)];
            let left = state.used(Power::Usa, kind) < pool[kind.index()];
            if left && !self.arrival_areas(state).is_empty() {
                state.stage = Stage::Arrival(at);
                return;
            }
        }
        state.usa_groups += 1;
        if state.part == Part::NewYear {
            self.begin_spending(state, sink);
        } else {
            self.resume_movement(state, sink);
        }
    }

    /// A unit of a USA group arrives.
    pub(crate) fn arrive_at<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        at: u8,
        area: u8,
        sink: &mut S,
    ) {
        let (kind, cv) = (GROUP[usize::from(at)], Self::group_cv(state));
        state.place(Power::Usa, kind, cv, area);
        // The types of these units are public.
        sink.emit(|| GameEvent::Placed {
            unit: UnitSeen { power: Some(Power::Usa), face: Some((kind, cv)) },
            area,
        });
        self.next_arrival(state, at + 1, sink);
    }

    // --- spending ------------------------------------------------------------------------------

    fn begin_spending<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let faction = Self::current(state);
        let tracks = self.tracks_blockaded(state, faction);
        sink.emit(|| GameEvent::Production { faction, tracks });
        state.spending = Spending { points: tracks.level, level: tracks.level, ..Spending::default() };
        state.stage = Stage::Spend;
        if tracks.level == 0 {
            self.end_production(state, sink);
        }
    }

    /// How many cards of a deck can still be bought. Ruling R47.
    pub(crate) fn cards_left(state: &State, deck: Deck) -> u32 {
        let at = deck as usize;
        let lie = (state.deck[at] | state.discard[at]).count_ones();
        lie.saturating_sub(u32::from(state.spending.cards[at]))
    }

    /// Whether a Passive Ally may put another point into steps and units (0), Action (1) or Investment cards (2): its three
    /// parts are as equal as can be. Rule 18, ruling R97.
    pub(crate) fn part_is_open(&self, state: &State, part: usize) -> bool {
        if !self.is_passive(state, Self::current(state)) || self.before_short_game(state) {
            return true;
        }
        let spent = &state.spending;
        let parts = [spent.steps + spent.cadres, spent.cards[0], spent.cards[1]];
        let (least, more) = (spent.level / 3, usize::from(spent.level % 3));
        let above = parts.iter().filter(|part| **part > least).count();
        parts[part] < least || (parts[part] == least && above < more)
    }

    /// Whether units take steps here at all: in Home Territory only before 1939. Ruling R96.
    pub(crate) fn may_grow(&self, state: &State, power: Power, area: u8) -> bool {
        !self.before_short_game(state) || self.atlas().home[power.index()].has(area)
    }

    /// The units that may take a step, one of each that are alike. Rule 7.23.
    pub(crate) fn steppable<'s>(
        &'s self,
        state: &'s State,
        faction: Faction,
        supplied: AreaSet,
    ) -> impl Iterator<Item = usize> + 's {
        let foes = self.foes(state, faction);
        blocks_of(faction).filter(move |&at| {
            let block = &state.blocks[at];
            let Some(power) = Power::of_block(at) else { return false };
            block.on_map()
                && AreaSet::LAND.has(block.area)
                && !block.is(flag::STEPPED)
                && block.cv < self.atlas().max_cv[power.index()]
                && !foes.has(block.area)
                && (!block.kind.is_troop() || supplied.has(block.area))
                && self.may_grow(state, power, block.area)
                && Self::is_first_alike(state, at)
        })
    }

    /// Whether no block before this one is alike in all that matters.
    pub(crate) fn is_first_alike(state: &State, at: usize) -> bool {
        let block = &state.blocks[at];
        let Some(power) = Power::of_block(at) else { return true };
        if !block.is(flag::ESCAPED)
            && state.counts[power.faction().index()].get(usize::from(block.area)) == Some(&1)
        {
            // It stands alone.
            return true;
        }
        !state.blocks[power.blocks().start..at].iter().any(|other| other.is_alike(block))
    }

    /// The units that may be disbanded: only before spending, and only to free a type that is used up. Ruling R48.
    fn list_disbands(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        if state.spending.points != state.spending.level || self.before_short_game(state) {
            return;
        }
        for power in self.powers(state, faction) {
            let pool = self.atlas().pools[power.index()];
            let mut used = [0_u8; 7];
            for block in &state.blocks[power.blocks()] {
                if block.on_map() {
                    used[block.kind.index()] += 1;
                }
            }
            let gone = |kind: Kind| used[kind.index()] >= pool[kind.index()];
            if Kind::ALL.into_iter().any(gone) {
                let on_map = power.blocks().filter(|at| state.blocks[*at].on_map());
                let used_up = on_map.filter(|at| gone(state.blocks[*at].kind));
                let first = used_up.filter(|at| Self::is_first_alike(state, *at));
                out.extend(first.map(|at| Choice::Disband(at as u8)));
            }
        }
    }

    /// What a point can be spent on.
    pub(crate) fn list_spending(&self, state: &State, out: &mut Vec<Choice>) {
        let faction = Self::current(state);
        if !self.before_short_game(state) {
            if Self::cards_left(state, Deck::Action) > 0 && self.part_is_open(state, 1) {
                out.push(Choice::BuyAction);
            }
            if Self::cards_left(state, Deck::Investment) > 0 && self.part_is_open(state, 2) {
                out.push(Choice::BuyInvestment);
            }
        }
        if self.part_is_open(state, 0) {
            let sites = self.sites(state, faction);
            if self.steppable(state, faction, sites.supplied).next().is_some() {
                out.push(Choice::Strengthen);
            }
            if self.can_build(state, faction, &sites) {
                out.push(Choice::Build);
            }
        }
        out.push(Choice::Finish);
        self.list_disbands(state, faction, out);
    }

    /// A unit is disbanded.
    pub(crate) fn disband<S: EventSink<GameEvent>>(&self, state: &mut State, block: usize, sink: &mut S) {
        let (area, kind, cv) = {
            let block = &state.blocks[block];
            (block.area, block.kind, block.cv)
        };
        let power = Power::of_block(block);
        state.remove(block);
        // Its strength could be counted anyway: everybody sees what it was.
        let unit = UnitSeen { power, face: Some((kind, cv)) };
        sink.emit(|| GameEvent::Lost { unit, area, cause: Cause::Disbanded });
    }

    /// A card is bought; it is drawn when Production ends.
    pub(crate) fn buy<S: EventSink<GameEvent>>(&self, state: &mut State, deck: Deck, sink: &mut S) {
        state.spending.cards[deck as usize] += 1;
        let faction = Self::current(state);
        sink.emit(|| GameEvent::Bought { faction, deck });
        self.spend_point(state, sink);
    }

    /// A unit takes a step. Others learn that a point was spent so.
    pub(crate) fn step<S: EventSink<GameEvent>>(&self, state: &mut State, block: usize, sink: &mut S) {
        let faction = Self::current(state);
        let short = self.before_short_game(state);
        let unit = &mut state.blocks[block];
        unit.cv += 1;
        if !short {
            unit.flags |= flag::STEPPED;
        }
        let (area, face) = (unit.area, Some((unit.kind, unit.cv)));
        // Everybody sees the pips of a unit that lies face up.
        let open = unit.is(flag::REVEALED);
        let seen = UnitSeen { power: Power::of_block(block), face };
        state.spending.steps += 1;
        if open {
            sink.emit(|| GameEvent::Stepped { faction, unit: Some((seen, area)) });
        } else {
            let seat = self.seat_of(faction);
            sink.emit_to(Audience::Only(seat), || GameEvent::Stepped { faction, unit: Some((seen, area)) });
            sink.emit_to(Audience::Except(seat), || GameEvent::Stepped { faction, unit: None });
        }
        self.spend_point(state, sink);
    }

    /// A new unit is placed.
    pub(crate) fn build<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        power: Power,
        kind: Kind,
        area: u8,
        sink: &mut S,
    ) {
        let placed = state.place(power, kind, 1, area);
        if let Some(block) = placed.filter(|_| !self.before_short_game(state)) {
            state.blocks[block].flags |= flag::STEPPED;
        }
        state.spending.cadres += 1;
        self.tell_placed(power, kind, 1, area, true, sink);
        self.spend_point(state, sink);
    }

    fn spend_point<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        state.spending.points -= 1;
        state.stage = Stage::Spend;
        if state.spending.points == 0 {
            self.end_production(state, sink);
        }
    }

    /// Production of the current Faction ends; bought cards are drawn. Rule 7.24.
    pub(crate) fn end_production<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let faction = Self::current(state);
        let lost = state.spending.points;
        sink.emit(|| GameEvent::ProductionEnds { faction, lost });
        for block in &mut state.blocks[blocks_of(faction)] {
            block.flags &= !flag::STEPPED;
        }
        if self.before_short_game(state) {
            state.at += 1;
            self.short_growth(state, sink);
            return;
        }
        let cards = state.spending.cards;
        state.of_mut(faction).due = cards;
        self.draw_due(state, After::Production, sink);
    }
}
