//! The row of orders above the map: the phases of the turn, and every choice that has no place of its own on the map.
//! Rule 5.1.

use dday::{Choice, Rules, Stage, State};
use maud::{Markup, html};

use super::counter;
use super::places::is_order;
use web::{Asked, Scene};

/// The phases of a player turn, by day and at night.
const DAY: [&str; 4] = ["Rally", "Movement", "Engineering", "Combat"];
const NIGHT: [&str; 4] = ["Rally", "Night moves", "Engineering", "Raids"];

/// Which of the phases it is; `None` between player turns.
const fn phase(stage: Stage) -> Option<usize> {
    match stage {
        Stage::Recovery
        | Stage::RecoveryZone
        | Stage::Rally
        | Stage::RallyDie
        | Stage::RallyVoice
        | Stage::RallyPick
        | Stage::RallyZone => Some(0),
        Stage::Movement
        | Stage::Group
        | Stage::ActivationDie
        | Stage::Fallback
        | Stage::March
        | Stage::Demolition
        | Stage::DemolitionDie
        | Stage::Turning
        | Stage::NightMoves => Some(1),
        Stage::Engineering | Stage::EngineeringDie => Some(2),
        Stage::Initiative
        | Stage::Order
        | Stage::Supports
        | Stage::Airdrop
        | Stage::NightDie
        | Stage::Over => None,
        _ => Some(3),
    }
}

/// The row.
pub fn draw(rules: &Rules, s: &State, asked: &Asked<'_, Choice>, scene: &mut Scene) {
    let now = phase(s.stage);
    let phases = if s.night { NIGHT } else { DAY };
    let row = html! {
        div #orders .orders.(counter::nation(&rules.scenario, s.side)) {
            p.whose { i {} (rules.side_name(s.side)) }
            ol.phases aria-label="Phases" {
                @for (at, title) in phases.into_iter().enumerate() {
                    li.now[now == Some(at)].past[now.is_some_and(|now| at < now)] aria-current=[(now == Some(at)).then_some("step")] { (title) }
                }
            }
            (members(rules, s, asked))
            (buttons(rules, s, asked))
        }
    };
    scene.add("orders-place", "orders", row);
}

/// The group that is being formed or that follows: who is in it, and who may join. Rules 10.1 and 11.8.
fn members(rules: &Rules, s: &State, asked: &Asked<'_, Choice>) -> Markup {
    if !matches!(s.stage, Stage::Group | Stage::LimitedGroup | Stage::LimitedAdvance | Stage::Advance) {
        return Markup::default();
    }
    html! {
        ul.members aria-label="Group" {
            @if s.stage == Stage::Group {
                @for unit in s.act.group { li.in title=(rules.unit_name(unit)) { (counter::small(rules, unit)) } }
            }
            @for (choice, name) in asked.open {
                @if let Choice::With(unit) | Choice::Advance(unit) = *choice {
                    li { button.member type="button" data-choice=(name) title=(rules.label(s, *choice)) aria-label=(rules.label(s, *choice)) { (counter::small(rules, unit)) } }
                }
            }
        }
    }
}

fn buttons(rules: &Rules, s: &State, asked: &Asked<'_, Choice>) -> Markup {
    let open = asked.open.iter().filter(|(choice, _)| is_order(*choice) && !in_builder(s, *choice));
    html! {
        div.buttons-row {
            @if s.die > 0 { i.die data-face=(s.die) {} }
            @for (choice, name) in open {
                button.order.main[is_main(*choice)].end[*choice == Choice::End] type="button" data-choice=(name) { (words(rules, s, *choice)) }
            }
        }
    }
}

/// Whether the attack builder has a button for a choice.
const fn in_builder(s: &State, choice: Choice) -> bool {
    matches!(choice, Choice::Attack | Choice::Ready | Choice::Fire(_) | Choice::WithAll)
        && matches!(s.stage, Stage::AssaultForce | Stage::AssaultFire | Stage::RangedFire)
}

/// The answer that most people want.
const fn is_main(choice: Choice) -> bool {
    matches!(choice, Choice::Roll | Choice::Attack | Choice::Ready | Choice::Keep | Choice::First)
}

/// What a button says: the label as far as the first comma or colon.
fn words(rules: &Rules, s: &State, choice: Choice) -> String {
    let label = rules.label(s, choice);
    match choice {
        Choice::WithAll if s.stage == Stage::AssaultForce => "All who help".to_owned(),
        Choice::WithAll => "All of them".to_owned(),
        Choice::Stand | Choice::Hold | Choice::Blow => label,
        _ => label.split([',', ':']).next().unwrap_or_default().to_owned(),
    }
}
