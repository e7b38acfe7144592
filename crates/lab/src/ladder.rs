//! A ladder: every bot plays every other, in all seats and with the same dice, and the results become a ranking.
//!
//! Luck is shared. A *round* of two bots is one game for each way in which they can be seated, all with the same dice of Fate,
//! so that a lucky side is lucky for both. Every game has its dice from the seed and the number of its round alone, and only
//! whole numbers are added up, in a fixed order: the number of threads changes nothing.

mod game;
mod rating;
mod report;
mod schedule;
mod words;

use std::sync::atomic::{AtomicU64, Ordering};

use bots::BotKind;
use bots::external::Opponent;
use kernel::{CompleteGame, Options, Standing};
use serde::{Deserialize, Serialize};
use workers::Progress;

use crate::work::{self, ByteReader, ByteWriter, Labour, Site, Unreadable, Work, Worked};
use game::{Finish, Room};
use schedule::Schedule;

pub use rating::Ratings;
pub use report::{LadderReport, Lead, RatingLine, SetupLine, SoloLine};

/// The most games of a ladder: the result of each is kept until the end.
const MOST_GAMES: u64 = 100_000_000;
/// A program that fails so often ends the ladder: every failure may take its whole time limit.
const MOST_BREAKDOWNS: u64 = 5;

/// A participant.
#[derive(Clone, Debug)]
pub struct Contender {
    /// Its name in the tables.
    pub name: String,
    /// Who it is.
    pub who: Opponent,
}

/// What to play.
#[derive(Clone, Debug)]
pub struct Ladder {
    /// The participants.
    pub contenders: Vec<Contender>,
    /// Games for each pairing; for one seat, games for each bot. Rounds are played to their end.
    pub games: u64,
    /// Seed of the ladder.
    pub seed: u64,
    /// How many threads.
    pub threads: usize,
}

impl Ladder {
    /// How many games there are in all at a table of so many seats.
    pub fn games_in_all(&self, seats: usize) -> u64 {
        Schedule::new(self.contenders.len(), seats, self.games).games()
    }
}

/// The results of two contenders against each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duel {
    /// The first contender.
    pub first: usize,
    /// The second.
    pub second: usize,
    /// Games of a round.
    pub seatings: u64,
    /// Rounds by the points that the first made in them: from none to all.
    pub rounds: Vec<u64>,
    /// Games that the first lost, drew and won.
    pub counts: [u64; 3],
}

impl Duel {
    /// Games that were played.
    pub fn games(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The share of the points that the first made, from 0 to 1; a half where none were given yet.
    pub fn score(&self) -> f64 {
        let most = self.rounds.len().saturating_sub(1) as f64;
        let rounds: u64 = self.rounds.iter().sum();
        let made: f64 =
            self.rounds.iter().zip(0_u32..).map(|(n, points)| *n as f64 * f64::from(points)).sum();
        if rounds == 0 { 0.5 } else { made / (most * rounds as f64) }
    }

    fn add(&mut self, other: &Self) {
        add(&mut self.rounds, &other.rounds);
        add(&mut self.counts, &other.counts);
    }
}

/// The results of a ladder in one set-up, as whole numbers. Unfinished rounds do not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LadderTotals {
    /// The options of the set-up; long texts are shortened to their first line.
    pub options: Options,
    /// Games that were asked for.
    pub asked: u64,
    /// Games that count.
    pub games: u64,
    /// By seat: its word, and how often it lost, drew and won.
    pub seats: Vec<(&'static str, [u64; 3])>,
    /// Every two contenders; none at a table with one seat.
    pub duels: Vec<Duel>,
    /// One seat only, by contender: losses, draws, wins.
    pub alone: Vec<[u64; 3]>,
    /// One seat only: with the same dice, how often the contender of the row won and that of the column did not.
    pub ahead: Vec<Vec<u64>>,
    /// By contender: games in which it failed, which count as lost.
    pub broken: Vec<u64>,
}

/// The time that a contender took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Nanoseconds in all.
    pub nanoseconds: u64,
    /// Choices among several that it made.
    pub choices: u64,
}

impl Spent {
    /// Microseconds for a choice; `None` where none was made.
    pub fn microseconds(&self) -> Option<f64> {
        (self.choices > 0).then(|| self.nanoseconds as f64 / 1_000.0 / self.choices as f64)
    }

    /// Adds what was spent elsewhere.
    pub fn add(&mut self, other: &Self) {
        self.nanoseconds += other.nanoseconds;
        self.choices += other.choices;
    }
}

