//! The panels of the three Factions: POP, RES and IND with the level of Production, VP, cards, vault, wars, technologies.
//!
//! What a Rival keeps secret is not in its panel: of chits, vaults and hands only the count is.

use maud::{Markup, html};
use triumph::{Deck, Faction, Points, Rules, Stage, State, TO_WIN, Tech, Tracks, Triumph, View, bits};
use web::Scene;

use super::lit::{Lit, Spot, Way, names};
use super::pen::Tenths;
use crate::words::counted;

/// A cell of a track is so wide.
const CELL: f64 = 10.0;
/// Where the tracks begin.
const LEFT: f64 = 27.0;
/// From one track to the next.
const ROW: f64 = 14.0;

/// The place of a Faction's panel.
const fn place(faction: Faction) -> &'static str {
    match faction {
        Faction::Axis => "front-axis",
        Faction::West => "front-west",
        Faction::Ussr => "front-ussr",
    }
}

/// The empty panels, for the sheet.
pub fn frames() -> Markup {
    html! {
        div.fronts #fronts {
            @for faction in Faction::ALL {
                section id=(place(faction)) .faction-front.(faction.word()) aria-label=(faction.title()) {}
            }
        }
    }
}

/// All three panels, in parts: most of what is in them seldom changes.
pub fn draw(game: &Triumph, view: &View, lit: &Lit, scene: &mut Scene) {
    let (rules, state) = (game.rules(), view.state());
    let decides = rules.decider(state);
    for faction in Faction::ALL {
        let (at, own) = (place(faction), view.knows(faction));
        let active = if decides == Some(faction) { " active" } else { "" };
        scene.class(at, format!("faction-front {}{active}", faction.word()));
        let key = format!("{at}-head");
        let standing = standing(rules, state, faction);
        let head = html! {
            header id=(key) {
                h3 { (faction.title()) }
                small title=(standing) { (standing) }
                @if let Some(left) = points_left(state, faction) { b.left { (left) } }
            }
        };
        scene.add(at, key, head);
        let points =
            if own { rules.points(state, faction, true) } else { rules.public_points(state, faction) };
        let key = format!("{at}-vp");
        let counted = view.counted(faction);
        let vp = vp(&key, points, own, counted.chits, counted.vault);
        scene.add(at, key, vp);
        let key = format!("{at}-tracks");
        let tracks = scale(&key, state, faction, rules.tracks_blockaded(state, faction));
        scene.add(at, key, tracks);
        let key = format!("{at}-facts");
        let facts = html! { ul id=(key) .facts { (facts(game, view, lit, faction)) } };
        scene.add(at, key, facts);
    }
}

/// What is left to spend or to move.
fn points_left(state: &State, faction: Faction) -> Option<String> {
    match state.stage {
        Stage::Spend | Stage::Step | Stage::Build | Stage::BuildAt
            if state.order[usize::from(state.at).min(2)] == faction =>
        {
            Some(format!("{} of {} to spend", state.spending.points, state.spending.level))
        }
        Stage::Movement | Stage::Destination if state.turn.faction == faction => {
            Some(format!("{} left", counted(usize::from(state.turn.moves), "move")))
        }
        _ => None,
    }
}

/// "at war with Poland", "at peace".
fn standing(rules: &Rules, state: &State, faction: Faction) -> String {
    let mut foes: Vec<String> =
        state.of(faction).enemies.factions().map(|enemy| enemy.the().to_owned()).collect();
    foes.extend(
        bits(state.armed)
            .filter(|nation| state.nation(*nation).enemies.has(faction))
            .map(|nation| rules.nation_name(nation)),
    );
    match foes.split_last() {
        None => "at peace".to_owned(),
        Some((last, [])) => format!("at war with {last}"),
        Some((last, others)) => format!("at war with {} and {last}", others.join(", ")),
    }
}

/// The VP as far as the viewer knows them, and what they are made of.
fn vp(key: &str, points: Points, own: bool, chits: u8, vault: u8) -> Markup {
    let unknown = !own && (chits > 0 || vault > 0);
    let mut parts = vec![format!("{} for Production", points.level)];
    for (value, what) in [
        (points.capitals, "for capitals of Rivals"),
        (points.atomic, "for Atomic Research"),
        (points.chits, "for peace"),
    ] {
        if value > 0 {
            parts.push(format!("{value} {what}"));
        }
    }
    if points.wars > 0 {
        parts.push(format!("{} off for wars declared", points.wars));
    }
    if unknown {
        parts.push("and what its chits and its vault are worth".to_owned());
    }
    let words = parts.join(", ");
    html! {
        p id=(key) .vp title={(words) ". " (TO_WIN) " win."} {
            b { (points.total()) } @if unknown { sup { "+" } } span { " VP" }
            span.sr { " (" (words) ")" }
        }
    }
}

