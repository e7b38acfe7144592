//! Checks with random play that a game keeps the promises of the kernel's traits.
//!
//! A game crate calls [`run`] in a few lines for each of its set-ups and inherits all of it:
//!
//! * a game ends within a bound; the game's own invariants hold; nobody moves exactly when there is an outcome;
//! * the choices are listed once each, their names differ and read back, and exactly what is not listed is refused;
//! * Fate's tickets and list agree; forced choices had no alternative;
//! * the log tells every step once, in actions with a headline;
//! * replaying the log gives the same digests, undo is exact, a saved match loads and verifies to the same state;
//! * no view, choice, word or event shows what is hidden, nor does an answer that comes at once because there is only one;
//!   determinized states agree with the view they came from;
//! * a view has the features of its set-up, all of them finite, and they tell no more than the view; the choices of a seat are
//!   different actions within the bound.

use std::collections::HashSet;

use kernel::Game;
use kernel::SecretPolicy;
use kernel::{Actor, CompleteGame, Mover, Refusal, Seat, Viewer};
use kernel::{Dice, LabDice};
use kernel::{Discard, Recorder};
use kernel::{Match, MatchDice, Undo};

use crate::{features, told};

/// A replay is compared with the positions of the match every so many steps.
const KEPT: usize = 64;

/// How much to try.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How many games.
    pub games: u64,
    /// Seed of the random play.
    pub seed: u64,
    /// A game that has not ended after so many choices is an error.
    pub max_steps: usize,
}

/// What was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Games played to the end.
    pub games: u64,
    /// Positions checked.
    pub positions: u64,
    /// Choices that were rightly refused.
    pub refusals: u64,
}

/// A further check of a game's own, made in every position: it gets the set-up, the position, what is listed there, and
/// dice, and says how many refusals it has seen.
pub type Probe<'a, G> =
    &'a dyn Fn(&G, &<G as Game>::State, &[<G as Game>::Choice], &mut LabDice) -> Result<u64, String>;

/// A probe for games that can tell legality in a second, independent way: `vocabulary` gives choices to try, legal or not,
/// and `refuses` must refuse exactly those that are not listed.
pub fn compare_legality<G: Game>(
    state: &G::State,
    listed: &[G::Choice],
    vocabulary: &[G::Choice],
    refuses: impl Fn(&G::State, G::Choice) -> Option<Refusal>,
) -> Result<u64, String> {
    let open: HashSet<G::Choice> = listed.iter().copied().collect();
    let mut refusals = 0;
    for &choice in listed.iter().chain(vocabulary) {
        match (open.contains(&choice), refuses(state, choice)) {
            (true, Some(refusal)) => return Err(format!("{choice:?} is listed but refused: {refusal}")),
            (false, None) => return Err(format!("{choice:?} is not listed but not refused")),
            (false, Some(refusal)) if refusal.reason.is_empty() => {
                return Err(format!("{choice:?} is refused without a reason"));
            }
            (false, Some(_)) => refusals += 1,
            (true, None) => {}
        }
    }
    Ok(refusals)
}

/// Plays random games and checks everything; the error says in which game, at which step and what.
pub fn run<G: CompleteGame>(game: &G, plan: &Plan) -> Result<Report, String> {
    run_with(game, plan, &|_, _, _, _| Ok(0))
}

/// The same, with a check of the game's own in every position.
pub fn run_with<G: CompleteGame>(game: &G, plan: &Plan, probe: Probe<'_, G>) -> Result<Report, String> {
    let mut report = Report::default();
    for number in 0..plan.games {
        let mut run = Run {
            game,
            dice: LabDice::for_game(plan.seed, number),
            report: &mut report,
            listed: Vec::new(),
            probe,
            features: features::Names::of(game)?,
        };
        run.game(plan.seed.wrapping_add(number), plan.max_steps)
            .map_err(|why| format!("{} game {number} of seed {}: {why}", G::ID, plan.seed))?;
        report.games += 1;
    }
    Ok(report)
}

