//! Calibration: does a predicted chance of 70 % come true in 70 of 100 cases?
//!
//! Positions are taken from games between bots, one from each game; the search predicts the win chance of the seat to move;
//! then the bots play on from there, several times, each time with other dice. Predicted and actual rates are compared in
//! bins. Several continuations of a position tell more about its true chance than its game alone does.

mod chart;

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bots::search::{Budget, Resources, Search, Subject, TooManySeats};
use bots::{BotKind, Player};
use kernel::{CompleteGame, Dice, Discard, LabDice, Mover, Options, Seat, Standing, Viewer};
use serde::{Deserialize, Serialize};
use workers::Progress;

use crate::playing::{BotPlayers, Playing, Unobserved};
use crate::work::{self, ByteReader, ByteWriter, Labour, Site, Work, Worked};

/// How many bins there are.
const BINS: usize = 10;

/// What to compare.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// How many positions, each from a game of its own.
    pub positions: u64,
    /// How often each is continued.
    pub continuations: u32,
    /// Who plays, in all seats.
    pub bot: BotKind,
    /// The search budget for a prediction.
    pub budget: Budget,
    /// The same seed gives the same positions.
    pub seed: u64,
    /// How many threads.
    pub threads: usize,
}

/// Positions with about the same prediction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Bin {
    /// How many positions.
    pub positions: u64,
    /// The mean of the predictions.
    pub predicted: f64,
    /// The mean of the results.
    pub actual: f64,
    /// The standard error of that.
    pub error: f64,
}

/// Predictions and results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// The id of the game.
    pub game: &'static str,
    /// Who played.
    pub bot: String,
    /// How many positions.
    pub positions: u64,
    /// How often each was continued.
    pub continuations: u32,
    /// From 0–10 % to 90–100 %.
    pub bins: Vec<Bin>,
    /// The Brier score: the mean squared difference of prediction and result.
    pub brier: f64,
    /// The shift and slope that would fit the uncalibrated predictions best.
    pub best_fit: (f64, f64),
}

/// A prediction: as the search found it, calibrated, and the mean of the results.
#[derive(Clone, Copy, Debug)]
struct Case {
    found: f64,
    calibrated: f64,
    came: f64,
}

/// Takes positions, predicts and plays on. Stops early on request. The error means that the game has too many seats for
/// the search, or that a game failed.
pub fn calibrate<G: CompleteGame>(
    game: &G,
    inquiry: &Inquiry,
    progress: &Progress,
) -> Result<Calibration, String> {
    Ok(calibrate_at(&Site::in_process(), game, inquiry, progress)?.result)
}

/// The same through a ledger: positions that were taken before are not taken again.
pub fn calibrate_at<G: CompleteGame>(
    site: &Site,
    game: &G,
    inquiry: &Inquiry,
    progress: &Progress,
) -> Result<Worked<Calibration>, String> {
    TooManySeats::check(game.seats().len()).map_err(|why| why.to_string())?;
    let worked = work::run(site, &Sampling { game, inquiry, progress }, inquiry.threads, progress)?;
    // In the order of the games, so that sums do not depend on the threads.
    let mut cases = Vec::new();
    worked.each_part(site, 0, |_, bytes| {
        let mut from = ByteReader::new(bytes);
        while !from.is_empty() {
            let [found, calibrated, came] = [from.get_bits()?, from.get_bits()?, from.get_bits()?];
            cases.push(Case { found, calibrated, came });
        }
        Ok(())
    })?;
    Ok(worked.with(|_| sum_up::<G>(inquiry, &cases)))
}

/// Takes some positions of a calibration that somebody else has begun.
pub(crate) fn labour<G: CompleteGame>(labour: Labour<'_>) -> Result<(), String> {
    let SpecRead { options, bot, positions, continuations, playouts, only_decide, seed } = labour.read()?;
    let game = G::with_options(&options)?;
    TooManySeats::check(game.seats().len()).map_err(|why| why.to_string())?;
    let budget = Budget { only_decide, ..Budget::playouts(playouts) };
    let bot = BotKind::parse::<G>(&bot)?;
    let inquiry = Inquiry { positions, continuations, bot, budget, seed, threads: 1 };
    let progress = labour.progress;
    labour.labour(&Sampling { game: &game, inquiry: &inquiry, progress })
}

/// A [`Spec`] as it is read.
#[derive(Deserialize)]
struct SpecRead {
    options: Options,
    bot: String,
    positions: u64,
    continuations: u32,
    playouts: u32,
    only_decide: bool,
    seed: u64,
}

/// A calibration, position by position.
struct Sampling<'a, G> {
    game: &'a G,
    inquiry: &'a Inquiry,
    progress: &'a Progress,
}

/// What makes a calibration what it is.
#[derive(Serialize)]
struct Spec<'a> {
    kind: &'a str,
    game: &'a str,
    options: Options,
    bot: Cow<'static, str>,
    positions: u64,
    continuations: u32,
    playouts: u32,
    only_decide: bool,
    seed: u64,
}

