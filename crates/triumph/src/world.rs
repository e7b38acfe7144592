//! Everything that never changes in a match: the map, nations, units, cards, powers and set-up. Rules 1 to 5.
//!
//! The text files of `data/` are read once. The decks and the set-up can be a user's own.

use std::sync::{Arc, LazyLock};

use diagnostics::Problems;

use crate::areas::AreaSet;
use crate::cards::{ActionCard, Card, Deck, InvestmentCard, Season};
use crate::factions::{Faction, POWERS, Power};
use crate::units::{KINDS, Kind, UnitType};
use crate::world_files;

/// What an area is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Ground {
    Land,
    Strait,
    Sea,
    Ocean,
}

/// The city of an area. Rule 1.12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum City {
    None,
    Town,
    City,
    CapitalCity,
    SubCapital,
    MainCapital,
}

/// An area of the map.
#[derive(Clone, Debug)]
pub struct Area {
    /// Its id: `konigsberg`.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Land, strait, sea or ocean.
    pub ground: Ground,
    /// Its nation or colony; [`NONE`](crate::NONE) at sea.
    pub nation: u8,
    /// Its city.
    pub city: City,
    /// Population.
    pub pop: u8,
    /// Ordinary resources.
    pub res: u8,
    /// Resources that may ship round Africa. Rule 14.24.
    pub red_res: u8,
    /// The CV that is placed here when the nation arms or joins. Rule 1.12.
    pub muster: u8,
    /// Whether it is the capital of its nation.
    pub capital: bool,
    /// Whether it touches a sea.
    pub coastal: bool,
}

/// The type of a border. Rule 1.11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BorderKind {
    Plains,
    River,
    Forest,
    Mountain,
    Strait,
    Coast,
    Sea,
    Ocean,
}

/// A border of the map.
#[derive(Clone, Copy, Debug)]
pub struct Border {
    /// The two areas.
    pub ends: [u8; 2],
    /// Its type.
    pub kind: BorderKind,
    /// Whether ships may go along the coast from one to the other. Rule 11.1.
    pub coastline: bool,
    /// Whether it is the way round Africa. Rule 14.24.
    pub around_africa: bool,
}

/// A way from an area to a neighbour.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The neighbour.
    pub to: u8,
    /// The border that is crossed.
    pub border: u16,
    /// Its type.
    pub kind: BorderKind,
}

/// What a nation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum NationKind {
    Great,
    Major,
    Minor,
    /// A colony of a Power.
    Colony(Power),
}

/// A nation or colony.
#[derive(Clone, Debug)]
pub struct Nation {
    /// Its id: `baltic_states`.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What it is.
    pub kind: NationKind,
    /// The Power that it is, if it has blocks.
    pub power: Option<Power>,
    /// The Faction to which it belongs from the start.
    pub faction: Option<Faction>,
    /// Its capital; [`NONE`](crate::NONE) for Albania.
    pub capital: u8,
    /// Its areas.
    pub areas: AreaSet,
    /// Its areas that muster. Rules 8.2, 15.42.
    pub musters: AreaSet,
    /// The cards that each Rival of a violator draws. Rule 15.41.
    pub reaction: u8,
    /// Whether Diplomacy can touch it while it is Neutral.
    pub diplomacy: bool,
    /// Whether Cadres of its Power are built here. Rule 2.3, ruling R2.
    pub home: bool,
}

/// The fixed figures of a Faction.
#[derive(Clone, Debug)]
pub struct FactionInfo {
    /// Its main capital.
    pub main_capital: u8,
    /// All its main and sub capitals, the main capital first: what Rivals win by. Ruling R33.
    pub capitals: Vec<u8>,
    /// The hand that it may keep. Rule 4.3.
    pub hand_size: u8,
    /// What a factory costs at each level. Rule 7.3.
    pub factory_costs: Vec<u8>,
    /// Unit-moves of an Emergency Command. Rule 10.11.
    pub emergency: u8,
}

/// A group of units of a set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Whose.
    pub power: Power,
    /// Where.
    pub area: u8,
    /// Its type; `None` where the owner chooses.
    pub kind: Option<Kind>,
    /// How many.
    pub count: u8,
    /// The CV of each.
    pub cv: u8,
}

/// The start of 1939, for one Faction. Rule 17.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShortStart {
    /// CV and Cadres to add.
    pub extra: u8,
    /// Cards of each deck.
    pub cards: [u8; 2],
    /// Industry.
    pub ind: u8,
    /// Peace chits.
    pub chits: u8,
}

/// The opening forces. Rules 5, 17.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningForces {
    /// The units, those of the owner's choice first, in the order in which they are asked for.
    pub units: Vec<Placement>,
    /// The first hand of Action cards.
    pub cards: [u8; 3],
    /// Industry at the start.
    pub ind: [u8; 3],
    /// What the start of 1939 adds.
    pub short: [ShortStart; 3],
    /// The nations that the Axis holds in 1939.
    pub short_satellites: Vec<u8>,
    /// The units in them.
    pub short_units: Vec<Placement>,
    /// How many Diplomacy plays the Axis makes before 1939.
    pub short_plays: u8,
}

/// The two decks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decks {
    /// The Action cards.
    pub actions: Vec<ActionCard>,
    /// The Investment cards.
    pub investments: Vec<InvestmentCard>,
}