/// One game of the suite.
struct Run<'a, G: CompleteGame> {
    game: &'a G,
    dice: LabDice,
    report: &'a mut Report,
    listed: Vec<G::Choice>,
    probe: Probe<'a, G>,
    features: features::Names,
}

impl<G: CompleteGame> Run<'_, G> {
    fn game(&mut self, seed: u64, max_steps: usize) -> Result<(), String> {
        let mut game_match = Match::new(self.game.clone(), MatchDice::seeded(seed));
        loop {
            let step = game_match.log().len();
            self.check_position(game_match.state())
                .map_err(|why| format!("step {step}: {why}\nlast choices: {}", last_names(&game_match, 8)))?;
            if game_match.mover() == Mover::Nobody {
                break;
            }
            if step >= max_steps {
                return Err(format!("has not ended after {max_steps} choices"));
            }
            if self.dice.below(16) == 0 {
                self.check_undo(&game_match).map_err(|why| format!("step {step}: {why}"))?;
                self.check_forced(&game_match).map_err(|why| format!("step {step}: {why}"))?;
            }
            self.advance(&mut game_match)?;
        }
        check_record(&game_match)?;
        told::check(&game_match)
    }

    /// Fate draws, or a seat chooses at random.
    fn advance(&mut self, game_match: &mut Match<G>) -> Result<(), String> {
        match game_match.mover() {
            Mover::Fate => game_match.fate(None, &mut Discard),
            _ => {
                let pick = self.dice.below(self.listed.len() as u32) as usize;
                game_match.play(self.listed[pick], &mut Discard)
            }
        }
        .map_err(|why| format!("a listed choice was refused: {why}"))
    }

    /// Everything that must hold in a position:
    ///
    /// * the game's own invariants;
    /// * nobody moves if and only if there is an outcome;
    /// * there is something to choose, each thing once, with names that differ and read back;
    /// * what is shown as closed is not listed, and explained;
    /// * what the game itself wants checked (its [`Probe`]);
    /// * Fate's tickets are all listed, and every listed result has one;
    /// * a view shows nothing hidden: a determinized state gives the same view, and, to the viewer who
    ///   moves, the same choices and the same events;
    /// * a choice that the log conceals from a viewer is not given away by its events or the view after it, and a draw
    ///   that these do not tell from another is concealed.
    fn check_position(&mut self, state: &G::State) -> Result<(), String> {
        self.report.positions += 1;
        self.game.invariants(state).map_err(|why| format!("invariant broken: {why}"))?;
        let mover = self.game.mover(state);
        if (mover == Mover::Nobody) != self.game.outcome(state).is_some() {
            return Err(format!("mover {mover:?} but outcome {:?}", self.game.outcome(state)));
        }
        self.listed.clear();
        self.game.choices(state, &mut self.listed);
        if self.listed.is_empty() != (mover == Mover::Nobody) {
            return Err(format!("{mover:?} has {} choices", self.listed.len()));
        }
        if let Some(default) = self.game.default_choice(state).filter(|choice| !self.listed.contains(choice))
        {
            return Err(format!("the default choice {default:?} is not listed"));
        }
        self.check_names(state)?;
        self.check_closed(state)?;
        self.report.refusals += (self.probe)(self.game, state, &self.listed, &mut self.dice)?;
        if mover == Mover::Fate {
            self.check_fate(state)?;
        }
        features::check_actions(self.game, mover, &self.listed)?;
        self.check_concealment(state)?;
        self.check_views(state, mover)
    }

    fn check_names(&self, state: &G::State) -> Result<(), String> {
        let mut names = HashSet::new();
        for &choice in &self.listed {
            let name = name_of(self.game, state, choice);
            if self.game.read_name(state, &name) != Some(choice) {
                return Err(format!("{name:?} does not read back to {choice:?}"));
            }
            if self.game.label(state, choice).is_empty() {
                return Err(format!("{name:?} has no label"));
            }
            if !names.insert(name.clone()) {
                return Err(format!("two choices are called {name:?}"));
            }
        }
        Ok(())
    }

    /// What is shown as closed is not listed, has a label, and is explained.
    fn check_closed(&self, state: &G::State) -> Result<(), String> {
        let mut closed = Vec::new();
        self.game.closed(state, &self.listed, &mut closed);
        for choice in closed {
            if self.listed.contains(&choice) {
                return Err(format!("{choice:?} is shown as closed but listed"));
            }
            if self.game.why_not(state, choice).reason.is_empty() {
                return Err(format!("{choice:?} is closed without a reason"));
            }
            if self.game.label(state, choice).is_empty() {
                return Err(format!("{choice:?} is closed without a label"));
            }
        }
        Ok(())
    }

    fn check_fate(&self, state: &G::State) -> Result<(), String> {
        let tickets = self.game.tickets(state);
        if tickets == 0 {
            return Err("Fate has no tickets".to_owned());
        }
        let drawn: HashSet<G::Choice> = (0..tickets).map(|ticket| self.game.drawn(state, ticket)).collect();
        let listed: HashSet<G::Choice> = self.listed.iter().copied().collect();
        if drawn == listed { Ok(()) } else { Err(format!("Fate draws {drawn:?} but lists {listed:?}")) }
    }

    /// All viewers.
    fn viewers(&self) -> impl Iterator<Item = Viewer> + use<G> {
        let seats = self.game.seats().len();
        (0..seats).map(|n| Viewer::Seat(Seat(n as u8))).chain([Viewer::Spectator])
    }

    /// Whether a viewer sees the same in two positions.
    fn see_the_same(&self, one: &G::State, other: &G::State, viewer: Viewer) -> bool {
        self.game.view(one, viewer) == self.game.view(other, viewer)
    }

    fn check_concealment(&self, state: &G::State) -> Result<(), String> {
        for viewer in self.viewers() {
            // At the end everything is laid open: what a choice that ends the game was, may be seen.
            let after = |choice| {
                let mut next = state.clone();
                let mut recorder = Recorder::default();
                self.game.apply(&mut next, choice, &mut recorder);
                let goes_on = self.game.outcome(&next).is_none();
                let heard = recorder.seen_by(viewer).cloned().collect::<Vec<_>>();
                goes_on.then_some((next, heard))
            };
            let same = |one: &(G::State, Vec<G::Event>), other: &(G::State, Vec<G::Event>)| {
                one.1 == other.1 && self.see_the_same(&one.0, &other.0, viewer)
            };
            let concealed = |choice: &G::Choice| self.game.conceals(state, *choice, viewer);
            if self.game.hides() && self.game.mover(state) == Mover::Fate {
                let drawn: Vec<_> = self.listed.iter().map(|&choice| (choice, after(choice))).collect();
                let alike = |(choice, result): &&(G::Choice, Option<_>)| {
                    let Some(result) = result else { return false };
                    let others = drawn.iter().filter(|(other, _)| other != choice);
                    { others }.any(|(_, other)| other.as_ref().is_some_and(|other| same(other, result)))
                };
                if let Some((choice, _)) = drawn.iter().filter(alike).find(|(choice, _)| !concealed(choice)) {
                    return Err(format!(
                        "the log tells {viewer:?} of {choice:?}, which they can't know otherwise"
                    ));
                }
            }
            let hidden = self.listed.iter().copied().filter(concealed);
            let mut results = hidden.filter_map(|choice| Some((choice, after(choice)?)));
            let Some((first, expected)) = results.next() else { continue };
            if let Some((other, result)) = results.find(|(_, result)| !same(result, &expected)) {
                let by = if result.1 == expected.1 { "view" } else { "events" };
                return Err(format!(
                    "{viewer:?} can tell {first:?} from {other:?} by the {by}, which the log conceals"
                ));
            }
        }
        Ok(())
    }

    fn check_views(&mut self, state: &G::State, mover: Mover) -> Result<(), String> {
        for viewer in self.viewers() {
            let determinized = self.game.determinize(&self.game.view(state, viewer), &mut self.dice);
            if !self.see_the_same(state, &determinized, viewer) {
                return Err(format!("a determinized state gives {viewer:?} another view"));
            }
            self.features.check(self.game, [state, &determinized], viewer)?;
            self.game
                .invariants(&determinized)
                .map_err(|why| format!("determinized for {viewer:?}: {why}"))?;
            if self.game.mover(&determinized) != mover {
                return Err(format!("what is hidden from {viewer:?} changes who moves"));
            }
            let mut choices = Vec::new();
            self.game.choices(&determinized, &mut choices);
            if matches!(mover, Mover::Seat(seat) if viewer == Viewer::Seat(seat)) {
                if choices != self.listed {
                    return Err(format!("what is hidden from {viewer:?} changes what they may choose"));
                }
                self.check_words(state, &determinized, viewer)?;
            } else if self.game.prompt(state).waiting != self.game.prompt(&determinized).waiting {
                return Err(format!("the prompt for those who wait tells {viewer:?} something hidden"));
            } else if self.haste_tells([state, &determinized], [&self.listed, &choices], viewer) {
                let [one, other] = [&self.listed, &choices].map(Vec::len);
                return Err(format!(
                    "whether the answer comes at once tells {viewer:?} something hidden: {one} choices, not {other}, {:?}",
                    self.listed.first()
                ));
            }
            // A viewer sees the same events after the same choice, unless it reveals or conceals something. The same is
            // what has the same name: pieces may be numbered otherwise in a state that was made from a view.
            let Some(pick) = self.pick() else { continue };
            let Some(same) = self.game.read_name(&determinized, &name_of(self.game, state, pick)) else {
                continue;
            };
            if !choices.contains(&same)
                || self.game.reveals(state, pick)
                || self.game.conceals(state, pick, viewer)
            {
                continue;
            }
            let heard = |mut from: G::State, choice: G::Choice| {
                let mut recorder = Recorder::default();
                self.game.apply(&mut from, choice, &mut recorder);
                recorder.seen_by(viewer).cloned().collect::<Vec<_>>()
            };
            let (told, guessed) = (heard(state.clone(), pick), heard(determinized, same));
            if told != guessed {
                let at = told.iter().zip(&guessed).take_while(|(one, other)| one == other).count();
                let (told, guessed) = (told.get(at), guessed.get(at));
                return Err(format!(
                    "the events after {pick:?} tell {viewer:?} something hidden: {told:?}, not {guessed:?}"
                ));
            }
        }
        Ok(())
    }

    /// Whether the table plays a seat's only choice at once.
    fn is_forced(&self, state: &G::State, choices: &[G::Choice]) -> bool {
        matches!(self.game.mover(state), Mover::Seat(_))
            && choices.len() == 1
            && self.game.may_play_forced(state)
    }

    /// Whether an answer that comes at once in only one of two positions tells them apart. It does not where the answer itself
    /// does: nobody would give it in the other one.
    fn haste_tells(&self, states: [&G::State; 2], choices: [&Vec<G::Choice>; 2], viewer: Viewer) -> bool {
        let tells = |one: usize, other: usize| {
            if !self.is_forced(states[one], choices[one]) || self.is_forced(states[other], choices[other]) {
                return false;
            }
            let only = choices[one][0];
            let same = self.game.read_name(states[other], &name_of(self.game, states[one], only));
            self.game.conceals(states[one], only, viewer)
                || same.is_some_and(|same| choices[other].contains(&same))
        };
        tells(0, 1) || tells(1, 0)
    }

    /// One of the listed choices.
    fn pick(&mut self) -> Option<G::Choice> {
        let count = self.listed.len() as u32;
        self.listed.get(self.dice.below(count) as usize).copied()
    }

    /// The mover's texts are the same in a state that differs only in hidden information.
    fn check_words(&self, state: &G::State, determinized: &G::State, viewer: Viewer) -> Result<(), String> {
        let words = |state: &G::State| {
            let mut closed = Vec::new();
            self.game.closed(state, &self.listed, &mut closed);
            let reasons: Vec<_> = closed.iter().map(|&choice| self.game.why_not(state, choice)).collect();
            let labels: Vec<String> =
                self.listed.iter().map(|&choice| self.game.label(state, choice)).collect();
            (self.game.prompt(state), labels, closed, reasons)
        };
        if words(state) == words(determinized) {
            return Ok(());
        }
        Err(format!("the prompt, a label or a reason tells {viewer:?} something hidden"))
    }

    /// `play_forced` makes draws and forced choices only, and leaves none.
    fn check_forced(&mut self, game_match: &Match<G>) -> Result<(), String> {
        let mut played = game_match.clone();
        played.play_forced(&mut Discard);
        for (at, step) in played.log().iter().enumerate().skip(game_match.log().len()) {
            let mut choices = Vec::new();
            self.game.choices(&played.state_at(at), &mut choices);
            let forced = matches!(step.actor, Actor::Seat(_));
            if step.forced != forced || (forced && choices.len() != 1) {
                return Err(format!(
                    "{:?} was played as forced among {} choices",
                    step.choice,
                    choices.len()
                ));
            }
        }
        Ok(())
    }

    /// Taking back and coming the same way again leads to the same state, and `state_at` agrees.
    fn check_undo(&mut self, game_match: &Match<G>) -> Result<(), String> {
        let mut undone = game_match.clone();
        let scope = if self.dice.below(2) == 0 { Undo::Step } else { Undo::Turn };
        let by = Seat(self.dice.below(self.game.seats().len() as u32) as u8);
        let Ok(steps) = undone.undo(by, scope) else { return Ok(()) };
        let kept = game_match.log().len() - steps;
        if *undone.state() != game_match.state_at(kept) {
            return Err(format!("undo of {steps} steps does not lead to the state of step {kept}"));
        }
        for step in game_match.log().from(kept) {
            match step.actor {
                Actor::Fate => undone.fate(None, &mut Discard),
                Actor::Seat(_) => undone.play(step.choice, &mut Discard),
            }
            .map_err(|why| format!("after undo the same way is barred: {why}"))?;
        }
        if undone.state() != game_match.state() || undone.log() != game_match.log() {
            return Err("after undo the same choices lead elsewhere".to_owned());
        }
        Ok(())
    }
}

