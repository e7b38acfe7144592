//! How long the story of a game is: seeded games of all titles, told step by step and told in actions.

use std::sync::atomic::AtomicBool;

use bots::{BotKind, Player, SeatedBot as _};
use kernel::{Actor, CompleteGame, Discard, LabDice, Match, MatchDice, Mover, Options, Viewer};

/// A game between quick bots, told.
struct Story {
    /// Lines when every choice and everything that shows something has one.
    steps: usize,
    /// The sentences of the actions.
    actions: Vec<String>,
    /// The names of all choices of seats.
    names: Vec<String>,
}

fn story<G: CompleteGame>(options: &[(&str, &str)]) -> Story {
    let options: Options =
        options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let game = G::with_options(&options).unwrap_or_else(|why| panic!("{why}"));
    let mut game_match = Match::new(game, MatchDice::seeded(1));
    let kind = BotKind::parse::<G>("greedy").unwrap_or_else(|why| panic!("{why}"));
    let mut bots: Vec<Player<G>> = game_match.game().seats().iter().map(|_| Player::new(kind)).collect();
    let mut dice = LabDice::for_game(1, 1);
    game_match.play_forced(&mut Discard);
    while let Mover::Seat(seat) = game_match.mover() {
        let said = bots[seat.index()].choose(&game_match, &mut dice, &AtomicBool::new(false));
        let choice = game_match.read(&said.expect("a choice").choice).expect("the name of a choice");
        game_match.play(choice, &mut Discard).expect("a legal choice");
        game_match.play_forced(&mut Discard);
    }
    let told = game_match.actions(0..game_match.log().len(), Viewer::Spectator);
    let of_seat = |actor: Actor| matches!(actor, Actor::Seat(_));
    let steps = || told.iter().flat_map(|action| &action.steps).map(|step| &step.entry);
    Story {
        steps: steps().filter(|entry| !entry.story.is_empty() || of_seat(entry.actor)).count(),
        names: steps().filter(|entry| of_seat(entry.actor)).filter_map(|entry| entry.name.clone()).collect(),
        actions: told.iter().filter_map(|action| Some(action.headline.as_ref()?.text.clone())).collect(),
    }
}

/// Checks that a story is short, and no sentence of it is or contains the name of a choice.
fn check(title: &str, story: &Story, most: usize) {
    let Story { steps, actions, names } = story;
    println!("{title}: {steps} lines before, {} now", actions.len());
    if std::env::var_os("MAPROOM_STORY").is_some() {
        for line in actions {
            println!("  {line}");
        }
    }
    assert!(actions.len() <= most, "{title}: {} lines", actions.len());
    for name in names.iter().filter(|name| name.contains(' ')) {
        let told = actions.iter().find(|line| line.contains(name.as_str()));
        assert!(told.is_none(), "{title}: {name:?} is the name of a choice: {told:?}");
    }
}

#[test]
fn a_story_has_a_line_for_every_action() {
    let omaha = story::<dday::DDay>(&[("scenario", "01_omaha")]);
    let blitz = story::<blitz::Blitz>(&[]);
    let echoes = story::<echoes::Echoes>(&[]);
    check("dday, Omaha", &omaha, omaha.steps / 3);
    check("blitz", &blitz, blitz.steps / 2);
    check("echoes", &echoes, echoes.steps * 11 / 20);
}