/// Plays a ladder on several threads and measures the time of each contender. Stops early on request, or when a program fails
/// too often, and returns what was finished. The error says what is wrong with the ladder, or that a game failed.
pub fn climb<G: CompleteGame>(
    game: &G,
    ladder: &Ladder,
    progress: &Progress,
) -> Result<(LadderTotals, Vec<Spent>), String> {
    Ok(climb_at(&Site::in_process(), game, ladder, progress)?.result)
}

/// The same through a ledger: what was played before is not played again, and its time is not known.
pub fn climb_at<G: CompleteGame>(
    site: &Site,
    game: &G,
    ladder: &Ladder,
    progress: &Progress,
) -> Result<Worked<(LadderTotals, Vec<Spent>)>, String> {
    let schedule = Schedule::new(ladder.contenders.len(), game.seats().len(), ladder.games);
    check(ladder, game.seats().len(), schedule.games())?;
    let climb = Climb::new(game, ladder, &schedule, progress);
    let worked = work::run(site, &climb, ladder.threads, progress)?;
    let mut finishes = vec![None; usize::try_from(schedule.games()).map_err(|why| why.to_string())?];
    worked.each_part(site, 0, |first, bytes| {
        let mut from = ByteReader::new(bytes);
        let rest = usize::try_from(first).ok().and_then(|first| finishes.get_mut(first..));
        for finish in rest.ok_or(Unreadable)? {
            if from.is_empty() {
                break;
            }
            *finish = Finish::of(from.get_up_to(u16::MAX.into())? as u16);
        }
        from.end()
    })?;
    let mut spent = vec![Spent::default(); ladder.contenders.len()];
    for (room, _) in &worked.result.benches {
        spent.iter_mut().zip(&room.spent).for_each(|(mine, theirs)| mine.add(theirs));
    }
    Ok(worked.with(|_| (totals(game, ladder, &schedule, &finishes), spent)))
}

/// Plays some games of a ladder that somebody else has begun.
pub(crate) fn labour<G: CompleteGame>(labour: Labour<'_>) -> Result<(), String> {
    let SpecRead { options, bots, games, seed } = labour.read()?;
    let game = G::with_options(&options)?;
    let contender = |name: String| {
        let who = Opponent::Bot(BotKind::parse::<G>(&name)?);
        Ok::<_, String>(Contender { name, who })
    };
    let contenders = bots.into_iter().map(contender).collect::<Result<Vec<_>, _>>()?;
    let ladder = Ladder { contenders, games, seed, threads: 1 };
    let schedule = Schedule::new(ladder.contenders.len(), game.seats().len(), games);
    check(&ladder, game.seats().len(), schedule.games())?;
    let progress = labour.progress;
    labour.labour(&Climb::new(&game, &ladder, &schedule, progress))
}

/// A [`Spec`] as it is read.
#[derive(Deserialize)]
struct SpecRead {
    options: Options,
    bots: Vec<String>,
    games: u64,
    seed: u64,
}

/// A ladder, game by game.
struct Climb<'a, G> {
    game: &'a G,
    ladder: &'a Ladder,
    schedule: &'a Schedule,
    /// How often each program has failed.
    breakdowns: Vec<AtomicU64>,
    progress: &'a Progress,
}

impl<'a, G> Climb<'a, G> {
    fn new(game: &'a G, ladder: &'a Ladder, schedule: &'a Schedule, progress: &'a Progress) -> Self {
        let breakdowns = ladder.contenders.iter().map(|_| AtomicU64::new(0)).collect();
        Self { game, ladder, schedule, breakdowns, progress }
    }
}

/// What makes a ladder what it is.
#[derive(Serialize)]
struct Spec<'a> {
    kind: &'a str,
    game: &'a str,
    options: Options,
    bots: Vec<String>,
    games: u64,
    seed: u64,
}

impl<'a, G: CompleteGame> Work for Climb<'a, G> {
    /// The finishes are written as numbers, one for each game.
    type Bench = (Room<'a, G>, ByteWriter);

    const KIND: &'static str = "ladder";

    fn spec(&self) -> String {
        let bot = |contender: &Contender| match &contender.who {
            Opponent::Bot(kind) => kind.word::<G>().into_owned(),
            Opponent::Program(command) => command.words().join(" "),
        };
        work::canonical(&Spec {
            kind: Self::KIND,
            game: G::ID,
            options: self.game.options(),
            bots: self.ladder.contenders.iter().map(bot).collect(),
            games: self.ladder.games,
            seed: self.ladder.seed,
        })
    }

    fn rules(&self) -> &'static str {
        G::RULES_VERSION
    }

    fn unsteady(&self) -> Option<String> {
        self.ladder.contenders.iter().find_map(|contender| match &contender.who {
            Opponent::Bot(kind) => work::unsteady::<G>(*kind),
            Opponent::Program(_) => Some(format!(
                "{} is a program of your own, and may choose otherwise the next time",
                contender.name
            )),
        })
    }

