//! The locks that several servers share, beside those of rows. The numbers mean nothing but must not change.

/// Only one server at a time makes or changes tables.
pub(crate) const TABLES: &str = "SELECT pg_advisory_xact_lock(5567826317461028)";

/// What a server locks as long as it runs: together with others. Who needs the database alone locks it alone, as servers of earlier
/// releases do.
pub(crate) const HOUSE_NUMBER: i64 = 5_567_826_317_461_030;

/// Serves from a database beside others.
pub(crate) const JOIN: &str = "SELECT pg_try_advisory_lock_shared($1::int8)";

/// Has a database to itself.
pub(crate) const CLAIM: &str = "SELECT pg_try_advisory_lock($1::int8)";

/// Only one server at a time numbers what counts for ratings, until that is there for all to see.
pub(crate) const RATINGS: &str = "SELECT pg_advisory_xact_lock(5567826317461029)";
