//! The sequence of play: initiative, supports, the two player turns, the night. Rules 5, 7, 8, 18.

use kernel::{EventSink, Mover, Seat};
use terrain::Octant;

use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::scenario::{MAX_BRIDGES, Side};
use crate::state::{Action, Battalion, Begun, MAX_BEGUN, NOBODY, Stage, State, WAITING, Zone, work};
use crate::tables::Activation;

/// A state with everything at rest and all battalions waiting.
pub(crate) fn blank(rules: &Rules) -> State {
    let scenario = &*rules.scenario;
    let battalion =
        Battalion { zone: WAITING, marks: 0, next: NOBODY, mp: 0, result: Activation::None, unsupplied: 0 };
    let zone = Zone { top: NOBODY, owner: 0, controls: 0, facing: Octant::N, works: 0, spans: 0 };
    let mut zones = vec![zone; scenario.grid.len()].into_boxed_slice();
    for side in Side::ALL {
        for &at in &scenario.prepared[side.index()] {
            zones[usize::from(at)].works |= work::PREPARED << side.index();
        }
        for &at in &scenario.mines[side.index()] {
            zones[usize::from(at)].works |= work::MINES << side.index();
        }
    }
    let (mut wired, mut held) = (0, 0);
    for (at, bridge) in scenario.bridges.iter().enumerate() {
        if bridge.intact {
            zones[usize::from(bridge.from)].spans |= 1 << bridge.way.index();
            zones[usize::from(bridge.to)].spans |= 1 << bridge.way.opposite().index();
            wired |= u16::from(bridge.wired) << at;
        }
    }
    for (at, key) in scenario.keys.iter().enumerate() {
        held |= (key.held_by.index() as u32) << at;
    }
    State {
        units: vec![battalion; scenario.troops.len()].into_boxed_slice(),
        zones,
        act: Action::default(),
        begun: [Begun::default(); MAX_BEGUN],
        crossed: [0; MAX_BRIDGES],
        held,
        wired,
        spared: 0,
        raided: 0,
        markers: [0; 2],
        tally: [0; 2],
        art: [0; 2],
        air: [0; 2],
        air_lost: [0; 2],
        rerolls: [rules.settings.rerolls; 2],
        turn: 1,
        clock: scenario.start_hour,
        stage: Stage::Initiative,
        side: Side::First,
        first: Side::First,
        night: false,
        die: 0,
        dice: [0; 2],
        verdict: None,
    }
}

/// A stage in which Fate rolls a die.
const fn is_die(stage: Stage) -> bool {
    matches!(
        stage,
        Stage::Initiative
            | Stage::Supports
            | Stage::Recovery
            | Stage::RallyDie
            | Stage::RallyVoice
            | Stage::ActivationDie
            | Stage::DemolitionDie
            | Stage::EngineeringDie
            | Stage::StrikeDie
            | Stage::StrikeSave
            | Stage::RangedDie
            | Stage::RangedSave
            | Stage::GunnerSave
            | Stage::AssaultDie
            | Stage::DefenderSave
            | Stage::AttackerSave
            | Stage::Airdrop
            | Stage::NightDie
    )
}

impl Rules {
    /// Whether Fate is to roll.
    #[inline]
    pub(crate) fn rolls(&self, s: &State) -> bool {
        s.die == 0 && is_die(s.stage)
    }

    /// Who makes the next choice.
    #[inline]
    pub fn mover(&self, s: &State) -> Mover {
        if s.stage == Stage::Over {
            return Mover::Nobody;
        }
        if self.rolls(s) {
            return Mover::Fate;
        }
        Mover::Seat(Seat(self.chooser(s).index() as u8))
    }

    /// The side that is asked.
    #[inline]
    pub(crate) fn chooser(&self, s: &State) -> Side {
        if s.die > 0 {
            return self.die_owner(s).unwrap_or(s.side);
        }
        match s.stage {
            Stage::Order => self.low_side(s),
            Stage::RallyPick if s.act.chain != 0 => s.side.enemy(),
            Stage::Demolition => self.defender(),
            Stage::RangedResult | Stage::AssaultAnswer | Stage::AssaultFire | Stage::Interdiction => {
                s.side.enemy()
            }
            Stage::Retreat => s.act.queue.first().map_or(s.side, |unit| self.troop(unit).side),
            _ => s.side,
        }
    }

