//! A plan for one activation: a march by several stops, with attacks where enemies stand, and the exact chance to come that far.
//! Rules 4.2, 4.3, 5.1.
//!
//! Every roll is played with the rules themselves; positions that come out alike are put together, so that a series of attacks
//! stays small. Neither side commits anything: what markers and aircraft change is told by the odds of each attack.

use kernel::{Answer, Chance, Discard, Mover};

use crate::choice::Choice;
use crate::frame::Frame;
use crate::ids::{Place, UnitId};
use crate::rules::Rules;
use crate::state::State;

/// The weight of everything that can happen: it can be divided by six for each of the dice of a dozen combats.
const ALL: u64 = 6_u64.pow(24);

/// The most stops of a plan.
const STOPS: usize = 8;

/// The most positions that are kept apart: a plan that branches more would keep the house busy.
const LINES: usize = 300;

/// How many of 36 rolls succeed where none is needed.
const CERTAIN: u32 = 36;

/// What is answered where a plan says nothing, the first that is open: nothing is committed, forts are held, the way is followed.
const QUIET: [Choice; 6] =
    [Choice::HoldBack, Choice::Pass, Choice::Stand, Choice::Advance, Choice::LetGo, Choice::Alone];

/// What may come of a plan, with its share of [`ALL`].
struct Line {
    state: Box<State>,
    weight: u64,
}

/// A place on the way to a stop.
struct Node {
    state: Box<State>,
    steps: Vec<Choice>,
}

impl Rules {
    /// The answer to `march UNIT STOP STOP …`.
    pub(crate) fn plan_answer(&self, state: &State, unit: UnitId, stops: &[Place]) -> Result<Answer, String> {
        if stops.is_empty() || stops.len() > STOPS {
            return Err(format!("a march has 1 to {STOPS} stops, such as: march GER-16PZ 3033 warsaw"));
        }
        let start = self.activated(state, unit)?;
        let points = start.activation.points;
        let mut lines = vec![Line { state: start, weight: ALL }];
        let (mut ended, mut results) = (Vec::new(), Vec::new());
        for (at, stop) in stops.iter().enumerate() {
            let mut there = Vec::new();
            let fights = lines.iter().any(|line| self.has_enemy_at(&line.state, unit, *stop));
            while let Some(line) = lines.pop() {
                self.lead(line, unit, *stop, &mut there, &mut ended)?;
            }
            let chance = Chance::of(there.iter().map(|line| line.weight).sum(), ALL);
            if chance == Chance::NEVER && at == 0 {
                return Err(format!(
                    "{} can't come to {} with its {points} points",
                    self.unit_title(unit),
                    self.place_words(*stop)
                ));
            }
            let verb = if fights { "takes" } else { "comes to" };
            results.push((format!("{verb} {}", self.place_words(*stop)), chance));
            lines = there;
        }
        let last = stops[stops.len() - 1];
        if lines.iter().any(|line| line.state.unit(unit).place == last && self.only_passes(&line.state, unit))
        {
            return Err(format!(
                "{} can't end its march in {}: a friend stands there",
                self.unit_title(unit),
                self.place_words(last)
            ));
        }
        let share = |wanted: &dyn Fn(&State) -> bool| {
            let all = lines.iter().chain(&ended);
            Chance::of(all.filter(|line| wanted(&line.state)).map(|line| line.weight).sum(), ALL)
        };
        let before = state.unit(unit).level;
        let lost = share(&|state| !state.unit(unit).on_map());
        let hit = share(&|state| state.unit(unit).on_map() && state.unit(unit).level > before);
        let risks = [("is reduced on the way", hit), ("is lost on the way", lost)];
        results.extend(
            risks
                .into_iter()
                .filter(|(_, risk)| *risk != Chance::NEVER)
                .map(|(words, risk)| (words.to_owned(), risk)),
        );
        let mut facts = vec![("points", points.to_string())];
        let left: Vec<u8> =
            lines.iter().filter(|line| self.goes_on(&line.state, unit)).map(points_left).collect();
        if let (Some(least), Some(most)) = (left.iter().min(), left.iter().max()) {
            let words = if least == most { least.to_string() } else { format!("{least} to {most}") };
            facts.push(("left at the end", words));
        }
        let assumed = "neither side commits anything, and who retreats takes the first hex open to it";
        facts.push(("assumed", assumed.to_owned()));
        let names: Vec<String> = stops.iter().map(|stop| self.place_words(*stop)).collect();
        let title = format!("{} to {}", self.unit_title(unit), names.join(", then "));
        Ok(Answer { title, rule: "4.2, 5.1", facts, results })
    }

