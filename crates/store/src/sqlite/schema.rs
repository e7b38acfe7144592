//! The tables, and how older ones become newer ones.

use rusqlite::{Connection, TransactionBehavior, ffi};

/// Marks a file as Maproom's: "MapR".
pub(super) const APPLICATION_ID: u32 = 0x4d61_7052;

/// The steps from an empty database to today's. Step n makes version n out of n - 1. A step that has
/// been released is never changed: a new one is added.
pub const STEPS: &[&str] = &[VERSION_1, VERSION_2, VERSION_3, VERSION_4, VERSION_5];

/// The version that all steps lead to.
pub(super) const KNOWN: u32 = STEPS.len() as u32;

/// `progress` is apart from `matches` because it changes with every entry: SQLite rewrites a row
/// whole, and a header can be large. `matches.header` comes last so that lists need not read past it.
const VERSION_1: &str = "
CREATE TABLE matches (
    id           TEXT NOT NULL PRIMARY KEY,
    game         TEXT NOT NULL,
    name         TEXT NOT NULL,
    setup        TEXT NOT NULL,
    viewer_token TEXT NOT NULL,
    origin_match TEXT,
    origin_step  INTEGER,
    created_at   INTEGER NOT NULL,
    deleted_at   INTEGER,
    options      TEXT NOT NULL,
    header       TEXT NOT NULL,
    CHECK ((origin_match IS NULL) = (origin_step IS NULL))
) STRICT;

