//! The coach: follows a match with a lesson.
//!
//! Where a lesson stands follows from the choices of the match alone. So it survives a restart without being stored, an undo
//! takes the coach back too, and the check of lesson files runs the same code as the table.

use std::sync::Arc;

use kernel::{Actor, LogEntry, Mover, Offer, Seat, Table, Viewer};

use crate::lesson::{Fact, Lesson, Page, Pattern, Task, Then};

/// How the match and the lesson stand to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stand {
    /// The match follows the lesson.
    Together,
    /// The learner made a choice that the coach asks them to take back; what the coach says to it.
    Astray(String),
    /// The match has come to a position that the lesson does not fit.
    Lost,
    /// All tasks are done, or the game is over.
    Over,
}

/// Follows a match with a lesson.
#[derive(Clone, Debug)]
pub struct Coach {
    lesson: Arc<Lesson>,
    seat: Seat,
    /// How many steps of the match have been followed.
    followed: usize,
    /// The first page since the last task.
    first: usize,
    /// The page of the current task, or the number of pages if there is none left.
    task: usize,
    /// The turn in which the current stretch of free play began.
    free_from: Option<u16>,
    stand: Stand,
    /// What the coach said to the last choice, and whether it was a good one.
    said: Option<(String, bool)>,
    /// Which of the lesson's `meanwhile` is advised now.
    meanwhile: Option<usize>,
    /// The number of steps after which there was nothing left to follow.
    ended_at: Option<usize>,
}

