//! Work by other machines: `--nats` of those who hand it out, and `maproom worker`.

#[cfg(feature = "shared")]
mod desk;
#[cfg(feature = "shared")]
mod house;
#[cfg(feature = "shared")]
mod thinking;
#[cfg(feature = "shared")]
mod worker;

#[cfg(not(feature = "shared"))]
use std::process::ExitCode;
use std::sync::Arc;

use lab::Hands;

#[cfg(not(feature = "shared"))]
use crate::arguments::WorkerOrder;
use crate::arguments::{ServeOrder, WorkOrder};

/// Whoever does the work, if it is not this process.
pub fn hands(order: &WorkOrder) -> Result<Option<Arc<dyn Hands>>, String> {
    match &order.nats {
        None => Ok(None),
        #[cfg(feature = "shared")]
        Some(address) => Ok(Some(Arc::new(desk::Desk::new(address, order)?))),
        #[cfg(not(feature = "shared"))]
        Some(_) => Err(missing()),
    }
}

#[cfg(feature = "shared")]
pub use worker::run as run_worker;

/// Where a server of NATS is, and who one is there.
#[cfg(feature = "shared")]
pub type Nats = relay::Target;
/// No program without NATS ever has one.
#[cfg(not(feature = "shared"))]
pub enum Nats {}

#[cfg(feature = "shared")]
pub use thinking::thinkers;

/// Workers that play batches of the laboratory, at a server of NATS.
#[cfg(feature = "shared")]
pub fn crew(nats: &Nats, order: &ServeOrder) -> Result<Arc<dyn web::Crew>, String> {
    Ok(Arc::new(house::HouseCrew::start(nats, order.class.as_deref())?))
}

/// Workers that play batches of the laboratory, at a server of NATS.
#[cfg(not(feature = "shared"))]
pub fn crew(nats: &Nats, _: &ServeOrder) -> Result<Arc<dyn web::Crew>, String> {
    match *nats {}
}

/// Others that think, at a server of NATS.
#[cfg(not(feature = "shared"))]
pub fn thinkers(nats: &Nats) -> Result<Arc<dyn web::Thinkers>, String> {
    match *nats {}
}

/// The server of NATS that `maproom serve` was told of.
pub fn of_server(order: &ServeOrder) -> Result<Option<Nats>, String> {
    match &order.nats {
        None => Ok(None),
        #[cfg(feature = "shared")]
        Some(address) => Ok(Some(Nats { address: address.clone(), key: order.key.clone() })),
        #[cfg(not(feature = "shared"))]
        Some(_) => Err(missing()),
    }
}

/// Runs `maproom worker`.
#[cfg(not(feature = "shared"))]
pub fn run_worker(_: &WorkerOrder) -> Result<ExitCode, String> {
    Err(missing())
}

#[cfg(not(feature = "shared"))]
fn missing() -> String {
    "this Maproom was built without NATS: build it with `cargo build --release --features shared`".to_owned()
}

#[cfg(all(test, not(feature = "shared")))]
mod tests {
    use crate::arguments::{Arguments, Command};

    #[test]
    fn without_nats_it_is_said_how_to_get_it() {
        let words = ["maproom", "worker", "--nats", "nats://127.0.0.1:1"];
        let read = Arguments::try_read(words.map(Into::into)).expect("a command");
        let Some(Command::Worker(order)) = read.command else { panic!("a worker") };
        assert!(super::run_worker(&order).is_err_and(|why| why.contains("--features shared")));
    }
}
