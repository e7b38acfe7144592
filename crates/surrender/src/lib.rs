//! Unconditional Surrender!: armies, fleets and air wings on a hex map of Europe, 1939 to 1945. The rulebook is
//! `docs/rules/surrender.md`; every number of the rules stands in `data/*.toml`.
//!
//! [`World`] holds the map, the units and the tables; [`Rules`] adds a scenario and options; a [`State`] is a position, with
//! a stack of [`Frame`]s that says what is decided or done now; [`Surrender`] makes them a game of the kernel.

mod actions;
#[cfg(test)]
mod actions_play;
mod activation;
mod air_missions;
mod air_reach;
mod answers;
mod assault;
mod bits;
#[cfg(test)]
mod card_tests;
mod cession;
mod checks;
mod choice;
mod closed;
mod conditional;
mod conquest;
mod control;
mod dated;
mod declarations;
mod describe;
mod diplomacy;
mod displacement;
mod duel;
mod economy;
mod encoding;
mod end_of_turn;
mod example_position;
mod example_runner;
mod examples;
mod features;
mod fight;
#[cfg(test)]
mod fight_examples;
mod fight_items;
mod fight_results;
mod fight_sums;
mod files;
mod files_events;
mod files_map;
mod files_tables;
mod flight;
mod flow;
mod frame;
mod game;
mod game_event;
mod ground;
mod havens;
mod hex_set;
mod ids;
mod influence;
mod interception;
mod invariants;
mod judgement;
mod labels;
mod labels_missions;
#[cfg(test)]
mod land_play;
#[cfg(test)]
mod land_table;
mod landings;
mod legend;
mod lines;
mod link_notes;
mod links;
mod log_actions;
mod log_summaries;
mod logistics;
#[cfg(test)]
mod logistics_tests;
mod losses;
mod machine;
mod march_plan;
mod markers;
mod mission_lists;
mod missions;
mod mobilization;
mod movement;
mod muster;
mod names;
mod near_cities;
mod net_key;
mod odds;
mod payment;
mod picture;
mod policy;
mod politics;
#[cfg(test)]
mod politics_testing;
mod prompts;
mod prompts_missions;
mod rail;
mod rail_net;
mod refusals;
mod refusals_home;
mod refusals_missions;
mod replacements;
mod rules;
mod scenario;
mod scenario_file;
mod scenario_hooks;
mod scenario_names;
mod scenario_politics;
mod scenario_units;
mod scenario_verify;
mod schedule;
mod sea_answers;
mod sea_lanes;
mod sea_paths;
mod set_up;
mod settings;
mod setups;
mod standing;
mod state;
mod story;
mod story_politics;
mod strategic;
mod supply;
mod supply_check;
#[cfg(test)]
mod supply_tests;
mod surroundings;
mod survey;
mod tables;
#[cfg(test)]
mod testing;
mod tiles;
mod tracked;
mod value;
mod value_weights;
mod victory;
mod victory_test;
mod view;
mod voyages;
mod will;
mod wording;
mod words;
mod world;

pub use choice::Choice;
pub use frame::Frame;
pub use game::Surrender;
pub use game_event::{GameEvent, Loss, Sum, WillCause};
pub use ids::{
    CITIES, COUNTRIES, City, Country, Faction, LANDS, NODES, Node, Place, Side, UNITS, UnitId, ZONES,
};
pub use markers::{Coming, Holding, Marker, MarkerInfo, Owner, Reuse};
pub use policy::{Memory, Weights};
pub use rules::Rules;
pub use scenario::{
    By, Condition, Deed, Ground, Hooks, Placement, Politics, Reinforcement, Scenario, VictoryLine, Winner,
};
pub use sea_answers::SeaLink;
pub use sea_paths::{Chart, Seaway};
pub use settings::Settings;
pub use standing::Reaction;
pub use state::SupplyCheck;
pub use state::{
    Activation, Commitment, CountryState, Duel, Errand, Fight, Manner, Mission, MissionStep, Occasion, Phase,
    Stage, State, Status, Supply, Unit, event, fate, flag, note,
};
pub use supply::Source;
pub use tables::{
    CombatResult, DiplomacyInfo, Diplomat, Line, MoveCosts, Production, Ranges, Tables, Weather, final_value,
    month_of, turn_of,
};
pub use tracked::Tracked;
pub use value::OMENS;
pub use victory_test::{Operator, Test};
pub use view::View;
pub use words::{MONTHS, month_words};
pub use world::{
    Avail, CityInfo, Climate, CountryInfo, DisputedArea, Entry, EventUnit, Gates, HexInfo, Hexside, Kind,
    NodeInfo, OverseasArea, Passage, Slot, Terrain, UnitInfo, World,
};
