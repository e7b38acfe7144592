//! What the errors of PostgreSQL mean for a store.

use std::error::Error as _;
use std::path::PathBuf;

use store::StoreError;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::tls::Refused;

/// Says what an error means for the database at `place`.
pub(crate) fn of_postgres(place: &str, error: &Error) -> StoreError {
    let path = || PathBuf::from(place);
    let detail = detail(error);
    match error.code() {
        Some(&SqlState::DISK_FULL) => StoreError::Full { path: path() },
        Some(&SqlState::READ_ONLY_SQL_TRANSACTION) => StoreError::ReadOnly { path: path(), detail },
        Some(
            &SqlState::LOCK_NOT_AVAILABLE
            | &SqlState::QUERY_CANCELED
            | &SqlState::T_R_SERIALIZATION_FAILURE
            | &SqlState::T_R_DEADLOCK_DETECTED,
        ) => StoreError::Busy { path: path() },
        Some(&SqlState::DATA_CORRUPTED | &SqlState::INDEX_CORRUPTED) => {
            StoreError::Corrupt { path: path(), detail }
        }
        Some(code) if is_of_the_server(code) => StoreError::Unreachable { place: place.to_owned(), detail },
        None if error.is_closed()
            || error.source().is_some_and(<dyn std::error::Error>::is::<std::io::Error>) =>
        {
            StoreError::Unreachable { place: place.to_owned(), detail }
        }
        _ => StoreError::Other(format!("the database {place}: {detail}")),
    }
}

/// Whether the server as a whole is the trouble: no connection, no room for one, shutting down; or it has closed the connection,
/// because nothing came for too long.
fn is_of_the_server(code: &SqlState) -> bool {
    *code == SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT
        || ["08", "28", "3D", "53", "57", "58"].iter().any(|class| code.code().starts_with(class))
}

/// Whether the same may be tried again, because nothing of it was done.
pub(crate) fn is_in_the_way(error: &Error) -> bool {
    let is_number_taken = error.as_db_error().is_some_and(|why| why.constraint() == Some("rating_log_pkey"));
    is_number_taken
        || matches!(
            error.code(),
            Some(&SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED)
        )
}

/// Whether a refusal of a commit means that it was not made. While a server shuts down it may have been.
pub(crate) fn is_refusal(error: &Error) -> bool {
    error
        .code()
        .is_some_and(|code| ["23", "25", "40", "53"].iter().any(|class| code.code().starts_with(class)))
}

/// The words of the server, or of the system.
pub(crate) fn detail(error: &Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(why), _) => why.message().to_owned(),
        (None, Some(why)) if why.is::<Refused>() => why.to_string(),
        (None, Some(why)) => {
            advice(&why.to_string()).map_or_else(|| format!("{error}: {why}"), ToOwned::to_owned)
        }
        (None, None) => error.to_string(),
    }
}

/// What to do where `tokio-postgres` itself finds that a server does not give what the address asks for. It has no codes for that.
fn advice(why: &str) -> Option<&'static str> {
    match why {
        "server does not support TLS" => Some(
            "the server does not speak TLS, so everybody on the way could read the matches. Switch it on there (`ssl` in \
             postgresql.conf), or write sslmode=disable if the network is your own",
        ),
        "server did not use channel binding" => Some(
            "the server does not bind the password to the connection (SCRAM with channel binding), so somebody in between \
             could pass for it. Look at its certificate instead, with sslmode=verify-full or sslrootcert=FILE, or do \
             without with channel_binding=disable",
        ),
        _ => None,
    }
}
