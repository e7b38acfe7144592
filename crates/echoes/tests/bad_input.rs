//! Whatever is typed: no panic, bounded time, and an error that names the file and the line.

mod mutation;
mod reports;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use echoes::book::Book;
use echoes::book_reader::{Edition, source_of};
use echoes::box_language::parse_alone;
use echoes::examples;
use echoes::ids::Side;
use echoes::spreads::{self, Spreads};
use kernel::source::Problems;
use mutation::{Random, mutate};
use reports::check_report;

const SPACES: [u8; 6] = [5, 5, 5, 3, 5, 5];
const NAME: &str = "typed.txt";

/// Reads thousands of mutations of a text; at least some must be refused and some be fine.
fn storm<T>(
    seed: u64,
    rounds: usize,
    texts: &[&str],
    read: impl Fn(&str) -> Result<(T, Problems), Problems>,
) {
    let mut random = Random(seed);
    let mut refused = 0;
    for _ in 0..rounds {
        let mut bytes = random.pick(texts).as_bytes().to_vec();
        for _ in 0..1 + random.below(4) {
            mutate(&mut bytes, &mut random);
        }
        let text = String::from_utf8_lossy(&bytes);
        match read(&text) {
            Ok((_, problems)) => assert!(!problems.has_errors(), "accepted with an error:\n{problems}"),
            Err(problems) => {
                refused += 1;
                check_report(&problems, &text);
            }
        }
    }
    assert!(refused > rounds / 4 && refused < rounds, "{refused} of {rounds} refused");
}

fn box_texts() -> Vec<&'static str> {
    let books = Edition::ALL.map(Book::builtin);
    books
        .into_iter()
        .flat_map(|book| &book.tables)
        .flat_map(|table| &table.boxes)
        .map(|data| data.text.as_str())
        .collect()
}

fn read_box(text: &str) -> Result<(echoes::box_language::BoxText, Problems), Problems> {
    parse_alone(text, Side::Allies, &["Barbarossa", "Overlord"], SPACES)
}

#[test]
fn mutated_books() {
    storm(0x9E37_79B9, 10_000, &[source_of(Edition::Allied), source_of(Edition::Axis)], |text| {
        Book::parse(NAME, text)
    });
}

#[test]
fn mutated_plain_books() {
    let mut plain = String::from("title: Typed\nedition: allied\n");
    for (table, data) in (1..).zip(&Book::builtin(Edition::Allied).tables) {
        for (number, data) in (1..).zip(&data.boxes) {
            write!(plain, "{table}.{number} {}\n# a note\n{}\n", data.title, data.text).unwrap();
        }
    }
    storm(0xC0FF_EE11, 10_000, &[&plain], |text| Book::parse(NAME, text));
}

#[test]
fn mutated_spreads() {
    // Single spreads are quicker to read than the whole file, and each has its own keys.
    let (head, rest) = spreads::SOURCE.split_once("[[spread]]").unwrap();
    let files: Vec<String> =
        rest.split("[[spread]]\n").map(|one| format!("{head}[[spread]]\n{one}")).collect();
    let mut files: Vec<&str> = files.iter().map(String::as_str).collect();
    storm(0x1234_5678, 9_700, &files, |text| Spreads::parse(NAME, text));
    files = vec![spreads::SOURCE];
    storm(0x8765_4321, 300, &files, |text| Spreads::parse(NAME, text));
}

#[test]
fn mutated_examples() {
    let blocks: Vec<&str> = examples::SOURCE.split("[[example]]\n").collect();
    let files: Vec<String> = blocks[1..]
        .chunks(8)
        .map(|chunk| format!("{}[[example]]\n{}", blocks[0], chunk.join("[[example]]\n")))
        .collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    storm(0xABCD_EF01, 9_700, &files, |text| examples::parse(NAME, text));
    storm(0x10FE_DCBA, 300, &[examples::SOURCE], |text| examples::parse(NAME, text));
}

#[test]
fn mutated_box_texts() {
    storm(0x0DDB_A115, 40_000, &box_texts(), read_box);
}

#[test]
fn shuffled_box_texts() {
    let mut random = Random(0x5EED);
    let texts = box_texts();
    let extra = "If event \"Overlord\" not done and WF at 3 or more : ( Choose ; or ) then else +1 TOW x2 at -1 any capital Axis hold";
    let known: Vec<&str> =
        texts.iter().flat_map(|text| text.split_whitespace()).chain(extra.split(' ')).collect();
    for _ in 0..40_000 {
        let mut words: Vec<&str> = random.pick(&texts).split_whitespace().collect();
        for _ in 0..1 + random.below(8) {
            let (one, two) = (random.below(words.len()), random.below(words.len()));
            match random.below(3) {
                0 => words.swap(one, two),
                1 => words.insert(one, random.pick(&known)),
                _ => words[one] = random.pick(&known),
            }
        }
        let text = words.join(" ");
        if let Err(problems) = read_box(&text) {
            check_report(&problems, &text);
        }
    }
}

