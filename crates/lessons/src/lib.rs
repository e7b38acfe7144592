//! Coached first games.
//!
//! A lesson is a text file: which match is played, and page by page what the coach says, what to look at, which choice is
//! good and what to answer to the others. [`Lesson::read`] reads it, [`Coach`] follows a match with it, and
//! [`check`](check::check) plays the lesson through against the rules. No code knows what a lesson says, so every game can
//! have some; `docs/lessons.md` describes the format.

pub mod check;
mod coach;
mod lesson;
mod read;

pub use coach::{Advice, Coach, Stand};
pub use lesson::{Answer, Fact, Free, Lesson, Meanwhile, Page, Pattern, Task, Then};
