//! The kernel and the games as a Python module.
//!
//! `games` names the games, once; `held` and `lanes` are a match and a batch without the type of their game; `table`, `batch`
//! and `seated` are the classes that Python sees. The package around this module has the adapters, in Python.

mod batch;
mod errors;
mod games;
mod held;
mod lanes;
mod seated;
mod table;

use pyo3::prelude::*;

/// The classes and functions of the module.
#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::errors::MaproomError;
    #[pymodule_export]
    use super::games::games;
    #[pymodule_export]
    use super::seated::Bot;
    #[pymodule_export]
    use super::table::Match;

    /// Adds what is not a class.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
