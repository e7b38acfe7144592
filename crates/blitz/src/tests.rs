//! Rulings and details that the worked examples don't show.

use kernel::{
    Dice as _, Discard, Effort, Game, Judgement, LabDice, Match, MatchDice, Mover, Options, Recorder, Seat,
    Table, Viewer, Wording,
};

use crate::Blitz;
use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::pool::Pool;
use crate::rules::{Closing, Rules};
use crate::seat_bot::Memory;
use crate::settings::{BoardKind, Difficulty, Settings};
use crate::state::{Phase, Placing, Stage, State, Verdict};
use crate::stratagem::Stratagem;
use crate::units::{Ability, Kind, Side};

fn two_player() -> Rules {
    Rules::new(Settings::two_player(BoardKind::Base))
}

fn solo() -> Rules {
    Rules::new(Settings::solo(BoardKind::Base, Difficulty::Medium))
}

/// A position in which a side is to place, with the given reserves and empty bags.
fn to_place(rules: &Rules, side: Side, hands: [&[Kind]; 2]) -> State {
    let mut state = rules.start();
    state.phase = Phase::Place;
    state.stage = Stage::Ready;
    state.placing = Placing::NOTHING;
    state.side = side;
    state.turn = if side == Side::First { 1 } else { 2 };
    state.hands = hands.map(|hand| hand.iter().copied().collect());
    state.bags = [Pool::default(); 2];
    state.pile = Pool::default();
    state
}

fn choice(rules: &Rules, name: &str) -> Choice {
    Choice::parse(rules.layout, name).unwrap_or_else(|| panic!("{name:?} names no choice"))
}

fn play(rules: &Rules, state: &mut State, name: &str) {
    let choice = choice(rules, name);
    assert_eq!(rules.refusal(state, choice), None, "{name}");
    rules.play(state, choice, &mut Discard);
}

fn reason(rules: &Rules, state: &State, name: &str) -> String {
    rules.refusal(state, choice(rules, name)).map_or_else(String::new, |refusal| refusal.reason)
}

/// R24: after a blitz a scientist may go to any space of the theatre, and of no other.
#[test]
fn a_scientist_after_a_blitz_stays_in_the_theatre() {
    let rules = two_player();
    let mut state = to_place(&rules, Side::First, [&[Kind::BlitzAir0, Kind::Scientist], &[Kind::Army1]]);
    play(&rules, &mut state, "place air0b WE.1.3");
    assert_eq!(state.phase, Phase::Blitz);
    assert_eq!(reason(&rules, &state, "place scientist WE.3.2"), "");
    assert!(reason(&rules, &state, "place scientist EE.1.1").contains("Western Europe"));
}

/// R25: what a copied scientist is depends on who plays the copy.
#[test]
fn a_copied_scientist_is_the_copiers_scientist() {
    let rules = solo();
    let mut state = to_place(&rules, Side::Second, [&[Kind::Spy], &[Kind::Spy]]);
    state.last = [Some(Kind::Scientist), Some(Kind::Scientist)];
    let human = rules.played(&state, Side::Second, Kind::Spy).expect("there is something to copy");
    let bot = rules.played(&state, Side::First, Kind::Spy).expect("there is something to copy");
    assert_eq!((human.strength, bot.strength), (0, 3));
    assert_eq!(reason(&rules, &state, "place spy EE.3.4"), "");
}

/// R26: between two players the question is put even if nothing fits, and only when there is room; alone it is skipped.
#[test]
fn the_blitz_question_tells_nothing() {
    let rules = two_player();
    let mut state = to_place(&rules, Side::Second, [&[Kind::Army1], &[Kind::BlitzArmy, Kind::Navy1]]);
    play(&rules, &mut state, "place blitz_army EE.1.1");
    let mut choices = Vec::new();
    rules.list(&state, &mut choices);
    assert_eq!((state.phase, choices), (Phase::Blitz, vec![Choice::Stop]));
    let rules = solo();
    let mut state = to_place(&rules, Side::Second, [&[Kind::Army1], &[Kind::BlitzArmy, Kind::Navy1]]);
    play(&rules, &mut state, "place blitz_army EE.1.1");
    assert_eq!(state.side, Side::First);
}

