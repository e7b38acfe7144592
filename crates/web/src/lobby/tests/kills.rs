//! Weeks of play between two accounts in a house that is killed again and again, in memory and on a disk: every clock is what an
//! independent model says, to the millisecond; nobody is flagged for our outages; nothing is told or rated twice or never.

use std::collections::BTreeMap;

use clocks::{DAY, HOUR, MINUTE, SECOND};
use store::{AccountId, NoticeState, Player, SqliteStore, TableEvent};

use super::deadlines::{House, Keeps};
use super::sitting_down::all_sit;
use super::*;
use crate::live::RestIn;

const CHOICES: usize = 300;
const KILLS: usize = 500;
/// The entry from which on time runs: the second player sits down. Before it are the steps, whom the match waits for, the clock, and
/// who sat first.
const FIRST_ENTRY: u32 = 5;
const ACCOUNTS: [AccountId; 2] = [AccountId(7), AccountId(9)];

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// The rules of a table, as the model knows them.
#[derive(Clone, Copy)]
struct Terms {
    text: &'static str,
    bank: u64,
    delay: u64,
    refill: u64,
    cap: u64,
    /// Whether Sundays (UTC) are off.
    sundays_off: bool,
    grace: u64,
}

const TERMS: [Terms; 3] = [
    Terms {
        text: "daily flag=loss rated=yes",
        bank: 3 * DAY,
        delay: 0,
        refill: 12 * HOUR,
        cap: 5 * DAY,
        sundays_off: false,
        grace: MINUTE,
    },
    Terms {
        text: "own bank=6h delay=20s refill=90m cap=8h flag=loss rated=yes",
        bank: 6 * HOUR,
        delay: 20 * SECOND,
        refill: 90 * MINUTE,
        cap: 8 * HOUR,
        sundays_off: false,
        grace: 2 * SECOND,
    },
    Terms {
        text: "own bank=2d delay=5m refill=6h cap=3d flag=loss rated=yes off=sun zone=UTC",
        bank: 2 * DAY,
        delay: 5 * MINUTE,
        refill: 6 * HOUR,
        cap: 3 * DAY,
        sundays_off: true,
        grace: MINUTE,
    },
];

/// 1970 began on a Thursday.
fn is_sunday(at: u64) -> bool {
    (at / DAY) % 7 == 3
}

/// What the test has seen of a match: when each entry came and who was awaited after it.
struct Seen {
    id: String,
    terms: Terms,
    entries: Vec<(u64, Option<(u8, u16)>)>,
    /// Who rests from when until when.
    rests: Vec<(u8, u64, u64)>,
    /// The entries by which somebody rests who is awaited, and those by which they are back.
    renewed: BTreeMap<u32, bool>,
}

/// What the model says of a match.
#[derive(Debug, PartialEq)]
struct Told {
    banks: [u64; 2],
    /// What is left of the running seat's delay.
    delay: u64,
}

impl Seen {
    fn awaited(&self) -> Option<(u8, u16)> {
        self.entries.last().and_then(|(_, awaited)| *awaited)
    }

    /// The time between two moments that is charged, found piece by piece: between any two moments at which something begins
    /// or ends, a piece is either charged or free as a whole.
    fn charged(&self, seat: u8, from: u64, until: u64, outages: &[(u64, u64)]) -> u64 {
        let days = (from / DAY..=until / DAY + 1).map(|day| day * DAY);
        let rests =
            || self.rests.iter().filter(|(of, ..)| *of == seat).map(|(_, from, until)| (*from, *until));
        let stretches = outages.iter().copied().chain(rests());
        let bounds = stretches.flat_map(|(began, ended)| [began, ended]).chain(days).chain([from, until]);
        let mut bounds: Vec<u64> = bounds.filter(|at| (from..=until).contains(at)).collect();
        bounds.sort_unstable();
        let pieces = bounds.windows(2).map(|pair| (pair[0], pair[1]));
        let is_charged = |at: u64| {
            let out = |(began, ended): &(u64, u64)| *began <= at && at < *ended && *ended <= until;
            let off = self.terms.sundays_off && is_sunday(at);
            !off && !outages.iter().any(out) && !rests().any(|(from, until)| from <= at && at < until)
        };
        pieces.filter(|(begin, _)| is_charged(*begin)).map(|(begin, end)| end - begin).sum()
    }

