//! Unconditional Surrender! at the board: an army is activated and marches many hexes by two clicks, layers by keys; a whole
//! month, a landing and an interception by the mouse.

use crate::blitz_desk::{calm, offered};
use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{choose, is_over, lobby_ready, ready, revision, seed, sit_down, wait_revision};
use crate::together::link;
use crate::triumph_desk::{LAPTOP, asked, by_mouse};

const FORM: &str = "form.game:has([name=game][value=surrender])";

/// Poland 1939 as the Axis, up to the first action.
pub async fn poland(server: &Server, size: Size) -> Page {
    let page = Page::open_at(size, server.url()).await;
    lobby_ready(&page).await;
    page.choose(&format!("{FORM} [name='option.scenario']"), "poland-1939").await;
    page.choose(&format!("{FORM} [name='seat.0']"), "me").await;
    page.choose(&format!("{FORM} [name='seat.1']"), "bot:random").await;
    page.click(&format!("{FORM} .go")).await;
    ready(&page).await;
    calm(&page).await;
    page.wait_for("#orders [data-choice='pass']").await;
    page.click("#orders [data-choice='pass']").await;
    page.wait_for("#u-GER-16PZ[data-choice*='activate']").await;
    page
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panzer_corps_marches_by_two_clicks() {
    let server = Server::start();
    let page = poland(&server, Size::DESKTOP).await;
    page.shot("surrender-poland").await;
    let before = revision(&page).await;
    page.click("#u-GER-16PZ").await;
    wait_revision(&page, before + 1).await;
    page.wait_for("#lit .h[data-choice*=' > ']").await;
    assert!(page.count("#lit .odds").await > 0, "the odds of attacks stand on the map");
    // A way of at least three steps to a hex on which nothing lies.
    let far = "const free = (hex) => {
            const box = hex.getBoundingClientRect();
            const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            return top === hex && hex.dataset.choice.split(' > ').length >= 3 && !hex.dataset.choice.includes('attack');
        };
        const hex = [...document.querySelectorAll('#lit .h')].find(free);
        hex.id = 'far';
        return hex.dataset.choice;";
    let chain = page.run(far, vec![]).await;
    let steps = chain.as_str().expect("a chain").split(" > ").count() as u64;
    page.hover("#far").await;
    page.wait_for("#ways .march-way").await;
    page.shot("surrender-march").await;
    let from = page.attribute("#u-GER-16PZ", "transform").await;
    let (before, log) = (revision(&page).await, page.eval("maproom.steps").await.as_u64());
    page.click("#far").await;
    wait_revision(&page, before + 1).await;
    assert_ne!(page.attribute("#u-GER-16PZ", "transform").await, from, "it has moved");
    let walked = page.eval("maproom.steps").await.as_u64().zip(log).map(|(now, then)| now - then);
    assert!(walked.is_some_and(|walked| walked >= steps), "{walked:?} of {steps} steps");
    page.assert_quiet().await;
}

/// A stack opens while the button is down: the browser then finds another piece under the pointer when it is let go, and gives
/// the click to what holds both.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_click_on_a_stack_that_is_opening_is_meant_for_what_was_pressed() {
    let server = Server::start();
    let page = poland(&server, Size::DESKTOP).await;
    let before = revision(&page).await;
    let id = page.run(
        "const piece = document.querySelector('.units [data-stack][data-choice*=\"activate GER-\"]');
        piece.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
        piece.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
        piece.parentElement.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }));
        return piece.id;",
        vec![],
    );
    let id = id.await;
    wait_revision(&page, before + 1).await;
    page.wait_for(&format!("#{}.active", id.as_str().expect("an id"))).await;
    page.assert_quiet().await;
}

