//! A match as Python sees it.

use std::collections::BTreeMap;

use kernel::{MatchDice, MatchError, Mover, Names, Seat, Secret, SecretPolicy, Undo, Viewer};
use numpy::{PyArray1, PyReadwriteArray1};
use pyo3::prelude::*;

use crate::errors::refused;
use crate::games::{self, read_options};
use crate::held::{Held, reward};

/// A match of a game, at its opening position, before Fate's first draw. The same seed gives the same dice; without one they
/// are random. With `own_dice` you make Fate's choices yourself.
///
/// Choices have names, and numbers: their places in `choices()`. Learning programs use actions instead, which mean the
/// same in every position where a game allows it (`actions`, `mask`, `step`).
#[pyclass(module = "maproom")]
pub struct Match {
    held: Box<dyn Held>,
    names: Names,
    open: Vec<usize>,
    features: usize,
}

impl Match {
    fn holding(held: Box<dyn Held>) -> Self {
        let features = held.feature_count();
        Self { held, names: Names::default(), open: Vec::new(), features }
    }

    /// Another match of the same set-up.
    fn beside(&self, held: Box<dyn Held>) -> Self {
        Self { held, names: Names::default(), open: Vec::new(), features: self.features }
    }

    /// The match without its type.
    pub fn held(&self) -> &dyn Held {
        &*self.held
    }

    /// A seat by word or number.
    fn seat(&self, given: &Bound<'_, PyAny>) -> PyResult<Seat> {
        let seats = self.held.seats();
        if let Ok(number) = given.extract::<usize>() {
            return match number < seats.len() {
                true => Ok(Seat(number as u8)),
                false => Err(refused(format!("there is no seat {number}: the match has {}", seats.len()))),
            };
        }
        let word: String = given.extract()?;
        let known = seats.iter().position(|seat| seat.word == word);
        known.map(|at| Seat(at as u8)).ok_or_else(|| {
            let words: Vec<&str> = seats.iter().map(|seat| seat.word).collect();
            refused(format!("unknown seat {word:?}; the seats are: {}", words.join(", ")))
        })
    }

    /// A viewer: a seat, "spectator", or, if nothing is given, the seat to move.
    fn viewer(&self, given: Option<&Bound<'_, PyAny>>) -> PyResult<Viewer> {
        match given {
            None => Ok(match self.held.mover() {
                Mover::Seat(seat) => Viewer::Seat(seat),
                Mover::Fate | Mover::Nobody => Viewer::Spectator,
            }),
            Some(word) if word.extract::<String>().is_ok_and(|word| word == "spectator") => {
                Ok(Viewer::Spectator)
            }
            Some(seat) => self.seat(seat).map(Viewer::Seat),
        }
    }

    fn play_named(&mut self, name: &str) -> Result<(), MatchError> {
        match self.held.mover() {
            Mover::Fate => self.held.fate(Some(name), None),
            Mover::Seat(seat) => self.held.play(seat, name, None),
            Mover::Nobody => Err(MatchError::Over),
        }
    }

    fn fill_mask(&mut self, mask: &mut [i8]) -> PyResult<()> {
        self.held.open_actions(&mut self.open);
        if mask.len() != self.held.actions() {
            return Err(refused(format!("the mask has {} places, not {}", self.held.actions(), mask.len())));
        }
        mask.fill(0);
        self.open.iter().for_each(|&action| mask[action] = 1);
        Ok(())
    }
}

#[pymethods]
impl Match {
    #[new]
    #[pyo3(signature = (game, options = None, *, seed = None, own_dice = false))]
    fn new(
        game: &str,
        options: Option<BTreeMap<String, Bound<'_, PyAny>>>,
        seed: Option<u64>,
        own_dice: bool,
    ) -> PyResult<Self> {
        let dice = match (seed, own_dice) {
            (Some(_), true) => return Err(refused("give a seed or own_dice=True, not both")),
            (None, true) => MatchDice::Own,
            (Some(seed), false) => MatchDice::seeded(seed),
            (None, false) => {
                let mut secret = [0; 32];
                getrandom::fill(&mut secret).map_err(refused)?;
                MatchDice::fair(Secret(secret))
            }
        };
        let options = read_options(options)?;
        games::game(game)?.open(&options, dice).map(Self::holding)
    }

    /// The match of a save, all of whose choices are checked.
    #[staticmethod]
    fn load(text: &str) -> PyResult<Self> {
        games::of_save(text)?.load(text).map(Self::holding)
    }

