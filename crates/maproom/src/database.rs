//! Where a house keeps everything: a folder with SQLite, or a database of PostgreSQL.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use people::People;
#[cfg(feature = "shared")]
use relay::NatsNews;
use store::backup::{BackupError, Contents, backup, restore};
use store::{Ledger, OrderBooks, Post, SqlPost, SqliteStore, Store, StoreError};
#[cfg(feature = "shared")]
use store_postgres::{PostgresNews, PostgresStore};
use web::{Contests, Neighbours};

use crate::files;
use crate::remote::Nats;

/// How the addresses of databases begin.
const POSTGRES: [&str; 2] = ["postgres://", "postgresql://"];

/// Where a house keeps everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A folder, with a file of SQLite in it.
    Folder(PathBuf),
    /// A database of PostgreSQL, by its address.
    Postgres(String),
}

impl Place {
    /// The place that the command line names; by default the system's data folder.
    pub fn of(data: Option<&Path>, database: Option<&str>) -> Result<Self, String> {
        match (data, database) {
            (_, Some(address)) => match Self::read(address) {
                Self::Folder(_) => {
                    Err("--database needs an address such as postgres:///maproom?host=/run/postgresql; a \
                                        folder is given with --data"
                        .to_owned())
                }
                place => Ok(place),
            },
            (Some(folder), None) => Ok(Self::Folder(folder.to_owned())),
            (None, None) => files::data_folder()
                .map(Self::Folder)
                .ok_or_else(|| "no data folder found on this system: choose one with --data DIR".to_owned()),
        }
    }

    /// A folder, or the address of a database.
    pub fn read(text: &str) -> Self {
        match POSTGRES.iter().any(|begin| text.starts_with(begin)) {
            true => Self::Postgres(text.to_owned()),
            false => Self::Folder(text.into()),
        }
    }

    /// Opens it for a server. A folder it has to itself; a database other servers may use, too. Makes what is missing.
    pub fn open_to_serve(&self) -> Result<Keeper, String> {
        #[cfg(feature = "shared")]
        if let Self::Postgres(address) = self {
            let keeper = postgres(address)?;
            if let Keeper::Postgres(store) = &keeper {
                store.join_house().map_err(|why| why.to_string())?;
            }
            return Ok(keeper);
        }
        self.open()
    }

    /// Opens it for somebody who needs it alone. Makes what is missing.
    pub fn open(&self) -> Result<Keeper, String> {
        match self {
            Self::Folder(folder) => {
                let store = SqliteStore::open(folder).map_err(|why| why.to_string())?;
                Ok(Keeper::Sqlite { store: Arc::new(store), folder: folder.clone() })
            }
            Self::Postgres(address) => {
                let keeper = postgres(address)?;
                keeper.claim().map_err(|why| why.to_string())?;
                Ok(keeper)
            }
        }
    }

    /// What a server needs to share it with others; nothing for a folder. News goes over NATS if there is one, and otherwise
    /// through the database.
    #[cfg_attr(not(feature = "shared"), expect(unused_variables, reason = "only where there are databases"))]
    pub fn neighbours(&self, keeper: &Keeper, nats: Option<&Nats>) -> Result<Option<Neighbours>, String> {
        match (self, keeper) {
            (Self::Folder(_), _) | (_, Keeper::Sqlite { .. }) => Ok(None),
            #[cfg(feature = "shared")]
            (Self::Postgres(address), Keeper::Postgres(store)) => {
                let news: Arc<dyn store::News> = match nats {
                    Some(nats) => Arc::new(NatsNews::start(nats)?),
                    None => Arc::new(PostgresNews::start(address).map_err(|why| why.to_string())?),
                };
                let house = Arc::clone(store) as Arc<dyn store::SharedHouse>;
                Ok(Some(Neighbours { house, news: Some(news) }))
            }
        }
    }

    /// Opens it for a command, beside a server that may be running. It must be there.
    pub fn open_beside(&self) -> Result<Keeper, String> {
        match self {
            Self::Folder(folder) => {
                let store = SqliteStore::open_beside(folder).map_err(|why| why.to_string())?;
                Ok(Keeper::Sqlite { store: Arc::new(store), folder: folder.clone() })
            }
            Self::Postgres(address) => postgres(address),
        }
    }
}

