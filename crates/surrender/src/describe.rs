//! The view as JSON, for the protocol: everything that the viewer may know, and nothing else.

use serde_json::{Map, Value, json};

use crate::ids::{City, Country, Faction, Place, Side, UnitId};
use crate::markers::Owner;
use crate::rules::Rules;
use crate::standing::Reaction;
use crate::state::{Commitment, Errand, Manner, Occasion, State, Status, event, flag};
use crate::tables::{Diplomat, month_of};
use crate::view::View;
use crate::words::{event_title, month_words, phase_title, side_word};
use crate::world::Climate;

/// Conditional events in the order of their bits.
pub(crate) const EVENTS: [u8; 6] =
    [event::EAST, event::WEST, event::MEDITERRANEAN, event::NORTH, event::SOUTH, event::USA];

/// Flags that players look at, with their words.
const FLAGS: [(u16, &str); 9] = [
    (flag::DONE, "activated"),
    (flag::MOVED, "moved"),
    (flag::ENDED, "ended"),
    (flag::RAILED, "railed"),
    (flag::HIT, "surprised"),
    (flag::ASHORE, "ashore"),
    (flag::DROPPED, "dropped"),
    (flag::BOMBED, "bombed"),
    (flag::FREE, "free"),
];

impl Rules {
    /// The view as JSON, with the result of the game once it is over.
    pub(crate) fn describe(&self, view: &View<'_>, verdict: Option<&str>) -> Value {
        let state = view.state();
        let (year, month) = month_of(state.turn);
        let prompt = self.prompt(state);
        json!({
            "scenario": self.scenario().id,
            "turn": state.turn + 1,
            "month": format!("{year}-{month:02}"),
            "month_title": month_words(state.turn),
            "last_turn": self.scenario().last + 1,
            "phase": phase_title(state.phase),
            "faction": state.acting.word(),
            "question": { "text": prompt.text, "waiting": prompt.waiting, "rule": prompt.rule },
            "weather": self.describe_weather(state),
            "at_war": { "axis_western": state.war_west, "axis_soviet": state.war_east },
            "countries": self.describe_countries(state),
            "units": self.describe_units(state),
            "cities": self.describe_cities(state),
            "control": self.control_runs(state),
            "markers": self.describe_markers(state),
            "diplomacy_cup": describe_cup(&state.cup),
            "holding_box": describe_cup(&state.holding),
            "fac_lost": { "GER": state.fac_lost[0], "UK": state.fac_lost[1], "USSR": state.fac_lost[2] },
            "events": EVENTS.into_iter().filter(|bit| state.occurred(*bit)).map(event_title).collect::<Vec<_>>(),
            "on_the_map": self.describe_map_markers(state),
            "activation": self.describe_activation(state),
            "combat": self.describe_fight(state),
            "commit_marker_hidden": view.hidden,
            "standing_answers": describe_standing(state),
            "air_naval_combat": self.describe_duel(state),
            "mission": self.describe_mission(state),
            "verdict": verdict,
        })
    }

    /// A unit's id, or nothing.
    fn unit_id(&self, unit: UnitId) -> Option<&str> {
        unit.some().map(|unit| self.world.unit(unit).id.as_str())
    }

    fn describe_weather(&self, state: &State) -> Value {
        let zones = [Climate::Cold, Climate::Mild, Climate::Warm, Climate::Desert];
        let entries =
            zones.map(|zone| (zone.title().to_lowercase(), json!(state.weather[zone as usize].title())));
        Value::Object(Map::from_iter(entries))
    }

    fn describe_countries(&self, state: &State) -> Vec<Value> {
        let known = Country::all().filter(|country| state.country(*country).status != Status::Absent);
        known
            .map(|country| {
                let entry = state.country(country);
                json!({
                    "id": country.id(),
                    "name": self.world.country(country).name,
                    "status": status_word(entry.status),
                    "side": side_word(entry.side),
                    "will": entry.will,
                    "points": entry.points,
                    "pro": entry.pro.map(Faction::word),
                    "extra_factories": entry.extra,
                })
            })
            .collect()
    }

