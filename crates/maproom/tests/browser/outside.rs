//! The servers outside a house that tests bring themselves: one that takes letters and one that takes hooks.

#[path = "../../../post/tests/house/http.rs"]
pub mod http;
#[path = "../../../post/tests/house/server.rs"]
mod server;
#[path = "../../../post/tests/house/smtp.rs"]
pub mod smtp;
