//! The laboratory is for whoever looks after the house; everybody else gets nothing of it.

use people::Entry;

use super::host::{Answer, Browser, Host};
use super::house::admin;

const FORM: [(&str, &str); 4] =
    [("game", "auction"), ("games", "40"), ("seat.0", "random"), ("option.seats", "2")];

/// Every address of the laboratory, asked by somebody.
async fn all(browser: &Browser<'_>, id: &str) -> Vec<(String, Answer)> {
    let mut answers = Vec::new();
    let batch = format!("/lab/batches/{id}");
    for path in
        ["/lab", "/lab/new/auction", "/lab/edit/auction/book", &batch, &format!("{batch}/files/report.txt")]
    {
        answers.push((path.to_owned(), browser.get(path).await));
    }
    for (path, fields) in [
        ("/lab/batches", &FORM[..]),
        ("/lab/check", &[("game", "auction"), ("kind", "book"), ("text", "x")]),
        (&format!("{batch}/stop"), &[]),
        (&format!("{batch}/again"), &[]),
        (&format!("{batch}/delete"), &[]),
    ] {
        answers.push((path.to_owned(), browser.post(path, fields).await));
    }
    answers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_or_a_stranger_gets_nothing_of_the_laboratory() {
    let host = Host::start(Entry::Open).await;
    let eve = admin(&host, "Eve", 3).await;
    let made = eve.post("/lab/batches", &FORM).await;
    assert_eq!(made.status, 303, "{}", made.text);
    let id = made.location().strip_prefix("/lab/batches/").expect("a batch").to_owned();
    let page = eve.get(made.location()).await;
    assert!(page.status == 200 && page.text.contains("by Eve"), "{}", page.text);
    let (ann, nobody) = (host.member("Ann", 1).await, host.browser(2));
    for (who, browser) in [("a member", &ann), ("a stranger", &nobody)] {
        for (path, answer) in all(browser, &id).await {
            assert_eq!(answer.status, 403, "{who} at {path}: {}", answer.text);
            for told in ["Auction", "by Eve", "batch"] {
                assert!(!answer.text.contains(told), "{who} at {path} reads {told:?}: {}", answer.text);
            }
        }
        assert!(!browser.get("/account").await.text.contains("\"/lab\""), "{who} is not led there");
    }
    let list = eve.get("/lab").await;
    assert!(list.text.contains(&id) && list.text.contains("by Eve"), "nothing was stopped or deleted");
    assert_eq!(eve.post(&format!("/lab/batches/{id}/delete"), &[]).await.status, 303);
    assert_eq!(eve.get(&format!("/lab/batches/{id}")).await.status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_admin_plays_a_batch_and_reads_its_files() {
    let host = Host::start(Entry::Open).await;
    let eve = admin(&host, "Eve", 3).await;
    for (fields, why) in [
        (&[("game", "auction"), ("games", "0")][..], "1 to 1000000"),
        (&[("game", "auction"), ("seat.0", "search:9s")], "no bot"),
        (&[("game", "nothing")], "unknown game"),
        (&[("game", "auction"), ("option.seats", "99")], "99"),
    ] {
        let answer = eve.post("/lab/batches", fields).await;
        assert!(answer.status == 422 && answer.text.contains(why), "{fields:?}: {}", answer.text);
    }
    let made = eve.post("/lab/batches", &FORM).await;
    let path = made.location().to_owned();
    for _ in 0..24_000 {
        let page = eve.get(&path).await;
        assert_eq!(page.status, 200, "{}", page.text);
        if !page.text.contains("data-follow") {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let page = eve.get(&path).await.text;
    assert!(page.contains("Who wins") && page.contains(">done<"), "{page}");
    let file = eve.get(&format!("{path}/files/results.csv")).await;
    assert_eq!(file.header("content-type"), Some("text/csv; charset=utf-8"));
    assert!(
        file.header("content-disposition")
            .is_some_and(|how| how.starts_with("attachment; filename=\"auction-"))
    );
    assert!(file.text.starts_with("way,of,result"), "{}", file.text);
    assert_eq!(eve.get(&format!("{path}/files/nothing.csv")).await.status, 404);
    assert_eq!(eve.get("/lab/edit/auction/book").await.status, 404, "this game takes no texts");
}