/// Reads a text that is meant to take forever or to overflow the stack.
#[track_caller]
fn bomb<T>(text: &str, read: impl Fn(&str) -> Result<(T, Problems), Problems>) {
    let start = Instant::now();
    if let Err(problems) = read(text) {
        assert!(problems.has_errors() && problems.to_string().len() < 100_000);
    }
    let time = start.elapsed();
    assert!(time < Duration::from_secs(60), "{time:?} for {:?}…", text.chars().take(40).collect::<String>());
}

#[test]
fn box_bombs() {
    for piece in [
        "(",
        "If EMT even: ",
        "In 1941: ",
        "Roll 1d6: 1 ",
        "Choose: ",
        "Choose: none; or ",
        "ADV 20 on WF x9, ",
        "(.",
        "Attack WF and ",
        "; else ",
        "Axis: ",
        "Event 1941: ",
        "Alternate: ",
        "\"",
        "“",
        "999999999999",
        "If event \"a",
        "Allies first. ",
        "+1 EMT, ",
        "x",
        "@ ",
        "Roll 1d6: 1 (",
        ") (",
        "then ",
        ". ",
        "𝕏",
    ] {
        for count in [30, 200, 3_900 / piece.chars().count(), 100_000] {
            bomb(&format!("Allies: {}", piece.repeat(count)), read_box);
        }
    }
    bomb(&"Allies: None. ".repeat(1_000_000), read_box);
    // In the middle of a book the same texts must not do more harm.
    for piece in ["(", "If EMT even: ", "Axis: Attack WF x9, "] {
        let book = source_of(Edition::Allied).replacen(
            "Axis: +1 USA.",
            &format!("Axis: {}", piece.repeat(2_000)),
            1,
        );
        bomb(&book, |text| Book::parse(NAME, text));
    }
}

#[test]
fn file_bombs() {
    const NEARLY: usize = (1 << 20) - 200;
    let fill =
        |head: &str, piece: &str| format!("{head}{}", piece.repeat((NEARLY - head.len()) / piece.len()));
    let book = "format = \"echoes-book/1\"\n";
    let spread = "format = \"echoes-spreads/1\"\n[[spread]]\nn = 1\ntitle = \"a\"\nblurb = \"b\"\n";
    let example = "format = \"echoes-examples/1\"\n";
    let mut texts = vec![
        "x".repeat(10 << 20),
        "[".repeat(NEARLY),
        fill("a = ", "["),
        fill("", "a."),
        fill("", "[[a]]\n"),
    ];
    texts.push(fill("", "1.1 Again\nAxis: Assault WF.\n"));
    texts.push(fill("title: x\n", "y\n"));
    texts.push(fill("1.1 X\n", "Axis: "));
    for (head, pieces) in [
        (
            book,
            &[
                "[[region]]\n",
                "[[table]]\n[[table.box]]\n",
                "[drm.EMT]\n",
                "a=",
                "\"",
                "[[victory.band]]\nmin=1\n",
            ][..],
        ),
        (
            spread,
            &[
                "[[spread.box]]\n",
                "[[spread]]\n",
                "start.x = 1\n",
                "'",
                "[[spread]]\nn=1\ntitle=\"a\"\nblurb=\"b\"\n",
            ][..],
        ),
        (example, &["[[example]]\n", "[[example]]\nid=\"1\"\nkind=\"turn\"\ndice=[9]\n", "# \n= "][..]),
        ("format = \"echoes-book/1\"\ngold = [", &["99,", "\"x\",", "{},"][..]),
        ("format = \"echoes-spreads/1\"\n[[spread]]\nn = 1\ndone = [", &["\"x\","][..]),
        ("format = \"echoes-examples/1\"\n[[example]]\ndice = [", &["7,"][..]),
    ] {
        texts.extend(pieces.iter().map(|piece| fill(head, piece)));
    }
    let mut keys = String::from("format = \"echoes-book/1\"\n");
    for number in 0..90_000 {
        writeln!(keys, "k{number} = 1").unwrap();
    }
    texts.push(keys.clone());
    texts.push(keys.replace("book", "examples"));
    for text in &texts {
        bomb(text, |text| Book::parse(NAME, text));
        bomb(text, |text| Spreads::parse(NAME, text));
        bomb(text, |text| examples::parse(NAME, text));
    }
}

#[test]
fn what_comes_with_the_game_is_without_any_problem() {
    for edition in Edition::ALL {
        let book = Book::builtin(edition);
        let titles = book.titles();
        for data in book.tables.iter().flat_map(|table| &table.boxes) {
            match parse_alone(&data.text, book.human, &titles, book.region_max()) {
                Ok((_, problems)) if problems.is_empty() => {}
                Ok((_, problems)) | Err(problems) => panic!("{}\n{problems}", data.title),
            }
        }
        for spread in Spreads::builtin().list() {
            match book.with_spread(spread) {
                Ok((_, problems)) if problems.is_empty() => {}
                Ok((_, problems)) | Err(problems) => panic!("{problems}"),
            }
        }
    }
    assert_eq!((box_texts().len(), Spreads::builtin().list().len()), (48, 24));
    assert!(examples::parse(NAME, examples::SOURCE).is_ok_and(|(_, problems)| problems.is_empty()));
}
