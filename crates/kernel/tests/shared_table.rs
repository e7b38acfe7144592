//! What only a table with two players and secrets can show, and proof that the conformance suite can fail.

use kernel::{
    Actor, Audience, Discard, Game, LogEntry, Match, MatchDice, MatchError, Mover, Recorder, Seat, SeatSet,
    SecretPolicy, Story, Table, Undo, Viewer,
};
use testkit::conformance::{self, Plan};
use testkit::duel::{Choice, Duel, Fault, GameEvent};

const RED: Seat = Seat(0);
const BLUE: Seat = Seat(1);
const PLAN: Plan = Plan { games: 60, seed: 5, max_steps: 40 };

/// A match in which Fate and the seats choose what is named; what can only be one thing is not named.
/// A duel that has gone so far, with cards that are dealt by hand.
fn played(names: &[&str]) -> Match<Duel> {
    played_as(Duel::with(Fault::None), names)
}

fn played_as(duel: Duel, names: &[&str]) -> Match<Duel> {
    let mut game_match = Match::new(duel, MatchDice::Own);
    for name in names {
        let choice = game_match.read(name).expect("a choice of the game");
        match game_match.mover() {
            Mover::Fate => game_match.fate(Some(choice), &mut Discard),
            _ => game_match.play(choice, &mut Discard),
        }
        .expect("an open choice");
        game_match.play_forced(&mut Discard);
    }
    game_match
}

fn logged(game_match: &Match<Duel>) -> Vec<Choice> {
    game_match.log().iter().map(|step| step.choice).collect()
}

#[test]
fn the_suite_passes_a_game_that_keeps_every_promise() {
    let report = conformance::run(&Duel::with(Fault::None), &PLAN).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!((report.games, report.positions), (60, 60 * 9));
    assert_eq!(report.refusals, 0, "no probe was given");
}

#[test]
fn the_suite_catches_every_broken_promise() {
    let complaints = [
        (Fault::LeakyView, "another view"),
        (Fault::ChangingFeatures, "gets 2 features, but the set-up has 3"),
        (Fault::SameAction, "is action 4, as another choice is"),
        (Fault::LeakyEvent, "can tell Card(1) from Card(2) by the events, which the log conceals"),
        (Fault::LeakyChoices, "changes what they may choose"),
        (Fault::LeakyLabel, "the prompt, a label or a reason tells Seat("),
        (Fault::NamesCollide, "\"stake\" does not read back to Stake(2)"),
        (Fault::ClosesListed, "Stake(1) is shown as closed but listed"),
        (Fault::NoReason, "Stake(1) is closed without a reason"),
        (Fault::WrongTickets, "Fate draws"),
        (Fault::WrongDeterminize, "another view|determinized for"),
        (Fault::BrokenInvariant, "invariant broken: blue is too far"),
        (Fault::Endless, "has not ended after 40 choices"),
        (Fault::OverWithoutOutcome, "mover Nobody but outcome None"),
        (
            Fault::OwnMemory,
            "does not lead to the state of step|the same choices lead elsewhere|another position",
        ),
        (Fault::LostOption, "own save is refused"),
        (Fault::LeakyWaiting, "the prompt for those who wait tells"),
    ];
    assert_eq!(complaints.len() + 1, Fault::ALL.len(), "every fault has its complaint");
    for (fault, complaint) in complaints {
        let why =
            conformance::run(&Duel::with(fault), &PLAN).expect_err(&format!("{fault:?} goes unnoticed"));
        assert!(complaint.split('|').any(|part| why.contains(part)), "{fault:?}: {why}");
        assert!(why.starts_with("duel game ") && why.contains(" of seed 5: "), "{why}");
    }
}

