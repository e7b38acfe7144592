//! What the sides have off the board: reserves and bags, the bot's row and its stratagem, the research pile. Rules 1.6, 8.
//!
//! Everything is drawn from a view: a reserve that is hidden from the viewer is only as many backs as it has tokens.

use blitz::layout::Effect;
use blitz::units::{Kind, Side};
use blitz::{Choice, Rules, Stratagem, View};
use maud::{Markup, html};

use super::symbols::{about, back, counter, side_class};
use web::{Asked, Scene};

/// The side whose reserve is nearest to the viewer; for spectators, the side that moves last.
fn near(view: &View) -> Side {
    view.own().unwrap_or(Side::Second)
}

/// The places of the other side's desk: what it holds, and what all share.
pub fn far_sheet(rules: &Rules) -> Markup {
    html! {
        section.far aria-label="The other side and the research pile" {
            div #far-reserve {}
            @if rules.solo().is_some_and(|solo| solo.stratagems) { div #stratagem-place {} }
            div #supplies {}
            @if rules.solo().is_none() {
                (legend())
            } @else {
                details.signs open { summary { "What the signs mean" } (legend()) }
            }
        }
    }
}

/// What the signs of the spaces mean. Rule 6.
fn legend() -> Markup {
    html! {
        ul.meanings {
            @for effect in Effect::ALL {
                @if let Some(words) = meaning(effect) {
                    li { svg.tile viewBox="0 0 64 64" aria-hidden="true" { use.effect href={"#e-" (effect.word())} {} } (words) }
                }
            }
        }
    }
}

const fn meaning(effect: Effect) -> Option<&'static str> {
    match effect {
        Effect::None => None,
        Effect::Production => Some("draw a unit"),
        Effect::ImprovedProduction => Some("draw two units"),
        Effect::Research => Some("special weapon into the bag"),
        Effect::ImprovedResearch => Some("two into the bag"),
        Effect::ResearchIndustry => Some("one into the reserve"),
        Effect::Bombing => Some("an enemy token goes back"),
        Effect::Tactical => Some("that far on this track"),
        Effect::Strategic => Some("that far on another track"),
        Effect::Propaganda => Some("that many VP"),
    }
}

/// The place of the viewer's own tokens.
pub fn near_sheet() -> Markup {
    html! { section.near #near-reserve aria-label="Reserve" {} }
}

/// Everything off the board.
pub fn draw(rules: &Rules, view: &View, asked: &Asked<'_, Choice>, scene: &mut Scene) {
    let near = near(view);
    scene.add("far-reserve", "far", far(rules, view, near.enemy(), asked));
    if rules.solo().is_some_and(|solo| solo.stratagems) {
        scene.add("stratagem-place", "stratagem", stratagem(view));
    }
    scene.add("supplies", "supply", supply(rules, view));
    scene.add("near-reserve", "hand", hand(rules, view, near, asked));
}

/// The tokens of the side across the table: the bot's row in order, another's backs.
fn far(rules: &Rules, view: &View, side: Side, asked: &Asked<'_, Choice>) -> Markup {
    let name = rules.side_name(side);
    let count = view.hand_len(side);
    let what = if rules.is_bot(side) { "row, drawn left to right" } else { "reserve" };
    html! {
        div #far .reserve.(side_class(side)) {
            h3 { (name) " " (what) span.count { (count) } }
            ul.tokens aria-label={(name) ": " (count) " tokens"} {
                @if view.knows(side) {
                    @for (at, kind) in view.state().hands[side.index()].as_slice().iter().enumerate() {
                        (row_token(side, *kind, at, asked))
                    }
                } @else {
                    @for _ in 0..count { li.token { (back(side)) } }
                }
                @if count == 0 { li.none { "no tokens" } }
            }
        }
    }
}

/// A token that lies open; lit where it can be bombed. Rule 8.7.
fn row_token(side: Side, kind: Kind, at: usize, asked: &Asked<'_, Choice>) -> Markup {
    let belongs = |choice: Choice| match choice {
        Choice::Bomb(of) => of == kind,
        Choice::BombAt(place) => usize::from(place) == at,
        _ => false,
    };
    let open = asked.names(belongs);
    let closed = if open.is_none() { asked.reason(belongs) } else { None };
    html! {
        li.token {
            @if open.is_some() || closed.is_some() {
                button.target.lit[open.is_some()] type="button" data-choice=[open] data-closed=[closed] title=(hint(kind)) aria-label=(kind.name()) {
                    (counter(side, kind))
                }
            } @else {
                span role="img" title=(hint(kind)) aria-label=(kind.name()) { (counter(side, kind)) }
            }
        }
    }
}

