//! The Actions Sub-Phase: which action comes next. Rules 6.1, 6.10, 14.0.

use kernel::EventSink;

use crate::bits::UnitSet;
use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::hex_set::HexSet;
use crate::ids::{Faction, Place, Side, UnitId};
use crate::markers::{Marker, Owner};
use crate::muster::Muster;
use crate::rules::Rules;
use crate::state::{HEX_WORDS, State, Status, fate, flag, note};
use crate::survey::Survey;

/// Flags that are cleared when the Operations of a faction begin (3.1). A unit that came ashore or was dropped has had its
/// Supply Check by then.
const FLAGS: u16 =
    flag::DONE | flag::MOVED | flag::ENDED | flag::HIT | flag::ASHORE | flag::DROPPED | flag::BOMBED;

/// Small facts that hold for one sub-phase.
const NOTES: u16 = note::SURPRISE | note::WESER | note::BEGUN;

/// The markers that come before every other action (ruling 74).
const FIRST: [Marker; 2] = [Marker::SurpriseAttack, Marker::WeserExercise];

impl Rules {
    /// The Actions Sub-Phase of a faction begins: flags of all units are cleared (3.1), the faction is asked.
    pub(crate) fn begin_actions<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        _: &mut S,
    ) {
        state.clear_flags(FLAGS);
        state.notes &= !NOTES;
        state.landings = 0;
        state.push(Frame::Actions(faction));
    }

    /// Every action that the faction can take (1.5, "6 root"), ground first, then those of ships and aircraft.
    pub(crate) fn list_actions(&self, state: &State, out: &mut Vec<Choice>) {
        let Frame::Actions(faction) = state.frame() else { return };
        let before = out.len();
        if !state.noted(note::BEGUN) {
            out.extend(FIRST.into_iter().filter(|m| self.is_playable(state, *m, faction)).map(Choice::Play));
        }
        Survey::ask(self, state, |survey| {
            let muster = Muster::of(state);
            let own = self.on_map_of(state, &muster, |side| side.player() == faction);
            let idle = own.minus(&muster.done);
            self.list_ground_actions(state, survey, &idle.and(&self.fields), out);
            self.list_partisans(state, survey, &muster, faction, out);
            if faction == Faction::Axis && state.noted(note::LOW_COUNTRIES) {
                out.push(Choice::LowCountries);
            }
            self.list_mission_actions(state, survey, &own, out);
        });
        if out.len() == before || !self.must_invade(state, faction) {
            out.push(Choice::End);
        }
    }

    /// Activations, then Assaults: of units that can do something and for which somebody can pay.
    fn list_ground_actions(&self, state: &State, survey: &Survey, idle: &UnitSet, out: &mut Vec<Choice>) {
        let mut targets = HexSet::EMPTY;
        let purses = self.purses(state);
        let held_back = self.held_back(state);
        for unit in idle.units() {
            let is_held_back = held_back != 0 && held_back >> self.country_of(state, unit).index() & 1 != 0;
            if !is_held_back
                && purses.can_pay(self, state, unit)
                && self.look_around(state, survey, unit, &mut targets)
            {
                out.push(Choice::Activate(unit));
            }
        }
        targets.list(out, Choice::Assault);
    }

    /// Whether a ground unit may be activated as far as it is concerned (6.1): a field unit on the map that has not been
    /// activated and did not move in phase 5 (4.8), and no hook of the scenario holds it back (30.6: `no-activation-apr`,
    /// `yugoslav-freeze`).
    pub(crate) fn is_idle(&self, state: &State, unit: UnitId) -> bool {
        let entry = state.unit(unit);
        if !entry.on_map() || entry.has(flag::DONE | flag::RAILED) || !self.kind(unit).is_field() {
            return false;
        }
        self.held_back(state) >> self.country_of(state, unit).index() & 1 == 0
    }

    /// The countries whose units a hook of the scenario keeps from acting in this turn, as bits (30.6: `no-activation-apr`,
    /// `yugoslav-freeze`).
    pub(crate) fn held_back(&self, state: &State) -> u32 {
        let hooks = &self.scenario().hooks;
        let waiting = hooks.no_activation.filter(|(turn, _)| *turn == state.turn);
        let frozen = hooks.freeze.filter(|(turn, _)| *turn == state.turn && !state.noted(note::INVADED));
        waiting.map_or(0, |(_, countries)| countries) | frozen.map_or(0, |(_, country)| 1 << country.index())
    }

    /// Whether a faction may play a marker that comes before every other action (14.0). The hooks `april-markers` and
    /// `axis-surprise` offer it in one turn only.
    fn is_playable(&self, state: &State, marker: Marker, faction: Faction) -> bool {
        let is_held = self.ready(state, marker, Owner::Faction(faction)) > 0;
        let is_due = marker == Marker::SurpriseAttack && state.surprise[faction.index()] <= state.turn;
        let is_its_turn = match &self.scenario().hooks.marker_turn {
            Some((turn, markers)) if faction == Faction::Axis && markers.contains(&marker) => {
                *turn == state.turn
            }
            _ => true,
        };
        let already = match marker {
            Marker::SurpriseAttack => note::SURPRISE,
            _ => note::WESER,
        };
        (is_held || is_due) && is_its_turn && !state.noted(already)
    }

    /// Whether the hook `must-invade` does not let a faction end its actions yet (30.6).
    fn must_invade(&self, state: &State, faction: Faction) -> bool {
        faction == Faction::Axis
            && !state.noted(note::INVADED)
            && self.scenario().hooks.must_invade.is_some_and(|(turn, _)| turn == state.turn)
    }

    /// Hexes for Partisans (1.4): with an enemy ground unit, in a country that is active on the own side or is a conquered
    /// Allied one; one marker a hex.
    fn list_partisans(
        &self,
        state: &State,
        survey: &Survey,
        muster: &Muster,
        faction: Faction,
        out: &mut Vec<Choice>,
    ) {
        if self.ready(state, Marker::Partisans, Owner::Faction(faction)) == 0
            || !state.partisans.iter().any(|(hex, _)| *hex == Place::NONE)
        {
            return;
        }
        let enemies = survey.enemies[faction.side().index()];
        let foes = self.on_map_of(state, muster, |side| enemies >> side.index() & 1 != 0);
        for unit in foes.and(&self.armies).units() {
            let hex = state.unit(unit).place;
            if hex.is_hex()
                && !state.partisans.iter().any(|(taken, _)| *taken == hex)
                && self.has_resistance(state, hex, faction.side())
            {
                out.push(Choice::Partisans(hex));
            }
        }
    }

    /// Whether the country of a hex is a friendly active or a conquered Allied one.
    fn has_resistance(&self, state: &State, hex: Place, side: Side) -> bool {
        let owner = self.owner(state, hex);
        if owner == crate::ids::Country::NONE {
            return false;
        }
        let country = state.country(owner);
        match country.status {
            Status::Active => country.side == side,
            Status::Conquered => country.fates & fate::WAS_ALLIED != 0 && state.at_war(country.side, side),
            _ => false,
        }
    }

    /// An action is chosen.
    pub(crate) fn play_actions<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        choice: Choice,
        sink: &mut S,
    ) {
        let Frame::Actions(faction) = state.frame() else { return };
        match choice {
            Choice::Play(marker) => return self.play_first(state, marker, faction, sink),
            Choice::End => {
                // No EZOC markers leave the map now (3.4).
                state.no_ezoc = [0; HEX_WORDS];
                state.notes &= !NOTES;
                return state.pop();
            }
            _ => state.notes |= note::BEGUN,
        }
        match choice {
            Choice::Activate(unit) => self.activate_unit(state, unit, sink),
            Choice::Assault(hex) => state.push(Frame::Primary(hex)),
            Choice::Partisans(hex) => self.place_partisans(state, hex, faction, sink),
            Choice::LowCountries => self.invade_low_countries(state, sink),
            other => self.play_mission_action(state, other, sink),
        }
    }

    /// Surprise Attack or Weser Exercise. A Surprise Attack marker goes back to the Holding Box.
    fn play_first<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        marker: Marker,
        faction: Faction,
        sink: &mut S,
    ) {
        self.spend(state, marker, Owner::Faction(faction));
        if marker == Marker::SurpriseAttack {
            state.surprise[faction.index()] = u8::MAX;
            state.notes |= note::SURPRISE;
        } else {
            state.notes |= note::WESER;
        }
        sink.emit(|| GameEvent::Played(faction.side(), marker));
    }

    /// Partisans are placed. The marker lies on the map until the end of the enemy's next Supply Check and is back in hand only
    /// then, not at the end of the turn.
    fn place_partisans<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        hex: Place,
        faction: Faction,
        sink: &mut S,
    ) {
        let Some(free) = state.partisans.iter_mut().find(|(taken, _)| *taken == Place::NONE) else { return };
        *free = (hex, faction);
        self.spend(state, Marker::Partisans, Owner::Faction(faction));
        sink.emit(|| GameEvent::Partisans(faction, hex, true));
    }

    /// Pays for the activation of a ground unit and marks it as activated (6.1, 9.2). Who has paid already, as a unit that
    /// was dropped in this sub-phase (6.8), pays nothing.
    pub(crate) fn pay_activation<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        sink: &mut S,
    ) {
        if state.unit(unit).has(flag::DONE) {
            return;
        }
        let cost = self.activation_cost(state, unit);
        if let Some(payer) = self.payer(state, unit, cost) {
            state.country_mut(payer).points -= cost;
            state.unit_mut(unit).flags |= flag::DONE;
            sink.emit(|| GameEvent::Activated(unit, cost, payer));
        }
    }
}
