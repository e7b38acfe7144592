//! Files in Parquet: read again with the crate's reader, cell by cell what CSV has of the same games.

mod tables;

use std::fs::{self, File};
use std::path::Path;

use bots::BotKind;
use kernel::CompleteGame;
use lab::{Batch, Column, Field, Format, Kind, Progress, SCHEMA, Sheets, Shelf, Site, simulate_to_files};
use parquet::basic::{Compression, LogicalType, Type as Physical};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::Field as Cell;
use serde_json::json;
use tables::read_csv;
use testkit::auction::Auction;

const NAMES: [&str; 3] = ["games", "decisions", "draws"];

fn shelf(folder: &Path, format: Format) -> Shelf {
    Shelf { folder: folder.join(format.word()), format }
}

fn open(folder: &Path, name: &str) -> SerializedFileReader<File> {
    let file = File::open(folder.join(format!("parquet/{name}.parquet"))).expect("the file is there");
    SerializedFileReader::new(file).expect("it is Parquet")
}

/// A cell as CSV has it.
fn text(cell: &Cell) -> String {
    match cell {
        Cell::Null => String::new(),
        Cell::Bool(truth) => truth.to_string(),
        Cell::Str(text) => text.clone(),
        Cell::Byte(number) => number.to_string(),
        Cell::UShort(number) => number.to_string(),
        Cell::UInt(number) => number.to_string(),
        Cell::ULong(number) => number.to_string(),
        Cell::Float(number) => number.to_string(),
        Cell::ListInternal(list) => list.elements().iter().map(text).collect::<Vec<_>>().join(" "),
        other => panic!("no column has {other:?}"),
    }
}

/// The rows of a file, the names of the columns among them.
fn read_parquet(folder: &Path, name: &str) -> Vec<Vec<String>> {
    let reader = open(folder, name);
    let fields = reader.metadata().file_metadata().schema().get_fields();
    let names = fields.iter().map(|field| field.name().to_owned()).collect();
    let rows = reader.get_row_iter(None).expect("rows").map(|row| {
        let row = row.expect("a row");
        row.get_column_iter().map(|(_, cell)| text(cell)).collect()
    });
    std::iter::once(names).chain(rows).collect()
}

/// Both forms of the files of a folder, compared; the rows of one of them.
fn compared(folder: &Path) -> [Vec<Vec<String>>; 3] {
    let abouts = Format::ALL.map(|format| {
        fs::read_to_string(shelf(folder, format).folder.join("about.json")).expect("what they are about")
    });
    assert_eq!(abouts[0], abouts[1]);
    NAMES.map(|name| {
        let csv = fs::read_to_string(folder.join(format!("csv/{name}.csv"))).expect("a file");
        let (csv, parquet) = (read_csv(&csv), read_parquet(folder, name));
        assert_eq!(csv.len(), parquet.len(), "{name}");
        for (csv, parquet) in csv.iter().zip(&parquet) {
            assert_eq!(csv, parquet, "{name}");
        }
        csv
    })
}

fn played<G: CompleteGame>(game: &G, folder: &Path, format: Format, threads: usize) {
    let batch = Batch { games: 300, seed: u64::MAX, seats: vec![BotKind::Random, BotKind::Greedy], threads };
    let files = shelf(folder, format);
    simulate_to_files(&Site::in_process(), game, &batch, &files, &Progress::default()).expect("files");
    let left = fs::read_dir(&files.folder).expect("a folder").count();
    assert_eq!(left, NAMES.len() + 1, "nothing else is left");
}

fn bytes(folder: &Path) -> [Vec<u8>; 3] {
    NAMES.map(|name| fs::read(folder.join(format!("parquet/{name}.parquet"))).expect("a file"))
}

#[test]
fn a_batch_is_cell_by_cell_what_csv_has() {
    let options = [("motto".to_owned(), "Größe, \"so\"; π".to_owned())];
    let game = <Auction as kernel::Game>::with_options(&options.into()).expect("any motto will do");
    let [one, other] = [0, 1].map(|_| tempfile::tempdir().expect("a folder"));
    for format in Format::ALL {
        played(&game, one.path(), format, 1);
    }
    let [games, decisions, draws] = compared(one.path());
    assert_eq!(games.len(), 301);
    assert!(decisions.len() > 1_000 && draws.len() > 300, "there is something to compare");
    assert!(games[1].iter().any(|cell| cell.contains("Größe, \"so\"; π")), "{:?}", games[1]);
    played(&game, other.path(), Format::Parquet, 3);
    assert!(bytes(one.path()) == bytes(other.path()), "threads change nothing");
}

