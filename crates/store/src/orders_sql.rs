//! Orders in a database: tables of their own, which a house where nobody gives orders never has.

use crate::sql::{self, Connection, Database, OptionalExtension as _, Row, params};
use crate::{AccountId, OrderBooks, OrderState, StoreError, StoredAnswer, StoredBook, StoredOrder};

/// The setting with the version of these tables; without orders it is missing.
const VERSION: &str = "orders_version";

/// The steps from no tables to today's, numbered from 1. One that has been released is never changed.
pub(crate) const STEPS: &[&str] = &[
    "
CREATE TABLE order_books (
    match_id    TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat        INTEGER NOT NULL,
    account     INTEGER,
    salt        TEXT NOT NULL,
    in_a_row    INTEGER NOT NULL,
    held_at     INTEGER,
    last_number INTEGER NOT NULL,
    runs        INTEGER NOT NULL,
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX order_books_of_accounts ON order_books (account) WHERE account IS NOT NULL;
CREATE INDEX order_books_running ON order_books (match_id, seat) WHERE runs;

CREATE TABLE orders (
    match_id    TEXT NOT NULL,
    seat        INTEGER NOT NULL,
    place       INTEGER NOT NULL,
    number      INTEGER NOT NULL,
    text        TEXT NOT NULL,
    words       TEXT NOT NULL,
    made_at     INTEGER NOT NULL,
    checked     INTEGER NOT NULL,
    answers     INTEGER NOT NULL,
    uses_left   INTEGER,
    state       TEXT NOT NULL,
    why         TEXT NOT NULL,
    PRIMARY KEY (match_id, seat, place),
    UNIQUE (match_id, seat, number),
    FOREIGN KEY (match_id, seat) REFERENCES order_books (match_id, seat) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE order_answers (
    match_id    TEXT NOT NULL,
    seat        INTEGER NOT NULL,
    step        INTEGER NOT NULL,
    words       TEXT NOT NULL,
    PRIMARY KEY (match_id, seat, step),
    FOREIGN KEY (match_id, seat) REFERENCES order_books (match_id, seat) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
",
    "
ALTER TABLE order_books ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
",
];

fn version(c: &Connection<'_>) -> sql::Result<u32> {
    sql::version(c, VERSION)
}

/// Makes the tables that are missing, in the transaction of the caller.
fn prepare(c: &Connection<'_>) -> sql::Result<()> {
    sql::take_steps(c, VERSION, STEPS)
}

/// Removes what an account has written, in the transaction of its erasure.
pub(crate) fn erase(c: &Connection<'_>, account: AccountId) -> sql::Result<()> {
    if version(c)? > 0 {
        c.execute("DELETE FROM order_books WHERE account = ?1", [account.0 as i64])?;
    }
    Ok(())
}

/// Whether a book is the one that was written last.
pub(crate) fn is_current(c: &Connection<'_>, id: &str, seat: u8, book: &StoredBook) -> sql::Result<bool> {
    prepare(c)?;
    let mut known = c.prepare_cached("SELECT version FROM order_books WHERE match_id = ?1 AND seat = ?2")?;
    let known: Option<u32> = known.query_row(params![id, seat], |row| row.get(0)).optional()?;
    Ok(known.unwrap_or(0) == book.version)
}

/// Keeps a book, in the transaction of the caller, and the answer that it gave. Answers to steps that were undone are dropped:
/// the match had `steps` steps before the answer.
pub(crate) fn put(
    c: &Connection<'_>,
    id: &str,
    seat: u8,
    book: &StoredBook,
    answer: Option<&StoredAnswer>,
    steps: Option<u32>,
) -> sql::Result<bool> {
    prepare(c)?;
    if !c.prepare_cached("SELECT 1 FROM matches WHERE id = ?1")?.exists([id])? {
        return Ok(false);
    }
    let mut put = c.prepare_cached(
        "INSERT INTO order_books (match_id, seat, account, salt, in_a_row, held_at, last_number, runs, version) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (match_id, seat) DO UPDATE SET \
         account = ?3, salt = ?4, in_a_row = ?5, held_at = ?6, last_number = ?7, runs = ?8, version = ?9",
    )?;
    let account = book.account.map(|account| account.0 as i64);
    put.execute(params![
        id,
        seat,
        account,
        book.salt,
        book.in_a_row,
        book.held_at,
        book.last_number,
        book.runs(),
        book.version + 1
    ])?;
    c.prepare_cached("DELETE FROM orders WHERE match_id = ?1 AND seat = ?2")?.execute(params![id, seat])?;
    let mut add = c.prepare_cached(
        "INSERT INTO orders (match_id, seat, place, number, text, words, made_at, checked, answers, uses_left, \
         state, why) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    )?;
    for (place, one) in book.orders.iter().enumerate() {
        let StoredOrder { number, text, words, made_at, checked, answers, uses_left, state, why } = one;
        let place = place as i64;
        let state = state.word();
        add.execute(params![
            id, seat, place, number, text, words, made_at, checked, answers, uses_left, state, why
        ])?;
    }
    if let Some(steps) = steps {
        let mut drop =
            c.prepare_cached("DELETE FROM order_answers WHERE match_id = ?1 AND seat = ?2 AND step > ?3")?;
        drop.execute(params![id, seat, steps])?;
    }
    if let Some(StoredAnswer { step, words }) = answer {
        let mut note = c.prepare_cached(
            "INSERT INTO order_answers (match_id, seat, step, words) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT (match_id, seat, step) DO UPDATE SET words = ?4",
        )?;
        note.execute(params![id, seat, step, words])?;
    }
    Ok(true)
}

fn order(row: &Row<'_>) -> sql::Result<StoredOrder> {
    Ok(StoredOrder {
        number: row.get(0)?,
        text: row.get(1)?,
        words: row.get(2)?,
        made_at: row.get(3)?,
        checked: row.get(4)?,
        answers: row.get(5)?,
        uses_left: row.get(6)?,
        state: OrderState::read(row.get_ref(7)?.as_str()?),
        why: row.get(8)?,
    })
}

fn books(c: &Connection<'_>, id: &str) -> sql::Result<Vec<(u8, StoredBook)>> {
    let mut find = c.prepare_cached(
        "SELECT seat, account, salt, in_a_row, held_at, last_number, version FROM order_books WHERE match_id = ?1 \
         ORDER BY seat",
    )?;
    let found = find.query_map([id], |row| {
        let account: Option<i64> = row.get(1)?;
        let book = StoredBook {
            account: account.map(|number| AccountId(number as u64)),
            salt: row.get(2)?,
            in_a_row: row.get(3)?,
            held_at: row.get(4)?,
            last_number: row.get(5)?,
            version: row.get(6)?,
            ..StoredBook::default()
        };
        Ok((row.get::<u8>(0)?, book))
    })?;
    let mut books = found.collect::<sql::Result<Vec<_>>>()?;
    let mut orders = c.prepare_cached(
        "SELECT number, text, words, made_at, checked, answers, uses_left, state, why FROM orders \
         WHERE match_id = ?1 AND seat = ?2 ORDER BY place",
    )?;
    for (seat, book) in &mut books {
        book.orders = orders.query_map(params![id, *seat], order)?.collect::<sql::Result<_>>()?;
    }
    Ok(books)
}

/// Reads what orders have, or gives the default where there are none. A newer Maproom's tables are refused.
fn read_orders<T: Default>(
    database: &impl Database,
    read: impl Fn(&Connection<'_>) -> sql::Result<T>,
) -> Result<T, StoreError> {
    let known = STEPS.len() as u32;
    let found = database.read(|c| match version(c)? {
        0 => Ok(Ok(T::default())),
        found if found > known => Ok(Err(found)),
        _ => read(c).map(Ok),
    })?;
    found.map_err(|found| database.newer(found, known))
}

impl<D: Database> OrderBooks for D {
    fn prepare_orders(&self) -> Result<(), StoreError> {
        // Nothing but the check that the tables are not a newer Maproom's.
        read_orders(self, |_| Ok(()))?;
        self.migrate(prepare)
    }

    fn has_orders(&self) -> Result<bool, StoreError> {
        read_orders(self, |_| Ok(true))
    }

    fn books(&self, match_id: &str) -> Result<Vec<(u8, StoredBook)>, StoreError> {
        read_orders(self, |c| books(c, match_id))
    }

    fn put_book(&self, match_id: &str, seat: u8, book: &StoredBook) -> Result<bool, StoreError> {
        self.write(|c| {
            prepare(c)?;
            // An entry that is just being written may bring a book along: it goes first, or comes after this.
            c.execute("UPDATE progress SET revision = revision WHERE match_id = ?1", [match_id])?;
            Ok(is_current(c, match_id, seat, book)? && put(c, match_id, seat, book, None, None)?)
        })
    }

    fn forget_book(&self, match_id: &str, seat: u8) -> Result<bool, StoreError> {
        if !self.has_orders()? {
            return Ok(false);
        }
        self.write(|c| {
            let mut forget = c.prepare_cached("DELETE FROM order_books WHERE match_id = ?1 AND seat = ?2")?;
            Ok(forget.execute(params![match_id, seat])? > 0)
        })
    }

    fn answers(&self, match_id: &str) -> Result<Vec<(u8, StoredAnswer)>, StoreError> {
        read_orders(self, |c| {
            let mut answers = c.prepare_cached(
                "SELECT step, words, seat FROM order_answers WHERE match_id = ?1 ORDER BY step, seat",
            )?;
            let answer =
                |row: &Row<'_>| Ok((row.get(2)?, StoredAnswer { step: row.get(0)?, words: row.get(1)? }));
            answers.query_map([match_id], answer)?.collect()
        })
    }

    fn awaiting_orders(&self) -> Result<Vec<String>, StoreError> {
        read_orders(self, |c| {
            let mut found = c.prepare_cached(
                "SELECT b.match_id FROM order_books b JOIN progress p ON p.match_id = b.match_id \
                 JOIN matches m ON m.id = b.match_id WHERE b.runs AND p.mover = b.seat AND p.result IS NULL \
                 AND m.deleted_at IS NULL ORDER BY b.match_id",
            )?;
            found.query_map([], |row| row.get(0))?.collect()
        })
    }
}
