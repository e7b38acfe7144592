//! Sitting down at a table of Triumph & Tragedy: a new game by its form, and everything that can be chosen clicked where it lies
//! on the board: blocks, areas, nations, cards, panels, trays. What has no place there is clicked in the list.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::blitz_desk::{calm, offered};
use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{CHOICES, change, lobby_ready, post, ready, revision, seed};

pub const FORM: &str = "form.game:has([name=game][value=triumph])";

/// The screen that the board was designed for.
pub const LAPTOP: Size = Size { width: 1440, height: 900, scale: 1.0, touch: false };

/// What has no place on the board: to pass, to end, and what only words can tell.
const WORDS_ONLY: [&str; 11] =
    ["pass", "end", "finish", "nothing", "let", "double", "order", "stand", "give", "against", "die"];

/// Begins a war from the lobby, with somebody at each seat by the words of the form.
pub async fn war(server: &Server, size: Size, start: &str, seats: [&str; 3], dice: u64) -> Page {
    let page = Page::open_at(size, server.url()).await;
    lobby_ready(&page).await;
    page.choose(&format!("{FORM} [name='option.start']"), start).await;
    for (at, who) in seats.iter().enumerate() {
        page.choose(&format!("{FORM} [name='seat.{at}']"), who).await;
    }
    seed(&page, dice).await;
    page.click(&format!("{FORM} .go")).await;
    ready(&page).await;
    calm(&page).await;
    page
}

/// A place on the board where a choice can be made.
#[derive(Debug, Deserialize)]
struct Spot {
    /// A point of the window where a click reaches it.
    point: [f64; 2],
    /// Whether more can be chosen there, so that a menu opens.
    several: bool,
}

/// Finds a spot for a choice: the name itself or a chain that begins with it (a point is spent by one click). Only where a
/// mouse would reach it, and never in the list. A card that is put on a place is picked up first.
const SPOT: &str = r#"
  const [name] = arguments;
  const means = (given) => given === name || given.startsWith(`${name} > `) || name.startsWith(`${given} > `);
  const reached = (element) => {
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const box = element.getBoundingClientRect();
    // From the middle outwards: an area may be bent around its middle, or lie under blocks there.
    const parts = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9, 0.05, 0.95];
    for (const down of parts) for (const right of parts) {
      const point = [box.left + right * box.width, box.top + down * box.height];
      const top = document.elementFromPoint(...point);
      if (top && (element === top || element.contains(top))) return point;
    }
    return null;
  };
  const places = [...document.querySelectorAll('#board [data-choice]')]
    .map((element) => ({ element, names: element.dataset.choice.split('|') }))
    .filter(({ names }) => names.some(means))
    // Where nothing else can be meant comes first.
    .sort((one, other) => one.names.length - other.names.length);
  for (const { element, names } of places) {
    const point = reached(element);
    if (point) return { point, several: names.length > 1 };
  }
  return null;"#;

/// Whether a choice belongs on the board.
pub fn lies_on_the_board(name: &str) -> bool {
    let word = name.split(' ').next().unwrap_or_default();
    !WORDS_ONLY.contains(&word)
}

/// Makes a choice by the mouse: on the board where it has its place, in the list where words alone can tell it. Says whether it
/// was on the board.
pub async fn by_mouse(page: &Page, name: &str) -> bool {
    if !lies_on_the_board(name) {
        change(page, async || page.click(&format!("{CHOICES}[data-choice='{name}']")).await).await;
        return false;
    }
    let piece = page.run(PIECE, vec![name.into()]).await;
    if let Some(id) = piece.as_str() {
        page.click(&format!("#{id}")).await;
        page.wait_for(&format!("#{id}[aria-pressed=true]")).await;
    }
    let spot = point_at_spot(page, name).await;
    change(page, async || {
        page.click_at(spot.point).await;
        // A menu opens at once, or the choice is on its way.
        if spot.several && piece == Value::Null {
            page.wait_for("#pick:not([hidden])").await;
            let item = page.run(ITEM, vec![json!(name)]).await;
            let item = item.as_str().unwrap_or_else(|| panic!("{name} is not in the menu")).to_owned();
            page.click(&format!("#pick [data-choice='{item}']")).await;
        }
    })
    .await;
    true
}