#[test]
fn columns_have_their_types_and_files_say_what_they_are_about() {
    let folder = tempfile::tempdir().expect("a folder");
    played(&Auction::for_seats(3), folder.path(), Format::Parquet, 2);
    let unsigned = |bits| Some(LogicalType::integer(bits, false));
    let expected = [
        ("game", Physical::INT64, unsigned(64)),
        ("step", Physical::INT32, unsigned(32)),
        ("turn", Physical::INT32, unsigned(16)),
        ("seat", Physical::BYTE_ARRAY, Some(LogicalType::String)),
        ("rule", Physical::BYTE_ARRAY, Some(LogicalType::String)),
        ("choice", Physical::BYTE_ARRAY, Some(LogicalType::String)),
        ("index", Physical::INT32, unsigned(32)),
        ("open", Physical::INT32, unsigned(32)),
        ("forced", Physical::BOOLEAN, None),
        ("by", Physical::BYTE_ARRAY, Some(LogicalType::String)),
        ("standing", Physical::INT32, Some(LogicalType::integer(8, true))),
    ];
    let decisions = open(folder.path(), "decisions");
    let about = decisions.metadata().file_metadata();
    let columns = about.schema_descr().columns();
    assert_eq!(columns.len(), expected.len());
    for (column, (name, physical, logical)) in columns.iter().zip(expected) {
        assert_eq!((column.name(), column.physical_type()), (name, physical));
        assert_eq!(column.logical_type_ref(), logical.as_ref(), "{name}");
    }
    // Without the version of whatever wrote it.
    assert_eq!(about.created_by(), Some("maproom version 1"));
    let known = about.key_value_metadata().expect("metadata");
    let value = |key: &str| known.iter().find(|entry| entry.key == key).and_then(|entry| entry.value.clone());
    assert_eq!(value("maproom.schema"), Some(SCHEMA.to_string()));
    assert!(value("maproom.spec").is_some_and(|spec| spec.contains("\"seed\":18446744073709551615")));
    assert!(value("maproom.rules").is_some() && value("maproom.build").is_some(), "{known:?}");
    assert_eq!(known.len(), 4, "{known:?}");
    for column in decisions.metadata().row_groups()[0].columns() {
        assert_eq!(column.compression(), Compression::SNAPPY);
        let is_text = column.column_type() == Physical::BYTE_ARRAY;
        assert!(!is_text || column.dictionary_page_offset().is_some(), "{}", column.column_path());
    }
}

const MORE: [Column; 2] =
    [Column::with_gaps("ended_by", Kind::Text), Column::with_gaps("luck", Kind::Fractions)];

/// Rows that no batch has: the largest numbers, gaps, empty lists, texts that need quotes.
fn write(files: &Shelf, draws: u64) -> Result<(), String> {
    let mut sheets = Sheets::new(files, &MORE)?;
    let words = ["Größe".to_owned(), "search:20".to_owned()];
    let [some, none] = [(&words[..], &[1, 0, -1][..]), (&[][..], &[][..])];
    for (number, (words, signs)) in [(u64::MAX, some), (1 << 63, none), (0, some)] {
        let (ended_by, luck) = match number {
            0 => (Field::Nothing, Field::Nothing),
            1.. if words.is_empty() => (Field::Text("clock, then \"flag\"\r\n"), Field::Fractions(&[])),
            _ => (Field::Text("rules"), Field::Fractions(&[0.1, -1.5e-7, 3.0])),
        };
        sheets.game(&[
            Field::Number(number),
            if number == 0 { Field::Nothing } else { Field::Number(number) },
            Field::Text("a,b"),
            Field::text("two\nlines\n"),
            Field::Text("\""),
            Field::Words(words),
            Field::Words(words),
            Field::Nothing,
            Field::Signs(signs),
            Field::Number(u32::MAX.into()),
            Field::Number(0),
            Field::Number(u16::MAX.into()),
            ended_by,
            luck,
        ])?;
    }
    for (index, standing) in [
        (Field::Nothing, Field::Nothing),
        (Field::Number(3), Field::Sign(-1)),
        (Field::Number(0), Field::Sign(1)),
    ] {
        sheets.decision(&[
            Field::Number(0),
            Field::Number(1),
            Field::Number(2),
            Field::Text("axis"),
            Field::Nothing,
            Field::text(""),
            index,
            Field::Number(70_000),
            Field::Truth(standing == Field::Nothing),
            Field::Text("greedy"),
            standing,
        ])?;
    }
    for draw in 0..draws {
        let choice = format!("die {}", draw % 6);
        sheets.draw(&[
            Field::Number(draw / 7),
            Field::Number(draw % 7),
            Field::Number(1),
            Field::Text("a die"),
            Field::Text(&choice),
            Field::Number(36),
            if draw % 3 == 0 { Field::Nothing } else { Field::Number(draw % 36) },
        ])?;
    }
    sheets.finish(&json!({ "schema": SCHEMA, "spec": { "kind": "sim" }, "rules": "7", "build": "1 abc" }))
}

