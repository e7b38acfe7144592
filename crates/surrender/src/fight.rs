//! Ground combat, step by step. Rule 5.1. What may be committed is in `fight_items`, the modifiers in `fight_sums`, what
//! comes of the result in `fight_results`.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::ids::UnitId;
use crate::rules::Rules;
use crate::standing::Reaction;
use crate::state::{Commitment, Duel, Fight, Manner, Occasion, Stage, State, flag, note};
use crate::tables::CombatResult;

impl Rules {
    /// A ground combat begins. It is a frame above the one that asked for it, which goes on when it is over; its result stays
    /// in [`State::fight`] until then.
    pub(crate) fn begin_fight<S: EventSink<GameEvent>>(&self, state: &mut State, fight: Fight, sink: &mut S) {
        let Fight { manner, primary, more, defender, hex, .. } = fight;
        state.fight = fight;
        state.fight.stage = Stage::Tricks;
        state.push(Frame::Fight);
        for unit in more.into_iter().filter_map(UnitId::some) {
            if state.unit(unit).has(flag::DROPPED) {
                // A dropped unit joins one attack only (6.8).
                state.unit_mut(unit).flags |= flag::ENDED;
            }
        }
        sink.emit(|| GameEvent::Attack(manner, primary, more, defender, hex));
        self.attack_hex(state, primary, hex, sink);
    }

