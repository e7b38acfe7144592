//! The sheet as named numbers, and the choices as fixed actions, for learning programs. Rule 1.0.

use kernel::FeatureSink;

use crate::choice::{Choice, MAX_OPTIONS};
use crate::ids::{Region, Side, Track};
use crate::rules::Rules;
use crate::state::{NO_BOX, Phase, State};

/// The phases in which somebody waits for something, with a name for each.
const PHASES: [(Phase, &str); 20] = [
    (Phase::Chart, "chart"),
    (Phase::BoxDie, "box die"),
    (Phase::AttackDie, "attack die"),
    (Phase::RerollDie, "reroll die"),
    (Phase::BranchDie, "branch die"),
    (Phase::ConflictAllies, "conflict die of the Allies"),
    (Phase::ConflictAxis, "conflict die of the Axis"),
    (Phase::ConfidenceDie, "confidence die"),
    (Phase::Action, "action"),
    (Phase::FreeAttack, "free attack"),
    (Phase::PickAdvance, "advance"),
    (Phase::PickOption, "option"),
    (Phase::Opened, "window A"),
    (Phase::BeforeAttack, "window B before an attack"),
    (Phase::BeforeConflict, "window B before a conflict"),
    (Phase::AfterAttack, "window D after an attack"),
    (Phase::AfterConflict, "window D after a conflict"),
    (Phase::BeforeTest, "window E before a test"),
    (Phase::BeforePick, "window E before a pick"),
    (Phase::BeforeLoss, "window E before a loss"),
];

/// VP beyond which no war goes.
const MANY_VP: u8 = 30;
/// X on a campaign track beyond which few wars go.
const MANY_X: u8 = 12;
/// Tide of War uses beyond which no war goes.
const MANY_USES: u8 = 12;

/// Where each group of actions begins: attacks, marks, advances, options, rerolls, shifts, and three single ones.
const SHIFT: usize = 6;
const ADVANCE: usize = SHIFT + 3;
const OPTION: usize = ADVANCE + 6;
const REROLL: usize = OPTION + MAX_OPTIONS as usize;
const TOW_SHIFT: usize = REROLL + 6;
const PASS: usize = TOW_SHIFT + 18;
const REQUEST: usize = PASS + 1;
const NO: usize = REQUEST + 1;

/// How many actions there are.
pub const ACTIONS: usize = NO + 1;

impl Choice {
    /// The action that stands for this choice in every position; Fate's dice have none and give [`ACTIONS`].
    pub const fn action(self) -> usize {
        match self {
            Self::Attack(region) => region.index(),
            Self::Shift(track) => SHIFT + track.index(),
            Self::Advance(region) => ADVANCE + region.index(),
            Self::Option(number) => OPTION + number as usize - 1,
            Self::TowReroll(region) => REROLL + region.index(),
            Self::TowShift(region, track) => TOW_SHIFT + 3 * region.index() + track.index(),
            Self::Pass => PASS,
            Self::Request => REQUEST,
            Self::No => NO,
            Self::Die(_) => ACTIONS,
        }
    }
}

impl Rules {
    /// The sheet as named numbers.
    pub fn features<S: FeatureSink>(&self, state: &State, out: &mut S) {
        out.share(format_args!("turn"), state.turn, self.final_turn);
        out.flag(format_args!("second strength column"), self.column(state) == 1);
        let confidence = self.confidence[usize::from(state.turn)];
        let (points, faces) = confidence.unwrap_or_default();
        out.share(format_args!("VP for confidence"), points, MANY_VP);
        out.share(format_args!("losing faces of confidence"), faces.count_ones() as u8, 6_u8);
        out.share(format_args!("VP"), self.vp(state), MANY_VP);
        for region in Region::ALL {
            self.region_features(state, region, out);
        }
        for track in Track::ALL {
            let at = track.index();
            let ends = self.track_max[at].unsigned_abs().max(self.track_min[at].unsigned_abs());
            out.share(format_args!("{track}"), state.track(track), ends);
            for side in Side::ALL {
                out.flag(format_args!("{track} leads for the {side}"), self.leads(state, side, track));
            }
        }
        out.flag(format_args!("USA in Europe"), self.usa_in_europe(state));
        out.share(format_args!("Tide of War uses left"), state.tow_left, MANY_USES);
        out.flag(format_args!("Tide of War asked for"), state.asked_until.0 >= state.turn);
        for number in 0..24_u8 {
            let (table, place) = (number / 6 + 1, number % 6 + 1);
            out.flag(format_args!("event {table}.{place} done"), state.events >> number & 1 != 0);
            out.flag(format_args!("box {table}.{place} open"), state.in_box == number);
        }
        out.flag(format_args!("event in play"), state.in_box != NO_BOX && state.event);
        for (phase, word) in PHASES {
            out.flag(format_args!("phase {word}"), state.phase == phase);
        }
        self.deed_features(state, out);
    }

    fn region_features<S: FeatureSink>(&self, state: &State, region: Region, out: &mut S) {
        let at = region.index();
        out.share(format_args!("{region} front"), state.at(region), self.max[at]);
        out.share(format_args!("{region} VP"), self.space_vp(region, state.at(region)), 6_u8);
        out.share(format_args!("{region} own attacks"), state.attacks[at], 2_u8);
        out.flag(format_args!("{region} Tide of War used"), state.tow_used.has(region));
        out.flag(format_args!("{region} open to an advance"), state.candidates.has(region));
        for side in Side::ALL {
            out.share(format_args!("{region} X of the {side}"), state.x[side.index()][at], MANY_X);
            let faces = if self.need(state, side, region) > 0 {
                self.winning_faces(state, side, region, 0)
            } else {
                0
            };
            out.share(format_args!("{region} winning faces of the {side}"), faces, 6_u8);
            let capital = self.faces_capital(state, side, region);
            out.flag(format_args!("{region} capital before the {side}"), capital);
        }
    }

    /// What is being done: the grant, the attack and the dice that wait for their consequence.
    fn deed_features<S: FeatureSink>(&self, state: &State, out: &mut S) {
        out.share(format_args!("left of the grant"), state.left, 6_u8);
        let attacks = matches!(
            state.phase,
            Phase::AttackDie | Phase::RerollDie | Phase::BeforeAttack | Phase::AfterAttack
        );
        for region in Region::ALL {
            out.flag(format_args!("{region} under attack"), attacks && state.region == region);
        }
        for side in Side::ALL {
            out.flag(format_args!("{side} attack"), attacks && state.attacker == side);
        }
        let modifier = if attacks { state.modifier } else { 0 };
        out.share(format_args!("modifier of the box"), modifier, 3_u8);
        let (allies, axis) = match state.phase {
            Phase::AfterConflict => state.conflict_dice(),
            Phase::ConflictAxis => (state.die & 7, 0),
            _ => (0, 0),
        };
        let attack = if state.phase == Phase::AfterAttack { state.die } else { 0 };
        out.share(format_args!("attack die"), attack, 6_u8);
        out.share(format_args!("conflict die of the Allies"), allies, 6_u8);
        out.share(format_args!("conflict die of the Axis"), axis, 6_u8);
    }
}
