//! What search promises: the same for the same seed whatever the threads, an answer at any moment, memory within bounds, and
//! no knowledge that its seat does not have.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use blitz::Blitz;
use bots::analysis::{Analysis, Analyst, SearchAnalyst};
use bots::search::{Budget, Resources, Search, SearchResult, Subject};
use bots::{Bot, BotKind, LEVELS, Player};
use dday::DDay;
use echoes::{Choice, Echoes, Edition};
use kernel::{
    Catalogue, CompleteGame, Dice, Discard, Effort, Game, Judgement, LabDice, Match, MatchDice, Mover,
    Options, Seat, Standing, Tuning, Viewer,
};
use triumph::Triumph;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn resources(threads: usize) -> Resources {
    Resources { threads, memory: 64 << 20 }
}

fn game<G: CompleteGame>(options: &[(&str, &str)]) -> G {
    let options: Options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    G::with_options(&options).expect("a set-up")
}

/// Plays by the quick policy until a seat has so many decisions with more than `few` choices behind it.
fn after<G: CompleteGame>(game: &G, decisions: usize, seed: u64) -> (G::State, Seat) {
    let mut state = game.start();
    let mut dice = LabDice::new(seed);
    let mut left = decisions;
    let mut choices = Vec::new();
    loop {
        match game.mover(&state) {
            Mover::Nobody => panic!("the game is over too soon"),
            Mover::Fate => {
                let drawn = game.drawn(&state, dice.below(game.tickets(&state)));
                game.apply(&mut state, drawn, &mut Discard);
            }
            Mover::Seat(seat) => {
                choices.clear();
                game.choices(&state, &mut choices);
                if choices.len() > 1 {
                    if left == 0 {
                        return (state, seat);
                    }
                    left -= 1;
                }
                let pick = game.policy(
                    Effort::Quick,
                    &mut G::Memory::default(),
                    &game.view(&state, Viewer::Seat(seat)),
                    &choices,
                    &mut dice,
                    None,
                );
                game.apply(&mut state, choices[pick], &mut Discard);
            }
        }
    }
}

fn found<G: CompleteGame>(game: &G, threads: usize, budget: Budget) -> SearchResult<G::Choice> {
    let (state, seat) = after(game, 6, 3);
    let view = game.view(&state, Viewer::Seat(seat));
    Search::new(resources(threads))
        .think(game, Subject::View(&view, Viewer::Seat(seat)), budget, 7, None, &GO_ON)
        .expect("few seats")
}

#[test]
fn the_same_seed_finds_the_same_whatever_the_threads() {
    fn check<G: CompleteGame>(game: &G, playouts: u32) {
        let one = found(game, 1, Budget::playouts(playouts));
        assert_eq!(one.playouts, playouts);
        assert_eq!(one, found(game, 3, Budget::playouts(playouts)));
        assert!(one.lines.iter().map(|line| line.visits).sum::<u32>() <= playouts);
    }
    check(&game::<Echoes>(&[]), 12_000);
    check(&game::<Blitz>(&[]), 9_000);
    check(&game::<Blitz>(&[("mode", "solo")]), 9_000);
    check(&game::<DDay>(&[("scenario", "omaha")]), 40);
}

/// A search of a position of Triumph & Tragedy, in which nearly everything is hidden.
fn found_in_triumph(
    tuning: Tuning,
    playouts: u32,
    seed: u64,
) -> (SearchResult<triumph::Choice>, triumph::Choice) {
    let game = game::<Triumph>(&[]);
    let (state, seat) = after(&game, 200, 3);
    let view = game.view(&state, Viewer::Seat(seat));
    let mut choices = Vec::new();
    game.choices(&state, &mut choices);
    let first = game.policy(Effort::Considered, &mut (), &view, &choices, &mut LabDice::new(1), None);
    let about = Subject::View(&view, Viewer::Seat(seat));
    let mut search = Search::new(resources(1)).tuned(tuning);
    let found = search.think(&game, about, Budget::playouts(playouts), seed, None, &GO_ON);
    (found.expect("few seats"), choices[first])
}