/// R27, rule 7.3: the side itself says that it can't place, and loses.
#[test]
fn a_side_that_cannot_place_loses() {
    let rules = two_player();
    let mut state = to_place(&rules, Side::First, [&[Kind::Spy], &[Kind::Army1]]);
    let mut choices = Vec::new();
    rules.list(&state, &mut choices);
    assert_eq!(choices, [Choice::Stuck]);
    play(&rules, &mut state, "stuck");
    assert_eq!(state.verdict.map(Verdict::winner), Some(Side::Second));
    let state = to_place(&rules, Side::First, [&[Kind::Army1], &[]]);
    assert!(reason(&rules, &state, "stuck").contains("you must place"));
}

/// R28: the follow-up goes to the next campaign of the theatre; none if the theatre closed.
#[test]
fn a_blitz_goes_on_in_the_next_campaign() {
    let rules = two_player();
    let mut state = to_place(&rules, Side::First, [&[Kind::BlitzArmy, Kind::Army1], &[Kind::Army1]]);
    play(&rules, &mut state, "place army1 EE.1.1");
    state.side = Side::First;
    state.phase = Phase::Place;
    state.hands[0].push(Kind::Army2);
    play(&rules, &mut state, "place blitz_army EE.1.2");
    assert_eq!(state.phase, Phase::Blitz);
    assert_eq!(reason(&rules, &state, "place army2 EE.2.2"), "");
    let mut state = to_place(&rules, Side::First, [&[Kind::BlitzArmy, Kind::Army1], &[]]);
    state.tracks[2] = 13;
    play(&rules, &mut state, "place blitz_army EE.1.1");
    // Nothing more in a closed theatre: what is left of it is collected, and the turn is over.
    while state.phase == Phase::Strategic {
        play(&rules, &mut state, "strategic AF");
    }
    assert!(state.is_closed(2));
    assert_ne!(state.phase, Phase::Blitz);
}

/// R31: neither extra spaces nor a modifier bring a marker to its end.
#[test]
fn the_bots_advantage_never_closes_a_theatre() {
    for (board, difficulty) in [(BoardKind::Base, Difficulty::Elite), (BoardKind::Nippon, Difficulty::Elite)]
    {
        let mut settings = Settings::solo(board, difficulty);
        settings.solo = settings.solo.map(|solo| crate::settings::Solo { extra_tracks: 5, ..solo });
        let rules = Rules::new(settings);
        let mut state = rules.start();
        while state.turn == 0 {
            let next = match state.phase {
                Phase::Difficulty => Choice::Die(4),
                _ => rules.drawn(&state, 0),
            };
            rules.play(&mut state, next, &mut Discard);
        }
        for (at, theatre) in rules.layout.theatres.iter().enumerate() {
            assert!(state.tracks[at] < theatre.track_end, "{}: {}", theatre.id, state.tracks[at]);
        }
        assert_eq!(state.vp, [3, 0]);
    }
}

/// R9, R32: where a bombed unit of the bot goes, in both readings.
#[test]
fn a_bombed_unit_goes_where_the_setting_says() {
    for to_pile in [false, true] {
        let mut settings = Settings::solo(BoardKind::Base, Difficulty::Medium);
        settings.solo = settings.solo.map(|solo| crate::settings::Solo { bombed_to_pile: to_pile, ..solo });
        let rules = Rules::new(settings);
        let hands: [&[Kind]; 2] = [&[Kind::Army1, Kind::Spy], &[Kind::Navy1, Kind::Army1]];
        let mut state = to_place(&rules, Side::Second, hands);
        play(&rules, &mut state, "place navy1 PO.1.1");
        assert!(reason(&rules, &state, "bomb 2").contains("nothing else"));
        play(&rules, &mut state, "bomb 1");
        assert_eq!((state.bags[0].len(), state.pile.len()), if to_pile { (0, 1) } else { (1, 0) });
    }
}

