//! A copy of a match that follows what was logged elsewhere.

use kernel::{Match, MatchDice, Mover, Story, Table, Viewer};
use testkit::duel::{Duel, Fault};

fn open() -> Match<Duel> {
    Match::new(Duel::with(Fault::None), MatchDice::seeded(7))
}

/// Makes the n-th choice that is open, with a reason, and lets Fate and what is forced follow.
fn go_on(game_match: &mut Match<Duel>, n: usize) {
    let step = game_match.log().len();
    if let Mover::Seat(_) = game_match.mover() {
        let count = Table::offer_count(game_match);
        Table::play_nth(game_match, n % count, None).expect("an open choice");
        Table::remark(game_match, step, "because it is there");
    }
    Table::play_forced(game_match, None);
}

fn log_from(game_match: &Match<Duel>, from: usize) -> String {
    let mut lines = String::new();
    game_match.write_log(from, &mut lines);
    lines
}

#[test]
fn a_copy_follows_to_the_same_match() {
    for seed in 0..20 {
        let (mut played, mut copy) = (open(), open());
        while played.mover() != Mover::Nobody {
            let from = played.log().len();
            (0..=seed % 3).for_each(|n| go_on(&mut played, seed * 5 + n));
            let mut story = Story::for_viewer(Viewer::Spectator);
            Table::follow(&mut copy, &log_from(&played, from), Some(&mut story)).expect("it follows");
            assert_eq!(log_from(&copy, 0), log_from(&played, 0), "choices, digests, reasons");
            let told: Vec<_> = Table::log(&played, from, Viewer::Spectator)
                .into_iter()
                .flat_map(|entry| entry.story)
                .collect();
            assert_eq!(story.lines.len(), told.len());
        }
        assert_eq!((copy.mover(), copy.draws()), (Mover::Nobody, played.draws()));
    }
}

#[test]
fn a_copy_that_parts_says_where() {
    let (mut played, mut ahead) = (open(), open());
    go_on(&mut played, 0);
    go_on(&mut played, 1);
    let lines = log_from(&played, 0);
    go_on(&mut ahead, 0);
    let steps = ahead.log().len();
    let why = Table::follow(&mut ahead, &lines, None).expect_err("it begins too early");
    assert_eq!(why, format!("step {} can't be read", steps + 1));
    let wrong = |from: &str, to: &str| Table::follow(&mut open(), &lines.replacen(from, to, 1), None);
    let last = lines.lines().rfind(|line| !line.starts_with('#')).expect("a line");
    let digest = last.split_whitespace().last().expect("a digest");
    let other = if digest == "00000000" { "00000001" } else { "00000000" };
    assert!(wrong(digest, other).is_err_and(|why| why.contains("another position")));
    assert!(wrong("fate", "red").is_err_and(|why| why.contains("somebody else's turn")));
    let name = last.split_whitespace().nth(2).expect("a name");
    assert!(wrong(&format!(" {name}"), " nothing").is_err_and(|why| why.contains("not known")));
}
