//! The head of the board: the month, the phase, the weather, and what the acting faction can still spend.

use maud::{Markup, html};
use surrender::{Country, Faction, MONTHS, Phase, Rules, State, Status, Weather, month_of, month_words};
use web::Scene;

/// The phases of a turn in short, in the order of rule 1.2.
const PHASES: [(Phase, &str); 14] = [
    (Phase::Weather, "Weather"),
    (Phase::DeclareWar, "War"),
    (Phase::Economy, "Economy"),
    (Phase::Strategic, "Strategic"),
    (Phase::Rail, "Rail"),
    (Phase::Actions, "Actions"),
    (Phase::Supply, "Supply"),
    (Phase::NoSupply, "No Supply"),
    (Phase::Replacements, "Replace"),
    (Phase::Upgrade, "Upgrade"),
    (Phase::Mobilization, "Mobilize"),
    (Phase::Diplomacy, "Diplomacy"),
    (Phase::Victory, "Victory"),
    (Phase::EndOfTurn, "End"),
];

/// The name of a turn's month in three letters.
fn month_letters(turn: u8) -> &'static str {
    &MONTHS[usize::from(month_of(turn).1 - 1)][..3]
}

/// A month in short: "Sep 39".
pub fn month_short(turn: u8) -> String {
    format!("{} {}", month_letters(turn), month_of(turn).0 % 100)
}

/// Draws the head.
pub fn draw(rules: &Rules, state: &State, scene: &mut Scene) {
    scene.add("month-place", "month", html! {
        div #month .month {
            div.date { b { (month_words(state.turn)) } (track(rules, state)) }
            ol.phases aria-label="Phases of the turn" {
                @for (phase, word) in PHASES {
                    li.now[phase == state.phase].past[phase < state.phase] aria-current=[(phase == state.phase).then_some("step")] { (word) }
                }
            }
            (weather(state))
        }
    });
    // What is spent changes with every action, the month does not.
    scene.add("purses-place", "purses", purses(rules, state));
}

/// The turn track: the months of the scenario, in a long war those of the year.
fn track(rules: &Rules, state: &State) -> Markup {
    let (first, last) = (rules.scenario().first, rules.scenario().last);
    let from = if last - first < 12 { first } else { (state.turn.saturating_sub(4)).max(first) };
    let to = if last - first < 12 { last } else { (from + 11).min(last) };
    html! {
        ol.track aria-label="Turn track" {
            @for turn in from..=to {
                li.now[turn == state.turn].past[turn < state.turn] title=(month_words(turn)) { (month_letters(turn)) }
            }
        }
    }
}

fn weather(state: &State) -> Markup {
    let sign = |weather: Weather| match weather {
        Weather::Fair => ("fair", "☀"),
        Weather::Poor => ("poor", "☁"),
        Weather::Severe => ("severe", "❄"),
    };
    html! {
        ul.sky aria-label="Weather" {
            @for (zone, weather) in ["Cold", "Mild", "Warm"].into_iter().zip(state.weather) {
                @let (class, sign) = sign(weather);
                li.(class) title={(zone) " zone: " (weather.title())} { span { (zone) } b aria-hidden="true" { (sign) } span.word { (weather.title()) } }
            }
        }
    }
}

/// The points of the countries of the acting faction that have some.
fn purses(rules: &Rules, state: &State) -> Markup {
    let acting: Faction = state.acting;
    let rich: Vec<Country> = Country::all()
        .filter(|country| {
            let now = state.country(*country);
            now.status == Status::Active && now.side == acting.side() && now.points > 0
        })
        .collect();
    html! {
        div #purses .purses.(acting.word()) {
            b { (acting.title()) }
            @for country in rich {
                span title={(rules.world.country(country).name) ": points left to spend"} { (country.id()) " " b { (state.country(country).points) } }
            }
        }
    }
}
