//! The view as text, for the terminal and for people who listen to it: the state of the war, who stands where by theatre,
//! and the surroundings of what is under way.

use std::fmt::Write as _;

use crate::describe::EVENTS;
use crate::ids::{City, Country, Faction, Place, Side, UnitId};
use crate::markers::Owner;
use crate::rules::Rules;
use crate::state::{State, Status, Supply, flag};
use crate::view::View;
use crate::words::{capitalized, count, event_title, faction_adjective, month_words, phase_title, the_side};
use crate::world::{Climate, Hexside, Kind, Terrain};

/// The theatres of the war: the countries of each, by the hex where a unit stands.
const THEATRES: [(&str, &[Country]); 7] = [
    ("Germany and Poland", &[Country::GER, Country::POL]),
    (
        "West",
        &[
            Country::FRA,
            Country::UK,
            Country::BEL,
            Country::NED,
            Country::IRE,
            Country::SPA,
            Country::POR,
            Country::SWI,
        ],
    ),
    ("North", &[Country::DEN, Country::NOR, Country::SWE, Country::FIN]),
    ("East", &[Country::USSR, Country::EST, Country::LAT, Country::LIT]),
    ("Balkans", &[Country::HUN, Country::ROM, Country::BUL, Country::YUG, Country::GRE]),
    ("Italy", &[Country::ITA]),
    ("Turkey and the Near East", &[Country::TUR, Country::IRQ, Country::PER, Country::VIC]),
];

/// The names of the six directions.
const DIRECTIONS: [&str; 6] = ["east", "west", "north-east", "north-west", "south-east", "south-west"];
/// How many hexes around its middle the small map shows.
const RADIUS: i16 = 3;

impl Rules {
    /// The view as text.
    pub(crate) fn picture(&self, view: &View<'_>) -> String {
        let state = view.state();
        let mut out = String::new();
        self.header_text(state, &mut out);
        for side in Side::ALL {
            self.side_text(state, side, &mut out);
        }
        self.neutrals_text(state, &mut out);
        for (title, countries) in THEATRES {
            self.theatre_text(state, title, |info| !info.1 && countries.contains(&info.0), &mut out);
        }
        self.theatre_text(state, "Overseas", |info| info.1, &mut out);
        self.boxes_text(state, &mut out);
        self.taken_text(state, &mut out);
        if let Some(middle) = self.middle(state) {
            self.surroundings_text(state, middle, &mut out);
        }
        out
    }

    fn header_text(&self, state: &State, out: &mut String) {
        let zones = [Climate::Cold, Climate::Mild, Climate::Warm];
        let weather: Vec<String> = zones
            .iter()
            .map(|zone| format!("{} {}", zone.title(), state.weather[*zone as usize].title()))
            .collect();
        let title = match self.scenario().title.as_str() {
            "" => String::new(),
            title => format!("{title}. "),
        };
        let _ = writeln!(
            out,
            "{title}{}, {} ({})",
            month_words(state.turn),
            phase_title(state.phase),
            faction_adjective(state.acting)
        );
        let _ = writeln!(out, "Weather: {}", weather.join(", "));
        let occurred: Vec<&str> =
            EVENTS.into_iter().filter(|bit| state.occurred(*bit)).map(event_title).collect();
        if !occurred.is_empty() {
            let _ = writeln!(out, "Events: {}", occurred.join(", "));
        }
        let _ = writeln!(out, "Now: {}", self.prompt(state).waiting);
    }