    /// Whose die it is, for free rerolls. Ruling R36.
    pub(crate) fn die_owner(&self, s: &State) -> Option<Side> {
        match s.stage {
            Stage::Initiative => Some(if s.dice[0] == 0 { Side::First } else { Side::Second }),
            Stage::DemolitionDie => Some(self.defender()),
            Stage::StrikeDie => Some(self.troop(s.act.foe).side.enemy()),
            Stage::StrikeSave => Some(self.troop(s.act.foe).side),
            Stage::RangedSave | Stage::DefenderSave => Some(s.side.enemy()),
            Stage::NightDie | Stage::RallyVoice => None,
            _ => Some(s.side),
        }
    }

    /// A die was rolled: it counts, unless its owner may roll again. Rule 19.1.
    pub(crate) fn rolled<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        if self.die_owner(s).is_some_and(|side| s.rerolls[side.index()] > 0) {
            s.die = face;
            return;
        }
        self.resolve(s, face, l);
    }

    /// Lists keeping a die and rolling it again.
    pub(crate) fn reroll_choices(&self, out: &mut Vec<Choice>) {
        out.extend([Choice::Keep, Choice::Reroll]);
    }

    pub(crate) fn keep_or_reroll<L: EventSink<GameEvent>>(&self, s: &mut State, choice: Choice, l: &mut L) {
        let face = std::mem::take(&mut s.die);
        let side = self.die_owner(s).unwrap_or(s.side);
        if choice == Choice::Reroll {
            s.rerolls[side.index()] -= 1;
            l.emit(|| GameEvent::Rerolled { side, die: face });
        } else {
            l.emit(|| GameEvent::Kept { side, die: face });
            self.resolve(s, face, l);
        }
    }

    /// What a die that counts brings about.
    fn resolve<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        match s.stage {
            Stage::Initiative => self.initiative_die(s, face, l),
            Stage::Supports => self.support_die(s, face, l),
            Stage::Recovery => self.recovery_die(s, face, l),
            Stage::RallyDie => self.rally_die(s, face, l),
            Stage::RallyVoice => self.rally_voice(s, face, l),
            Stage::ActivationDie => self.activation_die(s, face, l),
            Stage::DemolitionDie => self.demolition_die(s, face, l),
            Stage::EngineeringDie => self.engineering_die(s, face, l),
            Stage::StrikeDie => self.strike_die(s, face, l),
            Stage::StrikeSave => self.strike_save(s, face, l),
            Stage::RangedDie => self.ranged_die(s, face, l),
            Stage::RangedSave => self.ranged_save(s, face, l),
            Stage::GunnerSave => self.gunner_save(s, face, l),
            Stage::AssaultDie => self.assault_die(s, face, l),
            Stage::DefenderSave => self.defender_save(s, face, l),
            Stage::AttackerSave => self.attacker_save(s, face, l),
            Stage::Airdrop => self.airdrop_die(s, face, l),
            Stage::NightDie => self.night_die(s, face, l),
            _ => {}
        }
    }

    // --- the game turn --------------------------------------------------------------------------

    /// Step A. Rule 7.1.
    pub(crate) fn begin_turn<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        l.emit(|| GameEvent::TurnBegins { turn: s.turn, hour: s.clock });
        s.dice = [0; 2];
        if let Some(side) = self.scenario.first_player.filter(|_| s.turn == 1) {
            self.choose_first(s, side, true, l);
        } else {
            s.stage = Stage::Initiative;
        }
    }

    fn initiative_die<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        if s.dice[0] == 0 {
            s.dice[0] = face;
            return;
        }
        s.dice[1] = face;
        let totals = [0, 1].map(|at| u16::from(s.dice[at]) + s.markers[at]);
        let low = (totals[0] != totals[1]).then(|| Side::of(usize::from(totals[1] < totals[0])));
        l.emit(|| GameEvent::Initiative { dice: s.dice, markers: s.markers, low });
        if low.is_some() {
            s.stage = Stage::Order;
        } else {
            s.dice = [0; 2];
        }
    }

    /// The side with the lower score. Rule 7.1.
    fn low_side(&self, s: &State) -> Side {
        let total = |at: usize| u16::from(s.dice[at]) + s.markers[at];
        Side::of(usize::from(total(1) < total(0)))
    }

    pub(crate) fn order_choice<L: EventSink<GameEvent>>(&self, s: &mut State, choice: Choice, l: &mut L) {
        let low = self.low_side(s);
        let first = if choice == Choice::First { low } else { low.enemy() };
        self.choose_first(s, first, false, l);
    }

    fn choose_first<L: EventSink<GameEvent>>(&self, s: &mut State, side: Side, fixed: bool, l: &mut L) {
        (s.first, s.side) = (side, side);
        l.emit(|| GameEvent::FirstPlayer { side, fixed });
        // Rule 7.2: the markers have done their work.
        s.markers = [0; 2];
        self.begin_supports(s, l);
    }

    // --- supports -------------------------------------------------------------------------------

    /// The allowance of a side. Rules 8.1, 8.4, 11.9.
    pub fn allowance(&self, s: &State, side: Side, air: bool) -> u8 {
        let info = &self.scenario.sides[side.index()];
        match air {
            false => info.art,
            true if s.turn < info.air_from_turn => 0,
            true => info.air.saturating_sub(s.air_lost[side.index()]),
        }
    }

    /// Step B. Rule 8.1. `act.lead` counts the rounds (artillery and aircraft of each side), `act.steps` the attempts.
    fn begin_supports<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        s.act = Action::default();
        s.stage = Stage::Supports;
        if s.turn == 1 {
            for side in Side::ALL {
                let info = &self.scenario.sides[side.index()];
                if info.opening_bombardment && s.art[side.index()] < info.art {
                    s.art[side.index()] = info.art;
                    l.emit(|| GameEvent::Bombardment { side, count: info.art });
                }
            }
        }
        s.act.lead = 0;
        self.count_attempts(s);
        self.next_support(s, l);
    }

    /// Side and kind of the supports that are being rolled for.
    pub(crate) fn support_round(&self, s: &State) -> (Side, bool) {
        let side = if s.act.lead < 2 { s.first } else { s.first.enemy() };
        (side, s.act.lead % 2 == 1)
    }

    fn count_attempts(&self, s: &mut State) {
        let (side, air) = self.support_round(s);
        let held = if air { s.air } else { s.art }[side.index()];
        s.act.steps = self.allowance(s, side, air).saturating_sub(held);
        s.side = side;
    }

    fn next_support<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        while s.act.steps == 0 {
            s.act.lead += 1;
            if s.act.lead == 4 {
                s.side = s.first;
                self.begin_player_turn(s, l);
                return;
            }
            self.count_attempts(s);
        }
    }

    fn support_die<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        let (side, air) = self.support_round(s);
        let gained = face <= self.tables.support_success;
        let held = if air { &mut s.air } else { &mut s.art };
        held[side.index()] += u8::from(gained);
        l.emit(|| GameEvent::Support { side, air, die: face, gained });
        s.act.steps -= 1;
        self.next_support(s, l);
    }

    // --- player turns ---------------------------------------------------------------------------

    fn begin_player_turn<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        s.act = Action::default();
        self.clear_marks(s, Some(s.side));
        l.emit(|| GameEvent::PlayerTurn { side: s.side });
        self.begin_rally(s, l);
    }

    /// After the supply phase: the other player turn, or the end of the game turn.
    pub(crate) fn end_player_turn<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        s.act = Action::default();
        if s.side == s.first {
            s.side = s.side.enemy();
            self.begin_player_turn(s, l);
            return;
        }
        self.check_victory(s, l);
        if s.verdict.is_some() {
            return;
        }
        if self.settings.basic {
            self.next_turn(s, l);
        } else {
            // Rule 18.1: the clock goes on, then the die.
            s.clock += self.tables.hours_per_turn;
            s.stage = Stage::NightDie;
        }
    }

    fn night_die<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        let d5 = face.div_ceil(2);
        let season = self.tables.seasons[usize::from(self.scenario.season)];
        let falls = s.clock + d5 + season >= self.tables.night_threshold;
        l.emit(|| GameEvent::NightDie { hour: s.clock, die: d5, season, falls });
        if falls {
            self.begin_night(s, l);
        } else {
            self.next_turn(s, l);
        }
    }

    pub(crate) fn next_turn<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        s.turn += 1;
        s.act = Action::default();
        self.begin_turn(s, l);
    }
}
