//! Engineering and demolition. Rule 14, rulings R31, R39.

use kernel::EventSink;
use terrain::{Cell, NOWHERE, Octant};

use crate::battalions::{Class, Mode};
use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::state::{Action, Begun, Job, NOBODY, Stage, State, Task, mark, work};
use crate::tables::Activation;

/// The four sides of a zone.
const SIDES: [Octant; 4] = [Octant::N, Octant::E, Octant::S, Octant::W];

impl Rules {
    pub(crate) fn begin_engineering<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        s.act = Action::default();
        if self.settings.basic {
            self.end_engineering(s, l);
            return;
        }
        self.next_engineering(s, l);
    }

    /// Goes on with the phase, or ends it where nobody can work.
    fn next_engineering<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        s.act = Action::default();
        s.stage = Stage::Engineering;
        let army = self.armies[s.side.index()];
        let mut any = false;
        for unit in army {
            self.jobs(s, unit, |_| any = true);
            if any {
                return;
            }
        }
        self.end_engineering(s, l);
    }

    pub(crate) fn end_engineering<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        if s.night {
            self.after_night_engineering(s, l);
        } else {
            self.next_combat(s, l);
        }
    }

    /// Whether a battalion may work at all. Rule 14.1.
    pub fn can_work(&self, s: &State, unit: u8) -> bool {
        let (battalion, troop) = (s.unit(unit), self.troop(unit));
        battalion.on_map()
            && !battalion.is(mark::WORKED | mark::MOVED)
            && battalion.result != Activation::Fallback
            && !self.is_cut_off(s, unit)
            && !self.lay(battalion.zone).water
            && (troop.class == Class::Engineers
                || (troop.class.is_combat() && troop.mode != Mode::Mechanized)
                || (s.wired != 0 && troop.class == Class::Infantry))
    }

    /// Everything that a battalion may attempt now. Rules 14.1 to 14.6.
    pub(crate) fn jobs(&self, s: &State, unit: u8, mut found: impl FnMut(Job)) {
        if !self.can_work(s, unit) {
            return;
        }
        let (zone, troop) = (s.unit(unit).zone, self.troop(unit));
        let (side, enemy) = (troop.side, troop.side.enemy());
        let engineers = troop.class == Class::Engineers;
        let mut add = |task, zone| found(Job { unit, task, zone });
        if (engineers || troop.mode != Mode::Mechanized)
            && !self.is_prepared(s, zone, side)
            && !self.in_control_of(s, zone, enemy)
        {
            add(Task::Prepare, zone);
        }
        if self.lay(zone).rivers != 0 {
            for way in SIDES {
                if !self.is_river(zone, way) || self.near(zone, way) == NOWHERE {
                    continue;
                }
                let to = self.near(zone, way);
                if self.lay(to).impassable || self.lay(to).water {
                    continue;
                }
                let at = self.scenario.bridge_at(zone, way);
                let stands = !self.is_unbridged(s, zone, way);
                let wired = at.is_some_and(|at| s.wired >> at & 1 != 0) && side == self.defender();
                let open = !self.holds(s, to, enemy);
                match (stands, at) {
                    (true, _) if engineers || (wired && troop.class == Class::Infantry) => {
                        add(Task::Blow, to);
                    }
                    (false, Some(_)) if engineers && open => add(Task::Repair, to),
                    (false, None) if engineers && open && self.can_begin(s, zone, way) => {
                        add(Task::Bridge, to);
                    }
                    _ => {}
                }
            }
        }
        if !engineers {
            return;
        }
        if self.lay(zone).roads != 0 && s.zones[usize::from(zone)].works & work::BLOCKED == 0 {
            add(Task::Block, zone);
        }
        if !self.is_mined(s, zone, side) {
            add(Task::Mine, zone);
        }
        for at in std::iter::once(zone).chain(self.around(zone)) {
            let lay = self.lay(at);
            if lay.impassable || lay.water {
                continue;
            }
            if at != zone && s.is_empty(at) && !self.is_mined(s, at, side) {
                add(Task::Mine, at);
            }
            if self.is_mined(s, at, enemy) && !self.holds(s, at, enemy) {
                add(Task::ClearMines, at);
            }
            if s.zones[usize::from(at)].works & work::BLOCKED != 0 {
                add(Task::ClearRoad, at);
            }
        }
    }

    /// The edge of a bridge that is being built: the zone in the west or north of it.
    fn edge(&self, zone: Cell, way: Octant) -> (Cell, bool) {
        match way {
            Octant::E => (zone, false),
            Octant::S => (zone, true),
            Octant::W => (self.near(zone, way), false),
            _ => (self.near(zone, way), true),
        }
    }

    /// The half turn that it is: a night counts as a turn of its own. Ruling R39.
    fn half_turn(s: &State) -> u8 {
        s.turn * 2 + u8::from(s.night)
    }

    fn begun_at(&self, s: &State, zone: Cell, way: Octant) -> Option<usize> {
        let (from, south) = self.edge(zone, way);
        s.begun.iter().position(|begun| begun.when > 0 && (begun.from, begun.south) == (from, south))
    }

    /// Whether work on a bridge may begin or go on: not twice in a turn, and not at too many places at once.
    fn can_begin(&self, s: &State, zone: Cell, way: Octant) -> bool {
        match self.begun_at(s, zone, way) {
            Some(at) => s.begun[at].when < Self::half_turn(s),
            None => s.begun.iter().any(|begun| begun.when == 0),
        }
    }

    pub(crate) fn engineering_choices(&self, s: &State, out: &mut Vec<Choice>) {
        for unit in self.armies[s.side.index()] {
            self.jobs(s, unit, |job| out.push(Choice::Work(job)));
        }
        out.push(Choice::End);
    }

    pub(crate) fn start_work(&self, s: &mut State, job: Job) {
        s.act = Action { job, ..Action::default() };
        s.unit_mut(job.unit).marks |= mark::WORKED;
        s.stage = Stage::EngineeringDie;
    }

    /// The number that a job succeeds on. Rule 14.1.
    pub fn work_need(&self, s: &State, job: Job) -> u8 {
        let works = self.tables.works;
        let troop = self.troop(job.unit);
        let need = match job.task {
            Task::Prepare if troop.class == Class::Engineers => works.prepare_engineer,
            Task::Prepare => works.prepare_other,
            Task::Bridge => works.bridge_build,
            Task::Repair => works.bridge_repair,
            Task::Blow if troop.side == self.defender() && self.wired_bridge(s, job).is_some() => {
                works.bridge_blow_wired
            }
            Task::Blow => works.bridge_blow,
            Task::Mine => works.mine_lay,
            Task::ClearMines => works.mine_clear,
            Task::Block => works.roadblock_build,
            Task::ClearRoad => works.roadblock_clear,
        };
        (if s.night { need + works.night_bonus } else { need }).min(10)
    }

    fn job_way(&self, s: &State, job: Job) -> Option<Octant> {
        self.scenario.grid.direction(s.unit(job.unit).zone, job.zone)
    }

    fn wired_bridge(&self, s: &State, job: Job) -> Option<usize> {
        let at = self.scenario.bridge_at(s.unit(job.unit).zone, self.job_way(s, job)?)?;
        (s.wired >> at & 1 != 0).then_some(at)
    }

    pub(crate) fn engineering_die<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        let job = s.act.job;
        let need = self.work_need(s, job);
        let done = face <= need;
        l.emit(|| GameEvent::Worked { job, die: face, need, done });
        let side = self.troop(job.unit).side;
        let zone = usize::from(job.zone);
        if job.task == Task::Blow
            && side == self.defender()
            && let Some(at) = self.wired_bridge(s, job)
        {
            // Ruling R31.
            s.wired &= !(1 << at);
        }
        if done {
            match job.task {
                Task::Prepare => s.zones[zone].works |= work::PREPARED << side.index(),
                Task::Mine => s.zones[zone].works |= work::MINES << side.index(),
                Task::ClearMines => s.zones[zone].works &= !(work::MINES << side.enemy().index()),
                Task::Block => s.zones[zone].works |= work::BLOCKED,
                Task::ClearRoad => s.zones[zone].works &= !work::BLOCKED,
                Task::Repair => self.set_bridge(s, job, true),
                Task::Blow => self.set_bridge(s, job, false),
                Task::Bridge => self.build(s, job, l),
            }
        }
        self.next_engineering(s, l);
    }

    fn set_bridge(&self, s: &mut State, job: Job, stands: bool) {
        let from = s.unit(job.unit).zone;
        if let Some(way) = self.job_way(s, job) {
            self.set_span(s, from, way, stands);
        }
    }

    fn set_span(&self, s: &mut State, from: Cell, way: Octant, stands: bool) {
        let to = self.near(from, way);
        for (zone, way) in [(from, way), (to, way.opposite())] {
            let spans = &mut s.zones[usize::from(zone)].spans;
            *spans = *spans & !(1 << way.index()) | u8::from(stands) << way.index();
        }
        if !stands && let Some(at) = self.scenario.bridge_at(from, way) {
            s.wired &= !(1 << at);
            s.spared &= !(1 << at);
        } else if !stands {
            // Ruling R54: the piers of a built bridge stay, so that it is half built.
            let when = Self::half_turn(s).saturating_sub(1).max(1);
            self.note_begun(s, from, way, when);
        }
    }

    /// Notes a bridge that needs one success more.
    fn note_begun(&self, s: &mut State, zone: Cell, way: Octant, when: u8) {
        let (from, south) = self.edge(zone, way);
        if let Some(free) = s.begun.iter_mut().find(|begun| begun.when == 0) {
            *free = Begun { from, south, when };
        }
        s.begun.sort_unstable_by_key(|begun| (begun.when == 0, begun.from, begun.south));
    }

    /// Rule 14.1: a bridge needs two successes.
    fn build<L: EventSink<GameEvent>>(&self, s: &mut State, job: Job, l: &mut L) {
        let zone = s.unit(job.unit).zone;
        let Some(way) = self.job_way(s, job) else { return };
        if let Some(at) = self.begun_at(s, zone, way) {
            s.begun[at] = Begun::default();
            self.set_span(s, zone, way, true);
            return;
        }
        let when = Self::half_turn(s);
        self.note_begun(s, zone, way, when);
        l.emit(|| GameEvent::BridgeBegun { job });
    }

    // --- demolition in the enemy's move ---------------------------------------------------------

    /// The bridge that the enemy is about to step on.
    pub(crate) fn bridge_ahead(&self, s: &State) -> Option<usize> {
        let way = self.scenario.grid.direction(s.act.from, s.act.to)?;
        self.scenario.bridge_at(s.act.from, way)
    }

    pub(crate) fn demolition_choice<L: EventSink<GameEvent>>(
        &self,
        s: &mut State,
        choice: Choice,
        l: &mut L,
    ) {
        if choice == Choice::Blow {
            s.stage = Stage::DemolitionDie;
            return;
        }
        if let Some(at) = self.bridge_ahead(s) {
            s.spared |= 1 << at;
            l.emit(|| GameEvent::Spared { bridge: at as u8 });
        }
        self.make_step(s, l);
    }

    pub(crate) fn demolition_die<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        let Some(at) = self.bridge_ahead(s) else { return };
        let blown = face <= self.tables.works.bridge_blow_in_move;
        l.emit(|| GameEvent::Demolition { bridge: at as u8, die: face, blown });
        s.wired &= !(1 << at);
        s.spared &= !(1 << at);
        if !blown {
            self.make_step(s, l);
            return;
        }
        let bridge = &self.scenario.bridges[at];
        self.set_span(s, bridge.from, bridge.way, false);
        s.act.to = crate::state::WAITING;
        s.act.by_road = false;
        s.act.lead = NOBODY;
        s.stage = Stage::March;
    }
}
