//! `maproom verify`: replays a match and proves its dice.

use std::process::ExitCode;

use kernel::DiceProof;
use serde_json::json;

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
            let (word, sentence) = match proof {
                DiceProof::Proven { draws } => (
                    "proven",
                    format!("all {draws} draws are the ones that the committed secret gives, in order"),
                ),
                DiceProof::OwnDice => (
                    "own-dice",
                    "the dice were a person's own, so nothing can be proven about them".to_owned(),
                ),
                DiceProof::NotYet => (
                    "not-yet",
                    "the secret is published when the game is over; until then the dice can't be proven"
                        .to_owned(),
                ),
            };
            let result = table.result();
            if order.json {
                output::json(&json!({
                    "ok": true,
                    "game": game.id(),
                    "rules": table.rules_version(),
                    "steps": table.steps(),
                    "takebacks": table.takebacks(),
                    "dice": word,
                    "result": result.as_ref().map(|result| result.word),
                    "notes": opened.notes,
                }));
            } else {
                outln!("{name}: verified");
                outln!(
                    "  {}, rules {}: {} choices replayed, every state as recorded",
                    game.name(),
                    table.rules_version(),
                    table.steps()
                );
                outln!("  dice: {sentence}");
                outln!(
                    "  result: {}",
                    result.map_or_else(|| "the game goes on".to_owned(), |result| result.title)
                );
                for note in opened.notes {
                    outln!("  note: {note}");
                }
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(problems) => {
            if order.json {
                output::json(
                    &json!({ "ok": false, "game": game.id(), "problems": crate::problems_json(&problems) }),
                );
            } else {
                outln!("{problems}\n\n{name}: NOT verified");
            }
            Ok(ExitCode::FAILURE)
        }
    }
}
