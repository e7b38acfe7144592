//! What is to be decided or done: the position keeps a stack of these. A question waits for a choice; everything else is
//! work that goes on by itself until the next question.

use crate::ids::{Country, Faction, Place, UnitId};

/// A question, or work to be done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Frame {
    // --- work -------------------------------------------------------------------------------------------------------
    /// The sequence of play goes on: the phase and the faction say where. Always the outermost frame.
    Flow,
    /// A ground combat goes on after its last step.
    Fight,
    /// An air or naval combat goes on.
    Duel,
    /// A mission goes on.
    Mission,
    /// The Supply Check of a faction goes on.
    Check(Faction),
    /// A country has collapsed (13.2).
    Collapse(Country),
    /// The consequences of the conquest of a country go on from a step (13.3, 13.4).
    Conquest(Country, u8),
    // --- Fate -------------------------------------------------------------------------------------------------------
    /// A weather die: Cold, Mild, Warm (11.0).
    WeatherDie(u8),
    /// The die of a Pact evaluation (10.2).
    PactDie,
    /// The die after a declaration of war: who applies Influence (10.1).
    InfluenceDie(Faction),
    /// A die of a strategic combat: against the West (0) or the Soviets (1), attacker (0) or defender (1), and the
    /// attacker's die once it is rolled.
    StrategicDie(u8, u8, u8),
    /// A die of a ground combat: attacker (0) or defender (1).
    FightDie(u8),
    /// A die of an air or naval combat: attacker (0) or defender (1).
    DuelDie(u8),
    /// A marker is drawn from the Diplomacy Cup (10.4).
    DrawMarker(Faction),
    /// The die of Political Failure.
    FailureDie(Faction),
    /// The die of a Coup in a country.
    CoupDie(Faction, Country),
    /// The die of Karelian Demands.
    KareliaDie,
    /// The die for an Overseas Area of France (13.4): its place in France's list.
    AreaDie(u8),
    /// The die for a French naval unit.
    FleetDie(UnitId),
    /// The die for a unit that is due, with the variable timeline.
    EntryDie(UnitId),
    // --- questions --------------------------------------------------------------------------------------------------
    /// Soviet: evaluate the Pact or not.
    EvaluatePact,
    /// Axis: end the Pact or not.
    EndPact,
    /// Declarations of war of a faction.
    Declare(Faction),
    /// A faction applies Influence.
    Influence(Faction),
    /// Western: Lend-Lease.
    LendLease,
    /// Soviet: a Factory to relocate.
    Relocate,
    /// A unit for Strategic Movement.
    Rail(Faction),
    /// Where it goes.
    RailTo(UnitId),
    /// The next action of a faction.
    Actions(Faction),
    /// What the activated unit does next.
    Activation,
    /// After a won Mobile attack: advance or not.
    Advance,
    /// The Primary Attacker of an Assault on a hex.
    Primary(Place),
    /// Additional Attackers, or go.
    Additional,
    /// After an Assault: who advances.
    AdvanceOne,
    /// Attacker or defender: ULTRA, or Maskirovka, or not. 0 for the attacker.
    Trick(u8),
    /// Attacker (0) or defender (1): commit or not.
    Commit(u8),
    /// Attacker (0) or defender (1): name an item or pass.
    Item(u8),
    /// Attacker (0) or defender (1) of an air combat: use a marker or not.
    DuelItem(u8),
    /// The owner of a defender in a fort: stand or go.
    Fort,
    /// Where the defender retreats.
    Retreat,
    /// Naval Evacuation of a unit that is about to be lost, or not.
    Evacuate(UnitId),
    /// Where an air unit rebases.
    RebaseTo(UnitId),
    /// Where a ship sails.
    SailTo(UnitId),
    /// Who goes aboard a convoy.
    Passenger(UnitId),
    /// Where a convoy with a passenger goes.
    TransportTo,
    /// With which convoy a ground unit invades.
    InvadeWith(UnitId),
    /// Where it lands.
    InvadeAt,
    /// Additional Attackers of a landing, or go.
    LandingMore,
    /// What an Air Strike hits.
    StrikeAt(UnitId),
    /// What a Bombing Run hits.
    BombAt(UnitId),
    /// From which air unit an airborne unit drops.
    DropFrom(UnitId),
    /// Where it drops.
    DropAt,
    /// The escort of a mission.
    Escort,
    /// A faction: intercept or not.
    Intercept(Faction),
    /// After a failed escort of an invasion: call it off or not.
    CallOff,
    /// After a failed escort: attack the mission unit or let it go.
    Press,
    /// After a landing: place the Mulberry or not.
    Mulberry,
    /// The next sea link, or no more (7.4).
    Link(Faction),
    /// The other end of a link.
    LinkTo(UnitId),
    /// Who is fed by a Limited source (7.3).
    Feed(Place),
    /// Air Transport for a unit that would have No Supply.
    AirSupply(Faction),
    /// A unit to replace.
    Replace(Faction),
    /// A unit to mobilize, a wall to build, a marker to order.
    Mobilize(Faction),
    /// Where it arrives.
    MobilizeAt(UnitId),
    /// Draw from the Cup, put a marker in, or pass.
    Diplomacy(Faction),
    /// The country of a Coup.
    Coup(Faction),
    /// Soviet: declare war on Finland or not.
    FinlandWar,
    /// A Baltic state for a Pro-marker.
    BalticPro(Faction),
    /// A country for a Pro-marker after a conquest.
    ProMarker(Faction, Country),
    /// Where an event's or a scenario's air unit is placed.
    PlaceAir(UnitId),
    /// Emergency Mobilization: a unit, with so many left.
    Emergency(u8),
    /// Where it is placed.
    EmergencyAt(UnitId, u8),
    /// The game is over.
    Over,
}

impl Frame {
    /// Whether it waits for a choice of a seat or of Fate.
    pub const fn is_question(self) -> bool {
        !matches!(
            self,
            Self::Flow
                | Self::Fight
                | Self::Duel
                | Self::Mission
                | Self::Check(_)
                | Self::Collapse(_)
                | Self::Conquest(..)
        )
    }

    /// Whether it waits for Fate.
    pub const fn is_fate(self) -> bool {
        matches!(
            self,
            Self::WeatherDie(_)
                | Self::PactDie
                | Self::InfluenceDie(_)
                | Self::StrategicDie(..)
                | Self::FightDie(_)
                | Self::DuelDie(_)
                | Self::DrawMarker(_)
                | Self::FailureDie(_)
                | Self::CoupDie(..)
                | Self::KareliaDie
                | Self::AreaDie(_)
                | Self::FleetDie(_)
                | Self::EntryDie(_)
        )
    }

    /// Whether no step or combat is under way, so that a country may collapse now (rulings 20, 49).
    pub const fn is_calm(self) -> bool {
        matches!(
            self,
            Self::Flow
                | Self::Check(_)
                | Self::Activation
                | Self::Actions(_)
                | Self::Declare(_)
                | Self::Rail(_)
                | Self::Link(_)
                | Self::Replace(_)
                | Self::Mobilize(_)
                | Self::Diplomacy(_)
        )
    }
}
