//! Reads lesson files: TOML, every mistake with its line, its column and what was expected.

use diagnostics::Problems;
use diagnostics::datafile::{Document, Table, Value as TomlValue, refuse_huge};
use serde_json::Value;

use crate::lesson::{Answer, Fact, Free, Lesson, Meanwhile, Page, Pattern, Task, Then};

/// The most pages of a lesson.
const MOST_PAGES: usize = 200;
/// The words after which a lesson goes on, or doesn't.
const THEN: [&str; 2] = ["go on", "take back"];

impl Lesson {
    /// Reads a lesson. `file` gives the text of a file that an option names.
    pub fn read(
        name: &str,
        text: &str,
        file: impl Fn(&str) -> Option<String>,
    ) -> Result<(Self, Problems), Problems> {
        if let Some(refusal) = refuse_huge(name, text) {
            return Err(refusal);
        }
        let mut problems = Problems::new(name, text);
        let read = Document::parse(text, &mut problems)
            .and_then(|document| read_root(&mut document.root(), &file, &mut problems));
        match read {
            Some(lesson) if !problems.has_errors() => Ok((lesson, problems)),
            _ => Err(problems),
        }
    }
}

fn read_root(
    root: &mut Table<'_>,
    file: &impl Fn(&str) -> Option<String>,
    problems: &mut Problems,
) -> Option<Lesson> {
    if !root.check_format("lesson/1", problems) {
        return None;
    }
    let title = root.text("title", problems);
    let about = root.text("about", problems);
    let minutes = root.integer("minutes", 1..=60_u8, problems);
    let seed = root.integer("seed", 0..=u32::MAX, problems);
    let seat = root.text("seat", problems);
    let others = root.optional("others").and_then(|value| value.text(problems));
    let options = root.optional("options").and_then(|value| value.table(problems));
    let options = options.map(|table| read_options(&table, file, problems)).unwrap_or_default();
    let meanwhile = root.optional("meanwhile").and_then(|value| value.tables(problems)).unwrap_or_default();
    let meanwhile = meanwhile.into_iter().filter_map(|table| read_meanwhile(table, problems)).collect();
    let tables = root.tables("page", problems).unwrap_or_default();
    root.finish(problems);
    if tables.len() > MOST_PAGES {
        problems.error(0..0, "there are too many pages").expected(format!("at most {MOST_PAGES}"));
    }
    let mut pages = Vec::new();
    for (at, table) in tables.into_iter().take(MOST_PAGES).enumerate() {
        problems.set_place(format!("page {}", at + 1));
        pages.extend(read_page(table, problems));
        problems.set_place("");
    }
    if let Some(page) = pages.last().filter(|page| page.task.is_some()) {
        problems
            .error(page.span.clone(), "the lesson ends with a task")
            .expected("a last page that says goodbye");
    }
    Some(Lesson {
        title: title?.as_str().to_owned(),
        about: about?.as_str().to_owned(),
        minutes: minutes?,
        seed: u64::from(seed?),
        seat: seat?.as_str().to_owned(),
        others: others.map(|others| others.as_str().to_owned()),
        options,
        meanwhile,
        pages,
    })
}

/// The options of the match: texts, or `{ file = "name" }` for the text of a file beside the lesson.
fn read_options(
    table: &Table<'_>,
    file: &impl Fn(&str) -> Option<String>,
    problems: &mut Problems,
) -> kernel::Options {
    let mut options = kernel::Options::new();
    for (key, _, value) in table.entries() {
        let read = if value.is_table() {
            value.table(problems).and_then(|mut named| {
                let name = named.text("file", problems)?;
                named.finish(problems);
                let text = file(name.as_str());
                if text.is_none() {
                    let what = format!("there is no file {:?} beside the lesson", name.as_str());
                    problems.error(name.span(), what);
                }
                text
            })
        } else {
            value.text(problems).map(|text| text.as_str().to_owned())
        };
        options.extend(read.map(|text| (key.to_owned(), text)));
    }
    options
}

fn read_meanwhile(mut table: Table<'_>, problems: &mut Problems) -> Option<Meanwhile> {
    let span = table.span();
    let choice = table.text("choice", problems);
    let say = table.text("say", problems);
    table.finish(problems);
    Some(Meanwhile { choice: Pattern::from(&choice?), say: paragraphs(say?.as_str()), span })
}

