//! The board: theatres, campaigns, spaces. Rules 1.2 to 1.4, 2.5, 10.2.

use std::sync::LazyLock;

use diagnostics::Problems;
use diagnostics::datafile::{Document, Table, Value};

use crate::units::Class;

/// The most theatres of a board.
pub const MAX_THEATRES: usize = 16;
/// The most spaces of a board.
pub const MAX_SPACES: usize = 48;

/// What may stand on a space. Rule 1.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terrain {
    /// Armies and airforces.
    Land,
    /// Navies and airforces.
    Sea,
    /// Anything.
    Both,
}

impl Terrain {
    const WORDS: [&str; 3] = ["land", "sea", "both"];

    fn parse(word: &str) -> Option<Self> {
        match word {
            "land" => Some(Self::Land),
            "sea" => Some(Self::Sea),
            "both" => Some(Self::Both),
            _ => None,
        }
    }

    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Land => "land",
            Self::Sea => "sea",
            Self::Both => "land or sea",
        }
    }
}

/// What a space does for the side that occupies it. Rule 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs)]
pub enum Effect {
    #[default]
    None,
    Production,
    ImprovedProduction,
    Research,
    ImprovedResearch,
    ResearchIndustry,
    Bombing,
    Tactical,
    Strategic,
    Propaganda,
}

impl Effect {
    /// All, `None` first.
    pub const ALL: [Self; 10] = [
        Self::None,
        Self::Production,
        Self::ImprovedProduction,
        Self::Research,
        Self::ImprovedResearch,
        Self::ResearchIndustry,
        Self::Bombing,
        Self::Tactical,
        Self::Strategic,
        Self::Propaganda,
    ];

    /// Its word in files.
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Production => "production",
            Self::ImprovedProduction => "improved_production",
            Self::Research => "research",
            Self::ImprovedResearch => "improved_research",
            Self::ResearchIndustry => "research_industry",
            Self::Bombing => "bombing",
            Self::Tactical => "tactical",
            Self::Strategic => "strategic",
            Self::Propaganda => "propaganda",
        }
    }

    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "No effect",
            Self::Production => "Industrial production",
            Self::ImprovedProduction => "Improved production",
            Self::Research => "Research",
            Self::ImprovedResearch => "Improved research",
            Self::ResearchIndustry => "Research industry",
            Self::Bombing => "Bombing",
            Self::Tactical => "Tactical advantage",
            Self::Strategic => "Strategic advantage",
            Self::Propaganda => "Propaganda",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effect| effect.word() == word)
    }

    /// Whether it draws tokens from the bag. Rule 9.6.
    #[inline]
    pub const fn is_production(self) -> bool {
        matches!(self, Self::Production | Self::ImprovedProduction)
    }

    /// Whether it draws special weapons. Rule 9.6, ruling R13.
    #[inline]
    pub const fn is_research(self) -> bool {
        matches!(self, Self::Research | Self::ImprovedResearch | Self::ResearchIndustry)
    }
}

/// A space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    /// Its name: `WE.1.3`.
    pub name: String,
    /// The theatre's number.
    pub theatre: u8,
    /// The campaign's number in the theatre.
    pub campaign: u8,
    /// Its place in the campaign, from the left.
    pub place: u8,
    /// What may stand on it.
    pub terrain: Terrain,
    /// What it does.
    pub effect: Effect,
    /// How many units, weapons, track spaces or VP.
    pub n: u8,
}

/// A campaign: a row of spaces with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Campaign {
    /// Its name: "Western Europe II".
    pub label: String,
    /// What it is worth.
    pub vp: u8,
    /// Its spaces as bits.
    pub mask: u64,
}

/// A theatre (in Nippon a city).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theatre {
    /// Its word: `WE`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The face of the difficulty die that names it. Rule 8.3.
    pub die: Option<u8>,
    /// The end of its track on either side.
    pub track_end: i8,
    /// From where on a campaign gives one, and two, VP more.
    pub bonus: [i8; 2],
    /// The red modifier with which it opens. Rule 10.4.
    pub modifier: i8,
    /// Linked theatres as bits.
    pub links: u16,
    /// Its campaigns in order.
    pub campaigns: Vec<Campaign>,
    /// All its spaces as bits.
    pub mask: u64,
}

