//! Kinds of battalion: the Battalion Information Table. Rules 1.2 to 1.5, 3.1.

use std::sync::LazyLock;

use diagnostics::Problems;
use diagnostics::datafile::{Document, Table};

/// The file of the table, as it is built in.
pub const BATTALIONS: &str = include_str!("../data/battalions.toml");

/// Rule 1.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Class {
    Infantry,
    Engineers,
    Recon,
    Tank,
    TankDestroyer,
    AssaultGun,
    Antitank,
    Artillery,
    SelfPropelled,
    Headquarters,
}

impl Class {
    /// All.
    pub const ALL: [Self; 10] = [
        Self::Infantry,
        Self::Engineers,
        Self::Recon,
        Self::Tank,
        Self::TankDestroyer,
        Self::AssaultGun,
        Self::Antitank,
        Self::Artillery,
        Self::SelfPropelled,
        Self::Headquarters,
    ];

    /// Its code on the sheet.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Infantry => "INF",
            Self::Engineers => "ENG",
            Self::Recon => "REC",
            Self::Tank => "TNK",
            Self::TankDestroyer => "TD",
            Self::AssaultGun => "SPG",
            Self::Antitank => "ATG",
            Self::Artillery => "ART",
            Self::SelfPropelled => "SPA",
            Self::Headquarters => "HQ",
        }
    }

    fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.code() == code)
    }

    /// Rule 1.3: TNK, TD and SPG.
    #[inline]
    pub const fn is_armour(self) -> bool {
        matches!(self, Self::Tank | Self::TankDestroyer | Self::AssaultGun)
    }

    /// ART and SPA: what fires from afar.
    #[inline]
    pub const fn is_artillery(self) -> bool {
        matches!(self, Self::Artillery | Self::SelfPropelled)
    }

    /// Rule 1.3: any class except HQ, ART and SPA.
    #[inline]
    pub const fn is_combat(self) -> bool {
        !matches!(self, Self::Headquarters | Self::Artillery | Self::SelfPropelled)
    }
}

/// Rule 1.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Mode {
    Leg,
    Motorized,
    Mechanized,
}

impl Mode {
    const WORDS: [&str; 3] = ["LEG", "MOT", "MECH"];

    fn parse(word: &str) -> Option<Self> {
        match word {
            "LEG" => Some(Self::Leg),
            "MOT" => Some(Self::Motorized),
            "MECH" => Some(Self::Mechanized),
            _ => None,
        }
    }

    /// Its word on the sheet.
    pub const fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }
}

/// Rule 1.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Quality {
    Poor,
    Regular,
    Veteran,
}

impl Quality {
    /// All, the lowest first.
    pub const ALL: [Self; 3] = [Self::Poor, Self::Regular, Self::Veteran];
    /// Their words in files.
    pub const WORDS: [&str; 3] = ["poor", "regular", "veteran"];

    /// Reads a word of a file; the sheet's "average" is regular.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "poor" => Some(Self::Poor),
            "regular" | "average" => Some(Self::Regular),
            "veteran" => Some(Self::Veteran),
            _ => None,
        }
    }

    /// Its word in files.
    pub const fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    /// With a capital, as people read it.
    pub const fn title(self) -> &'static str {
        ["Poor", "Regular", "Veteran"][self as usize]
    }
}

/// A row of the table. Rule 3.1.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its word in scenarios.
    pub id: String,
    /// For people.
    pub name: String,
    /// Class.
    pub class: Class,
    /// How it moves.
    pub mode: Mode,
    /// Zones for a Full activation.
    pub moves: u8,
    /// Save Roll Value.
    pub save: u8,
    /// Zones that artillery reaches.
    pub range: u8,
    /// Weight of armour.
    pub weight: u8,
    /// Whether it may lead or support an assault.
    pub assaults: bool,
    /// Whether it has a zone of control.
    pub controls: bool,
    /// Whether it helps against tanks.
    pub antitank: bool,
    /// What it is worth.
    pub points: u8,
}

/// A nation with its historical kinds of battalion.
#[derive(Clone, Debug)]
pub struct Nation {
    /// Its code.
    pub id: String,
    /// The code in small letters, the word of a seat.
    pub word: String,
    /// For people.
    pub name: String,
    /// For battalions without a quality of their own.
    pub default_quality: Quality,
    /// Historical kinds, each with the id of its row in the table.
    pub kinds: Vec<(String, usize)>,
}

/// Stacking points. Rule 4.1.
#[derive(Clone, Copy, Debug)]
pub struct Stacking {
    /// The most that a zone holds.
    pub limit: u8,
    /// A battalion.
    pub battalion: u8,
    /// A detachment.
    pub detachment: u8,
    /// A headquarters.
    pub headquarters: u8,
}

/// The whole file.
#[derive(Clone, Debug)]
pub struct Battalions {
    /// The rows of the table.
    pub kinds: Vec<Kind>,
    /// The nations.
    pub nations: Vec<Nation>,
    /// Stacking points.
    pub stacking: Stacking,
}

