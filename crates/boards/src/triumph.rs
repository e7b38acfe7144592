//! The board of Triumph & Tragedy. So far its map: it needs no rules, only what they say of each area ([`map::Area`]).
//!
//! A board makes a file of [`map::file`] (`BoardFile`, kept by browsers), draws [`map::sheet`] with its address, and says who
//! controls an area by `scene.class("area-warsaw", "area axis")`. Blocks stand on the slots of
//! [`geometry::Place`].

pub mod geometry;
mod key;
mod lines;
pub mod map;
mod pen;
mod signs;

pub use key::alone as key_alone;
pub use pen::Point;

/// The stylesheet of the map.
pub const MAP_STYLE: &str = include_str!("triumph/map.css");