/// A board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The theatres in the order of the file.
    pub theatres: Vec<Theatre>,
    /// The spaces, theatre by theatre, campaign by campaign, left to right.
    pub spaces: Vec<Space>,
    /// Theatre numbers in the order of the bot's last tie-break. Rule 9.2, ruling R8.
    pub order: Vec<u8>,
    /// The theatres that are open at the start, as bits.
    pub open: u16,
    /// Whether closed theatres make new ones open. Rule 10.4.
    pub opens_cities: bool,
    /// The largest tactical advantage of any space.
    pub most_tactical: i8,
    /// The spaces on which a class may stand.
    standing: [u64; 3],
}

static BASE: LazyLock<Layout> = LazyLock::new(|| builtin("board.toml", BASE_SOURCE));
static NIPPON: LazyLock<Layout> = LazyLock::new(|| builtin("nippon.toml", NIPPON_SOURCE));

/// The text of the base board.
pub const BASE_SOURCE: &str = include_str!("../data/board.toml");
/// The text of the Nippon board.
pub const NIPPON_SOURCE: &str = include_str!("../data/nippon.toml");

#[allow(clippy::panic)]
fn builtin(name: &str, text: &str) -> Layout {
    // A test reads both, so a broken one is never released.
    Layout::parse(name, text).unwrap_or_else(|problems| panic!("{problems}"))
}

impl Layout {
    /// The base board.
    pub fn base() -> &'static Self {
        &BASE
    }

    /// The Nippon board.
    pub fn nippon() -> &'static Self {
        &NIPPON
    }

    /// The spaces on which a class may stand. Rule 4.2.
    #[inline]
    pub fn standing(&self, class: Class) -> u64 {
        match class {
            Class::Army => self.standing[0],
            Class::Navy => self.standing[1],
            Class::Airforce | Class::Monster | Class::Scientist => self.standing[2],
        }
    }

    /// The theatre of a word.
    pub fn theatre(&self, id: &str) -> Option<u8> {
        self.theatres.iter().position(|theatre| theatre.id.eq_ignore_ascii_case(id)).map(|at| at as u8)
    }

    /// The space of a name.
    pub fn space(&self, name: &str) -> Option<u8> {
        self.spaces.iter().position(|space| space.name.eq_ignore_ascii_case(name)).map(|at| at as u8)
    }

    /// Reads a board, or says what is wrong with it.
    pub fn parse(name: &str, text: &str) -> Result<Self, Problems> {
        let mut problems = Problems::new(name, text);
        let document = Document::parse(text, &mut problems);
        let read = document.and_then(|document| read(&mut document.root(), &mut problems));
        match read {
            Some(layout) if !problems.has_errors() => Ok(layout),
            _ => Err(problems),
        }
    }
}

fn read(root: &mut Table<'_>, problems: &mut Problems) -> Option<Layout> {
    let opens_cities = root.has_any(&["max_open"]);
    let open_at_start = root.required("open_theatres_at_start", "a list of theatres", problems)?;
    let open_at_start = open_at_start.texts(problems)?;
    let mut layout = Layout {
        theatres: Vec::new(),
        spaces: Vec::new(),
        order: Vec::new(),
        open: 0,
        opens_cities,
        most_tactical: 0,
        standing: [0; 3],
    };
    let mut links = Vec::new();
    let mut order = Vec::new();
    for mut table in root.tables("theatre", problems)? {
        if layout.theatres.len() >= MAX_THEATRES {
            problems.error(table.span(), format!("more than {MAX_THEATRES} theatres"));
            return None;
        }
        order.push((table.integer("order", 1..=MAX_THEATRES as u8, problems)?, layout.theatres.len() as u8));
        links.push(match table.optional("links") {
            Some(list) => list.texts(problems)?,
            None => Vec::new(),
        });
        let theatre = theatre(&mut table, &mut layout, problems)?;
        layout.theatres.push(theatre);
    }
    order.sort_unstable();
    layout.order = order.into_iter().map(|(_, at)| at).collect();
    for (at, names) in links.iter().enumerate() {
        for name in names {
            match layout.theatre(name.as_str()) {
                Some(other) => layout.theatres[at].links |= 1 << other,
                None => {
                    problems.error(name.span(), format!("there is no theatre {:?}", name.as_str()));
                }
            }
        }
    }
    for name in open_at_start {
        match layout.theatre(name.as_str()) {
            Some(at) => layout.open |= 1 << at,
            None => {
                problems.error(name.span(), format!("there is no theatre {:?}", name.as_str()));
            }
        }
    }
    for (at, space) in layout.spaces.iter().enumerate() {
        let bit = 1 << at;
        layout.standing[0] |= if space.terrain == Terrain::Sea { 0 } else { bit };
        layout.standing[1] |= if space.terrain == Terrain::Land { 0 } else { bit };
        layout.standing[2] |= bit;
        if space.effect == Effect::Tactical {
            layout.most_tactical = layout.most_tactical.max(space.n as i8);
        }
    }
    Some(layout)
}