/// R33, R21: the bot's blitz leaves the theatre if nothing fits there, and ends if nothing fits anywhere.
#[test]
fn the_bots_blitz_may_leave_the_theatre() {
    let rules = solo();
    let mut state = to_place(&rules, Side::First, [&[Kind::BlitzArmy, Kind::Navy1], &[Kind::Army1]]);
    state.bot.in_force = Some(Stratagem::RapidDeployment);
    rules.put(&mut state, Kind::BlitzArmy, rules.layout.space("EE.1.1").expect("a space"), &mut Discard);
    state.hands[0].remove(Kind::BlitzArmy);
    rules.go_on(&mut state, &mut Discard);
    assert!(state.hands[0].is_empty(), "the navy was placed elsewhere");
    assert_eq!(state.side, Side::Second);

    let mut state = to_place(&rules, Side::First, [&[Kind::BlitzArmy, Kind::Navy1], &[Kind::Army1]]);
    // Only Eastern Europe is open, and it has no sea.
    for theatre in [0, 1, 3, 4] {
        state.open &= !(1 << theatre);
        state.closed |= 1 << theatre;
        rules.refresh(&mut state, theatre);
    }
    state.hands[0].remove(Kind::BlitzArmy);
    rules.put(&mut state, Kind::BlitzArmy, rules.layout.space("EE.1.1").expect("a space"), &mut Discard);
    rules.go_on(&mut state, &mut Discard);
    assert_eq!((state.hands[0].len(), state.side, state.verdict), (1, Side::Second, None));
}

/// Rule 8.4: a stratagem never comes twice running; Steamroll repeats what was in force.
#[test]
fn steamroll_repeats_and_no_token_comes_twice_running() {
    let rules = solo();
    let mut state = to_place(&rules, Side::First, [&[Kind::Army1; 3], &[Kind::Army1]]);
    assert!(!state.bot.cup.has(Stratagem::Steamroll));
    rules.take_stratagem(&mut state, Stratagem::Secure, &mut Discard);
    assert!(!state.bot.cup.has(Stratagem::Secure) && state.bot.cup.has(Stratagem::Steamroll));
    rules.take_stratagem(&mut state, Stratagem::Steamroll, &mut Discard);
    assert_eq!(state.bot.in_force, Some(Stratagem::Secure));
    assert!(state.bot.cup.has(Stratagem::Secure) && !state.bot.cup.has(Stratagem::Steamroll));
}

/// Rule 9.7: the chain of reasons ends with what the bot does.
#[test]
fn the_bot_explains_itself() {
    let rules = solo();
    let row = [Kind::Admiral, Kind::Air1, Kind::Navy2, Kind::Air2, Kind::Army2];
    let mut state = to_place(&rules, Side::First, [&row, &[Kind::Army1]]);
    state.phase = Phase::Stratagem;
    let mut recorder = Recorder::default();
    rules.play(&mut state, Choice::Stratagem(Stratagem::ResearchDevelopment), &mut recorder);
    assert_eq!(state.phase, Phase::UnitDie);
    rules.play(&mut state, Choice::Die(5), &mut recorder);
    let told: Vec<_> = recorder.seen_by(Viewer::Spectator).map(|event| rules.log_line(event)).collect();
    let folded: Vec<&str> = told.iter().filter(|told| told.aside).map(|told| told.text.as_str()).collect();
    assert!(
        folded.iter().any(|line| line.starts_with("Theatres: Research & Development keeps")),
        "{folded:?}"
    );
    assert!(folded.iter().any(|line| line.contains("most empty spaces keeps Africa")), "{folded:?}");
    let shown: Vec<&str> = told.iter().filter(|told| !told.aside).map(|told| told.text.as_str()).collect();
    assert!(shown.iter().any(|line| line.starts_with("Die 5 → ")), "{shown:?}");
}

/// Rule 7.1: at 25 the second side still has a turn; rule 7.2 decides after it.
#[test]
fn the_first_side_gives_a_last_turn() {
    let rules = two_player();
    let mut state = to_place(&rules, Side::First, [&[Kind::Army1], &[Kind::Army1]]);
    state.vp = [25, 25];
    rules.end_turn(&mut state, &mut Discard);
    assert_eq!((state.verdict, state.side), (None, Side::Second));
    rules.end_turn(&mut state, &mut Discard);
    assert_eq!(state.verdict.map(Verdict::winner), Some(Side::Second));
}

