//! Ratings that are kept are those that a slow model of its own finds in the journal, however the rows are taken up.

use std::collections::BTreeMap;

use proptest::prelude::*;
use store::conformance::{sample, steps_append};
use store::{AccountId, Append, Effect, MatchRecord, Player, RatingBook, SqliteStore};

use super::*;
use crate::lobby::ratings::{formula, keep_ratings};

/// A rated match of the test: set-up, players by seat, how each fared; `!` for one who gave up before the end.
#[derive(Clone, Debug)]
struct Battle {
    setup: u8,
    players: Vec<u64>,
    standings: Vec<&'static str>,
}

fn id(at: usize) -> String {
    format!("match{at}")
}

fn record(at: usize, battle: &Battle) -> MatchRecord {
    let mut record = MatchRecord { setup: format!("set-up {}", battle.setup), ..sample(&id(at)) };
    let seat = record.seats[0].clone();
    record.seats = (0..)
        .zip(&battle.players)
        .map(|(number, player)| {
            let left = battle.standings[usize::from(number)] == "gave-up";
            let player = match left {
                true => Player::Bot("greedy".to_owned()),
                false => Player::Account { id: AccountId(*player), bot: None },
            };
            store::SeatRecord { seat: number, word: format!("side{number}"), player, ..seat.clone() }
        })
        .collect();
    record
}

/// What is written when those who gave up do so, and when the match ends.
fn entries(at: usize, battle: &Battle) -> Vec<Append> {
    let effect = |seat: usize| Effect::Rating {
        account: AccountId(battle.players[seat]),
        standing: match battle.standings[seat] {
            "gave-up" => format!("gave-up:{seat}"),
            word => word.to_owned(),
        },
    };
    let (left, stayed): (Vec<usize>, Vec<usize>) =
        (0..battle.players.len()).partition(|seat| battle.standings[*seat] == "gave-up");
    let groups = [left, stayed];
    let each = groups.iter().zip(1..).map(|(seats, seq)| Append {
        effects: seats.iter().map(|seat| effect(*seat)).collect(),
        ..steps_append(&id(at), seq, "x")
    });
    each.collect()
}

/// A rating of the model.
type Numbers = (f64, f64);

/// Weng and Lin's algorithm 1, written down pair by pair from the paper, with the advantage of the sides added before and taken
/// off afterwards.
fn by_hand(before: &[Numbers], offsets: &[f64], places: &[u8]) -> Vec<Numbers> {
    let beta = 25.0_f64 / 6.0;
    let shifted: Vec<Numbers> = before.iter().zip(offsets).map(|(one, by)| (one.0 + by, one.1)).collect();
    let moved = |one: usize| {
        let (mu, sigma) = shifted[one];
        let (mut omega, mut delta) = (0.0, 0.0);
        for (other, &(their_mu, their_sigma)) in shifted.iter().enumerate().filter(|(other, _)| *other != one)
        {
            let c = (sigma.powi(2) + their_sigma.powi(2) + 2.0 * beta.powi(2)).sqrt();
            let (mine, theirs) = ((mu / c).exp(), (their_mu / c).exp());
            let p = mine / (mine + theirs);
            let score = match places[one].cmp(&places[other]) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
            omega += sigma.powi(2) / c * (score - p);
            delta += sigma / c * sigma.powi(2) / c.powi(2) * p * (1.0 - p);
        }
        (mu + omega - offsets[one], sigma * (1.0 - delta).max(1e-6).sqrt())
    };
    (0..before.len()).map(moved).collect()
}

/// What the sides are worth: twenty matches with equal sides are added to what was scored.
fn offsets_by_hand(points: &[f64]) -> Vec<f64> {
    let count = points.len() as f64;
    let sum: f64 = points.iter().sum();
    let logs: Vec<f64> = points.iter().map(|own| ((own + 20.0 / count) / (sum + 20.0)).ln()).collect();
    let mean = logs.iter().sum::<f64>() / count;
    logs.iter().map(|log| (log - mean) * 25.0 / 6.0 * 2.0_f64.sqrt()).collect()
}

/// All ratings from all battles in the order in which they ended, from the beginning.
fn slow_model(battles: &[Battle], ended: &[usize]) -> BTreeMap<(u64, usize), Numbers> {
    let mut ratings: BTreeMap<(u64, usize), Numbers> = BTreeMap::new();
    for (n, &at) in ended.iter().enumerate() {
        let battle = &battles[at];
        let seats = battle.players.len();
        let mut points = vec![0.0; seats];
        for earlier in ended[..n].iter().map(|at| &battles[*at]) {
            if (earlier.setup, earlier.players.len()) == (battle.setup, seats) {
                let best = if earlier.standings.contains(&"win") { "win" } else { "draw" };
                let sharing = earlier.standings.iter().filter(|word| **word == best).count();
                for (side, word) in earlier.standings.iter().enumerate() {
                    points[side] += if *word == best { 1.0 / sharing as f64 } else { 0.0 };
                }
            }
        }
        let known = |player: &u64| ratings.get(&(*player, seats)).copied();
        let before: Vec<Numbers> =
            battle.players.iter().map(|player| known(player).unwrap_or((25.0, 25.0 / 3.0))).collect();
        let place = |word: &&str| ["win", "draw", "loss", "gave-up"].iter().position(|of| of == word);
        let places: Vec<u8> = battle.standings.iter().map(|word| place(word).expect("known") as u8).collect();
        let after = by_hand(&before, &offsets_by_hand(&points), &places);
        for (player, after) in battle.players.iter().zip(after) {
            ratings.insert((*player, seats), after);
        }
    }
    ratings
}