/// A march is planned stop by stop, its chances are added up, and the first stop is reached by a button.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_march_with_an_attack_is_planned_before_it_is_made() {
    let server = Server::start();
    let page = poland(&server, LAPTOP).await;
    let shift_click = "const [css, dx] = arguments;
        const box = document.querySelector(css).getBoundingClientRect();
        const at = { clientX: box.x + box.width / 2 + dx, clientY: box.y + box.height / 2 };
        document.elementFromPoint(at.clientX, at.clientY)
            .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1, shiftKey: true, ...at }));";
    let before = revision(&page).await;
    page.run(shift_click, vec!["#u-GER-16PZ".into(), 0.into()]).await;
    page.wait_text(".plan-card", "Plan for 16PZ").await;
    page.click(".plan-card [data-plan-act=go]").await;
    wait_revision(&page, before + 1).await;
    page.wait_for("#lit .h[data-choice*='attack']").await;
    let target = "const hex = [...document.querySelectorAll('#lit [data-choice]')].find((hex) => / > attack|^attack/.test(hex.dataset.choice));
        hex.classList.add('the-target');
        return hex.dataset.choice;";
    let chain = page.run(target, vec![]).await;
    page.run(shift_click, vec![".the-target".into(), 0.into()]).await;
    page.wait_text(".plan-card .chances", "takes ").await;
    page.wait_text(".plan-card", "neither side commits anything").await;
    assert_eq!(page.count(".plan circle").await, 1);
    page.shot("surrender-plan").await;
    let before = revision(&page).await;
    page.click(".plan-card [data-plan-act=go]").await;
    wait_revision(&page, before + 1).await;
    assert!(chain.as_str().expect("a chain").contains("attack"), "{chain}");
    page.press("Escape").await;
    page.wait_gone(".plan-card:not([hidden])").await;
    // The same by words, for those who do not point.
    page.press("o").await;
    page.wait_for("#ask-odds").await;
    page.fill("#ask-odds [name=about]", "calc +5 vs +2").await;
    page.press("Enter").await;
    page.wait_text("#odds-asked", "+5 against +2").await;
    page.fill("#ask-odds [name=about]", "calc five").await;
    page.press("Enter").await;
    page.wait_text("#odds-asked", "without a position").await;
}

/// Without a Shift key, on a phone, the same is done with a button.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_march_is_planned_by_touch() {
    let server = Server::start();
    let page = poland(&server, LAPTOP).await;
    page.click("[data-plans]").await;
    page.wait_text(".plan-card", "Click the unit whose march you want to plan").await;
    let before = revision(&page).await;
    page.click("#u-GER-16PZ").await;
    page.wait_text(".plan-card", "Plan for 16PZ: click where it should go").await;
    assert_eq!(revision(&page).await, before, "a click for the plan chooses nothing");
    page.shot("surrender-plan-by-touch").await;
    page.click(".plan-card [data-plan-act=end]").await;
    page.wait_gone(".plan-card:not([hidden])").await;
    page.wait_for("[data-plans][aria-pressed=false]").await;
}

/// A stack under the pointer lies above the pieces of the next hexes, and goes back when the pointer leaves it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fanned_stack_lies_above_its_neighbours() {
    let server = Server::start();
    let page = poland(&server, LAPTOP).await;
    let order = "return [...document.querySelectorAll('#units > *')].map((piece) => piece.id).join(' ')";
    let drawn = page.run(order, vec![]).await;
    let point =
        "const over = (piece) => piece.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
        const piece = document.querySelector('#units [data-stack]');
        over(piece);
        const stack = [...document.querySelectorAll('#units .fanned')];
        const last = [...document.querySelectorAll('#units > *')].slice(-stack.length);
        const isAbove = stack.length > 1 && stack.every((one, at) => one === last[at]);
        over(document.querySelector('#map'));
        return isAbove;";
    assert_eq!(page.run(point, vec![]).await, true);
    assert_eq!(page.run(order, vec![]).await, drawn, "they stand as they stood");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn layers_and_theatres_of_the_map_have_keys() {
    let server = Server::start();
    let page = poland(&server, Size::DESKTOP).await;
    for (key, class) in [("z", "show-zoc"), ("y", "show-supply"), ("e", "show-weather")] {
        page.press(key).await;
        page.wait_for(&format!(".surrender.{class}")).await;
        page.press(key).await;
        page.wait_gone(&format!(".surrender.{class}")).await;
    }
    page.wait_for(".map-scale.zoom-2").await;
    page.press("v").await;
    page.wait_for(".map-scale.zoom-0").await;
    page.assert_quiet().await;
}

