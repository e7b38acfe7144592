//! The weights and dated plans of a staff, as a text file has them.

use std::sync::LazyLock;

use diagnostics::Problems;
use diagnostics::datafile::{Document, Table, refuse_huge};

use crate::ids::{Country, Faction, Side};
use crate::scenario_names as names;
use crate::tables::Weather;

/// The staff that is built in.
const STAFF: &str = include_str!("../../data/staff.toml");

const FACTIONS: [&str; 3] = ["axis", "western", "soviet"];
const WEATHERS: [&str; 3] = ["fair", "poor", "severe"];

fn weather(word: &str) -> Option<Weather> {
    WEATHERS.iter().position(|known| *known == word).map(|at| Weather::ALL[at])
}

/// A declaration of war with a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatedPlan {
    /// Who declares.
    pub faction: Faction,
    /// On whom; the USSR for the end of the Pact.
    pub country: Country,
    /// The first turn.
    pub from: u8,
    /// The last turn.
    pub until: u8,
    /// The worst weather that is put up with.
    pub weather: Weather,
    /// What rivals may win by it in neutral countries, in production points, for the die of a declaration gives them Influence.
    pub dare: i32,
    /// So many turns before the first one armies gather at its border.
    pub gather: u8,
}

/// What a neutral country is worth to a faction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suit {
    /// To whom.
    pub faction: Faction,
    /// Which country.
    pub country: Country,
    /// How many production points it would give for it.
    pub worth: i32,
}

/// Where a faction lands, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LandingPlan {
    /// Who lands.
    pub faction: Faction,
    /// The first turn.
    pub from: u8,
    /// The last turn.
    pub until: u8,
    /// The countries, as bits.
    pub countries: u32,
}

/// How eager a faction is in a theatre for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Front {
    /// Who.
    pub faction: Faction,
    /// The theatre, by its place in [`THEATRES`].
    pub theatre: usize,
    /// The first turn.
    pub from: u8,
    /// The last turn.
    pub until: u8,
    /// From 0, it stands, to 100, it goes for the enemy's cities.
    pub eager: i32,
    /// Only while this country is on its side.
    pub with: Option<Country>,
    /// Only while this country fights on another side.
    pub against: Option<Country>,
    /// Whether it stays on this side of the border, however eager it gathers there.
    pub stands: bool,
}

/// Whom a faction watches before there is war: its armies gather at the border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Who watches.
    pub faction: Faction,
    /// Whom.
    pub rival: Faction,
    /// The first turn.
    pub from: u8,
}

/// The words of the theatres.
pub(super) const THEATRES: [&str; 7] = ["west", "north", "east", "balkans", "italy", "africa", "near-east"];

/// What a staff weighs how much, in hundredths, and its plans. The file says what each weight means; `bolder` is nothing for the
/// staff itself and set by the plans of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Weights {
    pub id: String,
    pub about: String,
    pub city: i32,
    pub capital: i32,
    pub factory: i32,
    pub port: i32,
    pub objective: i32,
    pub army: i32,
    pub step: i32,
    pub ground: i32,
    pub attack_from: i32,
    pub pull: i32,
    pub block: i32,
    pub garrison: i32,
    pub supply: i32,
    pub reserve: i32,
    pub sortie: i32,
    pub patience: i32,
    pub nearness: i32,
    pub exploit: i32,
    pub company: i32,
    pub line: i32,
    pub link: i32,
    pub contact: i32,
    pub odds: i32,
    pub point: i32,
    pub aside: i32,
    pub long_block: i32,
    pub bolder: i32,
    pub plans: Vec<DatedPlan>,
    pub landings: Vec<LandingPlan>,
    pub fronts: Vec<Front>,
    pub watches: Vec<Watch>,
    pub suits: Vec<Suit>,
}

/// The built-in staff.
pub(crate) fn built_in() -> &'static Weights {
    static READ: LazyLock<Weights> = LazyLock::new(|| match Weights::read("staff.toml", STAFF) {
        Ok(weights) => weights,
        Err(problems) => panic!("the built-in staff is broken:\n{problems}"),
    });
    &READ
}

/// The staff as a bot: a word and a sentence.
pub(crate) fn own_bots() -> &'static [(&'static str, &'static str)] {
    static WORDS: LazyLock<Vec<(&str, &str)>> =
        LazyLock::new(|| vec![(built_in().id.as_str(), built_in().about.as_str())]);
    &WORDS
}

impl Weights {
    /// What a neutral country is worth to a faction, in production points.
    pub(super) fn suit(&self, faction: Faction, country: Country) -> i32 {
        let suit = self.suits.iter().find(|suit| suit.faction == faction && suit.country == country);
        suit.map_or(0, |suit| suit.worth)
    }