    fn told(&self, until: u64, outages: &[(u64, u64)]) -> Told {
        let terms = self.terms;
        let mut told = Told { banks: [terms.bank; 2], delay: 0 };
        let mut refilled = [None; 2];
        let mut before: Option<(u64, Option<(u8, u16)>)> = None;
        for (at, awaited) in &self.entries {
            self.charge(&mut told, before, *at, outages);
            let running = before.and_then(|(_, running)| running);
            if running.map(|(seat, _)| seat) != awaited.map(|(seat, _)| seat) {
                if let Some((seat, turn)) = running {
                    let seat = usize::from(seat);
                    if refilled[seat].is_none_or(|earlier| turn > earlier) {
                        refilled[seat] = Some(turn);
                        told.banks[seat] = (told.banks[seat] + terms.refill).min(terms.cap);
                    }
                }
                told.delay = terms.delay;
            }
            before = Some((*at, *awaited));
        }
        self.charge(&mut told, before, until, outages);
        told
    }

    /// Charges whoever was awaited since the entry before.
    fn charge(
        &self,
        told: &mut Told,
        before: Option<(u64, Option<(u8, u16)>)>,
        until: u64,
        outages: &[(u64, u64)],
    ) {
        let Some((since, Some((seat, _)))) = before else { return };
        let charged = self.charged(seat, since, until, outages);
        let free = charged.min(told.delay);
        told.delay -= free;
        let bank = &mut told.banks[usize::from(seat)];
        *bank = bank.saturating_sub(charged - free);
    }

    /// What the awaited seat has left.
    fn left(&self, now: u64, outages: &[(u64, u64)]) -> Option<u64> {
        let (seat, _) = self.awaited()?;
        let told = self.told(now, outages);
        Some(told.banks[usize::from(seat)] + told.delay)
    }

    /// When the awaited seat has nothing left: by halving, since from now on, with all outages over, it only ever gets less.
    fn deadline(&self, now: u64, outages: &[(u64, u64)]) -> Option<u64> {
        self.awaited()?;
        let (mut early, mut late) = (now, now + 60 * DAY);
        while early < late {
            let middle = early.midpoint(late);
            if self.left(middle, outages)? == 0 { late = middle } else { early = middle + 1 }
        }
        Some(early)
    }
}

struct Weeks<S> {
    house: House<S>,
    numbers: Numbers,
    tables: Vec<Seen>,
    over: Vec<String>,
    outages: Vec<(u64, u64)>,
    kills: usize,
    choices: usize,
    rests: usize,
    flags: usize,
    seed: u64,
}

impl<S: Keeps> Weeks<S> {
    async fn sit_down(&mut self, terms: Terms) -> Seen {
        self.seed += 1;
        let order = NewMatch {
            game: "blitz".to_owned(),
            seats: vec!["me".to_owned(), "friend".to_owned()],
            seed: Some(self.seed),
            clock: terms.text.to_owned(),
            ..NewMatch::default()
        };
        let (id, _) = self.house.lobby.create(&order).await.expect("made");
        let mut seen = Seen { id, terms, entries: Vec::new(), rests: Vec::new(), renewed: BTreeMap::new() };
        let found = self.house.lobby.find(&seen.id).await.expect("there");
        // Time runs from the fifth entry on: before it are the steps, whom the match waits for, the clock, and who sat first.
        all_sit(&self.house.lobby, &found).await;
        seen.entries.push((self.house.now(), awaited(&*found.lock().await)));
        for (seat, account) in (0..).zip(ACCOUNTS) {
            let event = TableEvent::Seat { seat, player: Player::Account { id: account, bot: None } };
            self.house.lobby.change(&found, move |live| Ok(live.happen(event))).await.expect("seated");
            seen.entries.push((self.house.now(), awaited(&*found.lock().await)));
        }
        seen
    }

    fn die(&mut self) {
        let last = self.house.store.setting("house_alive").expect("answers").expect("noted");
        let away = [SECOND, MINUTE, 9 * HOUR, 4 * DAY][self.numbers.below(4) as usize];
        let away = self.numbers.below(away) + 1;
        self.house.die(away);
        self.outages.push((last.parse().expect("a time"), self.house.now()));
        self.kills += 1;
    }

    /// Time passes, but not so much that anybody runs out of it.
    async fn pass(&mut self, span: u64) {
        let now = self.house.now();
        let least = self.tables.iter().filter_map(|seen| seen.left(now, &self.outages)).min().unwrap_or(span);
        self.flags += self.house.pass(span.min(least.saturating_sub(SECOND))).await;
    }

