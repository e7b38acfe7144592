//! One-time links: invitations, forgotten passwords, mail addresses. Looking at one changes nothing.

use people::Entry;

use super::host::{DAY, GOOD, HOUR, Host, OTHER};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invitation_is_looked_at_freely_used_once_and_expires() {
    let host = Host::start(Entry::Invited).await;
    assert_eq!(host.browser(1).get("/join").await.status, 403);
    let fields = [("name", "Ann"), ("password", GOOD)];
    assert_eq!(host.browser(1).post("/join", &fields).await.status, 410);
    let house = host.accounts.house();
    let invitation = |lasts| {
        let secret = house.invite(lasts, host.clock.now()).expect("made");
        format!("/join/{}", secret.reveal())
    };
    let (path, late) = (invitation(DAY), invitation(HOUR));
    for _ in 0..3 {
        assert_eq!(host.browser(1).get(&path).await.status, 200);
    }
    host.clock.turn(HOUR);
    assert_eq!(host.browser(1).get(&late).await.status, 410);
    assert_eq!(host.browser(1).post(&late, &fields).await.status, 410);
    let ann = host.browser(1);
    assert_eq!(ann.post(&path, &fields).await.location(), "/turns");
    assert!(ann.account().await.is_some());
    assert_eq!(host.browser(2).get(&path).await.status, 410);
    assert_eq!(host.browser(2).post(&path, &[("name", "Bob"), ("password", GOOD)]).await.status, 410);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_is_confirmed_by_a_button_and_a_password_is_reset_by_letter() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    let asked = ann.post("/account/mail", &[("mail", "ann@war.example"), ("password", GOOD)]).await;
    assert_eq!(asked.location(), "/account?done=mail");
    let path = host.letter();
    let anybody = host.browser(9);
    assert!(anybody.get(&path).await.text.contains("Use this address"));
    assert!(!ann.account().await.expect("in").contains("ann@war.example"), "looking at it changes nothing");
    assert_eq!(anybody.post(&path, &[]).await.status, 200);
    assert_eq!(anybody.post(&path, &[]).await.status, 410, "once");
    assert!(ann.account().await.expect("in").contains("ann@war.example"));

    // The same words, whether there is such an account or not.
    let unknown = anybody.post("/reset", &[("name", "nobody-here")]).await;
    let known = anybody.post("/reset", &[("name", "Ann")]).await;
    assert_eq!((known.status, &known.text), (unknown.status, &unknown.text));
    let path = host.letter();
    assert_eq!(anybody.get(&path).await.status, 200);
    host.clock.turn(HOUR / 2);
    assert_eq!(anybody.get(&path).await.status, 410);
    assert_eq!(anybody.post(&path, &[("password", OTHER)]).await.status, 410);
    anybody.post("/reset", &[("name", "Ann")]).await;
    let path = host.letter();
    assert_eq!(anybody.post(&path, &[("password", "short")]).await.status, 422);
    assert_eq!(anybody.post(&path, &[("password", OTHER)]).await.location(), "/turns");
    assert!(anybody.account().await.is_some() && ann.account().await.is_none());
    // Three letters an hour, and a quiet answer to more.
    for _ in 0..5 {
        assert_eq!(host.browser(8).post("/reset", &[("name", "Ann")]).await.status, 200);
    }
    assert_eq!(host.outbox.take().len(), 1, "two were sent before");
    host.clock.turn(HOUR);
    host.browser(8).post("/reset", &[("name", "Ann")]).await;
    assert_eq!(host.outbox.take().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_for_one_thing_opens_nothing_else() {
    let host = Host::start(Entry::Invited).await;
    let secret = host.accounts.house().invite(DAY, host.clock.now()).expect("made");
    for path in ["reset", "mail"] {
        let path = format!("/{path}/{}", secret.reveal());
        assert_eq!(host.browser(1).get(&path).await.status, 410);
        assert_eq!(host.browser(1).post(&path, &[("password", OTHER)]).await.status, 410);
    }
    assert_eq!(host.browser(1).get(&format!("/join/{}", secret.reveal())).await.status, 200, "unused");
}
