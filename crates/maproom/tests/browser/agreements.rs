//! Two people with a clock: time that runs, an offer that is declined and one that is accepted, in two windows.

use crate::blitz_desk::{calm, tick};
use crate::driver::Page;
use crate::fair_dice::ROLLED;
use crate::server::Server;
use crate::table::{lobby_ready, ready, sit_down};
use crate::together::link;
use crate::triumph_desk::LAPTOP;

const FORM: &str = "form.game:has([name=game][value=blitz])";

/// Whether the menu of offers is open.
const UNFOLDED: &str = "document.querySelector('#agreements details').open";

/// Offers something or resigns, by the menu beside the choices; whatever is asked before it is done is answered with yes.
pub async fn deed(page: &Page, word: &str) {
    let unfold = format!(
        "(() => {{
            const menu = document.querySelector('#agreements [data-deed={word}]')?.closest('details');
            if (menu && !menu.open) menu.querySelector('summary').click();
            window.confirm = () => true;
            return Boolean(menu?.open) && !maproom.busy;
        }})()"
    );
    page.wait_until(&unfold, "the menu of offers").await;
    page.click(&format!("#agreements [data-deed={word}]")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_people_with_a_clock_agree_on_a_draw() {
    let server = Server::start();
    let axis = Page::open_at(LAPTOP, server.url()).await;
    lobby_ready(&axis).await;
    tick(&axis, "mode", "two_player").await;
    for (seat, who) in ["me", "friend"].iter().enumerate() {
        axis.choose(&format!("{FORM} [name='seat.{seat}']"), who).await;
    }
    axis.choose(&format!("{FORM} [name=clock]"), "daily").await;
    let given = "const form = document.querySelector(arguments[0]);
        const days = [...form.querySelectorAll('[name=off]')].map((box) => box.value);
        return [days.join(' '), form.querySelector('[name=zone]').value];";
    let given = axis.run(given, vec![FORM.into()]).await;
    assert_eq!(given[0], "mon tue wed thu fri sat sun", "the days that one may have off");
    assert_ne!(given[1], "", "the zone of the browser");
    axis.click(&format!("{FORM} .off-days summary")).await;
    axis.shot("agreements-days-off").await;
    axis.click(&format!("{FORM} .go")).await;
    ready(&axis).await;
    calm(&axis).await;
    let allies = sit_down(LAPTOP, &link(&axis, "link-0").await).await;
    calm(&allies).await;
    for page in [&axis, &allies] {
        page.wait_until(ROLLED, "the first dice").await;
        page.wait_text("#clocks", "2 d 23 h").await;
        assert_eq!(page.count("#clocks li").await, 2, "each of them has a clock");
        assert_eq!(page.count("#clocks li.awaited").await, 1, "one of them is awaited");
    }
    for page in [&axis, &allies] {
        page.click("#agreements summary").await;
    }
    axis.shot("agreements-menu").await;
    axis.click("#agreements [data-deed=pause]").await;
    allies.wait_text("#agreements", "asks for a pause").await;
    allies.shot("agreements-asked").await;
    // Whoever has opened the menu has it open still when a line comes before it, and when it goes.
    assert_eq!(allies.eval(UNFOLDED).await, true);
    allies.click("#agreements [data-deed=no]").await;
    for page in [&axis, &allies] {
        page.wait_until("!document.querySelector('#agreements [data-offer]')", "a declined offer").await;
        assert_eq!(page.eval(UNFOLDED).await, true);
    }
    deed(&allies, "draw").await;
    axis.wait_text("#agreements", "offers a draw").await;
    axis.click("#agreements [data-deed=yes]").await;
    for page in [&axis, &allies] {
        page.wait_for("#prompt.over").await;
        page.wait_text("#prompt", "Draw by agreement").await;
        page.wait_gone("#choices ol [data-choice]").await;
        page.assert_quiet().await;
    }
    axis.shot("agreements-over").await;
}
