//! The Supply Phase: losses, departures, Captures, blockade marks. Rules 14.1, 14.22, 10.4; rulings R70 to R72.

use kernel::{Audience, EventSink};

use crate::areas::AreaSet;
use crate::combat::seen;
use crate::factions::{Faction, blocks_of};
use crate::game_event::{Cause, GameEvent};
use crate::rules::Rules;
use crate::stage::Leaving;
use crate::state::{Part, State, Verdict, flag, mark};

impl Rules {
    /// Everybody at war loses a step for each Ground unit without a Supply Line. Rule 14.1, ruling R71.
    pub(crate) fn begin_supply<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        self.snapshot(state);
        state.turn.battles = AreaSet::EMPTY;
        for block in &mut state.blocks {
            block.flags &= flag::ESCAPED | flag::REVEALED;
        }
        state.turn.interventions = 0;
        (state.turn.emergency, state.turn.defensive) = (false, false);
        let mut within = AreaSet::LAND.or(AreaSet::SEA);
        if state.part == Part::Winter {
            within = self.atlas().great_home[Faction::Ussr.index()];
        }
        let supplied = Faction::ALL.map(|faction| {
            if state.of(faction).at_war() {
                self.supplied(state, faction).or(AreaSet::LAND.or(AreaSet::SEA).minus(within))
            } else {
                AreaSet::LAND.or(AreaSet::SEA)
            }
        });
        for faction in Faction::ALL {
            self.starve(state, faction, supplied[faction.index()], sink);
        }
        self.leave(state, Leaving::Supply, sink);
    }

    fn starve<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        supplied: AreaSet,
        sink: &mut S,
    ) {
        let mut hungry = AreaSet::EMPTY;
        for block in &state.blocks[blocks_of(faction)] {
            if block.on_map() && block.kind.is_troop() && !supplied.has(block.area) {
                hungry.add(block.area);
            }
        }
        for area in hungry {
            let mut steps = 0;
            for block in blocks_of(faction) {
                let unit = state.blocks[block];
                if unit.area != area || !unit.kind.is_troop() {
                    continue;
                }
                steps += 1;
                if unit.cv > 1 {
                    state.blocks[block].cv -= 1;
                    continue;
                }
                state.remove(block);
                let gone = seen(block, &unit);
                let unseen = crate::game_event::UnitSeen { power: gone.power, face: None };
                let seat = self.seat_of(faction);
                let event = |unit| GameEvent::Lost { unit, area, cause: Cause::Supply };
                sink.emit_to(Audience::Only(seat), || event(gone));
                sink.emit_to(Audience::Except(seat), || event(unseen));
            }
            sink.emit(|| GameEvent::Unsupplied { faction, area, steps });
        }
    }

    /// After all departures: Captures, the Military victory, blockades, the next season.
    pub(crate) fn settle_supply<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        self.settle_captures(state, sink);
        if let Some(winner) = self.military_winner(state, state.order) {
            self.win(state, Verdict::Military(winner), sink);
            return;
        }
        if state.part == Part::Summer {
            self.mark_blockades(state);
            self.tell_blockades(state, sink);
        }
        match state.part {
            Part::NewYear => {}
            Part::Spring => self.begin_season(state, Part::Summer, sink),
            Part::Summer => self.begin_season(state, Part::Fall, sink),
            Part::Fall => self.begin_season(state, Part::Winter, sink),
            Part::Winter => self.end_year(state, sink),
        }
    }

    fn tell_blockades<S: EventSink<GameEvent>>(&self, state: &State, sink: &mut S) {
        for faction in Faction::ALL {
            if !state.of(faction).at_war() {
                continue;
            }
            sink.emit(|| {
                let count = |wanted: u8| {
                    let areas = self.credited(state, faction).iter();
                    let worth = |area: &u8| {
                        let info = self.atlas().area(*area);
                        info.pop + info.res + info.red_res > 0
                    };
                    areas.filter(worth).filter(|area| state.marks[usize::from(*area)] == wanted).count() as u8
                };
                GameEvent::Blockaded { faction, full: count(mark::FULL), med: count(mark::MED) }
            });
        }
    }
}
