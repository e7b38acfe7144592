//! What happened, as typed data; the words stand in `log_lines`.

use crate::ids::{City, Country, Faction, Node, Place, Side, UnitId};
use crate::markers::Marker;
use crate::standing::Reaction;
use crate::state::{Errand, Manner, Occasion, Supply};
use crate::tables::{CombatResult, Diplomat, Line, Weather};

/// The most lines of modifiers that one side of a combat can have.
pub const MOST_LINES: usize = 20;

/// How one side of a combat came to its value: every line that counts, the die, the halvings. Rule 5.1 steps 4 and 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sum {
    /// The lines and what each gives; the first `count` are used.
    pub lines: [(Line, i8); MOST_LINES],
    /// How many lines there are.
    pub count: u8,
    /// Halvings after the roll.
    pub halvings: u8,
    /// The die, or 0 before it is rolled.
    pub die: u8,
}

impl Sum {
    /// A sum of nothing.
    pub const EMPTY: Self = Self { lines: [(Line::Germany, 0); MOST_LINES], count: 0, halvings: 0, die: 0 };

    /// Adds a line.
    pub fn add(&mut self, line: Line, value: i8) {
        if value != 0 && usize::from(self.count) < MOST_LINES {
            self.lines[usize::from(self.count)] = (line, value);
            self.count += 1;
        }
    }

    /// The lines.
    pub fn lines(&self) -> &[(Line, i8)] {
        &self.lines[..usize::from(self.count)]
    }

    /// The modifiers added up, not yet capped.
    pub fn total(&self) -> i8 {
        self.lines().iter().map(|(_, value)| *value).sum()
    }
}

/// Why National Will changes (2.1.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WillCause {
    /// A field unit was eliminated while defending.
    UnitLost(UnitId),
    /// A city was lost or regained.
    City(City),
    /// A Disputed Area was ceded to the USSR.
    Ceded(u8),
    /// The Axis conquered a country.
    Conquest(Country),
    /// A great power collapsed.
    Collapse(Country),
    /// A Coup, or another marker of the Diplomacy Cup.
    Diplomacy(Diplomat),
    /// National Will starts anew: activation, crisis, liberation.
    Reset,
}

/// How a unit was lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// In combat, defending.
    Defending,
    /// In combat, attacking.
    Attacking,
    /// By No Supply.
    Supply,
    /// By more Sorties than it can have.
    Sorties,
    /// It had nowhere to go (3.3).
    Displaced,
    /// Its country was conquered, or it left the war.
    Country,
}

