//! Commas between fields, quotes only around those that need them.

use std::fmt::{self, Display, Write as _};
use std::fs::File;
use std::io::{self, BufWriter, Write as _};

use serde_json::Value;

use super::{Column, Field, New, Sheet};

/// One file.
#[derive(Debug)]
pub(super) struct CsvSheet {
    new: New,
    columns: usize,
    out: BufWriter<File>,
    line: String,
}

impl CsvSheet {
    pub fn boxed((new, file): (New, File), columns: &[Column]) -> Result<Box<dyn Sheet>, String> {
        let out = BufWriter::new(file);
        let mut sheet = Self { new, columns: columns.len(), out, line: String::new() };
        let names: Vec<Field<'_>> = columns.iter().map(|column| Field::Text(column.name)).collect();
        sheet.row(&names)?;
        Ok(Box::new(sheet))
    }
}

impl Sheet for CsvSheet {
    fn row(&mut self, fields: &[Field<'_>]) -> Result<(), String> {
        debug_assert_eq!(self.columns, fields.len(), "{fields:?}");
        self.line.clear();
        for (at, field) in fields.iter().enumerate() {
            if at > 0 {
                self.line.push(',');
            }
            // Writing into a text can't fail.
            let _ = put(&mut self.line, field);
        }
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes()).map_err(|why| self.new.fail(why))
    }

    fn end(self: Box<Self>, _: &Value) -> Result<New, String> {
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error);
        file.and_then(|file| file.sync_all()).map_err(|why| self.new.fail(why))?;
        Ok(self.new)
    }
}

fn put(line: &mut String, field: &Field<'_>) -> fmt::Result {
    match field {
        Field::Nothing => Ok(()),
        Field::Number(number) => write!(line, "{number}"),
        Field::Sign(sign) => write!(line, "{sign}"),
        Field::Truth(truth) => write!(line, "{truth}"),
        Field::Text(text) => quote(line, text),
        Field::Words(words) => quote(line, &words.join(" ")),
        Field::Signs(signs) => spaced(line, signs),
        Field::Fractions(fractions) => spaced(line, fractions),
    }
}

fn quote(line: &mut String, text: &str) -> fmt::Result {
    if text.contains([',', '"', '\n', '\r']) {
        write!(line, "\"{}\"", text.replace('"', "\"\""))
    } else {
        line.write_str(text)
    }
}

fn spaced(line: &mut String, items: &[impl Display]) -> fmt::Result {
    items.iter().enumerate().try_for_each(|(at, item)| {
        let gap = if at > 0 { " " } else { "" };
        write!(line, "{gap}{item}")
    })
}
