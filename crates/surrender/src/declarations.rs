//! The Declare War Phase: USA, schedule, policies, declarations, peace. Rules 10.1, 10.2; rulings 16, 43, 105.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::ids::{Country, Faction, Side};
use crate::rules::Rules;
use crate::state::{State, Status};
use crate::tables::turn_of;

/// From this turn on the West may declare war on any neutral.
const WEST_FREE: u8 = turn_of(1943, 1);
/// From this turn on the Axis may end the Pact.
const PACT_FREE: u8 = turn_of(1941, 5);

impl Rules {
    /// Phase 2. Before the Axis's declarations: USA, schedule, policies (10.1).
    pub(crate) fn begin_declarations<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        sink: &mut S,
    ) {
        if !self.scenario().declare_war {
            return;
        }
        if faction != Faction::Axis {
            self.open_declarations(state, faction);
            return;
        }
        if state.turn >= state.usa_turn && state.country(Country::USA).status == Status::Pending {
            self.activate(state, Country::USA, Side::Western, sink);
        }
        if self.settings.historical {
            self.follow_history(state, sink);
        }
        let can_evaluate = state.pact()
            && state.turn >= self.world.tables.pact_from
            && self.plays(Faction::Soviet)
            && state.country(Country::USSR).status == Status::Active;
        if can_evaluate {
            state.push(Frame::EvaluatePact);
        } else {
            self.after_evaluation(state);
        }
    }

    /// The Axis may end the Pact (10.2), then it declares.
    fn after_evaluation(&self, state: &mut State) {
        let has_surprise = state.surprise[Faction::Axis.index()] <= state.turn;
        let may_end = state.turn >= PACT_FREE || state.evaluations > 0 || has_surprise;
        if state.pact() && self.plays(Faction::Soviet) && may_end {
            state.push(Frame::EndPact);
        } else {
            self.open_declarations(state, Faction::Axis);
        }
    }

    /// A faction is asked, if it can declare anything.
    fn open_declarations(&self, state: &mut State, faction: Faction) {
        if self.declared(state, faction) != 0 || !self.peaces(state, faction).is_empty() {
            state.push(Frame::Declare(faction));
        }
    }

    /// The countries on which a faction can declare war (10.1), as bits.
    pub(crate) fn declared(&self, state: &State, faction: Faction) -> u32 {
        let border = if faction == Faction::Soviet { self.borders(state, Side::Soviet) } else { 0 };
        let is_open = |country: Country| {
            let entry = state.country(country);
            if entry.status != Status::Neutral || entry.pro == Some(faction) {
                return false;
            }
            match faction {
                Faction::Axis => true,
                Faction::Western => {
                    let is_named = matches!(country, Country::VIC | Country::IRQ | Country::PER);
                    state.war_west
                        && (entry.pro == Some(Faction::Axis) || is_named || state.turn >= WEST_FREE)
                }
                Faction::Soviet => border >> country.index() & 1 != 0,
            }
        };
        Country::all().filter(|country| is_open(*country)).fold(0, |set, country| set | 1 << country.index())
    }

    /// The Lone countries with which the Soviets can make peace.
    pub(crate) fn peaces(&self, state: &State, faction: Faction) -> CountrySet {
        let is_lone = |country: &Country| {
            let entry = state.country(*country);
            entry.status == Status::Active && entry.side == Side::Lone
        };
        let lone = Country::all().filter(|country| faction == Faction::Soviet && is_lone(country));
        CountrySet(lone.fold(0, |set, country| set | 1 << country.index()))
    }

    /// The choices of this phase.
    pub(crate) fn list_declarations(&self, state: &State, frame: Frame, out: &mut Vec<Choice>) {
        match frame {
            Frame::EvaluatePact => out.extend([Choice::Pass, Choice::Evaluate]),
            Frame::EndPact => out.extend([Choice::Pass, Choice::EndPact]),
            Frame::Declare(faction) => {
                out.push(Choice::Pass);
                out.extend(CountrySet(self.declared(state, faction)).iter().map(Choice::Declare));
                out.extend(self.peaces(state, faction).iter().map(Choice::Peace));
            }
            _ => {}
        }
    }

    /// A choice or die of this phase.
    pub(crate) fn play_declarations<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        frame: Frame,
        choice: Choice,
        sink: &mut S,
    ) {
        match (frame, choice) {
            (Frame::EvaluatePact, Choice::Evaluate) => state.become_frame(Frame::PactDie),
            (Frame::EvaluatePact, _) => {
                state.pop();
                self.after_evaluation(state);
            }
            (Frame::PactDie, Choice::Die(die)) => {
                state.pop();
                state.evaluations = state.evaluations.saturating_add(1);
                let ends = die < state.evaluations;
                sink.emit(|| GameEvent::PactEvaluated(die, ends));
                if ends {
                    self.end_pact(state, sink);
                }
                self.after_evaluation(state);
            }
            (Frame::EndPact, choice) => {
                state.pop();
                if choice == Choice::EndPact {
                    self.end_pact(state, sink);
                }
                self.open_declarations(state, Faction::Axis);
            }
            (Frame::Declare(faction), Choice::Declare(country)) => {
                self.declare(state, faction, country, sink)
            }
            (Frame::Declare(_), Choice::Peace(country)) => self.make_peace(state, country, sink),
            (Frame::Declare(_), _) => state.pop(),
            (Frame::InfluenceDie(faction), Choice::Die(die)) => {
                state.pop();
                let next = if die % 2 == 1 { faction.next() } else { faction.next().next() };
                let applies = self.can_influence(state, next).then_some(next);
                sink.emit(|| GameEvent::InfluenceDie(die, applies));
                if applies.is_some() {
                    state.push(Frame::Influence(next));
                }
            }
            _ => {}
        }
    }

    /// War is declared on a neutral country (10.1): it joins the enemies of the declarer, and a die says who applies Influence.
    pub(crate) fn declare<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        country: Country,
        sink: &mut S,
    ) {
        let side = match faction {
            Faction::Axis if state.country(country).pro == Some(Faction::Soviet) && !state.pact() => {
                Side::Soviet
            }
            Faction::Axis => Side::Western,
            Faction::Western => Side::Axis,
            Faction::Soviet if state.pact() => Side::Lone,
            Faction::Soviet => Side::Axis,
        };
        sink.emit(|| GameEvent::Declared(faction, country));
        self.activate(state, country, side, sink);
        if self.has_pro_markers() && country != Country::VIC {
            state.push(Frame::InfluenceDie(faction));
        }
    }
}

/// A set of countries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CountrySet(pub u32);

impl CountrySet {
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The countries in the order of `countries.toml`.
    pub fn iter(self) -> impl Iterator<Item = Country> {
        Country::all().filter(move |country| self.0 >> country.index() & 1 != 0)
    }
}
