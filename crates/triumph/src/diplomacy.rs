//! Diplomacy: cards in play, WildCards, influence, Satellites, the USA. Rules 7.31, 7.4, 8; rulings R36, R57, R58.

use kernel::EventSink;

use crate::areas::{AreaSet, bits};
use crate::cards::{Card, Deck, Diplomacy, Wild};
use crate::choice::Choice;
use crate::factions::{Faction, Power};
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::stage::{After, Stage};
use crate::state::{State, Status, mark};
use crate::units::Kind;
use crate::world::Atlas;

/// The most markers that a Faction has in a nation: three make a Satellite.
const MARKERS: u8 = 3;
/// The forts of the USA when they join. Rule 8.43.
const USA_FORTS: [(&str, u8); 2] = [("washington", 4), ("new_york", 2)];

impl Rules {
    /// Whether Diplomacy can touch a nation now.
    pub(crate) fn is_courted(&self, state: &State, nation: u8) -> bool {
        self.atlas().nation(nation).diplomacy && state.nation(nation).status == Status::Neutral
    }

    /// The nation that a card in play means.
    pub(crate) fn meant(&self, state: &State, faction: Faction, card: Card) -> Option<u8> {
        match self.world.action(card).diplomacy {
            Diplomacy::Nations(ends) => {
                Some(ends[usize::from(state.of(faction).second_end & card.bit() != 0)])
            }
            Diplomacy::Wild(..) => None,
        }
    }

    /// Diplomacy plays of a Faction. Rules 7.31, 8.3.
    pub(crate) fn list_diplomacy(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        for index in bits(state.of(faction).hand[0]) {
            let card = Card::new(Deck::Action, index);
            match &self.world.action(card).diplomacy {
                Diplomacy::Nations(ends) => {
                    let open = ends.iter().filter(|nation| self.is_courted(state, **nation));
                    out.extend(open.map(|nation| Choice::Diplomacy(card, *nation)));
                }
                Diplomacy::Wild(_, wild) => {
                    let targets = self.wild_targets(state, faction, *wild);
                    out.extend(bits(targets).map(|nation| Choice::Wild(card, nation)));
                }
            }
        }
    }

    /// The nations that a WildCard can touch, as a mask. Rule 8.3.
    pub(crate) fn wild_targets(&self, state: &State, faction: Faction, wild: Wild) -> u64 {
        let all = |mask: u64, wanted: &dyn Fn(u8) -> bool| {
            bits(mask)
                .filter(|nation| self.is_courted(state, *nation) && wanted(*nation))
                .fold(0, |mask, nation| mask | 1 << nation)
        };
        let rival = |nation: u8| state.nation(nation).influencer.is_some_and(|other| other != faction);
        let addable = |nation: u8| self.can_influence(state, faction, nation);
        let every = (1 << self.atlas().nations.len()) - 1;
        match wild {
            Wild::Listed(lists) => all(lists[faction.index()], &addable),
            Wild::Isolation(list) => all(list, &rival),
            Wild::Loathing(lists) => all(every, &|nation| {
                let holder = state.nation(nation).influencer.filter(|other| *other != faction);
                holder.is_some_and(|other| lists[other.index()] >> nation & 1 != 0)
            }),
            Wild::Intimidation => {
                let beside = self.beside(state.control[faction.index()]);
                all(beside & self.atlas().minors, &addable)
            }
            Wild::Guarantee => {
                let [one, other] = faction.rivals();
                let land = state.control[one.index()].or(state.control[other.index()]);
                all(self.beside(land) & self.atlas().minors, &addable)
            }
            Wild::ForeignAid if state.of(faction).ind > 0 => all(every, &addable),
            Wild::ForeignAid => 0,
        }
    }

    /// Whether a marker more, or a Rival's less, would change anything. Rule 8.41.
    pub(crate) fn can_influence(&self, state: &State, faction: Faction, nation: u8) -> bool {
        let now = state.nation(nation);
        now.influencer != Some(faction) || now.markers < MARKERS
    }

