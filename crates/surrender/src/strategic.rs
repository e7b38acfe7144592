//! Strategic Warfare: submarines, bombers and the sea lanes. Rule 5.4; rulings 22 to 26, 61.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::{GameEvent, Sum};
use crate::ids::{City, Country, Faction, Side};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::state::{State, Status, fate};
use crate::tables::{Line, final_value};
use crate::world::{Kind, Slot};

/// The two strategic combats: against the West and against the Soviets.
const ALLIES: [(Faction, Country); 2] = [(Faction::Western, Country::UK), (Faction::Soviet, Country::USSR)];
/// Allied countries conquered by the Axis that count as one.
const CONQUERED_FOR_ONE: usize = 3;
/// Countries from whose Mainland V-Weapons reach Britain.
const LAUNCHING_SITES: [Country; 3] = [Country::FRA, Country::BEL, Country::NED];

impl Rules {
    /// Phase 4: the Axis fights the West, then the Soviets.
    pub(crate) fn begin_strategic<S: EventSink<GameEvent>>(&self, state: &mut State, _sink: &mut S) {
        let germany = state.country(Country::GER);
        let attacks = self.scenario().strategic_warfare
            && germany.status == Status::Active
            && germany.side == Side::Axis;
        for (at, (faction, country)) in ALLIES.into_iter().enumerate().rev() {
            let ally = state.country(country);
            let defends = ally.status == Status::Active && ally.side == faction.side();
            if attacks && defends && state.at_war(Side::Axis, faction.side()) {
                state.push(Frame::StrategicDie(at as u8, 0, 0));
            }
        }
        self.end_strategic(state);
    }

    /// Bombed markers leave at the end of the phase.
    fn end_strategic(&self, state: &mut State) {
        if !matches!(state.frame(), Frame::StrategicDie(..)) {
            state.bombed.fill(0);
        }
    }

