//! One tree of a search.
//!
//! A node is reached by a choice; its children are the choices that were tried there. Fate has nodes like a player, but its
//! choices are not optimised. With hidden information the tree belongs to the searching seat: what it could not see (a token
//! that another player draws) leads to the same node, so that no plan can depend on it.

mod selection;

use kernel::{CompleteGame, Discard, Game, LabDice, Mover, Seat, Viewer, fingerprint};

use super::SEATS;
use super::playout::{Payoffs, SearchContext};

/// The root node.
const ROOT: u32 = 0;
/// No node.
const NONE: u32 = u32::MAX;
/// The mean value of determinized positions is taken of so many.
const LEVELED: u32 = 64;
/// 2³² divided by the golden ratio: steps of this size cover a circle more evenly than any others.
const GOLDEN: u32 = 2_654_435_769;

/// The root: a position, or all positions consistent with a view.
#[derive(Clone, Debug)]
pub enum Root<'a, 's, G: CompleteGame> {
    /// Everything is known.
    Known(G::State),
    /// A seat's view; the rest is determinized anew for every playout.
    Seen(&'a G::View<'s>),
}

#[derive(Clone, Debug)]
struct Node<C> {
    /// The choice that leads here; `None` at the root and where it is not seen.
    choice: Option<C>,
    first: u32,
    next: u32,
    visits: u32,
    /// How often it was available: in determinized states not every choice is always legal.
    chances: u32,
    /// The number of choices here if nothing is hidden; 0 before they were counted.
    width: u16,
    /// How many of them were tried.
    tried: u16,
    /// Whether the quick policy would choose it.
    is_favourite: bool,
    total: Payoffs,
    /// The fingerprint of the searching seat's view if it is to move here; 0 otherwise.
    mark: u64,
}

impl<C> Node<C> {
    fn new(choice: Option<C>) -> Self {
        Self {
            choice,
            first: NONE,
            next: NONE,
            visits: 0,
            chances: 0,
            width: 0,
            tried: 0,
            is_favourite: false,
            total: [0.0; SEATS],
            mark: 0,
        }
    }
}

/// The statistics of a choice at the root, or of the root itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Visits {
    /// Playouts that went this way.
    pub visits: u32,
    /// The sum of their results for each seat.
    pub total: Payoffs,
}

/// A tree that grows by one node a playout, up to its limit.
#[derive(Clone, Debug)]
pub struct Tree<G: CompleteGame> {
    nodes: Vec<Node<G::Choice>>,
    limit: usize,
    /// The searching seat; `None` if nothing is hidden.
    me: Option<Seat>,
    /// The mean value of positions that agree with the view at the root, where it is used (`Tuning::leveling`).
    level: Option<Payoffs>,
    dice: LabDice,
    /// Buffers.
    choices: Vec<G::Choice>,
    path: Vec<u32>,
    open: Vec<u32>,
}

impl<G: CompleteGame> Tree<G> {
    /// The size of a node.
    pub const NODE_BYTES: usize = size_of::<Node<G::Choice>>();

    /// An empty tree of at most `limit` nodes.
    pub fn new(limit: usize) -> Self {
        Self {
            nodes: vec![Node::new(None)],
            limit: limit.max(2),
            me: None,
            level: None,
            dice: LabDice::new(0),
            choices: Vec::with_capacity(64),
            path: Vec::with_capacity(64),
            open: Vec::with_capacity(64),
        }
    }

    /// Prepares the tree for the view of `me` with the fingerprint `mark`: statistics about it are kept, the rest is dropped.
    /// `limit` is the most nodes.
    pub fn begin(&mut self, me: Option<Seat>, mark: u64, limit: usize, dice: LabDice) {
        self.limit = limit.max(2);
        self.dice = dice;
        self.level = None;
        let known = if self.me == me && mark != 0 { self.find(mark) } else { None };
        self.me = me;
        match known {
            Some(ROOT) => {}
            Some(node) => self.keep_below(node),
            None => {
                self.nodes.clear();
                self.nodes.push(Node::new(None));
            }
        }
        self.nodes[0].mark = mark;
    }

