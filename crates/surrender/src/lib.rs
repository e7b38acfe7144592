//! Unconditional Surrender!: armies, fleets and air wings on a hex map of Europe, 1939 to 1945. The rulebook is
//! `docs/rules/surrender.md`; every number of the rules stands in `data/*.toml`.
//!
//! [`World`] holds the map, the units and the tables; [`Rules`] adds a scenario and options; a [`State`] is a position, with
//! a stack of [`Frame`]s that says what is decided or done now; [`Surrender`] makes them a game of the kernel.

mod actions;
mod activation;
mod cession;
mod checks;
mod choice;
mod conditional;
mod conquest;
mod control;
mod dated;
mod declarations;
mod diplomacy;
mod encoding;
mod fight;
mod files;
mod files_events;
mod files_map;
mod files_tables;
mod flow;
mod frame;
mod game;
mod game_event;
mod ground;
mod ids;
mod influence;
mod logistics;
mod machine;
mod markers;
mod missions;
mod movement;
mod politics;
#[cfg(test)]
mod politics_testing;
mod rules;
mod scenario;
mod scenario_file;
mod scenario_hooks;
mod scenario_names;
mod scenario_politics;
mod scenario_units;
mod scenario_verify;
mod schedule;
mod set_up;
mod settings;
mod setups;
mod state;
mod tables;
#[cfg(test)]
mod testing;
mod victory;
mod victory_test;
mod view;
mod will;
mod world;

pub use choice::Choice;
pub use frame::Frame;
pub use game::Surrender;
pub use game_event::{GameEvent, Loss, Sum, WillCause};
pub use ids::{
    CITIES, COUNTRIES, City, Country, Faction, LANDS, NODES, Node, Place, Side, UNITS, UnitId, ZONES,
};
pub use markers::{Coming, Holding, Marker, MarkerInfo, Owner, Reuse};
pub use rules::Rules;
pub use scenario::{
    By, Condition, Deed, Ground, Hooks, Placement, Politics, Reinforcement, Scenario, VictoryLine, Winner,
};
pub use settings::Settings;
pub use state::{
    Activation, Commitment, CountryState, Duel, Errand, Fight, Manner, Mission, Occasion, Phase, State,
    Status, Supply, Unit, event, fate, flag, note,
};
pub use tables::{
    CombatResult, DiplomacyInfo, Diplomat, Line, MoveCosts, Production, Ranges, Tables, Weather, final_value,
    month_of, turn_of,
};
pub use victory_test::{Operator, Test};
pub use view::View;
pub use world::{
    Avail, CityInfo, Climate, CountryInfo, DisputedArea, Entry, EventUnit, Gates, HexInfo, Hexside, Kind,
    NodeInfo, OverseasArea, Passage, Slot, Terrain, UnitInfo, World,
};
