//! The checks for ratings and tournaments.

use super::Store;
use crate::{
    AccountId, Counting, Entered, KeptRating, Luck, Pairing, RatedSeat, RatingBook, RatingStep, Skill,
    TournamentRecord, TournamentState, Tournaments,
};

/// A store that keeps both.
pub trait Contest: Store + RatingBook + Tournaments {}

impl<T: Store + RatingBook + Tournaments> Contest for T {}

const ANNA: AccountId = AccountId(1);
const BERT: AccountId = AccountId(2);
const CARA: AccountId = AccountId(3);

/// Puts a store through all checks. `run` gives each an empty store.
pub fn contests_conformance(run: impl Fn(&dyn Fn(&dyn Contest))) {
    let checks: &[fn(&dyn Contest)] = &[
        rows_are_counted_once,
        a_match_waits_for_its_last_row,
        all_is_counted_anew,
        luck_is_noted,
        lists_are_sorted,
        lists_of_entrants,
        matches_of_a_tournament,
        states_of_a_tournament,
    ];
    for check in checks {
        run(&|store| {
            store.prepare_ratings().unwrap();
            store.prepare_ratings().unwrap();
            store.prepare_tournaments().unwrap();
            store.prepare_tournaments().unwrap();
            check(store);
        });
    }
}

fn row(number: u64, match_id: &str, account: AccountId, seat: u8, standing: &str) -> RatedSeat {
    RatedSeat {
        number,
        match_id: match_id.to_owned(),
        account,
        at: 1_000 + number,
        game: "echoes".to_owned(),
        players: 2,
        setup: "long".to_owned(),
        seat,
        side: ["north", "south"][usize::from(seat) % 2].to_owned(),
        standing: standing.to_owned(),
        step: None,
        luck: Luck::Waits,
    }
}

/// A winner gets a point more than the side has scored in this set-up.
fn formula(counting: &Counting<'_>) -> Option<Vec<RatingStep>> {
    let step = |n: usize| {
        let before = counting.before[n].unwrap_or(Skill { mu: 25.0, sigma: 8.0 });
        let won = u64::from(counting.seats[n].standing == "win");
        let gain = won as f64 * (1.0 + counting.side_sixths[n] as f64 / 6.0);
        let after = Skill { mu: before.mu + gain, sigma: before.sigma / 2.0 };
        RatingStep { before, after, offset: counting.side_sixths[n] as f64, sixths: 6 * won }
    };
    Some((0..counting.seats.len()).map(step).collect())
}

fn take(store: &dyn Contest, rows: &[RatedSeat]) {
    for row in rows {
        assert!(store.take_up(row, &formula).unwrap());
    }
}

fn duel(number: u64, match_id: &str, winner: AccountId, loser: AccountId) -> [RatedSeat; 2] {
    [row(number, match_id, winner, 0, "win"), row(number + 1, match_id, loser, 1, "loss")]
}

fn of(store: &dyn Contest, account: AccountId) -> Vec<(f64, f64, u32)> {
    let kept = store.ratings_of(account).unwrap();
    kept.iter().map(|kept| (kept.skill.mu, kept.skill.sigma, kept.matches)).collect()
}

fn rows_are_counted_once(store: &dyn Contest) {
    assert_eq!((store.rated_up_to().unwrap(), of(store, ANNA)), (0, vec![]));
    let first = duel(1, "m", ANNA, BERT);
    take(store, &first);
    assert_eq!(store.rated_up_to().unwrap(), 2);
    for row in &first {
        assert!(!store.take_up(row, &formula).unwrap(), "a row that was taken up is not taken up again");
    }
    // The same rows under other numbers are no other match.
    take(store, &duel(3, "m", ANNA, BERT));
    assert_eq!((of(store, ANNA), of(store, BERT)), (vec![(26.0, 4.0, 1)], vec![(25.0, 4.0, 1)]));
    take(store, &duel(5, "n", ANNA, BERT));
    assert_eq!(of(store, ANNA), [(28.0, 2.0, 2)], "the side had scored a point by then");
    let kept = store.rated_match("n").unwrap();
    assert_eq!(kept.len(), 2);
    let step = kept[0].step.unwrap();
    assert_eq!((step.before.mu, step.after.mu, step.offset, step.sixths), (26.0, 28.0, 6.0, 6));
    assert_eq!((kept[0].side.as_str(), kept[0].at, kept[1].account), ("north", 1_005, BERT));
    let scores = store.side_scores("echoes").unwrap();
    let read: Vec<_> =
        scores.iter().map(|score| (score.side.as_str(), score.matches, score.sixths)).collect();
    assert_eq!(read, [("north", 2, 12), ("south", 2, 0)]);
    assert_eq!(store.side_scores("blitz").unwrap(), []);
    store.pass_over(9).unwrap();
    store.pass_over(7).unwrap();
    assert_eq!(store.rated_up_to().unwrap(), 9);
}