    /// The match as text, with the secret of its dice.
    fn save(&self) -> PyResult<String> {
        self.held.save(SecretPolicy::Keep).map_err(refused)
    }

    /// The word of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.held.game_id()
    }

    /// The complete options of the set-up.
    #[getter]
    fn options(&self) -> BTreeMap<String, String> {
        self.held.options()
    }

    /// The words of the seats, in order.
    #[getter]
    fn seats(&self) -> Vec<&'static str> {
        self.held.seats().iter().map(|seat| seat.word).collect()
    }

    /// Who chooses next: the word of a seat, "fate", or None when the game is over.
    #[getter]
    fn mover(&self) -> Option<&'static str> {
        match self.held.mover() {
            Mover::Seat(seat) => Some(self.held.seats()[seat.index()].word),
            Mover::Fate => Some("fate"),
            Mover::Nobody => None,
        }
    }

    /// The number of the seat that chooses next; None for Fate, and when the game is over.
    #[getter]
    fn seat_to_move(&self) -> Option<usize> {
        match self.held.mover() {
            Mover::Seat(seat) => Some(seat.index()),
            Mover::Fate | Mover::Nobody => None,
        }
    }

    /// Whether the game is over.
    #[getter]
    fn over(&self) -> bool {
        self.held.mover() == Mover::Nobody
    }

    /// The result's word, such as "allied_minor"; None while the game goes on.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.held.result().map(|result| result.word)
    }

    /// The rewards of the seats: 1 for a win, 0 for a draw and while the game goes on, -1 for a loss.
    #[getter]
    fn rewards(&self) -> Vec<f32> {
        match self.held.result() {
            Some(result) => result.standings.iter().map(|standing| reward(*standing)).collect(),
            None => vec![0.0; self.held.seats().len()],
        }
    }

    /// How many choices were made, Fate's included.
    #[getter]
    fn steps(&self) -> usize {
        self.held.steps()
    }

    /// The turn.
    #[getter]
    fn turn(&self) -> u16 {
        self.held.turn()
    }

    /// The question to the seat to move, in words.
    #[getter]
    fn prompt(&self) -> PyResult<String> {
        Ok(self.held.prompt(self.viewer(None)?).text)
    }

    /// Eight digits that identify the position; None while the game hides something.
    #[getter]
    fn digest(&self) -> Option<String> {
        self.held.digest().map(|digest| digest.to_string())
    }

    /// The digests after every step; None while the game hides something.
    fn digests(&self) -> Option<Vec<String>> {
        let digests = self.held.digests(0..self.held.steps())?;
        Some(digests.iter().map(ToString::to_string).collect())
    }

    /// The names of the choices so far, hidden ones included.
    fn log(&self) -> Vec<String> {
        self.held.log_names()
    }

    /// The names of the open choices; Fate's too. They are the referee's: a player of a game that hides something may only
    /// see them when it is their turn.
    fn choices(&mut self) -> Vec<String> {
        self.held.offer_names(&mut self.names);
        self.names.iter().map(str::to_owned).collect()
    }

    /// The open choices in words, in the same order, for the seat to move.
    fn labels(&self) -> PyResult<Vec<String>> {
        let offers = self.held.offers(self.viewer(None)?);
        Ok(offers.into_iter().map(|offer| offer.label).collect())
    }

    /// How many of Fate's tickets each of its choices has, in the order of `choices()`; empty when it is a seat's turn.
    fn weights(&self) -> Vec<u32> {
        self.held.weights()
    }

    /// The number of equally likely tickets in Fate's draw; 0 when it is a seat's turn.
    #[getter]
    fn tickets(&self) -> u32 {
        self.held.tickets()
    }

    /// Makes a choice, by its name or its place in `choices()`.
    fn choose(&mut self, choice: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(nth) = choice.extract::<usize>() {
            return self.held.play_nth(nth, None).map_err(refused);
        }
        let name: String = choice.extract()?;
        self.play_named(&name).map_err(refused)
    }

    /// Makes Fate's choice: drawn with the dice of the match, or, with own dice, that of a ticket.
    #[pyo3(signature = (ticket = None))]
    fn fate(&mut self, ticket: Option<u32>) -> PyResult<()> {
        match ticket {
            None => self.held.fate(None, None).map_err(refused),
            Some(ticket) => self.held.draw(ticket).map_err(refused),
        }
    }

    /// Rolls the dice and plays choices that have no alternative, up to the next decision.
    fn play_forced(&mut self) {
        self.held.play_forced(None);
    }

    /// Makes the choice of an action, and then what `play_forced()` does.
    fn step(&mut self, action: usize) -> PyResult<()> {
        self.held.act(action).map_err(refused)?;
        self.held.play_forced(None);
        Ok(())
    }

    /// The number of actions; no seat ever has more choices.
    #[getter]
    fn actions(&self) -> usize {
        self.held.actions()
    }

    /// The actions of the open choices, in the order of `choices()`; empty unless a seat is to choose.
    fn open_actions(&mut self) -> Vec<usize> {
        self.held.open_actions(&mut self.open);
        self.open.clone()
    }

    /// Which actions are open, as an array of 1 and 0; written into `out` if it is given.
    #[pyo3(signature = (out = None))]
    fn mask<'py>(
        &mut self,
        py: Python<'py>,
        out: Option<PyReadwriteArray1<'py, i8>>,
    ) -> PyResult<Option<Bound<'py, PyArray1<i8>>>> {
        if let Some(mut out) = out {
            self.fill_mask(out.as_slice_mut()?)?;
            return Ok(None);
        }
        let mut mask = vec![0; self.held.actions()];
        self.fill_mask(&mut mask)?;
        Ok(Some(PyArray1::from_vec(py, mask)))
    }

    /// The names of the features of this set-up.
    fn feature_names(&self) -> Vec<String> {
        self.held.feature_names()
    }

    /// The position as numbers, as far as a viewer knows it: a seat, "spectator", or, without one, the seat to move.
    /// Written into `out` if it is given.
    #[pyo3(signature = (viewer = None, out = None))]
    fn features<'py>(
        &self,
        py: Python<'py>,
        viewer: Option<&Bound<'py, PyAny>>,
        out: Option<PyReadwriteArray1<'py, f32>>,
    ) -> PyResult<Option<Bound<'py, PyArray1<f32>>>> {
        let viewer = self.viewer(viewer)?;
        if let Some(mut out) = out {
            let out = out.as_slice_mut()?;
            if out.len() != self.features {
                let (count, given) = (self.features, out.len());
                return Err(refused(format!("there are {count} features, not {given}")));
            }
            self.held.write_features(viewer, out);
            return Ok(None);
        }
        let mut values = vec![0.0; self.features];
        self.held.write_features(viewer, &mut values);
        Ok(Some(PyArray1::from_vec(py, values)))
    }

    /// What a viewer may know, as dicts and lists: a seat, "spectator", or, without one, the seat to move.
    #[pyo3(signature = (viewer = None))]
    fn view<'py>(&self, py: Python<'py>, viewer: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let view = self.held.view(self.viewer(viewer)?).to_string();
        py.import("json")?.call_method1("loads", (view,))
    }

    /// What a viewer may know, as text for people.
    #[pyo3(signature = (viewer = None))]
    fn picture(&self, viewer: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        Ok(self.held.picture(self.viewer(viewer)?))
    }

    /// Undoes the last decision, or those of the whole turn; returns how many steps were removed. With several seats, each can
    /// only undo its own choices, until a draw or another seat's choice.
    #[pyo3(signature = (seat = None, turn = false))]
    fn undo(&mut self, seat: Option<&Bound<'_, PyAny>>, turn: bool) -> PyResult<usize> {
        let by = seat.map_or(Ok(Seat(0)), |seat| self.seat(seat))?;
        self.held.undo(by, if turn { Undo::Turn } else { Undo::Step }).map_err(refused)
    }

    /// A copy that goes its own way, with the same dice to come.
    fn clone(&self) -> Self {
        self.beside(self.held.copied())
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    /// A match that looks the same to a viewer: what is hidden from them is drawn anew, and so are the dice to come.
    #[pyo3(signature = (viewer = None, seed = 0))]
    fn imagine(&self, viewer: Option<&Bound<'_, PyAny>>, seed: u64) -> PyResult<Self> {
        Ok(self.beside(self.held.imagine(self.viewer(viewer)?, seed)))
    }

    fn __repr__(&self) -> String {
        format!(
            "<Match of {}, step {}, {}>",
            self.game(),
            self.steps(),
            match self.mover() {
                Some(mover) => format!("{mover} to choose"),
                None => self.result().unwrap_or("over").to_owned(),
            }
        )
    }
}
