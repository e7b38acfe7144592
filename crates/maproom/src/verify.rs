//! `maproom verify`: replays a match and checks its dice.

use std::process::ExitCode;

use kernel::{DiceProof, Seat, Share, Table};
use serde_json::{Map, Value, json};

use crate::arguments::VerifyOrder;
use crate::files::read_text;
use crate::output;
use crate::registry;

/// Runs the command.
pub fn run(order: &VerifyOrder) -> Result<ExitCode, String> {
    let name = order.file.display().to_string();
    let text = read_text(&order.file)?;
    let game = registry::of_save(&name, &text)?;
    match game.tools.verify(&name, &text) {
        Ok((opened, proof)) => {
            let table = opened.table;
            let with = if table.dice().shares().is_empty() { "" } else { " and the numbers of the players" };
            // Only where the dice are proven too is a match verified; otherwise it was replayed, no more.
            let (heading, word, sentence) = match proof {
                DiceProof::Proven { draws, inherited: 0 } => {
                    ("verified", "proven", format!("all {draws} draws match the committed secret{with}"))
                }
                DiceProof::Proven { draws, inherited } => (
                    "replayed",
                    "partly-proven",
                    format!(
                        "{draws} draws match the committed secret{with}; the first {inherited} come from the match that this one \
                         was forked from and can't be checked"
                    ),
                ),
                DiceProof::OwnDice => (
                    "replayed",
                    "own-dice",
                    "a player used their own dice, so they can't be checked".to_owned(),
                ),
                DiceProof::NotYet => (
                    "replayed",
                    "not-yet",
                    "the dice can be checked when the game is over and the secret is published".to_owned(),
                ),
            };
            let result = table.result();
            if order.json {
                output::json(&json!({
                    "ok": true,
                    "game": game.id(),
                    "rules": table.begun_under(),
                    "steps": table.steps(),
                    "uncompared": opened.uncompared,
                    "takebacks": table.takebacks(),
                    "dice": word,
                    "shares": shares(&*table),
                    "result": result.as_ref().map(|result| result.word),
                    "notes": opened.notes,
                }));
            } else {
                outln!("{name}: {heading}");
                let states = match opened.uncompared {
                    0 => "all positions as recorded".to_owned(),
                    some => format!("all of them legal; the check numbers of {some} can't be compared"),
                };
                let (name, rules) = (game.name(), table.begun_under());
                outln!("  {name}, rules {rules}: {} choices replayed, {states}", table.steps());
                outln!("  dice: {sentence}");
                for (seat, share) in table.dice().shares().iter() {
                    let title = table.seats().get(seat.index()).map_or("somebody", |info| info.title);
                    outln!("  {title}: {}", told(&share));
                }
                outln!(
                    "  result: {}",
                    result.map_or_else(|| "not over yet".to_owned(), |result| result.title)
                );
                for note in opened.notes {
                    outln!("  note: {note}");
                }
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            if order.json {
                output::json(&json!({
                    "ok": false,
                    "game": game.id(),
                    "problems": crate::problems_json(error.problems()),
                    "common": error.parting().map(|parting| parting.common),
                }));
            } else {
                outln!("{error}\n\n{name}: NOT verified");
            }
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Who has a part in the dice, by the words of the seats.
fn shares(table: &dyn Table) -> Map<String, Value> {
    let word = |share: &Share| match share {
        Share::Awaited => "awaited",
        Share::Committed(_) => "sealed",
        Share::Given(..) => "given",
        Share::LeftOut => "left-out",
    };
    let seats = table.seats();
    let of =
        |(seat, share): (Seat, Share)| Some((seats.get(seat.index())?.word.to_owned(), json!(word(&share))));
    table.dice().shares().iter().filter_map(of).collect()
}

/// The part of a player in the dice.
fn told(share: &Share) -> &'static str {
    match share {
        Share::Awaited => "has not put a number into the dice yet",
        Share::Committed(_) => "has sealed a number that is not shown yet",
        Share::Given(..) => "their number is in the dice, as it was sealed",
        Share::LeftOut => "no part in the dice: they were begun before this player sat down",
    }
}
