//! The log as people read it, for any game: whether its actions tell every step once, in sentences.

use kernel::{CompleteGame, Match, Viewer};

/// So many steps are asked for at a time.
const PIECE: usize = 37;

/// Checks the log of a match: pieces of it side by side tell every step once, whatever the pieces are, and every headline is a
/// sentence of its own.
pub fn check<G: CompleteGame>(game_match: &Match<G>) -> Result<(), String> {
    let steps = game_match.log().len();
    let all = 0..steps;
    let whole = told(game_match, std::slice::from_ref(&all));
    let pieces: Vec<_> = (0..steps).step_by(PIECE).map(|from| from..(from + PIECE).min(steps)).collect();
    let parts = told(game_match, &pieces);
    if whole.iter().map(|(step, _)| *step).ne(1..=steps) {
        return Err("the actions of the log do not tell every step once".to_owned());
    }
    if let Some(((step, one), (_, other))) = whole.iter().zip(&parts).find(|(one, other)| one != other) {
        return Err(format!("step {step} belongs to {one:?}, or, read in pieces, to {other:?}"));
    }
    for (step, headline) in &whole {
        let Some(words) = headline else { continue };
        if words.trim().is_empty() || words.trim() != words {
            return Err(format!("step {step}: the headline {words:?} is no sentence"));
        }
    }
    Ok(())
}

/// The steps of some pieces of the log with the headlines of their actions.
fn told<G: CompleteGame>(
    game_match: &Match<G>,
    pieces: &[std::ops::Range<usize>],
) -> Vec<(usize, Option<String>)> {
    let actions = pieces.iter().flat_map(|piece| game_match.actions(piece.clone(), Viewer::Spectator));
    let steps = actions.flat_map(|action| {
        let headline = action.headline.map(|line| line.text);
        action.steps.into_iter().map(move |step| (step.entry.step, headline.clone()))
    });
    steps.collect()
}