CREATE TABLE progress (
    match_id     TEXT NOT NULL PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE,
    revision     INTEGER NOT NULL,
    changed_at   INTEGER NOT NULL,
    steps        INTEGER NOT NULL,
    turn         TEXT NOT NULL,
    last_event   TEXT NOT NULL,
    to_move      TEXT NOT NULL,
    result       TEXT,
    result_title TEXT NOT NULL,
    standings    TEXT NOT NULL,
    finished_at  INTEGER,
    CHECK ((result IS NULL) = (finished_at IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE seats (
    match_id     TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat         INTEGER NOT NULL,
    word         TEXT NOT NULL,
    token        TEXT NOT NULL,
    player       TEXT NOT NULL,
    claimed_at   INTEGER,
    seen         INTEGER NOT NULL,
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;

-- Either steps, or where an undo leads to.
CREATE TABLE journal (
    match_id     TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seq          INTEGER NOT NULL CHECK (seq > 0),
    at           INTEGER NOT NULL,
    steps        TEXT,
    undo_to      INTEGER,
    undo_crossed INTEGER,
    PRIMARY KEY (match_id, seq),
    CHECK ((steps IS NULL) = (undo_to IS NOT NULL) AND (undo_to IS NULL) = (undo_crossed IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
    key          TEXT NOT NULL PRIMARY KEY,
    value        TEXT NOT NULL
) STRICT, WITHOUT ROWID;
";

/// How fast bots play. It is stored with the progress, because it changes while the match is played.
const VERSION_2: &str = "
ALTER TABLE progress ADD COLUMN pace TEXT NOT NULL DEFAULT '';
";

/// Lessons; and what the lobby needs to show its matches page by page, those first in which it is the owner's turn.
const VERSION_3: &str = "
ALTER TABLE progress ADD COLUMN lesson TEXT NOT NULL DEFAULT '';
ALTER TABLE progress ADD COLUMN owner_to_move INTEGER NOT NULL DEFAULT 0;
UPDATE progress SET owner_to_move = 1 WHERE result IS NULL AND (
    to_move LIKE '%, that is you'
    OR (to_move NOT IN ('', 'dice')
        AND (SELECT count(*) FROM seats WHERE match_id = progress.match_id) = 1
        AND EXISTS (SELECT 1 FROM seats WHERE match_id = progress.match_id AND player = 'owner')));
CREATE INDEX progress_shelves ON progress ((result IS NOT NULL), owner_to_move DESC, changed_at DESC, match_id);
CREATE INDEX matches_in_bin ON matches (deleted_at) WHERE deleted_at IS NOT NULL;
";

/// Play between persons apart: entries beside choices, and what follows from entries. The journal is made anew because of its
/// condition.
const VERSION_4: &str = "
CREATE TABLE journal_4 (
    match_id     TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seq          INTEGER NOT NULL CHECK (seq > 0),
    at           INTEGER NOT NULL,
    steps        TEXT,
    undo_to      INTEGER,
    undo_crossed INTEGER,
    event        TEXT,
    account      INTEGER,
    request      TEXT,
    awaits       INTEGER,
    turn         INTEGER,
    PRIMARY KEY (match_id, seq),
    CHECK ((steps IS NOT NULL) + (undo_to IS NOT NULL) + (event IS NOT NULL) = 1
           AND (undo_to IS NULL) = (undo_crossed IS NULL) AND (awaits IS NULL) = (turn IS NULL))
) STRICT, WITHOUT ROWID;
INSERT INTO journal_4 (match_id, seq, at, steps, undo_to, undo_crossed)
    SELECT match_id, seq, at, steps, undo_to, undo_crossed FROM journal;
DROP TABLE journal;
ALTER TABLE journal_4 RENAME TO journal;
CREATE UNIQUE INDEX journal_requests ON journal (match_id, request) WHERE request IS NOT NULL;

CREATE TABLE deadlines (
    match_id     TEXT NOT NULL PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE,
    seat         INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    revision     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX deadlines_by_time ON deadlines (at, match_id);

CREATE TABLE notices (
    account      INTEGER NOT NULL,
    match        TEXT NOT NULL,
    seat         INTEGER NOT NULL,
    stint        INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    due_at       INTEGER NOT NULL,
    state        TEXT NOT NULL DEFAULT 'waiting',
    tries        INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account, match, seat, stint, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX notices_of_match ON notices (match, seat, stint);
CREATE INDEX notices_due ON notices (due_at) WHERE state = 'waiting';

-- Ratings outlast the matches that they come from.
CREATE TABLE rating_log (
    number       INTEGER PRIMARY KEY,
    match        TEXT NOT NULL,
    game         TEXT NOT NULL,
    account      INTEGER NOT NULL,
    standing     TEXT NOT NULL,
    at           INTEGER NOT NULL,
    UNIQUE (match, account)
) STRICT;

CREATE TABLE outages (
    began        INTEGER NOT NULL,
    ended        INTEGER NOT NULL,
    PRIMARY KEY (began, ended),
    CHECK (began <= ended)
) STRICT, WITHOUT ROWID;
";

/// Which seat is to move, so that a list says whose turn it is without a replay. Unknown until the match changes again.
const VERSION_5: &str = "
ALTER TABLE progress ADD COLUMN mover INTEGER;
";

/// The version of a database; 0 before its first step.
pub(super) fn version(database: &Connection) -> rusqlite::Result<u32> {
    database.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Takes the steps that a database has not seen, each in a transaction of its own together with its
/// number: a crash in between leaves the version before or after, never a mixture.
pub(super) fn migrate(database: &mut Connection, steps: &[&str]) -> rusqlite::Result<()> {
    let done = version(database)? as usize;
    if done >= steps.len() {
        return Ok(());
    }
    // To change a table in SQLite is to copy it and drop the old one, which with foreign keys on would
    // delete everything that refers to it. So they are off meanwhile, and checked before each commit.
    database.pragma_update(None, "foreign_keys", false)?;
    let result = (done..steps.len()).try_for_each(|step| take(database, step + 1, steps[step]));
    database.pragma_update(None, "foreign_keys", true)?;
    result
}

fn take(database: &mut Connection, number: usize, step: &str) -> rusqlite::Result<()> {
    let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(step)?;
    if transaction.prepare("PRAGMA foreign_key_check")?.exists([])? {
        let why =
            format!("step {number} of bringing the database up to date would lose rows: nothing was changed");
        return Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_ERROR), Some(why)));
    }
    transaction.pragma_update(None, "user_version", number as i64)?;
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "CREATE TABLE parent (id TEXT NOT NULL PRIMARY KEY) STRICT;
        CREATE TABLE child (parent TEXT NOT NULL REFERENCES parent (id) ON DELETE CASCADE) STRICT;";
    const TWO: &str = "CREATE TABLE newer (id TEXT NOT NULL PRIMARY KEY, size INTEGER NOT NULL) STRICT;
        INSERT INTO newer SELECT id, 7 FROM parent;
        DROP TABLE parent;
        ALTER TABLE newer RENAME TO parent;";

    fn database() -> Connection {
        let mut database = Connection::open_in_memory().unwrap();
        database.pragma_update(None, "foreign_keys", true).unwrap();
        migrate(&mut database, &[ONE]).unwrap();
        database.execute_batch("INSERT INTO parent VALUES ('a'); INSERT INTO child VALUES ('a')").unwrap();
        database
    }

    fn count(database: &Connection, sql: &str) -> i64 {
        database.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn an_older_database_keeps_its_rows_when_a_table_is_remade() {
        let mut database = database();
        assert_eq!(version(&database).unwrap(), 1);
        migrate(&mut database, &[ONE, TWO]).unwrap();
        assert_eq!(version(&database).unwrap(), 2);
        assert_eq!(count(&database, "SELECT sum(size) FROM parent"), 7);
        assert_eq!(count(&database, "SELECT count(*) FROM child"), 1);
        // Foreign keys are on again.
        assert!(database.execute("INSERT INTO child VALUES ('nobody')", []).is_err());
        // And nothing is done twice.
        migrate(&mut database, &[ONE, TWO]).unwrap();
    }

    #[test]
    fn a_step_that_fails_leaves_the_version_before_it() {
        for bad in ["CREATE TABLE extra (a) ; SELECT nonsense", "DELETE FROM parent", "DROP TABLE parent"] {
            let mut database = database();
            assert!(migrate(&mut database, &[ONE, bad, TWO]).is_err(), "{bad}");
            assert_eq!(version(&database).unwrap(), 1);
            assert_eq!(count(&database, "SELECT count(*) FROM parent"), 1);
            assert_eq!(count(&database, "SELECT count(*) FROM sqlite_schema WHERE name = 'extra'"), 0);
            migrate(&mut database, &[ONE, TWO]).unwrap();
        }
    }

    /// A step that changes after its release makes databases of one version differ: to change the
    /// tables, add a step and its sum here.
    #[test]
    fn released_steps_are_as_they_were() {
        // FNV-1a, enough to notice a change.
        let sum = |step: &&str| {
            step.bytes().fold(0xcbf2_9ce4_8422_2325, |sum: u64, byte| {
                (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            })
        };
        let sums: Vec<_> = STEPS.iter().map(sum).collect();
        assert_eq!(
            sums,
            [
                4_133_605_180_372_276_110,
                2_169_954_478_671_687_505,
                15_741_594_155_243_791_923,
                4_171_695_461_515_081_900,
                13_740_872_392_730_030_711,
            ]
        );
    }
}