    /// A die of a strategic combat; after the second the result is applied.
    fn play_strategic<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        combat: u8,
        attacker: Option<u8>,
        die: u8,
        sink: &mut S,
    ) {
        let Some(first) = attacker else {
            state.become_frame(Frame::StrategicDie(combat, 1, die));
            return;
        };
        let mut sums = [self.strategic_sum(state, combat, 0), self.strategic_sum(state, combat, 1)];
        (sums[0].die, sums[1].die) = (first, die);
        let tables = &self.world.tables;
        let value = |sum: &Sum| final_value(sum.die, sum.total(), sum.halvings, tables.drm_limit);
        let result = tables.result(value(&sums[0]), value(&sums[1]));
        let (germany, ally) = tables.fac_lost[result as usize];
        let ally_at = usize::from(combat) + 1;
        let (least, most) = tables.fac_lost_range;
        for (at, by) in [(0, germany), (ally_at, ally)] {
            state.fac_lost[at] = state.fac_lost[at].saturating_add_signed(by).clamp(least, most);
        }
        let (faction, _) = ALLIES[usize::from(combat)];
        let lost = (state.fac_lost[0], state.fac_lost[ally_at]);
        sink.emit(|| GameEvent::Strategic(faction, sums[0], sums[1], result, lost.0, lost.1));
        state.pop();
        self.end_strategic(state);
    }

    /// The modifiers of the Axis (0) or the Ally (1) in the strategic combat against the West (0) or the Soviets (1).
    pub fn strategic_sum(&self, state: &State, combat: u8, side: usize) -> Sum {
        let mut sum = Sum::EMPTY;
        match (combat, side) {
            (0, 0) => self.axis_against_west(state, &mut sum),
            (_, 0) => {
                self.add_if(&mut sum, Line::AxisArcticAir, self.has_arctic_air(state));
                self.add_if(&mut sum, Line::AxisWhiteSea, self.has_axis_port(state, Line::AxisWhiteSea));
                self.add_if(&mut sum, Line::AxisGulf, self.has_axis_port(state, Line::AxisGulf));
            }
            (0, _) => self.west(state, &mut sum),
            _ => self.soviets(state, &mut sum),
        }
        sum
    }

    fn axis_against_west(&self, state: &State, sum: &mut Sum) {
        self.add_if(sum, Line::AxisAtlantic, self.has_axis_port(state, Line::AxisAtlantic));
        self.add_if(sum, Line::AxisArcticAir, self.has_arctic_air(state));
        self.add_if(sum, Line::AxisSuez, self.has_axis_port(state, Line::AxisSuez));
        self.add_if(sum, Line::AxisGulf, self.has_axis_port(state, Line::AxisGulf));
        let mut markers = self.marker_value(state, Marker::WolfPacks, Faction::Axis)
            + self.marker_value(state, Marker::Snorkel, Faction::Axis);
        if self.can_launch(state) {
            markers += self.marker_value(state, Marker::VWeapons, Faction::Axis);
        }
        sum.add(Line::StrategicEvents, markers);
        if self.ready(state, Marker::HunterKiller, Owner::Faction(Faction::Western)) > 0 {
            sum.halvings += 1;
        }
    }

    fn west(&self, state: &State, sum: &mut Sum) {
        let usa = state.country(Country::USA);
        let with_usa = usa.status == Status::Active && usa.side == Side::Western;
        self.add_if(sum, Line::WestUsa, with_usa);
        self.add_if(sum, Line::WestOre, self.west_holds_ore_route(state));
        let bombed = City::all().filter(|city| {
            let info = self.world.city(*city);
            state.is_bombed(*city) && info.factory && self.owner(state, info.hex) == Country::GER
        });
        sum.add(Line::WestBombed, self.line(Line::WestBombed) * bombed.count() as i8);
        sum.add(Line::StrategicEvents, self.marker_value(state, Marker::EscortGroups, Faction::Western));
    }

    fn soviets(&self, state: &State, sum: &mut Sum) {
        let air = self.has_based(state, Line::SovietOre, Side::Soviet, |kind| kind.is_air());
        self.add_if(sum, Line::SovietOre, air && !self.west_holds_ore_route(state));
        let conquered = state.countries.iter().filter(|country| {
            country.status == Status::Conquered
                && country.side == Side::Axis
                && country.fates & fate::WAS_ALLIED != 0
        });
        let counts = conquered.count().div_ceil(CONQUERED_FOR_ONE) as i8;
        sum.add(Line::SovietConquered, self.line(Line::SovietConquered) * counts);
        sum.add(Line::StrategicEvents, self.marker_value(state, Marker::ArcticEscort, Faction::Soviet));
    }

    fn line(&self, line: Line) -> i8 {
        self.world.tables.lines[line as usize]
    }

    fn add_if(&self, sum: &mut Sum, line: Line, holds: bool) {
        if holds {
            sum.add(line, self.line(line));
        }
    }

    /// What the standing markers of a faction give together.
    fn marker_value(&self, state: &State, marker: Marker, faction: Faction) -> i8 {
        self.world.markers[marker.index()].drm * self.ready(state, marker, Owner::Faction(faction)) as i8
    }

    /// The ports of the Sea Zones that a line speaks of.
    fn ports_of_line(&self, line: Line) -> impl Iterator<Item = City> + '_ {
        let zones = self.world.tables.line_zones[line as usize];
        City::all().filter(move |city| self.world.city(*city).zones & zones != 0)
    }

    /// Whether the Axis controls a port of the Sea Zones of a line, whoever owns it (ruling 24).
    fn has_axis_port(&self, state: &State, line: Line) -> bool {
        self.ports_of_line(line).any(|city| state.controller(self.world.city(city).hex) == Side::Axis)
    }

    /// Whether a unit of a side of some kind lies in a port of the Sea Zones of a line.
    fn has_based(&self, state: &State, line: Line, side: Side, is_one: impl Fn(Kind) -> bool) -> bool {
        self.ports_of_line(line).any(|city| {
            let bases = state.bases[city.index()];
            [Slot::Air, Slot::Warship]
                .into_iter()
                .filter_map(|slot| bases[slot as usize].some())
                .any(|unit| self.side_of(state, unit) == side && is_one(self.kind(unit)))
        })
    }

    fn has_arctic_air(&self, state: &State) -> bool {
        self.has_based(state, Line::AxisArcticAir, Side::Axis, |kind| kind.is_air())
    }

    /// A Western fighter or warship on the Baltic; convoys and bombers do not count (ruling 25).
    fn west_holds_ore_route(&self, state: &State) -> bool {
        self.has_based(state, Line::WestOre, Side::Western, |kind| kind == Kind::Fighter || kind.is_warship())
    }

    /// Whether the Axis controls a Mainland city from which V-Weapons are launched.
    fn can_launch(&self, state: &State) -> bool {
        City::all().any(|city| {
            let info = self.world.city(city);
            LAUNCHING_SITES.contains(&info.country)
                && info.is_mainland()
                && !info.port_only
                && state.controller(info.hex) == Side::Axis
        })
    }

    /// The die of a strategic combat, as the frame has it.
    pub(crate) fn play_strategic_die<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        frame: Frame,
        choice: Choice,
        sink: &mut S,
    ) {
        if let (Frame::StrategicDie(combat, who, first), Choice::Die(die)) = (frame, choice) {
            self.play_strategic(state, combat, (who == 1).then_some(first), die, sink);
        }
    }
}
