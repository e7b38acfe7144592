//! A match without the type of its game: what [`Table`] has, and what learning programs need besides.

use kernel::{
    Actor, CompleteGame, Discard, FeatureSlice, LabDice, Match, MatchDice, MatchError, Mover, Secret,
    Standing, Table, Viewer,
};

/// A match of some game. One implementation serves all games.
pub trait Held: Table + Sync {
    /// A copy that goes its own way.
    fn copied(&self) -> Box<dyn Held>;
    /// How many features there are.
    fn feature_count(&self) -> usize;
    /// Writes the features of a viewer.
    fn write_features(&self, viewer: Viewer, out: &mut [f32]);
    /// The names of the choices so far, hidden ones included.
    fn log_names(&self) -> Vec<String>;
    /// How many actions there are.
    fn actions(&self) -> usize;
    /// The actions of the open choices, in their order; none unless a seat is to choose. Choices beyond the bound have none.
    fn open_actions(&mut self, out: &mut Vec<usize>);
    /// Makes the choice of an action.
    fn act(&mut self, action: usize) -> Result<(), MatchError>;
    /// How many of Fate's tickets each of its choices has; empty when it is a seat's turn.
    fn weights(&self) -> Vec<u32>;
    /// Makes the choice of a ticket of Fate's, in a match with own dice.
    fn draw(&mut self, ticket: u32) -> Result<(), MatchError>;
    /// A match that looks the same to a viewer, with other hidden things and other dice to come.
    fn imagine(&self, viewer: Viewer, seed: u64) -> Box<dyn Held>;
}

/// What a standing is worth to a learning program.
pub const fn reward(standing: Standing) -> f32 {
    match standing {
        Standing::Win => 1.0,
        Standing::Draw => 0.0,
        Standing::Loss => -1.0,
    }
}

impl<G: CompleteGame> Held for Match<G> {
    fn copied(&self) -> Box<dyn Held> {
        Box::new(self.clone())
    }

    fn feature_count(&self) -> usize {
        self.features(Viewer::Spectator).len()
    }

    fn write_features(&self, viewer: Viewer, out: &mut [f32]) {
        self.game().features(&self.game().view(self.state(), viewer), &mut FeatureSlice::new(out));
    }

    fn log_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.replay(0, &mut Discard, |_, state, step, _| {
            let mut name = String::new();
            self.game().write_name(state, step.choice, &mut name);
            names.push(name);
        });
        names
    }

    fn actions(&self) -> usize {
        self.game().actions()
    }

    fn open_actions(&mut self, out: &mut Vec<usize>) {
        out.clear();
        if matches!(Match::mover(self), Mover::Seat(_)) {
            let mut nth = 0;
            self.each_choice(|game, _, choice| {
                out.extend(game.open_action(nth, choice));
                nth += 1;
            });
        }
    }

    fn act(&mut self, action: usize) -> Result<(), MatchError> {
        let (mut nth, mut found) = (0, None);
        self.each_choice(|game, _, choice| {
            if game.open_action(nth, choice) == Some(action) {
                found = Some(choice);
            }
            nth += 1;
        });
        match found {
            Some(choice) => Match::play(self, choice, &mut Discard),
            None if Match::mover(self) == Mover::Nobody => Err(MatchError::Over),
            None => Err(MatchError::Unknown { name: format!("action {action}"), nearest: None }),
        }
    }

    fn weights(&self) -> Vec<u32> {
        if Match::mover(self) != Mover::Fate {
            return Vec::new();
        }
        let choices = self.choices();
        let mut weights = vec![0; choices.len()];
        for ticket in 0..self.game().tickets(self.state()) {
            let drawn = self.game().drawn(self.state(), ticket);
            if let Some(at) = choices.iter().position(|choice| *choice == drawn) {
                weights[at] += 1;
            }
        }
        weights
    }

    fn draw(&mut self, ticket: u32) -> Result<(), MatchError> {
        if Match::mover(self) == Mover::Fate && ticket >= self.game().tickets(self.state()) {
            return Err(MatchError::Unknown { name: format!("ticket {ticket}"), nearest: None });
        }
        let choice = (Match::mover(self) == Mover::Fate).then(|| self.game().drawn(self.state(), ticket));
        Match::fate(self, choice, &mut Discard)
    }

    fn imagine(&self, viewer: Viewer, seed: u64) -> Box<dyn Held> {
        let steps = self.log().len();
        let secret = Secret::from_seed(seed);
        let imagined = Match::fork_for(self, viewer, steps, secret, &mut LabDice::new(seed));
        if *Match::dice(self) != MatchDice::Own {
            return Box::new(imagined);
        }
        // A fork has fair dice; whoever enters the draws goes on entering them.
        let mut own = Match::new(self.game().clone(), MatchDice::Own);
        for step in imagined.log().iter() {
            let made = match step.actor {
                Actor::Fate => own.fate(Some(step.choice), &mut Discard),
                Actor::Seat(_) => own.play(step.choice, &mut Discard),
            };
            made.unwrap_or_else(|why| unreachable!("a choice of the log: {why}"));
        }
        Box::new(own)
    }
}