    /// The plan of a faction against a country.
    pub(super) fn plan(&self, faction: Faction, country: Country) -> Option<&DatedPlan> {
        self.plans.iter().find(|plan| plan.faction == faction && plan.country == country)
    }

    /// The side that a faction watches in a turn, whether or not there is war already.
    pub(super) fn rival(&self, faction: Faction, turn: u8) -> Option<Side> {
        let watch = self.watches.iter().find(|watch| watch.faction == faction && watch.from <= turn);
        watch.map(|watch| watch.rival.side())
    }

    /// The countries at whose borders the armies of a faction gather in a turn, as bits.
    pub(super) fn gathered(&self, faction: Faction, turn: u8) -> u32 {
        let now = |plan: &&DatedPlan| {
            plan.faction == faction
                && plan.gather > 0
                && (plan.from.saturating_sub(plan.gather)..=plan.until).contains(&turn)
        };
        self.plans.iter().filter(now).fold(0, |set, plan| set | 1 << plan.country.index())
    }

    /// How eager a plan is on a front where the staff has a date for it: who stands stays where it is.
    pub(super) fn emboldened(&self, eager: i32) -> i32 {
        if eager == 0 { 0 } else { (eager + self.bolder).clamp(1, 100) }
    }

    /// The staff of a file.
    pub fn read(name: &str, text: &str) -> Result<Self, Problems> {
        if let Some(problems) = refuse_huge(name, text) {
            return Err(problems);
        }
        let mut problems = Problems::new(name, text);
        let Some(document) = Document::parse(text, &mut problems) else { return Err(problems) };
        let mut root = document.root();
        root.integer("schema", 1..=1_u8, &mut problems);
        let staffs = root.tables("staff", &mut problems).unwrap_or_default();
        let mut read = staffs.into_iter().next().and_then(|mut table| read_staff(&mut table, &mut problems));
        let plans = root.tables("plan", &mut problems).unwrap_or_default();
        let landings = root.tables("landing", &mut problems).unwrap_or_default();
        let fronts = root.tables("front", &mut problems).unwrap_or_default();
        let watches = root.tables("watch", &mut problems).unwrap_or_default();
        let suits = root.tables("suit", &mut problems).unwrap_or_default();
        if let Some(staff) = &mut read {
            staff.fronts =
                fronts.into_iter().filter_map(|mut front| read_front(&mut front, &mut problems)).collect();
            staff.watches =
                watches.into_iter().filter_map(|mut watch| read_watch(&mut watch, &mut problems)).collect();
            staff.suits =
                suits.into_iter().filter_map(|mut suit| read_suit(&mut suit, &mut problems)).collect();
            staff.plans =
                plans.into_iter().filter_map(|mut plan| read_plan(&mut plan, &mut problems)).collect();
            staff.landings =
                landings.into_iter().filter_map(|mut plan| read_landing(&mut plan, &mut problems)).collect();
        }
        root.finish(&mut problems);
        if read.is_none() && !problems.has_errors() {
            problems.error(0..0, "there is no staff").expected("a table [[staff]]");
        }
        match read {
            Some(staff) if !problems.has_errors() => Ok(staff),
            _ => Err(problems),
        }
    }
}

fn read_staff(table: &mut Table<'_>, problems: &mut Problems) -> Option<Weights> {
    let id = table.text("id", problems)?;
    let about = table.text("about", problems)?;
    let mut weight = |key| table.integer(key, 0..=1000, problems);
    let read = Weights {
        id: id.as_str().to_owned(),
        about: about.as_str().to_owned(),
        city: weight("city")?,
        capital: weight("capital")?,
        factory: weight("factory")?,
        port: weight("port")?,
        objective: weight("objective")?,
        army: weight("army")?,
        step: weight("step")?,
        ground: weight("ground")?,
        attack_from: weight("attack_from")?,
        pull: weight("pull")?,
        block: weight("block")?,
        garrison: weight("garrison")?,
        supply: weight("supply")?,
        reserve: weight("reserve")?,
        sortie: weight("sortie")?,
        patience: weight("patience")?,
        nearness: weight("nearness")?.max(1),
        exploit: weight("exploit")?,
        company: weight("company")?,
        line: weight("line")?,
        link: weight("link")?,
        contact: weight("contact")?,
        odds: weight("odds")?,
        point: weight("point")?,
        aside: weight("aside")?,
        long_block: weight("long_block")?,
        bolder: 0,
        plans: Vec::new(),
        landings: Vec::new(),
        fronts: Vec::new(),
        watches: Vec::new(),
        suits: Vec::new(),
    };
    table.finish(problems);
    Some(read)
}

/// A month such as `1940-04` as a turn.
fn read_turn(table: &mut Table<'_>, key: &'static str, problems: &mut Problems) -> Option<u8> {
    table.text(key, problems).and_then(|text| names::turn(&text, problems))
}