fn kept<S: RatingBook>(store: &S) -> BTreeMap<(u64, usize), Numbers> {
    let all = store.rated_players("echoes", 1_000).expect("read").into_iter();
    all.map(|one| ((one.account.0, usize::from(one.players)), (one.skill.mu, one.skill.sigma))).collect()
}

fn assert_same(kept: &BTreeMap<(u64, usize), Numbers>, model: &BTreeMap<(u64, usize), Numbers>) {
    assert_eq!(kept.keys().collect::<Vec<_>>(), model.keys().collect::<Vec<_>>());
    for (key, (mu, sigma)) in model {
        let (kept_mu, kept_sigma) = kept[key];
        assert!((kept_mu - mu).abs() < 1e-9 && (kept_sigma - sigma).abs() < 1e-9, "{key:?}: {kept_mu} {mu}");
    }
}

/// Plays the battles on a store: each in two entries, in an order of its own, with the keeper called whenever `when` says so.
fn play<S: Store + RatingBook>(store: &S, battles: &[Battle], order: &[usize], when: &[bool]) -> Vec<usize> {
    store.prepare_ratings().expect("prepared");
    let mut waiting: Vec<Vec<Append>> = Vec::new();
    for (at, battle) in battles.iter().enumerate() {
        store.create(&record(at, battle), &[]).expect("made");
        waiting.push(entries(at, battle).into_iter().rev().collect());
    }
    let mut ended = Vec::new();
    for (n, &at) in order.iter().enumerate() {
        let next = waiting[at].pop().expect("two entries each");
        store.append(&[next]).expect("written");
        if waiting[at].is_empty() {
            ended.push(at);
        }
        if when.get(n).copied().unwrap_or(false) {
            keep_ratings(store, store, &|record| record.setup.clone()).expect("kept");
        }
    }
    for _ in 0..2 {
        keep_ratings(store, store, &|record| record.setup.clone()).expect("kept");
    }
    ended
}

fn battle() -> impl Strategy<Value = Battle> {
    let two = prop_oneof![Just(vec!["win", "loss"]), Just(vec!["loss", "win"]), Just(vec!["draw", "draw"]),];
    let three = prop_oneof![
        Just(vec!["win", "loss", "loss"]),
        Just(vec!["draw", "loss", "draw"]),
        Just(vec!["loss", "gave-up", "win"]),
        Just(vec!["gave-up", "loss", "loss"]),
        Just(vec!["draw", "draw", "draw"]),
    ];
    let players = Just((1..=5_u64).collect::<Vec<_>>()).prop_shuffle();
    (0..2_u8, players, prop_oneof![two, three]).prop_map(|(setup, mut players, standings)| {
        players.truncate(standings.len());
        Battle { setup, players, standings }
    })
}

/// Some battles, an order in which their entries are written, and when the keeper comes.
fn campaign() -> impl Strategy<Value = (Vec<Battle>, Vec<usize>, Vec<bool>)> {
    prop::collection::vec(battle(), 1..14).prop_flat_map(|battles| {
        let twice: Vec<usize> = (0..battles.len()).chain(0..battles.len()).collect();
        let when = prop::collection::vec(any::<bool>(), twice.len());
        (Just(battles), Just(twice).prop_shuffle(), when)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// In memory, in a file, taken up in pieces or all at once, counted anew: the same ratings, and those of the model.
    #[test]
    fn kept_ratings_are_those_of_the_slow_model((battles, order, when) in campaign()) {
        let memory = MemoryStore::new();
        let ended = play(&memory, &battles, &order, &when);
        let model = slow_model(&battles, &ended);
        assert_same(&kept(&memory), &model);
        let folder = tempfile::tempdir().expect("a folder");
        let file = SqliteStore::open(folder.path()).expect("opens");
        let at_once = vec![false; when.len()];
        prop_assert_eq!(&play(&file, &battles, &order, &at_once), &ended);
        prop_assert_eq!(kept(&file), kept(&memory), "to the last bit");
        file.count_anew(&formula).expect("counted");
        prop_assert_eq!(kept(&file), kept(&memory));
    }
}

#[test]
fn a_match_that_was_removed_for_good_keeps_its_rating_and_one_that_was_never_read_is_passed_over() {
    let store = MemoryStore::new();
    let won = Battle { setup: 0, players: vec![1, 2], standings: vec!["win", "loss"] };
    play(&store, std::slice::from_ref(&won), &[0, 0], &[]);
    let before = kept(&store);
    assert_eq!(before.len(), 2);
    store.create(&record(1, &won), &[]).expect("made");
    store.append(&entries(1, &won)).expect("written");
    for at in 0..2 {
        store.mark_deleted(&id(at), Some(1)).expect("marked");
    }
    store.purge(2).expect("purged");
    keep_ratings(&store, &store, &|record| record.setup.clone()).expect("kept");
    assert_eq!(kept(&store), before);
    assert_eq!(store.rated_up_to().expect("read"), 4);
    store.count_anew(&formula).expect("counted");
    assert_eq!(kept(&store), before, "what a match said about its seats is kept with its rows");
}
