//! maproom
fn main() {}