/// The share of the playouts that goes to the policy's choice rises with trust.
#[test]
fn trust_counts_where_information_is_hidden_too() {
    let tuning = game::<Triumph>(&[]).tuning();
    let share = |trust: f32| {
        let (found, first) = found_in_triumph(Tuning { trust, exploration: 2.0, ..tuning }, 60, 5);
        let line = found.lines.iter().find(|line| line.choice == first);
        line.map_or(0.0, |line| f64::from(line.visits) / f64::from(found.playouts))
    };
    let (little, much) = (share(0.2), share(0.95));
    assert!(much > 0.6 && much > little + 0.2, "{little} with little trust, {much} with much");
}

/// What is guessed differs from playout to playout; leveling takes that luck off, so that searches agree better.
#[test]
fn leveling_takes_luck_out_of_what_is_guessed() {
    let tuning = game::<Triumph>(&[]).tuning();
    let spread = |leveling: f32| {
        let tuning = Tuning { leveling, trust: 0.95, exploration: 2.0, ..tuning };
        let chances: Vec<f64> = (0..24)
            .map(|seed| {
                let (found, _) = found_in_triumph(tuning, 24, seed);
                found.chances[found.seat.map_or(0, Seat::index)]
            })
            .collect();
        let mean = chances.iter().sum::<f64>() / chances.len() as f64;
        (mean, chances.iter().map(|chance| (chance - mean).powi(2)).sum::<f64>())
    };
    let ((plain, wide), (level, narrow)) = (spread(0.0), spread(1.0));
    assert!(narrow < wide, "spread {narrow} with leveling, {wide} without");
    assert!((plain - level).abs() < 0.05, "mean {level} with leveling, {plain} without");
}

#[test]
fn it_answers_at_once_when_it_is_told_to_stop_and_in_time_when_time_is_up() {
    let game = game::<Blitz>(&[]);
    let (state, seat) = after(&game, 4, 1);
    let view = game.view(&state, Viewer::Seat(seat));
    let about = Subject::View(&view, Viewer::Seat(seat));
    let mut search = Search::new(resources(2));
    let told = search
        .think(&game, about, Budget::playouts(50_000_000), 1, None, &AtomicBool::new(true))
        .expect("few seats");
    assert!(!told.lines.is_empty() && told.playouts < 100, "{} playouts", told.playouts);
    let begin = Instant::now();
    let timed = search
        .think(&game, about, Budget::time(Duration::from_millis(80)), 1, None, &GO_ON)
        .expect("few seats");
    assert!(!timed.lines.is_empty() && begin.elapsed() < Duration::from_secs(60));
}

#[test]
fn trees_keep_within_their_memory() {
    // With the windows of rules 2 there is enough to grow into.
    let game = game::<Echoes>(&[("windows", "2")]);
    let (state, seat) = after(&game, 5, 2);
    let view = game.view(&state, Viewer::Seat(seat));
    for memory in [0, 10_000, 60_000] {
        let mut search = Search::new(Resources { threads: 1, memory });
        let about = Subject::View(&view, Viewer::Seat(seat));
        let found = search.think(&game, about, Budget::playouts(3_000), 1, None, &GO_ON).expect("few seats");
        // All of it is used, and no more; two nodes are the minimum.
        let most = (memory / Search::<Echoes>::NODE_BYTES).max(2);
        assert_eq!(found.nodes, most, "{} bytes a node, {memory} bytes", Search::<Echoes>::NODE_BYTES);
        assert_eq!(found.playouts, 3_000);
        assert!(!found.lines.is_empty());
    }
}

#[test]
fn what_was_thought_before_is_remembered_when_it_comes_to_that() {
    let game = game::<DDay>(&[("scenario", "omaha")]);
    let (mut state, seat) = after(&game, 6, 2);
    let mut search = Search::new(resources(1));
    let viewer = Viewer::Seat(seat);
    let first = search
        .think(
            &game,
            Subject::View(&game.view(&state, viewer), viewer),
            Budget::playouts(200),
            1,
            None,
            &GO_ON,
        )
        .expect("few seats");
    // The line that was looked at most, up to the next decision of the seat.
    let best = &first.lines[0];
    game.apply(&mut state, best.choice, &mut Discard);
    for &choice in &best.then {
        if game.mover(&state) == Mover::Seat(seat) {
            break;
        }
        game.apply(&mut state, choice, &mut Discard);
    }
    assert_eq!(game.mover(&state), Mover::Seat(seat), "the line reaches the next decision");
    let view = game.view(&state, viewer);
    let second = search
        .think(&game, Subject::View(&view, viewer), Budget::playouts(10), 2, None, &GO_ON)
        .expect("few seats");
    let known: u32 = second.lines.iter().map(|line| line.visits).sum();
    assert!(known > 10, "{known} playouts are known after 10");
    search.forget();
    let fresh = search
        .think(&game, Subject::View(&view, viewer), Budget::playouts(10), 2, None, &GO_ON)
        .expect("few seats");
    assert!(fresh.lines.iter().map(|line| line.visits).sum::<u32>() <= 10);
}

