//! The laboratory: a batch from the form to its files, a text with a mistake that is mended, and what a change does.

use std::process::Command;
#[cfg(feature = "shared")]
use std::process::{Child, Stdio};

use serde_json::json;
#[cfg(feature = "shared")]
use testkit::nats;

use crate::PROGRAM;
use crate::driver::{Page, Size};
use crate::looks::assert_fits;
use crate::server::Server;

const LAPTOP: Size = Size { width: 1440, height: 900, scale: 1.0, touch: false };
const PHONE: Size = Size { width: 390, height: 844, scale: 2.0, touch: true };
const READY: &str = "document.body.dataset.ready === 'true'";

/// A page in light and dark, on a laptop and on a phone: nothing sticks out, and everybody can read it.
async fn look(page: &mut Page, name: &str) {
    for (size, screen) in [(LAPTOP, ""), (PHONE, "-phone")] {
        page.resize(size).await;
        assert_fits(page, size, name).await;
        for tone in ["light", "dark"] {
            page.media(&[("prefers-color-scheme", tone)]).await;
            page.axe().await;
            page.shot(&format!("{name}{screen}-{tone}")).await;
        }
    }
    page.resize(LAPTOP).await;
    page.media(&[]).await;
}

/// A form that was refused: the browser reports the answer, and nothing else.
async fn refused(page: &Page, why: &str) {
    page.wait_text("p.trouble", why).await;
    let problems = page.console_problems().await;
    assert!(problems.iter().all(|line| line.contains("status of 422")), "{problems:#?}");
}

/// Waits until a batch is done; nobody loads the page again.
async fn done(page: &Page) {
    page.wait_for(".stage[data-stage=done]").await;
    page.wait_gone("main[data-follow]").await;
}

/// What a link of the page gives: its kind, how it is to be kept, and its text.
async fn download(page: &Page, name: &str) -> [String; 3] {
    let script = "const link = [...document.querySelectorAll('.files a')].find(a => a.textContent === arguments[0]);
        const answer = await fetch(link.href);
        return [answer.headers.get('content-type'), answer.headers.get('content-disposition'), await answer.text()];";
    let got = page.run(script, vec![name.into()]).await;
    serde_json::from_value(got).expect("three texts")
}

