//! What may be chosen at each stage, and what a choice does. Rule 6.

use kernel::EventSink;

use crate::choice::{Choice, Gun};
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::state::{Stage, State};

impl Rules {
    /// Lists every choice of the mover.
    pub fn list(&self, s: &State, out: &mut Vec<Choice>) {
        if self.rolls(s) {
            out.extend((1..=10).map(Choice::Die));
            return;
        }
        if s.die > 0 {
            self.reroll_choices(out);
            return;
        }
        match s.stage {
            Stage::Order => out.extend([Choice::First, Choice::Second]),
            Stage::RecoveryZone => self.recovery_choices(s, out),
            Stage::Rally => self.rally_choices(s, out),
            Stage::RallyPick => self.pick_choices(s, out),
            Stage::RallyZone => self.rally_zone_choices(s, out),
            Stage::Movement => self.movement_choices(s, out),
            Stage::Group => self.group_choices(s, out),
            Stage::Fallback => self.fallback_choices(s, out),
            Stage::March => self.march_choices(s, out),
            Stage::Demolition => out.extend([Choice::Blow, Choice::Spare]),
            Stage::Turning => self.turning_choices(s, out),
            Stage::Engineering => self.engineering_choices(s, out),
            Stage::Combat => self.combat_choices(s, out),
            Stage::Interdiction => self.interdiction_choices(s, out),
            Stage::RangedTarget => self.target_choices(s, out),
            Stage::RangedFire => self.ranged_fire_choices(s, out),
            Stage::RangedResult | Stage::GunnerResult => self.ranged_result_choices(s, out),
            Stage::LimitedAdvance => self.limited_choices(s, out),
            Stage::LimitedGroup => self.limited_group_choices(s, out),
            Stage::AssaultLead => self.lead_choices(s, out),
            Stage::AssaultForce => self.force_choices(s, out),
            Stage::AssaultAnswer => self.defend_choices(s, out),
            Stage::AssaultFire => self.defensive_fire_choices(s, out),
            Stage::Retreat => self.retreat_choices(s, out),
            Stage::Advance => self.advance_choices(s, out),
            Stage::AdvanceMarch => self.advance_march_choices(s, out),
            Stage::NewAssault => self.new_assault_choices(s, out),
            Stage::NightMoves => self.night_move_choices(s, out),
            Stage::Raids => self.raid_choices(s, out),
            // The dice are Fate's, and after the end there is nothing.
            _ => {}
        }
    }

    /// Plays a choice that is one of those listed.
    pub fn play<L: EventSink<GameEvent>>(&self, s: &mut State, choice: Choice, l: &mut L) {
        match choice {
            Choice::Die(face) => self.rolled(s, face, l),
            Choice::Keep | Choice::Reroll => self.keep_or_reroll(s, choice, l),
            Choice::First | Choice::Second => self.order_choice(s, choice, l),
            Choice::Rally { hq, unit } => self.try_rally(s, hq, unit),
            Choice::Pick(unit) => self.pick(s, unit, l),
            Choice::Put(zone) if s.stage == Stage::RecoveryZone => self.recover(s, zone, l),
            Choice::Put(zone) => self.put_rallied(s, zone, l),
            Choice::Place { unit, zone } => self.place_reinforcement(s, unit, zone, l),
            Choice::Activate(unit) => self.activate(s, unit),
            Choice::MakeReady(unit) => self.make_ready(s, unit),
            Choice::With(unit) => match s.stage {
                Stage::Group => self.join_group(s, unit),
                Stage::LimitedGroup => self.follow_too(s, unit, l),
                _ => self.add_to_force(s, choice),
            },
            Choice::WithAll if s.stage == Stage::AssaultForce => self.gather(s),
            Choice::WithAll => self.join_all(s),
            Choice::Roll => s.stage = Stage::ActivationDie,
            Choice::Step(zone) if s.stage == Stage::AdvanceMarch => self.advance_step(s, zone, l),
            Choice::Step(zone) => self.start_step(s, zone, false, l),
            Choice::Road(zone) => self.start_step(s, zone, true, l),
            Choice::Halt | Choice::Face(_) => self.come_to_rest(s, choice, l),
            Choice::Turn(zone) => self.begin_turning(s, zone),
            Choice::Stand => self.stand(s, l),
            Choice::Retreat { unit, zone } => self.retreat(s, unit, zone, l),
            Choice::Hold => self.hold(s, l),
            Choice::Break(unit) => self.break_up(s, unit, l),
            Choice::Blow | Choice::Spare => self.demolition_choice(s, choice, l),
            Choice::Work(job) => self.start_work(s, job),
            Choice::Strike(unit) => self.strike(s, unit),
            Choice::Shell(gun) => self.begin_ranged(s, gun),
            Choice::At(unit) => self.aim(s, unit),
            Choice::Fire(gun) => self.add_support(s, gun),
            Choice::Assault { from, to } | Choice::Raid { from, to } => self.begin_assault(s, from, to),
            Choice::Lead(unit) => self.lead(s, unit),
            Choice::Join(_) => self.add_to_force(s, choice),
            Choice::Attack if s.stage == Stage::RangedFire => s.stage = Stage::RangedDie,
            Choice::Attack => self.commit_assault(s),
            Choice::Defend(unit) => self.defend(s, unit),
            Choice::Ready => s.stage = Stage::AssaultDie,
            Choice::Advance(unit) if s.stage == Stage::LimitedAdvance => self.begin_limited(s, unit, l),
            Choice::Advance(unit) => self.advance(s, unit, l),
            Choice::Decline => match s.stage {
                Stage::Advance => self.end_advance(s, l),
                Stage::NewAssault => self.after_assault(s, l),
                _ => self.next_combat(s, l),
            },
            Choice::Move(unit) => self.start_night_move(s, unit),
            Choice::End => self.end_phase(s, l),
        }
    }

    fn add_support(&self, s: &mut State, gun: Gun) {
        match s.stage {
            Stage::AssaultFire => self.add_defensive_fire(s, gun),
            Stage::RangedFire => {
                self.add_fire(s, gun, true);
                if !self.confirms() {
                    self.skip_empty_fire(s, Stage::RangedDie);
                }
            }
            _ => self.add_to_force(s, Choice::Fire(gun)),
        }
    }

    fn end_phase<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        match s.stage {
            Stage::Rally => self.end_rally(s, l),
            Stage::Movement => self.begin_engineering(s, l),
            Stage::Engineering => self.end_engineering(s, l),
            Stage::Combat => self.begin_interdiction(s, l),
            Stage::Interdiction => self.begin_supply(s, l),
            Stage::NightMoves => self.end_night_moves(s, l),
            Stage::Raids => self.end_raids(s, l),
            _ => {}
        }
    }
}
