//! A sensible hand-made player and a quick judgement of positions. All values are thousandths of a VP.

use kernel::Discard;

use crate::choice::Choice;
use crate::ids::{Region, Regions, Side, Track};
use crate::program::Op;
use crate::rules::Rules;
use crate::state::{Phase, State};

/// What entering or leaving an Allied capital is worth beyond its VP.
const CAPITAL: i32 = 700;
/// What a mark on the EMT, the PMT and the USA track is worth early in the war.
const MARKS: [i32; 3] = [1_500, 1_400, 1_100];
/// Turns from the end within which marks lose their worth.
const FADING: i32 = 7;
/// What an advance in a Major Conflict is worth.
const ADVANCE: i32 = 1_300;
/// How much of a mark's worth a Tide of War shift is credited with, beyond what it turns.
const LASTING_PERCENT: i32 = 50;
/// What a Tide of War box is worth for a reroll later: between boxes that can pay, the least is marked.
const BOX_WORTH: [i32; 6] = [6, 5, 3, 1, 6, 3];

impl Rules {
    /// The turns left, including the current one.
    fn turns_left(&self, state: &State) -> i32 {
        i32::from(self.final_turn) - i32::from(state.turn) + 1
    }

    /// What one step of a side's front is worth to that side.
    pub fn step_value(&self, state: &State, side: Side, region: Region) -> i32 {
        let Some(space) = self.next_space(state, side, region) else { return 0 };
        let at = state.at(region);
        let change = i32::from(self.space_vp(region, space)) - i32::from(self.space_vp(region, at));
        let capital = self.allied_capitals.has(region) && (space == 0 || at == 0);
        change * i32::from(side.sign()) * 1_000 + if capital { CAPITAL } else { 0 }
    }

    fn attack_value(&self, state: &State, side: Side, region: Region, modifier: i8) -> i32 {
        i32::from(self.winning_faces(state, side, region, modifier)) * self.step_value(state, side, region)
            / 6
    }

    /// What a mark of the human is worth.
    fn mark_value(&self, state: &State, track: Track) -> i32 {
        if self.mark_is_ignored(state, self.human, track) {
            return 0;
        }
        let left = self.turns_left(state);
        let percent = match (track, self.human) {
            (Track::Usa, Side::Allies) => {
                let missing = i32::from(self.usa_active - state.track(Track::Usa));
                match missing {
                    _ if left < 2 * missing => 0,
                    1 => 100,
                    2 => 75,
                    _ => 55,
                }
            }
            (Track::Usa, Side::Axis) if !self.usa_in_europe(state) => 35,
            _ => 100,
        };
        MARKS[track.index()] * percent / 100 * left.min(FADING) / FADING
    }

    fn best_free_attack(&self, state: &State, regions: Regions, modifier: i8) -> i32 {
        let open = regions.iter().filter(|&region| self.human_can_attack(state, region));
        open.map(|region| self.attack_value(state, self.human, region, modifier)).max().unwrap_or(0)
    }

    fn best_action(&self, state: &State) -> i32 {
        let mark = Track::ALL.into_iter().map(|track| self.mark_value(state, track)).max().unwrap_or(0);
        mark.max(self.best_free_attack(state, Regions::ALL, 0))
    }

    /// What the instructions from an operation on are worth, up to the end of the option.
    fn option_value(&self, state: &State, number: u8) -> i32 {
        let Op::Choose(base, _) = *self.op(state) else { return 0 };
        let first = self.program.jumps[base as usize + usize::from(number) - 1] as usize;
        let mut total = 0;
        for op in &self.program.ops[first..] {
            total += match *op {
                Op::Advance(side, region) if self.can_advance(state, side, region) => {
                    self.step_value(state, side, region)
                }
                Op::AdvanceOf(side, count, list) => {
                    let list = &self.program.lists[list as usize];
                    let able = list.iter().filter(|&&region| self.can_advance(state, side, region));
                    let best = able.map(|&region| self.step_value(state, side, region)).max().unwrap_or(0);
                    i32::from(count) * best
                }
                Op::Attack(side, region, modifier) => self.attack_value(state, side, region, modifier),
                Op::FreeAttacks(_, count, regions, modifier) => {
                    i32::from(count) * self.best_free_attack(state, regions, modifier)
                }
                Op::Actions(_, count) => i32::from(count) * self.best_action(state),
                Op::Mark(_, track, _) => self.mark_value(state, track),
                Op::Tow(change) => i32::from(change) * 1_000,
                Op::Jump(_) | Op::EndTurn | Op::Halt => break,
                _ => 0,
            };
        }
        total
    }

