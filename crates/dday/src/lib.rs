//! D-Day to Berlin: battalions on zones, 1944-45. The rulebook is `docs/rules/dday.md`; every number of the rules stands in
//! `data/*.toml`.
//!
//! The files follow the chapters of the rulebook. [`Rules`] holds everything that does not change; a [`State`] is a
//! position; [`DDay`] makes them a game of the kernel.

mod advance;
mod assault;
mod battalions;
mod calculator;
mod checks;
mod choice;
mod combat;
mod commander;
mod encoding;
mod enemies;
mod engineering;
mod example_runner;
mod examples;
mod examples_board;
mod examples_expect;
mod examples_start;
mod facing;
mod features;
mod flow;
mod game;
mod game_event;
mod invariants;
mod judgement;
mod legality;
mod log_actions;
mod morale;
mod movement;
mod night;
mod odds;
mod picture;
mod rally;
mod ranged;
mod readiness;
mod retreat;
mod rules;
mod scenario;
mod sequence;
mod settings;
mod setups;
mod state;
mod story;
mod strikes;
mod supply;
mod tables;
mod units;
mod view;
mod words;

pub use battalions::{Battalions, Class, Kind, Mode, Quality};
pub use choice::{Choice, Gun};
pub use combat::{Fight, Line, Sum};
pub use commander::{Memory, Personality};
pub use game::DDay;
pub use game_event::{Fate, GameEvent};
pub use movement::{Barred, Column, StepKind};
pub use odds::{AssaultOdds, percent};
pub use rules::Rules;
pub use scenario::{
    Bridge, Formation, Key, Lay, MAX_UNITS, MAX_ZONES, Paper, River, Road, SCENARIOS, Scenario, Side,
    SideInfo, Troop, Victory,
};
pub use settings::{AirStrikes, Fallback, Flanks, Orders, Settings};
pub use state::{
    Action, After, Battalion, Begun, Fire, Job, LOST, NOBODY, SHATTERED, Stage, State, Task, Verdict,
    WAITING, Zone, mark, work,
};
pub use tables::{Activation, Ground, SEASONS, Tables};
pub use units::Units;
pub use view::View;