#[test]
fn gaps_lists_and_awkward_texts_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    for format in Format::ALL {
        write(&shelf(folder.path(), format), 10).expect("files");
    }
    let [games, decisions, draws] = compared(folder.path());
    assert_eq!((games.len(), decisions.len(), draws.len()), (4, 4, 11));
    assert_eq!(games[1][0], u64::MAX.to_string());
    assert_eq!(games[1][13..], ["0.1 -0.00000015 3"]);
    assert_eq!(games[2][12..], ["clock, then \"flag\"\r\n", ""]);
    assert_eq!(games[3][3], "two\nlines\n");
    // What looks the same in CSV is not: an empty list, and none.
    let reader = open(folder.path(), "games");
    let luck = reader.get_row_iter(None).expect("rows").map(|row| {
        let row = row.expect("a row");
        row.get_column_iter().last().expect("luck").1.clone()
    });
    let luck: Vec<Option<usize>> = luck
        .map(|cell| match cell {
            Cell::ListInternal(list) => Some(list.len()),
            _ => None,
        })
        .collect();
    assert_eq!(luck, [Some(3), Some(0), None]);
}

#[test]
fn many_rows_are_written_in_groups_and_few_or_none_are_whole_files() {
    let [one, two] = [0, 1].map(|_| tempfile::tempdir().expect("a folder"));
    let group = 1 << 18;
    let groups = |draws: u64| {
        let (one, two) = (one.path().join(draws.to_string()), two.path().join(draws.to_string()));
        for folder in [&one, &two] {
            write(&shelf(folder, Format::Parquet), draws).expect("files");
        }
        assert!(bytes(&one) == bytes(&two), "the same rows are the same bytes");
        let rows = read_parquet(&one, "draws");
        assert_eq!(rows.len() as u64, draws + 1);
        let last = rows.last().expect("the names at least");
        assert!(draws == 0 || last[0] == ((draws - 1) / 7).to_string(), "{last:?}");
        let sizes =
            open(&one, "draws").metadata().row_groups().iter().map(RowGroupMetaData::num_rows).collect();
        let sizes: Vec<i64> = sizes;
        sizes
    };
    assert_eq!(groups(0), [0; 0]);
    assert_eq!(groups(1), [1]);
    assert_eq!(groups(group), [1 << 18]);
    assert_eq!(groups(group + 5), [1 << 18, 5]);
}

#[test]
fn what_does_not_fit_its_column_is_an_error_and_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let draw = |turn, purpose, ticket| {
        let mut sheets = Sheets::new(&shelf(folder.path(), Format::Parquet), &[]).expect("files");
        let row =
            [Field::Number(0), Field::Number(1), turn, purpose, Field::Nothing, Field::Number(6), ticket];
        sheets.draw(&row).expect_err("it does not fit")
    };
    let fine = (Field::Number(1), Field::Text("a die"), Field::Nothing);
    for (why, column) in [
        (draw(Field::Number(65_536), fine.1, fine.2), "turn"),
        (draw(Field::Nothing, fine.1, fine.2), "turn"),
        (draw(fine.0, Field::Number(1), fine.2), "purpose"),
        (draw(fine.0, Field::Words(&["a die".to_owned()]), fine.2), "purpose"),
        (draw(fine.0, fine.1, Field::Number(1 << 32)), "ticket"),
        (draw(fine.0, fine.1, Field::Sign(1)), "ticket"),
    ] {
        assert!(why.ends_with(&format!("does not fit the column {column}")), "{why}");
    }
    assert_eq!(fs::read_dir(folder.path().join("parquet")).expect("a folder").count(), 0);
}
