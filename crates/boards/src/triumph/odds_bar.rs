//! What the Battle under way comes to, as a bar on its board. Rules 12.2 to 12.4.

use maud::{Markup, html};
use triumph::{Atlas, Faction, Rules, View};

/// What the bar takes for granted.
const ASSUMED: &str = "If everybody fires where its firepower is greatest and nobody retreats";

/// A part of the bar.
struct End {
    class: &'static str,
    chance: f64,
    said: &'static str,
}

/// A chance in words: a sample never tells that something is certain.
fn percent(chance: f64, sampled: bool) -> String {
    match (chance * 100.0).round() as u32 {
        100 if sampled => "over 99 %".to_owned(),
        whole if sampled => format!("about {whole} %"),
        whole => format!("{whole} %"),
    }
}

/// The bar: one round on land, at sea all of the Battle. Nothing where nobody defends.
pub fn draw(rules: &Rules, view: &View) -> Markup {
    let state = view.state();
    let Some(prospects) = rules.battle_prospects(view) else { return Markup::default() };
    let defends = state.battle.against.factions().next().map_or("neutral", Faction::word);
    let at_sea = Atlas::is_sea(state.battle.area);
    let [attacker, defender, both, nobody] = prospects.ends;
    let ends = [
        End { class: state.turn.faction.word(), chance: attacker, said: "only the Attacker is left" },
        End {
            class: "both",
            chance: both + nobody,
            said: if at_sea { "nobody can go on" } else { "both are left" },
        },
        End { class: defends, chance: defender, said: "only the Defender is left" },
    ];
    let sampled = prospects.sample.is_some();
    let lost = |side: usize| format!("{:.1}", prospects.toll.total(side));
    let mut from = 0.0;
    let parts = ends.each_ref().map(|end| {
        let left = from;
        from += end.chance * 100.0;
        (end.class, format!("{left:.1}"), format!("{:.1}", end.chance * 100.0))
    });
    html! {
        div.battle-odds title=(ASSUMED) {
            p { b { @if at_sea { "Odds of this Battle" } @else { "Odds of this round" } } }
            svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" {
                @for (class, left, width) in parts { rect.(class) x=(left) y="0" width=(width) height="6" {} }
            }
            ul {
                @for end in ends.iter().filter(|end| end.chance >= 0.005) {
                    li.(end.class) { (end.said) " " b { (percent(end.chance, sampled)) } }
                }
            }
            small { "Steps lost on average: Attacker " (lost(0)) ", Defender " (lost(1)) }
        }
    }
}