impl Battalions {
    /// The table that is built in.
    pub fn builtin() -> &'static Self {
        static TABLE: LazyLock<Battalions> = LazyLock::new(|| {
            Battalions::read("battalions.toml", BATTALIONS).expect("the built-in battalions are in order")
        });
        &TABLE
    }

    /// The row of an id.
    pub fn kind(&self, id: &str) -> Option<&Kind> {
        self.kinds.iter().find(|kind| kind.id == id)
    }

    /// The nation of a code.
    pub fn nation(&self, id: &str) -> Option<&Nation> {
        self.nations.iter().find(|nation| nation.id == id)
    }

    /// Reads the file.
    pub fn read(name: &str, text: &str) -> Result<Self, Problems> {
        let mut problems = Problems::new(name, text);
        let read = Document::parse(text, &mut problems)
            .and_then(|document| read_all(&mut document.root(), &mut problems));
        match read {
            Some(read) if !problems.has_errors() => Ok(read),
            _ => Err(problems),
        }
    }
}

fn read_all(root: &mut Table<'_>, problems: &mut Problems) -> Option<Battalions> {
    root.integer("schema", 1..=1_u8, problems);
    let kinds: Vec<Kind> =
        root.tables("type", problems)?.iter_mut().filter_map(|table| read_kind(table, problems)).collect();
    let mut stacking = root.table("stacking", problems)?;
    let stacking = Stacking {
        limit: stacking.integer("zone_limit_points", 1..=16, problems)?,
        battalion: stacking.integer("battalion_points", 1..=16, problems)?,
        detachment: stacking.integer("detachment_points", 1..=16, problems)?,
        headquarters: stacking.integer("hq_points", 0..=0, problems)?,
    };
    let mut nations = Vec::new();
    for (id, _, value) in root.table("nation", problems)?.entries() {
        let mut table = value.table(problems)?;
        let name = table.text("name", problems)?;
        let default_quality = table.word("default_quality", &Quality::WORDS, Quality::parse, problems)?;
        let mut named = Vec::new();
        for (word, _, value) in table.entries() {
            if word == "name" || word == "default_quality" {
                continue;
            }
            let ids: Vec<&str> = kinds.iter().map(|kind| kind.id.as_str()).collect();
            let kind = value.word(&ids, |id| ids.iter().position(|known| *known == id), problems)?;
            named.push((word.to_owned(), kind));
        }
        nations.push(Nation {
            id: id.to_owned(),
            word: id.to_ascii_lowercase(),
            name: name.as_str().to_owned(),
            default_quality,
            kinds: named,
        });
    }
    root.finish(problems);
    Some(Battalions { kinds, nations, stacking })
}

fn read_kind(table: &mut Table<'_>, problems: &mut Problems) -> Option<Kind> {
    let id = table.text("id", problems)?;
    problems.set_place(format!("type {:?}", id.as_str()));
    let name = table.text("name", problems)?;
    let flag = |table: &mut Table<'_>, key, problems: &mut Problems| {
        table.required(key, "true or false", problems)?.boolean(problems)
    };
    let class = table.word("class", &Class::ALL.map(Class::code), Class::parse, problems)?;
    let kind = Kind {
        id: id.as_str().to_owned(),
        name: name.as_str().to_owned(),
        class,
        mode: table.word("mode", &Mode::WORDS, Mode::parse, problems)?,
        moves: table.integer("move", 1..=4, problems)?,
        save: table.integer("save", 1..=7, problems)?,
        range: table.integer("range", 0..=12, problems)?,
        weight: table.integer("weight", 0..=9, problems)?,
        assaults: flag(table, "assault", problems)?,
        controls: flag(table, "zoc", problems)?,
        antitank: flag(table, "at", problems)?,
        points: table.integer("points", 0..=99, problems)?,
    };
    table.finish(problems);
    let mut must = |holds: bool, what: &str| {
        if !holds {
            problems.error(table.span(), format!("{what}, for a {}", class.code()));
        }
    };
    must((kind.range > 0) == class.is_artillery(), "\"range\" is for ART and SPA, and they need one");
    must((kind.weight > 0) == class.is_armour(), "\"weight\" is for TNK, TD and SPG, and they need one");
    must(!kind.assaults || (class.is_combat() && class != Class::Antitank), "\"assault\" can't be true");
    must(!kind.controls || class.is_combat(), "\"zoc\" can't be true");
    problems.set_place("");
    Some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        let table = Battalions::builtin();
        assert_eq!((table.kinds.len(), table.nations.len()), (29, 6));
        let tiger = table.kind("tnk_super").expect("a row of the table");
        assert_eq!((tiger.moves, tiger.save, tiger.weight), (1, 6, 4));
    }

    #[test]
    fn a_wrong_row_is_pointed_at() {
        let text = BATTALIONS.replacen("range = 0, weight = 0", "range = 4, weight = 0", 1);
        let problems = Battalions::read("x.toml", &text).expect_err("infantry has no range").to_string();
        assert!(
            problems.contains("\"range\" is for ART and SPA") && problems.contains("inf_leg"),
            "{problems}"
        );
    }
}