/// A hand that its owner sees, and nobody else: views, words and the log of a running match.
#[test]
fn a_running_match_shows_nobody_anothers_hand() {
    let game = Blitz::with_options(&Options::new()).expect("good options");
    let mut war = Match::new(game, MatchDice::seeded(11));
    war.play_forced(&mut Discard);
    let game = war.game().clone();
    for (seat, own) in [(0, Side::First), (1, Side::Second)] {
        let view = game.view(war.state(), Viewer::Seat(Seat(seat)));
        assert_eq!(view.state().hands[own.index()], war.state().hands[own.index()]);
        assert!(view.state().hands[own.enemy().index()].is_empty());
        assert!(view.state().bags[own.enemy().index()].is_empty() && view.state().pile.is_empty());
        assert_eq!(view.hand_len(own.enemy()), 3);
    }
    let spectator = game.view(war.state(), Viewer::Spectator);
    assert!(spectator.state().hands.iter().all(crate::pool::Row::is_empty));
    assert!(!game.describe(&spectator).to_string().contains("\"reserve\":"));
    let mut told = Recorder::default();
    war.replay(0, &mut told, |_, _, _, _| {});
    let heard = |viewer: Viewer| {
        let named = |event: &&GameEvent| matches!(event, GameEvent::Drew { kind: Some(_), .. });
        told.seen_by(viewer).filter(named).count()
    };
    assert_eq!(
        (heard(Viewer::Seat(Seat(0))), heard(Viewer::Seat(Seat(1))), heard(Viewer::Spectator)),
        (3, 3, 0)
    );
    assert_eq!(war.mover(), Mover::Seat(Seat(0)));
    let named =
        |viewer: Viewer| Table::log(&war, 0, viewer).iter().filter(|entry| entry.name.is_some()).count();
    assert_eq!(
        (named(Viewer::Seat(Seat(0))), named(Viewer::Seat(Seat(1))), named(Viewer::Spectator)),
        (3, 3, 0)
    );
}

/// While the die of a blitz follow-up is due, only that die is still to come: the odds stay in the theatre.
#[test]
fn the_odds_of_a_follow_up_stay_in_its_theatre() {
    let rules = solo();
    let mut state = to_place(&rules, Side::First, [&[Kind::Air1, Kind::Air2], &[Kind::Army1]]);
    state.bot.in_force = Some(Stratagem::EconomicWarfare);
    state.tracks[2] = -9;
    rules.put(&mut state, Kind::BlitzArmy, rules.layout.space("EE.1.1").expect("a space"), &mut Discard);
    rules.go_on(&mut state, &mut Discard);
    assert_eq!(state.phase, Phase::UnitDie);
    let answer = rules.answer(&rules.view(&state, Viewer::Spectator), "bot").expect("an answer");
    assert!(answer.results.iter().all(|(what, _)| what.contains("EE.1.2 (Eastern Europe)")), "{answer}");
}

/// Rule 13.1: in a player's seat the bot says what settled the matter, and chooses the same whether or not it is asked.
#[test]
fn the_bot_in_a_seat_says_why() {
    let game = Blitz::with_options(&Options::new()).expect("good options");
    let mut state = game.start();
    let mut fate = LabDice::new(11);
    let mut memories = [Memory::default(), Memory::default()];
    let mut placed = 0;
    loop {
        let seat = match game.mover(&state) {
            Mover::Nobody => break,
            Mover::Fate => {
                let ticket = fate.below(game.tickets(&state));
                let drawn = game.drawn(&state, ticket);
                game.apply(&mut state, drawn, &mut Discard);
                continue;
            }
            Mover::Seat(seat) => seat,
        };
        let mut choices = Vec::new();
        game.choices(&state, &mut choices);
        let view = game.view(&state, Viewer::Seat(seat));
        let (memory, dice) = (&mut memories[seat.index()], LabDice::new(u64::from(state.turn)));
        let mut why = String::new();
        let silent =
            game.policy(Effort::Bot(0), &mut memory.clone(), &view, &choices, &mut dice.clone(), None);
        let said = game.policy(Effort::Bot(0), memory, &view, &choices, &mut dice.clone(), Some(&mut why));
        assert_eq!(silent, said);
        if let Choice::Place { .. } = choices[said] {
            placed += 1;
            let parts = ["Theatres: ", "Spaces: ", "Units: "];
            // A scientist may go where the procedure does not look.
            if !why.contains("Theatres: ") {
                assert!(why.starts_with("Nothing"), "{why}");
                game.apply(&mut state, choices[said], &mut Discard);
                continue;
            }
            assert!(why.starts_with("Stratagem ") || why.starts_with("Theatres"), "{why}");
            assert!(parts.iter().all(|part| why.matches(part).count() == 1) && why.ends_with('.'), "{why}");
            assert!(why.chars().count() <= kernel::MAX_REMARK, "{why}");
        }
        game.apply(&mut state, choices[said], &mut Discard);
    }
    assert!(placed > 10);
}

