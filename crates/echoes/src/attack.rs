//! Rules 2.3 and 2.4: attacks, capitals and the campaign tracks. Rulings R9, R14, R23.

use kernel::EventSink;

use crate::game_event::{AttackRoll, GameEvent};
use crate::ids::{Region, Regions, Side};
use crate::program::Op;
use crate::rules::Rules;
use crate::state::{Phase, State};

/// How often the human may attack one region in one turn. Rule 3.3.4.
pub const ATTACKS_PER_REGION: u8 = 2;

impl Rules {
    /// The side, modifier and list of the attack instruction in hand.
    #[inline]
    pub(crate) fn attack_order(&self, state: &State) -> (Side, i8, Regions) {
        match *self.op(state) {
            Op::Attack(side, region, modifier) => (side, modifier, Regions::NONE.with(region)),
            Op::FreeAttacks(side, _, regions, modifier) => (side, modifier, regions),
            Op::Actions(side, _) => (side, 0, Regions::ALL),
            _ => (self.human, 0, Regions::NONE),
        }
    }

    /// What the instruction in hand adds to an attack of the human.
    pub fn attack_modifier(&self, state: &State) -> i8 {
        self.attack_order(state).1
    }

    /// Steps 1 to 3 of the attack procedure. Whether the game now waits for a choice.
    #[inline]
    pub(crate) fn begin_attack<L: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        side: Side,
        region: Region,
        modifier: i8,
        sink: &mut L,
    ) -> bool {
        if !self.has_target(state, side, region) {
            sink.emit(|| GameEvent::AttackImpossible { side, region, twice: false });
            return false;
        }
        if side == self.human {
            if state.attacks[region.index()] >= ATTACKS_PER_REGION {
                sink.emit(|| GameEvent::AttackImpossible { side, region, twice: true });
                return false;
            }
            add_to_byte(&mut state.attacks, region.index(), 1);
        }
        state.attacker = side;
        state.region = region;
        state.modifier = modifier;
        self.open_window_before_attack(state);
        true
    }

    /// Window B if it is of use, else the die.
    #[inline]
    pub(crate) fn open_window_before_attack(&self, state: &mut State) {
        let asked = self.asks_early() && self.shifts_before_attack(state, state.attacker, state.region) != 0;
        state.phase = if asked { Phase::BeforeAttack } else { Phase::AttackDie };
    }

    /// The arithmetic of a die on the region under attack. Rule 2.3.3, steps 4 and 5.
    #[inline]
    pub fn attack_roll(
        &self,
        state: &State,
        side: Side,
        region: Region,
        modifier: i8,
        die: u8,
    ) -> AttackRoll {
        AttackRoll {
            side,
            region,
            die,
            lead: self.lead_modifier(state, side, region),
            usa: self.usa_modifier(state, side, region),
            modifier,
            need: self.need(state, side, region),
            capital: self.faces_capital(state, side, region),
            reroll: state.phase == Phase::RerollDie,
        }
    }

    /// The arithmetic of a die for the attack in hand.
    #[inline]
    pub(crate) fn roll_in_hand(&self, state: &State, die: u8) -> AttackRoll {
        self.attack_roll(state, state.attacker, state.region, state.modifier, die)
    }

    /// The first die of an attack: window D if it is of use, else the consequence.
    #[inline(always)]
    pub(crate) fn attack_die<L: EventSink<GameEvent>>(&self, state: &mut State, die: u8, sink: &mut L) {
        let roll = self.roll_in_hand(state, die);
        sink.emit(|| GameEvent::AttackRolled(roll));
        let to_regret = roll.wins() != (state.attacker == self.human);
        // The allowance is asked first: once it is spent the answer can be foreseen, the die never.
        if state.tow_left > 0 && to_regret && self.open_window_after_attack(state, die) {
            return;
        }
        self.end_attack(state, roll.wins(), sink);
    }

    /// Window D after a die that the human regrets, if a reroll or a shift is of use. Whether it is open now.
    #[inline(never)]
    fn open_window_after_attack(&self, state: &mut State, die: u8) -> bool {
        state.die = die;
        if self.listens(state) && !state.tow_used.has(state.region) {
            state.phase = Phase::AfterAttack;
            return true;
        }
        self.open_late_window(state, Phase::AfterAttack)
    }

    /// The second die. It can't be rolled again, but shifts may turn it. Rules 2.3.3, step 6, and 2.5.5.
    #[inline(never)]
    pub(crate) fn reroll_die<L: EventSink<GameEvent>>(&self, state: &mut State, die: u8, sink: &mut L) {
        let roll = self.roll_in_hand(state, die);
        sink.emit(|| GameEvent::AttackRolled(roll));
        let to_regret = roll.wins() != (state.attacker == self.human);
        if to_regret && self.open_window_after_attack(state, die) {
            return;
        }
        self.end_attack(state, roll.wins(), sink);
    }

    /// The first roll stands.
    pub(crate) fn let_roll_stand<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        let wins = self.roll_in_hand(state, state.die).wins();
        self.end_attack(state, wins, sink);
    }

    /// Step 7, and on with the instruction that ordered the attack.
    #[inline(always)]
    fn end_attack<L: EventSink<GameEvent>>(&self, state: &mut State, wins: bool, sink: &mut L) {
        state.die = 0;
        let (side, region) = (state.attacker, state.region);
        self.step_front(state, side, region, wins);
        if wins {
            let to = state.at(region);
            sink.emit(|| GameEvent::Captured { side, region, to });
        }
        self.go_on(state, sink);
    }

    /// One X on the side's own row, if `wins`. Rule 2.4. Without a branch: dice can't be foreseen.
    #[inline]
    fn step_front(&self, state: &mut State, side: Side, region: Region, wins: bool) {
        let at = region.index();
        add_to_byte(&mut state.pos, at, side.sign() * i8::from(wins));
        state.x[side.index()][at] = state.x[side.index()][at].saturating_add(u16::from(wins));
    }

    /// An ADV: a step without a die, where one is possible. Rule 3.3.3.
    pub(crate) fn advance<L: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        side: Side,
        region: Region,
        sink: &mut L,
    ) {
        let possible = self.can_advance(state, side, region);
        self.step_front(state, side, region, possible);
        if possible {
            let to = state.at(region);
            sink.emit(|| GameEvent::Advanced { side, region, to });
        } else {
            let capital = self.faces_capital(state, side, region);
            sink.emit(|| GameEvent::AdvanceBlocked { side, region, capital });
        }
    }

    /// How many of the six faces win an attack. Rule 2.3.3.
    #[inline]
    pub fn winning_faces(&self, state: &State, side: Side, region: Region, modifier: i8) -> u8 {
        let need = self.need(state, side, region) as i8;
        if need == 0 {
            return 0;
        }
        let bonus =
            self.lead_modifier(state, side, region) + self.usa_modifier(state, side, region) + modifier;
        (7 - need + bonus).clamp(0, 6) as u8
    }
}

/// Adds to one byte of a machine word, through the whole word: [`Rules::open_attacks`] reads all of it soon after, and a
/// processor waits when it must read a word of which it has just written a byte. The byte must not run over.
#[inline]
fn add_to_byte(bytes: &mut [u8; 8], at: usize, change: i8) {
    let word = u64::from_le_bytes(*bytes);
    let change = i64::from(change) << (8 * (at & 7));
    *bytes = word.wrapping_add_signed(change).to_le_bytes();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_of_a_word_goes_up_and_down_alone() {
        let mut bytes = [3, 1, 0, 5, 2, 7, 0, 0];
        add_to_byte(&mut bytes, 1, -1);
        add_to_byte(&mut bytes, 3, 1);
        add_to_byte(&mut bytes, 0, 0);
        assert_eq!(bytes, [3, 0, 0, 6, 2, 7, 0, 0]);
    }
}
