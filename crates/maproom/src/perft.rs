//! `maproom perft`: counts all lines of play to a depth.

use std::process::ExitCode;

use serde_json::json;

use crate::arguments::PerftOrder;
use crate::output;
use crate::registry;

/// Deeper than this takes days.
const MAX_DEPTH: u32 = 12;

/// Runs the command.
pub fn run(order: &PerftOrder) -> Result<ExitCode, String> {
    if !(1..=MAX_DEPTH).contains(&order.depth) {
        return Err(format!("--depth {}: must be from 1 to {MAX_DEPTH}", order.depth));
    }
    let game = registry::game(&order.game)?;
    let counts = game.tools.perft(&order.setup.options(game)?, order.depth)?;
    if order.json {
        output::json(&json!({ "game": game.id(), "lines": counts }));
    } else {
        outln!("{:>5} {:>16}", "depth", "lines");
        for (depth, count) in (1..).zip(&counts) {
            outln!("{depth:>5} {count:>16}");
        }
    }
    Ok(ExitCode::SUCCESS)
}