/// A match at a decision, and the same with one draw changed that the seat which decides has not seen.
fn two_alike(seed: u64) -> Option<(Match<Blitz>, Match<Blitz>)> {
    let game = game::<Blitz>(&[]);
    let mut of = Match::new(game.clone(), MatchDice::seeded(seed));
    let mut dice = LabDice::new(seed);
    for _ in 0..8 {
        of.play_forced(&mut Discard);
        let Mover::Seat(seat) = of.mover() else { return None };
        let choices = of.choices();
        let pick = {
            let view = game.view(of.state(), Viewer::Seat(seat));
            game.policy(Effort::Quick, &mut Default::default(), &view, &choices, &mut dice, None)
        };
        of.play(choices[pick], &mut Discard).expect("an open choice");
    }
    of.play_forced(&mut Discard);
    let Mover::Seat(seat) = of.mover() else { return None };
    let viewer = Viewer::Seat(seat);
    let steps: Vec<_> = of.log().iter().copied().collect();
    for (at, step) in steps.into_iter().enumerate().rev() {
        let before = of.state_at(at);
        if game.mover(&before) != Mover::Fate || !game.conceals(&before, step.choice, viewer) {
            continue;
        }
        let mut drawn = Vec::new();
        game.choices(&before, &mut drawn);
        for other in drawn.into_iter().filter(|other| *other != step.choice) {
            if let Some(changed) = with_another_draw(&of, at, other)
                && changed.state() != of.state()
                && game.view(changed.state(), viewer) == game.view(of.state(), viewer)
            {
                return Some((of, changed));
            }
        }
    }
    None
}

/// The same match with another draw at a step, where all that followed can still be played.
fn with_another_draw(of: &Match<Blitz>, at: usize, other: blitz::Choice) -> Option<Match<Blitz>> {
    let mut changed = Match::new(of.game().clone(), MatchDice::Own);
    for (step, made) in of.log().iter().enumerate() {
        let choice = if step == at { other } else { made.choice };
        match changed.mover() {
            Mover::Fate => changed.fate(Some(choice), &mut Discard),
            _ => changed.play(choice, &mut Discard),
        }
        .ok()?;
    }
    Some(changed)
}

#[test]
fn a_bot_can_t_know_what_its_seat_can_t_know() {
    let pairs: Vec<_> = (0..40).filter_map(two_alike).collect();
    assert!(pairs.len() >= 10, "{} pairs of matches that look the same", pairs.len());
    let mut kinds: Vec<BotKind> = BotKind::all::<Blitz>().into_iter().map(|(kind, ..)| kind).collect();
    kinds.retain(|kind| !matches!(kind, BotKind::Level(2..)));
    kinds.push(BotKind::Playouts(300));
    for (one, other) in &pairs {
        assert_eq!(one.choices(), other.choices());
        for &kind in &kinds {
            // At the table, where the whole match lies before the bot.
            let choose = |table: &Match<Blitz>| {
                bots::SeatedBot::choose(&mut Player::<Blitz>::new(kind), table, &mut LabDice::new(4), &GO_ON)
            };
            assert_eq!(choose(one), choose(other), "{kind:?} knows the hand of the other");
        }
    }
}

#[test]
fn a_hint_can_t_tell_what_its_seat_can_t_know() {
    let pairs: Vec<_> = (0..16).filter_map(two_alike).collect();
    let mut with_line = 0;
    for (one, other) in &pairs {
        let Mover::Seat(seat) = one.mover() else { continue };
        let advise = |table: &Match<Blitz>| {
            let analyst: &mut dyn Analyst = &mut SearchAnalyst::<Blitz>::new(resources(1));
            analyst.advise(table, Viewer::Seat(seat), Budget::playouts(5_000), &GO_ON).expect("advice")
        };
        let (advice, same) = (advise(one), advise(other));
        let told = |analysis: &Analysis| format!("{:?} {:?}", analysis.chances, analysis.candidates);
        assert_eq!(told(&advice), told(&same), "the hint tells the hand of the other");
        with_line += usize::from(advice.candidates.iter().any(|candidate| !candidate.line.is_empty()));
    }
    assert!(with_line >= 5, "{with_line} hints of {} look ahead", pairs.len());
}

