//! Forks: how many there may be, and that they tell nothing about the match that goes on.

use std::collections::BTreeSet;

use kernel::SecretPolicy;
use store::conformance::sample;
use store::{MatchRecord, Origin, Store as _};

use super::bot_loop::{choose, sit_down};
use super::*;

const RED: Seat = Seat(0);

/// The value of a header in a save.
fn header<'a>(save: &'a str, key: &str) -> &'a str {
    let found = save.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    found.unwrap_or_else(|| panic!("no {key}: {save}"))
}

/// The card that a seat was dealt.
fn card<'a>(save: &'a str, seat: &str) -> &'a str {
    let found = save.split_whitespace().find(|word| word.starts_with(&format!("{seat}:")));
    found.unwrap_or_else(|| panic!("no card of {seat}: {save}"))
}

async fn save(lobby: &Arc<Lobby>, id: &str) -> String {
    let found = lobby.find(id).await.expect("there");
    let live = found.lock().await;
    live.table.save(SecretPolicy::Keep).expect("whole")
}

#[tokio::test]
async fn a_fork_does_not_tell_what_the_bot_holds_nor_how_the_dice_will_fall() {
    let lobby = card_lobby(&Arc::default());
    let found = sit_down(&lobby, &["me", "bot:talking"], "").await;
    choose(&lobby, &found, RED, "bid 1").await;
    until(&found, "blue has answered", |live| live.revision == 3).await;
    let original = save(&lobby, &found.id).await;
    assert!(original.contains("# why: Because I hold <blue:"), "{original}");
    let (mut cards, mut secrets) = (BTreeSet::new(), BTreeSet::new());
    for _ in 0..24 {
        let (id, token) = lobby.fork(&found, RED, 4).await.expect("forked");
        let fork = save(&lobby, &id).await;
        assert_eq!(card(&fork, "red"), card(&original, "red"), "what I know stays");
        assert!(fork.contains("red      bid 1") && fork.contains("blue     bid 1"), "{fork}");
        assert!(!fork.contains("I hold"), "{fork}");
        assert_eq!(header(&fork, "inherited"), "2");
        cards.insert(card(&fork, "blue").to_owned());
        secrets.insert(header(&fork, "secret").to_owned());
        // It can be played to its end, and then everything is published.
        assert!(lobby.enter(&id, &token).await.is_ok());
    }
    // One in 3^23 that chance alone would always deal the same card.
    assert!(cards.len() > 1, "the bot's card is dealt anew: {cards:?}");
    assert_eq!(secrets.len(), 24, "every fork has dice of its own");
    assert!(!secrets.contains(header(&original, "secret")));
}

#[tokio::test]
async fn where_nothing_is_hidden_the_dice_stay_the_same() {
    let lobby = card_lobby(&Arc::default());
    let (id, _) = lobby.create(&open_cards(&["me", "bot:greedy"])).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    let (fork, _) = lobby.fork(&found, RED, 2).await.expect("forked");
    let (original, fork) = (save(&lobby, &id).await, save(&lobby, &fork).await);
    assert_eq!(header(&original, "secret"), header(&fork, "secret"));
    assert!(!fork.contains("inherited"), "{fork}");
}

#[tokio::test]
async fn forks_spend_from_the_budget_of_choices() {
    let lobby = card_lobby(&Arc::default());
    let found = sit_down(&lobby, &["me", "bot:greedy"], "").await;
    // On a slow machine some of the budget may come back in between.
    for _ in 0..1_000 {
        while found.lock().await.spend().is_ok() {}
        if matches!(lobby.fork(&found, RED, 2).await, Err(LobbyError::TooFast)) {
            return;
        }
    }
    panic!("forks cost nothing");
}

#[tokio::test]
async fn a_match_has_so_many_forks_and_no_more() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let found = sit_down(&lobby, &["me", "bot:greedy"], "").await;
    // Forks of forks count, too.
    let mut of = found.id.clone();
    for number in 0..100 {
        let id = format!("fork{number}");
        let origin = Some(Origin { match_id: of, step: 2 });
        store.create(&MatchRecord { origin, ..sample(&id) }, &[]).expect("made");
        of = id;
    }
    let refused = lobby.fork(&found, RED, 2).await.expect_err("too many").to_string();
    assert!(refused.contains("100 matches have been started"), "{refused}");
    store.mark_deleted("fork99", Some(1)).expect("deleted");
    lobby.fork(&found, RED, 2).await.expect("there is room again");
}
