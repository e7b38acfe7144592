//! What people say, report and gather, in the database of the matches.

use super::{
    Act, ChatLine, Conduct, Contact, Gathering, GatheringSeat, Gatherings, MOST_CONTACTS, MOST_GATHERINGS,
    MOST_LINES, MOST_OPEN_REPORTS, Manners, NewAct, NewLine, NewReport, Report, Reported, Room, Said,
    SeatOffer, Taken, Talk,
};
use crate::matches_sql::{to_stored, to_time};
use crate::sql::{self, Connection, Database, OptionalExtension as _, Row, params, unreadable};
use crate::{AccountId, StoreError};

/// The setting that says which of [`STEPS`] were taken.
const VERSION: &str = "meeting_version";

/// The steps to today's tables. One that has been released is never changed: a new one is added.
pub(crate) const STEPS: &[&str] = &["
CREATE TABLE talks (
    match_id TEXT NOT NULL PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE,
    last     INTEGER NOT NULL DEFAULT 0,
    quiet    INTEGER NOT NULL DEFAULT 0,
    gathered INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE chat (
    match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    n        INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    room     TEXT NOT NULL,
    seat     INTEGER,
    account  INTEGER,
    text     TEXT NOT NULL,
    PRIMARY KEY (match_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX chat_of_account ON chat (account) WHERE account IS NOT NULL;

CREATE TABLE chat_heard (
    match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat     INTEGER NOT NULL,
    n        INTEGER NOT NULL,
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;

-- Account 0 is whoever has the link of the seat.
CREATE TABLE notes (
    match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat     INTEGER NOT NULL,
    account  INTEGER NOT NULL,
    text     TEXT NOT NULL,
    PRIMARY KEY (match_id, seat, account)
) STRICT, WITHOUT ROWID;
CREATE INDEX notes_of_account ON notes (account);

CREATE TABLE contacts (
    sender   INTEGER NOT NULL,
    receiver INTEGER NOT NULL,
    kind     TEXT NOT NULL,
    PRIMARY KEY (sender, receiver, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX contacts_to ON contacts (receiver);

CREATE TABLE reports (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    at          INTEGER NOT NULL,
    sender      INTEGER NOT NULL,
    about       INTEGER,
    match_id    TEXT NOT NULL,
    n           INTEGER NOT NULL,
    room        TEXT NOT NULL,
    text        TEXT NOT NULL,
    why         TEXT NOT NULL,
    answered_at INTEGER,
    answer      TEXT,
    UNIQUE (sender, match_id, n),
    CHECK ((answered_at IS NULL) = (answer IS NULL))
) STRICT;
CREATE INDEX reports_open ON reports (id) WHERE answered_at IS NULL;
CREATE INDEX reports_about ON reports (about) WHERE about IS NOT NULL;

CREATE TABLE silenced (
    account INTEGER NOT NULL PRIMARY KEY,
    until   INTEGER NOT NULL
) STRICT;

CREATE TABLE moderation (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    at     INTEGER NOT NULL,
    sender INTEGER,
    about  INTEGER,
    deed   TEXT NOT NULL,
    note   TEXT NOT NULL
) STRICT;

CREATE TABLE gatherings (
    id       TEXT NOT NULL PRIMARY KEY,
    host     INTEGER NOT NULL,
    game     TEXT NOT NULL,
    name     TEXT NOT NULL,
    setup    TEXT NOT NULL,
    options  TEXT NOT NULL,
    clock    TEXT NOT NULL,
    quiet    INTEGER NOT NULL,
    listed   INTEGER NOT NULL,
    made_at  INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    match_id TEXT,
    again    TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX gatherings_listed ON gatherings (made_at) WHERE listed AND match_id IS NULL;
CREATE INDEX gatherings_of_host ON gatherings (host);
CREATE INDEX gatherings_after ON gatherings (again) WHERE again IS NOT NULL;

CREATE TABLE gathering_seats (
    gathering TEXT NOT NULL REFERENCES gatherings (id) ON DELETE CASCADE,
    seat      INTEGER NOT NULL,
    offer     TEXT NOT NULL,
    asked     INTEGER,
    word      TEXT NOT NULL,
    taken     INTEGER NOT NULL,
    account   INTEGER,
    PRIMARY KEY (gathering, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX gathering_seats_of ON gathering_seats (account) WHERE account IS NOT NULL;
CREATE INDEX gathering_seats_asked ON gathering_seats (asked) WHERE asked IS NOT NULL;
"];

/// Makes the tables if they are missing.
pub(crate) fn prepare(database: &impl Database) -> Result<(), StoreError> {
    sql::prepare(database, VERSION, STEPS)
}

fn number(account: AccountId) -> i64 {
    to_stored(account.0)
}

fn account(row: &Row<'_>, column: usize) -> sql::Result<Option<AccountId>> {
    Ok(row.get::<Option<i64>>(column)?.map(|account| AccountId(account.cast_unsigned())))
}

/// An account that must be there.
fn account_at(row: &Row<'_>, column: usize) -> sql::Result<AccountId> {
    Ok(AccountId(row.get::<i64>(column)?.cast_unsigned()))
}

fn word<T>(row: &Row<'_>, column: usize, read: impl Fn(&str) -> Option<T>) -> sql::Result<T> {
    let text: String = row.get(column)?;
    read(&text)
        .ok_or_else(|| unreadable(format!("column {column}: `{text}` is none of the words that stand here")))
}

fn is_match(c: &Connection<'_>, id: &str) -> sql::Result<bool> {
    c.prepare_cached("SELECT 1 FROM matches WHERE id = ?1")?.exists([id])
}

const LINE: &str = "SELECT match_id, n, at, room, seat, account, text FROM chat ";

fn line(row: &Row<'_>) -> sql::Result<ChatLine> {
    Ok(ChatLine {
        n: row.get(1)?,
        line: NewLine {
            match_id: row.get(0)?,
            at: to_time(row.get(2)?),
            room: word(row, 3, Room::read)?,
            seat: row.get(4)?,
            account: account(row, 5)?,
            text: row.get(6)?,
        },
    })
}

fn say(c: &Connection<'_>, line: &NewLine) -> sql::Result<Said> {
    if !is_match(c, &line.match_id)? {
        return Ok(Said::Missing);
    }
    let mut count = c.prepare_cached("SELECT count(*) FROM chat WHERE match_id = ?1 AND room = ?2")?;
    let count: i64 = count.query_row(params![line.match_id, line.room.word()], |row| row.get(0))?;
    if count >= MOST_LINES as i64 {
        return Ok(Said::Full);
    }
    let mut next = c.prepare_cached(
        "INSERT INTO talks (match_id, last) VALUES (?1, 1) \
         ON CONFLICT (match_id) DO UPDATE SET last = talks.last + 1 RETURNING last",
    )?;
    let n: u32 = next.query_row([&line.match_id], |row| row.get(0))?;
    let mut insert = c.prepare_cached(
        "INSERT INTO chat (match_id, n, at, room, seat, account, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    let NewLine { match_id, at, room, seat, account, text } = line;
    insert.execute(params![match_id, n, to_stored(*at), room.word(), seat, account.map(number), text])?;
    Ok(Said::Kept(n))
}

impl<D: Database> Talk for D {
    fn say(&self, line: &NewLine) -> Result<Said, StoreError> {
        self.write(|c| say(c, line))
    }

    fn lines(
        &self,
        match_id: &str,
        rooms: &[Room],
        after: u32,
        most: usize,
    ) -> Result<Vec<ChatLine>, StoreError> {
        let has = |room: Room| if rooms.contains(&room) { room.word() } else { "" };
        let mut found = self.read(|c| {
            let sql = format!(
                "{LINE} WHERE match_id = ?1 AND n > ?2 AND room IN (?3, ?4) ORDER BY n DESC LIMIT ?5"
            );
            let mut found = c.prepare_cached(&sql)?;
            let (players, onlookers) = (has(Room::Players), has(Room::Onlookers));
            found
                .query_map(params![match_id, after, players, onlookers, most as i64], line)?
                .collect::<sql::Result<Vec<_>>>()
        })?;
        found.reverse();
        Ok(found)
    }

    fn line(&self, match_id: &str, n: u32) -> Result<Option<ChatLine>, StoreError> {
        self.read(|c| {
            let sql = format!("{LINE} WHERE match_id = ?1 AND n = ?2");
            c.prepare_cached(&sql)?.query_row(params![match_id, n], line).optional()
        })
    }

    fn heard(&self, match_id: &str, seat: u8) -> Result<u32, StoreError> {
        self.read(|c| {
            let mut heard = c.prepare_cached("SELECT n FROM chat_heard WHERE match_id = ?1 AND seat = ?2")?;
            Ok(heard.query_row(params![match_id, seat], |row| row.get(0)).optional()?.unwrap_or(0))
        })
    }

    fn set_heard(&self, match_id: &str, seat: u8, n: u32) -> Result<bool, StoreError> {
        self.write(|c| {
            let mut set = c.prepare_cached(
                "INSERT INTO chat_heard (match_id, seat, n) SELECT id, ?2, ?3 FROM matches WHERE id = ?1 \
                 ON CONFLICT (match_id, seat) DO UPDATE SET n = CASE WHEN chat_heard.n < ?3 THEN ?3 ELSE chat_heard.n END",
            )?;
            Ok(set.execute(params![match_id, seat, n])? > 0)
        })
    }

    fn manners(&self, match_id: &str) -> Result<Manners, StoreError> {
        self.read(|c| {
            let mut found = c.prepare_cached("SELECT quiet, gathered FROM talks WHERE match_id = ?1")?;
            let read = |row: &Row<'_>| Ok(Manners { is_quiet: row.get(0)?, is_gathered: row.get(1)? });
            Ok(found.query_row([match_id], read).optional()?.unwrap_or_default())
        })
    }

    fn set_manners(&self, match_id: &str, manners: Manners) -> Result<bool, StoreError> {
        self.write(|c| {
            let mut set = c.prepare_cached(
                "INSERT INTO talks (match_id, quiet, gathered) SELECT id, ?2, ?3 FROM matches WHERE id = ?1 \
                 ON CONFLICT (match_id) DO UPDATE SET quiet = ?2, gathered = ?3",
            )?;
            Ok(set.execute(params![match_id, manners.is_quiet, manners.is_gathered])? > 0)
        })
    }

    fn note(&self, match_id: &str, seat: u8, account: Option<AccountId>) -> Result<String, StoreError> {
        self.read(|c| {
            let mut note = c.prepare_cached(
                "SELECT text FROM notes WHERE match_id = ?1 AND seat = ?2 AND account IN (0, ?3) \
                 ORDER BY account DESC LIMIT 1",
            )?;
            let of = account.map_or(0, number);
            let found = note.query_row(params![match_id, seat, of], |row| row.get(0)).optional()?;
            Ok(found.unwrap_or_default())
        })
    }

    fn set_note(
        &self,
        match_id: &str,
        seat: u8,
        account: Option<AccountId>,
        text: &str,
    ) -> Result<bool, StoreError> {
        self.write(|c| {
            // What they noted as a guest is in it, if they wanted it there.
            c.prepare_cached("DELETE FROM notes WHERE match_id = ?1 AND seat = ?2 AND account = 0")?
                .execute(params![match_id, seat])?;
            let mut set = c.prepare_cached(
                "INSERT INTO notes (match_id, seat, account, text) SELECT id, ?2, ?3, ?4 FROM matches WHERE id = ?1 \
                 ON CONFLICT (match_id, seat, account) DO UPDATE SET text = ?4",
            )?;
            Ok(set.execute(params![match_id, seat, account.map_or(0, number), text])? > 0)
        })
    }

    fn said_by(&self, account: AccountId) -> Result<Vec<ChatLine>, StoreError> {
        self.read(|c| {
            let sql = format!("{LINE} WHERE account = ?1 ORDER BY match_id, n");
            c.prepare_cached(&sql)?.query_map([number(account)], line)?.collect()
        })
    }

    fn noted_by(&self, account: AccountId) -> Result<Vec<(String, u8, String)>, StoreError> {
        self.read(|c| {
            let mut found = c.prepare_cached(
                "SELECT match_id, seat, text FROM notes WHERE account = ?1 ORDER BY match_id, seat",
            )?;
            found.query_map([number(account)], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
        })
    }
}

const REPORT: &str =
    "SELECT id, at, sender, about, match_id, n, room, text, why, answered_at, answer FROM reports ";

fn report(row: &Row<'_>) -> sql::Result<Report> {
    let answered: Option<i64> = row.get(9)?;
    let answer = answered.map(|at| Ok::<_, sql::Error>((to_time(at), row.get(10)?))).transpose()?;
    Ok(Report {
        id: to_time(row.get(0)?),
        report: NewReport {
            at: to_time(row.get(1)?),
            by: account_at(row, 2)?,
            about: account(row, 3)?,
            match_id: row.get(4)?,
            n: row.get(5)?,
            room: word(row, 6, Room::read)?,
            text: row.get(7)?,
            why: row.get(8)?,
        },
        answer,
    })
}

fn add_report(c: &Connection<'_>, new: &NewReport) -> sql::Result<Reported> {
    let NewReport { at, by, about, match_id, n, room, text, why } = new;
    let by = number(*by);
    let mut known =
        c.prepare_cached("SELECT 1 FROM reports WHERE sender = ?1 AND match_id = ?2 AND n = ?3")?;
    if known.exists(params![by, match_id, n])? {
        return Ok(Reported::Twice);
    }
    let mut open =
        c.prepare_cached("SELECT count(*) FROM reports WHERE sender = ?1 AND answered_at IS NULL")?;
    let open: i64 = open.query_row([by], |row| row.get(0))?;
    if open >= MOST_OPEN_REPORTS as i64 {
        return Ok(Reported::TooMany);
    }
    let mut insert = c.prepare_cached(
        "INSERT INTO reports (at, sender, about, match_id, n, room, text, why) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING id",
    )?;
    let about = about.map(number);
    let values = params![to_stored(*at), by, about, match_id, n, room.word(), text, why];
    insert.query_row(values, |row| Ok(Reported::Kept(to_time(row.get(0)?))))
}

impl<D: Database> Conduct for D {
    fn set_contact(
        &self,
        from: AccountId,
        to: AccountId,
        kind: Contact,
        is_on: bool,
    ) -> Result<bool, StoreError> {
        self.write(|c| {
            let (from, to) = (number(from), number(to));
            c.prepare_cached("DELETE FROM contacts WHERE sender = ?1 AND receiver = ?2 AND kind = ?3")?
                .execute(params![from, to, kind.word()])?;
            if !is_on {
                return Ok(true);
            }
            let mut count = c.prepare_cached("SELECT count(*) FROM contacts WHERE sender = ?1")?;
            let count: i64 = count.query_row([from], |row| row.get(0))?;
            if count >= MOST_CONTACTS as i64 {
                return Ok(false);
            }
            c.prepare_cached("INSERT INTO contacts (sender, receiver, kind) VALUES (?1, ?2, ?3)")?
                .execute(params![from, to, kind.word()])?;
            Ok(true)
        })
    }

    fn contacts(&self, from: AccountId) -> Result<Vec<(AccountId, Contact)>, StoreError> {
        let mut own = self.read(|c| {
            let mut own = c.prepare_cached("SELECT receiver, kind FROM contacts WHERE sender = ?1")?;
            own.query_map([number(from)], |row| Ok((account_at(row, 0)?, word(row, 1, Contact::read)?)))?
                .collect::<sql::Result<Vec<_>>>()
        })?;
        own.sort_unstable();
        Ok(own)
    }

    fn has_blocked(&self, from: AccountId, to: AccountId) -> Result<bool, StoreError> {
        self.read(|c| {
            let sql = "SELECT 1 FROM contacts WHERE sender = ?1 AND receiver = ?2 AND kind = 'block'";
            c.prepare_cached(sql)?.exists([number(from), number(to)])
        })
    }

    fn report(&self, report: &NewReport) -> Result<Reported, StoreError> {
        self.write(|c| add_report(c, report))
    }

    fn report_numbered(&self, id: u64) -> Result<Option<Report>, StoreError> {
        self.read(|c| {
            let sql = format!("{REPORT} WHERE id = ?1");
            c.prepare_cached(&sql)?.query_row([to_stored(id)], report).optional()
        })
    }

    fn reports(&self, is_answered: bool, most: usize) -> Result<Vec<Report>, StoreError> {
        let which = match is_answered {
            true => "answered_at IS NOT NULL ORDER BY id DESC",
            false => "answered_at IS NULL ORDER BY id",
        };
        self.read(|c| {
            let sql = format!("{REPORT} WHERE {which} LIMIT ?1");
            c.prepare_cached(&sql)?.query_map([most as i64], report)?.collect()
        })
    }

    fn reports_by(&self, account: AccountId, most: usize) -> Result<Vec<Report>, StoreError> {
        self.read(|c| {
            let sql = format!("{REPORT} WHERE sender = ?1 ORDER BY id DESC LIMIT ?2");
            c.prepare_cached(&sql)?.query_map([number(account), most as i64], report)?.collect()
        })
    }

    fn answer_report(&self, id: u64, at: u64, answer: &str) -> Result<bool, StoreError> {
        self.write(|c| {
            let sql =
                "UPDATE reports SET answered_at = ?2, answer = ?3 WHERE id = ?1 AND answered_at IS NULL";
            Ok(c.prepare_cached(sql)?.execute(params![to_stored(id), to_stored(at), answer])? > 0)
        })
    }

    fn silence(&self, account: AccountId, until: Option<u64>) -> Result<(), StoreError> {
        self.write(|c| {
            match until {
                Some(until) => c
                    .prepare_cached(
                        "INSERT INTO silenced (account, until) VALUES (?1, ?2) \
                         ON CONFLICT (account) DO UPDATE SET until = ?2",
                    )?
                    .execute(params![number(account), to_stored(until)]),
                None => {
                    c.prepare_cached("DELETE FROM silenced WHERE account = ?1")?.execute([number(account)])
                }
            }
            .map(|_| ())
        })
    }

    fn silenced_until(&self, account: AccountId) -> Result<Option<u64>, StoreError> {
        self.read(|c| {
            let mut until = c.prepare_cached("SELECT until FROM silenced WHERE account = ?1")?;
            until.query_row([number(account)], |row| Ok(to_time(row.get(0)?))).optional()
        })
    }

    fn note_act(&self, act: &NewAct) -> Result<(), StoreError> {
        self.write(|c| {
            let mut insert = c.prepare_cached(
                "INSERT INTO moderation (at, sender, about, deed, note) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            let (by, about) = (act.by.map(number), act.about.map(number));
            insert.execute(params![to_stored(act.at), by, about, act.deed, act.note]).map(|_| ())
        })
    }

    fn acts(&self, before: Option<u64>, most: usize) -> Result<Vec<Act>, StoreError> {
        self.read(|c| {
            let mut found = c.prepare_cached(
                "SELECT id, at, sender, about, deed, note FROM moderation WHERE CAST(?1 AS BIGINT) IS NULL OR id < ?1 \
                 ORDER BY id DESC LIMIT ?2",
            )?;
            let act = |row: &Row<'_>| {
                let (by, about) = (account(row, 2)?, account(row, 3)?);
                let (deed, note) = (row.get(4)?, row.get(5)?);
                let act = NewAct { at: to_time(row.get(1)?), by, about, deed, note };
                Ok(Act { id: to_time(row.get(0)?), act })
            };
            found.query_map(params![before.map(to_stored), most as i64], act)?.collect()
        })
    }
}

const GATHERING: &str = "SELECT id, host, game, name, setup, options, clock, quiet, listed, made_at, revision, match_id, again \
     FROM gatherings ";

fn gathering(row: &Row<'_>) -> sql::Result<Gathering> {
    Ok(Gathering {
        id: row.get(0)?,
        host: account_at(row, 1)?,
        game: row.get(2)?,
        name: row.get(3)?,
        setup: row.get(4)?,
        options: row.get(5)?,
        clock: row.get(6)?,
        is_quiet: row.get(7)?,
        is_listed: row.get(8)?,
        made_at: to_time(row.get(9)?),
        revision: row.get(10)?,
        match_id: row.get(11)?,
        again: row.get(12)?,
        seats: Vec::new(),
    })
}

fn seat(row: &Row<'_>) -> sql::Result<GatheringSeat> {
    let (asked, text): (Option<AccountId>, String) = (account(row, 1)?, row.get(2)?);
    let kind: String = row.get(0)?;
    let offer = match (kind.as_str(), asked) {
        ("named", Some(account)) => SeatOffer::Named(account),
        ("declined", Some(account)) => SeatOffer::Declined(account),
        ("link", _) => SeatOffer::Link(text),
        ("bot", _) => SeatOffer::Bot(text),
        // Nobody sits down where nobody knows for whom the seat is: whoever is asked was erased.
        _ => SeatOffer::Open,
    };
    let taken = match (row.get(3)?, account(row, 4)?) {
        (true, Some(account)) => Some(Taken::Account(account)),
        (true, None) => Some(Taken::Guest),
        (false, _) => None,
    };
    Ok(GatheringSeat { offer, taken })
}

/// Gatherings that fulfil a condition, with their seats.
fn gatherings(c: &Connection<'_>, rest: &str, values: impl sql::Params) -> sql::Result<Vec<Gathering>> {
    let mut found: Vec<Gathering> = c
        .prepare_cached(&format!("{GATHERING} {rest}"))?
        .query_map(values, gathering)?
        .collect::<sql::Result<_>>()?;
    let mut seats = c.prepare_cached(
        "SELECT offer, asked, word, taken, account FROM gathering_seats WHERE gathering = ?1 ORDER BY seat",
    )?;
    for one in &mut found {
        one.seats = seats.query_map([&one.id], seat)?.collect::<sql::Result<_>>()?;
    }
    Ok(found)
}

fn add_seats(c: &Connection<'_>, gathering: &Gathering) -> sql::Result<()> {
    let mut insert = c.prepare_cached(
        "INSERT INTO gathering_seats (gathering, seat, offer, asked, word, taken, account) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (at, seat) in gathering.seats.iter().enumerate() {
        let (asked, account) = (seat.offer.asked().map(number), seat.account().map(number));
        let text = match &seat.offer {
            SeatOffer::Link(text) | SeatOffer::Bot(text) => text.as_str(),
            SeatOffer::Open | SeatOffer::Named(_) | SeatOffer::Declined(_) => "",
        };
        let (word, taken) = (seat.offer.word(), seat.taken.is_some());
        insert.execute(params![gathering.id, at as i64, word, asked, text, taken, account])?;
    }
    Ok(())
}

fn add_gathering(c: &Connection<'_>, new: &Gathering) -> sql::Result<bool> {
    let mut open =
        c.prepare_cached("SELECT count(*) FROM gatherings WHERE host = ?1 AND match_id IS NULL")?;
    let open: i64 = open.query_row([number(new.host)], |row| row.get(0))?;
    if open >= MOST_GATHERINGS as i64 {
        return Ok(false);
    }
    let mut insert = c.prepare_cached(
        "INSERT INTO gatherings (id, host, game, name, setup, options, clock, quiet, listed, made_at, revision, match_id, again) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?;
    insert.execute(params![
        new.id,
        number(new.host),
        new.game,
        new.name,
        new.setup,
        new.options,
        new.clock,
        new.is_quiet,
        new.is_listed,
        to_stored(new.made_at),
        new.revision,
        new.match_id,
        new.again,
    ])?;
    add_seats(c, new)?;
    Ok(true)
}

/// Of a table that gathers only who comes, how it is found, and the match that it leads to ever change.
fn change_gathering(c: &Connection<'_>, new: &Gathering) -> sql::Result<bool> {
    let mut update = c.prepare_cached(
        "UPDATE gatherings SET revision = revision + 1, match_id = ?3, listed = ?4 WHERE id = ?1 AND revision = ?2",
    )?;
    if update.execute(params![new.id, new.revision, new.match_id, new.is_listed])? == 0 {
        return Ok(false);
    }
    c.prepare_cached("DELETE FROM gathering_seats WHERE gathering = ?1")?.execute([&new.id])?;
    add_seats(c, new)?;
    Ok(true)
}

impl<D: Database> Gatherings for D {
    fn add_gathering(&self, gathering: &Gathering) -> Result<bool, StoreError> {
        self.write(|c| add_gathering(c, gathering))
    }

    fn gathering(&self, id: &str) -> Result<Option<Gathering>, StoreError> {
        Ok(self.read(|c| gatherings(c, "WHERE id = ?1", [id]))?.into_iter().next())
    }

    fn open_gatherings(&self, most: usize) -> Result<Vec<Gathering>, StoreError> {
        let rest = "WHERE listed AND match_id IS NULL ORDER BY made_at DESC, id LIMIT ?1";
        self.read(|c| gatherings(c, rest, [most as i64]))
    }

    fn gatherings_of(&self, account: AccountId) -> Result<Vec<Gathering>, StoreError> {
        let rest = "WHERE match_id IS NULL AND id IN (SELECT id FROM gatherings WHERE host = ?1 \
                    UNION SELECT gathering FROM gathering_seats WHERE account = ?1 \
                    UNION SELECT gathering FROM gathering_seats WHERE asked = ?1 AND offer = 'named') \
                    ORDER BY made_at DESC, id";
        self.read(|c| gatherings(c, rest, [number(account)]))
    }

    fn gathering_after(&self, match_id: &str) -> Result<Option<Gathering>, StoreError> {
        let rest = "WHERE again = ?1 AND match_id IS NULL ORDER BY made_at DESC, id LIMIT 1";
        Ok(self.read(|c| gatherings(c, rest, [match_id]))?.into_iter().next())
    }

    fn change_gathering(&self, gathering: &Gathering) -> Result<bool, StoreError> {
        self.write(|c| change_gathering(c, gathering))
    }

    fn remove_gathering(&self, id: &str) -> Result<bool, StoreError> {
        self.write(|c| Ok(c.prepare_cached("DELETE FROM gatherings WHERE id = ?1")?.execute([id])? > 0))
    }

    fn forget_gatherings(&self, made_before: u64) -> Result<usize, StoreError> {
        self.write(|c| {
            c.prepare_cached("DELETE FROM gatherings WHERE made_at < ?1")?.execute([to_stored(made_before)])
        })
    }
}