/// What the program itself prints of such a batch.
fn simulated(words: &[&str]) -> String {
    let out = Command::new(PROGRAM)
        .args(["sim", "echoes", "--bot", "greedy"])
        .args(words)
        .output()
        .expect("it runs");
    assert!(out.status.success(), "{out:?}");
    String::from_utf8(out.stdout).expect("text")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_is_begun_followed_and_read() {
    let server = Server::start();
    let mut page = Page::open_at(LAPTOP, server.url()).await;
    page.click("a[href='/lab']").await;
    page.wait_text("main.lab", "None yet").await;
    look(&mut page, "lab-empty").await;
    page.click("a[href='/lab/new/echoes']").await;
    page.wait_until(READY, "the form").await;
    page.fill("#games", "2000").await;
    page.fill("#seed", "7").await;
    look(&mut page, "lab-form").await;
    // A mistake is said beside the form, and nothing of it is lost.
    page.click("form.order details summary").await;
    page.fill("#option-spread", "99").await;
    page.press("Enter").await;
    refused(&page, "there are 24").await;
    assert_eq!(page.eval("document.getElementById('games').value").await, "2000");
    page.fill("#option-spread", "2").await;
    page.press("Enter").await;
    page.wait_until("location.pathname.startsWith('/lab/batches/')", "the page of the batch").await;
    done(&page).await;
    let won = page.text("tr[data-seat] td.win").await;
    assert!(won.contains(" % ") && won.contains(" to "), "a share with its interval: {won}");
    for part in ["How games end", "VP by turn", "How long games are", "What happened"] {
        page.wait_text("main.lab", part).await;
    }
    page.click("[data-shows=more-events]").await;
    page.wait_for("#more-events tr").await;
    look(&mut page, "lab-batch").await;
    let [kind, how, text] = download(&page, "report.txt").await;
    assert!(kind.starts_with("text/plain") && how.starts_with("attachment"), "{kind}, {how}");
    assert_eq!(
        text,
        simulated(&["--spread", "2", "--games", "2000", "--seed", "7"]),
        "the program prints the same"
    );
    let [_, _, json] = download(&page, "report.json").await;
    assert_eq!(json, simulated(&["--spread", "2", "--games", "2000", "--seed", "7", "--json"]));
    let [kind, _, rows] = download(&page, "events.csv").await;
    assert!(kind.starts_with("text/csv") && rows.starts_with("way,event,per_game"), "{rows}");
    page.goto(&server.at("/lab")).await;
    page.wait_text(".rows", "2,000 games").await;
    look(&mut page, "lab-list").await;
    page.assert_quiet().await;
}

/// Writes the text of the editor anew.
async fn write(page: &Page, from: &str, to: &str) {
    let script = "const text = document.querySelector('.writing textarea');
        const changed = text.value.replace(arguments[0], arguments[1]);
        if (changed === text.value) throw new Error('nothing was changed');
        text.focus();
        text.value = changed;
        text.dispatchEvent(new Event('input', { bubbles: true }));";
    page.run(script, vec![from.into(), to.into()]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_scenario_is_changed_mended_and_measured() {
    let server = Server::start();
    let mut page = Page::open_at(LAPTOP, &server.at("/lab/edit/dday/scenario?of=03_villers_bocage")).await;
    page.wait_until(READY, "the editor").await;
    page.wait_text(".findings", "No mistake").await;
    look(&mut page, "lab-editor").await;
    // The mistake is shown with its line, its place and a hint while one writes.
    write(&page, "\"rec_mech\"", "\"rec_mecj\"").await;
    page.wait_text(".findings .verdict.bad", "mistake").await;
    let found = page.text(".findings").await;
    for part in ["rec_mecj", "^^^^^", "Line ", "Hint: did you mean"] {
        assert!(found.contains(part), "{part}: {found}");
    }
    page.wait_for(".gutter .bad").await;
    look(&mut page, "lab-editor-mistake").await;
    page.click(".problems li:has(pre) button").await;
    let line = "(() => { const t = document.querySelector('.writing textarea');
        return t.value.slice(0, t.selectionStart).split('\\n').length; })()";
    let shown = page.eval("Number(document.querySelector('.problems button').dataset.line)").await;
    assert_eq!(page.eval(line).await, shown, "the caret stands where the mistake is");
    // What can't be read is not measured.
    page.fill("#games", "60").await;
    page.click("button.go").await;
    refused(&page, "rec_mecj").await;
    write(&page, "\"rec_mecj\"", "\"rec_mech\"").await;
    page.wait_text(".findings .verdict.good", "No mistake").await;
    // Nothing to measure yet.
    page.click("button.go").await;
    refused(&page, "the same").await;
    write(&page, "\nturns = ", "\nturns = 6 # was ").await;
    page.wait_text(".findings .verdict.good", "No mistake").await;
    page.click("button.go").await;
    page.wait_until("location.pathname.startsWith('/lab/batches/')", "the page of the comparison").await;
    done(&page).await;
    page.wait_text("main.lab", "60 pairs of games with the same dice").await;
    let difference = page.text("tr[data-seat] td.difference").await;
    assert!(difference.contains(" to "), "a difference with its interval: {difference}");
    look(&mut page, "lab-compared").await;
    let [kind, _, rows] = download(&page, "differences.csv").await;
    assert!(
        kind.starts_with("text/csv") && rows.starts_with("of,what,first,second,difference,low,high"),
        "{rows}"
    );
    let turns = rows.lines().find(|line| line.starts_with("game,Turns,")).expect("a line");
    let change: f64 = turns.split(',').nth(4).and_then(|field| field.parse().ok()).expect("a number");
    assert!(change < -1.0, "games are shorter: {turns}");
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_is_reached_by_keys() {
    let server = Server::start();
    let page = Page::open_at(LAPTOP, &server.at("/lab/new/triumph")).await;
    page.wait_until(READY, "the form").await;
    // From the first field to the button by Tab alone.
    let mut seen = Vec::new();
    for _ in 0..60 {
        page.press("Tab").await;
        let at = "(e => e.id || e.textContent.trim().slice(0, 24))(document.activeElement)";
        let at = page.eval(at).await.as_str().unwrap_or_default().to_owned();
        seen.push(at.clone());
        if at == "Start" {
            break;
        }
    }
    for wanted in ["setup", "seat-0", "seat-1", "seat-2", "games", "seed", "Start"] {
        assert!(seen.iter().any(|at| at == wanted), "{wanted} is not among {seen:?}");
    }
    page.eval("document.getElementById('games').value = '100000'").await;
    page.press("Enter").await;
    page.wait_until("location.pathname.startsWith('/lab/batches/')", "the page of the batch").await;
    page.wait_for(".stage[data-stage=running]").await;
    // A batch that is stopped can be started again, and deleted.
    page.click("form[data-deed=stop] button").await;
    page.wait_for(".stage[data-stage=stopped]").await;
    page.click("form[data-deed=again] button").await;
    page.wait_for(".stage[data-stage=running]").await;
    page.run("window.confirm = () => true;", vec![]).await;
    page.click("form[data-deed=delete] button").await;
    page.wait_text("main.lab", "None yet").await;
    assert_eq!(page.eval("location.pathname").await, json!("/lab"));
    page.assert_quiet().await;
}

/// A worker that ends with the test.
#[cfg(feature = "shared")]
struct Worker(Child);

#[cfg(feature = "shared")]
impl Worker {
    fn start(nats: &nats::Server) -> Self {
        let mut command = Command::new(PROGRAM);
        command.args(["worker", "--threads", "1", "--nats", &nats.address()]).stdin(Stdio::null());
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a worker starts"))
    }

    fn end(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[cfg(feature = "shared")]
impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(feature = "shared")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_are_seen_at_work_and_missed_when_they_are_gone() {
    let Some(nats) = nats::Server::start() else { return };
    let server = Server::start_with(&["--nats", &nats.address()]);
    let mut page = Page::open_at(LAPTOP, &server.at("/lab")).await;
    page.wait_text(".crew", "None is there").await;
    page.wait_text(".crew pre", &format!("maproom worker --nats {}", nats.address())).await;
    look(&mut page, "lab-workers-none").await;
    // Nobody loads the page again.
    let (mut first, second) = (Worker::start(&nats), Worker::start(&nats));
    for worker in [&first, &second] {
        page.wait_text(".here", &format!("process {}", worker.0.id())).await;
    }
    page.wait_text(".here", "waits for work").await;
    look(&mut page, "lab-workers-here").await;
    page.click("a[href='/lab/new/echoes']").await;
    page.wait_until(READY, "the form").await;
    page.fill("#games", "1000000").await;
    page.eval("document.getElementById('seat-0').value = 'sergeant'").await;
    page.press("Enter").await;
    page.wait_until("location.pathname.startsWith('/lab/batches/')", "the page of the batch").await;
    let games = |worker: &Worker| {
        format!(
            "[...document.querySelectorAll('tr[data-worker=other]')].some(row =>
                row.querySelector('th').textContent.includes('process {}') && /[1-9]/.test(row.querySelector('td.number').textContent))",
            worker.0.id()
        )
    };
    page.wait_until(&games(&first), "the first worker has played").await;
    page.wait_until(&games(&second), "the second worker has played").await;
    page.wait_text("tr[data-worker=other] .now", "plays").await;
    page.wait_text(".head .state", "left").await;
    look(&mut page, "lab-batch-workers").await;
    first.end();
    page.wait_for("tr[data-gone]").await;
    page.wait_text("tr[data-gone] .now", "is gone").await;
    look(&mut page, "lab-batch-worker-gone").await;
    page.click("form[data-deed=stop] button").await;
    page.wait_for(".stage[data-stage=stopped]").await;
    page.wait_gone("main[data-follow]").await;
    page.wait_until(&games(&second), "who has played what is still there").await;
    assert_eq!(page.count("td.now").await, 0, "nobody is at it now");
    look(&mut page, "lab-batch-workers-after").await;
    page.assert_quiet().await;
}
