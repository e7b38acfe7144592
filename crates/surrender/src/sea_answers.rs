//! Supply over sea, in words: which convoy can bring it, from where to where, through which Sea Zones, and what would cut it.
//! Rules 6.9, 7.4.

use crate::choice::Choice;
use crate::ids::{Node, Place, UnitId};
use crate::links::{ANY_LENGTH, Links, Service};
use crate::rules::Rules;
use crate::sea_paths::nodes_of;
use crate::state::{PATH, Phase, State, flag};
use crate::words::and_list;
use crate::world::Kind;

/// A sea link that would serve a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeaLink {
    /// The convoy that makes it.
    pub convoy: UnitId,
    /// The end that has supply.
    pub home: Place,
    /// The end that the unit reaches.
    pub far: Place,
    /// Whether no link with another far end, and none with another home end, would serve the unit as well.
    pub only: [bool; 2],
    /// Whether the convoy lies at the far end.
    pub lies_far: bool,
    /// Whether the far end is only a beach, which gives Low supply at most.
    pub over_beach: bool,
    /// The Sea Zones and boxes of the way, in order from where the convoy lies.
    pub path: [Node; PATH],
    /// Those of them in which an enemy could intercept now, as bits.
    pub danger: u64,
}

impl Rules {
    /// The position as the next Supply Check of a unit finds its convoys: what they have done counts only until then.
    fn before_next_check(&self, state: &State, unit: UnitId) -> State {
        let side = self.side_of(state, unit);
        let mut ahead = *state;
        ahead.unit_mut(unit).flags &= !flag::CHECKED;
        let is_now = state.acting.side() == side
            && matches!(state.phase, Phase::Actions | Phase::Supply)
            && !state.unit(unit).has(flag::CHECKED);
        if !is_now {
            for convoy in self.world.wings.iter().filter(|convoy| self.kind(**convoy) == Kind::Convoy) {
                if self.side_of(state, *convoy) == side {
                    ahead.unit_mut(*convoy).flags &= !(flag::ENDED | flag::LINKED);
                }
            }
        }
        ahead
    }

    /// The best sea link that would serve a unit at its next Supply Check: through a port rather than over a beach, then past the
    /// fewest enemies, then the shortest (7.4).
    pub fn sea_link_for(&self, state: &State, unit: UnitId) -> Option<SeaLink> {
        let ahead = self.before_next_check(state, unit);
        let side = self.side_of(state, unit);
        let links = Links::new(self, &ahead, side)?;
        let danger = self.danger(&ahead, side);
        let mut best: Option<((bool, u32, u8), SeaLink)> = None;
        let (mut ends, mut found) = (Vec::new(), Vec::new());
        for convoy in self.convoys(&ahead, side) {
            let here = ahead.unit(convoy).place;
            ends.clear();
            links.list_ends(&ahead, here, &mut ends);
            for end in &ends {
                let Choice::To(there) = *end else { continue };
                let Some((_, service)) =
                    links.served(&ahead, [here, there]).find(|(served, _)| *served == unit)
                else {
                    continue;
                };
                let Some((cost, path)) = self.sea_path(&ahead, side, here, there, ANY_LENGTH) else {
                    continue;
                };
                let home = links.home_end(&ahead, [here, there]);
                let far = if home == here { there } else { here };
                found.push([far, home]);
                let danger = nodes_of(&path) & danger;
                let over_beach = service == Service::Beach;
                let weight = (over_beach, danger.count_ones(), cost);
                if best.is_none_or(|(least, _)| weight < least) {
                    best = Some((
                        weight,
                        SeaLink {
                            convoy,
                            home,
                            far,
                            only: [true; 2],
                            lies_far: far == here,
                            over_beach,
                            path,
                            danger,
                        },
                    ));
                }
            }
        }
        let (_, mut link) = best?;
        link.only = [0, 1].map(|end| found.iter().all(|other| other[end] == [link.far, link.home][end]));
        Some(link)
    }