    /// Countries of a side with National Will and points, and its markers.
    fn side_text(&self, state: &State, side: Side, out: &mut String) {
        let mut countries = Vec::new();
        for country in Country::all() {
            let entry = state.country(country);
            if entry.status == Status::Active && entry.side == side {
                countries.push(format!(
                    "{} (Will {}, {})",
                    self.world.country(country).name,
                    entry.will,
                    count(entry.points, "point")
                ));
            }
        }
        if countries.is_empty() {
            return;
        }
        let _ = writeln!(out, "\n{}: {}", capitalized(the_side(side)), countries.join(", "));
        let conquered: Vec<&str> = Country::all()
            .filter(|country| {
                let entry = state.country(*country);
                entry.status == Status::Conquered && entry.side == side
            })
            .map(|country| self.world.country(country).name.as_str())
            .collect();
        if !conquered.is_empty() {
            let _ = writeln!(out, "  Conquered: {}", conquered.join(", "));
        }
        let Some(faction) = side.faction() else { return };
        let markers: Vec<String> = self
            .slot_owners()
            .iter()
            .enumerate()
            .filter(|(slot, (_, owner))| state.ready[*slot] > 0 && self.is_of(state, *owner, faction))
            .map(|(slot, (marker, owner))| {
                let of = match owner {
                    Owner::Country(country) => format!(" ({})", self.world.country(*country).nationality),
                    Owner::Faction(_) => String::new(),
                };
                match state.ready[slot] {
                    1 => format!("{}{of}", self.marker_name(*marker)),
                    many => format!("{many} {}{of}", self.marker_name(*marker)),
                }
            })
            .collect();
        if !markers.is_empty() {
            let _ = writeln!(out, "  Markers: {}", markers.join(", "));
        }
    }

    fn is_of(&self, state: &State, owner: Owner, faction: Faction) -> bool {
        match owner {
            Owner::Country(country) => state.country(country).side == faction.side(),
            Owner::Faction(known) => known == faction,
        }
    }

    fn neutrals_text(&self, state: &State, out: &mut String) {
        let leaning: Vec<String> = Country::all()
            .filter(|country| state.country(*country).status == Status::Neutral)
            .filter_map(|country| {
                let pro = state.country(country).pro?;
                Some(format!("{} (Pro-{})", self.world.country(country).name, faction_adjective(pro)))
            })
            .collect();
        if !leaning.is_empty() {
            let _ = writeln!(out, "\nNeutral and leaning: {}", leaning.join(", "));
        }
    }

    /// The units in the hexes of some countries, country by country.
    fn theatre_text(
        &self,
        state: &State,
        title: &str,
        here: impl Fn((Country, bool)) -> bool,
        out: &mut String,
    ) {
        let mut lines = Vec::new();
        for country in Country::all() {
            let units: Vec<String> = UnitId::all()
                .filter(|unit| self.world.unit(*unit).country == country)
                .filter(|unit| {
                    let place = state.unit(*unit).place;
                    place.is_hex() && {
                        let hex = self.world.hex(place);
                        here((hex.country, hex.area != crate::world::NO_AREA))
                    }
                })
                .map(|unit| self.unit_text(state, unit))
                .collect();
            if !units.is_empty() {
                lines.push(format!("  {}: {}", self.world.country(country).name, units.join("; ")));
            }
        }
        if !lines.is_empty() {
            let _ = writeln!(out, "\n{title}\n{}", lines.join("\n"));
        }
    }

    /// "6th Army at 3022 Cologne (reduced, Low Supply)".
    fn unit_text(&self, state: &State, unit: UnitId) -> String {
        let (info, now) = (self.world.unit(unit), state.unit(unit));
        let place = match self.world.city_at(now.place) {
            Some(city) => format!("{} {}", self.world.place_name(now.place), self.city_name(city)),
            None => self.place_words(now.place),
        };
        let mut notes = Vec::new();
        if info.kind.is_ground() && now.level > 0 {
            notes.push("reduced".to_owned());
        }
        if !info.kind.is_ground() && now.level > 0 {
            notes.push(count(now.level, "Sortie"));
        }
        if now.supply != Supply::Full {
            notes.push(format!("{} Supply", now.supply.title()));
        }
        if now.has(flag::DONE) {
            notes.push("activated".to_owned());
        }
        if now.has(flag::ENDED) {
            notes.push("ended".to_owned());
        }
        let kind = match info.kind {
            Kind::Tank | Kind::Motorised | Kind::Bomber | Kind::Airborne | Kind::Carrier => {
                format!(", {}", info.kind.word())
            }
            _ => String::new(),
        };
        let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
        format!("{}{kind} at {place}{notes}", info.name)
    }

