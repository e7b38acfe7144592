//! The columns of the files, and what stands in them.

/// What a column holds. In CSV everything is text; Parquet has types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number from 0, of 16, 32 or 64 bits.
    Number(u8),
    /// The same, and a number is mostly one more than that before it, or the same.
    Count(u8),
    /// 1, 0 or -1.
    Sign,
    /// `true` or `false`.
    Truth,
    /// A text.
    Text,
    /// Words.
    Words,
    /// 1, 0 or -1, several times.
    Signs,
    /// Fractions.
    Fractions,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether a field may be empty.
    pub has_gaps: bool,
}

impl Column {
    /// A column that has something in every row.
    pub const fn new(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, has_gaps: false }
    }

    /// A column that may have nothing in a row.
    pub const fn with_gaps(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, has_gaps: true }
    }
}

/// What a row has in a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Field<'f> {
    /// Nothing.
    Nothing,
    /// A whole number.
    Number(u64),
    /// 1, 0 or -1.
    Sign(i8),
    /// A truth.
    Truth(bool),
    /// A text.
    Text(&'f str),
    /// Words.
    Words(&'f [String]),
    /// 1, 0 or -1 for each seat.
    Signs(&'f [i8]),
    /// Fractions.
    Fractions(&'f [f32]),
}

impl<'f> Field<'f> {
    /// A text; nothing if it is empty, which is the same in CSV.
    pub fn text(text: &'f str) -> Self {
        if text.is_empty() { Self::Nothing } else { Self::Text(text) }
    }
}

/// The names of the files without what they end with, and their columns.
pub(super) const GAMES: (&str, &[Column]) = (
    "games",
    &[
        Column::new("game", Kind::Count(64)),
        Column::with_gaps("seed", Kind::Number(64)),
        Column::new("title", Kind::Text),
        Column::with_gaps("setup", Kind::Text),
        Column::new("rules", Kind::Text),
        Column::new("seats", Kind::Words),
        Column::new("bots", Kind::Words),
        Column::with_gaps("result", Kind::Text),
        Column::new("standings", Kind::Signs),
        Column::new("decisions", Kind::Number(32)),
        Column::new("draws", Kind::Number(32)),
        Column::new("turns", Kind::Number(16)),
    ],
);
pub(super) const DECISIONS: (&str, &[Column]) = (
    "decisions",
    &[
        Column::new("game", Kind::Count(64)),
        Column::new("step", Kind::Count(32)),
        Column::new("turn", Kind::Number(16)),
        Column::new("seat", Kind::Text),
        Column::with_gaps("rule", Kind::Text),
        Column::with_gaps("choice", Kind::Text),
        // In the larger games lists have no fixed bound.
        Column::with_gaps("index", Kind::Number(32)),
        Column::with_gaps("open", Kind::Number(32)),
        Column::new("forced", Kind::Truth),
        Column::new("by", Kind::Text),
        Column::with_gaps("standing", Kind::Sign),
    ],
);
pub(super) const DRAWS: (&str, &[Column]) = (
    "draws",
    &[
        Column::new("game", Kind::Count(64)),
        Column::new("step", Kind::Count(32)),
        Column::new("turn", Kind::Number(16)),
        Column::with_gaps("purpose", Kind::Text),
        Column::with_gaps("choice", Kind::Text),
        Column::new("tickets", Kind::Number(32)),
        Column::with_gaps("ticket", Kind::Number(32)),
    ],
);