    /// The position with a unit activated: it is, or it can be now.
    fn activated(&self, state: &State, unit: UnitId) -> Result<Box<State>, String> {
        let mut start = Box::new(*state);
        if self.goes_on(&start, unit) {
            return Ok(start);
        }
        let mut listed = Vec::new();
        if matches!(start.frame(), Frame::Actions(_)) {
            self.list(&start, &mut listed);
        }
        if !listed.contains(&Choice::Activate(unit)) {
            return Err(format!("{} can't be activated now", self.unit_title(unit)));
        }
        self.play(&mut start, Choice::Activate(unit), &mut Discard);
        Ok(start)
    }

    /// Whether a unit can still choose its next step.
    fn goes_on(&self, state: &State, unit: UnitId) -> bool {
        state.frame() == Frame::Activation && state.activation.unit == unit
    }

    /// Whether somebody else stands where the unit is: it may only pass (4.2).
    fn only_passes(&self, state: &State, unit: UnitId) -> bool {
        let place = state.unit(unit).place;
        place.is_hex() && state.ground_at(place).is_some_and(|there| there != unit)
    }

    fn has_enemy_at(&self, state: &State, unit: UnitId, hex: Place) -> bool {
        hex.is_hex() && self.has_enemy(state, hex, self.side_of(state, unit))
    }

    /// Leads the unit of a line to a stop, as often as it takes: what gets there, and what does not.
    fn lead(
        &self,
        line: Line,
        unit: UnitId,
        stop: Place,
        there: &mut Vec<Line>,
        ended: &mut Vec<Line>,
    ) -> Result<(), String> {
        let mut open = vec![line];
        while let Some(line) = open.pop() {
            if open.len() + there.len() + ended.len() > LINES {
                return Err("this march branches too often to add up: plan fewer stops".to_owned());
            }
            if line.state.unit(unit).place == stop {
                add(there, line);
                continue;
            }
            let way =
                if self.goes_on(&line.state, unit) { self.way_to(&line.state, unit, stop) } else { None };
            let Some(way) = way else {
                add(ended, line);
                continue;
            };
            let mut marching = vec![line];
            for step in way {
                let mut after = Vec::new();
                for mut line in marching {
                    // Something on the way may have ended the activation.
                    if self.goes_on(&line.state, unit) {
                        self.play(&mut line.state, step, &mut Discard);
                    }
                    self.resolve(line, unit, &mut after)?;
                }
                marching = after;
            }
            for line in marching {
                add(&mut open, line);
            }
        }
        Ok(())
    }