    /// Units on the map, in boxes and in Mobilization Boxes.
    fn describe_units(&self, state: &State) -> Vec<Value> {
        let known = UnitId::all().filter(|unit| {
            let place = state.unit(*unit).place;
            place.on_map() || place == Place::POOL
        });
        known
            .map(|unit| {
                let (info, now) = (self.world.unit(unit), state.unit(unit));
                let flags: Vec<&str> =
                    FLAGS.iter().filter(|(bit, _)| now.has(*bit)).map(|(_, word)| *word).collect();
                let mut value = json!({
                    "id": info.id,
                    "name": info.name,
                    "country": info.country.id(),
                    "side": side_word(self.side_of(state, unit)),
                    "kind": info.kind.word(),
                    "elite": info.elite,
                    "place": self.world.place_name(now.place),
                    "supply": now.supply.title(),
                    "flags": flags,
                });
                if let Some(object) = value.as_object_mut() {
                    if info.kind.is_ground() {
                        let strength = if now.level == 0 { "full" } else { "reduced" };
                        object.insert("strength".to_owned(), json!(strength));
                    } else {
                        object.insert("sorties".to_owned(), json!(now.level));
                    }
                    if let Some(city) = self.world.city_at(now.place) {
                        object.insert("city".to_owned(), json!(self.city_name(city)));
                    }
                }
                value
            })
            .collect()
    }

    /// The ids of the cities and ports in play, by who controls them.
    fn describe_cities(&self, state: &State) -> Value {
        let sides = [Side::Axis, Side::Western, Side::Soviet, Side::Lone, Side::Nobody];
        let entries = sides.map(|side| {
            let cities: Vec<&str> = City::all()
                .map(|city| self.world.city(city))
                .filter(|city| state.controller(city.hex) == side && self.scenario().in_play(city.hex))
                .map(|city| city.id.as_str())
                .collect();
            (side_word(side).to_owned(), json!(cities))
        });
        Value::Object(Map::from_iter(entries))
    }

    /// Control of all land hexes, row by row: the first hex of a run, how many hexes it has, and who controls them.
    pub(crate) fn control_runs(&self, state: &State) -> Vec<(String, u16, &'static str)> {
        let mut runs: Vec<(Place, u16, Side)> = Vec::new();
        for hex in Place::hexes() {
            let side = state.controller(hex);
            match runs.last_mut() {
                Some((_, length, known)) if *known == side => *length += 1,
                _ => runs.push((hex, 1, side)),
            }
        }
        runs.into_iter()
            .map(|(hex, length, side)| (self.world.place_name(hex), length, side_word(side)))
            .collect()
    }

    fn describe_markers(&self, state: &State) -> Vec<Value> {
        let slots = self.slot_owners().iter().enumerate();
        slots
            .filter(|(slot, _)| state.ready[*slot] > 0 || state.spent[*slot] > 0)
            .map(|(slot, (marker, owner))| {
                let owner = match owner {
                    Owner::Country(country) => country.id(),
                    Owner::Faction(faction) => faction.word(),
                };
                json!({
                    "id": marker.id(),
                    "name": self.marker_name(*marker),
                    "owner": owner,
                    "ready": state.ready[slot],
                    "used": state.spent[slot],
                })
            })
            .collect()
    }

