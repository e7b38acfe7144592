//! The editor of a text: a table, a scenario or a book beside its mistakes, and a button that measures what it changes.

use diagnostics::{FileCheck, Problems, Severity};
use kernel::Options;
use lab::{OptionValue, TextKind};
use maud::{Markup, html};

use super::fields::{numbers, seats, text_field};
use super::framed;
use crate::prefs::Prefs;
use crate::title::Title;

/// The page; `None` if the game takes no such text, or none comes with it to measure against.
pub fn page(prefs: Prefs, title: &dyn Title, kind: &str, of: &str) -> Option<Markup> {
    let subject = title.subject();
    let kinds = subject.texts();
    let kind = kinds.iter().find(|known| known.key == kind)?;
    let (name, text) = kind.built_in.iter().find(|(name, _)| *name == of).or(kind.built_in.first())?;
    let options = Options::from([(kind.key.to_owned(), (*text).to_owned())]);
    let seats = seats(&*subject, &options, None).ok()?;
    let others = subject
        .option_help()
        .iter()
        .filter(|(key, _)| *key != kind.key && subject.option_value(key) == OptionValue::Word);
    let main = html! {
        main.lab.edit {
            form.order method="post" action="/lab/batches" data-game=(title.id()) {
                input type="hidden" name="game" value=(title.id());
                input type="hidden" name="measure" value=(kind.key);
                input type="hidden" name="of" value=(name);
                (start(title, kind, name))
                section.card.broad aria-label="Text" { (text_field(title, kind, "", text)) }
                section.card.broad.measure aria-labelledby="measure-title" {
                    h2 #measure-title { "Measure it against the original" }
                    (seats)
                    (numbers(None))
                    details {
                        summary { "Options of both ways" }
                        div.options {
                            @for (key, about) in others {
                                div.line {
                                    label for={"option-" (key)} { (key) }
                                    input id={"option-" (key)} name={"option." (key)} maxlength="200" autocomplete="off" aria-describedby={"about-" (key)};
                                    small id={"about-" (key)} { (about) }
                                }
                            }
                        }
                    }
                    p.buttons { button.go type="submit" { "Measure" } }
                    p.trouble role="alert" hidden {}
                }
            }
        }
    };
    Some(framed(prefs, &format!("{}: {}", title.name(), kind.key), &main))
}

/// What the text is begun from.
fn start(title: &dyn Title, kind: &TextKind, name: &str) -> Markup {
    html! {
        section.card.broad.start {
            div.line {
                label for="original" { "Begin from" }
                select #original data-original={"/lab/edit/" (title.id()) "/" (kind.key)} {
                    @for (known, _) in &kind.built_in { option value=(known) selected[known == &name] { (known) } }
                }
            }
            button type="button" data-act="original" { "Back to the original" }
            p.aside { "Change something, and the page says at once whether the game can read it. Then have it measured: both texts are played with the same dice." }
        }
    }
}

/// What was found in a text, beside it.
pub fn checked(result: &Result<FileCheck, Problems>) -> Markup {
    html! {
        @match result {
            Err(problems) => {
                @let count = problems.error_count();
                p.verdict.bad { (count) @if count == 1 { " mistake" } @else { " mistakes" } }
                ol.problems { @for problem in problems.list() {
                    @let at = problems.position(problem.span.start);
                    li.(if problem.severity == Severity::Error { "error" } else { "warning" }) {
                        button type="button" data-line=(at.line) data-column=(at.column) { "Line " (at.line) ", column " (at.column) }
                        @if !problem.place.is_empty() { " " small { (problem.place) } }
                        p { (problem.what) }
                        pre tabindex="0" { (problems.drawn(problem)) }
                        @if let Some(hint) = &problem.hint { p.hint { "Hint: " (hint) } }
                    }
                } }
            }
            Ok(check) => {
                @if check.failures.is_empty() { p.verdict.good { "No mistake" } }
                @else { p.verdict.bad { (check.failures.len()) " failed" } }
                @for failure in &check.failures { p { (failure) } }
                @if !check.warnings.is_empty() { pre.warnings tabindex="0" { (check.warnings) } }
                @if !check.summary.is_empty() { pre.summary tabindex="0" { (check.summary.join("\n")) } }
            }
        }
    }
}
