//! Which choice a playout takes at a node of the tree: the policy's, a new one, or the most promising one.

use kernel::{CompleteGame, Dice, Effort, Seat, Viewer};

use super::{NONE, Node, ROOT, Step, Tree};
use crate::search::playout::SearchContext;

/// One new choice in so many is taken at random, where the game's own bots give the ideas.
const WHIM: u32 = 4;

impl<G: CompleteGame> Tree<G> {
    /// A seat's choice: first the quick policy's, then a new one whenever the node has enough visits, otherwise the one with the
    /// highest upper confidence bound (UCB).
    pub(super) fn decide(
        &mut self,
        game: &G,
        context: &SearchContext,
        node: u32,
        state: &G::State,
        seat: Seat,
        focus: Option<G::Choice>,
    ) -> Option<Step<G>> {
        let Node { visits, width, tried, .. } = self.nodes[node as usize];
        if let Some(focus) = focus.filter(|_| node == ROOT && visits % 3 == 2) {
            return Some((focus, self.child_or_new(node, Some(focus))));
        }
        if context.hides {
            self.list(game, node, state);
            return self.decide_unseen(game, context, node, state, seat, in_view(context, node, visits));
        }
        let is_full = self.nodes.len() >= self.limit;
        if tried == 0 {
            if is_full {
                return None;
            }
            self.list(game, node, state);
            let effort = if node == ROOT { Effort::Considered } else { Effort::Quick };
            let choice = self.favourite(game, state, seat, effort);
            let made = self.child_or_new(node, Some(choice))?;
            self.nodes[made.0 as usize].is_favourite = true;
            return Some((choice, Some(made)));
        }
        let has_fresh = tried < width && !is_full;
        let child = if context.tuning.trust > 0.0 {
            self.most_trusted(context, node, seat, has_fresh)
        } else if has_fresh && usize::from(tried) < in_view(context, node, visits) {
            None
        } else {
            self.most_promising(context, node, seat)
        };
        if let Some(child) = child {
            return Some((self.nodes[child as usize].choice?, Some((child, false))));
        }
        self.list(game, node, state);
        let choice = self.untried(node);
        Some((choice, self.child_or_new(node, Some(choice))))
    }

    /// Lists the choices of a node into `self.choices`.
    fn list(&mut self, game: &G, node: u32, state: &G::State) {
        self.choices.clear();
        game.choices(state, &mut self.choices);
        self.nodes[node as usize].width = self.choices.len() as u16;
    }

    /// The policy's choice from `self.choices`.
    fn favourite(&mut self, game: &G, state: &G::State, seat: Seat, effort: Effort) -> G::Choice {
        if let [only] = self.choices[..] {
            return only;
        }
        let view = game.view(state, Viewer::Seat(seat));
        let memory = &mut G::Memory::default();
        self.choices[game.policy(effort, memory, &view, &self.choices, &mut self.dice, None)]
    }

    /// A random untried choice from `self.choices`.
    fn untried(&mut self, node: u32) -> G::Choice {
        self.open.clear();
        for at in 0..self.choices.len() {
            if self.child(node, Some(self.choices[at])).is_none() {
                self.open.push(at as u32);
            }
        }
        let pick = self.dice.below(self.open.len() as u32) as usize;
        self.choices[self.open.get(pick).map_or(0, |at| *at as usize)]
    }

    /// An untried choice that is worth a look, from `self.choices`: mostly what one of the game's own bots would do, because
    /// few playouts are soon lost among many senseless choices. `None` if that was tried already.
    fn idea(&mut self, game: &G, node: u32, state: &G::State, seat: Seat) -> Option<G::Choice> {
        let characters = G::bots().len() as u32;
        if characters == 0 || self.dice.below(WHIM) == 0 {
            return Some(self.untried(node));
        }
        let effort = Effort::Bot(self.dice.below(characters) as usize);
        let view = game.view(state, Viewer::Seat(seat));
        let memory = &mut G::Memory::default();
        let choice = self.choices[game.policy(effort, memory, &view, &self.choices, &mut self.dice, None)];
        self.child(node, Some(choice)).is_none().then_some(choice)
    }

    /// The same in a determinized state, whose choices are `self.choices`.
    fn decide_unseen(
        &mut self,
        game: &G,
        context: &SearchContext,
        node: u32,
        state: &G::State,
        seat: Seat,
        in_view: usize,
    ) -> Option<Step<G>> {
        if self.me != Some(seat) && self.choices.iter().any(|&choice| !self.sees(game, state, choice)) {
            // Unseen choices can't be learnt from, so the other seat plays the quick policy.
            let choice = self.favourite(game, state, seat, Effort::Quick);
            let is_seen = self.sees(game, state, choice);
            return Some((choice, self.child_or_new(node, is_seen.then_some(choice))));
        }
        self.open.clear();
        let mut at = self.nodes[node as usize].first;
        while at != NONE {
            let child = &mut self.nodes[at as usize];
            if child.choice.is_some_and(|choice| self.choices.contains(&choice)) {
                child.chances += 1;
                self.open.push(at);
            }
            at = child.next;
        }
        if context.tuning.trust > 0.0 {
            return self.trust_unseen(game, context, node, state, seat);
        }
        if self.open.len() < self.choices.len().min(in_view) && self.nodes.len() < self.limit {
            let mut choice = self.favourite(game, state, seat, Effort::Quick);
            if self.child(node, Some(choice)).is_some() {
                let is_open = |open: &[u32], nodes: &[Node<G::Choice>], choice| {
                    !open.iter().any(|at| nodes[*at as usize].choice == Some(choice))
                };
                let pick = self.dice.below((self.choices.len() - self.open.len()) as u32) as usize;
                let mut fresh = self.choices.iter().filter(|c| is_open(&self.open, &self.nodes, **c));
                choice = *fresh.nth(pick)?;
            }
            let (child, is_new) = self.child_or_new(node, Some(choice))?;
            self.nodes[child as usize].chances += 1;
            return Some((choice, Some((child, is_new))));
        }
        let open = std::mem::take(&mut self.open);
        let mut best = (f32::MIN, None);
        for &at in &open {
            let child = &self.nodes[at as usize];
            let worth = promise(context, child, seat, f32::ln(child.chances.max(1) as f32));
            if worth > best.0 {
                best = (worth, Some(at));
            }
        }
        self.open = open;
        let child = best.1?;
        Some((self.nodes[child as usize].choice?, Some((child, false))))
    }

