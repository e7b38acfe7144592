//! Matches played at random, with remarks and take-backs, and what their saves promise: strategies and checks for the
//! property tests of every game.

use kernel::{
    Discard, LoadError, Match, MatchDice, Mover, Options, Seat, SeatSet, SecretPolicy, Undo, Wording,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::edits::check_report;

const NAME: &str = "random.match";

/// One thing that happens in a random match.
#[derive(Clone, Debug)]
pub enum Act {
    /// An open choice is made or, with fair dice, drawn.
    Choose(Index),
    /// The same, with a reason for it.
    Explain(Index, String),
    /// Whatever goes without saying is played.
    Forced,
    /// Something is taken back, if there is something.
    TakeBack(Undo),
}

/// A match as random numbers.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Whether a person rolls the dice, where the game allows it.
    pub own_dice: bool,
    /// The seed of fair dice.
    pub seed: u64,
    /// What happens, in order.
    pub acts: Vec<Act>,
}

/// Matches in which up to so many things happen.
pub fn recipes(most: usize) -> impl Strategy<Value = Recipe> {
    let act = prop_oneof![
        30 => any::<Index>().prop_map(Act::Choose),
        4 => (any::<Index>(), "\\PC{0,40}|[ \r\n\ta-c#:|\u{202e}]{0,12}")
            .prop_map(|(pick, why)| Act::Explain(pick, why)),
        4 => Just(Act::Forced),
        1 => Just(Act::TakeBack(Undo::Step)),
        1 => Just(Act::TakeBack(Undo::Turn)),
    ];
    (any::<bool>(), any::<u64>(), vec(act, 0..most)).prop_map(|(own_dice, seed, acts)| Recipe {
        own_dice,
        seed,
        acts,
    })
}

impl Recipe {
    /// Plays the match, with one person in the first seat, who may take everything back.
    pub fn play<G: Wording>(&self, game: G) -> Match<G> {
        let own_dice = self.own_dice && !game.hides();
        let dice = if own_dice { MatchDice::Own } else { MatchDice::seeded(self.seed) };
        let mut played = Match::new(game, dice);
        played.seat_persons(SeatSet::first(1));
        for act in &self.acts {
            match act {
                Act::Choose(pick) => drop(choose(&mut played, pick)),
                Act::Explain(pick, why) => {
                    if choose(&mut played, pick) {
                        played.remark(played.log().len() - 1, why);
                    }
                }
                Act::Forced => played.play_forced(&mut Discard),
                // Nothing may be there to take back.
                Act::TakeBack(scope) => drop(played.undo(Seat(0), *scope)),
            }
        }
        played
    }
}

/// Makes a choice, unless the game is over.
fn choose<G: Wording>(played: &mut Match<G>, pick: &Index) -> bool {
    let mover = played.mover();
    if mover == Mover::Nobody {
        return false;
    }
    let choice = *pick.get(&played.choices());
    let done = match (mover, played.dice()) {
        (Mover::Fate, MatchDice::Fair { .. }) => played.fate(None, &mut Discard),
        (Mover::Fate, MatchDice::Own) => played.fate(Some(choice), &mut Discard),
        _ => played.play(choice, &mut Discard),
    };
    done.is_ok()
}

/// Set-ups that are made once: to read the files of a game a thousand times over is not what is tested.
#[derive(Debug)]
pub struct Shelf<G>(Vec<G>);

impl<G: Wording> Shelf<G> {
    /// The set-ups of these options.
    ///
    /// # Panics
    /// When the game refuses them.
    pub fn new(set_ups: &[&[(&str, &str)]]) -> Self {
        let make = |pairs: &&[(&str, &str)]| {
            let options: Options =
                pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
            G::with_options(&options).unwrap_or_else(|why| panic!("{options:?}: {why}"))
        };
        Self(set_ups.iter().map(make).collect())
    }

    /// One of the set-ups.
    pub fn pick(&self, index: &Index) -> G {
        index.get(&self.0).clone()
    }

    fn make(&self, options: &Options) -> Result<G, String> {
        let kept = self.0.iter().find(|kept| kept.options() == *options);
        kept.map_or_else(|| G::with_options(options), |kept| Ok(kept.clone()))
    }

    fn load(&self, text: &str) -> Result<Match<G>, LoadError> {
        Match::load_with(NAME, text, |options| self.make(options)).map(|loaded| loaded.game_match)
    }

    /// A saved match comes back as it was, and its save as it was written: with the secret of its dice and without.
    pub fn check_round_trip(&self, played: &Match<G>) -> Result<(), TestCaseError> {
        let kept = played.save(SecretPolicy::Keep);
        let loaded = self.load(&kept).map_err(|why| TestCaseError::fail(format!("{why}\n{kept}")))?;
        check_same(&loaded, played)?;
        prop_assert_eq!(loaded.dice(), played.dice());
        prop_assert_eq!(loaded.save(SecretPolicy::Keep), kept);
        let published = played.save(SecretPolicy::Withhold);
        let loaded =
            self.load(&published).map_err(|why| TestCaseError::fail(format!("{why}\n{published}")))?;
        check_same(&loaded, played)?;
        prop_assert_eq!(loaded.save(SecretPolicy::Withhold), published);
        Ok(())
    }

    /// A save that was changed is refused with its place, or it is read as a match that can be saved and read again. One that
    /// parts can be played up to there.
    pub fn check_changed(&self, text: &str) -> Result<(), TestCaseError> {
        match self.load(text) {
            Ok(loaded) => self.check_round_trip(&loaded),
            Err(error) => {
                check_report(error.problems(), text)?;
                let LoadError::Parted(parting) = error else { return Ok(()) };
                prop_assert!(parting.common <= parting.steps);
                let common = Match::load_common(NAME, text, |options| self.make(options))
                    .map_err(|why| TestCaseError::fail(format!("no common steps: {why}")))?
                    .game_match;
                prop_assert_eq!(common.log().len(), parting.common);
                prop_assert_eq!(common.begun_under(), G::RULES_VERSION);
                self.check_round_trip(&common)
            }
        }
    }
}

/// Whether two matches are the same in everything but the secret of their dice.
fn check_same<G: Wording>(one: &Match<G>, two: &Match<G>) -> Result<(), TestCaseError> {
    prop_assert_eq!(one.state(), two.state());
    prop_assert!(one.log() == two.log(), "{:?}\n{:?}", one.log(), two.log());
    prop_assert_eq!(one.game().options(), two.game().options());
    prop_assert_eq!((one.begun_under(), one.digest_format()), (two.begun_under(), two.digest_format()));
    prop_assert_eq!((one.draws(), one.takebacks()), (two.draws(), two.takebacks()));
    for step in 0..two.log().len() {
        prop_assert_eq!(one.remark_at(step), two.remark_at(step), "the remark of step {}", step + 1);
    }
    Ok(())
}
