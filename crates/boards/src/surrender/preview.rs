//! What a choice would do, before it is made: how far a unit could come, and the odds of an attack.

use std::fmt::Write as _;

use kernel::{Discard, Game as _, Wording as _};
use maud::{Markup, html};
use surrender::{Choice, Fight, Manner, Place, State, Surrender, UnitId};
use web::Scene;

use super::battle::{bar, odds_words};
use super::counter;
use super::frame::{self, Point, centre};
use super::march::{March, odds, percent, success};

/// The words and the ghosts; `None` where nothing can be foreseen.
pub fn preview(game: &Surrender, state: &State, choice: Choice) -> Option<(String, Scene)> {
    let mut words = game.label(state, choice);
    let ghost = match choice {
        Choice::Activate(unit) => reach(game, state, unit),
        Choice::Step(to) | Choice::Retreat(to) => {
            let unit =
                if matches!(choice, Choice::Step(_)) { state.activation.unit } else { state.fight.defender };
            let cost = game.rules().step_cost(state, unit, state.unit(unit).place, to);
            if let (Choice::Step(_), Some(cost)) = (choice, cost) {
                let left = state.activation.points.saturating_sub(cost);
                let _ = write!(words, ": {cost} MP, {left} left");
                if to.is_hex() && game.rules().ezoc(state, to, game.rules().side_of(state, unit)) {
                    words.push_str(", in an enemy zone of control");
                }
            }
            arrival(game, state, unit, to)
        }
        Choice::Attack(hex) => {
            let fight = game.rules().mobile_fight(state, state.activation.unit, hex)?;
            assault(game, state, &fight, &mut words)
        }
        Choice::Primary(unit) => {
            let hex = match state.frame() {
                surrender::Frame::Primary(hex) => hex,
                _ => return None,
            };
            let defender = state.ground_at(hex)?;
            let fight = Fight { manner: Manner::Assault, primary: unit, defender, hex, ..Fight::NONE };
            assault(game, state, &fight, &mut words)
        }
        Choice::With(unit) if state.fight.primary.some().is_some() => {
            let mut fight = state.fight;
            let free = fight.more.iter().position(|more| more.some().is_none())?;
            fight.more[free] = unit;
            assault(game, state, &fight, &mut words)
        }
        Choice::Go if state.fight.primary.some().is_some() => assault(game, state, &state.fight, &mut words),
        _ => return None,
    };
    let mut scene = Scene::default();
    scene.add("ghosts", "ghost-map", html! { g #ghost-map .ghost { (ghost) } });
    Some((words, scene))
}

/// The reach of a unit that would be activated: where it can stay with the points left there, and whom it can attack.
fn reach(game: &Surrender, state: &State, unit: UnitId) -> Markup {
    let mut after = *state;
    game.apply(&mut after, Choice::Activate(unit), &mut Discard);
    let march = March::find(game, &after);
    let world = game.rules().world;
    let is_in = |hex: Place, attacked: bool| {
        march.goals.iter().any(|goal| goal.place == hex && goal.odds.is_some() == attacked)
    };
    html! {
        path.range d=(frame::outline(world, |hex| is_in(hex, false))) {}
        path.threatened d=(frame::outline(world, |hex| is_in(hex, true))) {}
        @for goal in &march.goals {
            @if let Some(Point { x, y }) = centre(world, goal.place) {
                @match &goal.odds {
                    Some(odds) => { text.chance x=(x) y=(y - 8.6) { (percent(success(odds))) "%" } },
                    None => { text.left x=(x) y=(y + 2.0) { (goal.left) } },
                }
            }
        }
    }
}

/// The counter where it would come to stand, and its last step.
fn arrival(game: &Surrender, state: &State, unit: UnitId, to: Place) -> Markup {
    let rules = game.rules();
    html! {
        path.way d=(frame::way(rules.world, &[state.unit(unit).place, to])) marker-end="url(#way-head)" {}
        @if let Some(Point { x, y }) = centre(rules.world, to) {
            g class=(counter::classes(rules, state, unit)) transform=(format!("translate({x} {y}) scale(.52)")) { (counter::face(rules, state, unit)) }
        }
    }
}

/// An arrow from every attacker, and the bar of results over the defender.
fn assault(game: &Surrender, state: &State, fight: &Fight, words: &mut String) -> Markup {
    let rules = game.rules();
    let odds = odds(game, state, fight);
    let [attack, defence] = [0, 1].map(|side| rules.fight_sum(state, fight, side).total());
    let _ = write!(words, " ({attack:+} against {defence:+}): {}", odds_words(&odds));
    let attackers = [fight.primary].into_iter().chain(fight.more).filter_map(UnitId::some);
    html! {
        @for unit in attackers {
            path.way.attack d=(frame::way(rules.world, &[state.unit(unit).place, fight.hex])) marker-end="url(#way-head)" {}
        }
        @if let Some(Point { x, y }) = centre(rules.world, fight.hex) {
            g transform=(format!("translate({} {}) scale(.16)", x - 28.8, y - 18.0)) { (bar(&odds)) }
        }
    }
}