impl<G: CompleteGame> Work for Sampling<'_, G> {
    type Bench = ByteWriter;

    const KIND: &'static str = "calibrate";

    fn spec(&self) -> String {
        let Inquiry { positions, continuations, bot, budget, seed, .. } = *self.inquiry;
        work::canonical(&Spec {
            kind: Self::KIND,
            game: G::ID,
            options: self.game.options(),
            bot: bot.word::<G>(),
            positions,
            continuations,
            playouts: budget.playouts,
            only_decide: budget.only_decide,
            seed,
        })
    }

    fn rules(&self) -> &'static str {
        G::RULES_VERSION
    }

    fn unsteady(&self) -> Option<String> {
        let timed = self.inquiry.budget.time < Duration::MAX;
        let timed = timed.then(|| "a prediction that takes a time differs on a busy machine".to_owned());
        timed.or_else(|| work::unsteady::<G>(self.inquiry.bot))
    }

    fn numbers(&self) -> u64 {
        self.inquiry.positions
    }

    fn bench(&self) -> Self::Bench {
        ByteWriter::default()
    }

    fn one(&self, out: &mut Self::Bench, number: u64) -> bool {
        let stop = &self.progress.stop;
        match case(self.game, self.inquiry, number, stop) {
            Some(Case { found, calibrated, came }) => {
                [found, calibrated, came].into_iter().for_each(|share| out.put_bits(share));
                true
            }
            None => !stop.load(Ordering::Relaxed),
        }
    }

    fn hand_in(&self, out: &mut Self::Bench) -> Vec<Vec<u8>> {
        vec![out.take()]
    }
}

/// One position; `None` where its game had no decision in it, or if it was stopped.
fn case<G: CompleteGame>(game: &G, inquiry: &Inquiry, number: u64, stop: &AtomicBool) -> Option<Case> {
    let mut dice = LabDice::for_game(inquiry.seed, number);
    let (state, seat) = a_decision_of_a_game(game, inquiry.bot, &mut dice, stop)?;
    let viewer = Viewer::Seat(seat);
    let view = game.view(&state, viewer);
    let mut search = Search::new(Resources::single());
    let about = Subject::View(&view, viewer);
    let found = search.think(game, about, inquiry.budget, number, None, stop).ok()?;
    let found = found.chances.get(seat.index()).copied()?;
    let mut playing = Playing::default();
    let mut seated = BotPlayers::stopped_by(stop, game, &[inquiry.bot]);
    let mut came = 0.0;
    for _ in 0..inquiry.continuations.max(1) {
        seated.begin();
        let mut end = state.clone();
        playing.to_the_end(game, &mut end, &mut seated, &mut dice, &mut Unobserved);
        let result = game.outcome(&end).map(|outcome| &game.results()[usize::from(outcome.0)]);
        came += match result.and_then(|result| result.standings.get(seat.index())) {
            Some(Standing::Win) => 1.0,
            Some(Standing::Loss) => 0.0,
            Some(Standing::Draw) | None => 0.5,
        };
    }
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let came = came / f64::from(inquiry.continuations.max(1));
    Some(Case { found, calibrated: game.tuning().calibrated(found), came })
}

/// Plays a game and returns one of its decisions, every one as likely as the others.
fn a_decision_of_a_game<G: CompleteGame>(
    game: &G,
    bot: BotKind,
    dice: &mut LabDice,
    stop: &AtomicBool,
) -> Option<(G::State, Seat)> {
    let mut players: Vec<Player<G>> = game.seats().iter().map(|_| Player::new(bot)).collect();
    let mut state = game.start();
    let mut choices = Vec::new();
    let mut kept = None;
    let mut decisions = 0;
    loop {
        let choice = match game.mover(&state) {
            Mover::Nobody => return kept,
            Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
            Mover::Seat(_) if stop.load(Ordering::Relaxed) => return None,
            Mover::Seat(seat) => {
                choices.clear();
                game.choices(&state, &mut choices);
                if choices.len() > 1 {
                    decisions += 1;
                    // The n-th takes the place of the one before in one of n cases.
                    if dice.below(decisions) == 0 {
                        kept = Some((state.clone(), seat));
                    }
                }
                let view = game.view(&state, Viewer::Seat(seat));
                choices[players[seat.index()].choose_until(game, &view, &choices, dice, stop)]
            }
        };
        game.apply(&mut state, choice, &mut Discard);
    }
}

fn sum_up<G: CompleteGame>(inquiry: &Inquiry, cases: &[Case]) -> Calibration {
    let mut bins = vec![Bin::default(); BINS];
    let mut squares = vec![0.0; BINS];
    let mut brier = 0.0;
    for case in cases {
        let at = ((case.calibrated * BINS as f64) as usize).min(BINS - 1);
        bins[at].positions += 1;
        bins[at].predicted += case.calibrated;
        bins[at].actual += case.came;
        squares[at] += case.came * case.came;
        brier += (case.calibrated - case.came).powi(2);
    }
    for (bin, squares) in bins.iter_mut().zip(squares) {
        let n = bin.positions.max(1) as f64;
        bin.predicted /= n;
        bin.actual /= n;
        bin.error = ((squares / n - bin.actual * bin.actual).max(0.0) / n).sqrt();
    }
    Calibration {
        game: G::ID,
        bot: inquiry.bot.word::<G>().into_owned(),
        positions: cases.len() as u64,
        continuations: inquiry.continuations.max(1),
        bins,
        brier: brier / cases.len().max(1) as f64,
        best_fit: fit(cases),
    }
}