/// The three tracks with the level through them.
fn scale(key: &str, state: &State, faction: Faction, tracks: Tracks) -> Markup {
    let at_war = state.of(faction).at_war();
    let rows = [("POP", tracks.pop, true), ("RES", tracks.res, at_war), ("IND", tracks.ind, true)];
    let x = LEFT + (f64::from(tracks.level) + 1.0) * CELL - 0.5;
    let label = format!(
        "{}: POP {}, RES {}, IND {}, Production {}",
        faction.title(),
        tracks.pop,
        tracks.res,
        tracks.ind,
        tracks.level
    );
    html! {
        svg id=(key) .tracks viewBox="-2 -2 300 61" role="img" aria-label=(label) {
            @for (at, (name, value, counts)) in rows.iter().enumerate() {
                g.track-row.low[*counts && *value == tracks.level].idle[!counts]
                    transform={"translate(" (LEFT) " " (2.0 + at as f64 * ROW) ")"} {
                    text.sign x="-5" y="9" { (name) }
                    use href="#t-track" {}
                    @if *value > 0 { path.cell.on d={"M10 5.5H" (Tenths::of((f64::from(*value) + 1.0) * CELL))} {} }
                    text.value x=(Tenths::of((f64::from(*value) + 1.0) * CELL + 2.0)) y="9.5" { (value) }
                }
            }
            path.level d={"M" (Tenths::of(x)) " -1V44"} {}
            path.level-flag d={"M" (Tenths::of(x)) " 44l-4 5h8z"} {}
            @for tick in [5, 10, 15, 20, 25] {
                @if tracks.level.abs_diff(tick) > 1 {
                    text.tick x=(Tenths::of(LEFT + f64::from(tick) * CELL + 4.5)) y="51" { (tick) }
                }
            }
            text.tick.now x=(Tenths::of(x)) y="57.5" { (tracks.level) }
        }
    }
}

/// A sign of a fact.
fn sign(name: &str) -> Markup {
    html! { svg.ic viewBox="0 0 24 24" aria-hidden="true" { use href={"#s-" (name)} {} } }
}

/// A fact that is a button where something can be chosen by it.
fn fact(class: &str, ways: &[&Way], title: &str, body: &Markup) -> Markup {
    html! {
        li {
            @if let Some(names) = names(ways) {
                button.chip.lit.(class) type="button" data-choice=(names) title=(super::lit::words(ways, title)) { (body) }
            } @else {
                span.chip.(class) title=(title) { (body) }
            }
        }
    }
}

fn facts(game: &Triumph, view: &View, lit: &Lit, faction: Faction) -> Markup {
    let (rules, state) = (game.rules(), view.state());
    let (own, counted_of) = (state.of(faction), view.counted(faction));
    let ours = view.knows(faction) && rules.decider(state) == Some(faction);
    let at = |spot: Spot| lit.at(game, state, spot);
    let mine = |spot: Spot| if ours { at(spot) } else { Vec::new() };
    let cost = rules.factory_cost(state, faction);
    let rival = at(Spot::Front(faction));
    let hand = |deck: Deck| counted_of.hand[deck as usize];
    let passive = counted_of.stack.iter().sum::<u8>();
    html! {
        (fact("", &mine(Spot::Factory), "What the next factory costs", &html! { (sign("ind")) "Factory " (cost) }))
        (fact("cards-a", &mine(Spot::Deck(Deck::Action)), "Action cards in hand", &html! { (sign("card")) "Action " (hand(Deck::Action)) }))
        (fact("cards-i", &mine(Spot::Deck(Deck::Investment)), "Investment cards in hand", &html! { (sign("card")) "Invest. " (hand(Deck::Investment)) }))
        @if passive > 0 { (fact("", &[], "Cards in the Passive Stack", &html! { (sign("card")) (passive) " passive" })) }
        @if counted_of.vault > 0 { (fact("", &[], "Pairs in the vault", &html! { (sign("vault")) "Vault " (counted_of.vault) })) }
        @if counted_of.chits > 0 { (fact("", &[], "Peace chits", &html! { (sign("dove")) "Peace " (counted_of.chits) })) }
        (fact("", &[], "CV of all its units", &html! { (counted_of.cv) " CV" }))
        @if !rival.is_empty() {
            (fact("war", &rival, "", &html! { (sign("war")) @if rival.iter().any(|way| matches!(way.choice, triumph::Choice::War(_))) { "Declare war" } @else { "Active Ally" } }))
        }
        @for tech in Tech::ALL.into_iter().filter(|tech| own.techs & tech.bit() != 0) {
            (fact("tech", &[], tech.about(), &html! { (tech.title()) }))
        }
        @for pair in own.vault() {
            (fact("tech secret", &mine(Spot::Tech(pair.tech)), "In the vault", &html! { (sign("vault")) (pair.tech.title()) }))
        }
    }
}