    /// Somebody chooses at a table, now and then with the house dying before they hear of it.
    async fn choose(&mut self, at: usize) {
        let id = self.tables[at].id.clone();
        let Some((seat, _)) = self.tables[at].awaited() else { panic!("{id} waits for nobody") };
        let seat = Seat(seat);
        let found = self.house.lobby.find(&id).await.expect("there");
        let (revision, choice) = {
            let live = found.lock().await;
            let offers = live.table.offers(Viewer::Seat(seat));
            (live.revision, offers[self.numbers.below(offers.len() as u64) as usize].name.clone())
        };
        let sender = Sender {
            account: Some(ACCOUNTS[seat.index()]),
            request: Some(format!("request-{}", self.choices)),
        };
        let (again, same) = (choice.clone(), sender.clone());
        let act = move |live: &mut Live| live.choose(seat, revision, &choice);
        let written = self.house.lobby.change_by(&found, sender, act).await.expect("an open choice");
        let entry = (self.house.now(), awaited(&*found.lock().await));
        self.tables[at].entries.push(entry);
        self.choices += 1;
        let over = found.lock().await.is_over();
        if self.kills < KILLS && self.numbers.below(3) == 0 {
            drop(found);
            self.die();
            let found = self.house.lobby.find(&id).await.expect("there");
            let act = move |live: &mut Live| live.choose(seat, revision, &again);
            let repeated =
                self.house.lobby.change_by(&found, same, act).await.expect("answered as the first time");
            assert_eq!((repeated, found.lock().await.revision), (written, written));
        }
        if over {
            let terms = self.tables[at].terms;
            self.check(&self.tables[at]).await;
            let fresh = self.sit_down(terms).await;
            let gone = std::mem::replace(&mut self.tables[at], fresh);
            self.over.push(gone.id);
        }
    }

    /// Somebody rests at a table from soon on, or is back from a rest before its end.
    async fn rest(&mut self, at: usize) {
        let seat = self.numbers.below(2) as u8;
        let account = ACCOUNTS[usize::from(seat)];
        let found = self.house.lobby.find(&self.tables[at].id).await.expect("there");
        let now = self.house.now();
        let open = self.tables[at].rests.iter().position(|(of, _, until)| *of == seat && *until > now);
        let (event, is_back) = match open {
            Some(open) => {
                let (_, from, until) = self.tables[at].rests[open];
                let event = found.lock().await.back_of(account, until).expect("a rest that is not over");
                self.tables[at].rests[open] = (seat, from, now.max(from));
                (event, true)
            }
            None => {
                let from = now + self.numbers.below(12 * HOUR);
                let until = from + 1 + self.numbers.below(3 * DAY);
                let RestIn::Entry(event) = found.lock().await.rest_of(account, from, until) else { return };
                self.tables[at].rests.push((seat, from, until));
                (event, false)
            }
        };
        self.house.lobby.change(&found, move |live| Ok(live.happen(event))).await.expect("written");
        self.rests += 1;
        let entry = (self.house.now(), awaited(&*found.lock().await));
        let seen = &mut self.tables[at];
        seen.entries.push(entry);
        if seen.awaited().is_some_and(|(awaited, _)| awaited == seat) {
            seen.renewed.insert(FIRST_ENTRY + seen.entries.len() as u32 - 1, is_back);
        }
    }

    /// Compares a match with the model, and what was to be told with what there is.
    async fn check(&self, seen: &Seen) {
        let found = self.house.lobby.find(&seen.id).await.expect("there");
        let live = found.lock().await;
        let clock = live.proceedings.clock.as_ref().expect("a clock");
        let free = live.proceedings.free(&live.outages());
        let now = self.house.now();
        let told = seen.told(now, &self.outages);
        for seat in 0..2_u8 {
            let delay = if seen.awaited().is_some_and(|(of, _)| of == seat) { told.delay } else { 0 };
            let left = told.banks[usize::from(seat)] + delay;
            assert_eq!(clock.left(seat, now, &free), left, "seat {seat} of {}", seen.terms.text);
        }
        let deadline = seen.deadline(now, &self.outages);
        assert_eq!(live.proceedings.deadline(&live.outages()).map(|(_, at)| at), deadline);
        self.check_notices(seen);
    }

    fn check_notices(&self, seen: &Seen) {
        let notices = self.house.store.notices(&seen.id).expect("answers");
        // Whether a rest tells of a turn again depends on when; that there is at most one notice for it does not.
        let told: Vec<u32> = notices
            .iter()
            .filter(|(notice, _)| notice.kind == "turn" && seen.renewed.contains_key(&notice.stint))
            .map(|(notice, _)| notice.stint)
            .collect();
        let mut expected = BTreeMap::new();
        let mut before = None;
        // The second player sits down with the fifth entry. The seats belong to accounts from the sixth and seventh on, and whoever takes
        // one over that is awaited is told of the stint that has begun before.
        for (number, (_, awaited)) in (FIRST_ENTRY..).zip(&seen.entries) {
            let seat = awaited.map(|(seat, _)| seat);
            // A rest moves the deadline: everything is told anew, but for the turn to somebody who has heard of it.
            let renewed = seen.renewed.get(&number);
            if (seat != before || renewed.is_some())
                && let Some(last) = expected.values_mut().last()
            {
                *last = NoticeState::Moot;
            }
            if let Some(seat) = seat.filter(|_| seat != before || told.contains(&number)) {
                // The first is awaited from the second entry on, which says for whom the match waits.
                expected.insert(if number == FIRST_ENTRY { 2 } else { number }, NoticeState::Waiting);
                assert!(seat < 2);
            }
            before = seat;
        }
        let mut turns: Vec<_> = notices.iter().filter(|(notice, _)| notice.kind == "turn").collect();
        turns.sort_by_key(|(notice, _)| notice.stint);
        let found: Vec<_> = turns.iter().map(|(notice, state)| (notice.stint, *state)).collect();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{}", seen.id);
        for (notice, _) in &notices {
            assert_eq!(notice.account, ACCOUNTS[usize::from(notice.seat)]);
        }
    }