fn theatre(table: &mut Table<'_>, layout: &mut Layout, problems: &mut Problems) -> Option<Theatre> {
    let id = table.text("id", problems)?.as_str().to_owned();
    let name = table.text("name", problems)?.as_str().to_owned();
    let track_end = table.integer("track_end", 2..=40_i8, problems)?;
    let bonus = [
        table.integer("bonus_1_at", 1..=track_end - 1, problems)?,
        table.integer("bonus_2_at", 1..=track_end - 1, problems)?,
    ];
    let die = table.optional("die").and_then(|die| die.integer(1..=6, problems));
    let modifier = table.optional("modifier").map_or(Some(0), |n| n.integer(0..=track_end - 1, problems))?;
    let number = layout.theatres.len() as u8;
    let mut theatre =
        Theatre { id, name, die, track_end, bonus, modifier, links: 0, campaigns: Vec::new(), mask: 0 };
    for mut campaign in table.tables("campaign", problems)? {
        let label = campaign.text("label", problems)?.as_str().to_owned();
        let vp = campaign.integer("vp", 1..=20, problems)?;
        let mut mask = 0;
        for (place, value) in campaign.list("spaces", problems)?.iter().enumerate() {
            let at = layout.spaces.len();
            if at >= MAX_SPACES {
                problems.error(value.span(), format!("more than {MAX_SPACES} spaces"));
                return None;
            }
            let name = format!("{}.{}.{}", theatre.id, theatre.campaigns.len() + 1, place + 1);
            let (terrain, effect, n) = space(value, problems)?;
            let (campaign, place) = (theatre.campaigns.len() as u8, place as u8);
            layout.spaces.push(Space { name, theatre: number, campaign, place, terrain, effect, n });
            mask |= 1 << at;
        }
        theatre.mask |= mask;
        theatre.campaigns.push(Campaign { label, vp, mask });
    }
    Some(theatre)
}

fn space(value: &Value<'_>, problems: &mut Problems) -> Option<(Terrain, Effect, u8)> {
    let mut table = value.table(problems)?;
    let terrain = table.word("terrain", &Terrain::WORDS, Terrain::parse, problems)?;
    let effect = table.word("effect", &Effect::ALL.map(Effect::word), Effect::parse, problems)?;
    let n = table.integer("n", 0..=9, problems)?;
    table.finish(problems);
    Some((terrain, effect, n))
}

/// The numbers of the bits that are set, lowest first.
#[inline]
pub fn bits(mask: u64) -> impl Iterator<Item = u8> {
    let mut left = mask;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let bit = left.trailing_zeros() as u8;
        left &= left - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule 2.5: five theatres, 13 campaigns, 41 spaces.
    #[test]
    fn the_base_board_is_as_printed() {
        let board = Layout::base();
        let campaigns: usize = board.theatres.iter().map(|theatre| theatre.campaigns.len()).sum();
        assert_eq!((board.theatres.len(), campaigns, board.spaces.len()), (5, 13, 41));
        assert_eq!(board.order, [0, 2, 1, 3, 4]);
        let propaganda = board.spaces.iter().filter(|space| space.effect == Effect::Propaganda);
        assert_eq!(propaganda.map(|space| u32::from(space.n)).sum::<u32>(), 12);
        assert_eq!(board.space("EE.3.5"), Some(27));
        assert_eq!(board.open, 0b11111);
    }

    /// Rule 10.2: fifteen cities of one campaign, four of them open; links go both ways.
    #[test]
    fn the_nippon_board_holds_together() {
        let board = Layout::nippon();
        assert_eq!(board.theatres.len(), 15);
        assert_eq!(board.open.count_ones(), 4);
        assert!(board.theatres.iter().all(|city| city.campaigns.len() == 1));
        for (at, city) in board.theatres.iter().enumerate() {
            for other in bits(u64::from(city.links)) {
                assert!(board.theatres[usize::from(other)].links >> at & 1 != 0, "{} – {other}", city.id);
            }
        }
    }

    #[test]
    fn a_broken_board_is_pointed_at() {
        let text = BASE_SOURCE.replacen("effect = \"bombing\"", "effect = \"bombin\"", 1);
        let why = Layout::parse("board.toml", &text).expect_err("there is no such effect").to_string();
        assert!(why.contains("bombin") && why.contains("bombing"), "{why}");
    }
}
