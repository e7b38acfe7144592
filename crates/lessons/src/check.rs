//! Plays a lesson through against the rules.
//!
//! Every page is brought up as at the table: the real coach follows a real match with the lesson's dice. What a page names
//! must be there: choices, places, rules, values of the position. Every choice that is possible must have an answer. Each
//! branch (another good choice, a choice after which the lesson goes on) is followed to the end of the lesson, and each
//! choice that is to be taken back is made and taken back. Free stretches are played by several bots.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use diagnostics::datafile::{any_of, suggest};
use diagnostics::{FileCheck, Problem, Problems};
use kernel::{LabDice, MatchDice, Mover, Offer, Options, Seat, SeatSet, Table, Undo, Viewer};

use crate::coach::{Coach, Stand};
use crate::lesson::{Answer, Lesson, Page, Pattern, Task, Then};

/// More choices than this are not made in one lesson.
const MOST_CHOICES: usize = 3_000;
/// How many times a free stretch is played at random, besides by the quick policy.
const RANDOM_TRIES: u64 = 3;

/// The table at which a lesson is checked: what only the program knows about a game.
pub trait Stage {
    /// A new match.
    fn open(&self, options: &Options, dice: MatchDice) -> Result<Box<dyn Table>, String>;
    /// The choice of a bot for the seat to move, by its word.
    fn choose(&self, bot: &str, table: &dyn Table, dice: &mut LabDice) -> Result<String, String>;
    /// The `id`s of everything on the page of a viewer.
    fn places(&self, table: &dyn Table, viewer: Viewer) -> Vec<String>;
    /// Whether the rulebook has a rule.
    fn has_rule(&self, rule: &str) -> bool;
}

/// Checks a lesson file.
pub fn check(
    stage: &dyn Stage,
    name: &str,
    text: &str,
    file: impl Fn(&str) -> Option<String>,
) -> Result<FileCheck, Problems> {
    let (lesson, problems) = Lesson::read(name, text, file)?;
    let mut check = Check {
        stage,
        lesson: Arc::new(lesson),
        problems,
        said: HashSet::new(),
        early: HashSet::new(),
        after: String::new(),
        choices: 0,
        ways: 0,
    };
    check.play_through();
    let Check { lesson, problems, choices, ways, .. } = check;
    if problems.has_errors() {
        return Err(problems);
    }
    let tasks = lesson.pages.iter().filter(|page| page.task.is_some()).count();
    let summary = format!(
        "{}: {} pages, {tasks} tasks; {ways} other ways tried, {choices} choices made",
        lesson.title,
        lesson.pages.len()
    );
    Ok(FileCheck { summary: vec![summary], warnings: problems.to_string(), failures: Vec::new() })
}

struct Check<'a> {
    stage: &'a dyn Stage,
    lesson: Arc<Lesson>,
    problems: Problems,
    /// What was complained about already, so that branches don't repeat it.
    said: HashSet<(usize, String)>,
    /// Answers to choices that are made too early, by where they stand.
    early: HashSet<usize>,
    /// The branch that is followed, in words.
    after: String,
    choices: usize,
    ways: usize,
}

/// A match under way with its coach.
struct Game {
    table: Box<dyn Table>,
    coach: Coach,
    dice: LabDice,
    /// Who plays free stretches.
    learner: &'static str,
    /// The first page that has not been looked at.
    unseen: usize,
}

impl Game {
    fn viewer(&self) -> Viewer {
        Viewer::Seat(self.coach.seat())
    }

    fn fork(&self) -> Self {
        let mut table = self.table.fork(self.table.steps());
        table.seat_persons(SeatSet::default().with(self.coach.seat()));
        Self { table, coach: self.coach.clone(), dice: self.dice.clone(), ..*self }
    }

    /// Makes a choice for the seat to move, and what follows by itself.
    fn play(&mut self, seat: Seat, choice: &str) -> Result<(), String> {
        self.table.play(seat, choice, None).map_err(|error| error.to_string())?;
        self.table.play_forced(None);
        self.coach.follow(&*self.table);
        Ok(())
    }
}

