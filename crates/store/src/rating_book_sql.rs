//! Ratings in a database: tables of their own, which a house without accounts never has.

use crate::matches_sql::{set_setting, setting, to_stored, to_time};
use crate::sql::{self, Connection, Database, OptionalExtension as _, Row, params};
use crate::{
    AccountId, Counting, Formula, KeptRating, Luck, RatedSeat, RatingBook, RatingStep, SideScore, Skill,
    StoreError,
};

/// The setting with the version of these tables; without accounts it is missing.
const VERSION: &str = "ratings_version";
/// The setting with the number of the last row that was taken up.
const UP_TO: &str = "rated_up_to";

/// The steps from no tables to today's, numbered from 1. One that has been released is never changed.
pub(crate) const STEPS: &[&str] = &["
CREATE TABLE rated_seats (
    match        TEXT NOT NULL,
    account      INTEGER NOT NULL,
    number       INTEGER NOT NULL UNIQUE,
    at           INTEGER NOT NULL,
    game         TEXT NOT NULL,
    players      INTEGER NOT NULL,
    setup        TEXT NOT NULL,
    seat         INTEGER NOT NULL,
    side         TEXT NOT NULL,
    standing     TEXT NOT NULL,
    counted      INTEGER,
    before_mu    REAL,
    before_sigma REAL,
    after_mu     REAL,
    after_sigma  REAL,
    side_offset  REAL,
    sixths       INTEGER,
    luck         REAL,
    reviewed     INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (match, account),
    UNIQUE (match, seat)
) STRICT;
CREATE INDEX rated_by_account ON rated_seats (account, counted) WHERE counted IS NOT NULL;
CREATE INDEX rated_by_side ON rated_seats (game, players, setup, seat) WHERE counted IS NOT NULL;
CREATE INDEX rated_to_review ON rated_seats (counted) WHERE counted IS NOT NULL AND reviewed = 0;

CREATE TABLE ratings (
    account INTEGER NOT NULL,
    game    TEXT NOT NULL,
    players INTEGER NOT NULL,
    mu      REAL NOT NULL,
    sigma   REAL NOT NULL,
    matches INTEGER NOT NULL,
    PRIMARY KEY (account, game, players)
) STRICT, WITHOUT ROWID;
CREATE INDEX ratings_by_game ON ratings (game, mu - 3 * sigma);
"];

const SEAT: &str = "SELECT match, account, number, at, game, players, setup, seat, side, standing, before_mu, \
                    before_sigma, after_mu, after_sigma, side_offset, sixths, luck, reviewed FROM rated_seats ";
const RATING: &str = "SELECT account, game, players, mu, sigma, matches FROM ratings ";

impl<D: Database> RatingBook for D {
    fn prepare_ratings(&self) -> Result<(), StoreError> {
        sql::prepare(self, VERSION, STEPS)
    }

    fn rated_up_to(&self) -> Result<u64, StoreError> {
        self.read(up_to)
    }

    fn take_up(&self, row: &RatedSeat, formula: Formula<'_>) -> Result<bool, StoreError> {
        self.write(|c| {
            if up_to(c)? >= row.number {
                return Ok(false);
            }
            set_setting(c, UP_TO, &row.number.to_string())?;
            add(c, row)?;
            count_if_whole(c, &row.match_id, row.number, formula)?;
            Ok(true)
        })
    }

    fn pass_over(&self, number: u64) -> Result<(), StoreError> {
        self.write(|c| set_setting(c, UP_TO, &up_to(c)?.max(number).to_string()))
    }

    fn count_anew(&self, formula: Formula<'_>) -> Result<(), StoreError> {
        self.write(|c| {
            let mut matches =
                c.prepare_cached("SELECT match, MAX(number) FROM rated_seats GROUP BY match ORDER BY 2")?;
            let matches = matches.query_map([], |row| Ok((row.get(0)?, to_time(row.get(1)?))))?;
            let matches: Vec<(String, u64)> = matches.collect::<Result<_, _>>()?;
            c.execute("DELETE FROM ratings", [])?;
            c.execute("UPDATE rated_seats SET counted = NULL, before_mu = NULL", [])?;
            matches.iter().try_for_each(|(id, number)| count_if_whole(c, id, *number, formula))
        })
    }

    fn ratings_of(&self, account: AccountId) -> Result<Vec<KeptRating>, StoreError> {
        self.read(|c| {
            let mut found =
                c.prepare_cached(&format!("{RATING}WHERE account = ?1 ORDER BY game, players"))?;
            found.query_map([to_stored(account.0)], rating)?.collect()
        })
    }

    fn rated_players(&self, game: &str, most: usize) -> Result<Vec<KeptRating>, StoreError> {
        self.read(|c| {
            let rest = "WHERE game = ?1 ORDER BY mu - 3 * sigma DESC, account, players LIMIT ?2";
            let mut found = c.prepare_cached(&format!("{RATING}{rest}"))?;
            found.query_map(params![game, most as i64], rating)?.collect()
        })
    }

    fn rated_seats(&self, account: AccountId, most: usize) -> Result<Vec<RatedSeat>, StoreError> {
        self.read(|c| {
            let rest = "WHERE account = ?1 AND counted IS NOT NULL ORDER BY counted DESC LIMIT ?2";
            let mut found = c.prepare_cached(&format!("{SEAT}{rest}"))?;
            found.query_map(params![to_stored(account.0), most as i64], seat)?.collect()
        })
    }

    fn rated_match(&self, match_id: &str) -> Result<Vec<RatedSeat>, StoreError> {
        self.read(|c| of_match(c, match_id))
    }

    fn side_scores(&self, game: &str) -> Result<Vec<SideScore>, StoreError> {
        self.read(|c| {
            let mut found = c.prepare_cached(
                "SELECT players, setup, seat, MAX(side), COUNT(*), CAST(SUM(sixths) AS BIGINT) FROM rated_seats \
                 WHERE game = ?1 AND counted IS NOT NULL GROUP BY players, setup, seat ORDER BY 1, 2, 3",
            )?;
            let scores = found.query_map([game], |row| {
                Ok(SideScore {
                    players: row.get(0)?,
                    setup: row.get(1)?,
                    seat: row.get(2)?,
                    side: row.get(3)?,
                    matches: row.get(4)?,
                    sixths: to_time(row.get(5)?),
                })
            })?;
            scores.collect()
        })
    }

    fn to_review(&self, most: usize) -> Result<Vec<String>, StoreError> {
        self.read(|c| {
            let mut found = c.prepare_cached(
                "SELECT match FROM rated_seats WHERE counted IS NOT NULL AND reviewed = 0 \
                 GROUP BY match ORDER BY MAX(counted) DESC LIMIT ?1",
            )?;
            found.query_map([most as i64], |row| row.get(0))?.collect()
        })
    }

    fn set_luck(&self, match_id: &str, luck: &[f64]) -> Result<(), StoreError> {
        self.write(|c| {
            c.prepare_cached("UPDATE rated_seats SET reviewed = 1, luck = NULL WHERE match = ?1")?
                .execute([match_id])?;
            let mut set =
                c.prepare_cached("UPDATE rated_seats SET luck = ?3 WHERE match = ?1 AND seat = ?2")?;
            luck.iter()
                .enumerate()
                .try_for_each(|(seat, luck)| set.execute(params![match_id, seat as i64, luck]).map(|_| ()))
        })
    }
}

fn up_to(c: &Connection<'_>) -> sql::Result<u64> {
    Ok(setting(c, UP_TO)?.and_then(|text| text.parse().ok()).unwrap_or(0))
}

fn add(c: &Connection<'_>, row: &RatedSeat) -> sql::Result<()> {
    let mut insert = c.prepare_cached(
        "INSERT INTO rated_seats (match, account, number, at, game, players, setup, seat, side, standing) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO NOTHING",
    )?;
    insert.execute(params![
        row.match_id,
        to_stored(row.account.0),
        to_stored(row.number),
        to_stored(row.at),
        row.game,
        row.players,
        row.setup,
        row.seat,
        row.side,
        row.standing,
    ])?;
    Ok(())
}

/// Counts a match if all its rows are there and it was not counted before.
fn count_if_whole(c: &Connection<'_>, id: &str, number: u64, formula: Formula<'_>) -> sql::Result<()> {
    let seats = of_match(c, id)?;
    let is_whole = |first: &&RatedSeat| usize::from(first.players) == seats.len() && first.step.is_none();
    let Some(first) = seats.first().filter(is_whole) else { return Ok(()) };
    let mut before = Vec::new();
    let mut side_sixths = Vec::new();
    let mut skill =
        c.prepare_cached("SELECT mu, sigma FROM ratings WHERE account = ?1 AND game = ?2 AND players = ?3")?;
    let mut score = c.prepare_cached(
        "SELECT CAST(COALESCE(SUM(sixths), 0) AS BIGINT) FROM rated_seats \
         WHERE game = ?1 AND players = ?2 AND setup = ?3 AND seat = ?4 AND counted IS NOT NULL",
    )?;
    for seat in &seats {
        let account = to_stored(seat.account.0);
        let of = |row: &Row<'_>| Ok(Skill { mu: row.get(0)?, sigma: row.get(1)? });
        before.push(skill.query_row(params![account, first.game, first.players], of).optional()?);
        let asked = params![first.game, first.players, first.setup, seat.seat];
        side_sixths.push(to_time(score.query_row(asked, |row| row.get(0))?));
    }
    let counting = Counting { seats: &seats, before: &before, side_sixths: &side_sixths };
    let Some(steps) = formula(&counting).filter(|steps| steps.len() == seats.len()) else { return Ok(()) };
    seats.iter().zip(&steps).try_for_each(|(seat, step)| write_step(c, number, seat, step))
}

fn write_step(c: &Connection<'_>, number: u64, seat: &RatedSeat, step: &RatingStep) -> sql::Result<()> {
    let account = to_stored(seat.account.0);
    let mut update = c.prepare_cached(
        "UPDATE rated_seats SET counted = ?3, before_mu = ?4, before_sigma = ?5, after_mu = ?6, \
         after_sigma = ?7, side_offset = ?8, sixths = ?9 WHERE match = ?1 AND account = ?2",
    )?;
    let RatingStep { before, after, offset, sixths } = *step;
    let (number, sixths) = (to_stored(number), to_stored(sixths));
    update.execute(params![
        seat.match_id,
        account,
        number,
        before.mu,
        before.sigma,
        after.mu,
        after.sigma,
        offset,
        sixths
    ])?;
    let mut keep = c.prepare_cached(
        "INSERT INTO ratings (account, game, players, mu, sigma, matches) VALUES (?1, ?2, ?3, ?4, ?5, 1) \
         ON CONFLICT (account, game, players) DO UPDATE SET mu = ?4, sigma = ?5, matches = ratings.matches + 1",
    )?;
    keep.execute(params![account, seat.game, seat.players, after.mu, after.sigma])?;
    Ok(())
}

fn of_match(c: &Connection<'_>, id: &str) -> sql::Result<Vec<RatedSeat>> {
    let mut found = c.prepare_cached(&format!("{SEAT}WHERE match = ?1 ORDER BY seat"))?;
    found.query_map([id], seat)?.collect()
}

fn seat(row: &Row<'_>) -> sql::Result<RatedSeat> {
    let number = |column| Ok::<_, sql::Error>(to_time(row.get(column)?));
    let step = match row.get::<Option<f64>>(10)? {
        None => None,
        Some(mu) => Some(RatingStep {
            before: Skill { mu, sigma: row.get(11)? },
            after: Skill { mu: row.get(12)?, sigma: row.get(13)? },
            offset: row.get(14)?,
            sixths: number(15)?,
        }),
    };
    let luck = match (row.get::<bool>(17)?, row.get(16)?) {
        (false, _) => Luck::Waits,
        (true, Some(luck)) => Luck::Known(luck),
        (true, None) => Luck::Unknowable,
    };
    Ok(RatedSeat {
        match_id: row.get(0)?,
        account: AccountId(number(1)?),
        number: number(2)?,
        at: number(3)?,
        game: row.get(4)?,
        players: row.get(5)?,
        setup: row.get(6)?,
        seat: row.get(7)?,
        side: row.get(8)?,
        standing: row.get(9)?,
        step,
        luck,
    })
}

fn rating(row: &Row<'_>) -> sql::Result<KeptRating> {
    Ok(KeptRating {
        account: AccountId(to_time(row.get(0)?)),
        game: row.get(1)?,
        players: row.get(2)?,
        skill: Skill { mu: row.get(3)?, sigma: row.get(4)? },
        matches: row.get(5)?,
    })
}