fn a_match_waits_for_its_last_row(store: &dyn Contest) {
    let three = |number, account, seat, standing: &str| RatedSeat {
        players: 3,
        ..row(number, "war", account, seat, standing)
    };
    take(store, &[three(1, BERT, 1, "gave-up")]);
    take(store, &duel(2, "m", ANNA, BERT));
    assert_eq!(of(store, BERT), [(25.0, 4.0, 1)], "only the match that is whole");
    assert_eq!(store.rated_seats(BERT, 9).unwrap().len(), 1);
    take(store, &[three(4, ANNA, 0, "win"), three(5, CARA, 2, "loss")]);
    assert_eq!(of(store, CARA), [(25.0, 4.0, 1)]);
    assert_eq!(of(store, ANNA).len(), 2, "two players and three are rated apart");
    let seats: Vec<AccountId> = store.rated_match("war").unwrap().iter().map(|row| row.account).collect();
    assert_eq!(seats, [ANNA, BERT, CARA], "by seat");
    let newest: Vec<String> =
        store.rated_seats(BERT, 9).unwrap().into_iter().map(|row| row.match_id).collect();
    assert_eq!(newest, ["war", "m"], "in the order in which they were counted");
    assert_eq!(store.rated_seats(BERT, 1).unwrap().len(), 1);
}

fn all_is_counted_anew(store: &dyn Contest) {
    take(store, &duel(1, "m", ANNA, BERT));
    take(store, &duel(3, "n", BERT, ANNA));
    take(store, &[row(5, "half", ANNA, 0, "win")]);
    let before = (of(store, ANNA), of(store, BERT));
    store.set_luck("m", &[0.25, -0.25]).unwrap();
    store.count_anew(&formula).unwrap();
    store.count_anew(&formula).unwrap();
    assert_eq!((of(store, ANNA), of(store, BERT)), before);
    assert_eq!(store.rated_match("m").unwrap()[0].luck, Luck::Known(0.25), "luck stays");
    store.count_anew(&|_| None).unwrap();
    assert_eq!((of(store, ANNA), store.rated_seats(ANNA, 9).unwrap()), (vec![], vec![]));
    assert_eq!(store.side_scores("echoes").unwrap(), []);
}

fn luck_is_noted(store: &dyn Contest) {
    take(store, &duel(1, "m", ANNA, BERT));
    take(store, &duel(3, "n", ANNA, BERT));
    take(store, &[row(5, "half", ANNA, 0, "win")]);
    assert_eq!(store.to_review(9).unwrap(), ["n", "m"], "the newest first, and only what was counted");
    assert_eq!(store.to_review(1).unwrap(), ["n"]);
    store.set_luck("n", &[0.5, -0.5]).unwrap();
    store.set_luck("m", &[]).unwrap();
    assert_eq!(store.to_review(9).unwrap(), Vec::<String>::new());
    let luck = |id| -> Vec<Luck> { store.rated_match(id).unwrap().iter().map(|row| row.luck).collect() };
    assert_eq!(luck("n"), [Luck::Known(0.5), Luck::Known(-0.5)]);
    assert_eq!(luck("m"), [Luck::Unknowable, Luck::Unknowable]);
    assert_eq!(luck("half"), [Luck::Waits]);
}

fn lists_are_sorted(store: &dyn Contest) {
    take(store, &duel(1, "m", BERT, ANNA));
    take(store, &duel(3, "n", CARA, ANNA));
    let listed = |most| -> Vec<AccountId> {
        let found: Vec<KeptRating> = store.rated_players("echoes", most).unwrap();
        found.into_iter().map(|kept| kept.account).collect()
    };
    // Anna is surer: 25 − 3 · 2 against 26 − 3 · 4 and 27 − 3 · 4.
    assert_eq!(listed(9), [ANNA, CARA, BERT]);
    assert_eq!(listed(1), [ANNA]);
    assert_eq!(store.rated_players("blitz", 9).unwrap(), []);
}

fn cup(id: &str, made_at: u64) -> TournamentRecord {
    TournamentRecord {
        id: id.to_owned(),
        made_by: Some(ANNA),
        made_at,
        name: "Größe, 囲碁 & 'cup'".to_owned(),
        game: "echoes".to_owned(),
        options: r#"{"variant":"long"}"#.to_owned(),
        clock: "daily flag=loss rated=yes".to_owned(),
        state: TournamentState::Gathering,
        is_open: true,
        pool_size: 8,
        on_every_side: true,
    }
}

fn meeting(number: u32, round: u16, players: &[AccountId]) -> Pairing {
    Pairing { number, pool: 0, round, players: players.to_vec(), match_id: None, verdict: None }
}