impl Check<'_> {
    fn play_through(&mut self) {
        let lesson = Arc::clone(&self.lesson);
        let mut table = match self.stage.open(&lesson.options, MatchDice::seeded(lesson.seed)) {
            Ok(table) => table,
            Err(why) => {
                self.complain(0..0, format!("the match can't be opened: {why}"));
                return;
            }
        };
        let Some(seat) = table.seats().iter().position(|seat| seat.word == lesson.seat) else {
            let words: Vec<&str> = table.seats().iter().map(|seat| seat.word).collect();
            let problem = self.complain(0..0, format!("there is no seat {:?}", lesson.seat));
            expect(problem, any_of(&words));
            return;
        };
        if table.seats().len() > 1 && lesson.others.is_none() {
            self.complain(0..0, "the key \"others\" is missing: who plays the other seats?".to_owned());
            return;
        }
        let seat = Seat(seat as u8);
        table.seat_persons(SeatSet::default().with(seat));
        table.play_forced(None);
        let mut coach = Coach::new(Arc::clone(&lesson), seat);
        coach.follow(&*table);
        self.run(Game { table, coach, dice: LabDice::new(1), learner: "greedy", unseen: 0 }, true);
    }

    /// Plays a match to the end of the lesson.
    fn run(&mut self, mut game: Game, branches: bool) {
        for _ in 0..MOST_CHOICES {
            let page = game.coach.task_page().map_or_else(|| self.last_span(), |page| page.span.clone());
            match game.coach.stand() {
                Stand::Together => {}
                Stand::Over => {
                    self.look_at_pages(&mut game);
                    // Free play may end the game.
                    let task = game.coach.task_page().and_then(|page| page.task.as_ref());
                    if matches!(task, Some(Task::Choose { .. })) {
                        self.complain(page, "the game is over before the lesson".to_owned());
                    }
                    return;
                }
                Stand::Lost => {
                    self.explain_lost(&game, page);
                    return;
                }
                Stand::Astray(_) => {
                    self.complain(page, "the good choice is not taken as one".to_owned());
                    return;
                }
            }
            let chosen = match game.table.mover() {
                Mover::Seat(seat) if seat == game.coach.seat() => {
                    self.look_at_pages(&mut game);
                    self.learners_choice(&mut game, branches).map(|choice| (seat, choice))
                }
                Mover::Seat(seat) => {
                    let bot = self.lesson.others.clone().unwrap_or_default();
                    self.ask(&bot, &mut game).map(|choice| (seat, choice))
                }
                _ => return,
            };
            let Some((seat, choice)) = chosen else { return };
            self.choices += 1;
            if let Err(why) = game.play(seat, &choice) {
                self.complain(page, format!("{choice:?} could not be made: {why}"));
                return;
            }
        }
        let what = format!("the lesson is not over after {MOST_CHOICES} choices");
        self.complain(self.last_span(), what);
    }

    /// The choice that leads on, after a look at all the others.
    fn learners_choice(&mut self, game: &mut Game, branches: bool) -> Option<String> {
        let offers = game.table.offers(game.viewer());
        if let Some(pattern) = game.coach.meanwhile_choice() {
            self.note_early_answers(game, &offers);
            return offers.into_iter().find(|offer| pattern.fits(&offer.name)).map(|offer| offer.name);
        }
        let lesson = Arc::clone(&self.lesson);
        let page = &lesson.pages[game.coach.run().end - 1];
        match page.task.as_ref()? {
            Task::Choose { good, answers, otherwise, .. } => {
                let has_rest = otherwise.is_some();
                self.check_answers(page, good, answers, has_rest, &offers);
                if branches {
                    self.try_other_ways(game, page, good, answers, has_rest, &offers);
                }
                let first = good.iter().find_map(|pattern| fitting(pattern, &offers));
                first.map(|offer| offer.name.clone())
            }
            Task::Free(free) => {
                if branches {
                    for seed in 1..=RANDOM_TRIES {
                        let other = Game { learner: "random", dice: LabDice::new(seed), ..game.fork() };
                        self.branch(other, format!("after random play {seed}"));
                    }
                }
                if let Some(remark) = free.remarks.iter().find(|remark| remark.then == Then::GoOn) {
                    let what = "\"then\" means nothing in free play: remarks never stop it".to_owned();
                    self.complain(remark.span.clone(), what);
                }
                let learner = game.learner;
                self.ask(learner, game)
            }
        }
    }

    /// Notes the answers to choices that can be made before the moment of a task has come.
    fn note_early_answers(&mut self, game: &Game, offers: &[Offer]) {
        let task = game.coach.task_page().and_then(|page| page.task.as_ref());
        let Some(Task::Choose { answers, .. }) = task else { return };
        let fitting = answers.iter().filter(|answer| fitting(&answer.choice, offers).is_some());
        self.early.extend(fitting.map(|answer| answer.span.start));
    }

    /// Every pattern must fit a choice, and every choice must have an answer.
    fn check_answers(
        &mut self,
        page: &Page,
        good: &[Pattern],
        answers: &[Answer],
        has_rest: bool,
        offers: &[Offer],
    ) {
        let none_fits = good.iter().all(|pattern| fitting(pattern, offers).is_none());
        // Of several patterns one is enough; a choice that is named must be there.
        let is_needed = |pattern: &Pattern| none_fits || !pattern.text.contains('*');
        for pattern in good.iter().filter(|pattern| is_needed(pattern) && fitting(pattern, offers).is_none())
        {
            self.complain_impossible(pattern, offers);
        }
        let is_good = |offer: &Offer| good.iter().any(|pattern| pattern.fits(&offer.name));
        for answer in answers {
            let is_possible = offers.iter().any(|offer| !is_good(offer) && answer.choice.fits(&offer.name));
            if !is_possible && !self.early.contains(&answer.span.start) {
                self.complain_impossible(&answer.choice, offers);
            }
        }
        let lesson = Arc::clone(&self.lesson);
        let is_answered = |offer: &Offer| {
            let meanwhile = lesson.meanwhile.iter().map(|meanwhile| &meanwhile.choice);
            let mut all = good.iter().chain(answers.iter().map(|answer| &answer.choice)).chain(meanwhile);
            all.any(|pattern| pattern.fits(&offer.name))
        };
        if has_rest {
            return;
        }
        for offer in offers.iter().filter(|offer| !is_answered(offer)) {
            let what = format!("the choice {:?} ({}) has no answer", offer.name, offer.label);
            expect(self.complain(page.span.clone(), what), "an \"if\" for it, or \"otherwise\"");
        }
    }

    fn try_other_ways(
        &mut self,
        game: &Game,
        page: &Page,
        good: &[Pattern],
        answers: &[Answer],
        has_rest: bool,
        offers: &[Offer],
    ) {
        let main = good.iter().find_map(|pattern| fitting(pattern, offers)).map(|offer| &offer.name);
        for offer in offers.iter().filter(|offer| Some(&offer.name) != main) {
            let name = &offer.name;
            let is_good = good.iter().any(|pattern| pattern.fits(name));
            let then = answers.iter().find(|answer| answer.choice.fits(name)).map(|answer| answer.then);
            let goes_on = is_good || then == Some(Then::GoOn);
            let is_meanwhile = self.lesson.meanwhile.iter().any(|meanwhile| meanwhile.choice.fits(name));
            if !goes_on && then.is_none() && (is_meanwhile || !has_rest) {
                continue;
            }
            let mut other = game.fork();
            if let Err(why) = other.play(other.coach.seat(), name) {
                self.complain(page.span.clone(), format!("{name:?} could not be made: {why}"));
            } else if goes_on {
                self.branch(other, format!("after {name:?}"));
            } else {
                self.ways += 1;
                self.take_back(game, other, page, name);
            }
        }
    }

    /// A choice that is to be taken back: the coach must say so, and must be back on the page after the undo.
    fn take_back(&mut self, before: &Game, mut other: Game, page: &Page, name: &str) {
        if !matches!(other.coach.stand(), Stand::Astray(_)) {
            self.complain(page.span.clone(), format!("the coach does not object to {name:?}"));
            return;
        }
        let undone = other.table.undo(other.coach.seat(), Undo::Step);
        other.coach.follow(&*other.table);
        let is_back = undone.is_ok()
            && other.table.steps() == before.table.steps()
            && other.coach.run() == before.coach.run()
            && *other.coach.stand() == Stand::Together;
        if !is_back {
            self.complain(page.span.clone(), format!("{name:?} can't be taken back with one undo"));
        }
    }

    fn branch(&mut self, game: Game, after: String) {
        self.ways += 1;
        let before = std::mem::replace(&mut self.after, after);
        self.run(game, false);
        self.after = before;
    }

    /// Looks at pages that the coach shows for the first time.
    fn look_at_pages(&mut self, game: &mut Game) {
        let run = game.coach.run();
        // The page of a task that has to wait for its moment is looked at when that has come.
        let waits = game.coach.meanwhile_choice().is_some();
        let end = if waits && game.coach.task_page().is_some() { run.end - 1 } else { run.end };
        let new = game.unseen.max(run.start)..end;
        if new.is_empty() {
            return;
        }
        game.unseen = end;
        let lesson = Arc::clone(&self.lesson);
        let view = game.table.view(game.viewer());
        let places = self.stage.places(&*game.table, game.viewer());
        for page in &lesson.pages[new] {
            for id in page.look.iter().filter(|id| !places.iter().any(|place| place == id.as_str())) {
                let what = format!("there is nothing called {:?} to look at", id.as_str());
                if let Some(problem) = self.complain(id.span(), what) {
                    suggest(problem, id.as_str(), places.iter().map(String::as_str));
                }
            }
            if let Some(rule) = page.rule.as_ref().filter(|rule| !self.stage.has_rule(rule.as_str())) {
                self.complain(rule.span(), format!("the rulebook has no rule {:?}", rule.as_str()));
            }
            for fact in page.expect.iter().filter(|fact| !fact.holds(&view)) {
                let what = format!("{:?} is {} here", fact.at, fact.found(&view));
                expect(self.complain(fact.span.clone(), what), fact.value.to_string());
            }
        }
    }

    fn ask(&mut self, bot: &str, game: &mut Game) -> Option<String> {
        match self.stage.choose(bot, &*game.table, &mut game.dice) {
            Ok(choice) => Some(choice),
            Err(why) => {
                self.complain(0..0, format!("the bot {bot:?} can't choose: {why}"));
                None
            }
        }
    }

    fn explain_lost(&mut self, game: &Game, span: Range<usize>) {
        let offers = game.table.offers(game.viewer());
        let task = game.coach.task_page().and_then(|page| page.task.as_ref());
        let Some(Task::Choose { good, when, .. }) = task else { return };
        if let Some(pattern) = good.iter().find(|pattern| fitting(pattern, &offers).is_none()) {
            self.complain_impossible(pattern, &offers);
            return;
        }
        let view = game.table.view(game.viewer());
        if let Some(fact) = when.iter().find(|fact| !fact.holds(&view)) {
            let what =
                format!("the moment of this page does not come: {:?} is {}", fact.at, fact.found(&view));
            let wanted = format!("{}, or a \"meanwhile\" for one of the choices", fact.value);
            expect(self.complain(span, what), wanted);
        }
    }

    fn complain_impossible(&mut self, pattern: &Pattern, offers: &[Offer]) {
        let what = match pattern.text.contains('*') {
            true => format!("no other choice here fits {:?}", pattern.text),
            false => format!("the choice {:?} is not possible here", pattern.text),
        };
        let names: Vec<String> = offers.iter().take(12).map(|offer| format!("{:?}", offer.name)).collect();
        let more = if offers.len() > 12 { ", …" } else { "" };
        if let Some(problem) = self.complain(pattern.span.clone(), what) {
            problem.expected(format!("one of {}{more}", names.join(", ")));
            suggest(problem, &pattern.text, offers.iter().map(|offer| offer.name.as_str()));
        }
    }

    fn last_span(&self) -> Range<usize> {
        self.lesson.pages.last().map_or(0..0, |page| page.span.clone())
    }

    /// Adds an error, unless it was added before.
    fn complain(&mut self, span: Range<usize>, what: String) -> Option<&mut Problem> {
        if !self.said.insert((span.start, what.clone())) {
            return None;
        }
        let page = self.lesson.pages.iter().filter(|page| page.span.start <= span.start).count();
        let page = if page == 0 { String::new() } else { format!("page {page}") };
        let parts: Vec<&str> =
            [page.as_str(), &self.after].into_iter().filter(|part| !part.is_empty()).collect();
        self.problems.set_place(parts.join(", "));
        Some(self.problems.error(span, what))
    }
}

/// Says what a complaint had expected.
fn expect(problem: Option<&mut Problem>, expected: impl Into<String>) {
    if let Some(problem) = problem {
        problem.expected(expected);
    }
}

fn fitting<'o>(pattern: &Pattern, offers: &'o [Offer]) -> Option<&'o Offer> {
    offers.iter().find(|offer| pattern.fits(&offer.name))
}
