//! A fork for somebody who does not know everything: it looks the same to them, and tells them nothing new.

use std::collections::BTreeSet;

use kernel::{
    Dice as _, DiceProof, Discard, Game as _, LabDice, Match, MatchDice, Mover, Seat, Secret, SecretPolicy,
    Table as _, Viewer,
};
use testkit::duel::{Choice, Duel, Fault};

const RED: Viewer = Viewer::Seat(Seat(0));
const BLUE: Viewer = Viewer::Seat(Seat(1));

/// A duel with random choices, up to so many steps.
fn played(seed: u64, steps: usize) -> Match<Duel> {
    let mut dice = LabDice::new(seed);
    let mut game_match = Match::new(Duel::with(Fault::None), MatchDice::seeded(seed));
    while game_match.log().len() < steps {
        match game_match.mover() {
            Mover::Nobody => break,
            Mover::Fate => game_match.fate(None, &mut Discard).expect("fair dice"),
            Mover::Seat(_) => {
                let open = game_match.choices();
                let choice = open[dice.below(open.len() as u32) as usize];
                game_match.play(choice, &mut Discard).expect("an open choice");
            }
        }
    }
    game_match
}

fn fork(of: &Match<Duel>, viewer: Viewer, seed: u64) -> Match<Duel> {
    of.fork_for(viewer, of.log().len(), Secret::from_seed(1_000 + seed), &mut LabDice::new(seed))
}

#[test]
fn a_fork_looks_the_same_to_the_one_it_is_for() {
    for (seed, steps) in (0..30).zip((1..=7).cycle()) {
        let original = played(seed, steps);
        for viewer in [RED, BLUE, Viewer::Spectator] {
            let fork = fork(&original, viewer, seed);
            assert_eq!(fork.log().len(), original.log().len());
            let game = original.game();
            for at in 0..=original.log().len() {
                let (before, after) = (original.state_at(at), fork.state_at(at));
                assert_eq!(game.view(&before, viewer), game.view(&after, viewer), "step {at} for {viewer:?}");
                assert_eq!(game.mover(&before), game.mover(&after));
            }
            let told = |m: &Match<Duel>| {
                m.log_range(0..m.log().len(), viewer).into_iter().map(|entry| (entry.name, entry.story))
            };
            assert!(told(&original).eq(told(&fork)), "what the log says to {viewer:?}");
        }
    }
}

#[test]
fn what_was_hidden_is_drawn_anew() {
    // Both cards are dealt, both have staked, both have committed themselves.
    let original = played(3, 6);
    let real: Vec<Choice> = original.log().iter().map(|step| step.choice).collect();
    let (mut cards, mut stances) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..60 {
        let fork = fork(&original, RED, seed);
        let log: Vec<Choice> = fork.log().iter().map(|step| step.choice).collect();
        assert_eq!((log[0], &log[2..5]), (real[0], &real[2..5]), "red knows their own card, and the stakes");
        cards.insert(format!("{:?}", log[1]));
        stances.insert(format!("{:?}", log[5]));
    }
    assert!(cards.len() > 1 && stances.len() > 1, "{cards:?} {stances:?}");
    // To somebody who knows all of it nothing changes.
    let shown = played(3, 7);
    let seen = fork(&shown, RED, 1);
    assert!(seen.log().iter().map(|step| step.choice).eq(shown.log().iter().map(|step| step.choice)));
}

#[test]
fn a_fork_has_dice_of_its_own_and_says_which_can_be_proven() {
    let original = played(5, 4);
    let mut fork = fork(&original, RED, 5);
    assert_ne!(fork.dice(), original.dice());
    assert_eq!(fork.inherited_draws(), 2);
    // Played to its end it loads, and what its own secret decides is proven: here nothing is left to draw.
    while let Mover::Seat(_) = fork.mover() {
        let choice = fork.choices()[0];
        fork.play(choice, &mut Discard).expect("an open choice");
    }
    let text = fork.save(SecretPolicy::Withhold);
    assert!(text.contains("\ninherited: 2\n"), "{text}");
    let (loaded, proof) = Match::<Duel>::verify("fork", &text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert_eq!(proof, DiceProof::Proven { draws: 0, inherited: 2 });
    assert!(loaded.notes.iter().any(|note| note.contains("first 2 draws")), "{:?}", loaded.notes);
    assert_eq!(loaded.game_match.inherited_draws(), 2);
    // More than there are can't be inherited.
    let many = text.replace("inherited: 2\n", "inherited: 3\n");
    let why = Match::<Duel>::verify("fork", &many).map(|_| ()).expect_err("only two draws").to_string();
    assert!(why.contains("3 draws are said to be inherited, but there are only 2"), "{why}");
    // Without the line the save claims what is not so.
    let claimed = text.replace("inherited: 2\n", "");
    assert!(Match::<Duel>::verify("fork", &claimed).is_err(), "{claimed}");
}

#[test]
fn a_save_that_is_none_is_not_read_to_its_end() {
    let rubbish = format!("maproom match 1\n{}", "what is this\n".repeat(200_000));
    let why = Match::<Duel>::load("rubbish", &rubbish).map(|_| ()).expect_err("no save");
    assert_eq!(why.problems().error_count(), 21, "twenty, and that there is more");
    assert!(why.to_string().contains("… and more"), "{why}");
}
