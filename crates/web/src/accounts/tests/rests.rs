//! Days of rest on the page of an account, days off in the forms, and what tournaments say about both.

use clocks::Days;
use people::Entry;

use super::host::{DAY, Host};

/// A day so many days from now, as a form has it.
fn day(host: &Host, ahead: u64) -> String {
    Days::at(host.clock.now() + ahead * DAY, "UTC").expect("a day").first()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_is_away_and_comes_back_earlier() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    let rest = async |first: u64, last: u64| {
        let days = [day(&host, first), day(&host, last)];
        ann.post("/account/rest", &[("first", &days[0]), ("last", &days[1])]).await
    };
    assert!(ann.get("/account").await.text.contains("30 of 30 days are left"));
    assert_eq!(rest(0, 2).await.location(), "/account?done=rest");
    let page = ann.get("/account").await.text;
    assert!(page.contains("You are away") && page.contains("27 of 30 days are left"), "{page}");
    let twice = rest(1, 1).await;
    assert_eq!(twice.status, 422);
    assert!(twice.text.contains("You rest already"), "{}", twice.text);
    let wrong = ann.post("/account/rest", &[("first", "tomorrow"), ("last", "<b>")]).await;
    assert!(wrong.status == 422 && !wrong.text.contains("<b>\""), "{}", wrong.text);
    // What was refused does not count against the three of an hour.
    for ahead in [10, 20] {
        assert_eq!(rest(ahead, ahead).await.status, 303);
    }
    let often = rest(30, 30).await;
    assert!(often.status == 422 && often.text.contains("three rests within the hour"), "{}", often.text);
    let export = ann.get("/account/export").await.text;
    assert_eq!(export.matches("\"kind\":\"rest\"").count(), 3, "{export}");

    host.clock.turn(DAY);
    let id = host.account("Ann");
    let rests = host.lobby.with_accounts(move |people| people.rests(id)).await.expect("readable");
    let end = async |from: u64| ann.post("/account/rest/end", &[("from", &from.to_string())]).await;
    assert_eq!(end(rests[0].from).await.location(), "/account?done=back");
    assert_eq!(end(rests[1].from).await.location(), "/account?done=no-rest");
    assert_eq!(end(rests[0].from).await.status, 422, "it is over");
    // Two days have begun, one was not needed, and one is still to come.
    let page = ann.get("/account").await.text;
    assert!(page.contains("27 of 30 days are left") && !page.contains("You are away"), "{page}");
    // Nobody ends the rest of somebody else.
    let bob = host.member("Bob", 2).await;
    let theirs = bob.post("/account/rest/end", &[("from", &rests[2].from.to_string())]).await;
    assert_eq!(theirs.status, 422);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn days_off_are_chosen_for_a_table_and_nobody_rests_in_a_tournament_that_does_not_say_so() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    let form = [("game", "cards"), ("seat.0", "me"), ("seat.1", "friend"), ("clock", "daily")];
    let off = [("off", "sat"), ("off", "sun"), ("zone", "Europe/Berlin")];
    let table = ann.post("/tables", &[&form[..], &off].concat()).await;
    assert_eq!(table.status, 303, "{}", table.text);
    let page = ann.get(table.location()).await.text;
    assert!(page.contains("Daily; off on Saturdays and Sundays (Europe/Berlin)"), "{page}");
    for wrong in [[("off", "sunday"), ("zone", "UTC")], [("off", "sun"), ("zone", "Europe/Atlantis")]] {
        let refused = ann.post("/tables", &[&form[..], &wrong].concat()).await;
        assert_eq!(refused.status, 422, "{wrong:?}");
    }
    let clock = async |more: &[(&str, &str)]| {
        let new = crate::lobby::NewTournament {
            name: "Cup".to_owned(),
            game: "cards".to_owned(),
            clock: "daily".to_owned(),
            allows_rest: more.contains(&("rest", "yes")),
            ..crate::lobby::NewTournament::default()
        };
        let id = host.lobby.make_tournament(&new).await.expect("made");
        host.lobby.tournament_view(&id).await.expect("there").record.clock
    };
    assert!(clock(&[]).await.contains("rest=no"));
    assert!(!clock(&[("rest", "yes")]).await.contains("rest="));
}
