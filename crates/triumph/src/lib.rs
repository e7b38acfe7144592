//! Triumph & Tragedy: three powers, hidden blocks, cards and economy, 1936 to 1945. The rulebook is
//! `docs/rules/triumph.md`; every number of the rules stands in `data/*.toml`.
//!
//! The files follow the chapters of the rulebook. [`Rules`] holds everything that does not change; a [`State`] is a
//! position; [`Triumph`] makes them a game of the kernel.

mod allies;
mod areas;
mod atlas;
mod block;
mod calculator;
mod card_files;
mod cards;
mod checks;
mod choice;
mod closed;
mod combat;
mod command;
mod control;
mod declarations;
mod describe;
mod determinize;
mod diplomacy;
mod economy;
mod encoding;
mod example_answers;
mod example_runner;
mod examples;
mod examples_expect;
mod factions;
mod fight;
mod fire;
mod flow;
mod game;
mod game_event;
mod government;
mod invariants;
mod labels;
mod labels_war;
mod leaving;
mod log_actions;
mod log_aftermath;
mod movement;
mod names;
mod odds;
mod picture;
mod play;
mod policy;
mod position;
mod position_phases;
mod position_units;
mod position_words;
mod production;
mod prompts;
mod questions;
mod reach;
mod reach_sea;
mod refusals;
mod refusals_cards;
mod refusals_combat;
mod refusals_moves;
mod refusals_ways;
mod rounds;
mod routes;
mod rules;
mod set_up;
mod settings;
mod setup_file;
mod setups;
mod stage;
mod stance;
mod standing;
mod state;
mod statistics;
mod story;
mod story_war;
mod supply;
mod trade;
mod turn;
mod units;
mod value;
mod view;
mod words;
mod world;
mod world_files;
mod year;

pub use areas::{AREAS, AreaSet, LANDS, NATIONS, NONE, bits};
pub use cards::{ActionCard, Card, Deck, Diplomacy, Intel, InvestmentCard, Research, Season, Tech, Wild};
pub use choice::{Choice, Find};
pub use economy::{MOST, Points, Tracks};
pub use factions::{Faction, Parties, Power, blocks_of};
pub use fight::{Army, Fight, Fighter, Prospects};
pub use game::Triumph;
pub use game_event::{Cause, Command, GameEvent, UnitSeen};
pub use policy::Character;
pub use routes::Way;
pub use rules::Rules;
pub use settings::Settings;
pub use stage::{After, Leaving, Stage};
pub use state::{
    Battle, Block, Declared, FactionState, NationState, Part, Spending, State, Status, Turn, VaultPair,
    Verdict, flag, mark,
};
pub use trade::TradeRoutes;
pub use units::{Class, Kind, UnitType};
pub use view::{Counted, View};
pub use world::{Area, Atlas, Border, BorderKind, City, Edge, Ground, Nation, NationKind, World};
pub use year::TO_WIN;