    fn numbers(&self) -> u64 {
        self.schedule.games()
    }

    fn bench(&self) -> Self::Bench {
        (Room::new(self.game, self.ladder), ByteWriter::default())
    }

    fn one(&self, (room, out): &mut Self::Bench, number: u64) -> bool {
        let Some(place) = self.schedule.game(number) else { return true };
        let finish = room.play(place.line_up, place.round, &self.progress.stop);
        if let Some(Finish::Forfeit(seat)) = finish {
            let broken = &self.breakdowns[place.line_up[usize::from(seat)]];
            if broken.fetch_add(1, Ordering::Relaxed) + 1 >= MOST_BREAKDOWNS {
                self.progress.stop();
            }
        }
        if finish.is_none() && self.progress.is_stopped() {
            return false;
        }
        // A game that can't be played to its end counts for nothing.
        out.put(finish.map_or(Finish::UNPLAYED, Finish::code).into());
        true
    }

    fn hand_in(&self, (_, out): &mut Self::Bench) -> Vec<Vec<u8>> {
        vec![out.take()]
    }
}

fn check(ladder: &Ladder, seats: usize, games: u64) -> Result<(), String> {
    let bots = ladder.contenders.len();
    let needed = if seats == 1 { 1 } else { 2 };
    if bots < needed {
        return Err(format!("a ladder for {seats} seats needs {needed} bots or more, not {bots}"));
    }
    if games > MOST_GAMES {
        return Err(format!("{games} games in all: a ladder has at most {MOST_GAMES}"));
    }
    for contender in &ladder.contenders {
        if let Opponent::Bot(kind) = contender.who {
            kind.check_seats(seats).map_err(|why| format!("{}: {why}", contender.name))?;
        }
    }
    Ok(())
}

/// Adds up, round by round, in the order of the schedule.
fn totals<G: CompleteGame>(
    game: &G,
    ladder: &Ladder,
    schedule: &Schedule,
    finishes: &[Option<Finish>],
) -> LadderTotals {
    let bots = ladder.contenders.len();
    let solo = game.seats().len() == 1;
    let mut totals = LadderTotals {
        options: game.options().into_iter().map(shorten).collect(),
        asked: schedule.games(),
        games: 0,
        seats: game.seats().iter().map(|seat| (seat.word, [0; 3])).collect(),
        duels: if solo { Vec::new() } else { schedule.duels() },
        alone: vec![[0; 3]; if solo { bots } else { 0 }],
        ahead: vec![vec![0; bots]; if solo { bots } else { 0 }],
        broken: vec![0; bots],
    };
    let standings = |finish: Finish| finish.standings(game.seats().len(), game.results());
    let played = |round, meeting| {
        let games = schedule.numbers(round, meeting).map(|number| finishes[number as usize]);
        games.collect::<Option<Vec<Finish>>>()
    };
    for round in 0..schedule.rounds() {
        // A round that was cut short would favour a seat; at a table for one, those who have played it.
        if solo && (0..schedule.meetings()).any(|meeting| played(round, meeting).is_none()) {
            continue;
        }
        let mut won = Vec::new();
        for meeting in 0..schedule.meetings() {
            let Some(played) = played(round, meeting) else { continue };
            let mut points = 0;
            for (&finish, line_up) in played.iter().zip(schedule.line_ups(meeting)) {
                let standings = standings(finish);
                totals.games += 1;
                for ((_, counts), standing) in totals.seats.iter_mut().zip(&standings) {
                    counts[*standing as usize] += 1;
                }
                if let Finish::Forfeit(seat) = finish {
                    totals.broken[line_up[usize::from(seat)]] += 1;
                }
                if let Some(duel) = totals.duels.get_mut(meeting) {
                    let made = schedule::points(duel.first, line_up, &standings);
                    duel.counts[made.standing() as usize] += 1;
                    points += made.made;
                } else if let Some(&standing) = standings.first() {
                    totals.alone[meeting][standing as usize] += 1;
                    won.push(standing == Standing::Win);
                }
            }
            if let Some(duel) = totals.duels.get_mut(meeting) {
                duel.rounds[points as usize] += 1;
            }
        }
        // The dice were the same for all, so what differs is the bots.
        for (row, mine) in totals.ahead.iter_mut().zip(&won) {
            for (count, theirs) in row.iter_mut().zip(&won) {
                *count += u64::from(*mine && !*theirs);
            }
        }
    }
    totals
}

fn shorten((key, value): (String, String)) -> (String, String) {
    let first = value.lines().next().unwrap_or_default();
    let long = value.contains('\n');
    (key, if long { format!("{first} …") } else { first.to_owned() })
}

fn add(mine: &mut [u64], theirs: &[u64]) {
    mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
}