    /// The same with trust in the policy as a prior: the considered one for the searching seat, the quick one for the others,
    /// as they would play it. Its choice depends on what a seat knows, so it is asked again for
    /// every determinized state; the children that are open in this one are `self.open`.
    fn trust_unseen(
        &mut self,
        game: &G,
        context: &SearchContext,
        node: u32,
        state: &G::State,
        seat: Seat,
    ) -> Option<Step<G>> {
        let effort = if self.me == Some(seat) { Effort::Considered } else { Effort::Quick };
        let favourite = self.favourite(game, state, seat, effort);
        let trust = context.tuning.trust;
        let rest = (1.0 - trust) / (self.choices.len().max(2) - 1) as f32;
        let parent = &self.nodes[node as usize];
        let enemy = self.me.filter(|me| context.tuning.paranoia && *me != seat);
        let mean = |node: &Node<G::Choice>| {
            let of = |seat: Seat| node.total.get(seat.index()).copied().unwrap_or_default();
            let visits = node.visits.max(1) as f32;
            enemy.map_or(of(seat), |me| visits - of(me)) / visits
        };
        let scale = context.tuning.exploration * (parent.visits as f32).sqrt();
        let mut best = (f32::MIN, favourite);
        let mut has_favourite = false;
        for &at in &self.open {
            let child = &self.nodes[at as usize];
            let Some(choice) = child.choice else { continue };
            has_favourite |= choice == favourite;
            let (prior, doubt) =
                if choice == favourite { (trust, 0.0) } else { (rest, context.tuning.doubt) };
            let worth = mean(child) - doubt + scale * prior / (1.0 + child.visits as f32);
            if worth > best.0 {
                best = (worth, choice);
            }
        }
        if self.nodes.len() < self.limit && self.open.len() < self.choices.len() {
            if !has_favourite {
                best.1 = favourite;
            } else if mean(parent) + scale * rest > best.0 {
                best.1 = self.idea(game, node, state, seat).unwrap_or(best.1);
            }
        }
        let made = self.child_or_new(node, Some(best.1));
        if let Some((child, true)) = made {
            self.nodes[child as usize].chances += 1;
        }
        Some((best.1, made))
    }

    /// The child with the highest upper confidence bound (UCB).
    fn most_promising(&self, context: &SearchContext, node: u32, seat: Seat) -> Option<u32> {
        let log_visits = f32::ln(self.nodes[node as usize].visits.max(1) as f32);
        let mut best = (f32::MIN, None);
        let mut at = self.nodes[node as usize].first;
        while at != NONE {
            let child = &self.nodes[at as usize];
            let worth = promise(context, child, seat, log_visits);
            if worth > best.0 {
                best = (worth, Some(at));
            }
            at = child.next;
        }
        best.1
    }

    /// The best child with trust in the quick policy as a prior (PUCT). `None` if an untried choice is better.
    fn most_trusted(&self, context: &SearchContext, node: u32, seat: Seat, has_fresh: bool) -> Option<u32> {
        let parent = &self.nodes[node as usize];
        let trust = context.tuning.trust;
        let rest = (1.0 - trust) / f32::from(parent.width.max(2) - 1);
        let scale = context.tuning.exploration * (parent.visits as f32).sqrt();
        let mut best = (f32::MIN, None);
        if has_fresh {
            let mean =
                parent.total.get(seat.index()).copied().unwrap_or_default() / parent.visits.max(1) as f32;
            best.0 = mean + scale * rest;
        }
        let mut at = parent.first;
        while at != NONE {
            let child = &self.nodes[at as usize];
            let mean =
                child.total.get(seat.index()).copied().unwrap_or_default() / child.visits.max(1) as f32;
            let (prior, doubt) = if child.is_favourite { (trust, 0.0) } else { (rest, context.tuning.doubt) };
            let worth = mean - doubt + scale * prior / (1.0 + child.visits as f32);
            if worth > best.0 {
                best = (worth, Some(at));
            }
            at = child.next;
        }
        best.1
    }
}

/// How many choices a node considers after so many visits.
fn in_view(context: &SearchContext, node: u32, visits: u32) -> usize {
    let grown = context.tuning.widening * (visits as f32).sqrt();
    let grown = if node == ROOT { 2.0 + 3.0 * grown } else { 1.0 + grown };
    grown as usize
}

/// The upper confidence bound of a child for a seat.
#[inline]
fn promise<C>(context: &SearchContext, child: &Node<C>, seat: Seat, log_chances: f32) -> f32 {
    if child.visits == 0 {
        return f32::MAX;
    }
    let visits = child.visits as f32;
    let total = child.total.get(seat.index()).copied().unwrap_or_default();
    total / visits + context.tuning.exploration * (log_chances / visits).sqrt()
}
