//! Who plays batches beside the house: the table on the page of a batch, and those who are there right now.

use std::time::Duration;

use maud::{Markup, html};
use review::thousands;

use super::games;
use crate::laboratory::{Batch, Doing, GONE, Mark, Present, Row, Stage, Team};

/// So many are listed; of the others there is a number.
const MOST_LISTED: usize = 40;

/// Workers as the list of batches shows them.
pub struct Here<'a> {
    /// Those that were heard of in the last minute.
    pub workers: &'a [Present],
    /// What those are at that play the batch that is being played here.
    pub doing: &'a [Doing],
    /// Whether they could be heard now.
    pub is_reached: bool,
    /// The build of this house.
    pub build: &'a str,
    /// What is to be typed on another machine.
    pub command: &'a str,
}

/// The name of a worker in two parts: the machine, and which of its processes. Names are what workers say they are; any other is
/// shown as it is.
fn name_parts(name: &str) -> (&str, &str) {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let of = name.rsplit_once(" process ").and_then(|(machine, rest)| {
        let (process, begun) = rest.split_once(" of ")?;
        let at = machine.len() + 1;
        (is_number(process) && is_number(begun))
            .then(|| (machine, &name[at..at + "process ".len() + process.len()]))
    });
    of.unwrap_or((name, ""))
}

/// "12 seconds ago".
fn ago(time: Duration) -> String {
    let (count, unit) = match time.as_secs() {
        0..=2 => return "just now".to_owned(),
        seconds @ 3..60 => (seconds, "second"),
        seconds @ 60..3_600 => (seconds / 60, "minute"),
        seconds => (seconds / 3_600, "hour"),
    };
    format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
}