    /// Map Boxes and Mobilization Boxes.
    fn boxes_text(&self, state: &State, out: &mut String) {
        for place in [Place::CRU, Place::ENA, Place::WIO, Place::POOL] {
            let names: Vec<String> = UnitId::all()
                .filter(|unit| state.unit(*unit).place == place)
                .map(|unit| self.bare_name(unit))
                .collect();
            if !names.is_empty() {
                let title = self.place_words(place);
                let _ = writeln!(
                    out,
                    "\n{}: {}",
                    capitalized(title.trim_start_matches("the ")),
                    names.join(", ")
                );
            }
        }
    }

    /// Cities that their country's side does not hold.
    fn taken_text(&self, state: &State, out: &mut String) {
        for side in Side::ALL {
            let taken: Vec<&str> = City::all()
                .filter(|city| {
                    let info = self.world.city(*city);
                    let owner = state.country(self.owner(state, info.hex));
                    let own = owner.status != Status::Neutral && owner.side == side;
                    state.controller(info.hex) == side && !own && self.scenario().in_play(info.hex)
                })
                .map(|city| self.city_name(city))
                .collect();
            if !taken.is_empty() {
                let _ = writeln!(out, "\nForeign cities held by {}: {}", the_side(side), taken.join(", "));
            }
        }
    }

    /// The hex around which something is decided.
    fn middle(&self, state: &State) -> Option<Place> {
        let unit_at = |unit: UnitId| unit.some().map(|unit| state.unit(unit).place);
        let places = [Some(state.fight.hex), unit_at(state.activation.unit), Some(state.mission.to)];
        places.into_iter().flatten().find(|place| place.is_hex())
    }

    /// A small map of the hexes around one, and its neighbours one by one.
    fn surroundings_text(&self, state: &State, middle: Place, out: &mut String) {
        let _ = writeln!(out, "\nAround {}", self.place_words(middle));
        let centre = self.world.hex(middle);
        for down in -RADIUS..=RADIUS {
            let row = i16::from(centre.row) + down;
            let _ = write!(out, "  {:>2} ", row.max(0));
            // Even rows lie half a hex to the right.
            if row % 2 == 0 {
                out.push_str("   ");
            }
            for right in -RADIUS..=RADIUS {
                let column = i16::from(centre.col) + right;
                let hex = u8::try_from(row)
                    .ok()
                    .zip(u8::try_from(column).ok())
                    .and_then(|(row, col)| self.world.at(row, col));
                let cell = hex.map_or_else(|| "  ~".to_owned(), |hex| self.cell(state, hex, hex == middle));
                let _ = write!(out, "{cell:<6}");
            }
            while out.ends_with(' ') {
                out.pop();
            }
            out.push('\n');
        }
        out.push_str("  ~ sea, . clear, d desert, h hills, s swamp, w woods; * city, # fort; units: A Axis, W Western, S Soviet, L Lone\n");
        out.push_str(
            "  with i infantry, s shock, p airborne, g garrison, m motorised, t tanks; [ ] the middle\n",
        );
        for (direction, near) in self.world.hex(middle).near.iter().enumerate() {
            let words = if near.is_hex() {
                self.neighbour_text(state, middle, direction, *near)
            } else {
                "sea or the edge of the map".to_owned()
            };
            let _ = writeln!(out, "  {}: {words}", DIRECTIONS[direction]);
        }
    }

