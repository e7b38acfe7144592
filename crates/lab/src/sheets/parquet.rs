//! Parquet: columns with types, texts as dictionaries, compressed with Snappy.
//!
//! It is written with the lower half of the crate, without Arrow, which would be more crates for the same bytes. There is no time
//! in a file and nothing of the machine, so that the same rows give the same bytes. A group of rows is in the memory at a time.

mod cells;

use std::fmt;
use std::fs::File;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type, TypePtr};
use serde_json::Value;

use super::{Column, Field, Kind, New, SCHEMA, Sheet};
use cells::Cells;

/// The rows of a group.
pub(super) const GROUP: usize = 1 << 18;

/// One file.
pub(super) struct ParquetSheet {
    new: New,
    columns: Vec<Cells>,
    rows: usize,
    out: SerializedFileWriter<File>,
}

impl fmt::Debug for ParquetSheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetSheet")
            .field("new", &self.new)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

impl ParquetSheet {
    pub fn boxed((new, file): (New, File), columns: &[Column]) -> Result<Box<dyn Sheet>, String> {
        let out = open(file, columns).map_err(|why| new.fail(why))?;
        let columns = columns.iter().copied().map(Cells::new).collect();
        Ok(Box::new(Self { new, columns, rows: 0, out }))
    }

    /// Writes what has gathered as a group.
    fn write(&mut self) -> Result<(), String> {
        let mut write = || {
            let mut group = self.out.next_row_group()?;
            self.columns.iter_mut().try_for_each(|cells| cells.write(&mut group))?;
            group.close()
        };
        write().map(drop).map_err(|why| self.new.fail(why))
    }
}

impl Sheet for ParquetSheet {
    fn row(&mut self, fields: &[Field<'_>]) -> Result<(), String> {
        debug_assert_eq!(self.columns.len(), fields.len(), "{fields:?}");
        for (cells, field) in self.columns.iter_mut().zip(fields) {
            cells.put(field).map_err(|why| self.new.fail(why))?;
        }
        self.rows += 1;
        if self.rows.is_multiple_of(GROUP) { self.write() } else { Ok(()) }
    }

    fn end(mut self: Box<Self>, about: &Value) -> Result<New, String> {
        if !self.rows.is_multiple_of(GROUP) {
            self.write()?;
        }
        let Self { new, mut out, .. } = *self;
        for (key, value) in about.as_object().into_iter().flatten() {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            out.append_key_value_metadata(KeyValue::new(format!("maproom.{key}"), text));
        }
        let file = out.into_inner().map_err(|why| new.fail(why))?;
        file.sync_all().map_err(|why| new.fail(why))?;
        Ok(new)
    }
}

fn open(file: File, columns: &[Column]) -> Result<SerializedFileWriter<File>, ParquetError> {
    let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
    let schema = Type::group_type_builder("schema").with_fields(fields).build()?;
    let properties = WriterProperties::builder()
        // The crate would write its own version, and readers want one of this form.
        .set_created_by(format!("maproom version {SCHEMA}"))
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk);
    let properties = columns.iter().fold(properties, encoded);
    SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties.build()))
}

/// Numbers that rise one by one are written as differences; everything else as dictionaries.
fn encoded(properties: WriterPropertiesBuilder, column: &Column) -> WriterPropertiesBuilder {
    let Kind::Count(_) = column.kind else { return properties };
    let path = ColumnPath::from(column.name);
    properties
        .set_column_dictionary_enabled(path.clone(), false)
        .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED)
}

/// A column in the schema.
fn field(column: &Column) -> Result<TypePtr, ParquetError> {
    let repetition = if column.has_gaps { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let single = |name: &str, repetition| {
        let (physical, logical) = match column.kind {
            Kind::Truth => (Physical::BOOLEAN, None),
            Kind::Text | Kind::Words => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Sign | Kind::Signs => (Physical::INT32, Some(LogicalType::integer(8, true))),
            Kind::Fractions => (Physical::FLOAT, None),
            Kind::Number(64) | Kind::Count(64) => (Physical::INT64, Some(LogicalType::integer(64, false))),
            Kind::Number(bits) | Kind::Count(bits) => {
                (Physical::INT32, Some(LogicalType::integer(bits.cast_signed(), false)))
            }
        };
        let builder = Type::primitive_type_builder(name, physical);
        builder.with_repetition(repetition).with_logical_type(logical).build().map(Arc::new)
    };
    if !is_list(column.kind) {
        return single(column.name, repetition);
    }
    let list = Type::group_type_builder("list").with_repetition(Repetition::REPEATED);
    let list = list.with_fields(vec![single("element", Repetition::REQUIRED)?]).build()?;
    let whole = Type::group_type_builder(column.name).with_repetition(repetition);
    whole.with_logical_type(Some(LogicalType::List)).with_fields(vec![Arc::new(list)]).build().map(Arc::new)
}

fn is_list(kind: Kind) -> bool {
    matches!(kind, Kind::Words | Kind::Signs | Kind::Fractions)
}