    /// Plays on until the unit can choose again or its activation is over.
    fn resolve(&self, line: Line, unit: UnitId, out: &mut Vec<Line>) -> Result<(), String> {
        let (mut open, mut listed) = (vec![line], Vec::new());
        while let Some(mut line) = open.pop() {
            let frame = line.state.frame();
            if self.goes_on(&line.state, unit) || matches!(frame, Frame::Actions(_)) {
                add(out, line);
                continue;
            }
            match self.mover(&line.state) {
                Mover::Nobody => add(out, line),
                Mover::Fate => {
                    let tickets = self.tickets(&line.state);
                    let weight = line.weight / u64::from(tickets);
                    if weight * u64::from(tickets) != line.weight {
                        return Err("this march has too many combats to add up".to_owned());
                    }
                    for ticket in 0..tickets {
                        let mut state = line.state.clone();
                        let drawn = self.drawn(&state, ticket);
                        self.play(&mut state, drawn, &mut Discard);
                        open.push(Line { state, weight });
                    }
                }
                Mover::Seat(_) => {
                    listed.clear();
                    self.list(&line.state, &mut listed);
                    let quiet = QUIET.into_iter().find(|quiet| listed.contains(quiet));
                    let choice = quiet.or_else(|| listed.first().copied());
                    let choice = choice.ok_or("nothing can be chosen on the way")?;
                    self.play(&mut line.state, choice, &mut Discard);
                    open.push(line);
                }
            }
        }
        Ok(())
    }

    /// The cheapest steps into a stop, or to the best place for an attack on it, with that attack.
    fn way_to(&self, state: &State, unit: UnitId, stop: Place) -> Option<Vec<Choice>> {
        let mut known = vec![(state.unit(unit).place, state.activation.points)];
        let mut open = vec![Node { state: Box::new(*state), steps: Vec::new() }];
        let mut best: Option<((u32, u8), Vec<Choice>)> = None;
        let mut listed = Vec::new();
        // The node with most points left comes first, so that a place is left once, by its cheapest way.
        while let Some(at) = (0..open.len()).max_by_key(|at| open[*at].state.activation.points) {
            let node = open.swap_remove(at);
            listed.clear();
            self.list(&node.state, &mut listed);
            for choice in &listed {
                let steps = || node.steps.iter().copied().chain([*choice]).collect::<Vec<_>>();
                match *choice {
                    Choice::Attack(hex) if hex == stop => {
                        let fight = self.mobile_fight(&node.state, unit, hex)?;
                        let sums = [0, 1].map(|side| self.fight_sum(&node.state, &fight, side));
                        let success: u32 = self.fight_odds(&sums)[3..].iter().sum();
                        let cost = self.mobile_cost(&node.state, unit, hex).unwrap_or_default();
                        let worth = (success, node.state.activation.points.saturating_sub(cost));
                        if best.as_ref().is_none_or(|(known, _)| worth > *known) {
                            best = Some((worth, steps()));
                        }
                    }
                    Choice::Step(to) => {
                        let mut state = node.state.clone();
                        self.play(&mut state, *choice, &mut Discard);
                        let left = if self.goes_on(&state, unit) { state.activation.points } else { 0 };
                        if to == stop {
                            let worth = (CERTAIN, left);
                            if best.as_ref().is_none_or(|(known, _)| worth > *known) {
                                best = Some((worth, steps()));
                            }
                            continue;
                        }
                        let is_known = known.iter().any(|(place, points)| *place == to && *points >= left);
                        if !is_known && self.goes_on(&state, unit) {
                            known.push((to, left));
                            open.push(Node { state, steps: steps() });
                        }
                    }
                    _ => {}
                }
            }
        }
        best.map(|(_, steps)| steps)
    }
}

fn points_left(line: &Line) -> u8 {
    line.state.activation.points
}

