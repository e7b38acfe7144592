//! What came of the finished matches, as a chart and as a table.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use kernel::Options;
use maud::{Markup, html};
use store::{FinishedMatch, MatchRecord, owner_seat};

use crate::assets;
use crate::pages::layout::{Page, document};
use crate::prefs::Prefs;
use crate::title::Title;

/// What was played.
pub struct Played<'a> {
    /// The games.
    pub titles: &'a [Arc<dyn Title>],
    /// All matches, for who played them.
    pub matches: &'a [MatchRecord],
    /// Those that are over.
    pub finished: &'a [FinishedMatch],
}

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Record {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl Record {
    fn add(&mut self, standing: &str) {
        match standing {
            "win" => self.wins += 1,
            "loss" => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    const fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }
}

/// By set-up (row, then bar) how the owner fared.
type Records = BTreeMap<(String, String), Record>;

/// The matches of a game that the owner played, not those that they only looked at, or left to a bot.
fn records_of(title: &dyn Title, played: &Played<'_>) -> Records {
    let own = played.matches.iter().filter_map(|record| {
        // A lesson is no match: its dice and half of its choices were given.
        let own =
            owner_seat(&record.seats).filter(|own| own.player.is_human() && record.lesson.is_empty())?;
        Some((&record.id, own.seat))
    });
    let own: HashMap<&String, u8> = own.collect();
    let mut records = Records::new();
    for game in played.finished.iter().filter(|game| game.game == title.id()) {
        let Some(seat) = own.get(&game.match_id) else { continue };
        let options: Options = serde_json::from_str(&game.options).unwrap_or_default();
        let standing = game.standings.split(',').nth(usize::from(*seat)).unwrap_or_default();
        records.entry(title.setup_class(&options)).or_default().add(standing);
    }
    records
}

/// The page.
pub fn page(prefs: Prefs, played: &Played<'_>) -> Markup {
    let records = played.titles.iter().map(|title| (title, records_of(&**title, played)));
    let records: Vec<_> = records.filter(|(_, records)| !records.is_empty()).collect();
    let body = html! {
        header.bar { a.home href="/" title="Back to the lobby" { "Maproom" } h1 { "Statistics" } }
        main.statistics {
            @if records.is_empty() { p.empty { "You haven't finished a match yet." } }
            @for (title, records) in &records {
                h2 { (title.name()) }
                (chart(records))
            }
        }
    };
    let styles = [assets::url("lobby.css")];
    document(
        prefs,
        &Page { title: "Statistics", class: "lobby", styles: &styles, script: Some("page.js"), body },
    )
}

/// One bar a set-up: wins, draws and losses side by side, as wide as there were games.
fn chart(records: &Records) -> Markup {
    let most = records.values().map(|record| record.games()).max().unwrap_or(1).max(1);
    let width = |count: u32| f64::from(count) / f64::from(most) * 300.0;
    html! {
        table.chart {
            thead { tr { th { "Set-up" } th { "Won" } th { "Drawn" } th { "Lost" } th { span.sr { "Share" } } } }
            tbody {
                @for ((row, bar), record) in records {
                    tr {
                        th scope="row" { (row) @if !bar.is_empty() { ", " (bar) } }
                        td { (record.wins) }
                        td { (record.draws) }
                        td { (record.losses) }
                        td {
                            svg.bars viewBox="0 0 300 14" width="300" height="14" role="img"
                                aria-label=(format!("{} of {} won", record.wins, record.games())) {
                                rect.win x="0" y="1" width=(width(record.wins)) height="12" {}
                                rect.draw x=(width(record.wins)) y="1" width=(width(record.draws)) height="12" {}
                                rect.loss x=(width(record.wins + record.draws)) y="1" width=(width(record.losses)) height="12" {}
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use store::{Player, SeatRecord};

    use super::*;
    use crate::title::Of;

    #[test]
    fn what_counts_is_how_the_owner_fared() {
        let seat =
            |seat, word: &str| SeatRecord { seat, player: Player::read(word), ..SeatRecord::default() };
        let record = |id: &str, players: [&str; 2]| MatchRecord {
            id: id.to_owned(),
            seats: vec![seat(0, players[0]), seat(1, players[1])],
            ..MatchRecord::default()
        };
        let matches = [
            record("first", ["owner", "bot:greedy"]),
            record("second", ["bot:greedy", "owner"]),
            record("watched", ["bot:greedy", "bot:random"]),
            record("left to a bot", ["owner+bot:greedy", "bot:random"]),
        ];
        let finished = matches.each_ref().map(|record| FinishedMatch {
            match_id: record.id.clone(),
            game: "echoes".to_owned(),
            options: "{}".to_owned(),
            result: "red".to_owned(),
            standings: "win,loss".to_owned(),
            finished_at: 1,
        });
        let titles: [Arc<dyn Title>; 1] = [Arc::new(Of::<crate::PlainBoard<echoes::Echoes>>::new())];
        let played = Played { titles: &titles, matches: &matches, finished: &finished };
        let records = records_of(&*titles[0], &played);
        let all: Vec<&Record> = records.values().collect();
        assert_eq!(all, [&Record { wins: 1, draws: 0, losses: 1 }]);
    }
}
