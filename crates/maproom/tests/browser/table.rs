//! Sitting down at a table: a new game, a choice, the position as the page shows it.

use serde::Deserialize;
use serde_json::Value;

use crate::driver::{Page, Size};
use crate::server::Server;

/// The buttons of the open choices.
pub const CHOICES: &str = "#choices ol [data-choice]";

/// The dice of all matches here: what happens is the same every time.
pub const SEED: u64 = 7;

/// Fills in the seed of every form of the lobby, as somebody would who unfolds "Dice and name".
pub async fn seed(page: &Page, seed: u64) {
    let script = "const fields = [...document.querySelectorAll('form.game [name=seed]')];
        for (const field of fields) field.value = arguments[0];
        return fields.length;";
    let filled = page.run(script, vec![seed.to_string().into()]).await;
    assert!(filled.as_u64() > Some(0), "no form asks for a seed");
}

/// Starts a game with the default set-up: an empty lobby, one click.
pub async fn new_game(server: &Server, size: Size) -> Page {
    new_game_of(server, size, SEED).await
}

/// The same with other dice.
pub async fn new_game_of(server: &Server, size: Size, dice: u64) -> Page {
    let page = Page::open_at(size, server.url()).await;
    seed(&page, dice).await;
    page.click(".go").await;
    ready(&page).await;
    page
}

/// Starts a game in which the player rolls.
pub async fn own_dice(server: &Server, size: Size) -> Page {
    let page = Page::open_at(size, server.url()).await;
    roll_oneself(&page).await;
    page
}

/// Starts the game whose form is filled in; the player rolls.
pub async fn roll_oneself(page: &Page) {
    page.click(".more summary").await;
    page.click("[name=dice][value=own]").await;
    page.click(".go").await;
    ready(page).await;
}

/// Opens the page of a table.
pub async fn sit_down(size: Size, url: &str) -> Page {
    let page = Page::open_at(size, url).await;
    ready(&page).await;
    page
}

/// Waits until a table can be played at and hears of changes.
pub async fn ready(page: &Page) {
    let ready =
        "document.body?.dataset.ready === 'true' && window.maproom && !document.querySelector('#link.lost')";
    page.wait_until(ready, "a table that is ready").await;
    page.drawn().await;
}

/// Waits until the lobby can be used.
pub async fn lobby_ready(page: &Page) {
    page.wait_until(
        "document.body?.dataset.ready === 'true' && document.querySelector('main.lobby')",
        "a lobby",
    )
    .await;
    page.drawn().await;
}

/// Whether this machine has nothing else to do, as somebody says who sets `MAPROOM_QUIET`: only then do times say something.
pub fn machine_is_quiet() -> bool {
    std::env::var_os("MAPROOM_QUIET").is_some()
}

pub async fn number(page: &Page, expression: &str) -> f64 {
    page.eval(expression).await.as_f64().unwrap_or_else(|| panic!("{expression} is no number"))
}

pub async fn revision(page: &Page) -> u64 {
    number(page, "maproom.revision").await as u64
}

pub async fn steps(page: &Page) -> u64 {
    number(page, "maproom.steps").await as u64
}

/// Waits until the page shows a revision, or a later one.
pub async fn wait_revision(page: &Page, revision: u64) {
    let shown = format!("maproom.revision >= {revision} && !maproom.busy && !maproom.clickedAt");
    page.wait_until(&shown, &format!("revision {revision}")).await;
}

/// Does something that changes the match, and waits until the change is shown.
pub async fn change(page: &Page, act: impl AsyncFnOnce()) {
    let before = revision(page).await;
    act().await;
    wait_revision(page, before + 1).await;
}

/// Presses a key that changes the match.
pub async fn key(page: &Page, chord: &str) {
    change(page, async || page.press(chord).await).await;
}

/// Clicks on the button of the first choice.
pub async fn choose_first(page: &Page) {
    change(page, async || page.click(CHOICES).await).await;
}

/// Clicks on the button of a choice.
pub async fn choose(page: &Page, name: &str) {
    change(page, async || page.click(&format!("{CHOICES}[data-choice='{name}']")).await).await;
}

/// Makes a number of choices, always the first.
pub async fn choose_some(page: &Page, count: usize) {
    for _ in 0..count {
        choose_first(page).await;
    }
}

pub async fn is_over(page: &Page) -> bool {
    page.count("#prompt.over").await > 0
}