/// Adds a line; one that is in the same position already takes its weight.
fn add(lines: &mut Vec<Line>, line: Line) {
    match lines.iter_mut().find(|known| known.state == line.state) {
        Some(known) => known.weight += line.weight,
        None => lines.push(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{Country, Faction, Side};
    use crate::testing::{position, put, rules};

    /// A panzer corps before a thin line: Polish armies in two hexes, one behind the other.
    fn gap() -> (Rules, State, UnitId) {
        let rules = rules();
        let mut state = position(&rules, &[(Country::GER, Side::Axis), (Country::POL, Side::Western)]);
        let corps = put(&rules, &mut state, "GER-19PZ", "2731");
        put(&rules, &mut state, "POL-POM", "2733");
        put(&rules, &mut state, "POL-LOD", "2735");
        state.acting = Faction::Axis;
        state.countries[Country::GER.index()].points = 20;
        state.push(Frame::Actions(Faction::Axis));
        (rules, state, corps)
    }

    /// Plays the plan with all dice, one roll after the other and without putting anything together.
    fn slowly(rules: &Rules, state: &State, unit: UnitId, stops: &[Place], weight: f64) -> Vec<f64> {
        let mut reached = vec![0.0; stops.len()];
        let Some(stop) = stops.first() else { return reached };
        if state.unit(unit).place == *stop {
            reached[0] += weight;
            for (at, share) in slowly(rules, state, unit, &stops[1..], weight).into_iter().enumerate() {
                reached[at + 1] += share;
            }
            return reached;
        }
        let next: Vec<(State, f64)> = if rules.goes_on(state, unit) {
            let Some(way) = rules.way_to(state, unit, *stop) else { return reached };
            let mut after = *state;
            rules.play(&mut after, way[0], &mut Discard);
            vec![(after, weight)]
        } else {
            match rules.mover(state) {
                Mover::Fate => (1..=6)
                    .map(|die| {
                        let mut after = *state;
                        rules.play(&mut after, Choice::Die(die), &mut Discard);
                        (after, weight / 6.0)
                    })
                    .collect(),
                Mover::Seat(_) if !matches!(state.frame(), Frame::Actions(_)) => {
                    let mut listed = Vec::new();
                    rules.list(state, &mut listed);
                    let quiet = QUIET.into_iter().find(|quiet| listed.contains(quiet)).unwrap_or(listed[0]);
                    let mut after = *state;
                    rules.play(&mut after, quiet, &mut Discard);
                    vec![(after, weight)]
                }
                _ => Vec::new(),
            }
        };
        for (after, weight) in next {
            for (at, share) in slowly(rules, &after, unit, stops, weight).into_iter().enumerate() {
                reached[at] += share;
            }
        }
        reached
    }

    #[test]
    fn a_series_of_attacks_adds_up_to_what_every_roll_gives() {
        let (rules, state, corps) = gap();
        let stops: Vec<Place> =
            ["2732", "2733", "2734", "2735"].map(|hex| rules.place_of(hex).expect("a hex")).to_vec();
        let answer = rules.plan_answer(&state, corps, &stops).expect("an answer");
        let start = rules.activated(&state, corps).expect("it can be activated");
        let slow = slowly(&rules, &start, corps, &stops, 1.0);
        assert_eq!(answer.results[0].1, Chance::CERTAIN, "nothing stands in the first hex");
        assert!(answer.results[1].1.as_f64() < 1.0 && answer.results[1].1 != Chance::NEVER, "{answer}");
        for ((words, chance), slow) in answer.results.iter().zip(&slow) {
            assert!((chance.as_f64() - slow).abs() < 1e-9, "{words}: {chance} and {slow}\n{answer}");
        }
        let falling = answer.results[..4].windows(2).all(|pair| pair[0].1.as_f64() >= pair[1].1.as_f64());
        assert!(falling, "{answer}");
        assert!(answer.results[1].0.starts_with("takes ") && answer.results[0].0.starts_with("comes to "));
    }

    #[test]
    fn a_march_that_can_t_be_is_refused_with_the_reason() {
        let (rules, state, corps) = gap();
        let moscow = rules.place_of("moscow").expect("a city");
        let far = rules.plan_answer(&state, corps, &[moscow]).expect_err("too far");
        assert!(far.contains("can't come to Moscow with its"), "{far}");
        let polish = rules.world.unit_named("POL-POM").expect("a unit");
        let wrong = rules.plan_answer(&state, polish, &[moscow]).expect_err("not its turn");
        assert!(wrong.contains("can't be activated now"), "{wrong}");
        assert!(rules.plan_answer(&state, corps, &[]).expect_err("no stop").contains("1 to 8 stops"));
    }
}
