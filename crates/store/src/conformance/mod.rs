//! What every store must do, as checks that any of them can be put through. They panic where a store
//! falls short, as tests do; nothing else uses them.

mod contests;
mod effects;
mod journals;
mod ledger;
mod matches;
mod meeting;
mod orders;
mod people;
mod post;
mod post_via;
mod seats;
mod sharing;

pub use contests::{Contest, contests_conformance};
pub use ledger::ledger_conformance;
pub use orders::{OrderHouse, orders_conformance};
pub use people::{House, people_conformance};
pub use post::{POST_MATCHES, post_conformance};
pub use post_via::{PostBetween, PostVia};
pub use sharing::{SharingHouse, sharing_conformance};

use crate::{Append, Entry, EntryKind, MatchRecord, Origin, Player, SeatRecord, Store, Summary};

/// Puts a store through all checks. `make` gives an empty store each time.
pub fn conformance(make: impl Fn() -> Box<dyn Store>) {
    let checks: &[fn(&dyn Store)] = &[
        matches::empty,
        matches::kept_as_given,
        matches::refused,
        matches::listed_by_change,
        matches::page_by_page,
        matches::renamed,
        matches::paced,
        matches::with_a_lesson,
        matches::at_a_glance,
        matches::binned_and_purged,
        matches::finished,
        journals::grow,
        journals::conflict,
        journals::two_of_one_match,
        journals::any_text,
        journals::one_winner,
        seats::claimed_once,
        seats::seen_and_played,
        seats::other_tokens,
        seats::settings,
        matches::forks,
        effects::beside_choices,
        effects::a_request_counts_once,
        effects::deadlines,
        effects::notices,
        effects::players_and_ratings,
        effects::outages,
    ];
    for check in checks {
        check(&*make());
    }
}

/// A match with two seats, no entries, and text of all kinds.
pub fn sample(id: &str) -> MatchRecord {
    MatchRecord {
        id: id.into(),
        game: "echoes".into(),
        name: "Größe, 囲碁 & 🎲 'quoted' \"twice\"".into(),
        setup: "solitaire\nwith two lines".into(),
        header: format!("head of {id}\nsecret 0123"),
        options: r#"{"variant":"long","dice":7}"#.into(),
        viewer_token: format!("view-{id}"),
        origin: Some(Origin { match_id: "elsewhere".into(), step: u32::MAX }),
        created_at: 1_790_000_000_000,
        changed_at: 1_790_000_000_001,
        deleted_at: None,
        revision: 0,
        pace: "slow".into(),
        lesson: "first 3".into(),
        summary: Summary {
            turn: "Turn 1".into(),
            to_move: "north".into(),
            mover: Some(1),
            ..Summary::default()
        },
        seats: (0..2)
            .map(|seat| SeatRecord {
                seat,
                word: ["north", "south"][usize::from(seat)].into(),
                token: format!("seat-{seat}-{id}"),
                player: Player::Person,
                claimed_at: None,
                seen: 0,
            })
            .collect(),
    }
}

/// An append of steps; the time of its entry is its `seq` in seconds after the sample was made.
pub fn steps_append(match_id: &str, seq: u32, text: &str) -> Append {
    Append {
        match_id: match_id.into(),
        entry: entry(seq, EntryKind::Steps(text.into())),
        summary: Summary {
            steps: seq.saturating_mul(3),
            turn: format!("Turn {seq}"),
            last_event: format!("event {seq}"),
            to_move: "south".into(),
            ..Summary::default()
        },
        effects: Vec::new(),
    }
}

/// An entry with the time of [`steps_append`].
pub fn entry(seq: u32, kind: EntryKind) -> Entry {
    Entry::new(seq, 1_790_000_000_000 + u64::from(seq) * 1000, kind)
}

/// The same append, with a result.
fn with_result(mut append: Append, result: &str) -> Append {
    append.summary.result = Some(result.into());
    append.summary.result_title = format!("The {result}");
    append.summary.standings = "win,loss".into();
    append
}