    /// Who brings a unit without supply by land its supply over sea, and what would cut it.
    pub fn sea_supply_words(&self, state: &State, unit: UnitId) -> String {
        let next = self.fallen(state, unit).title();
        let Some(link) = self.sea_link_for(state, unit) else {
            let ahead = self.before_next_check(state, unit);
            let why = if self.convoys(&ahead, self.side_of(state, unit)).next().is_none() {
                "no convoy of its side is fit to sail"
            } else {
                "no convoy can join a port or beach it reaches to one that has supply"
            };
            return format!("No supply by land, and {why}: {next} supply at its next check.");
        };
        let zones: Vec<String> = link
            .path
            .iter()
            .take_while(|node| **node != Node::NONE)
            .map(|node| self.sea_words(*node))
            .collect();
        let (far, home) = (self.place_words(link.far), self.place_words(link.home));
        let brings = self.unit_does(link.convoy, "can bring", "can bring");
        let level = if link.over_beach { "Low supply, over the beach" } else { "Full supply" };
        let mut words = format!(
            "No supply by land. {brings} {level}, from {home} to {far} through {}.",
            and_list(&zones)
        );
        if link.danger == 0 {
            words.push_str(" No enemy can intercept on this way now.");
        } else {
            let names: Vec<String> = Node::of(link.danger).map(|node| self.sea_words(node)).collect();
            words.push_str(&format!(" The enemy can intercept in {}.", and_list(&names)));
        }
        let ends = [far, home].into_iter().zip(link.only).filter(|(_, only)| *only).map(|(end, _)| end);
        let cuts: Vec<String> = ends
            .map(|end| format!("if {end} falls"))
            .chain(["if the convoy is stopped".to_owned()])
            .collect();
        let cuts = and_list(&cuts).replace(" and ", " or ");
        words.push_str(&format!(" It is cut {cuts}: then {next} supply."));
        words
    }

    /// A Sea Zone or box in a sentence.
    fn sea_words(&self, node: Node) -> String {
        match node {
            Node::ENA => self.place_words(Place::ENA),
            Node::WIO => self.place_words(Place::WIO),
            zone => format!("the {}", self.world.nodes[zone.index()].name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{Country, Side};
    use crate::testing::{position, put, rules};

    /// The position of example P07: the Italian 10th Army in Tobruk, its convoys in Naples.
    fn tobruk() -> (Rules, State, UnitId, UnitId) {
        let rules = rules();
        let mut state = position(&rules, &[(Country::ITA, Side::Axis), (Country::UK, Side::Western)]);
        let army = put(&rules, &mut state, "ITA-10A", "5941");
        let naples = rules.world.city_named("naples").expect("a city");
        let convoy = rules.world.unit_named("ITA-CV1").expect("a unit");
        rules.put(&mut state, convoy, rules.world.city(naples).hex);
        (rules, state, army, convoy)
    }

    #[test]
    fn a_convoy_says_by_which_seas_it_comes_and_what_stops_it() {
        let (rules, mut state, army, convoy) = tobruk();
        let link = rules.sea_link_for(&state, army).expect("a link");
        assert_eq!((link.convoy, rules.place_words(link.home).as_str()), (convoy, "Naples"));
        assert_eq!((rules.place_words(link.far).as_str(), link.only), ("Tripoli", [false, true]));
        let words = rules.sea_supply_words(&state, army);
        for part in [
            "Full supply, from Naples to Tripoli",
            "the Tyrrhenian Sea",
            "No enemy can intercept",
            "cut if Naples falls or if the convoy is stopped",
            "then Low supply",
        ] {
            assert!(words.contains(part), "{part}: {words}");
        }
        // A British fleet in Malta reaches them all.
        let malta = rules.world.city_named("valletta").expect("a city");
        let port = rules.world.city(malta).hex;
        state.control[port.index()] = Side::Western;
        let fleet = rules
            .world
            .wings
            .iter()
            .copied()
            .find(|unit| rules.kind(*unit) == Kind::Surface && rules.info(*unit).country == Country::UK);
        rules.put(&mut state, fleet.expect("a fleet"), port);
        let words = rules.sea_supply_words(&state, army);
        assert!(
            words.contains("The enemy can intercept in") && words.contains("the Tyrrhenian Sea"),
            "{words}"
        );
    }

    /// A unit in a Map Box needs no line, and nobody looks for one.
    #[test]
    fn units_in_map_boxes_are_passed_over() {
        let (rules, mut state, army, convoy) = tobruk();
        let other = UnitId::all().find(|unit| {
            *unit != army && rules.kind(*unit).is_field() && rules.info(*unit).country == Country::ITA
        });
        rules.put(&mut state, other.expect("another army"), Place::ENA);
        let link = rules.sea_link_for(&state, army).expect("a link");
        assert_eq!(link.convoy, convoy);
    }

    #[test]
    fn without_a_convoy_there_is_nothing_to_hope_for_until_it_may_sail_again() {
        let (rules, mut state, army, convoy) = tobruk();
        state.acting = crate::ids::Faction::Axis;
        state.phase = Phase::Actions;
        state.unit_mut(convoy).flags |= flag::ENDED;
        let words = rules.sea_supply_words(&state, army);
        assert!(words.contains("no convoy of its side is fit to sail"), "{words}");
        // When this month's check is over, the next one finds the ships rested.
        state.phase = Phase::Replacements;
        assert!(rules.sea_link_for(&state, army).is_some());
    }
}
