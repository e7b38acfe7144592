//! Influence and Pro-markers. Rules 10.3, 13.3 step 5; rulings 102, 104, 105.

use kernel::EventSink;

use crate::game_event::GameEvent;
use crate::ids::{Country, Faction, Place, Side};
use crate::rules::Rules;
use crate::state::{State, Status};
use crate::survey::Survey;
use crate::world::Hexside;

impl Rules {
    /// Whether there are Pro-markers and Influence at all: where declarations or diplomacy are played, and politics are free.
    pub(crate) fn has_pro_markers(&self) -> bool {
        (self.scenario().diplomacy || self.scenario().declare_war) && !self.settings.historical
    }

    /// Whether a faction may court a country.
    pub(crate) fn courts(&self, faction: Faction, country: Country) -> bool {
        self.world.country(country).court >> faction.index() & 1 != 0
    }

    /// Countries on which a faction can apply Influence: neutral ones whose `court` list has it.
    pub(crate) fn influenced(&self, state: &State, faction: Faction) -> impl Iterator<Item = Country> {
        Country::all().filter(move |country| {
            state.country(*country).status == Status::Neutral && self.courts(faction, *country)
        })
    }

    /// Whether a faction can apply Influence to anybody.
    pub(crate) fn can_influence(&self, state: &State, faction: Faction) -> bool {
        self.plays(faction) && self.has_pro_markers() && self.influenced(state, faction).next().is_some()
    }

    /// A faction applies Influence: its marker is placed, its marker there makes the country join, another's is removed.
    pub(crate) fn influence<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        country: Country,
        sink: &mut S,
    ) {
        let (outcome, pro) = match state.country(country).pro {
            None => (0, Some(faction)),
            Some(owner) if owner == faction => (1, None),
            Some(_) => (2, None),
        };
        sink.emit(|| GameEvent::Influence(faction, country, outcome));
        if outcome == 1 {
            self.activate(state, country, faction.side(), sink);
        } else {
            self.mark(state, country, pro, sink);
        }
    }

    /// The Pro-marker of a country changes.
    pub(crate) fn mark<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        pro: Option<Faction>,
        sink: &mut S,
    ) {
        if state.country(country).pro != pro {
            state.country_mut(country).pro = pro;
            sink.emit(|| GameEvent::ProMarker(country, pro));
        }
    }

    /// Where the conqueror of a country may place a Pro-marker (13.3 step 5): a neutral country without marker that it may
    /// court and that shares a land border with the victim or with a country of its own.
    pub(crate) fn pro_places(
        &self,
        state: &State,
        faction: Faction,
        victim: Country,
    ) -> impl Iterator<Item = Country> {
        let near = self.neighbours(|hex| {
            let country = self.owner(state, hex);
            country == victim
                || country != Country::NONE
                    && state.country(country).status == Status::Active
                    && state.country(country).side == faction.side()
        });
        self.influenced(state, faction)
            .filter(move |country| state.country(*country).pro.is_none() && near >> country.index() & 1 != 0)
    }

    /// The countries that share a land border with hexes of some kind, as bits.
    pub(crate) fn neighbours(&self, is_meant: impl Fn(Place) -> bool) -> u32 {
        let mut near = 0;
        for hex in Place::hexes().filter(|hex| is_meant(*hex)) {
            let info = self.world.hex(hex);
            for (other, between) in info.near.into_iter().zip(info.sides) {
                if other.is_hex() && between != Hexside::Water {
                    let country = self.world.hex(other).country;
                    if country != Country::NONE {
                        near |= 1 << country.index();
                    }
                }
            }
        }
        near
    }

    /// Neutral countries that border a hex controlled by a side, as bits.
    pub(crate) fn borders(&self, state: &State, side: Side) -> u32 {
        Survey::ask(self, state, |survey| {
            let held = &survey.held[side.index()];
            let lands = self.beside.iter().enumerate().filter(|(_, hexes)| hexes.meets(held));
            lands.fold(0, |near, (country, _)| near | 1 << country)
        })
    }
}