/// Something that happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEvent {
    /// A turn begins.
    Turn(u8),
    /// The weather of a zone (Cold, Mild, Warm), with its die or 0 where a scenario gives it.
    Weather(u8, u8, Weather),
    /// A country has this many points to spend.
    Income(Country, i16),
    /// A unit was activated for so many points, paid by a country.
    Activated(UnitId, i16, Country),
    /// A ground unit moved.
    Stepped(UnitId, Place, Place),
    /// A ground unit's activation is over.
    Stopped(UnitId),
    /// An attack: how, with whom, on whom, where.
    Attack(Manner, UnitId, [UnitId; 2], UnitId, Place),
    /// A side shows its commit marker: attacker or not, will or not.
    Shown(Side, bool),
    /// A player gives a standing answer for this month.
    StandsBy(Faction, Reaction),
    /// A side commits an air unit.
    AirCommitted(UnitId),
    /// A side commits or plays a marker.
    Played(Side, Marker),
    /// A ground combat was rolled: both sums, the result.
    Fought(UnitId, UnitId, Place, Sum, Sum, CombatResult),
    /// An air or naval combat was rolled.
    Dueled(Occasion, UnitId, UnitId, Sum, Sum, CombatResult),
    /// A strategic combat: against the West or the Soviets, both sums, the result, Fac Lost of Germany and of the Ally.
    Strategic(Faction, Sum, Sum, CombatResult, u8, u8),
    /// A unit retreated.
    Retreated(UnitId, Place, Place),
    /// A unit can't retreat and stays.
    HeldOut(UnitId),
    /// A unit lost a step.
    Reduced(UnitId),
    /// A unit added Sorties and has so many now.
    Sorties(UnitId, u8, u8),
    /// A unit was lost.
    Lost(UnitId, Loss),
    /// A unit was taken off by sea.
    Evacuated(UnitId),
    /// A unit advanced.
    Advanced(UnitId, Place),
    /// A No EZOC marker was put in a hex.
    NoEzoc(Place),
    /// A hex with a city, port or fort changed hands.
    Captured(Place, Side, Side),
    /// National Will changed by so much, and is this now.
    Will(Country, i16, i16, WillCause),
    /// A unit was displaced (3.3).
    Displaced(UnitId, Place, Place),
    /// A unit went to the nearest legal hex (30.3).
    Relocated(UnitId, Place, Place),
    /// A unit was placed: set-up, event, mobilization.
    Placed(UnitId, Place),
    /// A unit entered the Mobilization Box.
    Pooled(UnitId),
    /// A unit took the place of another (8.2).
    Upgraded(UnitId, UnitId),
    /// A unit moved in the Strategic Movement Phase.
    Railed(UnitId, Place, Place),
    /// An air unit rebased.
    Rebased(UnitId, Place, Place),
    /// A mission set out: errand, unit, passenger, where to.
    SetOut(Errand, UnitId, UnitId, Place),
    /// A unit escorts it.
    Escorted(UnitId),
    /// A unit intercepts it, at sea or in the air.
    Intercepted(UnitId, Node),
    /// The mission was interdicted.
    Interdicted(Errand, UnitId),
    /// The invasion was called off.
    CalledOff(UnitId),
    /// A naval unit arrived.
    Arrived(UnitId, Place),
    /// A unit landed from the sea, or was dropped.
    Landed(UnitId, Place),
    /// A Bombed marker was placed.
    Bombed(UnitId, City),
    /// Partisans were placed in a hex, or leave it.
    Partisans(Faction, Place, bool),
    /// A Mulberry was placed.
    Mulberry(Place),
    /// An Atlantic Wall fort was built or is gone.
    Wall(Place, bool),
    /// The supply of a unit changed.
    Supplied(UnitId, Supply, Supply),
    /// A sea link: convoy, far end, home end.
    Linked(UnitId, Place, Place),
    /// A replacement was bought.
    Replaced(UnitId, i16),
    /// A unit was mobilized.
    Mobilized(UnitId, Place, i16),
    /// A Surprise Attack marker was ordered; it comes in a turn.
    Ordered(Faction, u8),
    /// A Factory was moved east.
    FactoryMoved(City),
    /// Lend-Lease: points to the UK and to the USSR.
    LendLease(i16, i16),
    /// The Pact was evaluated: die, and whether it ended.
    PactEvaluated(u8, bool),
    /// The Pact ended.
    PactEnded,
    /// War was declared on a country.
    Declared(Faction, Country),
    /// Peace was made with a Lone country.
    Peace(Country),
    /// A die decided who applies Influence.
    InfluenceDie(u8, Option<Faction>),
    /// A faction applied Influence to a country: 0 placed, 1 activated, 2 removed.
    Influence(Faction, Country, u8),
    /// A Pro-marker was placed, or removed.
    ProMarker(Country, Option<Faction>),
    /// A marker was drawn from the Cup.
    Drew(Faction, Diplomat),
    /// A marker was put into the Cup.
    PutIn(Faction, Diplomat),
    /// A Coup: die and country.
    Coup(Faction, Country, u8),
    /// A country activated on a side.
    Joined(Country, Side),
    /// A country became neutral, or left the war.
    Left(Country),
    /// A country was absorbed.
    Absorbed(Country, Faction),
    /// A country is in crisis (13.2).
    Crisis(Country),
    /// A country was conquered by a side.
    Conquered(Country, Side),
    /// A country was liberated by a faction.
    Liberated(Country, Faction),
    /// A Disputed Area was ceded.
    CededArea(u8),
    /// An Overseas Area of France: die; Vichy or Western.
    FrenchArea(u8, u8, bool),
    /// A French naval unit: die; Free French or lost.
    FrenchFleet(UnitId, u8, bool),
    /// A conditional event occurred; see [`crate::state::event`].
    Occurred(u8),
    /// The die of a unit that is due with the variable timeline: whether it comes.
    Entry(UnitId, u8, bool),
    /// The Low Countries are invaded.
    LowCountries,
    /// The game is over with a result of the scenario.
    Verdict(u8),
}
