//! Errors as Python exceptions, with the kernel's own sentences.

use std::fmt::Display;

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

pyo3::create_exception!(
    maproom,
    MaproomError,
    PyValueError,
    "Something that the rules, the options or a save do not allow; its text says what and why."
);

/// The exception for whatever explains itself.
pub fn refused(why: impl Display) -> PyErr {
    MaproomError::new_err(why.to_string())
}