/// A scenario from the lobby, with somebody at each seat by the words of the form.
async fn campaign(server: &Server, scenario: &str, seats: [&str; 2], dice: u64) -> Page {
    let page = Page::open_at(LAPTOP, server.url()).await;
    lobby_ready(&page).await;
    page.choose(&format!("{FORM} [name='option.scenario']"), scenario).await;
    for (at, who) in seats.iter().enumerate() {
        page.choose(&format!("{FORM} [name='seat.{at}']"), who).await;
    }
    seed(&page, dice).await;
    page.click(&format!("{FORM} .go")).await;
    ready(&page).await;
    calm(&page).await;
    page
}

/// What somebody wants to do, one after the other. What is not possible when its turn comes is left out; questions that the
/// list does not foresee are answered as quietly as possible.
struct Plan {
    wishes: std::slice::Iter<'static, &'static str>,
    next: Option<&'static str>,
}

impl Plan {
    fn new(wishes: &'static [&'static str]) -> Self {
        let mut wishes = wishes.iter();
        let next = wishes.next().copied();
        Self { wishes, next }
    }

    /// The choice to make now. A march of several steps is one wish, and one click.
    fn choice(&mut self, open: &[String]) -> String {
        let is_open =
            |wish: &str| wish.split(" > ").next().is_some_and(|first| open.iter().any(|name| name == first));
        // The enemy has added something to a combat: that needs no answer.
        let naming =
            open.iter().any(|name| name == "pass") && open.iter().any(|name| name.starts_with("use "));
        if naming && !self.next.is_some_and(is_open) {
            return "pass".to_owned();
        }
        while let Some(wish) = self.next {
            if is_open(wish) {
                self.next = self.wishes.next().copied();
                return wish.to_owned();
            }
            if self.wishes.as_slice().iter().chain(&[wish]).all(|wish| !is_open(wish)) {
                break;
            }
            self.next = self.wishes.next().copied();
        }
        let quiet = ["end", "hold back", "pass", "stop", "stay", "advance"];
        let found = quiet.into_iter().find(|quiet| open.iter().any(|name| name == quiet));
        found.map_or_else(|| open[0].clone(), str::to_owned)
    }
}

/// Waits until this seat is asked or the game is over.
async fn asked_or_over(page: &Page) -> Vec<String> {
    let done = "!maproom.busy && (document.querySelector('#prompt.over') || document.querySelectorAll('#choices ol [data-choice]').length > 0)";
    page.wait_until(done, "a question, or the end").await;
    offered(page).await
}

/// September 1939 as the Axis: an Air Strike, attacks on the move with aircraft and markers, a march through the gap, an Assault,
/// the end of the month, and what the Polish player makes of it. Every click is one on the map, on a panel or on a button.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn september_1939_by_the_mouse() {
    let server = Server::start();
    let page = campaign(&server, "poland-1939", ["me", "bot:staff"], 7).await;
    page.click("#pace button[data-pace=once]").await;
    let mut plan = Plan::new(&[
        "pass",
        "strike GER-LF1",
        "activate GER-10A",
        "attack 2933",
        "commit",
        "air GER-LF4",
        "advance",
        "attack 2934",
        "commit",
        "use ground-support",
        "advance",
        "stop",
        "activate GER-16PZ",
        "step 3033 > step 3034",
        "attack 2935",
        "hold back",
        "advance",
        "step 2835",
        "stop",
        "assault 2533",
        "primary GER-19PZ",
        "with GER-4A",
        "go",
        "commit",
        "air GER-LF1",
        "forward GER-19PZ",
        "activate GER-3A",
        "attack 2736",
        "hold back",
        "advance",
        "stop",
        "end",
    ]);
    let (mut clicks, mut on_the_board, mut attacks, mut ended) = (0, 0, 0, false);
    loop {
        let open = asked_or_over(&page).await;
        if is_over(&page).await || page.text("#turn").await != "September 1939" {
            break;
        }
        let name = plan.choice(&open);
        let attack = name.starts_with("attack ");
        if attack {
            page.wait_for("#lit .odds").await;
            if attacks == 0 {
                page.shot("surrender-odds").await;
            }
        }
        on_the_board += usize::from(by_mouse(&page, &name).await);
        clicks += 1;
        ended |= name == "end";
        if attack {
            // The whole sum of both sides, and the chance of every result, before anything is committed.
            page.wait_for("#battle .odds-bar").await;
            if attacks == 1 {
                page.shot("surrender-battle").await;
            }
            attacks += 1;
        }
        assert!(clicks < 120, "the month does not end");
    }
    page.shot("surrender-october").await;
    assert!(ended && attacks >= 2, "{attacks} attacks in {clicks} clicks");
    assert!(on_the_board * 2 > clicks, "{on_the_board} of {clicks} clicks on the board");
    page.wait_text("#log", "takes Lodz").await;
    page.assert_quiet().await;
}

