//! Orders for many at once: a stack in contact is made ready, and an assault gets all the help at hand. Ruling R61.

use terrain::{Cell, NOWHERE, Octant};

use crate::choice::Choice;
use crate::movement::GROUP;
use crate::rules::Rules;
use crate::state::{Action, Stage, State};
use crate::units::Units;

impl Rules {
    /// Whether a battalion that is activated and stays could assault somebody next to it. Rule 12.2.
    fn could_be_ready(&self, s: &State, unit: u8) -> bool {
        if !self.can_activate(s, unit) || !self.troop(unit).assaults {
            return false;
        }
        let zone = s.unit(unit).zone;
        Octant::ALL.into_iter().any(|way| {
            let to = self.near(zone, way);
            to != NOWHERE
                && self.holds(s, to, s.side.enemy())
                && self.can_be_assaulted(s, to)
                && self.could_step_to_assault(s, unit, way)
        })
    }

    /// The battalions that are made ready together with one: those of its formation in its zone, at most a group.
    pub(crate) fn ready_group(&self, s: &State, unit: u8) -> Units {
        let formation = self.troop(unit).formation;
        s.stack(s.unit(unit).zone)
            .filter(|mate| self.troop(*mate).formation == formation && self.could_be_ready(s, *mate))
            .take(usize::from(GROUP))
            .collect()
    }

    /// Lists the stacks in contact that can be made ready, each by the first battalion of a formation in it.
    pub(crate) fn ready_choices(&self, s: &State, unit: u8, out: &mut Vec<Choice>) {
        if self.confirms() && self.could_be_ready(s, unit) && self.ready_group(s, unit).first() == Some(unit)
        {
            out.push(Choice::MakeReady(unit));
        }
    }

    /// Forms the group; the die is rolled when its owner says so. `act.stopped` says that it stays.
    pub(crate) fn make_ready(&self, s: &mut State, unit: u8) {
        let group = self.ready_group(s, unit);
        s.act = Action { from: s.unit(unit).zone, group, stopped: true, ..Action::default() };
        s.stage = Stage::Group;
    }

    /// Whether nobody else can join the group that is being formed.
    pub(crate) fn is_complete(&self, s: &State) -> bool {
        let mut any = false;
        self.group_members(s, |_| any = true);
        !any
    }

    /// Who else would be added to the assault at one word: supports beside the primary as far as they count, and a
    /// battalion of each supporting zone that can't assault by itself.
    fn helpers(&self, s: &State) -> (Units, Units) {
        let (mut beside, mut joined) = (Units::EMPTY, Units::EMPTY);
        let (mut room, mut zones) = (
            self.tables.in_zone_max.saturating_sub(s.act.group.len()),
            self.tables.zone_max.saturating_sub(s.act.joined.len()),
        );
        let mut last: Option<Cell> = None;
        self.force_members(s, |choice| match choice {
            Choice::With(unit) if room > 0 => {
                beside.insert(unit);
                room -= 1;
            }
            Choice::Join(unit)
                if zones > 0 && last != Some(s.unit(unit).zone) && !self.could_assault(s, unit) =>
            {
                joined.insert(unit);
                last = Some(s.unit(unit).zone);
                zones -= 1;
            }
            _ => {}
        });
        (beside, joined)
    }

    /// Lists that word where it saves one.
    pub(crate) fn gather_choices(&self, s: &State, out: &mut Vec<Choice>) {
        if self.confirms() {
            let (beside, joined) = self.helpers(s);
            if beside.len() + joined.len() > 1 {
                out.push(Choice::WithAll);
            }
        }
    }

    pub(crate) fn gather(&self, s: &mut State) {
        let (beside, joined) = self.helpers(s);
        s.act.group = Units(s.act.group.0 | beside.0);
        s.act.joined = Units(s.act.joined.0 | joined.0);
    }

    /// Who would be added, for people.
    pub(crate) fn helpers_named(&self, s: &State) -> String {
        let (beside, joined) = self.helpers(s);
        self.group_name(Units(beside.0 | joined.0))
    }
}
