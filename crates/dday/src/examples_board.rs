//! The position of a worked example: its scenario, written out in full and read like any other, and the start in it.
//! Rules 16.5, 21, 22.
//!
//! An example names only what matters to it. Everything else is filled in so that it does no harm: the two sides are the
//! United States and Germany, the ground is open, a formation's HQ and an army without any battalion wait off the map
//! until the last turn, and the supply points lie in the lower corners.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use diagnostics::datafile::{Table, Text, Value};
use diagnostics::{Problems, Severity};

use crate::examples_start::{self, StartingPoint, UnitStart};
use crate::rules::Rules;
use crate::scenario::{Scenario, Side};
use crate::settings::Settings;
use crate::state::State;

/// The sides of every example.
pub(crate) const CODES: [&str; 2] = ["US", "GE"];
/// The last turn, when nothing else is said: late enough that what waits for it never comes.
const TURNS: u8 = 60;

/// Reads the position of an example.
pub(crate) fn read(table: &mut Table<'_>, text: &str, problems: &mut Problems) -> Option<(Rules, State)> {
    let (span, errors) = (table.span(), problems.error_count());
    let settings = settings(table, problems)?;
    let mut start = match table.optional("start") {
        Some(value) => examples_start::read_start(value.table(problems)?, problems)?,
        None => StartingPoint::default(),
    };
    let mut draft = Draft { source: text, text: String::new(), pasted: Vec::new() };
    let unit_starts = draft.write(table, &mut start, problems)?;
    if problems.error_count() > errors {
        return None;
    }
    let scenario = draft.read(&span, problems)?;
    let rules = Rules::new(Arc::new(scenario), settings);
    match examples_start::start(&rules, &start, &unit_starts) {
        Ok(start) => Some((rules, start)),
        Err((at, why)) => {
            problems.error(at.unwrap_or(span), format!("this position can't be: {why}"));
            None
        }
    }
}

/// The optional rules of an example. Rule 19.
fn settings(table: &mut Table<'_>, problems: &mut Problems) -> Option<Settings> {
    let mut settings = Settings::rules_1();
    let Some(value) = table.optional("options") else { return Some(settings) };
    let mut table = value.table(problems)?;
    if let Some(value) = table.optional("rules")
        && value.integer(1..=2_u8, problems)? == 2
    {
        settings = Settings::default();
    }
    if let Some(value) = table.optional("rerolls") {
        settings.rerolls = value.integer(0..=20, problems)?;
    }
    settings.random_rally = flag(&mut table, "random_rally", problems)?;
    settings.basic = flag(&mut table, "basic", problems)?;
    settings.gentle = flag(&mut table, "gentle_saves", problems)?;
    table.finish(problems);
    Some(settings)
}

pub(crate) fn flag(table: &mut Table<'_>, key: &'static str, problems: &mut Problems) -> Option<bool> {
    table.optional(key).map_or(Some(false), |value| value.boolean(problems))
}

/// A side by its code.
pub(crate) fn side(value: &Value<'_>, problems: &mut Problems) -> Option<Side> {
    value.word(&CODES, side_of, problems)
}

/// The side of a code.
pub(crate) fn side_of(word: &str) -> Option<Side> {
    CODES.iter().position(|code| *code == word).map(Side::of)
}

/// A number for each side.
pub(crate) fn pair<const MOST: u16>(value: &Value<'_>, problems: &mut Problems) -> Option<[u16; 2]> {
    let numbers = value.integers(&(0..=MOST), problems)?;
    let Ok(pair) = <[u16; 2]>::try_from(numbers) else {
        problems.error(value.span(), "a number for each side").expected("two numbers, such as [3, 0]");
        return None;
    };
    Some(pair)
}

/// The text of the scenario, and which parts of it are copied out of the example, so that complaints about them point
/// there.
struct Draft<'t> {
    source: &'t str,
    text: String,
    pasted: Vec<(Range<usize>, usize)>,
}

/// A formation of the example: its word, whether it has an HQ, whether it is fed from the air.
struct Formation {
    id: String,
    side: usize,
    has_hq: bool,
}