/// The number of the turn.
pub async fn turn(page: &Page) -> u32 {
    let words = page.text("#turn").await;
    let number =
        words.strip_prefix("Turn ").and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
    number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{words:?} names no turn"))
}

/// Plays by the default choices until something that matches is offered.
pub async fn play_until(page: &Page, css: &str) {
    for _ in 0..60 {
        if page.count(css).await > 0 {
            return;
        }
        assert!(!is_over(page).await, "the game was over before there was {css}");
        match page.count(&format!("{CHOICES}.default")).await {
            0 => choose_first(page).await,
            _ => change(page, async || page.click(&format!("{CHOICES}.default")).await).await,
        }
    }
    panic!("{css} was never offered");
}

/// What a page shows of a match.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Shown {
    pub turn: String,
    pub prompt: String,
    pub choices: Vec<String>,
    pub log: Vec<String>,
    /// Every piece and where it stands.
    pub pieces: Vec<String>,
    /// The whole board, without what only the mouse or the moment lights, and without the marks of the last move.
    pub board: String,
}

const SHOWN: &str = "(() => {
  const text = (element) => element.textContent.replace(/\\s+/g, ' ').trim();
  const all = (css, of) => [...document.querySelectorAll(css)].map(of);
  const sheet = document.getElementById('sheet').cloneNode(true);
  sheet.querySelectorAll('.ghost, #traces, #moment').forEach((ghost) => ghost.remove());
  for (const element of [sheet, ...sheet.querySelectorAll('*')]) {
    element.classList.remove('fresh', 'considered', 'takes');
    if (element.getAttribute('class') === '') element.removeAttribute('class');
    // The order of attributes means nothing.
    const attributes = [...element.attributes].sort((one, other) => (one.name < other.name ? -1 : 1));
    for (const { name } of attributes) element.removeAttribute(name);
    for (const { name, value } of attributes) element.setAttribute(name, value);
  }
  return {
    turn: text(document.getElementById('turn')),
    prompt: text(document.getElementById('prompt')),
    choices: all('#choices ol [data-choice]', (choice) => choice.dataset.choice),
    log: all('#log li:not(.new-mark)', (line) => `${line.dataset.step} ${text(line)}`),
    pieces: all('.glide', (piece) => `${piece.id} ${piece.getAttribute('transform')}`),
    board: sheet.innerHTML,
  };
})()";

/// What the page shows now.
pub async fn shown(page: &Page) -> Shown {
    serde_json::from_value(page.eval(SHOWN).await).expect("what a page shows")
}

impl Shown {
    /// Fails if another page shows something else; says only what differs.
    #[track_caller]
    pub fn assert_same(&self, other: &Self, when: &str) {
        assert_eq!(self.turn, other.turn, "the turn {when}");
        assert_eq!(self.prompt, other.prompt, "the prompt {when}");
        assert_eq!(self.choices, other.choices, "the choices {when}");
        assert_eq!(self.log, other.log, "the log {when}");
        assert_eq!(self.pieces, other.pieces, "the pieces {when}");
        let (left, right) = (self.board.as_bytes(), other.board.as_bytes());
        if left != right {
            let at = left.iter().zip(right).take_while(|(left, right)| left == right).count();
            let around = |text: &[u8]| {
                let part = &text[at.saturating_sub(120).min(text.len())..(at + 120).min(text.len())];
                String::from_utf8_lossy(part).into_owned()
            };
            panic!("the board {when}:\n{}\n{}", around(left), around(right));
        }
    }
}

/// Sends a request from within the page, and returns the status.
pub async fn post(page: &Page, path: &str, body: &Value) -> u64 {
    let script =
        "return fetch(arguments[0], { method: 'POST', headers: { 'content-type': 'application/json' },
        body: JSON.stringify(arguments[1]) }).then(answer => answer.status);";
    page.run(script, vec![path.into(), body.clone()]).await.as_u64().expect("a status")
}

/// Opens the settings, ticks or chooses what is named by its selectors, and keeps them.
pub async fn settings(page: &Page, fields: &[&str]) {
    page.click("[data-act=settings]").await;
    for field in fields {
        page.click(&format!("#settings {field}")).await;
    }
    page.run("window.unset = true;", vec![]).await;
    page.click("#settings [type=submit]").await;
    page.wait_until("!window.unset && document.body?.dataset.ready === 'true'", "a page with new settings")
        .await;
}
