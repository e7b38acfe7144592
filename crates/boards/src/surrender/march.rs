//! Where the activated unit can go and whom it can attack at the end of its way: each place with the whole chain of choices.
//! The ways are found by playing steps on copies of the position, so that they are what the rules list (ruling 111 included).

use std::collections::HashMap;

use kernel::{Discard, Game as _, Wording as _};
use surrender::{Choice, Fight, Frame, Place, State, Surrender, UnitId};
use web::chain::LINK;

/// A place that can be reached, or an enemy that can be attacked.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Where.
    pub place: Place,
    /// The choices that lead there.
    pub chain: String,
    /// Movement points left afterwards.
    pub left: u8,
    /// For an attack, how many of 36 rolls give each result.
    pub odds: Option<[u32; 6]>,
}

/// A place on a way.
#[derive(Debug)]
struct Node {
    state: Box<State>,
    chain: String,
    left: u8,
}

/// The reach of a unit.
#[derive(Debug)]
pub struct March {
    /// The unit.
    pub unit: UnitId,
    /// Where it can go or attack.
    pub goals: Vec<Goal>,
}

impl March {
    /// The reach of the activated unit.
    pub fn find(game: &Surrender, state: &State) -> Self {
        let unit = state.activation.unit;
        let mut search = Search { game, unit, best: HashMap::new(), goals: HashMap::new() };
        let start = Node { state: Box::new(*state), chain: String::new(), left: state.activation.points };
        search.best.insert(state.unit(unit).place, start.left);
        let mut open = vec![start];
        // The node with most points left comes first, so that a place is looked at once, by its cheapest way.
        while let Some(at) = (0..open.len()).max_by_key(|at| open[*at].left) {
            let node = open.swap_remove(at);
            let here = node.state.unit(unit).place;
            if search.best.get(&here).is_some_and(|best| *best > node.left) {
                continue;
            }
            search.expand(&node, &mut open);
        }
        let mut goals: Vec<Goal> = search.goals.into_values().collect();
        goals.sort_by_key(|goal| goal.place);
        Self { unit, goals }
    }
}

struct Search<'g> {
    game: &'g Surrender,
    unit: UnitId,
    best: HashMap<Place, u8>,
    goals: HashMap<Place, Goal>,
}

impl Search<'_> {
    fn expand(&mut self, node: &Node, open: &mut Vec<Node>) {
        let mut choices = Vec::new();
        self.game.choices(&node.state, &mut choices);
        for choice in choices {
            match choice {
                Choice::Step(to) => self.step(node, to, open),
                Choice::Attack(hex) => self.attack(node, hex),
                _ => {}
            }
        }
    }

    fn linked(&self, node: &Node, choice: Choice) -> String {
        let mut chain = node.chain.clone();
        if !chain.is_empty() {
            chain.push_str(LINK);
        }
        self.game.write_name(&node.state, choice, &mut chain);
        chain
    }

    fn step(&mut self, node: &Node, to: Place, open: &mut Vec<Node>) {
        let mut after = node.state.clone();
        self.game.apply(&mut after, Choice::Step(to), &mut Discard);
        let goes_on = after.frame() == Frame::Activation && after.activation.unit == self.unit;
        let left = if goes_on { after.activation.points } else { 0 };
        if self.best.get(&to).is_some_and(|best| *best >= left) {
            return;
        }
        self.best.insert(to, left);
        let chain = self.linked(node, Choice::Step(to));
        // In the hex of a friend nobody can stay.
        let stays = !to.is_hex() || node.state.ground_at(to).is_none();
        if stays {
            self.goals.insert(to, Goal { place: to, chain: chain.clone(), left, odds: None });
        }
        if goes_on {
            open.push(Node { state: after, chain, left });
        }
    }

    fn attack(&mut self, node: &Node, hex: Place) {
        let rules = self.game.rules();
        let Some(fight) = rules.mobile_fight(&node.state, self.unit, hex) else { return };
        let odds = odds(self.game, &node.state, &fight);
        let cost = rules.mobile_cost(&node.state, self.unit, hex).unwrap_or_default();
        let left = node.left.saturating_sub(cost);
        let worth = |odds: &[u32; 6], left: u8| (success(odds), left);
        let is_better = self.goals.get(&hex).is_none_or(|known| {
            known.odds.as_ref().is_none_or(|before| worth(&odds, left) > worth(before, known.left))
        });
        if is_better {
            let chain = self.linked(node, Choice::Attack(hex));
            self.goals.insert(hex, Goal { place: hex, chain, left, odds: Some(odds) });
        }
    }
}

/// How many of 36 rolls give each result of a combat.
pub fn odds(game: &Surrender, state: &State, fight: &Fight) -> [u32; 6] {
    let rules = game.rules();
    rules.fight_odds(&[0, 1].map(|side| rules.fight_sum(state, fight, side)))
}

/// How many of 36 rolls drive the defender back or worse.
pub fn success(odds: &[u32; 6]) -> u32 {
    odds[3..].iter().sum()
}

/// A number of 36 rolls in percent.
pub const fn percent(rolls: u32) -> u32 {
    (rolls * 100 + 18) / 36
}
