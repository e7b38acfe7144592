//! A house that sends notices, with small servers of our own for mail and hooks.

mod channels;
mod told;
mod town;

#[path = "../../../post/tests/house/http.rs"]
mod http;
#[path = "../../../post/tests/house/server.rs"]
mod server;
#[path = "../../../post/tests/house/smtp.rs"]
mod smtp;
