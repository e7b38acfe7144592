//! The situation in the middle of the head: the scenario, the hour, the turns, and how the attack stands against its aim.
//! Rules 5, 16.4, 18.

use dday::{Rules, SEASONS, State};
use maud::{Markup, html};

use super::counter;
use web::Scene;

/// The hours of the light on the map.
const MORNING: u8 = 8;
const EVENING: u8 = 19;
/// The bar of victory points has no more pieces than this.
const MOST_POINTS: u32 = 60;

/// The panel, and the light on the map.
pub fn draw(rules: &Rules, s: &State, scene: &mut Scene) {
    scene.class("sky", format!("sky {}", light(s)));
    scene.add("situation", "clock", clock(rules, s));
}

/// What light it is.
pub fn light(s: &State) -> &'static str {
    match s.clock % 24 {
        _ if s.night => "night",
        hour if hour < MORNING => "dawn",
        hour if hour >= EVENING => "dusk",
        _ => "day",
    }
}

fn clock(rules: &Rules, s: &State) -> Markup {
    let scenario = &*rules.scenario;
    let sign = if s.night { "moon" } else { "sun" };
    html! {
        section #clock .situation aria-label="Situation" {
            header {
                svg.hour-sign.(light(s)) viewBox="0 0 24 24" aria-hidden="true" { use href={"#i-" (sign)} {} }
                b.hour { @if s.night { "Night" } @else { (Rules::hour(s.clock)) } }
                span.date { (date(&scenario.date)) ", " (SEASONS[usize::from(scenario.season) % SEASONS.len()]) }
            }
            (turns(rules, s))
            (aims(rules, s))
        }
    }
}

/// "13 June 1944".
pub fn date(text: &str) -> String {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    let month = month
        .and_then(|month| month.parse::<usize>().ok())
        .and_then(|month| crate::words::MONTHS.get(month.wrapping_sub(1)));
    match (year, month, day.and_then(|day| day.parse::<u8>().ok())) {
        (Some(year), Some(month), Some(day)) => format!("{day} {month} {year}"),
        _ => text.to_owned(),
    }
}

/// The turns of the scenario; reinforcements stand over the turn in which they come.
fn turns(rules: &Rules, s: &State) -> Markup {
    let last = rules.scenario.turns;
    html! {
        ol.turns aria-label={"Turn " (s.turn) " of " (last)} {
            @for turn in 1..=last {
                li.now[turn == s.turn].past[turn < s.turn] { (turn) }
            }
        }
    }
}

/// The aggressor's points on their way to its aim. Rule 16.4.
fn aims(rules: &Rules, s: &State) -> Markup {
    let (scenario, victory) = (&*rules.scenario, rules.scenario.victory);
    let (have, total) = (u32::from(rules.aggressor_vp(s)), u32::from(scenario.total_vp()).max(1));
    let (wins, fails) = (u32::from(victory.aggressor_win), u32::from(victory.defender_win));
    let sudden = u32::from(victory.sudden);
    let words = format!(
        "{} holds {have} of {total} VP: it wins with {} at the end and loses with {} or less{}",
        rules.side_name(scenario.aggressor),
        wins,
        fails,
        if sudden > 0 { format!(", and wins at once with {sudden}") } else { String::new() }
    );
    html! {
        div.aims.(counter::nation(scenario, scenario.aggressor)) title=(words) {
            // More points than the bar can show appear as numbers only.
            @if total <= MOST_POINTS {
                ol aria-hidden="true" {
                    @for point in 1..=total {
                        li.have[point <= have].fails[point <= fails].wins[point >= wins]
                            .sudden[sudden > 0 && point >= sudden] {}
                    }
                }
            }
            span { b { (have) } " VP · wins with " b { (wins) } @if sudden > 0 { ", at once with " b { (sudden) } } }
            span.sr { (words) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_for_people() {
        assert_eq!(date("1944-06-13"), "13 June 1944");
        assert_eq!(date("one day"), "one day");
        assert_eq!(date("1944-13-01"), "1944-13-01");
    }
}