impl Draft<'_> {
    /// Copies a value as it stands in the file.
    fn paste(&mut self, span: Range<usize>) {
        let at = self.text.len();
        self.text.push_str(self.source.get(span.clone()).unwrap_or_default());
        self.pasted.push((at..self.text.len(), span.start));
    }

    /// `key = value`, copied, with a comma before it.
    fn field(&mut self, key: &str, value: &Value<'_>) {
        let _ = write!(self.text, ", {key} = ");
        self.paste(value.span());
    }

    /// Copies those of the keys that are there.
    fn fields(&mut self, table: &mut Table<'_>, keys: &[&'static str]) {
        for key in keys {
            if let Some(value) = table.optional(key) {
                self.field(key, &value);
            }
        }
    }

    /// Writes the scenario. Returns what is to be done to the battalions once they stand.
    fn write(
        &mut self,
        table: &mut Table<'_>,
        start: &mut StartingPoint,
        problems: &mut Problems,
    ) -> Option<Vec<UnitStart>> {
        let mut scenario = match table.optional("scenario") {
            Some(value) => Some(value.table(problems)?),
            None => None,
        };
        let turns = match scenario.as_mut().and_then(|table| table.optional("turns")) {
            Some(value) => value.integer(1..=TURNS, problems)?,
            None => TURNS,
        };
        let landing = scenario.as_mut().and_then(|table| table.optional("landing_side"));
        let rows = self.rows(table, problems)?;
        self.general(&mut scenario, turns, problems)?;
        if let Some(value) = landing {
            self.text.push_str("landing_side = ");
            self.paste(value.span());
            self.text.push('\n');
        }
        let home = self.places(table, &rows, problems)?;
        self.sides(&mut scenario, start, problems)?;
        let fed = match scenario.as_mut().and_then(|table| table.optional("air_supply")) {
            Some(value) => value.texts(problems)?,
            None => Vec::new(),
        };
        let unit_starts = self.units(table, &home, turns, &fed, problems)?;
        self.map(table, &rows, problems)?;
        if let Some(value) = table.optional("blocked") {
            let read = |text: &Text| (text.as_str().to_owned(), text.span());
            start.blocked = value.texts(problems)?.iter().map(read).collect();
        }
        if let Some(table) = scenario {
            table.finish(problems);
        }
        Some(unit_starts)
    }

    /// The rows of the ground: as given, or open.
    fn rows(&mut self, table: &mut Table<'_>, problems: &mut Problems) -> Option<Rows> {
        let Some(value) = table.optional("terrain") else {
            return Some(Rows { cols: 12, rows: 8, span: None });
        };
        let lines = value.texts(problems)?;
        let cols = lines.iter().map(|line| line.as_str().chars().count()).max().unwrap_or(0);
        Some(Rows { cols, rows: lines.len(), span: Some(value.span()) })
    }

    fn general(
        &mut self,
        scenario: &mut Option<Table<'_>>,
        turns: u8,
        problems: &mut Problems,
    ) -> Option<()> {
        let mut get = |key| scenario.as_mut().and_then(|table| table.optional(key));
        let supply = get("supply").map_or(Some(false), |value| value.boolean(problems))?;
        let victory = match get("victory") {
            Some(value) => value.integers(&(0..=200_u8), problems).map(|list| (list, value.span()))?,
            None => (vec![1, 0, 0], 0..0),
        };
        let [win, lose, sudden] = victory.0[..] else {
            problems.error(victory.1, "three numbers").expected("[aggressor_win, defender_win, sudden]");
            return None;
        };
        let _ = writeln!(
            self.text,
            "schema = 1\nid = \"example\"\nname = \"Example\"\ndate = \"1944\"\nsummary = \"\"\nturns = {turns}\n\
             advanced_supply = {supply}\nvictory = {{ aggressor_win = {win}, defender_win = {lose}, sudden = {sudden} }}"
        );
        for (key, default) in [
            ("season", "\"summer\""),
            ("start_hour", "6"),
            ("aggressor", "\"US\""),
            ("first_player", "\"US\""),
        ] {
            let _ = write!(self.text, "{key} = ");
            match get(key) {
                Some(value) => self.paste(value.span()),
                None => self.text.push_str(default),
            }
            self.text.push('\n');
        }
        Some(())
    }

    /// Objectives and supply points. Returns a zone of each side where reinforcements may wait for.
    fn places(&mut self, table: &mut Table<'_>, rows: &Rows, problems: &mut Problems) -> Option<[String; 2]> {
        let corners = [1, rows.cols].map(|column| format!("{column:02}{:02}", rows.rows));
        let mut home = corners.clone();
        self.text.push_str("objective = [");
        match table.optional("objectives") {
            Some(value) => {
                for (at, mut table) in value.tables(problems)?.into_iter().enumerate() {
                    let _ = write!(self.text, "{{ name = \"Objective {}\"", at + 1);
                    self.fields(&mut table, &["zone", "vp", "control"]);
                    self.text.push_str(" }, ");
                    table.finish(problems);
                }
            }
            None => {
                let _ = write!(
                    self.text,
                    "{{ name = \"Objective\", zone = \"{}\", vp = 1, control = \"GE\" }}",
                    corners[1]
                );
            }
        }
        self.text.push_str("]\nsupply = [");
        let mut points = match table.optional("supply_points") {
            Some(value) => Some(value.table(problems)?),
            None => None,
        };
        for (side, code) in CODES.into_iter().enumerate() {
            match points.as_mut().and_then(|table| table.optional(code)) {
                Some(value) => {
                    for (at, zone) in value.texts(problems)?.iter().enumerate() {
                        let _ = write!(self.text, "{{ side = \"{code}\", zone = ");
                        self.paste(zone.span());
                        self.text.push_str(" }, ");
                        if at == 0 && zone.as_str().chars().all(|c| c.is_ascii_digit()) {
                            zone.as_str().clone_into(&mut home[side]);
                        }
                    }
                }
                None => {
                    let _ = write!(self.text, "{{ side = \"{code}\", zone = \"{}\" }}, ", corners[side]);
                }
            }
        }
        self.text.push_str("]\n");
        if let Some(table) = points {
            table.finish(problems);
        }
        Some(home)
    }

    /// Both sides. A side may have at least the supports that it has at hand.
    fn sides(
        &mut self,
        scenario: &mut Option<Table<'_>>,
        start: &StartingPoint,
        problems: &mut Problems,
    ) -> Option<()> {
        let mut get = |key, default: [u16; 2]| match scenario.as_mut().and_then(|table| table.optional(key)) {
            Some(value) => pair::<999>(&value, problems),
            None => Some(default),
        };
        let art = get("art", start.art)?;
        let air = get("air", start.air)?;
        let from = get("air_from_turn", [1, 1])?;
        let limit = get("break", [99, 99])?;
        let opening = match scenario.as_mut().and_then(|table| table.optional("opening_bombardment")) {
            Some(value) => Some(side(&value, problems)?),
            None => None,
        };
        self.text.push_str("side = [");
        for (at, code) in CODES.into_iter().enumerate() {
            let _ = write!(
                self.text,
                "{{ id = \"{code}\", nation = \"{code}\", name = \"{code}\", art_support = {}, air_support = {}, \
                 air_from_turn = {}, break = {}, opening_bombardment = {} }}, ",
                art[at],
                air[at],
                from[at],
                limit[at],
                opening == Some(Side::of(at))
            );
        }
        self.text.push_str("]\n");
        Some(())
    }

    /// The battalions of both sides, with their formations.
    fn units(
        &mut self,
        table: &mut Table<'_>,
        home: &[String; 2],
        turns: u8,
        fed: &[Text],
        problems: &mut Problems,
    ) -> Option<Vec<UnitStart>> {
        let mut unit_starts = Vec::new();
        let mut formations: Vec<Formation> = Vec::new();
        self.text.push_str("unit = [");
        for (at, key) in ["us", "ge"].into_iter().enumerate() {
            formations.push(Formation { id: key.to_owned(), side: at, has_hq: false });
            let tables = table.optional(key).map_or(Some(Vec::new()), |value| value.tables(problems))?;
            let mut battalions = 0;
            for table in tables {
                let waits = (home[at].as_str(), turns);
                battalions += self.unit(table, at, waits, &mut formations, &mut unit_starts, problems)?;
            }
            if battalions == 0 {
                let _ = write!(
                    self.text,
                    "{{ id = \"{key}-reserve\", name = \"{key}\", formation = \"{key}\", type = \"inf_leg\", \
                     arrive = {{ turn = {turns}, zones = [\"{}\"] }} }}, ",
                    home[at]
                );
            }
        }
        for Formation { id, side, has_hq } in &formations {
            if !has_hq {
                let _ = write!(
                    self.text,
                    "{{ id = \"{id}-hq\", name = \"HQ\", formation = \"{id}\", type = \"hq\", \
                     arrive = {{ turn = {turns}, zones = [\"{}\"] }} }}, ",
                    home[*side]
                );
            }
        }
        self.text.push_str("]\nformation = [");
        for Formation { id, side, .. } in &formations {
            let fed = fed.iter().any(|text| text.as_str() == id);
            let _ = write!(
                self.text,
                "{{ id = \"{id}\", side = \"{}\", name = \"{id}\", quality = \"regular\", air_supply = {fed} }}, ",
                CODES[*side]
            );
        }
        self.text.push_str("]\n");
        for text in fed {
            if !formations.iter().any(|formation| formation.id == text.as_str()) {
                let known: Vec<&str> = formations.iter().map(|formation| formation.id.as_str()).collect();
                let what = format!("there is no formation {:?}", text.as_str());
                problems.error(text.span(), what).expected(known.join(" or "));
            }
        }
        Some(unit_starts)
    }

    /// One battalion. Returns whether it is more than an HQ, as a number.
    fn unit(
        &mut self,
        mut table: Table<'_>,
        side: usize,
        (home, turns): (&str, u8),
        formations: &mut Vec<Formation>,
        unit_starts: &mut Vec<UnitStart>,
        problems: &mut Problems,
    ) -> Option<u8> {
        let id = table.text("id", problems)?;
        let kind = table.text("type", problems)?;
        let word = match table.optional("formation") {
            Some(value) => {
                let word = value.text(problems)?;
                if word.as_str().is_empty() || !word.as_str().chars().all(|c| c.is_ascii_alphanumeric()) {
                    problems
                        .error(word.span(), "this is no word for a formation")
                        .expected("letters and digits");
                    return None;
                }
                format!("{}-{}", formations_word(side), word.as_str())
            }
            None => formations_word(side).to_owned(),
        };
        let is_hq = kind.as_str() == "hq";
        match formations.iter_mut().find(|known| known.id == word) {
            Some(known) => known.has_hq |= is_hq,
            None => formations.push(Formation { id: word.clone(), side, has_hq: is_hq }),
        }
        self.text.push_str("{ id = ");
        self.paste(id.span());
        self.text.push_str(", name = ");
        self.paste(id.span());
        self.text.push_str(", type = ");
        self.paste(kind.span());
        let _ = write!(self.text, ", formation = \"{word}\"");
        self.fields(
            &mut table,
            &["quality", "facing", "detachment", "garrison", "fixed_until", "at", "arrive"],
        );
        let one = examples_start::read_unit_start(&mut table, id.as_str(), problems)?;
        if one.gone.is_some() {
            let _ = write!(self.text, ", arrive = {{ turn = {turns}, zones = [\"{home}\"] }}");
        }
        self.text.push_str(" },\n");
        unit_starts.push(one);
        table.finish(problems);
        Some(u8::from(!is_hq))
    }

    fn map(&mut self, table: &mut Table<'_>, rows: &Rows, problems: &mut Problems) -> Option<()> {
        let _ = writeln!(self.text, "[map]\ncols = {}\nrows = {}", rows.cols, rows.rows);
        self.text.push_str("terrain = ");
        match &rows.span {
            Some(span) => self.paste(span.clone()),
            None => {
                let line = format!("\"{}\", ", ".".repeat(rows.cols));
                let _ = write!(self.text, "[{}]", line.repeat(rows.rows));
            }
        }
        for key in ["prepared", "mines"] {
            if let Some(value) = table.optional(key) {
                let _ = write!(self.text, "\n{key} = ");
                self.paste(value.span());
            }
        }
        for (key, word) in [("roads", "road"), ("rivers", "river")] {
            let Some(value) = table.optional(key) else { continue };
            let _ = write!(self.text, "\n{word} = [");
            for path in value.list(problems)? {
                let _ = write!(self.text, "{{ name = \"{word}\"");
                self.field("path", &path);
                self.text.push_str(" }, ");
            }
            self.text.push(']');
        }
        if let Some(value) = table.optional("bridges") {
            self.text.push_str("\nbridge = [");
            for mut table in value.tables(problems)? {
                self.text.push_str("{ name = \"bridge\"");
                self.fields(&mut table, &["at", "wired", "capacity"]);
                match table.optional("state") {
                    Some(value) => self.field("state", &value),
                    None => self.text.push_str(", state = \"intact\""),
                }
                self.text.push_str(" }, ");
                table.finish(problems);
            }
            self.text.push(']');
        }
        self.text.push('\n');
        Some(())
    }

    /// Reads the scenario; what is wrong with it points into the example.
    fn read(&self, span: &Range<usize>, problems: &mut Problems) -> Option<Scenario> {
        let found = match Scenario::read("the scenario of the example", &self.text) {
            Ok((scenario, _)) => return Some(scenario),
            Err(found) => found,
        };
        for problem in found.list().iter().filter(|problem| problem.severity == Severity::Error) {
            let inside = |(piece, _): &&(Range<usize>, usize)| {
                piece.start <= problem.span.start && problem.span.end <= piece.end
            };
            let within = |(piece, _): &&(Range<usize>, usize)| {
                problem.span.start <= piece.start && piece.end <= problem.span.end && !problem.span.is_empty()
            };
            // A complaint about a whole battalion points to its first copied word.
            let at = self.pasted.iter().find(inside).map(|(piece, from)| {
                let start = from + problem.span.start - piece.start;
                start..start + problem.span.len()
            });
            let near = || self.pasted.iter().find(within).map(|(piece, from)| *from..from + piece.len());
            let at = at.or_else(near).unwrap_or_else(|| span.clone());
            let place = if problem.place.is_empty() { String::new() } else { format!("{}: ", problem.place) };
            let copy = problems.error(at, format!("{place}{}", problem.what));
            (copy.expected, copy.hint) = (problem.expected.clone(), problem.hint.clone());
        }
        None
    }
}

/// The word of a side's default formation.
const fn formations_word(side: usize) -> &'static str {
    if side == 0 { "us" } else { "ge" }
}

/// The size of the map, and where its rows stand in the file.
struct Rows {
    cols: usize,
    rows: usize,
    span: Option<Range<usize>>,
}