#[test]
fn search_sees_the_move_that_wins_the_game() {
    // Turn 20, one Action left: only an attack can still turn a draw into a victory.
    let game = Echoes::edition(Edition::Allied, 1).expect("the plain game");
    let mut state = game.start();
    for (key, value) in
        [("turn", "20"), ("WF", "4"), ("EF", "4"), ("SF", "4"), ("CHN", "2"), ("PAC", "4"), ("ISL", "3")]
    {
        game.place(&mut state, key, value).expect("a position by hand");
    }
    for face in [4, 4, 1] {
        while matches!(game.mover(&state), Mover::Seat(_)) {
            game.apply(&mut state, Choice::No, &mut Discard);
        }
        game.apply(&mut state, Choice::Die(face), &mut Discard);
    }
    let found = Search::new(resources(1))
        .think(&game, Subject::Position(&state), Budget::playouts(4_000), 1, None, &GO_ON)
        .expect("few seats");
    assert!(matches!(found.lines[0].choice, Choice::Attack(_)), "{:?}", found.lines);
}

#[test]
fn the_choice_in_focus_is_known_well_however_bad_it_is() {
    let game = game::<Blitz>(&[("mode", "solo")]);
    let (state, _) = after(&game, 3, 2);
    let plain = Search::new(resources(1))
        .think(&game, Subject::Position(&state), Budget::playouts(3_000), 1, None, &GO_ON)
        .expect("few seats");
    let worst = plain.lines.last().expect("several choices").choice;
    let found = Search::new(resources(1))
        .think(&game, Subject::Position(&state), Budget::playouts(3_000), 1, Some(worst), &GO_ON)
        .expect("few seats");
    let line = found.lines.iter().find(|line| line.choice == worst).expect("it was looked at");
    assert!(line.visits >= 999, "{} visits", line.visits);
}

#[test]
fn chances_of_two_seats_add_up() {
    let game = game::<Blitz>(&[]);
    let found = found(&game, 1, Budget::playouts(500));
    for line in &found.lines {
        assert!((line.chances[0] + line.chances[1] - 1.0).abs() < 1e-5, "{line:?}");
    }
}

/// Scores of one bot against another over paired games of blitz, in per cent.
fn score(strong: BotKind, weak: BotKind, pairs: u64) -> f64 {
    let game = game::<Blitz>(&[]);
    let mut points = 0.0;
    for number in 0..2 * pairs {
        let seat = (number % 2) as usize;
        let mut players = [Player::new(weak), Player::new(weak)];
        players[seat] = Player::new(strong);
        let mut state = game.start();
        let mut dice = LabDice::for_game(11, number / 2);
        let mut choices = Vec::new();
        while game.mover(&state) != Mover::Nobody {
            let choice = if let Mover::Seat(mover) = game.mover(&state) {
                choices.clear();
                game.choices(&state, &mut choices);
                let view = game.view(&state, Viewer::Seat(mover));
                choices[players[mover.index()].choose(&game, &view, &choices, &mut dice)]
            } else {
                game.drawn(&state, dice.below(game.tickets(&state)))
            };
            game.apply(&mut state, choice, &mut Discard);
        }
        let outcome = game.outcome(&state).expect("it is over");
        points += match game.results()[usize::from(outcome.0)].standings[seat] {
            Standing::Win => 1.0,
            Standing::Draw => 0.5,
            Standing::Loss => 0.0,
        };
    }
    100.0 * points / (2 * pairs) as f64
}

/// A few dozen games tell levels apart that lie far enough from each other; `maproom ladder` does the rest.
#[test]
fn a_higher_level_beats_a_lower_one() {
    for (weak, strong, least) in [(0, 1, 55.0), (0, 2, 65.0)] {
        let score = score(BotKind::Level(strong), BotKind::Level(weak), 20);
        let [weak, strong] = [weak, strong].map(|at| LEVELS[usize::from(at)].word);
        assert!(score > least, "{strong} against {weak}: {score} %");
    }
}