/// What the coach has to say at the moment.
#[derive(Clone, Debug)]
pub struct Advice<'a> {
    /// To the last choice, and whether it was a good one.
    pub said: Option<(&'a str, bool)>,
    /// The page to show, with its number from 0; `None` when the lesson is over and every page was read.
    pub page: Option<(usize, &'a Page)>,
    /// Instead of the task of the page: advice for a choice that comes before it.
    pub meanwhile: Option<&'a str>,
    /// Whether there is a page before it that can be shown again.
    pub has_previous: bool,
    /// Whether there is a page after it that can be shown now.
    pub has_next: bool,
}

impl Coach {
    /// A coach at the start of a lesson.
    pub fn new(lesson: Arc<Lesson>, seat: Seat) -> Self {
        let task = lesson.task_from(0);
        Self {
            lesson,
            seat,
            followed: 0,
            first: 0,
            task,
            free_from: None,
            stand: Stand::Together,
            said: None,
            meanwhile: None,
            ended_at: None,
        }
    }

    /// The lesson.
    pub fn lesson(&self) -> &Arc<Lesson> {
        &self.lesson
    }

    /// The learner's seat.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// How the match and the lesson stand to each other.
    pub fn stand(&self) -> &Stand {
        &self.stand
    }

    /// The pages between the last task and the current one, which is included.
    pub(crate) fn run(&self) -> std::ops::Range<usize> {
        self.first..(self.task + 1).min(self.lesson.pages.len())
    }

    /// The page of the current task.
    pub(crate) fn task_page(&self) -> Option<&Page> {
        self.lesson.pages.get(self.task)
    }

    /// The choice that may be made before the task, where one is advised.
    pub(crate) fn meanwhile_choice(&self) -> Option<&Pattern> {
        self.meanwhile.map(|at| &self.lesson.meanwhile[at].choice)
    }

    /// What to show, if `page` is the page that the learner has come to.
    pub fn advice(&self, page: usize) -> Advice<'_> {
        let run = self.run();
        let is_read = self.task >= self.lesson.pages.len() && page >= self.lesson.pages.len();
        let shown = page.clamp(run.start, run.end.saturating_sub(1).max(run.start));
        let page = self.lesson.pages.get(shown).filter(|_| !is_read).map(|page| (shown, page));
        let meanwhile = self.meanwhile.map(|at| self.lesson.meanwhile[at].say.as_str());
        Advice {
            said: self.said.as_ref().map(|(said, good)| (said.as_str(), *good)),
            page,
            meanwhile: meanwhile.filter(|_| shown == self.task),
            has_previous: shown > run.start,
            has_next: shown + 1 < run.end,
        }
    }

    /// Follows the match to where it is now: forward over new choices, or back after an undo.
    pub fn follow(&mut self, table: &dyn Table) {
        let steps = table.steps();
        if let Some(ended_at) = self.ended_at
            && steps >= ended_at
        {
            self.followed = steps;
            return;
        }
        if steps < self.followed {
            *self = Self::new(Arc::clone(&self.lesson), self.seat);
        }
        for entry in table.log(self.followed, Viewer::Seat(self.seat)) {
            self.hear(table, &entry);
        }
        self.followed = steps;
        self.look_ahead(table);
        if matches!(self.stand, Stand::Lost | Stand::Over) {
            self.ended_at = Some(steps);
        }
    }

    /// Takes a choice of the learner into account. Fate, the others and forced choices do not matter, except a forced choice
    /// that is the one of the task.
    fn hear(&mut self, table: &dyn Table, entry: &LogEntry) {
        if entry.actor != Actor::Seat(self.seat) || self.stand != Stand::Together {
            return;
        }
        let Some(name) = &entry.name else { return };
        if !entry.forced {
            self.end_free_stretch(entry.turn);
            let viewer = Viewer::Seat(self.seat);
            self.pass_over_optional(|| table.fork(entry.step - 1).offers(viewer));
        }
        let lesson = Arc::clone(&self.lesson);
        let Some(task) = lesson.pages.get(self.task).and_then(|page| page.task.as_ref()) else { return };
        let (when, good, right, answers, otherwise) = match task {
            Task::Choose { when, good, right, answers, otherwise, .. } => {
                (when, good, right, answers, otherwise)
            }
            Task::Free(free) => {
                let remark = free.remarks.iter().find(|remark| remark.choice.fits(name));
                if let Some(remark) = remark.filter(|_| !entry.forced) {
                    self.said = Some((remark.say.clone(), true));
                }
                return;
            }
        };
        let is_time =
            when.is_empty() || is_time_in(when, &*table.fork(entry.step - 1), Viewer::Seat(self.seat));
        let is_meanwhile = lesson.meanwhile.iter().any(|meanwhile| meanwhile.choice.fits(name));
        if is_time && good.iter().any(|pattern| pattern.fits(name)) {
            let praise = if entry.forced { "" } else { right.as_str() };
            self.task_done(praise, true);
        } else if entry.forced || (is_meanwhile && !is_time) {
            // Nobody was asked, or it is not yet time for an answer.
        } else if let Some(answer) = answers.iter().find(|answer| answer.choice.fits(name)) {
            match answer.then {
                Then::GoOn => self.task_done(&answer.say, false),
                Then::TakeBack => self.stand = Stand::Astray(answer.say.clone()),
            }
        } else if !is_meanwhile {
            self.stand = Stand::Astray(otherwise.clone().unwrap_or_default());
        }
    }

    fn task_done(&mut self, said: &str, good: bool) {
        self.said = (!said.is_empty()).then(|| (said.to_owned(), good));
        self.first = self.task + 1;
        self.task = self.lesson.task_from(self.first);
        self.free_from = None;
    }

    /// Leaves a task without a word to it.
    fn pass_over(&mut self) {
        let said = self.said.take();
        self.task_done("", true);
        self.said = said;
    }

    /// Begins a stretch of free play when the learner is first asked, and ends it when they are asked so many turns later.
    fn end_free_stretch(&mut self, turn: u16) {
        while let Some(Task::Free(free)) = self.task_page().and_then(|page| page.task.as_ref()) {
            let turns = free.turns;
            let from = *self.free_from.get_or_insert(turn);
            if turn < from.saturating_add(turns) {
                break;
            }
            self.pass_over();
        }
    }

    /// Passes over tasks that need not come up, while none of their good choices is offered. An answer alone does not bring a
    /// task up: "end" is possible at many a moment that a page is not about.
    fn pass_over_optional(&mut self, offers: impl FnOnce() -> Vec<Offer>) {
        let lesson = Arc::clone(&self.lesson);
        let optional = |at: usize| match lesson.pages.get(at).and_then(|page| page.task.as_ref()) {
            Some(Task::Choose { optional: true, good, .. }) => Some(good),
            _ => None,
        };
        if optional(self.task).is_none() {
            return;
        }
        let offers = offers();
        while let Some(good) = optional(self.task)
            && !good.iter().any(|pattern| is_among(pattern, &offers))
        {
            self.pass_over();
        }
    }

    /// Looks at the question that the learner is asked now: whether the lesson fits it, and what to advise.
    fn look_ahead(&mut self, table: &dyn Table) {
        self.meanwhile = None;
        if self.stand != Stand::Together {
            return;
        }
        if table.result().is_some() {
            self.stand = Stand::Over;
            return;
        }
        if table.mover() != Mover::Seat(self.seat) {
            return;
        }
        self.end_free_stretch(table.turn());
        let viewer = Viewer::Seat(self.seat);
        let offers = table.offers(viewer);
        let offered = |pattern: &Pattern| is_among(pattern, &offers);
        self.pass_over_optional(|| offers.clone());
        let Some(page) = self.task_page() else {
            self.stand = Stand::Over;
            return;
        };
        let Some(Task::Choose { when, good, answers, .. }) = &page.task else { return };
        let is_time = is_time_in(when, table, viewer);
        if is_time && good.iter().any(offered) {
            return;
        }
        let is_answered = |pattern: &Pattern| answers.iter().any(|answer| answer.choice.text == pattern.text);
        let fitting = |pattern: &Pattern| offered(pattern) && !(is_time && is_answered(pattern));
        self.meanwhile = self.lesson.meanwhile.iter().position(|meanwhile| fitting(&meanwhile.choice));
        if self.meanwhile.is_none() {
            self.stand = Stand::Lost;
        }
    }
}

fn is_among(pattern: &Pattern, offers: &[Offer]) -> bool {
    offers.iter().any(|offer| pattern.fits(&offer.name))
}

/// Whether the moment of a task has come.
fn is_time_in(when: &[Fact], table: &dyn Table, viewer: Viewer) -> bool {
    when.is_empty() || {
        let view = table.view(viewer);
        when.iter().all(|fact| fact.holds(&view))
    }
}
