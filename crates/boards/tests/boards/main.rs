//! The boards: what is drawn is golden, and holds together in every position of random play.

mod blitz;
mod dday;
mod dday_clicks;
mod drawing;
mod echoes;
mod palette;
mod surrender;
mod triumph;
mod triumph_secrets;
