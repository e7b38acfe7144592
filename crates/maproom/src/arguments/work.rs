//! Where work is kept, who does it, and what a worker is told.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Where work is kept, and who does it.
#[derive(Debug, Args)]
pub struct WorkOrder {
    /// Keep the work in a ledger, in this folder or database: if it is stopped, even by a crash, the same command goes on where
    /// it was.
    #[arg(long, value_name = "DIR|URL")]
    pub ledger: Option<String>,
    /// Have the work done by workers (`maproom worker`), over the server of NATS at this address, such as
    /// `nats://127.0.0.1:4222`. The result is the same as without.
    #[arg(long, value_name = "ADDRESS")]
    pub nats: Option<String>,
    /// The file with your key, if the server of NATS wants one.
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub key: Option<PathBuf>,
    /// Which workers may do it: those of the house only, or lent machines as well.
    #[arg(long, value_name = "CLASS", default_value = "lent", value_parser = ["house", "lent"], requires = "nats")]
    pub class: String,
    /// After how many seconds of silence a worker loses what it was given.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    #[arg(requires = "nats")]
    pub lease: u64,
}

#[derive(Debug, Args)]
pub struct WorkerOrder {
    /// The address of the server of NATS, such as `nats://war.example:4222` or `tls://war.example`; a name and a password may
    /// be in it.
    #[arg(long, value_name = "ADDRESS", required_unless_present = "new_key")]
    pub nats: Option<String>,
    /// What this machine is: one of the house does everything, one that is lent only what lent machines may see.
    #[arg(long, value_name = "CLASS", default_value = "lent", value_parser = ["house", "lent"])]
    pub class: String,
    /// The file with this worker's key, if the server wants one.
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// How many threads work at the same time; by default one for each core.
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Make a key instead: its secret half goes into this new file, its public half is printed for the configuration of the
    /// server.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["nats", "key", "threads"])]
    pub new_key: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct JobsOrder {
    /// The folder or the database of the ledger.
    #[arg(long, value_name = "DIR|URL", global = true)]
    pub ledger: Option<String>,
    #[command(subcommand)]
    pub task: Option<JobsTask>,
    /// Print one JSON document.
    #[arg(long, global = true)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum JobsTask {
    /// Show a job: what was asked for, how far it is, and who is at work on it.
    Show {
        /// The first letters of its id.
        id: String,
    },
    /// Remove a job with all that came of it.
    Drop {
        /// The first letters of its id.
        id: String,
    },
}
