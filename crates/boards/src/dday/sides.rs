//! The desk of each side: how near it is to breaking, its supports, its shattered and lost battalions, and who is still to
//! come. Rules 8, 9, 16.2, 16.5.

use dday::{Choice, LOST, Rules, SHATTERED, Side, State, WAITING};
use maud::{Markup, html};

use super::counter;
use super::places::{is_of_unit, why_not};
use web::{Asked, Scene};

/// Both desks.
pub fn draw(rules: &Rules, s: &State, asked: &Asked<'_, Choice>, scene: &mut Scene) {
    scene.add("side-first", "desk-first", desk(rules, s, Side::First, asked));
    scene.add("side-second", "desk-second", desk(rules, s, Side::Second, asked));
}

fn desk(rules: &Rules, s: &State, side: Side, asked: &Asked<'_, Choice>) -> Markup {
    let at = side.index();
    let key = if side == Side::First { "desk-first" } else { "desk-second" };
    let role = if side == rules.scenario.aggressor { "attacks" } else { "defends" };
    let moves = s.side == side && s.verdict.is_none();
    html! {
        section.side-desk.(counter::nation(&rules.scenario, side)).moves[moves] id=(key) aria-label=(rules.side_name(side)) {
            header {
                i.colour {}
                h3 { (rules.side_name(side)) }
                span.role-of { (role) }
                (supports(s.art[at], rules.allowance(s, side, false), "gun", "Corps artillery available"))
                (supports(s.air[at], rules.allowance(s, side, true), "air", "Aircraft available"))
                @if rules.settings.rerolls > 0 { span.rerolls title="Free rerolls" { "↻ " (s.rerolls[at]) } }
            }
            (tally(rules, s, side))
            div.rolls {
                (roll_call(rules, s, side, SHATTERED, "Shattered", asked))
                (arrivals(rules, s, side, asked))
                (roll_call(rules, s, side, LOST, "Lost", asked))
            }
        }
    }
}

/// Little signs: those at hand, and hollow ones up to the allowance.
fn supports(have: u8, most: u8, sign: &str, words: &str) -> Markup {
    html! {
        @if most > 0 || have > 0 {
            span.supports title={(words) ": " (have) " of " (most)} {
                @for at in 0..most.max(have).min(8) {
                    svg.support.none[at >= have] viewBox="0 0 24 24" aria-hidden="true" { use href={"#i-" (sign)} {} }
                }
                span.sr { (words) ": " (have) " of " (most) }
            }
        }
    }
}

/// The tally against the number at which the army breaks; markers of this turn lie at its end. Rules 7, 16.2.
fn tally(rules: &Rules, s: &State, side: Side) -> Markup {
    let (at, most) = (side.index(), u32::from(rules.scenario.sides[side.index()].break_at).max(1));
    let done = (u32::from(s.tally[at]) * 1000 / most).min(1000);
    let fresh = (u32::from(s.markers[at]) * 1000 / most).min(done);
    html! {
        div.tally title={"Tally " (s.tally[at]) " of " (most) ": at " (most) " the army breaks. Markers of this turn: " (s.markers[at])} {
            svg viewBox="0 0 1000 40" preserveAspectRatio="none" aria-hidden="true" {
                rect.track width="1000" height="40" {}
                rect.done width=(done) height="40" {}
                @if fresh > 0 { rect.fresh-part x=(done - fresh) width=(fresh) height="40" {} }
                @for tenth in 1..10 { path.notch d={"M" (tenth * 100) " 0V40"} {} }
            }
            span { "tally " b { (s.tally[at]) } "/" (most) @if s.markers[at] > 0 { " · " (s.markers[at]) " now" } }
        }
    }
}

/// The battalions of a side that are off the map for a reason.
fn roll_call(
    rules: &Rules,
    s: &State,
    side: Side,
    place: u16,
    title: &str,
    asked: &Asked<'_, Choice>,
) -> Markup {
    let units: Vec<u8> =
        rules.armies[side.index()].into_iter().filter(|unit| s.unit(*unit).zone == place).collect();
    html! {
        @if !units.is_empty() {
            div.roll-call.gone[place == LOST] {
                h4 { (title) " " span { (units.len()) } }
                ul { @for unit in units { li { (token(rules, s, unit, asked)) } } }
            }
        }
    }
}

/// Reinforcements by their turn. One that may enter now is picked up, and put where it arrives. Rule 16.5.
fn arrivals(rules: &Rules, s: &State, side: Side, asked: &Asked<'_, Choice>) -> Markup {
    let mut turns: Vec<(u8, Vec<u8>)> = Vec::new();
    for unit in rules.armies[side.index()].into_iter().filter(|unit| s.unit(*unit).zone == WAITING) {
        let turn = rules.troop(unit).arrives;
        match turns.iter_mut().find(|(of, _)| *of == turn) {
            Some((_, units)) => units.push(unit),
            None => turns.push((turn, vec![unit])),
        }
    }
    turns.sort_unstable();
    html! {
        @for (turn, units) in turns {
            div.roll-call.coming.due[turn <= s.turn] {
                h4 { @if turn <= s.turn { "Now" } @else { "Turn " (turn) } }
                ul { @for unit in units { li { (token(rules, s, unit, asked)) } } }
            }
        }
    }
}

/// A counter off the map: to be picked up, to be chosen, or only to be read.
fn token(rules: &Rules, s: &State, unit: u8, asked: &Asked<'_, Choice>) -> Markup {
    let id = &rules.scenario.papers[usize::from(unit)].id;
    let places = |choice: Choice| matches!(choice, Choice::Place { unit: of, .. } if of == unit);
    let piece = asked.open.iter().any(|(choice, _)| places(*choice)).then(|| format!("place {id}"));
    let names = asked.names(|choice| is_of_unit(choice, unit));
    let closed = if names.is_none() { why_not(asked, unit) } else { None };
    let words = counter::words(rules, s, unit);
    html! {
        @if piece.is_some() || names.is_some() || closed.is_some() {
            button #{"token-" (id)} .token.lit[piece.is_some() || names.is_some()] type="button" data-unit=(id)
                data-piece=[piece.as_ref()] data-choice=[names] data-closed=[closed] title=(words) aria-label=(words)
                aria-pressed=[piece.as_ref().map(|_| "false")] { (counter::small(rules, unit)) }
        } @else {
            span #{"token-" (id)} .token role="img" title=(words) aria-label=(words) { (counter::small(rules, unit)) }
        }
    }
}