/// The shift and slope on the logit that make what was found agree best with what came (logistic regression by Newton's
/// method, held back a little so that few cases lead nowhere odd).
fn fit(cases: &[Case]) -> (f64, f64) {
    const HOLD: f64 = 1.0;
    let (mut shift, mut slope) = (0.0, 1.0);
    for _ in 0..30 {
        let (mut g0, mut g1) = (-HOLD * shift, -HOLD * (slope - 1.0));
        let (mut h00, mut h01, mut h11) = (HOLD, 0.0, HOLD);
        for case in cases {
            let p = case.found.clamp(0.002, 0.998);
            let x = (p / (1.0 - p)).ln();
            let q = 1.0 / (1.0 + f64::exp(-(shift + slope * x)));
            let weight = q * (1.0 - q);
            g0 += case.came - q;
            g1 += (case.came - q) * x;
            h00 += weight;
            h01 += weight * x;
            h11 += weight * x * x;
        }
        let size = h00 * h11 - h01 * h01;
        shift += (h11 * g0 - h01 * g1) / size;
        slope += (h00 * g1 - h01 * g0) / size;
    }
    (shift, slope)
}

impl Calibration {
    /// The largest difference between predicted and actual rate of a bin that has at least so many positions.
    pub fn worst(&self, fewest: u64) -> f64 {
        let bins = self.bins.iter().filter(|bin| bin.positions >= fewest);
        bins.map(|bin| (bin.predicted - bin.actual).abs()).fold(0.0, f64::max)
    }

    /// The bins as a table.
    pub fn table(&self) -> String {
        use std::fmt::Write as _;
        let mut out = format!(
            "{}: {} positions of games of {}, each continued {} times\n\n  predicted    positions   mean      actual  (± 2 standard errors)  difference\n",
            self.game, self.positions, self.bot, self.continuations
        );
        for (at, bin) in self.bins.iter().enumerate().filter(|(_, bin)| bin.positions > 0) {
            let _ = writeln!(
                out,
                "  {:>3}–{:<3} %  {:>9}   {:5.1} %   {:5.1} % ± {:4.1}            {:+5.1}",
                at * 10,
                at * 10 + 10,
                bin.positions,
                100.0 * bin.predicted,
                100.0 * bin.actual,
                200.0 * bin.error,
                100.0 * (bin.actual - bin.predicted)
            );
        }
        let (shift, slope) = self.best_fit;
        let _ = writeln!(
            out,
            "\nlargest difference (bins of 30 and more) {:.1} points; Brier score {:.4}; best calibration: shift {shift:.3}, slope {slope:.3}",
            100.0 * self.worst(30),
            self.brier
        );
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cases whose truth is a known bend of what was found.
    fn bent(shift: f64, slope: f64) -> Vec<Case> {
        let mut dice = LabDice::new(3);
        (0..20_000)
            .map(|_| {
                let found = (f64::from(dice.below(998)) + 1.0) / 1_000.0;
                let truth = 1.0 / (1.0 + f64::exp(-(shift + slope * (found / (1.0 - found)).ln())));
                let came = if f64::from(dice.below(1_000_000)) < truth * 1e6 { 1.0 } else { 0.0 };
                Case { found, calibrated: found, came }
            })
            .collect()
    }

    #[test]
    fn a_known_bend_is_found_again() {
        for (shift, slope) in [(0.0, 1.0), (0.4, 1.3), (-0.6, 0.7)] {
            let (found_shift, found_slope) = fit(&bent(shift, slope));
            assert!((found_shift - shift).abs() < 0.08 && (found_slope - slope).abs() < 0.08);
        }
    }

    #[test]
    fn true_predictions_fill_the_diagonal_and_bent_ones_do_not() {
        let inquiry = Inquiry {
            positions: 0,
            continuations: 1,
            bot: BotKind::Greedy,
            budget: Budget::playouts(1),
            seed: 1,
            threads: 1,
        };
        assert!(sum_up::<echoes::Echoes>(&inquiry, &bent(0.0, 1.0)).worst(30) < 0.03);
        assert!(sum_up::<echoes::Echoes>(&inquiry, &bent(0.6, 1.0)).worst(30) > 0.08);
    }

    #[test]
    fn the_same_seed_gives_the_same_whatever_the_threads() {
        let game = echoes::Echoes::edition(echoes::Edition::Allied, 1).expect("the plain game");
        let run = |threads| {
            let inquiry = Inquiry {
                positions: 12,
                continuations: 2,
                bot: BotKind::Greedy,
                budget: Budget::playouts(50),
                seed: 5,
                threads,
            };
            calibrate(&game, &inquiry, &Progress::default()).expect("a calibration")
        };
        let one = run(1);
        assert_eq!(one, run(3));
        assert_eq!(one.positions, 12);
        assert!(one.chart().starts_with("<svg") && one.table().contains("12 positions"));
    }
}