/// A finished match replays, saves, loads and verifies to the same state.
fn check_record<G: CompleteGame>(game_match: &Match<G>) -> Result<(), String> {
    let mut state = game_match.game().start();
    for (at, step) in game_match.log().iter().enumerate() {
        game_match.game().apply(&mut state, step.choice, &mut Discard);
        // The match keeps a position now and then as it was played.
        if (at + 1) % KEPT == 0 && game_match.state_at(at + 1) != state {
            return Err(format!("replay gives another position at step {}", at + 1));
        }
    }
    if *game_match.state() != state {
        return Err("replay ends in another position".to_owned());
    }
    let text = game_match.save(SecretPolicy::Withhold);
    let (loaded, _) =
        Match::<G>::verify("save", &text).map_err(|why| format!("own save is refused:\n{why}"))?;
    if loaded.game_match.state() != game_match.state()
        || loaded.game_match.save(SecretPolicy::Withhold) != text
    {
        return Err("a loaded save is not the same match".to_owned());
    }
    Ok(())
}

fn name_of<G: CompleteGame>(game: &G, state: &G::State, choice: G::Choice) -> String {
    let mut name = String::new();
    game.write_name(state, choice, &mut name);
    name
}

fn last_names<G: CompleteGame>(game_match: &Match<G>, count: usize) -> String {
    let from = game_match.log().len().saturating_sub(count);
    let mut names = Vec::new();
    game_match.replay(from, &mut Discard, |_, state, step, _| {
        names.push(name_of(game_match.game(), state, step.choice));
    });
    names.join(", ")
}