    /// A few letters for a hex: whose ground unit of which kind, city or fort, or else the terrain.
    fn cell(&self, state: &State, hex: Place, is_middle: bool) -> String {
        let info = self.world.hex(hex);
        let terrain = match info.terrain {
            Terrain::Clear => '.',
            Terrain::Desert => 'd',
            Terrain::Hills => 'h',
            Terrain::Swamp => 's',
            Terrain::Woods => 'w',
        };
        let feature = match (self.has_fort(state, hex), info.city.some()) {
            (true, _) => Some('#'),
            (false, Some(_)) => Some('*'),
            (false, None) => None,
        };
        let inside = match state.ground_at(hex) {
            Some(unit) => {
                let side = match self.side_of(state, unit) {
                    Side::Axis => 'A',
                    Side::Western => 'W',
                    Side::Soviet => 'S',
                    Side::Lone | Side::Nobody => 'L',
                };
                format!("{side}{}{}", kind_letter(self.kind(unit)), feature.unwrap_or(' '))
            }
            None => format!(" {} ", feature.unwrap_or(terrain)),
        };
        if is_middle { format!("[{}]", inside.trim()) } else { format!(" {inside}") }
    }

    /// "3033 near Lodz, clear, across a river; the Lodz Army (full strength)".
    fn neighbour_text(&self, state: &State, middle: Place, direction: usize, near: Place) -> String {
        let terrain = match self.world.hex(near).terrain {
            Terrain::Clear => "clear",
            Terrain::Desert => "desert",
            Terrain::Hills => "hills",
            Terrain::Swamp => "swamp",
            Terrain::Woods => "woods",
        };
        let between = match self.world.hex(middle).sides[direction] {
            Hexside::Clear => "",
            Hexside::River => ", across a river",
            Hexside::Canal => ", across a canal",
            Hexside::Mountain => ", across mountains",
            Hexside::Strait => ", across a strait",
            Hexside::Water => ", across water",
        };
        let holder = match state.controller(near) {
            Side::Nobody => "closed".to_owned(),
            side => format!("held by {}", the_side(side)),
        };
        let unit = match state.ground_at(near) {
            Some(unit) => format!("; {} ({})", self.unit_name(unit), self.condition(state, unit)),
            None => String::new(),
        };
        format!("{}, {terrain}{between}, {holder}{unit}", self.place_words(near))
    }
}

const fn kind_letter(kind: Kind) -> char {
    match kind {
        Kind::Infantry => 'i',
        Kind::Shock => 's',
        Kind::Airborne => 'p',
        Kind::Garrison => 'g',
        Kind::Motorised => 'm',
        _ => 't',
    }
}

#[cfg(test)]
mod tests {
    use kernel::Viewer;

    use crate::frame::Frame;
    use crate::prompts::tests::busy;
    use crate::testing::rules;

    #[test]
    fn the_picture_tells_who_stands_where() {
        let rules = rules();
        let mut state = busy(&rules);
        state.push(Frame::Activation);
        let text = rules.picture(&rules.view(&state, Viewer::Spectator));
        for part in [
            "September 1939, Weather (Axis)",
            "Now: Waiting for the Axis to move the XVI Panzer Corps",
            "The Axis: Germany (Will 20, 99 points)",
            "XVI Panzer Corps, tank at 3132 Breslau",
            "Lodz Army at 3033",
            "Around 3033",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
        assert!(text.lines().all(|line| line.len() < 2_000) && text.lines().count() < 80, "{text}");
    }

    #[test]
    fn the_small_map_has_a_row_for_every_row_around() {
        let rules = rules();
        let mut state = busy(&rules);
        state.push(Frame::Activation);
        let text = rules.picture(&rules.view(&state, Viewer::Spectator));
        let rows: Vec<&str> =
            text.lines().skip_while(|line| !line.starts_with("Around")).skip(1).take(7).collect();
        assert!(rows[0].trim_start().starts_with("27") && rows[6].trim_start().starts_with("33"), "{rows:?}");
        assert!(rows[3].contains("[Wi]"), "the middle is not marked: {rows:?}");
        assert!(text.contains("At"), "the tanks are not on the small map:\n{text}");
    }
}
