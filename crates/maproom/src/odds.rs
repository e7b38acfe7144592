//! `maproom odds`: exact answers about a position.

use std::process::ExitCode;

use kernel::{Answer, Viewer};
use serde_json::{Value, json};

use crate::arguments::OddsOrder;
use crate::files::read_text;
use crate::output;
use crate::registry;

/// Runs the command.
pub fn run(order: &OddsOrder) -> Result<ExitCode, String> {
    let game = registry::game(&order.game)?;
    let question = order.question.join(" ");
    let help = if question.is_empty() { game.tools.odds_help() } else { "" };
    let questions = if question.is_empty() { Vec::new() } else { vec![question] };
    let answers = match &order.r#match {
        Some(file) => {
            if order.turn.is_some() || !order.set.is_empty() {
                return Err("--match uses the position of the match: leave out --turn and --set".to_owned());
            }
            let opened = game
                .load(&file.display().to_string(), &read_text(file)?)
                .map_err(|problems| problems.to_string())?;
            let table = opened.table;
            let questions = if questions.is_empty() { table.questions(Viewer::Spectator) } else { questions };
            questions
                .iter()
                .map(|question| table.answer(question, Viewer::Spectator))
                .collect::<Result<_, _>>()?
        }
        None => {
            let placed = placed(order)?;
            game.tools.odds(&order.setup.options(game)?, &placed, &questions)?
        }
    };
    match &answers[..] {
        [] if !order.json && help.is_empty() => {
            outln!("There is no question about odds to ask in this position.");
        }
        [answer] if order.json => output::json(&answer_json(answer)),
        answers if order.json => {
            output::json(&json!({ "answers": answers.iter().map(answer_json).collect::<Vec<_>>() }));
        }
        answers => {
            for answer in answers {
                outln!("{answer}");
            }
            out!("{help}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn placed(order: &OddsOrder) -> Result<Vec<(String, String)>, String> {
    let mut placed: Vec<(String, String)> = Vec::new();
    placed.extend(order.turn.iter().map(|turn| ("turn".to_owned(), turn.clone())));
    for pair in &order.set {
        let (key, value) =
            pair.split_once('=').ok_or_else(|| format!("--set {pair:?}: must be KEY=VALUE"))?;
        placed.push((key.trim().to_owned(), value.trim().to_owned()));
    }
    Ok(placed)
}

/// An answer as data.
pub fn answer_json(answer: &Answer) -> Value {
    let facts: serde_json::Map<String, Value> =
        answer.facts.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    let results: Vec<Value> = answer
        .results
        .iter()
        .map(|(what, chance)| {
            json!({
                "result": what,
                "chance": format!("{}/{}", chance.numerator(), chance.denominator()),
                "probability": chance.as_f64(),
            })
        })
        .collect();
    json!({ "question": answer.title, "rule": answer.rule, "facts": facts, "results": results })
}
