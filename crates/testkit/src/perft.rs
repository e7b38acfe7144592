//! Counting every line of play to a depth: the sharpest check that nothing in the rules has moved.

use kernel::Discard;
use kernel::Game;

/// How many lines of exactly `depth` choices (of seats and of Fate) there are from a position; lines that
/// end earlier are not counted.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    let mut choices = Vec::new();
    game.choices(state, &mut choices);
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return choices.len() as u64;
    }
    choices
        .into_iter()
        .map(|choice| {
            let mut next = state.clone();
            game.apply(&mut next, choice, &mut Discard);
            perft(game, &next, depth - 1)
        })
        .sum()
}

/// The numbers of lines of play to each depth, as deep as there are not more than `most` of them.
pub fn perft_counts<G: Game>(game: &G, state: &G::State, depth: u32, most: u64) -> Vec<u64> {
    let mut counts: Vec<u64> = Vec::new();
    for depth in 1..=depth {
        let width = counts.first().copied().unwrap_or(1);
        if counts.last().is_some_and(|last| last * width > most) {
            break;
        }
        counts.push(perft(game, state, depth));
    }
    counts
}