    fn check_ratings(&self) {
        let rated = self.house.store.rated(0, 1_000).expect("answers");
        let mut rows: Vec<(String, AccountId)> =
            rated.into_iter().map(|row| (row.match_id, row.account)).collect();
        let mut expected: Vec<(String, AccountId)> =
            self.over.iter().flat_map(|id| ACCOUNTS.map(|account| (id.clone(), account))).collect();
        rows.sort();
        expected.sort();
        assert_eq!(rows, expected);
    }
}

/// Whom a match waits for, asked of the game.
fn awaited(live: &Live) -> Option<(u8, u16)> {
    match live.table.mover() {
        Mover::Seat(seat) => Some((seat.0, live.table.turn())),
        _ => None,
    }
}

#[tokio::test]
async fn weeks_of_play_with_five_hundred_kills() {
    play_for_weeks(House::open()).await;
}

/// The same where the house finds what is on its disk when it is started again.
#[tokio::test]
async fn weeks_of_play_with_five_hundred_kills_on_a_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    play_for_weeks(House::with(SqliteStore::open(&folder.path().join("0")).expect("a store"))).await;
}

async fn play_for_weeks<S: Keeps>(house: House<S>) {
    let mut weeks = Weeks {
        house,
        numbers: Numbers(0x9e37_79b9_7f4a_7c15),
        tables: Vec::new(),
        over: Vec::new(),
        outages: Vec::new(),
        kills: 0,
        choices: 0,
        rests: 0,
        flags: 0,
        seed: 0,
    };
    let begun = weeks.house.now();
    for terms in TERMS {
        let seen = weeks.sit_down(terms).await;
        weeks.tables.push(seen);
    }
    while weeks.choices < CHOICES || weeks.kills < KILLS {
        for _ in 0..weeks.numbers.below(4) {
            if weeks.kills < KILLS {
                weeks.die();
            }
            let span = weeks.numbers.below(4 * MINUTE);
            weeks.pass(span).await;
        }
        let span = weeks.numbers.below(5 * HOUR);
        weeks.pass(span).await;
        // Mostly whoever has the least time left.
        let now = weeks.house.now();
        let hurried = (0..3).min_by_key(|at| weeks.tables[*at].left(now, &weeks.outages)).expect("a table");
        let at = if weeks.numbers.below(4) > 0 { hurried } else { weeks.numbers.below(3) as usize };
        weeks.choose(at).await;
        weeks.check(&weeks.tables[at]).await;
        if weeks.numbers.below(3) == 0 {
            let at = weeks.numbers.below(3) as usize;
            weeks.rest(at).await;
            weeks.check(&weeks.tables[at]).await;
        }
    }
    for at in 0..3 {
        weeks.check(&weeks.tables[at]).await;
    }
    weeks.check_ratings();
    assert_eq!(weeks.flags, 0, "nobody is flagged for our outages");
    assert!(weeks.kills >= KILLS && weeks.choices >= CHOICES && weeks.house.now() - begun > 14 * DAY);
    assert!(!weeks.over.is_empty(), "some matches came to an end");
    assert!(weeks.rests > 50, "somebody rested {} times", weeks.rests);
    run_out(&mut weeks).await;
}

/// The first deadline is let pass: the flag falls with the end of the grace and not a millisecond earlier.
async fn run_out<S: Keeps>(weeks: &mut Weeks<S>) {
    let outages = weeks.outages.clone();
    let now = weeks.house.now();
    let flag_at = |seen: &Seen| seen.deadline(now, &outages).map(|at| at + seen.terms.grace);
    let first = (0..3).min_by_key(|at| flag_at(&weeks.tables[*at])).expect("a table");
    let at = flag_at(&weeks.tables[first]).expect("somebody is awaited");
    assert!(at > now + weeks.tables[first].terms.grace, "the grace after the start is over by then");
    assert_eq!(weeks.house.pass(at - now - 1).await, 0);
    assert_eq!(weeks.house.pass(1).await, 1);
    let summary = weeks.house.store.find(&weeks.tables[first].id).expect("answers").expect("there").summary;
    assert_eq!(summary.result.as_deref(), Some("out-of-time"));
    weeks.over.push(weeks.tables[first].id.clone());
    weeks.check_ratings();
}
