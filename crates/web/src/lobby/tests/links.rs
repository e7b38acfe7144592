//! Links that are renewed and revoked, and how little a wrong one costs.

use super::bot_loop::sit_down;
use super::*;

const RED: Viewer = Viewer::Seat(Seat(0));
const BLUE: Viewer = Viewer::Seat(Seat(1));

fn by(viewer: Viewer) -> Requester {
    Requester { viewer, owns_lobby: false }
}

#[tokio::test]
async fn an_old_link_opens_nothing_and_its_page_is_closed() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let found = sit_down(&lobby, &["me", "friend"], "").await;
    let id = found.id.clone();
    let old = found.keys.seat(Seat(1)).expect("a link").to_owned();
    let watch = found.keys.viewer().to_owned();
    let (mut page, _) = found.lock().await.subscribe(BLUE, Some(1));
    let token = lobby.change_link(&found, by(RED), BLUE, LinkChange::Renew).await.expect("renewed");
    assert!(page.recv().await.is_none(), "the page is closed");
    assert!(matches!(lobby.enter(&id, &old).await, Err(LobbyError::NotFound)));
    assert_eq!(lobby.enter(&id, &token).await.expect("the new link").1, BLUE);
    assert_eq!(lobby.enter(&id, &watch).await.expect("the others stay").1, Viewer::Spectator);
    // It is so after a restart, too.
    assert!(card_lobby(&store).enter(&id, &old).await.is_err());
    assert_eq!(card_lobby(&store).enter(&id, &token).await.expect("the new link").1, BLUE);

    let found = lobby.find(&id).await.expect("there");
    let none = lobby.change_link(&found, by(RED), Viewer::Spectator, LinkChange::Revoke).await;
    assert_eq!(none.expect("revoked"), "");
    for token in [watch.as_str(), ""] {
        assert!(matches!(lobby.enter(&id, token).await, Err(LobbyError::NotFound)), "{token:?}");
    }
    let found = lobby.find(&id).await.expect("there");
    let again =
        lobby.change_link(&found, by(RED), Viewer::Spectator, LinkChange::Renew).await.expect("renewed");
    assert_eq!(lobby.enter(&id, &again).await.expect("it opens").1, Viewer::Spectator);
}

#[tokio::test]
async fn links_are_the_makers_and_everybodys_own() {
    let lobby = card_lobby(&Arc::default());
    let found = sit_down(&lobby, &["me", "friend"], "").await;
    for (who, whose, change) in [
        (by(BLUE), RED, LinkChange::Renew),
        (by(BLUE), Viewer::Spectator, LinkChange::Renew),
        (by(Viewer::Spectator), Viewer::Spectator, LinkChange::Renew),
        (by(Viewer::Spectator), BLUE, LinkChange::Revoke),
        (by(RED), RED, LinkChange::Revoke),
        (by(BLUE), BLUE, LinkChange::Revoke),
        (by(RED), Viewer::Seat(Seat(7)), LinkChange::Renew),
    ] {
        let refused = lobby.change_link(&found, who, whose, change).await;
        assert!(refused.is_err(), "{who:?} {whose:?} {change:?}");
    }
    let own = lobby.change_link(&found, by(BLUE), BLUE, LinkChange::Renew).await.expect("their own");
    assert_eq!(lobby.enter(&found.id, &own).await.expect("it opens").1, BLUE);
    let bots = sit_down(&lobby, &["me", "bot:greedy"], "").await;
    assert!(lobby.change_link(&bots, by(RED), BLUE, LinkChange::Renew).await.is_err(), "a bot has no link");
}

#[tokio::test]
async fn a_new_key_replaces_the_old_one() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let open = || Lobby::open(Arc::clone(&store), Vec::new()).expect("opens");
    let old = open().owner_key().to_owned();
    assert_eq!(open().owner_key(), old, "it stays over a restart");
    let new = open().with_new_key().expect("a new one").owner_key().to_owned();
    assert_ne!(old, new);
    assert_eq!(open().owner_key(), new);
}

#[tokio::test]
async fn for_a_wrong_link_no_match_is_read() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let (id, token) = lobby.create(&cards(&["me", "friend"], "")).await.expect("made");
    assert_eq!(lobby.live_count(), 0, "nobody has opened it yet");
    for _ in 0..5 {
        assert!(lobby.enter(&id, "aaaaaaaaaaaaaaaaaaaaaaaaaa").await.is_err());
    }
    assert_eq!(store.journals_read(), 0);
    lobby.enter(&id, &token).await.expect("the right link");
    assert_eq!(store.journals_read(), 1);
}