    /// The nations that touch a stretch of land.
    fn beside(&self, land: AreaSet) -> u64 {
        let around = Atlas::around(&self.atlas().by_land, land);
        around.iter().fold(0, |mask, area| mask | 1 << self.atlas().nation_of(area))
    }

    /// An ordinary card is played for a nation. Rule 7.31.
    pub(crate) fn play_diplomacy<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        card: Card,
        nation: u8,
        sink: &mut S,
    ) {
        state.of_mut(faction).hand[0] &= !card.bit();
        let opposed = faction.rivals().into_iter().find_map(|rival| {
            let cards = bits(state.of(rival).in_play).map(|index| Card::new(Deck::Action, index));
            { cards }
                .find(|other| self.meant(state, rival, *other) == Some(nation))
                .map(|other| (rival, other))
        });
        sink.emit(|| GameEvent::DiplomacyPlayed { faction, card, nation, against: opposed });
        if let Some((rival, other)) = opposed {
            state.of_mut(rival).in_play &= !other.bit();
            state.of_mut(rival).second_end &= !other.bit();
            state.discard(other);
            state.discard(card);
            return;
        }
        let second =
            matches!(self.world.action(card).diplomacy, Diplomacy::Nations([_, end]) if end == nation);
        let own = state.of_mut(faction);
        own.in_play |= card.bit();
        if second {
            own.second_end |= card.bit();
        }
    }

    /// A WildCard takes effect at once. Rule 8.3.
    pub(crate) fn play_wild<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        card: Card,
        nation: u8,
        sink: &mut S,
    ) {
        state.of_mut(faction).hand[0] &= !card.bit();
        state.discard(card);
        sink.emit(|| GameEvent::WildPlayed { faction, card, nation });
        if matches!(self.world.action(card).diplomacy, Diplomacy::Wild(_, Wild::ForeignAid)) {
            let own = state.of_mut(faction);
            own.ind = own.ind.saturating_sub(1);
            sink.emit(|| GameEvent::IndustryLost { faction, ind: state.of(faction).ind });
        }
        self.influence(state, faction, nation, sink);
    }

    /// One Rival marker less, or else one own more. Rule 8.3.
    pub(crate) fn influence<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        nation: u8,
        sink: &mut S,
    ) {
        let now = *state.nation(nation);
        match now.influencer {
            Some(other) if other != faction => self.set_markers(state, nation, Some(other), now.markers - 1),
            _ => self.set_markers(state, nation, Some(faction), (now.markers + 1).min(MARKERS)),
        }
        let after = *state.nation(nation);
        sink.emit(|| GameEvent::Influence { nation, influencer: after.influencer, markers: after.markers });
    }

    /// Sets the markers of a nation. POP and RES go with them, and so does a blockade mark. Rule 14.22.
    pub(crate) fn set_markers(
        &self,
        state: &mut State,
        nation: u8,
        influencer: Option<Faction>,
        markers: u8,
    ) {
        let influencer = influencer.filter(|_| markers > 0);
        if state.nation(nation).influencer != influencer {
            for area in self.atlas().nation(nation).areas {
                state.marks[usize::from(area)] = mark::NONE;
            }
        }
        let now = state.nation_mut(nation);
        (now.influencer, now.markers) = (influencer, markers);
    }

    /// Takes back an own marker. Rule 8, ruling R48.
    pub(crate) fn repudiate<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        nation: u8,
        sink: &mut S,
    ) {
        let left = state.nation(nation).markers.saturating_sub(1);
        self.set_markers(state, nation, Some(faction), left);
        sink.emit(|| GameEvent::Repudiated { faction, nation });
    }

    /// Diplomacy Resolution, then new Satellites. Rule 7.4, rulings R36, R57.
    pub(crate) fn resolve_diplomacy<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        after: After,
        sink: &mut S,
    ) {
        for faction in state.order {
            for index in bits(state.of(faction).in_play) {
                let card = Card::new(Deck::Action, index);
                let nation = self.meant(state, faction, card);
                state.discard(card);
                let open = |nation: &u8| {
                    self.is_courted(state, *nation) && self.can_influence(state, faction, *nation)
                };
                if let Some(nation) = nation.filter(open) {
                    self.influence(state, faction, nation, sink);
                }
            }
            let own = state.of_mut(faction);
            (own.in_play, own.second_end) = (0, 0);
        }
        for nation in 0..self.atlas().nations.len() as u8 {
            let now = *state.nation(nation);
            let Some(faction) = now.influencer.filter(|_| now.markers >= MARKERS) else { continue };
            if nation != self.atlas().usa {
                self.join(state, nation, faction, sink);
            } else if faction == Faction::West {
                self.usa_joins(state, sink);
            }
        }
        self.snapshot(state);
        self.muster_due(state, after, sink);
    }

    /// A nation becomes a Satellite; its units are to be placed. Rule 8.2.
    pub(crate) fn join<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        nation: u8,
        faction: Faction,
        sink: &mut S,
    ) {
        let info = self.atlas().nation(nation);
        let now = state.nation_mut(nation);
        (now.status, now.holder) = (Status::Satellite, Some(faction));
        (now.influencer, now.markers) = (None, 0);
        state.muster = state.muster.or(info.musters);
        sink.emit(|| GameEvent::Joined { nation, faction });
        self.recontrol(state, nation);
    }

    /// The USA join the West. Rule 8.43.
    pub(crate) fn usa_joins<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let usa = self.atlas().usa;
        let now = state.nation_mut(usa);
        (now.status, now.holder) = (Status::Belongs, Some(Faction::West));
        (now.influencer, now.markers) = (None, 0);
        state.of_mut(Faction::West).factory_level += 1;
        sink.emit(|| GameEvent::UsaJoins);
        for (id, cv) in USA_FORTS {
            if let Some(area) = self.atlas().find_area(id) {
                state.place(Power::Usa, Kind::Fortress, cv, area);
                self.tell_placed(Power::Usa, Kind::Fortress, cv, area, false, sink);
            }
        }
        self.recontrol(state, usa);
    }

    // --- units of new Satellites -----------------------------------------------------------------

    /// The next area where a unit is placed, and whose. Ruling R58.
    pub fn next_muster(&self, state: &State) -> Option<(Faction, u8)> {
        let owner = |area: u8| state.nation(self.atlas().nation_of(area)).holder;
        state.order.into_iter().find_map(|faction| {
            let area = state.muster.iter().find(|area| owner(*area) == Some(faction))?;
            Some((faction, area))
        })
    }

    /// Places units of new Satellites one by one, then goes on.
    pub(crate) fn muster_due<S: EventSink<GameEvent>>(&self, state: &mut State, after: After, sink: &mut S) {
        while let Some((faction, area)) = self.next_muster(state) {
            if self.kinds_for(state, faction.great(), area).next().is_some() {
                state.stage = Stage::Muster(after);
                return;
            }
            if let Some(fort) = state.fort_at(area) {
                state.remove(fort);
            }
            state.muster.remove(area);
        }
        state.muster = AreaSet::EMPTY;
        self.go_on(state, after, sink);
    }

    /// The CV of a unit that is placed where a nation joins: that of the fort it replaces, or the Muster. Rulings R58, R77.
    pub(crate) fn muster_cv(&self, state: &State, power: Power, area: u8) -> u8 {
        let fort = state.fort_at(area);
        let cv = fort.map_or(self.atlas().area(area).muster, |fort| state.blocks[fort].cv);
        cv.clamp(1, self.atlas().max_cv[power.index()])
    }

    /// A unit of a new Satellite has its type.
    pub(crate) fn muster<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        kind: Kind,
        after: After,
        sink: &mut S,
    ) {
        let Some((faction, area)) = self.next_muster(state) else { return };
        let power = faction.great();
        let cv = self.muster_cv(state, power, area);
        let fort = state.fort_at(area);
        if let Some(fort) = fort {
            state.remove(fort);
        }
        state.place(power, kind, cv, area);
        if fort.is_some() {
            // The unit stands where the fort stood, which was there before everybody else. Ruling R105.
            state.put_first(faction, area);
        }
        self.tell_placed(power, kind, cv, area, false, sink);
        state.muster.remove(area);
        let nation = self.atlas().nation_of(area);
        self.recontrol(state, nation);
        self.muster_due(state, after, sink);
    }
}