    /// The combat goes on by one stage.
    pub(crate) fn proceed_fight<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        match state.fight.stage {
            Stage::Tricks => {
                state.fight.stage = Stage::Commit;
                if let Some((side, _)) = self.trick(state) {
                    state.push(Frame::Trick(side));
                }
            }
            Stage::Commit => self.ask_commitment(state, sink),
            Stage::Items => self.ask_item(state),
            Stage::Air => self.settle_air(state, sink),
            Stage::Dice => {
                state.fight.stage = Stage::Result;
                state.push(Frame::FightDie(1));
                state.push(Frame::FightDie(0));
            }
            Stage::Result => {
                state.fight.stage = Stage::Over;
                let result = self.read_result(state, sink);
                self.apply_result(state, result, sink);
            }
            Stage::Over => self.end_fight(state, sink),
        }
    }

    /// Step 2: the attacker's commit marker, then the defender's; against ULTRA the enemy's comes first. A side that can
    /// commit nothing shows Will Not without being asked.
    fn ask_commitment<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let first = u8::from(self.is_shown_first(state, 1));
        for side in [first, 1 - first] {
            let is_open = state.fight.will[usize::from(side)] == Commitment::Open;
            if is_open && self.can_commit(state, usize::from(side)) {
                return state.push(Frame::Commit(side));
            }
        }
        for side in 0..2_u8 {
            let will = state.fight.will[usize::from(side)];
            let shown = self.fight_side(state, side);
            if will == Commitment::Open {
                state.fight.will[usize::from(side)] = Commitment::WillNot;
            } else {
                sink.emit(|| GameEvent::Shown(shown, will == Commitment::Will));
            }
        }
        state.fight.stage = Stage::Items;
    }

    /// Step 2: items in turn, the attacker first, until both pass. Who showed Will Not, or has nothing more, passes.
    fn ask_item(&self, state: &mut State) {
        while state.fight.passes < 2 {
            let side = state.fight.naming;
            let at = usize::from(side);
            if state.fight.will[at] == Commitment::Will && self.can_commit(state, at) {
                return state.push(Frame::Item(side));
            }
            state.fight.passes += 1;
            state.fight.naming = 1 - side;
        }
        state.fight.stage = Stage::Air;
    }

    /// Step 3: two air units fight for Air Support; one alone has it and adds a Sortie.
    fn settle_air<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let air = state.fight.air;
        match air.map(UnitId::some) {
            [Some(_), Some(_)] => {
                let duel = state.duel;
                let is_ours = duel.occasion == Occasion::AirSupport && duel.units == air;
                let Some(result) = duel.result.filter(|_| is_ours) else {
                    let hex = state.fight.hex;
                    let duel = Duel { occasion: Occasion::AirSupport, units: air, hex, ..Duel::NONE };
                    return self.begin_duel(state, duel, sink);
                };
                let for_attacker = result != CombatResult::AttackerAttrition;
                let for_defender = result < CombatResult::DefenderDisrupted;
                state.fight.support = [for_attacker, for_defender];
                state.duel = Duel::NONE;
            }
            lone => {
                for (side, unit) in lone.into_iter().enumerate() {
                    if let Some(unit) = unit {
                        state.fight.support[side] = true;
                        self.add_sorties(state, unit, 1, sink);
                    }
                }
            }
        }
        state.fight.stage = Stage::Dice;
    }

    /// Steps 4 to 6: the sums and the table. The defender has now had its first attack (ruling 55).
    fn read_result<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) -> CombatResult {
        let fight = state.fight;
        let sums = [0, 1].map(|side| self.fight_sum(state, &fight, side));
        let result = self.result_of(&sums);
        state.fight.result = Some(result);
        if state.noted(note::SURPRISE) {
            state.unit_mut(fight.defender).flags |= flag::HIT;
        }
        sink.emit(|| GameEvent::Fought(fight.primary, fight.defender, fight.hex, sums[0], sums[1], result));
        result
    }

    /// The combat is over: a Mobile attack that eliminated the defender leaves a No EZOC marker (5.3); then the attacker
    /// goes on. A landing is gone on with by its mission, which reads the combat.
    fn end_fight<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let Fight { manner, defender, hex, .. } = state.fight;
        if manner == Manner::Mobile && !state.unit(defender).on_map() {
            state.no_ezoc[hex.index() / 64] |= 1 << (hex.index() % 64);
            sink.emit(|| GameEvent::NoEzoc(hex));
        }
        state.fight.vacated = state.ground_at(hex).is_none();
        state.pop();
        match manner {
            Manner::Mobile => self.after_mobile(state, sink),
            Manner::Assault => self.after_assault(state),
            Manner::Landing => {}
        }
    }

    /// The choices of a ground combat.
    pub(crate) fn list_fight(&self, state: &State, frame: Frame, out: &mut Vec<Choice>) {
        match frame {
            Frame::Trick(_) => {
                out.extend(self.trick(state).map(|(_, marker)| Choice::Use(marker)));
                out.push(Choice::Pass);
            }
            Frame::Commit(side) => {
                out.extend([Choice::Commit, Choice::HoldBack]);
                if self.may_refuse_all(state, side) {
                    out.push(Choice::HoldBackAll);
                }
            }
            Frame::Item(side) => {
                let (at, before) = (usize::from(side), out.len());
                self.each_item(state, at, |item| {
                    out.push(item);
                    false
                });
                if out.len() == before || self.has_committed_something(state, at) {
                    out.push(Choice::Pass);
                }
            }
            Frame::Fort => out.extend([Choice::Stand, Choice::GiveWay]),
            Frame::Retreat => {
                let hexes = self.retreat_hexes(state, &state.fight);
                out.extend(hexes.map(Choice::Retreat));
            }
            Frame::Evacuate(unit) => {
                if self.can_evacuate(state, unit) {
                    out.push(Choice::Evacuate);
                }
                out.push(Choice::Pass);
            }
            _ => {}
        }
    }

    /// A choice or die of a ground combat.
    pub(crate) fn play_fight<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        frame: Frame,
        choice: Choice,
        sink: &mut S,
    ) {
        state.pop();
        match (frame, choice) {
            (Frame::Trick(side), Choice::Use(marker)) => {
                self.use_trick(state, usize::from(side), marker, sink);
            }
            (Frame::Commit(side), _) => {
                let will = if choice == Choice::Commit { Commitment::Will } else { Commitment::WillNot };
                state.fight.will[usize::from(side)] = will;
                if choice == Choice::HoldBackAll {
                    let defender = self.fight_side(state, side).player();
                    self.stand_by(state, Reaction::Commit, defender, sink);
                }
            }
            (Frame::Item(side), _) => self.name_item(state, usize::from(side), choice, sink),
            (Frame::FightDie(side), Choice::Die(die)) => state.fight.dice[usize::from(side)] = die,
            (Frame::Fort, Choice::GiveWay) => state.push(Frame::Retreat),
            (Frame::Fort, _) => self.cannot_retreat(state, sink),
            (Frame::Retreat, Choice::Retreat(hex)) => self.retreat(state, hex, sink),
            (Frame::Evacuate(unit), Choice::Evacuate) => self.evacuate(state, unit, sink),
            (Frame::Evacuate(unit), _) => self.lose(state, unit, self.loss_under_way(state, unit), sink),
            _ => {}
        }
    }

    /// Whether the commit marker of a side is chosen first and in the open: the enemy's of ULTRA, and the defender's under
    /// Maskirovka (14).
    pub(crate) fn is_shown_first(&self, state: &State, side: usize) -> bool {
        use crate::markers::Marker::{Maskirovka, Ultra};
        state.has_committed(1 - side, Ultra) || side == 1 && state.has_committed(0, Maskirovka)
    }
}
