//! Sitting down at a table of Blitzkrieg!: a new game by its form, tokens and spaces, the end of one's turn.

use serde::Deserialize;

use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{CHOICES, SEED, change, choose, choose_first, is_over, lobby_ready, ready, seed};

/// The form of a new game.
pub const FORM: &str = "form.game:has([name=game][value=blitz])";

/// One's own tokens that can be placed.
pub const PIECES: &str = "#hand [data-piece]";

/// Ticks a large answer of the form.
pub async fn tick(page: &Page, name: &str, value: &str) {
    page.click(&format!("{FORM} label:has([name='option.{name}'][value={value}])")).await;
}

/// Opens the lobby and begins a solo game.
pub async fn solo(server: &Server, size: Size, board: &str) -> Page {
    let page = Page::open_at(size, server.url()).await;
    begin_solo(&page, board, SEED).await;
    page
}

/// Begins a solo game from the lobby, with the dice of a seed.
pub async fn begin_solo(page: &Page, board: &str, dice: u64) {
    lobby_ready(page).await;
    tick(page, "board", board).await;
    seed(page, dice).await;
    page.click(&format!("{FORM} .go")).await;
    ready(page).await;
    name_theatres(page).await;
}

/// Opens the lobby and begins a game for two, with somebody at either seat.
pub async fn for_two(server: &Server, size: Size, seats: [&str; 2]) -> Page {
    let page = Page::open_at(size, server.url()).await;
    lobby_ready(&page).await;
    tick(&page, "mode", "two_player").await;
    for (number, player) in seats.iter().enumerate() {
        page.choose(&format!("{FORM} [name='seat.{number}']"), player).await;
    }
    seed(&page, SEED).await;
    page.click(&format!("{FORM} .go")).await;
    ready(&page).await;
    page
}

/// Nothing moves: for tests that are long enough without.
pub async fn calm(page: &Page) {
    page.media(&[("prefers-reduced-motion", "reduce")]).await;
}

/// The names of the open choices.
pub async fn offered(page: &Page) -> Vec<String> {
    let names =
        "[...document.querySelectorAll('#choices ol [data-choice]')].map(choice => choice.dataset.choice)";
    serde_json::from_value(page.eval(names).await).expect("names of choices")
}

/// A roll of 6 at the set-up asks for a theatre: it is named on the board. Returns how often it was.
pub async fn name_theatres(page: &Page) -> usize {
    let mut asked = 0;
    while offered(page).await.first().is_some_and(|name| name.starts_with("theatre ")) {
        change(page, async || page.click("#board .title.lit").await).await;
        asked += 1;
        assert!(asked < 20, "theatres are asked for without end");
    }
    asked
}

/// Answers what a placement asks further, until a new turn begins or somebody else is to choose.
pub async fn finish_turn(page: &Page) {
    for _ in 0..20 {
        let names = offered(page).await;
        if names.iter().any(|name| name == "stop") {
            choose(page, "stop").await;
        } else if names.first().is_none_or(|name| name.starts_with("place ")) {
            return;
        } else {
            choose_first(page).await;
        }
    }
    panic!("a turn does not end");
}

/// Brings something to the middle of the screen, as a person would scroll to it.
pub async fn reach(page: &Page, css: &str) {
    let script =
        "document.querySelector(arguments[0]).scrollIntoView({ block: 'center', behavior: 'instant' });";
    page.run(script, vec![css.into()]).await;
}

/// The selector of a space.
pub fn space(name: &str) -> String {
    format!("#board [data-place='{name}']")
}

/// A token of one's own, and what can be done with it.
#[derive(Debug, Deserialize)]
pub struct Aim {
    /// The selector of the token.
    pub piece: String,
    /// The word of its kind.
    pub kind: String,
    /// Where it can go, by the list of choices; a calm space comes first.
    pub legal: Vec<String>,
    /// A space that it can't take.
    pub barred: String,
}

const AIM: &str = r#"(() => {
  const buttons = [...document.querySelectorAll('#choices ol [data-choice]')];
  const places = [...document.querySelectorAll('#board [data-place]')].map((place) => place.dataset.place);
  const calm = (button) => !/bombing|strategic|takes|closes/i.test(button.textContent);
  for (const piece of document.querySelectorAll('#hand [data-piece]')) {
    const kind = piece.dataset.piece.slice('place '.length);
    if (!/^((army|navy|air)[123]|general|admiral)$/.test(kind)) continue;
    const own = buttons.filter((button) => button.dataset.choice.startsWith(`place ${kind} `));
    const legal = [...own.filter(calm), ...own.filter((button) => !calm(button))].map((button) => button.dataset.choice.split(' ')[2]);
    const barred = places.find((place) => !legal.includes(place) && !document.querySelector(`[data-place='${place}'] .counter`));
    if (legal.length && barred) return { piece: `#${piece.id}`, kind, legal, barred };
  }
  return null;
})()"#;

/// A token that can be placed.
pub async fn aim(page: &Page) -> Aim {
    page.wait_for(PIECES).await;
    serde_json::from_value(page.eval(AIM).await).expect("a token that can be placed")
}

/// The words of the log, steps included, without reasons.
pub async fn told(page: &Page) -> Vec<String> {
    let lines = "[...document.querySelectorAll('#log li:not(.new-mark) p:not(.why p), #log li.turn')]
        .map(line => line.textContent.replace(/\\s+/g, ' ').trim())";
    serde_json::from_value(page.eval(lines).await).expect("lines of the log")
}

/// Fails if a token does not stand on a space, or the log does not say how it came there.
pub async fn assert_placed(page: &Page, kind: &str, place: &str, log_before: usize) {
    page.wait_for(&format!("{} use[href='#k-{kind}']", space(place))).await;
    let lines = told(page).await;
    let new = &lines[log_before..];
    let on = new.iter().find(|line| line.contains(" on ") && line.contains(", strength "));
    assert!(on.is_some(), "{new:#?}");
    // The marker stands where the last line about its theatre says.
    let theatre = place.split('.').next().unwrap_or_default();
    let title = page.text(&format!("#marker-{theatre} title")).await;
    let (name, stands) = title.split_once(": ").unwrap_or_else(|| panic!("{title:?}"));
    let moved = lines.iter().rev().find(|line| line.contains(&format!("{name}: ")) && line.contains(" → "));
    let to = moved.and_then(|line| line.rsplit_once(" → ")).unwrap_or_else(|| panic!("{name}: {lines:#?}")).1;
    assert!(to.starts_with(stands), "{title:?} and {moved:?}");
}

/// Plays by first choices until something that matches is there, or the game is over; returns whether it is there.
pub async fn play_on(page: &Page, css: &str) -> bool {
    for _ in 0..150 {
        if page.count(css).await > 0 {
            return true;
        }
        if is_over(page).await {
            return false;
        }
        page.wait_for(CHOICES).await;
        choose_first(page).await;
    }
    panic!("neither {css} nor an end");
}

/// As [`Page::assert_quiet`] where others move too: a page that is told late of a change may still ask what a choice would
/// do, and is refused.
pub async fn assert_calm(page: &Page) {
    let problems = page.console_problems().await;
    let others: Vec<&String> = problems.iter().filter(|line| !line.contains("/preview?choice=")).collect();
    assert!(others.is_empty(), "{others:#?}");
}
