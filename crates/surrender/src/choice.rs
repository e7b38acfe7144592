//! One atomic decision of a seat or of Fate. Rule 1.5.

use crate::ids::{City, Country, Place, UnitId};
use crate::markers::Marker;
use crate::tables::Diplomat;

/// A choice. Which of them can be made is a matter of the question that waits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Choice {
    /// Fate: a die.
    Die(u8),
    /// Fate: a marker from the Diplomacy Cup.
    Drawn(Diplomat),
    /// Nothing, or nothing more.
    Pass,
    /// The sub-phase is over.
    End,
    /// Evaluate the Pact.
    Evaluate,
    /// End the Pact.
    EndPact,
    /// Declare war on a country.
    Declare(Country),
    /// Make peace with a Lone country.
    Peace(Country),
    /// Apply Influence to a country.
    Influence(Country),
    /// Lend-Lease: to nobody (0), the UK (1), the USSR (2), both (3).
    LendLease(u8),
    /// Relocate a Factory.
    Relocate(City),
    /// Move a unit by rail or air in the Strategic Movement Phase.
    Rail(UnitId),
    /// To a place, a base, the other end of a link, or where a new unit arrives.
    To(Place),
    /// Play an operations marker.
    Play(Marker),
    /// Activate a ground unit.
    Activate(UnitId),
    /// Assault a hex.
    Assault(Place),
    /// Rebase an air unit.
    Rebase(UnitId),
    /// Sail a naval unit.
    Sail(UnitId),
    /// Carry somebody with a convoy.
    Transport(UnitId),
    /// Land an army from the sea.
    Invade(UnitId),
    /// Make an Air Strike.
    Strike(UnitId),
    /// Make a Bombing Run.
    Bomb(UnitId),
    /// Drop an airborne unit.
    Drop(UnitId),
    /// Place Partisans.
    Partisans(Place),
    /// Invade the Low Countries (scenario France 1940).
    LowCountries,
    /// Step into a hex or the Central Russia Box.
    Step(Place),
    /// Attack a hex.
    Attack(Place),
    /// The activation is over.
    Stop,
    /// Advance into the hex.
    Advance,
    /// Stay where one is.
    Stay,
    /// The Primary Attacker.
    Primary(UnitId),
    /// With this unit: an Additional Attacker, a passenger, a convoy, an air unit.
    With(UnitId),
    /// Begin the combat.
    Go,
    /// Use a marker.
    Use(Marker),
    /// Will Commit.
    Commit,
    /// Will Not Commit.
    HoldBack,
    /// Will Not Commit, in this and every other combat in which one defends in this month.
    HoldBackAll,
    /// Commit an air unit.
    Air(UnitId),
    /// Stand fast in a fort.
    Stand,
    /// Leave a fort.
    GiveWay,
    /// Retreat to a hex.
    Retreat(Place),
    /// Take the unit off by sea.
    Evacuate,
    /// This unit advances.
    Forward(UnitId),
    /// Land at a hex, drop at a hex, bomb a hex.
    At(Place),
    /// Strike this unit.
    Against(UnitId),
    /// Escort by a unit.
    Escort(UnitId),
    /// No escort.
    Alone,
    /// Intercept with a unit.
    Intercept(UnitId),
    /// Do not intercept, or let the mission go.
    LetGo,
    /// Do not intercept this mission, nor any other in this month.
    LetAllGo,
    /// Call the invasion off.
    CallOff,
    /// Go on all the same.
    GoOn,
    /// Attack the mission unit.
    Press,
    /// Place the Mulberry.
    Mulberry,
    /// Make a sea link with a convoy.
    Link(UnitId),
    /// Feed a unit from a Limited source, or by air.
    Feed(UnitId),
    /// Replace a unit.
    Replace(UnitId),
    /// Mobilize a unit.
    Mobilize(UnitId),
    /// Build an Atlantic Wall fort.
    Wall(Place),
    /// Order a Surprise Attack marker.
    Order,
    /// Draw from the Diplomacy Cup.
    Draw,
    /// Put a marker into the Diplomacy Cup.
    Put(Diplomat),
    /// The country of a Coup.
    Coup(Country),
    /// Place a Pro-marker.
    Court(Country),
}
