//! Tournaments in a database: tables of their own, which a house without accounts never has.

use crate::matches_sql::{to_stored, to_time};
use crate::sql::{self, Connection, Database, OptionalExtension as _, Row, params};
use crate::{
    AccountId, Entered, Entrant, Pairing, StoreError, TournamentRecord, TournamentState, Tournaments,
};

/// The setting with the version of these tables; without accounts it is missing.
const VERSION: &str = "tournaments_version";

/// The steps from no tables to today's, numbered from 1. One that has been released is never changed.
pub(crate) const STEPS: &[&str] = &["
CREATE TABLE tournaments (
    id            TEXT NOT NULL PRIMARY KEY,
    made_by       INTEGER,
    made_at       INTEGER NOT NULL,
    name          TEXT NOT NULL,
    game          TEXT NOT NULL,
    options       TEXT NOT NULL,
    clock         TEXT NOT NULL,
    state         TEXT NOT NULL,
    is_open       INTEGER NOT NULL,
    pool_size     INTEGER NOT NULL,
    on_every_side INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tournaments_by_time ON tournaments (made_at, id);
CREATE INDEX tournaments_running ON tournaments (state) WHERE state = 'running';

CREATE TABLE entrants (
    tournament   TEXT NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    place        INTEGER NOT NULL,
    account      INTEGER NOT NULL,
    entered_at   INTEGER NOT NULL,
    withdrawn_at INTEGER,
    pool         INTEGER,
    PRIMARY KEY (tournament, account)
) STRICT, WITHOUT ROWID;
CREATE INDEX entrants_by_account ON entrants (account);

CREATE TABLE pairings (
    tournament TEXT NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    number     INTEGER NOT NULL,
    pool       INTEGER NOT NULL,
    round      INTEGER NOT NULL,
    players    TEXT NOT NULL,
    match      TEXT UNIQUE,
    standings  TEXT,
    why        TEXT,
    PRIMARY KEY (tournament, number),
    CHECK ((standings IS NULL) = (why IS NULL))
) STRICT, WITHOUT ROWID;
"];

const TOURNAMENT: &str = "SELECT id, made_by, made_at, name, game, options, clock, state, is_open, pool_size, \
                          on_every_side FROM tournaments ";

impl<D: Database> Tournaments for D {
    fn prepare_tournaments(&self) -> Result<(), StoreError> {
        sql::prepare(self, VERSION, STEPS)
    }

    fn add_tournament(&self, new: &TournamentRecord, entrants: &[AccountId]) -> Result<(), StoreError> {
        self.write(|c| {
            let mut insert = c.prepare_cached(
                "INSERT INTO tournaments (id, made_by, made_at, name, game, options, clock, state, is_open, \
                 pool_size, on_every_side) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            )?;
            insert.execute(params![
                new.id,
                new.made_by.map(|account| to_stored(account.0)),
                to_stored(new.made_at),
                new.name,
                new.game,
                new.options,
                new.clock,
                new.state.word(),
                new.is_open,
                new.pool_size,
                new.on_every_side,
            ])?;
            entrants.iter().try_for_each(|account| add_entrant(c, &new.id, *account, new.made_at))
        })
    }

    fn tournament(&self, id: &str) -> Result<Option<TournamentRecord>, StoreError> {
        self.read(|c| find(c, id))
    }

    fn tournaments(&self, most: usize) -> Result<Vec<TournamentRecord>, StoreError> {
        self.read(|c| {
            let rest = "ORDER BY made_at DESC, id DESC LIMIT ?1";
            let mut found = c.prepare_cached(&format!("{TOURNAMENT}{rest}"))?;
            found.query_map([i64::try_from(most).unwrap_or(i64::MAX)], tournament)?.collect()
        })
    }

    fn running_tournaments(&self) -> Result<Vec<TournamentRecord>, StoreError> {
        self.read(|c| {
            let rest = "WHERE state = 'running' ORDER BY made_at DESC, id DESC";
            c.prepare_cached(&format!("{TOURNAMENT}{rest}"))?.query_map([], tournament)?.collect()
        })
    }

    fn entrants(&self, id: &str) -> Result<Vec<Entrant>, StoreError> {
        self.read(|c| entrants(c, id))
    }

    fn pairings(&self, id: &str) -> Result<Vec<Pairing>, StoreError> {
        self.read(|c| {
            let mut found = c.prepare_cached(
                "SELECT number, pool, round, players, match, standings, why FROM pairings \
                 WHERE tournament = ?1 ORDER BY number",
            )?;
            found.query_map([id], pairing)?.collect()
        })
    }

    fn enter(&self, id: &str, account: AccountId, at: u64, most: usize) -> Result<Entered, StoreError> {
        self.write(|c| {
            if find(c, id)?.is_none_or(|found| found.state != TournamentState::Gathering) {
                return Ok(Entered::Shut);
            }
            let known = entrants(c, id)?;
            if known.iter().any(|entrant| entrant.account == account) {
                return Ok(Entered::Already);
            }
            if known.len() >= most {
                return Ok(Entered::Full);
            }
            add_entrant(c, id, account, at).map(|()| Entered::Done)
        })
    }

    fn withdraw(&self, id: &str, account: AccountId, at: u64) -> Result<bool, StoreError> {
        self.write(|c| {
            let account = to_stored(account.0);
            let changed = match find(c, id)?.map(|found| found.state) {
                Some(TournamentState::Gathering) => c
                    .prepare_cached("DELETE FROM entrants WHERE tournament = ?1 AND account = ?2")?
                    .execute(params![id, account])?,
                Some(TournamentState::Running) => c
                    .prepare_cached(
                        "UPDATE entrants SET withdrawn_at = ?3 \
                         WHERE tournament = ?1 AND account = ?2 AND withdrawn_at IS NULL",
                    )?
                    .execute(params![id, account, to_stored(at)])?,
                _ => 0,
            };
            Ok(changed > 0)
        })
    }

    fn begin(&self, id: &str, pools: &[(AccountId, u8)], pairings: &[Pairing]) -> Result<bool, StoreError> {
        self.write(|c| {
            let known = entrants(c, id)?;
            let has_pool = |entrant: &Entrant| pools.iter().any(|(of, _)| *of == entrant.account);
            let is_same = known.len() == pools.len() && known.iter().all(has_pool);
            if !is_same || !move_on(c, id, TournamentState::Gathering, TournamentState::Running)? {
                return Ok(false);
            }
            let mut set =
                c.prepare_cached("UPDATE entrants SET pool = ?3 WHERE tournament = ?1 AND account = ?2")?;
            for (account, pool) in pools {
                set.execute(params![id, to_stored(account.0), pool])?;
            }
            let mut insert = c.prepare_cached(
                "INSERT INTO pairings (tournament, number, pool, round, players) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            for pairing in pairings {
                let players: Vec<String> = pairing.players.iter().map(ToString::to_string).collect();
                insert.execute(params![
                    id,
                    pairing.number,
                    pairing.pool,
                    pairing.round,
                    players.join(",")
                ])?;
            }
            Ok(true)
        })
    }

    fn move_on(&self, id: &str, from: TournamentState, to: TournamentState) -> Result<bool, StoreError> {
        self.write(|c| move_on(c, id, from, to))
    }

    fn set_match(&self, id: &str, number: u32, match_id: &str) -> Result<bool, StoreError> {
        self.write(|c| {
            let mut set = c.prepare_cached(
                "UPDATE pairings SET match = ?3 WHERE tournament = ?1 AND number = ?2 AND match IS NULL",
            )?;
            Ok(set.execute(params![id, number, match_id])? > 0)
        })
    }

    fn decide(&self, id: &str, number: u32, standings: &str, why: &str) -> Result<bool, StoreError> {
        self.write(|c| {
            let mut set = c.prepare_cached(
                "UPDATE pairings SET standings = ?3, why = ?4 WHERE tournament = ?1 AND number = ?2",
            )?;
            Ok(set.execute(params![id, number, standings, why])? > 0)
        })
    }

    fn entered_by(&self, account: AccountId) -> Result<Vec<String>, StoreError> {
        self.read(|c| {
            let mut found = c.prepare_cached(
                "SELECT t.id FROM entrants e JOIN tournaments t ON t.id = e.tournament \
                 WHERE e.account = ?1 AND e.withdrawn_at IS NULL AND t.state IN ('gathering', 'running') \
                 ORDER BY t.id",
            )?;
            found.query_map([to_stored(account.0)], |row| row.get(0))?.collect()
        })
    }
}

fn find(c: &Connection<'_>, id: &str) -> sql::Result<Option<TournamentRecord>> {
    c.prepare_cached(&format!("{TOURNAMENT}WHERE id = ?1"))?.query_row([id], tournament).optional()
}

fn move_on(c: &Connection<'_>, id: &str, from: TournamentState, to: TournamentState) -> sql::Result<bool> {
    let mut set = c.prepare_cached("UPDATE tournaments SET state = ?3 WHERE id = ?1 AND state = ?2")?;
    Ok(set.execute(params![id, from.word(), to.word()])? > 0)
}

fn add_entrant(c: &Connection<'_>, id: &str, account: AccountId, at: u64) -> sql::Result<()> {
    let mut insert = c.prepare_cached(
        "INSERT INTO entrants (tournament, place, account, entered_at) \
         SELECT ?1, COALESCE(MAX(place), 0) + 1, ?2, ?3 FROM entrants WHERE tournament = ?1",
    )?;
    insert.execute(params![id, to_stored(account.0), to_stored(at)]).map(|_| ())
}

fn entrants(c: &Connection<'_>, id: &str) -> sql::Result<Vec<Entrant>> {
    let mut found = c.prepare_cached(
        "SELECT account, entered_at, withdrawn_at, pool FROM entrants WHERE tournament = ?1 ORDER BY place",
    )?;
    let entrant = |row: &Row<'_>| {
        Ok(Entrant {
            account: AccountId(to_time(row.get(0)?)),
            entered_at: to_time(row.get(1)?),
            withdrawn_at: row.get::<Option<i64>>(2)?.map(to_time),
            pool: row.get(3)?,
        })
    };
    found.query_map([id], entrant)?.collect()
}

fn pairing(row: &Row<'_>) -> sql::Result<Pairing> {
    let players: String = row.get(3)?;
    Ok(Pairing {
        number: row.get(0)?,
        pool: row.get(1)?,
        round: row.get(2)?,
        players: players.split(',').filter_map(|player| player.parse().ok()).collect(),
        match_id: row.get(4)?,
        verdict: row.get::<Option<String>>(5)?.zip(row.get(6)?),
    })
}

fn tournament(row: &Row<'_>) -> sql::Result<TournamentRecord> {
    Ok(TournamentRecord {
        id: row.get(0)?,
        made_by: row.get::<Option<i64>>(1)?.map(|account| AccountId(to_time(account))),
        made_at: to_time(row.get(2)?),
        name: row.get(3)?,
        game: row.get(4)?,
        options: row.get(5)?,
        clock: row.get(6)?,
        state: TournamentState::read(row.get_ref(7)?.as_str()?),
        is_open: row.get(8)?,
        pool_size: row.get(9)?,
        on_every_side: row.get(10)?,
    })
}
