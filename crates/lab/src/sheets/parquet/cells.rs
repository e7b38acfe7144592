//! The cells of a column until there are enough of them for a group.

use std::collections::HashMap;
use std::fs::File;

use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedRowGroupWriter;

use super::is_list;
use crate::sheets::{Column, Field, Kind};

/// The cells of a column that are not written yet.
pub(super) struct Cells {
    column: Column,
    values: Values,
    /// How much of each there is: a gap has 0, and what is in a list has most. Empty in a column without gaps and lists.
    levels: Vec<i16>,
    /// Whether each goes on with the list before.
    goes_on: Vec<i16>,
}

enum Values {
    Truths(Vec<bool>),
    Short(Vec<i32>),
    Long(Vec<i64>),
    Fractions(Vec<f32>),
    /// Each text once, and which stands where.
    Texts {
        known: HashMap<String, u32>,
        texts: Vec<ByteArray>,
        which: Vec<u32>,
    },
}

impl Cells {
    pub fn new(column: Column) -> Self {
        let values = match column.kind {
            Kind::Truth => Values::Truths(Vec::new()),
            Kind::Number(64) | Kind::Count(64) => Values::Long(Vec::new()),
            Kind::Number(_) | Kind::Count(_) | Kind::Sign | Kind::Signs => Values::Short(Vec::new()),
            Kind::Fractions => Values::Fractions(Vec::new()),
            Kind::Text | Kind::Words => {
                Values::Texts { known: HashMap::new(), texts: Vec::new(), which: Vec::new() }
            }
        };
        Self { column, values, levels: Vec::new(), goes_on: Vec::new() }
    }

    /// Adds a field; an error if it is not what the column holds.
    pub fn put(&mut self, field: &Field<'_>) -> Result<(), String> {
        let Self { column, values, levels, goes_on } = self;
        let there = i16::from(column.has_gaps);
        let fits = match field {
            Field::Nothing => {
                levels.push(0);
                if is_list(column.kind) {
                    goes_on.push(0);
                }
                column.has_gaps.then_some(())
            }
            Field::Words(_) | Field::Signs(_) | Field::Fractions(_) => {
                let count = values.put_all(field);
                // An empty list is there, and has nothing in it.
                levels.extend((0..count.unwrap_or(0)).map(|_| there + 1));
                goes_on.extend((0..count.unwrap_or(0)).map(|at| i16::from(at > 0)));
                if count == Some(0) {
                    levels.push(there);
                    goes_on.push(0);
                }
                count.filter(|_| is_list(column.kind)).map(drop)
            }
            field => {
                if column.has_gaps {
                    levels.push(there);
                }
                values.put(column.kind, field)
            }
        };
        fits.ok_or_else(|| format!("{field:?} does not fit the column {}", column.name))
    }

    /// Writes all as the next column of a group, and is empty then.
    pub fn write(&mut self, group: &mut SerializedRowGroupWriter<'_, File>) -> Result<(), ParquetError> {
        let fail = || ParquetError::General(format!("the column {} has another type", self.column.name));
        let mut column = group.next_column()?.ok_or_else(fail)?;
        let levels = (!self.levels.is_empty()).then_some(&self.levels[..]);
        let goes_on = (!self.goes_on.is_empty()).then_some(&self.goes_on[..]);
        match (column.untyped(), &self.values) {
            (ColumnWriter::BoolColumnWriter(out), Values::Truths(values)) => {
                out.write_batch(values, levels, goes_on)?
            }
            (ColumnWriter::Int32ColumnWriter(out), Values::Short(values)) => {
                out.write_batch(values, levels, goes_on)?
            }
            (ColumnWriter::Int64ColumnWriter(out), Values::Long(values)) => {
                out.write_batch(values, levels, goes_on)?
            }
            (ColumnWriter::FloatColumnWriter(out), Values::Fractions(values)) => {
                out.write_batch(values, levels, goes_on)?
            }
            (ColumnWriter::ByteArrayColumnWriter(out), Values::Texts { texts, which, .. }) => {
                let values: Vec<ByteArray> = which.iter().map(|at| texts[*at as usize].clone()).collect();
                out.write_batch(&values, levels, goes_on)?
            }
            _ => return Err(fail()),
        };
        column.close()?;
        self.values.clear();
        self.levels.clear();
        self.goes_on.clear();
        Ok(())
    }
}

impl Values {
    fn put(&mut self, kind: Kind, field: &Field<'_>) -> Option<()> {
        match (self, kind, *field) {
            (Self::Truths(truths), _, Field::Truth(truth)) => truths.push(truth),
            (Self::Long(numbers), _, Field::Number(number)) => numbers.push(number.cast_signed()),
            (Self::Short(numbers), Kind::Number(16) | Kind::Count(16), Field::Number(number)) => {
                numbers.push(u16::try_from(number).ok()?.into());
            }
            (Self::Short(numbers), Kind::Number(_) | Kind::Count(_), Field::Number(number)) => {
                numbers.push(u32::try_from(number).ok()?.cast_signed());
            }
            (Self::Short(numbers), Kind::Sign, Field::Sign(sign)) => numbers.push(sign.into()),
            (texts @ Self::Texts { .. }, Kind::Text, Field::Text(text)) => texts.text(text),
            _ => return None,
        }
        Some(())
    }

    /// Adds what is in a list, and says how much that is.
    fn put_all(&mut self, list: &Field<'_>) -> Option<usize> {
        match (self, *list) {
            (texts @ Self::Texts { .. }, Field::Words(words)) => {
                words.iter().for_each(|word| texts.text(word));
                Some(words.len())
            }
            (Self::Short(numbers), Field::Signs(signs)) => {
                numbers.extend(signs.iter().copied().map(i32::from));
                Some(signs.len())
            }
            (Self::Fractions(all), Field::Fractions(fractions)) => {
                all.extend_from_slice(fractions);
                Some(fractions.len())
            }
            _ => None,
        }
    }

    fn text(&mut self, text: &str) {
        let Self::Texts { known, texts, which } = self else { return };
        // Mostly who chooses is who chose before.
        let again = which.last().copied().filter(|at| texts[*at as usize].data() == text.as_bytes());
        let at = again.or_else(|| known.get(text).copied()).unwrap_or_else(|| {
            let at = texts.len() as u32;
            known.insert(text.to_owned(), at);
            texts.push(ByteArray::from(text));
            at
        });
        which.push(at);
    }

    fn clear(&mut self) {
        match self {
            Self::Truths(values) => values.clear(),
            Self::Short(values) => values.clear(),
            Self::Long(values) => values.clear(),
            Self::Fractions(values) => values.clear(),
            Self::Texts { known, texts, which } => {
                known.clear();
                texts.clear();
                which.clear();
            }
        }
    }
}