    /// The most visited node of a fingerprint.
    fn find(&self, mark: u64) -> Option<u32> {
        let marked = self.nodes.iter().enumerate().filter(|(_, node)| node.mark == mark);
        marked.max_by_key(|(_, node)| node.visits).map(|(at, _)| at as u32)
    }

    /// Makes a node the root and drops everything that is not below it.
    fn keep_below(&mut self, node: u32) {
        let mut kept = vec![self.nodes[node as usize].clone()];
        kept[0].choice = None;
        kept[0].next = NONE;
        let mut at = 0;
        while at < kept.len() {
            let mut child = kept[at].first;
            let mut before = None;
            while child != NONE {
                let old = &self.nodes[child as usize];
                let place = kept.len() as u32;
                match before {
                    None => kept[at].first = place,
                    Some(before) => {
                        let before: &mut Node<_> = &mut kept[before as usize];
                        before.next = place;
                    }
                }
                before = Some(place);
                child = old.next;
                let mut copy = old.clone();
                copy.next = NONE;
                kept.push(copy);
            }
            at += 1;
        }
        self.nodes = kept;
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many playouts are missing from a budget; a quarter of it is always made.
    pub fn missing_to(&self, playouts: u32) -> u32 {
        playouts.saturating_sub(self.nodes[0].visits).max(playouts / 4).max(1)
    }

    /// Whether the most visited choice stays so whatever the next `left` playouts bring.
    pub fn is_decided(&self, left: u32) -> bool {
        let mut two = [0, 0];
        for child in self.children(ROOT) {
            if child.visits > two[0] {
                two = [child.visits, two[0]];
            } else {
                two[1] = two[1].max(child.visits);
            }
        }
        two[0] > two[1].saturating_add(left)
    }

    /// The statistics of the root.
    pub fn root(&self) -> Visits {
        let root = &self.nodes[0];
        Visits { visits: root.visits, total: root.total }
    }

    /// The statistics of the choices at the root.
    pub fn each_choice(&self, mut tell: impl FnMut(G::Choice, Visits)) {
        for node in self.children(ROOT) {
            if let Some(choice) = node.choice {
                tell(choice, Visits { visits: node.visits, total: node.total });
            }
        }
    }

    fn children(&self, node: u32) -> impl Iterator<Item = &Node<G::Choice>> {
        let mut at = self.nodes[node as usize].first;
        std::iter::from_fn(move || {
            let node = self.nodes.get(at as usize)?;
            at = node.next;
            Some(node)
        })
    }

    /// The most visited continuation after `first`, up to where visits get too few.
    pub fn line(&self, first: G::Choice, fewest: u32, longest: usize) -> Vec<G::Choice> {
        let mut line = Vec::new();
        let mut at = self.child(ROOT, Some(first));
        while let Some(node) = at.filter(|_| line.len() < longest) {
            let best = self.children(node).filter(|child| child.visits >= fewest);
            let Some(choice) = best.max_by_key(|child| child.visits).and_then(|child| child.choice) else {
                break;
            };
            line.push(choice);
            at = self.child(node, Some(choice));
        }
        line
    }

    fn child(&self, node: u32, choice: Option<G::Choice>) -> Option<u32> {
        let mut at = self.nodes[node as usize].first;
        while at != NONE {
            let child = &self.nodes[at as usize];
            if child.choice == choice {
                return Some(at);
            }
            at = child.next;
        }
        None
    }

    /// The child for a choice, created if there is room; and whether it is new.
    fn child_or_new(&mut self, node: u32, choice: Option<G::Choice>) -> Option<(u32, bool)> {
        if let Some(child) = self.child(node, choice) {
            return Some((child, false));
        }
        if self.nodes.len() >= self.limit {
            return None;
        }
        let place = self.nodes.len() as u32;
        let mut fresh = Node::new(choice);
        let parent = &mut self.nodes[node as usize];
        fresh.next = parent.first;
        parent.first = place;
        parent.tried += 1;
        self.nodes.push(fresh);
        Some((place, true))
    }

    /// One playout: down the tree, to a result, and back. If `focus` is given, every third one starts with it.
    pub fn playout(
        &mut self,
        game: &G,
        context: &SearchContext,
        root: &Root<'_, '_, G>,
        focus: Option<G::Choice>,
    ) {
        let mut state = match root {
            Root::Known(state) => state.clone(),
            Root::Seen(view) => game.determinize(view, &mut self.dice),
        };
        let luck = self.luck(game, context, root, &state);
        let last_turn = context.last_turn(game, &state);
        self.path.clear();
        self.path.push(ROOT);
        let mut node = ROOT;
        let ended = loop {
            let step = match game.mover(&state) {
                Mover::Nobody => break Some(context.result(game, &state)),
                _ if game.turn(&state) > last_turn => None,
                Mover::Fate => self.draw(game, context, node, &state),
                Mover::Seat(seat) => self.decide(game, context, node, &state, seat, focus),
            };
            let Some((choice, child)) = step else { break None };
            game.apply(&mut state, choice, &mut Discard);
            let Some((child, is_new)) = child else { break None };
            self.path.push(child);
            node = child;
            if is_new {
                self.note_mark(game, node, &state);
                break None;
            }
        };
        let payoffs = ended.unwrap_or_else(|| {
            context.play_out(game, &mut state, self.me, last_turn, &mut self.choices, &mut self.dice)
        });
        for &at in &self.path {
            let node = &mut self.nodes[at as usize];
            node.visits += 1;
            for ((total, payoff), luck) in node.total.iter_mut().zip(payoffs).zip(luck) {
                *total += payoff - luck;
            }
        }
    }

    /// How much better a determinized position is for each seat than such positions are on the whole.
    fn luck(
        &mut self,
        game: &G,
        context: &SearchContext,
        root: &Root<'_, '_, G>,
        state: &G::State,
    ) -> Payoffs {
        let leveling = context.tuning.leveling;
        let Root::Seen(view) = root else { return [0.0; SEATS] };
        if leveling <= 0.0 {
            return [0.0; SEATS];
        }
        let level = *self.level.get_or_insert_with(|| {
            let mut sum = [0.0; SEATS];
            for _ in 0..LEVELED {
                let values = context.value(game, &game.determinize(view, &mut self.dice));
                sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            }
            sum.map(|sum| sum / LEVELED as f32)
        });
        let mut luck = context.value(game, state);
        luck.iter_mut().zip(level).for_each(|(luck, level)| *luck = leveling * (*luck - level));
        luck
    }

    /// Stores the fingerprint of the searching seat's view, so that the node is found again later.
    fn note_mark(&mut self, game: &G, node: u32, state: &G::State) {
        let Mover::Seat(seat) = game.mover(state) else { return };
        if self.me.is_none_or(|me| me == seat) {
            self.nodes[node as usize].mark = mark_of(game, state, seat);
        }
    }

    /// Fate's choice. Golden-ratio steps from the node's own starting point visit every outcome in proportion to its weight
    /// after any number of visits; random sampling does so only in the long run.
    fn draw(&mut self, game: &G, context: &SearchContext, node: u32, state: &G::State) -> Option<Step<G>> {
        let visits = self.nodes[node as usize].visits;
        let choice = game.drawn(state, walked_ticket(node, visits, game.tickets(state)));
        let is_seen = !context.hides || self.sees(game, state, choice);
        Some((choice, self.child_or_new(node, is_seen.then_some(choice))))
    }

    /// Whether the searching seat would see this choice.
    fn sees(&self, game: &G, state: &G::State, choice: G::Choice) -> bool {
        self.me.is_none_or(|me| !game.conceals(state, choice, Viewer::Seat(me)))
    }
}

/// A choice on the way down, its node if there is room for one, and whether that is new.
type Step<G> = (<G as Game>::Choice, Option<(u32, bool)>);

/// The fingerprint of a view; never 0.
pub fn mark_of<G: CompleteGame>(game: &G, state: &G::State, seat: Seat) -> u64 {
    fingerprint(&game.view(state, Viewer::Seat(seat))).max(1)
}

/// The ticket for the next visit of a Fate node.
#[inline]
fn walked_ticket(node: u32, visits: u32, tickets: u32) -> u32 {
    let start = (node ^ 0x5bf0_3635).wrapping_mul(0x85eb_ca6b).rotate_left(13).wrapping_mul(0xc2b2_ae35);
    let place = start.wrapping_add(visits.wrapping_mul(GOLDEN));
    ((u64::from(place) * u64::from(tickets)) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use blitz::Blitz;
    use kernel::Options;

    use kernel::Dice as _;

    use super::*;

    #[test]
    fn fate_keeps_to_the_weights_at_any_time() {
        for (node, tickets) in [(0, 6), (1, 6), (77, 20), (12_345, 36)] {
            let mut counts = vec![0_u32; tickets as usize];
            for visits in 0..200 * tickets {
                counts[walked_ticket(node, visits, tickets) as usize] += 1;
                let (least, most) = (counts.iter().min(), counts.iter().max());
                assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 5), "{counts:?}");
            }
        }
    }