/// The map and the printed figures, which are the same in every match.
#[derive(Debug)]
pub struct Atlas {
    /// The areas: land and straits first, then seas.
    pub areas: Vec<Area>,
    /// The borders.
    pub borders: Vec<Border>,
    /// The ways out of every area.
    pub(crate) edges: Vec<Edge>,
    /// Where the ways of an area begin.
    pub(crate) edges_from: Vec<u16>,
    /// All neighbours.
    pub near: Vec<AreaSet>,
    /// Neighbours by land: both ends are land or straits.
    pub by_land: Vec<AreaSet>,
    /// Neighbours by sea: one end at least is a sea.
    pub by_sea: Vec<AreaSet>,
    /// Neighbours across coasts, seas and straits, for Trade Routes. Rule 14.21.
    pub by_water: Vec<AreaSet>,
    /// The same without the way round Africa.
    pub by_near_water: Vec<AreaSet>,
    /// Neighbours along a coast, for ships. Rule 11.1.
    pub along_coast: Vec<AreaSet>,
    /// How many borders lie between two areas: one row of all areas after the other.
    pub steps: Vec<u8>,
    /// The straits.
    pub straits: AreaSet,
    /// The oceans.
    pub oceans: AreaSet,
    /// Land that touches a sea.
    pub coastal: AreaSet,
    /// The way round Africa.
    pub around_africa: u16,
    /// The nations.
    pub nations: Vec<Nation>,
    /// The nation of each Power.
    pub power_nation: [u8; POWERS],
    /// The USA.
    pub usa: u8,
    /// Canada, whose invasion brings the USA in. Rule 8.46.
    pub canada: u8,
    /// The nations that can be violated or influenced, as a mask.
    pub minors: u64,
    /// The unit types.
    pub types: [UnitType; KINDS],
    /// How many blocks of each type a Power has.
    pub pools: [[u8; KINDS]; POWERS],
    /// The highest CV of a Power's units.
    pub max_cv: [u8; POWERS],
    /// The Factions.
    pub factions: Vec<FactionInfo>,
    /// Main and sub capitals of each Faction as sets.
    pub capitals: [AreaSet; 3],
    /// Where Cadres of a Power are built.
    pub home: [AreaSet; POWERS],
    /// The home areas of Great Powers, which fall back to their Faction when empty. Rule 1.14.
    pub great_home: [AreaSet; 3],
}

/// What a match is played with: the map, two decks and the opening forces.
#[derive(Clone, Debug)]
pub struct World {
    /// The map and the printed figures.
    pub atlas: &'static Atlas,
    /// The decks.
    pub decks: Arc<Decks>,
    /// The opening forces.
    pub forces: Arc<OpeningForces>,
}

/// The map of the game.
pub static ATLAS: LazyLock<Atlas> =
    LazyLock::new(|| world_files::atlas().unwrap_or_else(|problems| panic!("{problems}")));

/// The decks of the game.
static DECKS: LazyLock<Arc<Decks>> = LazyLock::new(|| {
    let actions = world_files::actions("cards_action.toml", world_files::ACTIONS, &ATLAS);
    let investments = world_files::investments("cards_investment.toml", world_files::INVESTMENTS);
    match (actions, investments) {
        (Ok(actions), Ok(investments)) => Arc::new(Decks { actions, investments }),
        (Err(problems), _) | (_, Err(problems)) => panic!("{problems}"),
    }
});

/// The opening forces of the game.
static FORCES: LazyLock<Arc<OpeningForces>> = LazyLock::new(|| {
    let forces = world_files::forces("setup.toml", world_files::SETUP, &ATLAS);
    Arc::new(forces.unwrap_or_else(|problems| panic!("{problems}")))
});

impl World {
    /// The world of the published game.
    pub fn standard() -> Self {
        Self { atlas: &ATLAS, decks: Arc::clone(&DECKS), forces: Arc::clone(&FORCES) }
    }

    /// The same with other Action cards.
    pub fn with_actions(&mut self, name: &str, text: &str) -> Result<(), Problems> {
        let actions = world_files::actions(name, text, self.atlas)?;
        Arc::make_mut(&mut self.decks).actions = actions;
        Ok(())
    }

    /// The same with other Investment cards.
    pub fn with_investments(&mut self, name: &str, text: &str) -> Result<(), Problems> {
        let investments = world_files::investments(name, text)?;
        Arc::make_mut(&mut self.decks).investments = investments;
        Ok(())
    }

    /// The same with other opening forces.
    pub fn with_forces(&mut self, name: &str, text: &str) -> Result<(), Problems> {
        self.forces = Arc::new(world_files::forces(name, text, self.atlas)?);
        Ok(())
    }

    /// An Action card.
    pub fn action(&self, card: Card) -> &ActionCard {
        &self.decks.actions[card.index()]
    }

    /// An Investment card.
    pub fn investment(&self, card: Card) -> &InvestmentCard {
        &self.decks.investments[card.index()]
    }

    /// The id of a card: `A31`.
    pub fn card_id(&self, card: Card) -> &str {
        match card.deck() {
            Deck::Action => &self.action(card).id,
            Deck::Investment => &self.investment(card).id,
        }
    }

    /// The card of an id.
    pub fn card(&self, id: &str) -> Option<Card> {
        let at = |deck, index: Option<usize>| index.map(|index| Card::new(deck, index as u8));
        let action = self.decks.actions.iter().position(|card| card.id == id);
        let investment = self.decks.investments.iter().position(|card| card.id == id);
        at(Deck::Action, action).or_else(|| at(Deck::Investment, investment))
    }

    /// All cards of a deck as a mask.
    pub fn all_cards(&self, deck: Deck) -> u64 {
        let count = match deck {
            Deck::Action => self.decks.actions.len(),
            Deck::Investment => self.decks.investments.len(),
        };
        if count >= 64 { u64::MAX } else { (1 << count) - 1 }
    }

    /// The Action cards of a season as a mask.
    pub fn of_season(&self, season: Season) -> u64 {
        let cards = self.decks.actions.iter().enumerate();
        cards.filter(|(_, card)| card.season == season).fold(0, |mask, (at, _)| mask | 1 << at)
    }
}