/// What a placement is said to do is what it does, in wars of random choices: the points and the marker, wherever nothing
/// else moves points in between.
#[test]
fn a_placement_does_what_was_foretold() {
    let mut closings = [0, 0, 0];
    let modes = [
        Settings::two_player(BoardKind::Base),
        Settings::two_player(BoardKind::Nippon),
        Settings::solo(BoardKind::Base, Difficulty::Hard),
        Settings::solo(BoardKind::Nippon, Difficulty::Standard),
    ];
    for (settings, seed) in modes.into_iter().flat_map(|settings| (0..60).map(move |seed| (settings, seed))) {
        let game = Blitz::new(settings);
        let rules = Rules::new(settings);
        let (mut state, mut dice, mut choices) = (game.start(), LabDice::new(seed), Vec::new());
        while game.mover(&state) != Mover::Nobody {
            choices.clear();
            game.choices(&state, &mut choices);
            for &choice in &choices {
                let Choice::Place { kind, space } = choice else { continue };
                let unit = rules.played(&state, state.side, kind).expect("a token that can be placed");
                let told = rules.preview(&state, state.side, unit, space);
                let Some(after) = placed(&game, &state, choice, &mut dice) else { continue };
                let gained = [0, 1].map(|side| after.vp[side] - state.vp[side]);
                assert_eq!(gained, told.vp, "seed {seed}, {settings:?}, {choice:?}: {told:?}");
                assert_eq!(
                    after.track(rules.space(space).theatre),
                    told.to,
                    "seed {seed}, {choice:?}: {told:?}"
                );
                let closed = after.is_closed(rules.space(space).theatre);
                assert_eq!(closed, told.closing != Closing::No, "seed {seed}, {choice:?}: {told:?}");
                closings[told.closing as usize] += 1;
            }
            let choice = match game.mover(&state) {
                Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
                _ => choices[dice.below(choices.len() as u32) as usize],
            };
            game.apply(&mut state, choice, &mut Discard);
        }
    }
    assert!(closings.into_iter().all(|count| count > 100), "stays open, filled, by its track: {closings:?}");
}

/// The position when a placement is carried out up to the opening of a city, a blitz or the draw at the end of the turn;
/// `None` where a strategic advantage or a nuclear bomb moves other markers, or the turn has passed on.
fn placed(game: &Blitz, state: &State, choice: Choice, dice: &mut LabDice) -> Option<State> {
    let (mut after, mut next, mut choices) = (*state, choice, Vec::new());
    loop {
        game.apply(&mut after, next, &mut Discard);
        if after.turn != state.turn
            || after.phase == Phase::Strategic
            || after.placing.kind.ability() == Ability::Nuclear
        {
            return None;
        }
        if !matches!(after.stage, Stage::Effect | Stage::Ability | Stage::Marker | Stage::Collect) {
            return Some(after);
        }
        choices.clear();
        game.choices(&after, &mut choices);
        next = match game.mover(&after) {
            Mover::Nobody => return Some(after),
            Mover::Fate => game.drawn(&after, dice.below(game.tickets(&after))),
            Mover::Seat(_) => choices[dice.below(choices.len() as u32) as usize],
        };
    }
}