/// As a person does: points at it, lets a stack fan out, and follows it until it lies still under the pointer, a few times at most.
async fn point_at_spot(page: &Page, name: &str) -> Spot {
    // A stack that is open under the pointer may lie over it: the pointer goes elsewhere first.
    if spot_of(page, name).await.is_none() {
        page.hover("#prompt").await;
        page.wait_until(AT_REST, "a board at rest").await;
    }
    let mut spot = find_spot(page, name).await;
    for _ in 0..8 {
        page.point_at(spot.point).await;
        page.wait_until(AT_REST, "a board at rest").await;
        let now = find_spot(page, name).await;
        if now.point == spot.point {
            return now;
        }
        spot = now;
    }
    spot
}

async fn find_spot(page: &Page, name: &str) -> Spot {
    match spot_of(page, name).await {
        Some(spot) => spot,
        None => panic!("{name} is nowhere on the board: {}", page.eval(NAMES_ON_THE_BOARD).await),
    }
}

async fn spot_of(page: &Page, name: &str) -> Option<Spot> {
    let found = page.run(SPOT, vec![name.into()]).await;
    serde_json::from_value(found).expect("a spot")
}

/// Nothing glides and no stack is opening.
const AT_REST: &str =
    "document.getAnimations().every((one) => !(one instanceof CSSTransition) || one.playState !== 'running')";

/// The card that has to be picked up for a choice.
const PIECE: &str = "const piece = [...document.querySelectorAll('#board [data-piece]')]
    .find((piece) => arguments[0].startsWith(`${piece.dataset.piece} `));
    return piece?.id ?? null;";

/// The item of the open menu for a choice.
const ITEM: &str = "const [name] = arguments;
    const items = [...document.querySelectorAll('#pick [data-choice]')].map((item) => item.dataset.choice);
    return items.find((item) => item === name || item.startsWith(`${name} > `)) ?? null;";

const NAMES_ON_THE_BOARD: &str = "[...document.querySelectorAll('#board [data-choice]')].map((place) => place.dataset.choice).slice(0, 60)";

/// Makes a choice by keys alone: what is chosen has the focus, and Enter does it; in a menu the arrows lead there.
pub async fn by_keys(page: &Page, name: &str) {
    let found = page.run(FOCUS, vec![name.into()]).await;
    let several = found.as_bool().unwrap_or_else(|| panic!("{name} can't have the focus"));
    change(page, async || {
        page.press("Enter").await;
        if !several {
            return;
        }
        page.wait_for("#pick:not([hidden])").await;
        let down = page.run(DOWN, vec![name.into()]).await.as_u64().expect("a place in the menu");
        for _ in 0..down {
            page.press("ArrowDown").await;
        }
        page.press("Enter").await;
    })
    .await;
}

/// Gives the focus to what is chosen: on the board where nothing else can be meant, else in the list, else where a menu opens.
/// Says whether one does.
const FOCUS: &str = r#"
  const [name] = arguments;
  const all = [...document.querySelectorAll('#board [data-choice], #choices ol [data-choice]')]
    .map((element) => ({ element, names: element.dataset.choice.split('|') }))
    .filter(({ names }) => names.includes(name))
    .sort((one, other) => one.names.length - other.names.length);
  for (const { element, names } of all) {
    element.focus();
    if (document.activeElement === element) return names.length > 1;
  }
  return null;"#;

/// How far down in the menu a choice is.
const DOWN: &str = "return [...document.querySelectorAll('#pick [data-choice]')]
    .findIndex((item) => item.dataset.choice === arguments[0]);";

/// Makes a choice without the board: for what is not looked at.
pub async fn at_once(page: &Page, name: &str) {
    let path = page.eval("location.pathname").await.as_str().expect("a path").to_owned();
    change(page, async || {
        let wish = json!({ "revision": revision(page).await, "choice": name });
        assert_eq!(post(page, &format!("{path}/choose"), &wish).await, 200, "{name}");
    })
    .await;
}

/// Waits until this seat is asked, and says what.
pub async fn asked(page: &Page) -> Vec<String> {
    page.wait_until(
        "!maproom.busy && document.querySelectorAll('#choices ol [data-choice]').length > 0",
        "a question for this seat",
    )
    .await;
    offered(page).await
}