#[test]
fn an_event_reaches_only_its_audience() {
    let mut recorder = Recorder::default();
    let mut game_match = Match::new(Duel::with(Fault::None), MatchDice::Own);
    game_match.fate(Some(Choice::Card(3)), &mut recorder).expect("an open card");
    let heard = |viewer| recorder.seen_by(viewer).copied().collect::<Vec<_>>();
    assert_eq!(heard(Viewer::Seat(RED)), [GameEvent::Dealt(0, 3)]);
    assert_eq!(heard(Viewer::Seat(BLUE)), [GameEvent::DealtSomething(0)]);
    assert_eq!(heard(Viewer::Spectator), [GameEvent::DealtSomething(0)]);
    for (audience, red, blue, spectator) in [
        (Audience::Everyone, true, true, true),
        (Audience::Only(RED), true, false, false),
        (Audience::Except(RED), false, true, true),
    ] {
        let included =
            [Viewer::Seat(RED), Viewer::Seat(BLUE), Viewer::Spectator].map(|v| audience.includes(v));
        assert_eq!(included, [red, blue, spectator], "{audience:?}");
    }
}

#[test]
fn the_log_conceals_what_a_viewer_may_not_know() {
    let game_match = played(&["card 3", "card 1", "stake 1", "strike", "stake 2", "hold"]);
    let table: &dyn Table = &game_match;
    let names = |viewer| {
        let entry = |entry: &LogEntry| entry.name.clone().unwrap_or_else(|| "?".to_owned());
        table.log(0, viewer).iter().map(entry).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(names(Viewer::Seat(RED)), "card 3, ?, stake 1, strike, stake 2, ?, show");
    assert_eq!(names(Viewer::Seat(BLUE)), "?, card 1, stake 1, ?, stake 2, hold, show");
    assert_eq!(names(Viewer::Spectator), "?, ?, stake 1, ?, stake 2, ?, show");
    let stories = |viewer| {
        let texts = |entry: LogEntry| entry.story.into_iter().map(|line| line.text);
        table.log(0, viewer).into_iter().flat_map(texts).collect::<Vec<_>>()
    };
    assert_eq!(stories(Viewer::Seat(RED))[..2], ["Dealt(0, 3)", "DealtSomething(1)"]);
    assert_eq!(stories(Viewer::Spectator)[..2], ["DealtSomething(0)", "DealtSomething(1)"]);
    assert_eq!(stories(Viewer::Spectator).last().map(String::as_str), Some("Shown([3, 1], [2, 1])"));
    // From the middle on the same lines come out, and nothing past the end.
    assert_eq!(table.log(4, Viewer::Spectator), table.log(0, Viewer::Spectator)[4..]);
    assert!(table.log(99, Viewer::Spectator).is_empty());
    for viewer in [Viewer::Seat(RED), Viewer::Seat(BLUE), Viewer::Spectator] {
        let whole = table.log(0, viewer);
        for from in 0..=7 {
            for to in 0..=8 {
                let wanted = whole.get(from..to.min(7)).unwrap_or_default();
                assert_eq!(table.log_range(from..to, viewer), wanted, "{from} to {to} for {viewer:?}");
            }
        }
    }
}

#[test]
fn a_sight_opens_only_when_the_cards_are_shown() {
    let before = played(&["card 3", "card 1", "stake 1", "strike", "stake 1"]);
    let cards = |game_match: &Match<Duel>, viewer| Table::view(game_match, viewer)["cards"].to_string();
    assert_eq!(cards(&before, Viewer::Seat(RED)), "[3,0]");
    assert_eq!(cards(&before, Viewer::Seat(BLUE)), "[0,1]");
    assert_eq!(cards(&before, Viewer::Spectator), "[0,0]");
    let after = played(&["card 3", "card 1", "stake 1", "strike", "stake 1", "hold"]);
    assert_eq!(cards(&after, Viewer::Spectator), "[3,1]");
}

#[test]
fn play_forced_makes_and_marks_choices_without_alternative() {
    // Red stakes 2, so blue must match it; after both have committed, red must show.
    let mut duel = Duel::with(Fault::None);
    duel.open = true;
    let game_match = played_as(duel, &["card 1", "card 2", "stake 2", "hold", "strike"]);
    let forced: Vec<_> = game_match.log().iter().filter(|step| step.forced).collect();
    assert_eq!(forced.iter().map(|step| step.choice).collect::<Vec<_>>(), [Choice::Stake(2), Choice::Show]);
    assert_eq!(
        forced.iter().map(|step| step.actor).collect::<Vec<_>>(),
        [Actor::Seat(BLUE), Actor::Seat(RED)]
    );
    let text = game_match.save(SecretPolicy::Keep);
    assert!(text.contains("blue*    stake 2 ") && text.contains("red*     show "), "{text}");
    let loaded = Match::<Duel>::load("duel", &text).expect("an own save");
    assert_eq!(loaded.game_match.log(), game_match.log());
    // The mark can't be put where there was something to decide, nor on a draw.
    for (line, altered) in [("red      stake 2", "red*     stake 2"), ("fate     card 1", "fate*    card 1")]
    {
        let why = Match::<Duel>::load("duel", &text.replacen(line, altered, 1)).expect_err("a false mark");
        assert!(why.to_string().contains("marked as forced, but there were others"), "{why}");
    }
}

#[test]
fn fates_offers_show_how_many_tickets_each_has() {
    let mut open_cards = Duel::with(Fault::None);
    open_cards.open = true;
    let mut game_match = Match::open(open_cards, MatchDice::Own).expect("own cards where all lie open");
    let offers = |game_match: &Match<Duel>, seat: Seat| -> Vec<(String, u32)> {
        let offers = game_match.offers(Viewer::Seat(seat)).into_iter();
        offers.map(|offer| (offer.name, offer.weight)).collect()
    };
    let expected =
        [("card 1", 2), ("card 2", 1), ("card 3", 1)].map(|(name, weight)| (name.to_owned(), weight));
    assert_eq!((game_match.tickets(), offers(&game_match, RED)), (4, expected.to_vec()));
    game_match.fate(Some(Choice::Card(3)), &mut Discard).expect("an open card");
    assert_eq!((game_match.tickets(), offers(&game_match, BLUE)), (3, expected[..2].to_vec()));
    game_match.fate(Some(Choice::Card(1)), &mut Discard).expect("an open card");
    assert_eq!(game_match.tickets(), 0, "a seat draws no tickets");
    assert!(offers(&game_match, RED).iter().all(|(_, weight)| *weight == 0));
}

#[test]
fn closed_choices_come_with_the_reason() {
    let mut game_match = played(&["card 1", "card 2", "stake 2"]);
    game_match.play(Choice::Hold, &mut Discard).expect("an open choice");
    let blue = Viewer::Seat(BLUE);
    let closed = game_match.closed(blue);
    assert_eq!(closed.len(), 1);
    assert_eq!((closed[0].name.as_str(), closed[0].refusal.reason.as_str()), ("stake 1", "not now"));
    assert_eq!(game_match.why_not(blue, "stake 2"), Ok(()));
    assert!(matches!(game_match.why_not(blue, "stake 1"), Err(MatchError::Refused { .. })));
    assert!(matches!(game_match.why_not(blue, "steak 2"), Err(MatchError::Unknown { nearest: Some(_), .. })));
}

/// What undo says and how many choices are left after it.
#[track_caller]
fn undo(names: &[&str], by: Seat, scope: Undo, expected: Result<usize, &str>) {
    let mut game_match = played(names);
    let before = game_match.clone();
    match (game_match.undo(by, scope), expected) {
        (Ok(steps), Ok(left)) => {
            assert_eq!(game_match.log().len(), left);
            assert_eq!(before.log().len() - steps, left);
            assert_eq!(*game_match.state(), before.state_at(left));
            assert_eq!(game_match.takebacks(), 0, "no die was crossed");
        }
        (Err(why), Err(reason)) => {
            assert!(why.to_string().contains(reason), "{why}");
            assert_eq!((game_match.state(), game_match.log()), (before.state(), before.log()));
        }
        (result, _) => panic!("{result:?}, expected {expected:?}"),
    }
}

#[test]
fn a_player_takes_back_own_choices_until_somebody_else_has_spoken() {
    let fate = Err("the dice have been rolled since");
    let another = Err("another player has moved since");
    undo(&[], RED, Undo::Step, Err("there is nothing to undo"));
    undo(&["card 1", "card 2"], RED, Undo::Step, fate);
    undo(&["card 1", "card 2"], BLUE, Undo::Turn, fate);
    let both = ["card 1", "card 2", "stake 1", "hold"];
    undo(&both, RED, Undo::Step, Ok(3));
    undo(&both, RED, Undo::Turn, Ok(2));
    undo(&both, BLUE, Undo::Step, another);
    undo(&["card 1", "card 2", "stake 1", "hold", "stake 2"], RED, Undo::Step, another);
    undo(&["card 1", "card 2", "stake 1", "hold", "stake 2"], BLUE, Undo::Turn, Ok(4));
}

#[test]
fn what_all_agree_to_undo_goes_back_past_everybody() {
    let names = ["card 1", "card 2", "stake 1", "hold", "stake 2"];
    let mut game_match = played(&names);
    for (by, scope, target) in
        [(RED, Undo::Step, 3), (RED, Undo::Turn, 2), (BLUE, Undo::Step, 4), (BLUE, Undo::Turn, 4)]
    {
        assert_eq!(game_match.agreed_undo_target(by, scope), Ok((target, false)), "{by:?} {scope:?}");
    }
    let before = game_match.clone();
    game_match.undo_to(3);
    assert_eq!((game_match.log().len(), *game_match.state()), (3, before.state_at(3)));
    assert_eq!(game_match.takebacks(), 0, "own dice are rolled again");
    let nothing = played(&names[..2]).agreed_undo_target(BLUE, Undo::Turn);
    assert_eq!(nothing, Err(MatchError::NothingToUndo));
    // With fair dice the record says that a draw was gone past.
    let mut fair = Match::new(Duel::with(Fault::None), MatchDice::seeded(5));
    fair.play_forced(&mut Discard);
    fair.undo_to(0);
    assert_eq!((fair.log().len(), fair.takebacks()), (0, 1));
}

#[test]
fn a_forced_choice_is_no_decision_to_take_back() {
    // Blue's stake is forced: blue has decided nothing yet.
    undo(&["card 1", "card 2", "stake 2", "hold"], BLUE, Undo::Step, Err("another player has moved since"));
}

#[test]
fn nothing_that_was_shown_can_be_hidden_again() {
    let shown = ["card 1", "card 2", "stake 1", "hold", "stake 1", "strike"];
    assert_eq!(logged(&played(&shown)).last(), Some(&Choice::Show));
    undo(&shown, RED, Undo::Step, Err("hidden information has been revealed since"));
    undo(&shown, BLUE, Undo::Step, Err("hidden information has been revealed since"));
    let over: Vec<&str> = shown.into_iter().chain(["insist"]).collect();
    assert_eq!(played(&over).mover(), Mover::Nobody);
    undo(&over, RED, Undo::Step, Ok(7));
    undo(&over, RED, Undo::Turn, Ok(7));
    undo(&over, BLUE, Undo::Step, Err("another player has moved since"));
}

#[test]
fn an_error_says_who_is_to_choose_and_changes_nothing() {
    let mut game_match = Match::new(Duel::with(Fault::None), MatchDice::seeded(1));
    let untouched = |game_match: &Match<Duel>| assert!(game_match.log().is_empty());
    assert_eq!(game_match.play(Choice::Hold, &mut Discard), Err(MatchError::FateToMove));
    assert_eq!(game_match.fate(Some(Choice::Card(1)), &mut Discard), Err(MatchError::FairDice));
    untouched(&game_match);
    let mut own = Match::new(Duel::with(Fault::None), MatchDice::Own);
    assert_eq!(own.fate(None, &mut Discard), Err(MatchError::OwnDice));
    assert!(matches!(own.fate(Some(Choice::Hold), &mut Discard), Err(MatchError::Refused { .. })));
    untouched(&own);
    game_match.play_forced(&mut Discard);
    assert_eq!(game_match.fate(None, &mut Discard), Err(MatchError::SeatToMove));
    assert!(matches!(game_match.play(Choice::Show, &mut Discard), Err(MatchError::Refused { .. })));
    assert_eq!(game_match.log().len(), 2);
    let mut over = played(&["card 1", "card 2", "stake 1", "hold", "stake 1", "strike", "concede"]);
    assert_eq!(over.play(Choice::Insist, &mut Discard), Err(MatchError::Over));
    assert_eq!(over.fate(None, &mut Discard), Err(MatchError::Over));
    assert_eq!(over.game().outcome(over.state()).map(|outcome| outcome.0), Some(1));
}

#[test]
fn a_fork_goes_its_own_way() {
    let game_match = played(&["card 1", "card 2", "stake 1", "hold", "stake 1"]);
    let mut fork = game_match.fork(3);
    assert_eq!(logged(&fork), logged(&game_match)[..3]);
    fork.play(Choice::Strike, &mut Discard).expect("an open choice");
    assert_eq!(game_match.state().stances, [1, 0]);
    assert_eq!(fork.state().stances, [2, 0]);
    assert_eq!(Table::fork(&game_match, 99).digest(), Table::digest(&game_match));
}

#[test]
fn nobody_is_shown_what_another_may_choose() {
    let dealing = Match::new(Duel::with(Fault::None), MatchDice::Own);
    let [red, blue, spectator] = [Viewer::Seat(RED), Viewer::Seat(BLUE), Viewer::Spectator];
    // The rest of the deck would tell the others which card red has got, and red which one blue has.
    assert!([red, blue, spectator].into_iter().all(|viewer| dealing.offers(viewer).is_empty()));
    // Nor may anybody ask Fate for it, or deal with cards of their own.
    let mut asked = dealing.clone();
    assert_eq!(Table::play(&mut asked, BLUE, "card 9", None), Err(MatchError::FateToMove));
    assert!(Match::open(Duel::with(Fault::None), MatchDice::Own).is_err());
    let mut staking = played(&["card 3", "card 1"]);
    assert_eq!(staking.offers(red).len(), 2);
    for other in [blue, spectator] {
        assert!(staking.offers(other).is_empty() && staking.closed(other).is_empty());
        assert_eq!(staking.default_choice(other), None);
        assert_eq!(staking.why_not(other, "stake 1"), Err(MatchError::NotYours));
        let prompt = Table::prompt(&staking, other);
        assert_eq!(prompt.text, prompt.waiting);
    }
    assert_eq!(Table::play(&mut staking, BLUE, "stake 1", None), Err(MatchError::NotYours));
    assert_eq!(staking.log().len(), 2);
}

#[test]
fn a_story_is_told_to_its_viewer_only() {
    let mut table: Box<dyn Table> = Box::new(Match::new(Duel::with(Fault::None), MatchDice::Own));
    let mut story = Story::for_viewer(Viewer::Seat(BLUE));
    table.fate(Some("card 3"), Some(&mut story)).expect("an open card");
    assert_eq!(story.lines.len(), 1);
    assert_eq!(story.lines[0].text, "DealtSomething(0)");
}

#[test]
fn a_running_match_with_secrets_gives_nothing_away() {
    let running = played(&["card 3", "card 1", "stake 2", "strike"]);
    assert_eq!(Table::digest(&running), None);
    assert_eq!(Table::save(&running, SecretPolicy::Withhold), Err(MatchError::Hidden));
    assert!(Table::save(&running, SecretPolicy::Keep).is_ok());
    let log = Table::log(&running, 0, Viewer::Seat(RED));
    assert_eq!(Table::digests(&running, 0..log.len()), None);
    // Blue's forced stake looks like any other to red, and like what it was to blue.
    let forced = |viewer| Table::log(&running, 0, viewer).iter().filter(|entry| entry.forced).count();
    assert_eq!((forced(Viewer::Seat(RED)), forced(Viewer::Seat(BLUE))), (0, 1));
    let over = played(&["card 3", "card 1", "stake 1", "hold", "stake 1", "strike", "concede"]);
    assert!(Table::digest(&over).is_some() && Table::save(&over, SecretPolicy::Withhold).is_ok());
}

#[test]
fn one_person_among_bots_may_take_back_anything() {
    let mut game_match = played(&["card 1", "card 2", "stake 1", "hold", "stake 2"]);
    assert!(game_match.undo(RED, Undo::Step).is_err());
    game_match.seat_persons(SeatSet::default().with(RED));
    // What the bot in blue's seat did goes with it: it would only do it again.
    assert_eq!(game_match.undo(RED, Undo::Step), Ok(2));
}

#[test]
fn an_audience_can_be_any_part_of_the_table() {
    let third = Seat(2);
    let both = SeatSet::default().with(RED).with(third);
    let included = |audience: Audience| {
        let seats = [RED, BLUE, third].map(|seat| audience.includes(Viewer::Seat(seat)));
        (seats, audience.includes(Viewer::Spectator))
    };
    assert_eq!(included(Audience::Among(both)), ([true, false, true], false));
    assert_eq!(included(Audience::Besides(both)), ([false, true, false], true));
    assert_eq!(SeatSet::first(3).count(), 3);
    assert!(SeatSet::first(8).has(Seat(7)));
}

/// The remarks that a viewer is told, by step.
fn remarks(game_match: &Match<Duel>, viewer: Viewer) -> Vec<(usize, String)> {
    let told = |entry: LogEntry| Some((entry.step, entry.remark?));
    Table::log(game_match, 0, viewer).into_iter().filter_map(told).collect()
}

#[test]
fn a_remark_belongs_to_a_decision_and_goes_with_it() {
    let mut duel = Duel::with(Fault::None);
    duel.open = true;
    let mut game_match = played_as(duel, &["card 1", "card 2", "stake 2", "hold", "strike"]);
    let plain = game_match.save(SecretPolicy::Keep);
    let digests = Match::digests(&game_match, 0..99);
    // Two cards, stake 2, hold, the forced stake 2, strike, the forced show.
    for step in 0..9 {
        game_match.remark(step, &format!("because\nof {step}"));
    }
    let kept: Vec<(usize, String)> = [3, 4, 6].map(|step| (step, format!("because of {}", step - 1))).into();
    assert_eq!(remarks(&game_match, Viewer::Spectator), kept, "Fate and forced choices have no reasons");
    assert_eq!(Match::digests(&game_match, 0..99), digests, "the match is the same");
    // A save has it as a comment: whoever drops comments has the same match.
    let text = game_match.save(SecretPolicy::Keep);
    let without: String =
        text.lines().filter(|line| !line.starts_with("# why: ")).map(|l| format!("{l}\n")).collect();
    assert_eq!(without, plain);
    let loaded = Match::<Duel>::load("x", &text).expect("it loads").game_match;
    assert_eq!(remarks(&loaded, Viewer::Spectator), kept);
    assert!(Match::<Duel>::verify("x", &text).is_ok());
    // What somebody wrote into a file by hand is made as tidy as what a bot says, and lines without a choice are comments.
    let forged = text.replacen("# why: because of 2", &format!("# why: {}\u{7}", "long ".repeat(300)), 1);
    let forged = forged.replacen("# Turn", "# why: nobody has chosen yet\n# Turn", 1);
    let loaded = Match::<Duel>::load("x", &forged).expect("it loads").game_match;
    let first = &remarks(&loaded, Viewer::Spectator)[0];
    assert!(
        first.0 == 3 && first.1.chars().count() <= kernel::MAX_REMARK && !first.1.contains('\u{7}'),
        "{first:?}"
    );
    // A fork keeps what it keeps of the log, and so does taking back.
    assert_eq!(remarks(&game_match.fork(5), Viewer::Spectator), kept[..2]);
    game_match.seat_persons(SeatSet::default().with(RED));
    Match::undo(&mut game_match, RED, Undo::Step).expect("there is something to take back");
    assert_eq!(remarks(&game_match, Viewer::Spectator), kept[..1]);
    game_match.play(Choice::Strike, &mut Discard).expect("an open choice");
    assert_eq!(game_match.remark_at(3), None, "another choice has other reasons");
}

#[test]
fn a_remark_is_for_its_own_seat_while_something_is_hidden() {
    let names = ["card 3", "card 1", "stake 1", "strike", "stake 2", "hold", "concede"];
    let remarked = |names: &[&str]| {
        let mut game_match = played(names);
        game_match.remark(2, "red holds a 3");
        game_match.remark(4, "blue holds a 1");
        game_match
    };
    let running = remarked(&names[..5]);
    assert_eq!(remarks(&running, Viewer::Seat(RED)), [(3, "red holds a 3".to_owned())]);
    assert_eq!(remarks(&running, Viewer::Seat(BLUE)), [(5, "blue holds a 1".to_owned())]);
    assert_eq!(remarks(&running, Viewer::Spectator), []);
    let over = remarked(&names);
    for viewer in [Viewer::Seat(RED), Viewer::Seat(BLUE), Viewer::Spectator] {
        assert_eq!(remarks(&over, viewer).len(), 2, "{viewer:?}");
    }
}
