//! `maproom bench`: how fast the games play.

use std::process::ExitCode;
use std::time::Duration;

use lab::bench::BenchReport;
use serde_json::json;

use crate::arguments::BenchOrder;
use crate::output;
use crate::registry::{self, GAMES, GameEntry};

/// Runs the command.
pub fn run(order: &BenchOrder) -> Result<ExitCode, String> {
    if !(0.1..=3_600.0).contains(&order.seconds) {
        return Err(format!("--seconds {}: must be from 0.1 to 3600", order.seconds));
    }
    let games: Vec<&GameEntry> = match &order.game {
        Some(word) => vec![registry::game(word)?],
        None => GAMES.iter().collect(),
    };
    let time = Duration::from_secs_f64(order.seconds);
    let one = |game: &&GameEntry| game.tools.bench(&order.setup.options(game)?, time);
    let reports: Vec<BenchReport> = games.iter().map(one).collect::<Result<_, _>>()?;
    if order.json {
        output::json(&json!({ "games": reports }));
    } else {
        for report in &reports {
            outln!("{}", report.table());
        }
    }
    Ok(ExitCode::SUCCESS)
}
