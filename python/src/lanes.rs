//! Many matches of one game, for learning programs: no log, no text, only positions.
//!
//! A match of a batch is the match of its seed: it has the dice of `Match(game, seed=…)`, and it rolls and plays forced
//! choices as that one does.

use bots::{Bot as _, BotKind, Player};
use kernel::{CompleteGame, Dice, Discard, FairDice, FeatureSlice, LabDice, Mover, Seat, Secret, Viewer};

use crate::held::reward;

/// Where a batch writes what it is after a step; one row for each match.
pub struct Rows<'a> {
    /// The features of the seat to move.
    pub features: &'a mut [f32],
    /// Which actions are open: 1 or 0.
    pub masks: &'a mut [i8],
    /// The seat to move.
    pub seats: &'a mut [i64],
    /// Whether a match has ended with this step; a new one has begun in its place.
    pub done: &'a mut [bool],
    /// The rewards of all seats of a match that has ended; otherwise 0.
    pub rewards: &'a mut [f32],
    /// The last features of a match that has ended, as the seat that moved last sees them.
    pub last_features: &'a mut [f32],
    /// The seeds of the matches.
    pub seeds: &'a mut [u64],
}

/// Many matches of some game.
pub trait Lanes: Send + Sync {
    /// How many matches there are.
    fn len(&self) -> usize;
    /// The words of the seats.
    fn seats(&self) -> Vec<&'static str>;
    /// How many actions there are.
    fn actions(&self) -> usize;
    /// The names of the features.
    fn feature_names(&self) -> Vec<String>;
    /// Begins all matches anew, with the first seeds.
    fn reset(&mut self, rows: &mut Rows<'_>);
    /// Makes a choice in every match. An error leaves all of them as they were.
    fn step(&mut self, actions: &[i64], rows: &mut Rows<'_>) -> Result<(), String>;
    /// Writes the actions that a bot would choose in the matches that are asked about (all without `asked`); -1 elsewhere.
    fn suggest(
        &self,
        level: &str,
        asked: Option<&[bool]>,
        seed: u64,
        actions: &mut [i64],
    ) -> Result<(), String>;
}

/// The matches of one game.
pub struct LanesOf<G: CompleteGame> {
    game: G,
    first_seed: u64,
    lanes: Vec<Lane<G>>,
    features: usize,
    /// What was chosen in each match, as places in its list.
    picks: Vec<usize>,
}

struct Lane<G: CompleteGame> {
    seed: u64,
    secret: Secret,
    draws: u64,
    state: G::State,
    /// What the seat to move may choose.
    listed: Vec<G::Choice>,
}

impl<G: CompleteGame> Lane<G> {
    fn new(game: &G, seed: u64) -> Self {
        let secret = Secret::from_seed(seed);
        let mut lane = Self { seed, secret, draws: 0, state: game.start(), listed: Vec::new() };
        lane.play_forced(game);
        lane
    }

    /// Rolls and plays forced choices until there is a decision or the end.
    fn play_forced(&mut self, game: &G) {
        loop {
            match game.mover(&self.state) {
                Mover::Nobody => return self.listed.clear(),
                Mover::Fate => {
                    let ticket = FairDice::new(&self.secret, self.draws).below(game.tickets(&self.state));
                    let choice = game.drawn(&self.state, ticket);
                    game.apply(&mut self.state, choice, &mut Discard);
                    self.draws += 1;
                }
                Mover::Seat(_) => {
                    self.listed.clear();
                    game.choices(&self.state, &mut self.listed);
                    match self.listed[..] {
                        [only] if game.may_play_forced(&self.state) => {
                            game.apply(&mut self.state, only, &mut Discard);
                        }
                        _ => return,
                    }
                }
            }
        }
    }

    fn mover(&self, game: &G) -> Option<Seat> {
        match game.mover(&self.state) {
            Mover::Seat(seat) => Some(seat),
            Mover::Fate | Mover::Nobody => None,
        }
    }

    fn write_features(&self, game: &G, seat: Seat, out: &mut [f32]) {
        game.features(&game.view(&self.state, Viewer::Seat(seat)), &mut FeatureSlice::new(out));
    }

    /// The action that a bot would choose; -1 if its choice has none.
    fn suggestion(&self, game: &G, bot: &mut Player<G>, dice: &mut LabDice) -> i64 {
        let Some(seat) = self.mover(game) else { return -1 };
        bot.begin();
        let nth = bot.choose(game, &game.view(&self.state, Viewer::Seat(seat)), &self.listed, dice);
        game.open_action(nth, self.listed[nth]).map_or(-1, |action| action as i64)
    }

    /// The place in the list of the choice that an action stands for.
    fn pick(&self, game: &G, action: i64) -> Option<usize> {
        let action = usize::try_from(action).ok()?;
        self.listed
            .iter()
            .enumerate()
            .position(|(nth, choice)| game.open_action(nth, *choice) == Some(action))
    }
}

impl<G: CompleteGame> LanesOf<G> {
    /// So many matches; their seeds count up from the first one.
    pub fn new(game: G, count: usize, first_seed: u64) -> Self {
        let features = game.feature_names().len();
        let lanes = (0..count as u64).map(|at| Lane::new(&game, first_seed.wrapping_add(at))).collect();
        Self { game, first_seed, lanes, features, picks: Vec::new() }
    }

    /// Writes the row of a match: its decision, or, if it has just ended, the end and the first decision of the next one.
    fn show(&mut self, at: usize, mover: Option<Seat>, rows: &mut Rows<'_>) {
        let (game, count) = (&self.game, self.lanes.len() as u64);
        let (seats, lane) = (game.seats().len(), &mut self.lanes[at]);
        let rewards = &mut rows.rewards[at * seats..][..seats];
        rewards.fill(0.0);
        rows.done[at] = false;
        if let Some(outcome) = game.outcome(&lane.state) {
            let standings = &game.results()[usize::from(outcome.0)].standings;
            for (of_seat, standing) in rewards.iter_mut().zip(standings) {
                *of_seat = reward(*standing);
            }
            rows.done[at] = true;
            let last = &mut rows.last_features[at * self.features..][..self.features];
            lane.write_features(game, mover.unwrap_or(Seat(0)), last);
            *lane = Lane::new(game, lane.seed.wrapping_add(count));
        }
        rows.seeds[at] = lane.seed;
        let seat = lane.mover(game).unwrap_or(Seat(0));
        rows.seats[at] = seat.index() as i64;
        lane.write_features(game, seat, &mut rows.features[at * self.features..][..self.features]);
        let actions = game.actions();
        let mask = &mut rows.masks[at * actions..][..actions];
        mask.fill(0);
        for (nth, &choice) in lane.listed.iter().enumerate() {
            if let Some(action) = game.open_action(nth, choice) {
                mask[action] = 1;
            }
        }
    }
}

impl<G: CompleteGame> Lanes for LanesOf<G> {
    fn len(&self) -> usize {
        self.lanes.len()
    }

    fn seats(&self) -> Vec<&'static str> {
        self.game.seats().iter().map(|seat| seat.word).collect()
    }

    fn actions(&self) -> usize {
        self.game.actions()
    }

    fn feature_names(&self) -> Vec<String> {
        self.game.feature_names()
    }

    fn reset(&mut self, rows: &mut Rows<'_>) {
        for at in 0..self.lanes.len() {
            self.lanes[at] = Lane::new(&self.game, self.first_seed.wrapping_add(at as u64));
            self.show(at, None, rows);
        }
    }

    fn step(&mut self, actions: &[i64], rows: &mut Rows<'_>) -> Result<(), String> {
        self.picks.clear();
        for (at, (lane, &action)) in self.lanes.iter().zip(actions).enumerate() {
            let pick = lane.pick(&self.game, action);
            self.picks.push(pick.ok_or_else(|| format!("match {at}: action {action} is not possible now"))?);
        }
        for at in 0..self.lanes.len() {
            let lane = &mut self.lanes[at];
            let mover = lane.mover(&self.game);
            let choice = lane.listed[self.picks[at]];
            self.game.apply(&mut lane.state, choice, &mut Discard);
            lane.play_forced(&self.game);
            self.show(at, mover, rows);
        }
        Ok(())
    }

    fn suggest(
        &self,
        level: &str,
        asked: Option<&[bool]>,
        seed: u64,
        actions: &mut [i64],
    ) -> Result<(), String> {
        let kind = BotKind::parse::<G>(level)?;
        kind.check_seats(self.game.seats().len()).map_err(|why| why.to_string())?;
        let (mut bot, mut dice) = (Player::new(kind), LabDice::new(seed));
        for (at, (lane, action)) in self.lanes.iter().zip(actions).enumerate() {
            let is_asked = asked.is_none_or(|asked| asked[at]);
            *action = if is_asked { lane.suggestion(&self.game, &mut bot, &mut dice) } else { -1 };
        }
        Ok(())
    }
}
