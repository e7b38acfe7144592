//! Command: committing cards, the order of Player Turns, Winter. Rules 10.1 to 10.4; rulings R11, R60, R61.

use kernel::{Audience, EventSink};

use crate::areas::{AreaSet, NONE, bits};
use crate::cards::{Card, Deck};
use crate::choice::Choice;
use crate::factions::{Faction, Parties};
use crate::game_event::{Command, GameEvent};
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::{Part, State, Turn, flag};

/// All orders of three places.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

impl Rules {
    /// A season begins with its Command Phase.
    pub(crate) fn begin_season<S: EventSink<GameEvent>>(&self, state: &mut State, part: Part, sink: &mut S) {
        state.part = part;
        (state.at, state.passes) = (0, 0);
        state.turns = [None; 3];
        sink.emit(|| GameEvent::Begins { part });
        if part == Part::Winter {
            self.begin_winter(state, sink);
        } else {
            self.ask_command(state, sink);
        }
    }

    /// Asks the current player; one who has committed or has no card passes unasked. Ruling R60.
    fn ask_command<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        while state.passes < 3 {
            let own = state.of(Self::current(state));
            if own.committed.is_none() && own.cards() > 0 {
                state.stage = Stage::Command;
                return;
            }
            state.passes += 1;
            state.at = (state.at + 1) % 3;
        }
        self.ask_second_card(state, sink);
    }

    /// A pass in the Command Phase.
    pub(crate) fn pass_command<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let faction = Self::current(state);
        sink.emit(|| GameEvent::Passed { faction });
        state.passes += 1;
        state.at = (state.at + 1) % 3;
        self.ask_command(state, sink);
    }

    /// A card is committed, face down.
    pub(crate) fn commit<S: EventSink<GameEvent>>(&self, state: &mut State, card: Card, sink: &mut S) {
        let faction = Self::current(state);
        let own = state.of_mut(faction);
        own.hand[card.deck() as usize] &= !card.bit();
        own.committed = Some(card);
        let seat = self.seat_of(faction);
        sink.emit_to(Audience::Only(seat), || GameEvent::Committed { faction, card: Some(card) });
        sink.emit_to(Audience::Except(seat), || GameEvent::Committed { faction, card: None });
        state.passes = 0;
        state.at = (state.at + 1) % 3;
        self.ask_command(state, sink);
    }

    /// Whether a card committed now is shown at once, since nobody else can commit any more.
    pub(crate) fn is_last_to_commit(&self, state: &State) -> bool {
        let current = Self::current(state);
        let others = current.rivals();
        !self.asks_second_card_after(state, current)
            && others
                .iter()
                .all(|other| state.of(*other).committed.is_some() || state.of(*other).cards() == 0)
    }

    /// Whether a card is of the current season; in Winter every Action card is.
    pub(crate) fn is_valid(&self, state: &State, card: Card) -> bool {
        card.deck() == Deck::Action
            && state.part.season().is_none_or(|season| self.seasons[season as usize] & card.bit() != 0)
    }

    /// How a committed card counts.
    fn counts(&self, state: &State, card: Card) -> Command {
        match card.deck() {
            Deck::Investment => Command::Bluff,
            Deck::Action if self.is_valid(state, card) => Command::Valid,
            Deck::Action => Command::Emergency,
        }
    }

    /// Cards are shown; the turns are put in order.
    pub(crate) fn reveal_commands<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let mut turns = [(NONE, Faction::Axis, false); 3];
        let mut count = 0;
        for faction in state.order {
            let Some(card) = state.of(faction).committed else { continue };
            let counts = self.counts(state, card);
            sink.emit(|| GameEvent::CommandShown { faction, card, counts });
            if counts == Command::Bluff {
                state.of_mut(faction).committed = None;
                state.discard(card);
            } else {
                turns[count] = (self.world.action(card).letter, faction, counts == Command::Valid);
                count += 1;
            }
        }
        let turns = &mut turns[..count];
        // A stable sort: Turn Order among equals. Ruling R61.
        turns.sort_by_key(|(letter, ..)| *letter);
        state.turns = std::array::from_fn(|at| turns.get(at).map(|(_, faction, _)| *faction));
        for &(letter, holder, valid) in turns.iter() {
            let tied = turns.iter().filter(|turn| turn.0 == letter);
            let parties = tied.fold(Parties::NONE, |set, turn| set.with(turn.1));
            if valid && parties.count() > 1 {
                state.stage = Stage::Tie(holder, parties);
                return;
            }
        }
        self.next_turn(state, sink);
    }

    /// The orders in which tied turns can be put: all three places, those without a turn last.
    pub(crate) fn list_orders(state: &State, tied: Parties, out: &mut Vec<Choice>) {
        let mut base = Faction::ALL;
        base.sort_by_key(|faction| state.turns.iter().position(|turn| *turn == Some(*faction)).unwrap_or(3));
        for order in ORDERS {
            // Turns that are not tied keep their places.
            if (0..3).all(|at| order[at] == at || tied.has(base[at])) {
                out.push(Choice::Order(order.map(|at| base[at])));
            }
        }
    }

    /// Tied turns have their order.
    pub(crate) fn order_turns<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        by: Faction,
        order: [Faction; 3],
        sink: &mut S,
    ) {
        let count = state.turns.iter().flatten().count();
        state.turns = std::array::from_fn(|at| (at < count).then(|| order[at]));
        sink.emit(|| GameEvent::TurnsOrdered { by, order: order[..count].to_vec() });
        self.next_turn(state, sink);
    }

    /// The next Player Turn of the season, or its Supply Phase.
    pub(crate) fn next_turn<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let Some(faction) = state.turns[0] else {
            self.begin_supply(state, sink);
            return;
        };
        state.turns = [state.turns[1], state.turns[2], None];
        let Some(card) = state.of(faction).committed else {
            self.next_turn(state, sink);
            return;
        };
        let valid = self.is_valid(state, card);
        let moves = if valid {
            self.world.action(card).value
        } else {
            self.atlas().factions[faction.index()].emergency
        };
        self.begin_turn(state, faction, moves, !valid, sink);
    }

    /// A Player Turn begins. Rule 10.2.
    pub(crate) fn begin_turn<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        moves: u8,
        emergency: bool,
        sink: &mut S,
    ) {
        self.snapshot(state);
        for block in &mut state.blocks {
            block.flags &= flag::ESCAPED | flag::REVEALED;
            (block.from, block.origin) = (NONE, NONE);
        }
        state.crossed = [[0; crate::areas::BORDERS.div_ceil(4)]; 3];
        let defensive = !emergency && self.turn_is_defensive(state, faction);
        state.turn = Turn {
            faction,
            moves,
            emergency,
            defensive,
            may_declare: !emergency && !defensive && state.part != Part::Winter,
            surprise: false,
            declared: None,
            interventions: 0,
            aggression: AreaSet::EMPTY,
            battles: AreaSet::EMPTY,
            open: AreaSet::EMPTY,
            ask: AreaSet::EMPTY,
        };
        sink.emit(|| GameEvent::TurnBegins { faction, moves, emergency });
        state.stage = Stage::Movement;
    }

    /// The card of a Player Turn is discarded; the next one begins.
    pub(crate) fn end_turn<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if let Some(card) = state.of_mut(state.turn.faction).committed.take() {
            state.discard(card);
        }
        self.next_turn(state, sink);
    }

    // --- Winter --------------------------------------------------------------------------------------

    /// Winter is the USSR's. Rule 10.4.
    fn begin_winter<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if state.of(Faction::Ussr).hand[0] == 0 {
            self.begin_supply(state, sink);
        } else {
            state.stage = Stage::Winter;
        }
    }

    /// Command cards that can be committed: any card, or in Winter Action cards.
    pub(crate) fn list_commands(state: &State, faction: Faction, winter: bool, out: &mut Vec<Choice>) {
        for deck in Deck::ALL {
            if !(winter && deck == Deck::Investment) {
                let cards = bits(state.of(faction).hand[deck as usize]);
                out.extend(cards.map(|index| Choice::Commit(Card::new(deck, index))));
            }
        }
        out.push(Choice::Pass);
    }

    /// The USSR plays a card in Winter, face up.
    pub(crate) fn commit_winter<S: EventSink<GameEvent>>(&self, state: &mut State, card: Card, sink: &mut S) {
        let faction = Faction::Ussr;
        let own = state.of_mut(faction);
        own.hand[0] &= !card.bit();
        own.committed = Some(card);
        sink.emit(|| GameEvent::CommandShown { faction, card, counts: Command::Valid });
        state.turns = [Some(faction), None, None];
        self.ask_second_card(state, sink);
    }
}
