//! Why a unit can't go where it is sent. Rules 1.3, 11, 15; rulings R42, R43, R82, R95.

use kernel::Refusal;

use crate::areas::{AreaSet, NONE};
use crate::factions::{Faction, Power};
use crate::reach::Reach;
use crate::refusals::no;
use crate::rules::Rules;
use crate::stance::Stance;
use crate::state::{State, flag};
use crate::units::Kind;
use crate::words::capitalized;
use crate::world::Atlas;

impl Rules {
    /// Why a unit can't go to an area.
    pub(crate) fn why_not_to(&self, state: &State, block: usize, to: u8, via: u8) -> Refusal {
        let faction = state.turn.faction;
        if let Some(refusal) = self.not_own(state, faction, block) {
            return refusal;
        }
        let unit = &state.blocks[block];
        let stance = self.stance(state, faction);
        let place = self.place_name(to);
        if unit.area == to {
            return no(format!("it is in {place} already"), "11.0");
        }
        let reach = self.reach(state, &stance, block);
        let listed = |via: u8| {
            if via == NONE { reach.ends.has(to) } else { reach.entries().contains(&(to, via)) }
        };
        if listed(via) {
            return state.turn.declared.map_or_else(|| self.not_asked(state), |declared| self.owed(declared));
        }
        if reach.areas().has(to) {
            return self.why_not_via(state, &reach, to, via, faction);
        }
        self.why_closed(state, &stance, block, to)
            .or_else(|| self.why_unfit(state, &stance, block, to))
            .unwrap_or_else(|| self.out_of_reach(&stance, unit.kind, Atlas::is_sea(unit.area)))
    }

    /// The area is open, but not by this way. Ruling R43.
    fn why_not_via(&self, state: &State, reach: &Reach, to: u8, via: u8, faction: Faction) -> Refusal {
        let place = self.place_name(to);
        if via == NONE {
            return no(format!("say from where it enters {place}"), "R43");
        }
        if reach.ends.has(to) {
            return no(format!("it just goes to {place}: no way has to be named"), "R43");
        }
        let from = self.place_name(via);
        match self.atlas().border(via, to) {
            None => no(format!("{from} does not touch {place}"), "R43"),
            Some(edge) => {
                let crossed = state.crossings(faction, edge.border);
                let limit = edge.kind.limit();
                if crossed >= limit && limit > 0 {
                    return no(format!("the border with {from} is used up: {crossed} of {limit}"), "11.52");
                }
                no(format!("it does not get to {place} by way of {from}"), "R43")
            }
        }
    }

    /// Why an area is closed to everybody of the Faction.
    fn why_closed(&self, state: &State, stance: &Stance, block: usize, to: u8) -> Option<Refusal> {
        let place = self.place_name(to);
        let usa_bound = Power::of_block(block) == Some(Power::Usa) && !state.of(Faction::West).at_war();
        if usa_bound && !self.atlas().nation(self.atlas().usa).areas.has(to) {
            return Some(no("US units stay at home until the West is at war", "R82"));
        }
        if !stance.within.has(to) {
            return Some(no("in Winter units stay inside the USSR", "10.4"));
        }
        if stance.no_end.has(to) {
            return Some(no(
                format!("your Ally has units in {place}: the Allies never share an area"),
                "18.2",
            ));
        }
        if !stance.closed.has(to) {
            if stance.calm
                && (stance.enemy.has(to) || stance.foes.has(to))
                && !stance.own.and(AreaSet::LAND).has(to)
            {
                let (what, rule) = if state.turn.emergency {
                    ("an Emergency turn", "10.11")
                } else {
                    ("a Defensive Turn", "18.6")
                };
                return Some(no(format!("no Aggression in {what}, and Enemies hold {place}"), rule));
            }
            return None;
        }
        let nation = self.atlas().nation_of(to);
        let name = capitalized(&self.nation_name(nation));
        let is = self.agrees(nation, "is", "are");
        let rival = stance.faction.rivals().into_iter().find(|rival| {
            !stance.enemies.has(*rival) && (state.controls(*rival, to) || state.parties(to).has(*rival))
        });
        Some(match rival {
            Some(rival) if self.allied(stance.faction, rival) => {
                no(format!("{place} belongs to your Ally"), "18.2")
            }
            Some(rival) if state.controls(rival, to) => no(
                format!("{} controls {place} and is at peace with you: declare war first", rival.the()),
                "15.2",
            ),
            Some(rival) => {
                no(format!("{} has units in {place} and is at peace with you", rival.the()), "R42")
            }
            None => {
                let it = self.agrees(nation, "it", "them");
                no(format!("{name} {is} Neutral: violate {it} first"), "15.4")
            }
        })
    }

