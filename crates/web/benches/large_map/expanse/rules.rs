//! Positions and what changes them.

use kernel::{Listener, Refusal};
use terrain::{Cell, NOWHERE};

use super::Expanse;
use super::map::{ARMY, GRID, Ground, PIECES, TOWNS};

/// So many pieces can be moved in an activation. Rule 2.1.
pub const READY: usize = 13;
/// Activations of one side in a turn. Rule 1.3.
pub const ACTIVATIONS: u32 = 95;
/// Nobody stands there.
pub const NOBODY: u16 = u16::MAX;

/// A piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Where it stands; [`NOWHERE`] while it is lost.
    pub cell: Cell,
    /// Hits that it can take.
    pub strength: u8,
}

/// An attack that waits for its die. Rule 3.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fight {
    /// Who attacks.
    pub piece: u16,
    /// Where the enemy stands.
    pub to: Cell,
}

/// A position. Everything lies open, so it is also what everybody sees.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The pieces by number.
    pub pieces: Vec<Piece>,
    /// Who stands in each hex.
    pub at: Vec<u16>,
    /// Whose each town is: 0, 1, or 2 for nobody's.
    pub owners: [u8; TOWNS],
    /// Activations so far, of both sides.
    pub activation: u32,
    /// The piece of each side, counted within its army, with which its next activation begins.
    pub rota: [u16; 2],
    /// The attack that waits for its die.
    pub fight: Option<Fight>,
}

impl State {
    /// The side that is to move: 0 or 1.
    pub const fn side(&self) -> u8 {
        (self.activation % 2) as u8
    }

    /// The turn, from 1.
    pub const fn turn(&self) -> u16 {
        (self.activation / (2 * ACTIVATIONS)) as u16 + 1
    }

    /// A piece by its number.
    pub fn piece(&self, piece: u16) -> Piece {
        self.pieces[usize::from(piece)]
    }

    /// Who stands in a hex.
    pub fn who(&self, cell: Cell) -> Option<u16> {
        self.at.get(usize::from(cell)).copied().filter(|piece| *piece != NOBODY)
    }

    /// Whether a piece is on the map.
    pub fn is_there(&self, piece: u16) -> bool {
        self.piece(piece).cell != NOWHERE
    }

    /// The pieces that can be moved now: the next of the army that are on the map. Rule 2.1.
    pub fn ready(&self) -> impl Iterator<Item = u16> {
        let (first, side) = (self.rota[usize::from(self.side())], u16::from(self.side()));
        let numbers = (0..ARMY).map(move |n| side * ARMY + (first + n) % ARMY);
        numbers.filter(|piece| self.is_there(*piece)).take(READY)
    }

    /// How many towns a side has.
    pub fn towns_of(&self, side: u8) -> usize {
        self.owners.iter().filter(|owner| **owner == side).count()
    }

    /// How many pieces of a side are on the map.
    pub fn army_of(&self, side: u8) -> usize {
        (0..PIECES).filter(|piece| side_of(*piece) == side && self.is_there(*piece)).count()
    }

    fn lift(&mut self, piece: u16) {
        let cell = std::mem::replace(&mut self.pieces[usize::from(piece)].cell, NOWHERE);
        if let Some(at) = self.at.get_mut(usize::from(cell)) {
            *at = NOBODY;
        }
    }

    fn put(&mut self, piece: u16, cell: Cell) {
        self.pieces[usize::from(piece)].cell = cell;
        self.at[usize::from(cell)] = piece;
    }
}

/// Whose a piece is.
pub const fn side_of(piece: u16) -> u8 {
    (piece / ARMY) as u8
}

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// Moves a piece to the next hex, or attacks who stands there. Rules 2.2 and 3.1.
    Move {
        /// The piece.
        piece: u16,
        /// The hex.
        to: Cell,
    },
    /// Moves nothing. Rule 2.3.
    Hold,
    /// What the die of a fight shows. Rule 3.2.
    Die(u8),
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A turn begins.
    Turn(u16),
    /// A piece has moved.
    Moved(u16, Cell, Cell),
    /// A side has moved nothing.
    Held(u8),
    /// An attack has begun: attacker, defender, where.
    Attacked(u16, u16, Cell),
    /// The die of a fight: what it showed, what was needed, and who was hit.
    Rolled(u8, u8, Option<u16>),
    /// A piece is lost.
    Lost(u16),
    /// A side has taken a town.
    Taken(u8, Cell),
    /// A piece has come back.
    Returned(u16, Cell),
}

impl Expanse {
    /// The opening position. Rule 1.3.
    pub fn opening(&self) -> State {
        let mut owners = [2; TOWNS];
        owners[..16].fill(0);
        owners[24..].fill(1);
        let mut state = State {
            pieces: vec![Piece { cell: NOWHERE, strength: 2 }; usize::from(PIECES)],
            at: vec![NOBODY; GRID.len()],
            owners,
            activation: 0,
            rota: [0; 2],
            fight: None,
        };
        for (piece, home) in (0..).zip(&self.map.homes) {
            state.put(piece, *home);
        }
        state
    }