fn read_page(mut table: Table<'_>, problems: &mut Problems) -> Option<Page> {
    let span = table.span();
    let say = table.text("say", problems);
    let look = table.optional("look").and_then(|value| value.texts(problems)).unwrap_or_default();
    let rule = table.optional("rule").and_then(|value| value.text(problems));
    let expect = read_values(table.optional("expect"), problems);
    let when = table.optional("when");
    let optional = table.optional("optional");
    let choose = table.optional("choose").and_then(|value| value.texts(problems));
    let right = table.optional("right").and_then(|value| value.text(problems));
    let otherwise = table.optional("otherwise").and_then(|value| value.text(problems));
    let free = table.optional("free").and_then(|value| value.integer(1..=20_u16, problems));
    let answers = table.optional("if").and_then(|value| value.tables(problems)).unwrap_or_default();
    let answers: Vec<Answer> = answers.into_iter().filter_map(|one| read_answer(one, problems)).collect();
    table.finish(problems);
    let only_with_choose = [
        ("right", right.is_some()),
        ("otherwise", otherwise.is_some()),
        ("when", when.is_some()),
        ("optional", optional.is_some()),
    ];
    let task = match (choose, free) {
        (Some(_), Some(_)) => {
            problems.error(span.clone(), "a page has either \"choose\" or \"free\", not both");
            None
        }
        (Some(choose), None) if choose.is_empty() => {
            problems.error(span.clone(), "\"choose\" names no choice").expected("at least one");
            None
        }
        (Some(choose), None) => Some(Task::Choose {
            when: read_values(when, problems),
            optional: optional.and_then(|value| value.boolean(problems)).unwrap_or(false),
            good: choose.iter().map(Pattern::from).collect(),
            right: right.map(|text| paragraphs(text.as_str())).unwrap_or_default(),
            answers,
            otherwise: otherwise.map(|text| paragraphs(text.as_str())),
        }),
        (None, free) => {
            for (key, given) in only_with_choose {
                if given {
                    problems.error(span.clone(), format!("\"{key}\" without \"choose\""));
                }
            }
            if free.is_none() && !answers.is_empty() {
                problems.error(span.clone(), "\"if\" without \"choose\" or \"free\"");
            }
            free.map(|turns| Task::Free(Free { turns, remarks: answers }))
        }
    };
    Some(Page { say: paragraphs(say?.as_str()), look, rule, expect, task, span })
}

fn read_answer(mut table: Table<'_>, problems: &mut Problems) -> Option<Answer> {
    let span = table.span();
    let choice = table.text("choice", problems);
    let say = table.text("say", problems);
    let read = |word: &str| match word {
        "go on" => Some(Then::GoOn),
        "take back" => Some(Then::TakeBack),
        _ => None,
    };
    let then = match table.optional("then") {
        Some(value) => value.word(&THEN, read, problems),
        None => Some(Then::TakeBack),
    };
    table.finish(problems);
    Some(Answer { choice: Pattern::from(&choice?), say: paragraphs(say?.as_str()), then: then?, span })
}

/// Values by their place in the view, such as `{ "/vp" = 15 }`.
fn read_values(value: Option<TomlValue<'_>>, problems: &mut Problems) -> Vec<Fact> {
    let Some(table) = value.and_then(|value| value.table(problems)) else { return Vec::new() };
    let mut values = Vec::new();
    for (key, span, value) in table.entries() {
        if !key.starts_with('/') {
            problems
                .error(span, format!("{key:?} is no place in the view"))
                .expected("a path such as \"/vp\"");
            continue;
        }
        let read = if value.is_integer() {
            value.integer(i64::MIN..=i64::MAX, problems).map(Value::from)
        } else if value.is_boolean() {
            value.boolean(problems).map(Value::from)
        } else {
            value.text(problems).map(|text| Value::from(text.as_str()))
        };
        values.extend(read.map(|read| Fact { at: key.to_owned(), value: read, span: value.span() }));
    }
    values
}

/// The text with each paragraph on one line: the line breaks of the file mean nothing, empty lines do.
fn paragraphs(text: &str) -> String {
    let words = |paragraph: &str| paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let all: Vec<String> = text.split("\n\n").map(words).filter(|paragraph| !paragraph.is_empty()).collect();
    all.join("\n\n")
}
