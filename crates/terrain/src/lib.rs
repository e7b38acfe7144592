//! Pure board geometry for wargames: no rules, no units, no drawing.
//!
//! * [`SquareGrid`] is a board of square zones; [`Octant`] its eight directions.
//! * [`HexGrid`] is a board of hexes; [`Sextant`] its six directions.
//! * [`Rivers`] lie along the edges between squares, and say which steps cross them.
//! * [`Field`] finds distances and paths on any board, at the costs that the game sets.
//!
//! A [`Cell`] is a small number, counted row by row, so that a table for a board is a plain vector.

mod direction;
mod hex;
mod names;
mod paths;
mod rivers;
mod square;

pub use direction::{Arc, Octant, Sextant};
pub use hex::{Cube, HexGrid};
pub use paths::{Field, Reach};
pub use rivers::{RiverError, Rivers};
pub use square::{Cell, NOWHERE, SquareGrid};
