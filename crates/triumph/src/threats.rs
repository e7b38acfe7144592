//! Who could come to a capital in one turn, as far as a viewer may know. Rules 3.15, 11.1 to 11.3, 15.2.
//!
//! A hidden unit may be of any type that can stand where it stands: if one of them gets there, it is counted as unknown.

use crate::areas::AreaSet;
use crate::factions::{Faction, blocks_of};
use crate::rules::Rules;
use crate::stance::Stance;
use crate::state::{Declared, State};
use crate::units::Kind;
use crate::view::View;
use crate::world::Atlas;

/// The types that a hidden unit is taken for, from those that go farthest by land, air and sea.
const GUESSES: [Kind; 4] = [Kind::Tank, Kind::Infantry, Kind::AirForce, Kind::Fleet];

/// What could come to a capital from one Rival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threat {
    /// The capital.
    pub capital: u8,
    /// Whose units they are.
    pub by: Faction,
    /// Whether there is war already; otherwise it would have to be declared first.
    pub at_war: bool,
    /// Units that lie face up.
    pub known: u8,
    /// Their strength together.
    pub cv: u8,
    /// Hidden units, any of which might.
    pub unknown: u8,
    /// Where all of them stand.
    pub from: AreaSet,
}

impl Rules {
    /// The threats to the capitals that a Faction holds, the main one first.
    pub fn threats(&self, view: &View, faction: Faction) -> Vec<Threat> {
        let state = view.state();
        let capitals = self.atlas().factions[faction.index()].capitals.iter().copied();
        let held: Vec<u8> = capitals.filter(|capital| state.controls(faction, *capital)).collect();
        let mut threats = Vec::new();
        for by in faction.rivals().into_iter().filter(|by| !self.allied(faction, *by)) {
            let at_war = state.at_war(faction, by);
            let declared = (!at_war).then_some(Declared::War(faction));
            // As if its turn began now, with any Command.
            let everywhere = AreaSet::LAND.or(AreaSet::SEA);
            let stance = Stance { calm: false, within: everywhere, ..self.stance_after(state, by, declared) };
            for &capital in &held {
                let mut threat =
                    Threat { capital, by, at_war, known: 0, cv: 0, unknown: 0, from: AreaSet::EMPTY };
                self.count_threat(state, &stance, &mut threat);
                if !threat.from.is_empty() {
                    threats.push(threat);
                }
            }
        }
        threats.sort_by_key(|threat| held.iter().position(|capital| *capital == threat.capital));
        threats
    }

    fn count_threat(&self, state: &State, stance: &Stance, threat: &mut Threat) {
        let near = self.within_reach(AreaSet::one(threat.capital));
        let mut guessed = *state;
        // What was found out for the hidden units of an area holds for all of them.
        let mut hidden: Option<(u8, bool)> = None;
        for block in blocks_of(threat.by) {
            let unit = &state.blocks[block];
            if !unit.on_map() || !near.has(unit.area) || unit.area == threat.capital {
                continue;
            }
            let area = unit.area;
            if !unit.is_hidden() {
                if self.reach_near(state, stance, block).areas().has(threat.capital) {
                    (threat.known, threat.cv) = (threat.known + 1, threat.cv + unit.cv);
                    threat.from.add(area);
                }
                continue;
            }
            let comes = match hidden {
                Some((at, comes)) if at == area => comes,
                _ => GUESSES.into_iter().filter(|kind| self.may_stand(*kind, area)).any(|kind| {
                    guessed.blocks[block].kind = kind;
                    self.reach_near(&guessed, stance, block).areas().has(threat.capital)
                }),
            };
            hidden = Some((area, comes));
            if comes {
                threat.unknown += 1;
                threat.from.add(area);
            }
        }
    }

    /// Whether a unit of a type can stand in an area: ships at sea and in ports.
    fn may_stand(&self, kind: Kind, area: u8) -> bool {
        !kind.is_ship() || Atlas::is_sea(area) || self.atlas().area(area).coastal
    }
}