    /// Why an area that is open does not suit this unit.
    fn why_unfit(&self, state: &State, stance: &Stance, block: usize, to: u8) -> Option<Refusal> {
        let unit = &state.blocks[block];
        let (kind, sea, at_sea) = (unit.kind, Atlas::is_sea(to), Atlas::is_sea(unit.area));
        let place = self.place_name(to);
        let leaves = stance.foes.has(unit.area) && !unit.is(flag::ESCAPED);
        let foes = stance.foes.has(to);
        Some(match () {
            () if kind.is_troop() && sea && foes => no("an Enemy Sea: Convoys can't enter", "11.22"),
            () if kind.is_ship() && !sea && !self.atlas().area(to).coastal => {
                no(format!("{place} is not Coastal"), "11.2")
            }
            () if kind.is_troop() && at_sea && !sea && !self.atlas().area(to).coastal => {
                no(format!("{place} is not Coastal"), "11.22")
            }
            () if leaves && foes => no("it leaves a Battle and can't Engage again this turn", "11.51"),
            () if kind == Kind::AirForce && at_sea && !stance.undisputed.has(to) => {
                no("from the sea an Air Force goes only to Friendly land that is not Disputed", "11.3")
            }
            () if kind.is_ans() && !sea && !foes && stance.enemy.has(to) && !stance.ground.has(to) => {
                no(format!("{place} is empty Enemy land: a Ground unit must enter it first"), "11.55")
            }
            () if kind.is_ground() => return self.border_used_up(state, stance, block, to, foes),
            () => return None,
        })
    }

    /// A border with its limit used up, where that is what keeps a Ground unit out. Rule 11.52.
    fn border_used_up(
        &self,
        state: &State,
        stance: &Stance,
        block: usize,
        to: u8,
        foes: bool,
    ) -> Option<Refusal> {
        let unit = &state.blocks[block];
        let leaves = stance.foes.has(unit.area);
        if !foes && !leaves && !stance.enemy.has(to) {
            return None;
        }
        let near = self.reach(state, stance, block).ends.or(AreaSet::one(unit.area));
        let edge = self.atlas().edges(to).iter().find(|edge| {
            let landing = Atlas::is_sea(edge.to);
            edge.kind.limit() > 0
                && near.has(edge.to)
                && self.border_left(state, stance, edge.border, landing) == 0
        })?;
        let crossed = state.crossings(stance.faction, edge.border);
        let from = self.place_name(edge.to);
        Some(no(format!("the border with {from} is used up: {crossed} of {crossed}"), "11.52"))
    }

    /// Too far, or somebody is in the way.
    fn out_of_reach(&self, stance: &Stance, kind: Kind, at_sea: bool) -> Refusal {
        let title = kind.title();
        let (land, sea, air) =
            (stance.land_speed(self, kind), stance.sea_speed(self, kind), stance.air_speed(self, kind));
        let (how, rule) = match kind {
            Kind::Fortress => return no("Fortresses never move", "3.15"),
            Kind::AirForce => (format!("an {title} moves {air}"), "11.3"),
            _ if kind.is_ship() => (format!("a {title} moves {sea} by sea, or 1 along the coast"), "11.2"),
            _ if at_sea => (format!("a Convoy moves {sea}"), "11.22"),
            Kind::Infantry => (format!("{title} moves {land} by land or {sea} by sea"), "11.1"),
            _ => (format!("a {title} moves {land} by land or {sea} by sea"), "11.1"),
        };
        let stops = if kind == Kind::AirForce { "" } else { ", and Enemies stop it" };
        no(format!("out of reach: {how}, twice that between Friendly places{stops}"), rule)
    }
}