/// "for 12 seconds".
fn lasting(time: Duration) -> String {
    let (count, unit) = match time.as_secs() {
        seconds @ 0..120 => (seconds.max(1), "second"),
        seconds @ 120..7_200 => (seconds / 60, "minute"),
        seconds => (seconds / 3_600, "hour"),
    };
    format!("for {count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// What a worker is at. `game` is the word for what it plays, such as "pair".
fn at_work(doing: &Doing, game: &str) -> String {
    let Doing { threads, numbers, checking, since, .. } = doing;
    if *threads == 0 {
        return "waits for work".to_owned();
    }
    let what = |count: u64| format!("{} {game}{}", thousands(count), if count == 1 { "" } else { "s" });
    let (verb, count) = match numbers - checking {
        0 => ("plays again, to compare,", *checking),
        fresh => ("plays", fresh),
    };
    let more = match (numbers - checking, *checking) {
        (0, _) | (_, 0) => String::new(),
        (_, checking) => format!(" and {} again, to compare,", what(checking)),
    };
    let threads = if *threads == 1 { String::new() } else { format!(" on {threads} threads") };
    format!("{verb} {}{more}{threads}, {}", what(count), lasting(*since))
}

/// What went wrong with the work of a worker.
fn trouble(mark: Mark) -> Option<String> {
    let Mark { failed, lost } = mark;
    let failed = (failed > 0).then(|| format!("{} failed", thousands(failed)));
    let lost = (lost > 0).then(|| format!("{} never came back", thousands(lost)));
    let words: Vec<String> = [failed, lost].into_iter().flatten().collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// The workers of a batch.
pub fn team(batch: &Batch, team: &Team) -> Markup {
    let stage = batch.stage();
    let is_live = batch.is_running && !batch.is_elsewhere;
    let hidden = team.rows.len().saturating_sub(MOST_LISTED);
    html! {
        section.card.broad.crew aria-labelledby="crew-title" {
            h2 #crew-title { "Workers" }
            @if let Some(words) = situation(batch, team) { p.aside { (words) } }
            @if !team.said.is_empty() { p.notice { (team.said) } }
            table.team role="table" aria-labelledby="crew-title" {
                thead role="rowgroup" {
                    tr role="row" {
                        th role="columnheader" scope="col" { "Who" }
                        @if is_live { th role="columnheader" scope="col" { "Now" } }
                        th.number role="columnheader" scope="col" { (if batch.order.other.is_some() { "Pairs" } else { "Games" }) }
                        th.number role="columnheader" scope="col" { "Chunks" }
                        th.number role="columnheader" scope="col" { "Checked" }
                        th role="columnheader" scope="col" { "Handed out again" }
                        @if is_live { th role="columnheader" scope="col" { "Last heard" } }
                    }
                }
                tbody role="rowgroup" {
                    @for row in team.rows.iter().take(MOST_LISTED) { (line(batch, row, is_live)) }
                }
            }
            @if hidden > 0 { p.aside { "And " (thousands(hidden as u64)) " more." } }
            p.aside { (compared(team, stage)) }
            @if is_live && team.rows.len() == 1 { (how_to_start(&team.command)) }
        }
    }
}

fn line(batch: &Batch, row: &Row, is_live: bool) -> Markup {
    let (machine, process) = name_parts(&row.name);
    let is_house = row.name.is_empty();
    let game = if batch.order.other.is_some() { "pair" } else { "game" };
    let now = match &row.doing {
        _ if is_house && batch.done >= batch.job.numbers[0] => "has nothing left to play".to_owned(),
        _ if is_house => "plays, with half of its cores".to_owned(),
        Some(doing) => at_work(doing, game),
        None => "is gone".to_owned(),
    };
    let heard = match row.heard {
        _ if is_house => None,
        Some(heard) => Some(ago(heard)),
        None => Some("a while ago".to_owned()),
    };
    let checked = (row.checked > 0).then(|| thousands(row.checked));
    let games = if batch.order.other.is_some() { "Pairs" } else { "Games" };
    // On a narrow screen a cell in which there is nothing is left out.
    let cell = |of: &str, is_number: bool, words: Option<&str>| {
        html! { td.number[is_number].nothing[words.is_none()] role="cell" data-of=(of) { (words.unwrap_or("–")) } }
    };
    html! {
        tr role="row" data-worker=(if is_house { "house" } else { "other" }) data-gone[is_live && !is_house && row.doing.is_none()] {
            th role="rowheader" scope="row" { @if is_house { "This house" } @else { span.name { (machine) } @if !process.is_empty() { " " small { (process) } } } }
            @if is_live { td.now role="cell" data-of="Now" { (now) } }
            (cell(games, true, Some(&thousands(row.games))))
            (cell("Chunks", true, Some(&thousands(row.chunks))))
            (cell("Checked", true, checked.as_deref()))
            (cell("Handed out again", false, trouble(row.mark).as_deref()))
            @if is_live { (cell("Last heard", false, heard.as_deref())) }
        }
    }
}

/// How it stands with workers, if there is something to say.
fn situation(batch: &Batch, team: &Team) -> Option<&'static str> {
    if batch.is_elsewhere {
        return Some(
            "Another server of this house plays this batch. What its workers are at is shown there.",
        );
    }
    if !batch.is_running {
        return None;
    }
    let is_alone = team.rows.iter().all(|row| row.doing.is_none());
    match (team.is_reached, is_alone, team.is_private, team.only_own) {
        (false, ..) => Some(
            "NATS can't be reached, so this house plays alone. Workers take part again as soon as it is back.",
        ),
        (true, true, true, _) => Some(
            "This batch holds a text of your own, which lent machines are not shown: only workers of the house \
             (--class house) take part, and none is there.",
        ),
        (true, false, true, _) => Some(
            "This batch holds a text of your own, which lent machines are not shown: only workers of the house \
             (--class house) take part.",
        ),
        (true, true, false, true) => Some(
            "Only workers of the house (--class house) may take part, and none is there: this house plays alone.",
        ),
        (true, true, false, false) => Some("No worker is there, so this house plays alone."),
        (true, false, false, _) => None,
    }
}

/// What two have done.
fn compared(team: &Team, stage: Stage) -> String {
    let again = "One chunk in a hundred of those that workers play is played by a second machine as well, and compared.";
    match (team.checked, team.rows.iter().any(|row| !row.name.is_empty() && row.chunks > 0)) {
        _ if stage == Stage::Failed => again.to_owned(),
        (1, _) => format!("{again} That was done with 1 chunk; it was the same."),
        (0, true) if stage == Stage::Done => {
            format!("{again} Of this batch those fell to this house itself.")
        }
        (0, true) => format!("{again} None has been yet."),
        (0, false) => {
            "A chunk is some games that follow each other. All that is kept here this house has played."
                .to_owned()
        }
        (count, _) => format!("{again} That was done with {} chunks; all were the same.", thousands(count)),
    }
}

/// How one starts a worker.
fn how_to_start(command: &str) -> Markup {
    html! {
        p.aside { "To have help, start this on any machine with the very same build of Maproom:" }
        pre.command tabindex="0" { (command) }
        @if ["127.0.0.1", "localhost", "[::1]"].iter().any(|here| command.contains(here)) {
            p.aside { "From another machine it needs the address that NATS has there." }
        }
        p.aside { "With " code { "--class house" } " it also gets batches with texts of your own, and thinks for bots at the tables." }
    }
}

/// Those who are there right now.
pub fn here(shown: &Here<'_>) -> Markup {
    let hidden = shown.workers.len().saturating_sub(MOST_LISTED);
    html! {
        section.card.crew aria-labelledby="here-title" {
            h2 #here-title { "Workers" }
            @if !shown.is_reached { p.notice { "NATS can't be reached now. Batches are played by this house alone until it is back." } }
            @else if shown.workers.is_empty() { p.empty { "None is there: this house plays its batches alone." } }
            @if !shown.workers.is_empty() {
                ul.here { @for worker in shown.workers.iter().take(MOST_LISTED) { (present(shown, worker)) } }
            }
            @if hidden > 0 { p.aside { "And " (thousands(hidden as u64)) " more." } }
            // Not unfolded where somebody may have folded it up: the page draws itself again and again.
            @if shown.workers.is_empty() { (how_to_start(shown.command)) }
            @else { details { summary { "How to start one" } (how_to_start(shown.command)) } }
            p.aside { "This house is build " (shown.build) "." }
        }
    }
}

fn present(shown: &Here<'_>, worker: &Present) -> Markup {
    let (machine, process) = name_parts(&worker.name);
    let is_same = worker.build == shown.build;
    let is_gone = worker.heard > GONE;
    let doing = shown.doing.iter().find(|doing| doing.name == worker.name && doing.threads > 0);
    html! {
        li data-gone[is_gone] {
            div { b.name { (machine) } @if !process.is_empty() { " " small { (process) } } }
            @if is_gone { span { "is gone" } }
            @else if !is_same { span.trouble { "Another build (" (worker.build) "): it gets no work here." } }
            @else if let Some(doing) = doing { span { "plays " (games(doing.numbers)) } }
            @else { span { "waits for work" } }
            small { (if worker.is_own { "of the house" } else { "lent" }) ", heard of " (ago(worker.heard)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_in_two_parts_if_they_have_them() {
        assert_eq!(name_parts("tank-1 process 81 of 1790000000000"), ("tank-1", "process 81"));
        for odd in ["", "tank", "process 8 of 9", "a process b of 9", "a process 8 of", "a process 8 of x"] {
            assert_eq!(name_parts(odd), (odd, ""));
        }
        assert_eq!(name_parts("a process 1 of 2 process 3 of 4"), ("a process 1 of 2", "process 3"));
    }

    #[test]
    fn times_are_said_in_words() {
        let words = |seconds| ago(Duration::from_secs(seconds));
        assert_eq!(
            [words(1), words(12), words(60), words(7_300)],
            ["just now", "12 seconds ago", "1 minute ago", "2 hours ago"]
        );
        assert_eq!(lasting(Duration::from_millis(300)), "for 1 second");
    }

    #[test]
    fn what_a_worker_is_at_is_a_sentence() {
        let doing = |threads, numbers, checking| Doing {
            threads,
            numbers,
            checking,
            since: Duration::from_secs(7),
            ..Doing::default()
        };
        assert_eq!(at_work(&doing(0, 0, 0), "game"), "waits for work");
        assert_eq!(at_work(&doing(1, 1, 0), "game"), "plays 1 game, for 7 seconds");
        assert_eq!(at_work(&doing(2, 1_200, 0), "pair"), "plays 1,200 pairs on 2 threads, for 7 seconds");
        assert_eq!(at_work(&doing(1, 5, 5), "game"), "plays again, to compare, 5 games, for 7 seconds");
        assert_eq!(
            at_work(&doing(2, 9, 5), "game"),
            "plays 4 games and 5 games again, to compare, on 2 threads, for 7 seconds"
        );
        assert_eq!(trouble(Mark::default()), None);
        let mark = Mark { failed: 2, lost: 1 };
        assert_eq!(trouble(mark).as_deref(), Some("2 failed, 1 never came back"));
    }
}