/// A token in words: "Task force navy: ignores the effect of its space".
fn hint(kind: Kind) -> String {
    match about(kind) {
        "" => kind.name().to_owned(),
        about => format!("{kind}: {about}"),
    }
}

/// The viewer's own tokens, large enough for a finger. A token that can be placed carries the beginning of its choices.
fn hand(rules: &Rules, view: &View, side: Side, asked: &Asked<'_, Choice>) -> Markup {
    let name = rules.side_name(side);
    let count = view.hand_len(side);
    html! {
        div #hand .reserve.(side_class(side)) {
            h3 {
                @if view.own() == Some(side) { "Your reserve" } @else { (name) " reserve" }
                span.bag-count title={"In the bag: " (view.bag_len(side))} {
                    svg viewBox="0 0 40 44" aria-hidden="true" { use href="#bag" {} }
                    (view.bag_len(side))
                    span.sr { " in the bag" }
                }
            }
            ul.tokens aria-label={(name) ": " (count) " tokens"} {
                @if view.knows(side) {
                    @for (at, kind) in view.state().hands[side.index()].as_slice().iter().enumerate() {
                        (hand_token(side, *kind, at, asked))
                    }
                } @else {
                    @for _ in 0..count { li.token { (back(side)) } }
                }
                @if count == 0 { li.none { "no tokens" } }
            }
            @if asked.open.iter().any(|(choice, _)| matches!(choice, Choice::Place { .. })) {
                p.how { "Pick a token, then a lit space. Point at a space to see the result first." }
            }
        }
    }
}

fn hand_token(side: Side, kind: Kind, at: usize, asked: &Asked<'_, Choice>) -> Markup {
    let belongs = |choice: Choice| matches!(choice, Choice::Place { kind: of, .. } if of == kind);
    let open = asked.open.iter().any(|(choice, _)| belongs(*choice));
    let closed = if open { None } else { asked.reason(belongs) };
    let piece = open.then(|| format!("place {}", kind.word()));
    html! {
        li.token {
            button #{"token-" (at)} .piece.still[!open] type="button" data-piece=[piece.as_deref()] data-closed=[closed]
                aria-pressed=[open.then_some("false")] title=(hint(kind)) aria-label=(kind.name()) {
                (counter(side, kind))
            }
        }
    }
}

/// The bot's stratagem in force, what it means, and the tokens in the cup. Rule 8.4.
fn stratagem(view: &View) -> Markup {
    let desk = view.state().bot;
    html! {
        div #stratagem .stratagem {
            p.force {
                @match desk.in_force {
                    Some(now) => { b { (now.name()) } " " span { (now.about()) } }
                    None => { b { "No stratagem yet" } }
                }
            }
            ul.cup aria-label="Stratagem cup" {
                @for token in Stratagem::ALL {
                    @let inside = desk.cup.has(token);
                    li.out[!inside].now[desk.in_force == Some(token)] title={(token.name()) ": " (token.about())} {
                        (short(token))
                        span.sr { @if inside { " in the cup" } @else { " out of the cup" } }
                    }
                }
            }
        }
    }
}

const fn short(stratagem: Stratagem) -> &'static str {
    match stratagem {
        Stratagem::BigGuns => "Guns",
        Stratagem::Counterattack => "Counter",
        Stratagem::EconomicWarfare => "Economy",
        Stratagem::ForTheGlory => "Glory",
        Stratagem::RapidDeployment => "Rapid",
        Stratagem::ResearchDevelopment => "R & D",
        Stratagem::Secure => "Secure",
        Stratagem::Steamroll => "Steamroll",
    }
}

/// Bags, the research pile and the last unit of each side, which a spy would copy. Rules 1.6, 5.7.
fn supply(rules: &Rules, view: &View) -> Markup {
    let state = view.state();
    let far = near(view).enemy();
    html! {
        ul #supply .supply {
            li.(side_class(far)) title={"Tokens in the bag of " (rules.with_article(far))} {
                svg.sack viewBox="0 0 40 44" aria-hidden="true" { use href="#bag" {} }
                b { (view.bag_len(far)) } " in the " @if rules.is_bot(far) { "cup" } @else { "bag" }
            }
            li.pile title="Special weapons in the research pile" {
                svg viewBox="0 0 64 64" aria-hidden="true" { use href="#shape-flask" {} }
                b { (view.pile_len()) } " to research"
            }
            @if let Some(kind) = state.last[far.index()] {
                li.last title="The unit placed last: a spy would copy it" { "last: " (kind.name()) }
            }
        }
    }
}