    /// Whether the game is over. Rule 4.1.
    pub fn is_over(&self, state: &State) -> bool {
        state.turn() > self.turns
    }

    /// Whether a piece of a side can go to a hex, or attack who stands there.
    pub fn can_enter(&self, state: &State, side: u8, to: Cell) -> bool {
        to != NOWHERE
            && self.map.ground[usize::from(to)] != Ground::Lake
            && state.who(to).is_none_or(|other| side_of(other) != side)
    }

    /// Every hex next to a ready piece, with the piece.
    pub fn steps<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (u16, Cell)> + 'a {
        let around = |piece| self.map.near[usize::from(state.piece(piece).cell)].map(move |to| (piece, to));
        state.ready().flat_map(around).filter(|(_, to)| *to != NOWHERE)
    }

    /// Why a piece can't be moved to a hex now. Rules 2.1 and 2.2.
    pub fn why_not_move(&self, state: &State, piece: u16, to: Cell) -> Option<Refusal> {
        let because = |reason: String, rule| Some(Refusal { reason, rule });
        let name = super::words::piece(piece);
        if side_of(piece) != state.side() {
            return because(format!("{name} is a piece of the enemy"), "2.1");
        }
        if !state.is_there(piece) {
            return because(format!("{name} is lost until the next turn"), "3.4");
        }
        if !state.ready().any(|ready| ready == piece) {
            return because(format!("{name} is not among the pieces that are ready"), "2.1");
        }
        if !self.map.near[usize::from(state.piece(piece).cell)].contains(&to) {
            return because(format!("{name} moves to the next hex only"), "2.2");
        }
        if self.map.ground[usize::from(to)] == Ground::Lake {
            return because(format!("{} is a lake", GRID.name(to)), "1.2");
        }
        let friend = state.who(to).filter(|other| side_of(*other) == state.side())?;
        because(format!("{} stands in {}", super::words::piece(friend), GRID.name(to)), "2.2")
    }

    /// Plays a choice that is open.
    pub fn play<L: Listener<Notice>>(&self, state: &mut State, choice: Choice, listener: &mut L) {
        match (choice, state.fight) {
            (Choice::Hold, _) => {
                let side = state.side();
                listener.announce(|| Notice::Held(side));
            }
            (Choice::Move { piece, to }, _) => {
                if let Some(enemy) = state.who(to) {
                    state.fight = Some(Fight { piece, to });
                    listener.announce(|| Notice::Attacked(piece, enemy, to));
                    return;
                }
                let from = state.piece(piece).cell;
                listener.announce(|| Notice::Moved(piece, from, to));
                self.enter(state, piece, to, listener);
            }
            (Choice::Die(die), Some(fight)) => {
                state.fight = None;
                self.settle_fight(state, fight, die, listener);
            }
            (Choice::Die(_), None) => return,
        }
        self.end_activation(state, listener);
    }

    /// Rules 3.2 to 3.4.
    fn settle_fight<L: Listener<Notice>>(&self, state: &mut State, fight: Fight, die: u8, listener: &mut L) {
        let Fight { piece, to } = fight;
        let Some(enemy) = state.who(to) else { return };
        let needed = self.map.ground[usize::from(to)].needed();
        let hit = match die {
            1 => Some(piece),
            die if die >= needed => Some(enemy),
            _ => None,
        };
        listener.announce(|| Notice::Rolled(die, needed, hit));
        let Some(hit) = hit else { return };
        let strength = &mut state.pieces[usize::from(hit)].strength;
        *strength -= 1;
        if *strength > 0 {
            return;
        }
        state.lift(hit);
        listener.announce(|| Notice::Lost(hit));
        if hit == enemy {
            self.enter(state, piece, to, listener);
        }
    }

    fn enter<L: Listener<Notice>>(&self, state: &mut State, piece: u16, to: Cell, listener: &mut L) {
        state.lift(piece);
        state.put(piece, to);
        let side = side_of(piece);
        if let Ground::Town(town) = self.map.ground[usize::from(to)]
            && std::mem::replace(&mut state.owners[usize::from(town)], side) != side
        {
            listener.announce(|| Notice::Taken(side, to));
        }
    }

    /// The other side is next; after the last activation of a turn lost pieces come back. Rules 2.1 and 3.4.
    fn end_activation<L: Listener<Notice>>(&self, state: &mut State, listener: &mut L) {
        if let Some(last) = state.ready().last() {
            state.rota[usize::from(state.side())] = (last % ARMY + 1) % ARMY;
        }
        state.activation += 1;
        if !state.activation.is_multiple_of(2 * ACTIVATIONS) || self.is_over(state) {
            return;
        }
        let turn = state.turn();
        listener.announce(|| Notice::Turn(turn));
        for (piece, &home) in (0..).zip(&self.map.homes) {
            if !state.is_there(piece) && state.who(home).is_none() {
                state.pieces[usize::from(piece)].strength = 2;
                listener.announce(|| Notice::Returned(piece, home));
                self.enter(state, piece, home, listener);
            }
        }
    }
}