/// The country that a table is about.
fn read_country(table: &mut Table<'_>, problems: &mut Problems) -> Option<Country> {
    let country = table.text("country", problems)?;
    let known = Country::of_id(country.as_str());
    if known.is_none() {
        problems.error(country.span(), "there is no such country").expected("a country such as DEN");
    }
    known
}

fn read_suit(table: &mut Table<'_>, problems: &mut Problems) -> Option<Suit> {
    let suit = Suit {
        faction: table.word("faction", &FACTIONS, Faction::of_word, problems)?,
        country: read_country(table, problems)?,
        worth: table.integer("worth", 0..=200, problems)?,
    };
    table.finish(problems);
    Some(suit)
}

fn read_plan(table: &mut Table<'_>, problems: &mut Problems) -> Option<DatedPlan> {
    let faction = table.word("faction", &FACTIONS, Faction::of_word, problems);
    let plan = DatedPlan {
        faction: faction?,
        country: read_country(table, problems)?,
        from: read_turn(table, "from", problems)?,
        until: read_turn(table, "until", problems)?,
        weather: table.word("weather", &WEATHERS, weather, problems)?,
        dare: table.integer("dare", 0..=1000, problems)?,
        gather: table.integer("gather", 0..=12, problems)?,
    };
    table.finish(problems);
    Some(plan)
}

/// The country that must be on the faction's side or against it, if one is named.
fn read_party(table: &mut Table<'_>, key: &'static str, problems: &mut Problems) -> Option<Country> {
    let named = table.optional(key)?.text(problems)?;
    let known = Country::of_id(named.as_str());
    if known.is_none() {
        problems.error(named.span(), "there is no such country").expected("a country such as ITA");
    }
    known
}

fn read_front(table: &mut Table<'_>, problems: &mut Problems) -> Option<Front> {
    let theatre = |word: &str| THEATRES.iter().position(|known| *known == word);
    let eager = table.integer("eager", 0..=100, problems)?;
    let stands = table.optional("stands").map(|value| value.boolean(problems));
    let front = Front {
        faction: table.word("faction", &FACTIONS, Faction::of_word, problems)?,
        theatre: table.word("theatre", &THEATRES, theatre, problems)?,
        from: read_turn(table, "from", problems)?,
        until: read_turn(table, "until", problems)?,
        eager,
        stands: stands.map_or(Some(eager == 0), |said| said)?,
        with: read_party(table, "with", problems),
        against: read_party(table, "against", problems),
    };
    table.finish(problems);
    Some(front)
}

fn read_watch(table: &mut Table<'_>, problems: &mut Problems) -> Option<Watch> {
    let watch = Watch {
        faction: table.word("faction", &FACTIONS, Faction::of_word, problems)?,
        rival: table.word("rival", &FACTIONS, Faction::of_word, problems)?,
        from: read_turn(table, "from", problems)?,
    };
    table.finish(problems);
    Some(watch)
}

fn read_landing(table: &mut Table<'_>, problems: &mut Problems) -> Option<LandingPlan> {
    let faction = table.word("faction", &FACTIONS, Faction::of_word, problems)?;
    let from = read_turn(table, "from", problems)?;
    let until = read_turn(table, "until", problems)?;
    let countries = table.required("countries", "a list of countries", problems);
    let countries = names::country_set(countries, problems);
    table.finish(problems);
    Some(LandingPlan { faction, from, until, countries })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::turn_of;

    #[test]
    fn the_built_in_staff_is_read() {
        let staff = built_in();
        assert_eq!(staff.id, "staff");
        let against = |country| staff.plans.iter().find(|plan| plan.country == country).map(|plan| plan.from);
        assert_eq!(against(Country::DEN), Some(turn_of(1940, 4)));
        assert_eq!(against(Country::USSR), Some(turn_of(1941, 6)));
    }

    #[test]
    fn a_rival_is_watched_from_its_month_on() {
        let staff = built_in();
        assert_eq!(staff.rival(Faction::Axis, turn_of(1941, 2)), None);
        assert_eq!(staff.rival(Faction::Axis, turn_of(1941, 3)), Some(Side::Soviet));
        assert_eq!(staff.rival(Faction::Western, turn_of(1945, 1)), None);
    }

    #[test]
    fn a_wrong_word_is_pointed_at() {
        let said = |from: &str, to: &str| {
            Weights::read("my.toml", &STAFF.replacen(from, to, 1)).expect_err("a mistake").to_string()
        };
        assert!(said("capital = ", "captial = ").contains("\"capital\" is missing"));
        assert!(said("\"1940-04\"", "\"1940-14\"").contains("1940-14"));
        assert!(said("\"DEN\"", "\"DNK\"").contains("no such country"));
        assert!(said("with = \"ITA\"", "with = \"ITL\"").contains("no such country"));
        assert!(said("rival = \"soviet\"", "rival = \"russia\"").contains("russia"));
    }
}