    fn describe_map_markers(&self, state: &State) -> Value {
        let name = |place: Place| self.world.place_name(place);
        let cities = |wanted: &dyn Fn(City) -> bool| -> Vec<&str> {
            City::all().filter(|city| wanted(*city)).map(|city| self.world.city(city).id.as_str()).collect()
        };
        let partisans: Vec<Value> = state
            .partisans
            .iter()
            .filter(|(hex, _)| hex.is_hex())
            .map(|(hex, faction)| json!({ "hex": name(*hex), "faction": faction.word() }))
            .collect();
        let walls: Vec<String> =
            state.walls.iter().filter(|hex| hex.is_hex()).map(|hex| name(*hex)).collect();
        let no_ezoc: Vec<String> = Place::hexes().filter(|hex| state.has_no_ezoc(*hex)).map(name).collect();
        let ceded: Vec<&str> = (0..self.world.disputed.len())
            .filter(|area| state.ceded >> area & 1 != 0)
            .map(|area| self.world.disputed[area].id.as_str())
            .collect();
        let vichy: Vec<&str> = (0..self.world.areas.len())
            .filter(|area| state.vichy >> area & 1 != 0)
            .map(|area| self.world.areas[area].id.as_str())
            .collect();
        let (mulberry, until) = state.mulberry;
        json!({
            "bombed": cities(&|city| state.is_bombed(city)),
            "factories_closed": cities(&|city| state.is_closed_down(city)),
            "partisans": partisans,
            "walls": walls,
            "no_ezoc": no_ezoc,
            "mulberry": mulberry.is_hex().then(|| json!({ "hex": name(mulberry), "until_turn": until + 1 })),
            "ceded": ceded,
            "vichy": vichy,
        })
    }

    fn describe_activation(&self, state: &State) -> Option<Value> {
        let now = &state.activation;
        now.unit.some()?;
        Some(json!({ "unit": self.unit_id(now.unit), "points": now.points, "begun": now.begun }))
    }

    fn describe_fight(&self, state: &State) -> Option<Value> {
        let fight = &state.fight;
        fight.defender.some()?;
        let side = |at: usize| {
            let markers: Vec<&str> = crate::markers::Marker::ALL
                .iter()
                .filter(|(_, marker)| state.has_committed(at, *marker))
                .map(|(id, _)| *id)
                .collect();
            json!({
                "commits": match fight.will[at] {
                    Commitment::Open => Value::Null,
                    Commitment::Will => json!(true),
                    Commitment::WillNot => json!(false),
                },
                "air": self.unit_id(fight.air[at]),
                "markers": markers,
                "air_support": fight.support[at],
                "die": (fight.dice[at] > 0).then_some(fight.dice[at]),
            })
        };
        let more: Vec<&str> = fight.more.into_iter().filter_map(|unit| self.unit_id(unit)).collect();
        Some(json!({
            "manner": manner_word(fight.manner),
            "primary": self.unit_id(fight.primary),
            "additional": more,
            "defender": self.unit_id(fight.defender),
            "hex": self.world.place_name(fight.hex),
            "attacker": side(0),
            "defence": side(1),
            "naval_support": fight.naval_support,
            "result": fight.result.map(crate::tables::CombatResult::code),
        }))
    }

    fn describe_duel(&self, state: &State) -> Option<Value> {
        let duel = &state.duel;
        duel.units[0].some()?;
        Some(json!({
            "occasion": match duel.occasion {
                Occasion::AirSupport => "air support",
                Occasion::Strike => "strike",
                Occasion::Escort => "escort",
                Occasion::Interdiction => "interdiction",
            },
            "attacker": self.unit_id(duel.units[0]),
            "defender": self.unit_id(duel.units[1]),
            "hex": duel.hex.is_hex().then(|| self.world.place_name(duel.hex)),
            "zone": self.world.nodes.get(duel.zone.index()).map(|node| node.name.as_str()),
            "dice": duel.dice,
            "result": duel.result.map(crate::tables::CombatResult::code),
        }))
    }

    fn describe_mission(&self, state: &State) -> Option<Value> {
        let mission = &state.mission;
        if mission.errand == Errand::None {
            return None;
        }
        let path: Vec<&str> = mission
            .path
            .iter()
            .filter_map(|node| self.world.nodes.get(node.index()))
            .map(|node| node.name.as_str())
            .collect();
        Some(json!({
            "errand": errand_word(mission.errand),
            "unit": self.unit_id(mission.unit),
            "passenger": self.unit_id(mission.passenger),
            "from": self.world.place_name(mission.from),
            "to": self.world.place_name(mission.to),
            "path": path,
            "escort": self.unit_id(mission.escort),
            "escort_failed": mission.escort_failed,
            "interceptor": self.unit_id(mission.interceptor),
        }))
    }
}