    /// A position of blitz in which Fate draws a token that Seat(0) will not see.
    fn before_a_hidden_draw(game: &Blitz) -> <Blitz as Game>::State {
        let (mut state, mut choices, mut dice) = (game.start(), Vec::new(), LabDice::new(3));
        loop {
            let choice = match game.mover(&state) {
                Mover::Nobody => panic!("the game was over before anything was hidden"),
                Mover::Fate => {
                    let drawn = game.drawn(&state, dice.below(game.tickets(&state)));
                    if game.tickets(&state) > 3 && game.conceals(&state, drawn, Viewer::Seat(Seat(0))) {
                        return state;
                    }
                    drawn
                }
                Mover::Seat(_) => {
                    choices.clear();
                    game.choices(&state, &mut choices);
                    choices[dice.below(choices.len() as u32) as usize]
                }
            };
            game.apply(&mut state, choice, &mut Discard);
        }
    }

    /// The choices below the root after some playouts of one who has the eyes of a seat, or of nobody.
    fn below(
        game: &Blitz,
        root: &Root<'_, '_, Blitz>,
        eyes: Option<Seat>,
    ) -> Vec<Option<<Blitz as Game>::Choice>> {
        let mut tree = Tree::<Blitz>::new(10_000);
        tree.begin(eyes, 0, 10_000, LabDice::new(4));
        let context = SearchContext::of(game).expect("few seats");
        (0..100).for_each(|_| tree.playout(game, &context, root, None));
        tree.children(ROOT).map(|node| node.choice).collect()
    }

    #[test]
    fn what_a_seat_does_not_see_leads_to_one_node() {
        let game = Blitz::with_options(&Options::new()).expect("the plain game");
        let state = before_a_hidden_draw(&game);
        let views = [0, 1].map(|seat| game.view(&state, Viewer::Seat(Seat(seat))));
        assert_eq!(below(&game, &Root::Seen(&views[0]), Some(Seat(0))), [None]);
        let own = below(&game, &Root::Seen(&views[1]), Some(Seat(1)));
        assert!(own.len() > 1 && own.iter().all(Option::is_some), "who draws sees what: {own:?}");
        let all = below(&game, &Root::Known(state), None);
        assert!(all.len() > 1 && all.iter().all(Option::is_some), "who knows everything sees it: {all:?}");
    }

    #[test]
    fn nodes_begin_their_walks_at_places_of_their_own() {
        let mut counts = [0_u32; 6];
        (0..6_000).for_each(|node| counts[walked_ticket(node, 0, 6) as usize] += 1);
        assert!(counts.iter().all(|count| (850..1_150).contains(count)), "{counts:?}");
    }
}