fn lists_of_entrants(store: &dyn Contest) {
    store.add_tournament(&cup("c", 5), &[CARA]).unwrap();
    assert!(store.add_tournament(&cup("c", 6), &[]).is_err(), "an id is used once");
    let owners = TournamentRecord { made_by: None, is_open: false, on_every_side: false, ..cup("d", 7) };
    store.add_tournament(&owners, &[]).unwrap();
    assert_eq!(store.tournament("c").unwrap(), Some(cup("c", 5)));
    assert_eq!(store.tournament("x").unwrap(), None);
    assert_eq!(store.tournaments(9).unwrap(), [owners, cup("c", 5)]);
    assert_eq!(store.tournaments(1).unwrap().len(), 1);
    assert_eq!(store.enter("c", ANNA, 6, 2).unwrap(), Entered::Done);
    assert_eq!(store.enter("c", ANNA, 7, 9).unwrap(), Entered::Already);
    assert_eq!(store.enter("c", BERT, 7, 2).unwrap(), Entered::Full);
    assert_eq!(store.enter("x", BERT, 7, 9).unwrap(), Entered::Shut);
    let listed = |id| -> Vec<(AccountId, u64)> {
        store.entrants(id).unwrap().iter().map(|entrant| (entrant.account, entrant.entered_at)).collect()
    };
    assert_eq!(listed("c"), [(CARA, 5), (ANNA, 6)]);
    assert!(store.withdraw("c", CARA, 8).unwrap() && !store.withdraw("c", CARA, 9).unwrap());
    assert_eq!(store.enter("c", BERT, 9, 9).unwrap(), Entered::Done);
    assert_eq!(store.enter("c", CARA, 9, 9).unwrap(), Entered::Done);
    assert_eq!(listed("c"), [(ANNA, 6), (BERT, 9), (CARA, 9)]);
    assert_eq!(store.entered_by(ANNA).unwrap(), ["c"]);
    assert_eq!(store.entered_by(AccountId(9)).unwrap(), Vec::<String>::new());
}

fn matches_of_a_tournament(store: &dyn Contest) {
    store.add_tournament(&cup("c", 5), &[ANNA, BERT]).unwrap();
    let pairings = [meeting(1, 1, &[ANNA, BERT]), meeting(2, 2, &[BERT, ANNA])];
    assert!(!store.begin("c", &[(ANNA, 0)], &pairings).unwrap(), "somebody has entered meanwhile");
    assert!(!store.begin("c", &[(ANNA, 0), (CARA, 0)], &pairings).unwrap());
    assert!(store.begin("c", &[(ANNA, 0), (BERT, 1)], &pairings).unwrap());
    assert!(!store.begin("c", &[(ANNA, 0), (BERT, 1)], &pairings).unwrap(), "once");
    assert_eq!(store.pairings("c").unwrap(), pairings);
    let pools: Vec<Option<u8>> = store.entrants("c").unwrap().iter().map(|entrant| entrant.pool).collect();
    assert_eq!(pools, [Some(0), Some(1)]);
    assert!(store.set_match("c", 1, "m").unwrap());
    assert!(!store.set_match("c", 1, "n").unwrap(), "a pairing is played once");
    assert!(!store.set_match("c", 9, "n").unwrap());
    assert!(store.decide("c", 2, "win,loss", "did not come").unwrap());
    assert!(!store.decide("c", 9, "", "nothing").unwrap());
    let kept = store.pairings("c").unwrap();
    assert_eq!((kept[0].match_id.as_deref(), &kept[0].verdict), (Some("m"), &None));
    assert_eq!(kept[1].verdict, Some(("win,loss".to_owned(), "did not come".to_owned())));
    assert_eq!(store.enter("c", CARA, 9, 9).unwrap(), Entered::Shut);
    assert!(store.withdraw("c", BERT, 11).unwrap() && !store.withdraw("c", BERT, 12).unwrap());
    assert_eq!(store.entrants("c").unwrap()[1].withdrawn_at, Some(11), "marked, and still there");
    assert_eq!(store.entered_by(BERT).unwrap(), Vec::<String>::new());
}

fn states_of_a_tournament(store: &dyn Contest) {
    use TournamentState::{CalledOff, Gathering, Over, Running};
    store.add_tournament(&cup("c", 5), &[ANNA, BERT]).unwrap();
    store.add_tournament(&cup("d", 6), &[]).unwrap();
    assert_eq!(store.running_tournaments().unwrap(), []);
    assert!(store.begin("c", &[(ANNA, 0), (BERT, 0)], &[]).unwrap());
    assert_eq!(store.running_tournaments().unwrap(), [TournamentRecord { state: Running, ..cup("c", 5) }]);
    assert!(!store.move_on("c", Gathering, CalledOff).unwrap());
    assert!(store.move_on("c", Running, Over).unwrap() && !store.move_on("c", Running, Over).unwrap());
    assert!(store.move_on("d", Gathering, CalledOff).unwrap());
    assert!(!store.withdraw("c", ANNA, 9).unwrap(), "it is over");
    assert_eq!(store.entered_by(ANNA).unwrap(), Vec::<String>::new());
    assert!(!store.move_on("x", Gathering, Over).unwrap());
}