/// Who is not asked in this month, and what about.
fn describe_standing(state: &State) -> Value {
    let words = |faction| {
        let given = Reaction::ALL.into_iter().filter(move |reaction| state.stands(*reaction, faction));
        given.map(|reaction| match reaction {
            Reaction::Intercept => "let all go",
            Reaction::Commit => "hold back all",
        })
    };
    let entries = Faction::ALL
        .into_iter()
        .map(|faction| (faction.word().to_owned(), words(faction).collect::<Vec<_>>()))
        .filter(|(_, words)| !words.is_empty())
        .map(|(faction, words)| (faction, json!(words)));
    Value::Object(entries.collect())
}

fn describe_cup(counts: &[u8; crate::tables::DIPLOMATS]) -> Value {
    let entries = Diplomat::ALL
        .iter()
        .zip(counts)
        .filter(|(_, count)| **count > 0)
        .map(|((id, _), count)| ((*id).to_owned(), json!(count)));
    Value::Object(entries.collect())
}

pub(crate) const fn status_word(status: Status) -> &'static str {
    match status {
        Status::Neutral => "neutral",
        Status::Active => "active",
        Status::Conquered => "conquered",
        Status::Pending => "pending",
        Status::Absent => "absent",
    }
}

const fn manner_word(manner: Manner) -> &'static str {
    match manner {
        Manner::Mobile => "mobile",
        Manner::Assault => "assault",
        Manner::Landing => "landing",
    }
}

const fn errand_word(errand: Errand) -> &'static str {
    match errand {
        Errand::None => "none",
        Errand::Sail => "sail",
        Errand::Transport => "transport",
        Errand::Invasion => "invasion",
        Errand::Bombing => "bombing",
        Errand::Airdrop => "airdrop",
        Errand::Link => "link",
    }
}

#[cfg(test)]
mod tests {
    use kernel::Viewer;

    use super::*;
    use crate::frame::Frame;
    use crate::ids::LANDS;
    use crate::prompts::tests::busy;
    use crate::testing::rules;

    #[test]
    fn a_view_is_described_with_everything_on_the_map() {
        let rules = rules();
        let mut state = busy(&rules);
        state.push(Frame::Activation);
        let value = rules.describe(&rules.view(&state, Viewer::Spectator), None);
        assert_eq!((&value["month"], &value["turn"]), (&json!("1939-09"), &json!(1)));
        let units = value["units"].as_array().expect("a list");
        assert_eq!(units.len(), 5);
        let tanks = units.iter().find(|unit| unit["id"] == "GER-16PZ").expect("the tanks");
        assert_eq!(
            (&tanks["place"], &tanks["strength"], &tanks["city"]),
            (&json!("3132"), &json!("full"), &json!("Breslau"))
        );
        assert!(value["cities"]["axis"].as_array().expect("a list").contains(&json!("berlin")));
        assert_eq!(value["activation"]["points"], 7);
        assert_eq!(value["combat"]["defender"], "POL-LOD");
        assert_eq!(value["mission"]["errand"], "invasion");
        assert!(value["question"]["text"].as_str().expect("a text").contains("XVI Panzer Corps"));
    }

    #[test]
    fn runs_of_control_cover_every_hex_once() {
        let rules = rules();
        let state = busy(&rules);
        let runs = rules.control_runs(&state);
        assert_eq!(runs.iter().map(|(_, length, _)| usize::from(*length)).sum::<usize>(), LANDS);
        assert!(runs.windows(2).all(|pair| pair[0].2 != pair[1].2), "two runs of one side meet");
    }
}