/// Weser Exercise: one army lands in a defended port, with the odds before the dice, the next one in an empty one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_army_lands_by_the_mouse() {
    let server = Server::start();
    let page = campaign(&server, "scandinavia-1940", ["me", "bot:staff"], 7).await;
    page.click("#pace button[data-pace=once]").await;
    let from = page.attribute("#u-GER-2A", "transform").await;
    let mut plan = Plan::new(&[
        "pass",
        "play weser-exercise",
        "invade GER-21G",
        "at 1627",
        "hold back",
        "invade GER-2A",
        "with GER-CV2",
        "at 1028",
    ]);
    let mut landings = 0;
    while plan.next.is_some() {
        let open = asked(&page).await;
        let name = plan.choice(&open);
        if name.starts_with("at ") {
            page.shot(&format!("surrender-beaches-{landings}")).await;
            landings += 1;
        }
        by_mouse(&page, &name).await;
        if name == "at 1627" {
            page.wait_for("#battle .odds-bar").await;
            page.wait_text("#battle", "Amphibious Invasion").await;
        }
    }
    assert_eq!(landings, 2);
    page.wait_text("#log", "The German 2nd Army lands in Trondheim").await;
    page.shot("surrender-landed").await;
    assert_ne!(page.attribute("#u-GER-2A", "transform").await, from, "it is ashore");
    page.assert_quiet().await;
}

/// Ships lie behind the armies of their port and of the next one, too small to be told apart on a whole front: they are picked in
/// the list, where they go on the map.
async fn sail_by_mouse(page: &Page, name: &str) {
    if name.starts_with("sail ") {
        choose(page, name).await;
    } else {
        by_mouse(page, name).await;
    }
}

/// Two people in two windows: what one sails, the other may intercept, or let go once and for all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interception_is_answered_in_the_other_window() {
    let server = Server::start();
    let axis = campaign(&server, "scandinavia-1940", ["me", "friend"], 7).await;
    let west = sit_down(LAPTOP, &link(&axis, "link-0").await).await;
    calm(&west).await;
    for page in [&axis, &west] {
        asked(page).await;
        by_mouse(page, "pass").await;
    }
    for name in ["sail GER-KM", "to 2526", "alone"] {
        wait_revision(&axis, revision(&west).await).await;
        assert!(asked(&axis).await.iter().any(|open| open == name), "no {name}");
        sail_by_mouse(&axis, name).await;
    }
    let open = asked(&west).await;
    for name in ["intercept UK-HFL", "let go", "let all go"] {
        assert!(open.iter().any(|open| open == name), "no {name}: {open:?}");
    }
    west.wait_text("#prompt", "intercept?").await;
    west.shot("surrender-interception").await;
    assert_eq!(offered(&axis).await, Vec::<String>::new(), "it is not the Axis that answers");
    by_mouse(&west, "intercept UK-HFL").await;
    for page in [&axis, &west] {
        wait_revision(page, revision(&west).await).await;
        page.wait_text("#log", "interdicted by the Home Fleet").await;
    }
    // The next ship is let go, and with it all others of this month.
    for name in ["sail GER-CV2", "to 2626", "alone"] {
        assert!(asked(&axis).await.iter().any(|open| open == name), "no {name}");
        sail_by_mouse(&axis, name).await;
    }
    asked(&west).await;
    by_mouse(&west, "let all go").await;
    axis.wait_text("#log", "the Western Allies intercept nothing more this month").await;
    for name in ["sail GER-CV1", "to 2730"] {
        assert!(asked(&axis).await.iter().any(|open| open == name), "no {name}");
        sail_by_mouse(&axis, name).await;
    }
    axis.wait_text("#log", "Stettin").await;
    wait_revision(&west, revision(&axis).await).await;
    assert_eq!(offered(&west).await, Vec::<String>::new(), "nobody asks the West again");
    axis.shot("surrender-standing-answer").await;
    for page in [&axis, &west] {
        page.assert_quiet().await;
    }
}
