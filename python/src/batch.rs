//! Many matches as Python sees them.

use std::collections::BTreeMap;

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::prelude::*;

use crate::errors::refused;
use crate::games::{self, read_options};
use crate::lanes::{Lanes, Rows};

/// Many matches of one game that make a decision at the same time. Fate is played inside, with seeded dice, and so are choices
/// that have no alternative. A match that ends is replaced by a new one in the same step.
///
/// The arrays are written anew by every `step`: copy what you want to keep. Match `i` begins with the seed `seed + i`; the
/// one after it has that plus `count`. It has the same dice as `Match(game, options, seed=…)`.
#[pyclass(module = "maproom")]
pub struct Batch {
    lanes: Box<dyn Lanes>,
    game: &'static str,
    features: Py<PyArray2<f32>>,
    masks: Py<PyArray2<i8>>,
    seats: Py<PyArray1<i64>>,
    done: Py<PyArray1<bool>>,
    rewards: Py<PyArray2<f32>>,
    last_features: Py<PyArray2<f32>>,
    seeds: Py<PyArray1<u64>>,
}

/// The arrays while they are written.
struct Writing<'py> {
    features: PyReadwriteArray2<'py, f32>,
    masks: PyReadwriteArray2<'py, i8>,
    seats: PyReadwriteArray1<'py, i64>,
    done: PyReadwriteArray1<'py, bool>,
    rewards: PyReadwriteArray2<'py, f32>,
    last_features: PyReadwriteArray2<'py, f32>,
    seeds: PyReadwriteArray1<'py, u64>,
}

impl Writing<'_> {
    fn rows(&mut self) -> PyResult<Rows<'_>> {
        Ok(Rows {
            features: self.features.as_slice_mut()?,
            masks: self.masks.as_slice_mut()?,
            seats: self.seats.as_slice_mut()?,
            done: self.done.as_slice_mut()?,
            rewards: self.rewards.as_slice_mut()?,
            last_features: self.last_features.as_slice_mut()?,
            seeds: self.seeds.as_slice_mut()?,
        })
    }
}