#[cfg(feature = "shared")]
fn postgres(address: &str) -> Result<Keeper, String> {
    let store = PostgresStore::open(address).map_err(|why| why.to_string())?;
    Ok(Keeper::Postgres(Arc::new(store)))
}

#[cfg(not(feature = "shared"))]
fn postgres(_: &str) -> Result<Keeper, String> {
    Err("this Maproom was built without PostgreSQL: build it with `cargo build --release --features shared`, or keep \
         matches in a folder (--data DIR)"
        .to_owned())
}

/// An open store of either kind.
#[derive(Clone)]
pub enum Keeper {
    /// A file in a folder.
    Sqlite {
        /// The store.
        store: Arc<SqliteStore>,
        /// Its folder.
        folder: PathBuf,
    },
    /// A database of PostgreSQL.
    #[cfg(feature = "shared")]
    Postgres(Arc<PostgresStore>),
}

/// Does the same with either kind of store.
macro_rules! either {
    ($keeper:expr, $store:ident => $work:expr) => {
        match $keeper {
            Keeper::Sqlite { store: $store, .. } => $work,
            #[cfg(feature = "shared")]
            Keeper::Postgres($store) => $work,
        }
    };
}

impl Keeper {
    /// Where it is, for people.
    pub fn place(&self) -> String {
        match self {
            Self::Sqlite { folder, .. } => folder.display().to_string(),
            #[cfg(feature = "shared")]
            Self::Postgres(store) => store.place().to_owned(),
        }
    }

    #[cfg(feature = "shared")]
    fn claim(&self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite { .. } => Ok(()),
            Self::Postgres(store) => store.claim_house(),
        }
    }

    #[cfg(not(feature = "shared"))]
    fn claim(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// The matches.
    pub fn store(&self) -> Arc<dyn Store> {
        either!(self, store => Arc::clone(store) as Arc<dyn Store>)
    }

    /// The accounts.
    pub fn people(&self) -> Arc<dyn People> {
        either!(self, store => Arc::clone(store) as Arc<dyn People>)
    }

    /// The standing orders.
    pub fn orders(&self) -> Arc<dyn OrderBooks> {
        either!(self, store => Arc::clone(store) as Arc<dyn OrderBooks>)
    }

    /// The ledger of work. Its tables are made with the first job.
    pub fn ledger(&self) -> Arc<dyn Ledger> {
        either!(self, store => Arc::clone(store) as Arc<dyn Ledger>)
    }

    /// Whether no other server works with it.
    pub const fn is_alone(&self) -> bool {
        matches!(self, Self::Sqlite { .. })
    }

    /// Ratings and tournaments.
    pub fn contests(&self) -> Arc<dyn Contests> {
        either!(self, store => Arc::clone(store) as Arc<dyn Contests>)
    }

    /// Channels and notices. Makes their tables.
    pub fn post(&self) -> Result<Arc<dyn Post>, StoreError> {
        either!(self, store => Ok(Arc::new(SqlPost::open(Arc::clone(store))?) as Arc<dyn Post>))
    }

    /// Writes everything into a file.
    pub fn backup(&self, file: impl Write) -> Result<Contents, BackupError> {
        either!(self, store => backup(&**store, file))
    }

    /// Takes everything from a file.
    pub fn restore(&self, file: impl BufRead) -> Result<Contents, BackupError> {
        either!(self, store => restore(&**store, file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_no_address_and_the_other_way_round() {
        let folder = |path: &str| Place::Folder(path.into());
        assert_eq!(Place::of(Some(Path::new("war")), None), Ok(folder("war")));
        assert_eq!(Place::read("postgres/war"), folder("postgres/war"));
        for address in ["postgres:///maproom", "postgresql://127.0.0.1/maproom"] {
            assert_eq!(Place::of(None, Some(address)), Ok(Place::Postgres(address.to_owned())));
        }
        assert!(Place::of(None, Some("war")).is_err_and(|why| why.contains("--data")));
    }

    #[cfg(not(feature = "shared"))]
    #[test]
    fn without_postgresql_it_is_said_how_to_get_it() {
        let opened = Place::Postgres("postgres:///maproom".into()).open().map(drop);
        assert!(opened.is_err_and(|why| why.contains("--features shared")));
    }
}