    /// What a choice is worth to the human, as the policy sees it.
    pub fn choice_value(&self, state: &State, choice: Choice) -> i32 {
        match choice {
            Choice::Attack(region) => {
                let (_, modifier, _) = self.attack_order(state);
                self.attack_value(state, self.human, region, modifier)
            }
            Choice::Shift(track) => self.mark_value(state, track),
            Choice::Advance(region) => self.step_value(state, self.human, region),
            Choice::Option(number) => self.option_value(state, number),
            Choice::TowReroll(region) => self.reroll_value(state, region) - self.reroll_threshold(state),
            Choice::TowShift(region, track) => self.tow_shift_value(state, region, track),
            // It costs nothing to be asked.
            Choice::Request => i32::MAX,
            Choice::Pass | Choice::No | Choice::Die(_) => 0,
        }
    }

    /// What rolling again may be expected to win.
    fn reroll_value(&self, state: &State, region: Region) -> i32 {
        let side = state.attacker;
        let wins = i32::from(self.winning_faces(state, side, region, state.modifier));
        let better = if side == self.human { wins } else { 6 - wins };
        better * self.step_value(state, side, region) / 6
    }

    /// What a reroll must be worth: uses are kept for the late war.
    fn reroll_threshold(&self, state: &State) -> i32 {
        match self.turns_left(state) {
            ..=3 => 300,
            4..=7 => 750,
            _ => 1_100,
        }
    }

    /// A Tide of War shift if it turns dice on the table that are worth it; before a roll only late, to bring the USA into
    /// Europe for an own attack.
    fn tow_shift_value(&self, state: &State, region: Region, track: Track) -> i32 {
        let gain = match state.phase {
            Phase::AfterAttack => self.step_value(state, state.attacker, state.region),
            Phase::AfterConflict => self.conflict_gain(state, track),
            _ => return self.early_shift_value(state, track),
        };
        let uses = i32::from(self.shifts_to_turn(state).unwrap_or(1));
        let lasting = self.mark_value(state, track) * LASTING_PERCENT / 100;
        gain + lasting - uses * self.reroll_threshold(state) - BOX_WORTH[region.index()]
    }

    /// What a shift changes of a Major Conflict whose dice lie on the table.
    fn conflict_gain(&self, state: &State, track: Track) -> i32 {
        let mut after = *state;
        self.mark(&mut after, self.human, track, 1, &mut Discard);
        let balance = |state: &State| match self.advances_in_hand(state) {
            (Some(side), count) if side == self.human => count as i32,
            (_, count) => -(count as i32),
        };
        (balance(&after) - balance(state)) * ADVANCE
    }

    fn early_shift_value(&self, state: &State, track: Track) -> i32 {
        let own_attack = state.phase == Phase::BeforeAttack
            && state.attacker == self.human
            && state.track(Track::Usa) == self.usa_active - 1;
        let late = self.turns_left(state) <= 6;
        if track == Track::Usa && self.human == Side::Allies && own_attack && late { 1 } else { -1 }
    }

    /// The policy: the choice of most value, the first of equals.
    pub fn best_choice(&self, state: &State, choices: &[Choice]) -> usize {
        let mut best = (i32::MIN, 0);
        for (at, &choice) in choices.iter().enumerate() {
            let value = self.choice_value(state, choice);
            if value > best.0 {
                best = (value, at);
            }
        }
        best.1
    }

    /// What the USA track is worth to the Allies: most of it only once the USA are in Europe.
    fn usa_value(&self, state: &State) -> i32 {
        let left = self.turns_left(state);
        let missing = i32::from(self.usa_active - state.track(Track::Usa));
        let share = match missing {
            ..=0 => 230,
            _ if left < 2 * missing => 0,
            1 => 130,
            2 => 55,
            _ => 0,
        };
        MARKS[Track::Usa.index()] * share / 100 * left.min(FADING) / FADING
    }

    /// How good a position is for the human.
    pub fn evaluate(&self, state: &State) -> i32 {
        if let Some(verdict) = state.verdict {
            return match self.standing(verdict) {
                kernel::Standing::Win => 100_000,
                kernel::Standing::Draw => 0,
                kernel::Standing::Loss => -100_000,
            };
        }
        let left = self.turns_left(state).min(FADING);
        let mut allied = i32::from(self.vp(state)) * 1_000;
        for track in [Track::Emt, Track::Pmt] {
            allied += i32::from(state.track(track)) * MARKS[track.index()] * left / FADING;
        }
        allied += self.usa_value(state);
        let lost = self.allied_capitals.iter().filter(|&region| state.at(region) == 0).count();
        allied -= lost as i32 * CAPITAL;
        // The middle of the bands is where the final judgement turns.
        let even = self.book.bands.iter().find(|band| band.result == crate::book::Verdict::Draw);
        allied -= even.map_or(23_000, |band| i32::from(band.min) * 1_000 + 1_000);
        allied * i32::from(self.human.sign()) + i32::from(state.tow_left) * self.reroll_threshold(state)
    }
}