impl Batch {
    fn writing<'py>(&self, py: Python<'py>) -> PyResult<Writing<'py>> {
        Ok(Writing {
            features: self.features.bind(py).try_readwrite()?,
            masks: self.masks.bind(py).try_readwrite()?,
            seats: self.seats.bind(py).try_readwrite()?,
            done: self.done.bind(py).try_readwrite()?,
            rewards: self.rewards.bind(py).try_readwrite()?,
            last_features: self.last_features.bind(py).try_readwrite()?,
            seeds: self.seeds.bind(py).try_readwrite()?,
        })
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (game, count, options = None, *, seed = 0))]
    fn new(
        py: Python<'_>,
        game: &str,
        count: usize,
        options: Option<BTreeMap<String, Bound<'_, PyAny>>>,
        seed: u64,
    ) -> PyResult<Self> {
        if count == 0 {
            return Err(refused("a batch needs at least one match"));
        }
        let entry = games::game(game)?;
        let lanes = entry.batch(&read_options(options)?, count, seed)?;
        let (features, seats) = (lanes.feature_names().len(), lanes.seats().len());
        let mut batch = Self {
            game: entry.id,
            features: PyArray2::zeros(py, [count, features], false).unbind(),
            masks: PyArray2::zeros(py, [count, lanes.actions()], false).unbind(),
            seats: PyArray1::zeros(py, count, false).unbind(),
            done: PyArray1::zeros(py, count, false).unbind(),
            rewards: PyArray2::zeros(py, [count, seats], false).unbind(),
            last_features: PyArray2::zeros(py, [count, features], false).unbind(),
            seeds: PyArray1::zeros(py, count, false).unbind(),
            lanes,
        };
        batch.reset(py)?;
        Ok(batch)
    }

    /// Begins all matches anew, with the first seeds.
    fn reset(&mut self, py: Python<'_>) -> PyResult<()> {
        let mut writing = self.writing(py)?;
        let mut rows = writing.rows()?;
        let lanes = &mut self.lanes;
        py.detach(|| lanes.reset(&mut rows));
        Ok(())
    }

    /// Makes a choice in every match, by its action (an array of int64), and goes on to the next decisions. The interpreter
    /// lock is released meanwhile. If an action is not open, an exception says in which match, and nothing has happened.
    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_slice()?;
        if actions.len() != self.lanes.len() {
            let (count, given) = (self.lanes.len(), actions.len());
            return Err(refused(format!("there are {count} matches, but {given} actions")));
        }
        let mut writing = self.writing(py)?;
        let mut rows = writing.rows()?;
        let lanes = &mut self.lanes;
        py.detach(|| lanes.step(actions, &mut rows)).map_err(refused)
    }

    /// The actions that a bot would choose now, as an array of int64: to play against it, or to learn from it. `where` is an array
    /// of bool and says in which matches it is asked; elsewhere the action is -1. It sees what the seat to move sees, and
    /// the same seed gives the same answers. The interpreter lock is released while it thinks.
    #[pyo3(signature = (level = "greedy", r#where = None, seed = 0))]
    fn suggest<'py>(
        &self,
        py: Python<'py>,
        level: &str,
        r#where: Option<PyReadonlyArray1<'py, bool>>,
        seed: u64,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let count = self.lanes.len();
        let asked = r#where.as_ref().map(|asked| asked.as_slice()).transpose()?;
        if let Some(asked) = asked
            && asked.len() != count
        {
            return Err(refused(format!("there are {count} matches, but `where` has {}", asked.len())));
        }
        let mut actions = vec![0; count];
        let lanes = &self.lanes;
        py.detach(|| lanes.suggest(level, asked, seed, &mut actions)).map_err(refused)?;
        Ok(PyArray1::from_vec(py, actions))
    }

    /// The features of the seat to move: (count, features), float32.
    #[getter]
    fn features<'py>(&self, py: Python<'py>) -> &Bound<'py, PyArray2<f32>> {
        self.features.bind(py)
    }

    /// Which actions are open: (count, actions), int8.
    #[getter]
    fn masks<'py>(&self, py: Python<'py>) -> &Bound<'py, PyArray2<i8>> {
        self.masks.bind(py)
    }

    /// The number of the seat to move: (count,), int64.
    #[getter]
    fn seats<'py>(&self, py: Python<'py>) -> &Bound<'py, PyArray1<i64>> {
        self.seats.bind(py)
    }

    /// Whether a match has ended with the last step, and a new one has begun: (count,), bool.
    #[getter]
    fn done<'py>(&self, py: Python<'py>) -> &Bound<'py, PyArray1<bool>> {
        self.done.bind(py)
    }

    /// The rewards of the seats where a match has ended, otherwise 0: (count, seats), float32.
    #[getter]
    fn rewards<'py>(&self, py: Python<'py>) -> &Bound<'py, PyArray2<f32>> {
        self.rewards.bind(py)
    }

    /// The features at the end of the last match of each row, as the seat that moved last sees them: (count, features).
    #[getter]
    fn last_features<'py>(&self, py: Python<'py>) -> &Bound<'py, PyArray2<f32>> {
        self.last_features.bind(py)
    }

    /// The seeds of the matches: (count,), uint64.
    #[getter]
    fn seeds<'py>(&self, py: Python<'py>) -> &Bound<'py, PyArray1<u64>> {
        self.seeds.bind(py)
    }

    /// The word of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game
    }

    /// The words of the seats, in order.
    #[getter]
    fn seat_names(&self) -> Vec<&'static str> {
        self.lanes.seats()
    }

    /// The number of actions.
    #[getter]
    fn actions(&self) -> usize {
        self.lanes.actions()
    }

    /// The names of the features of this set-up.
    fn feature_names(&self) -> Vec<String> {
        self.lanes.feature_names()
    }

    fn __len__(&self) -> usize {
        self.lanes.len()
    }

    fn __repr__(&self) -> String {
        format!("<Batch of {} matches of {}>", self.lanes.len(), self.game)
    }
}
