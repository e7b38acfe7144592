//! `maproom serve`: the table in the browser.

use std::io::IsTerminal as _;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::process::ExitCode;
use std::sync::Arc;

use bots::external::{Command, External};
use bots::search::Resources;
use kernel::{MatchDice, Options};
use lab::{Build, Site};
use people::Entry;
use tokio::net::TcpListener;
use tracing::info;
use web::{BotProgram, ConnectionLimits, Lobby, Serving};

use crate::accounts;
use crate::arguments::ServeOrder;
use crate::database::{Keeper, Place};
use crate::{registry, remote};

/// The default port.
const PORT: u16 = 4040;

/// Runs `maproom serve`.
pub fn run(order: &ServeOrder) -> Result<ExitCode, String> {
    let place = Place::of(order.data.as_deref(), order.database.as_deref())?;
    let programs = programs(order)?;
    introduce(&programs);
    Resources::set_memory((order.tree_memory as usize) << 20);
    let keeper = place.open_to_serve()?;
    let people = keeper.people();
    let nats = remote::of_server(order)?;
    let lobby = match place.neighbours(&keeper, nats.as_ref())? {
        Some(neighbours) => Lobby::open_shared(keeper.store(), registry::titles(), neighbours),
        None => Lobby::open(keeper.store(), registry::titles()),
    };
    let lobby = lobby.map_err(|why| why.to_string())?;
    let lobby = lobby.with_orders(keeper.orders()).map_err(|why| why.to_string())?;
    let mut lobby = lobby.with_programs(programs).with_laboratory(laboratory(&keeper));
    if let Some(nats) = &nats {
        lobby = lobby.with_thinkers(remote::thinkers(nats)?);
        lobby = lobby.with_crew(remote::crew(nats, order)?, keeper.ledger());
    }
    let accounts = order.accounts.as_deref().map(accounts::entry);
    if accounts.is_some() {
        accounts::check_doors(order)?;
        people.prepare_people().map_err(|why| why.to_string())?;
        lobby = lobby.with_people(Arc::clone(&people));
        lobby = lobby.with_contests(keeper.contests()).map_err(|why| why.to_string())?;
    }
    if order.new_key {
        lobby = lobby.with_new_key().map_err(|why| why.to_string())?;
    }
    let runtime = tokio::runtime::Runtime::new().map_err(|why| format!("can't start: {why}"))?;
    let house = House { lobby: Arc::new(lobby), keeper, entry: accounts };
    runtime.block_on(open_doors(house, order))
}

/// What the doors are opened for.
struct House {
    lobby: Arc<Lobby>,
    keeper: Keeper,
    /// Who may make an account; `None` without accounts.
    entry: Option<Entry>,
}

/// Makes the place where batches are played, when the first of them is asked for: it reads the whole program.
fn laboratory(keeper: &Keeper) -> impl Fn() -> Result<Site, String> + Send + Sync + use<> {
    let (ledger, is_alone) = (keeper.ledger(), keeper.is_alone());
    move || {
        let build = Build::of_this_program(env!("CARGO_PKG_VERSION"))?;
        Ok(Site::with_ledger(Arc::clone(&ledger), build, is_alone))
    }
}

/// Prints the external programs that can play; the new-game form lists them among the bots.
fn introduce(programs: &[BotProgram]) {
    for BotProgram { command, games } in programs {
        outln!("The program {} ({}) plays {}.", command.name(), command.words().join(" "), games.join(", "));
    }
}

/// The programs from the command line, each tried with every game.
fn programs(order: &ServeOrder) -> Result<Vec<BotProgram>, String> {
    let mut programs: Vec<BotProgram> = Vec::new();
    for text in &order.bot {
        let fail = |why: String| format!("--bot {text:?}: {why}");
        if !text.contains('=') {
            return Err(fail("use NAME=COMMAND, such as \"mine=python3 my_bot.py\"".to_owned()));
        }
        let command = Command::parse(text).and_then(|command| command.with_patience(order.patience.seconds));
        let command = command.map_err(fail)?;
        if programs.iter().any(|known| known.command.name() == command.name()) {
            return Err(fail("there is already a program with that name".to_owned()));
        }
        let mut games = Vec::new();
        let mut refusal = String::new();
        for game in registry::GAMES.iter() {
            let table = game.open(&Options::new(), MatchDice::seeded(0))?;
            match External::try_out(&command, &*table) {
                Ok(_) => games.push(game.id()),
                Err(why) => refusal = why,
            }
        }
        if games.is_empty() {
            return Err(fail(refusal));
        }
        programs.push(BotProgram { command, games });
    }
    Ok(programs)
}

async fn open_doors(house: House, order: &ServeOrder) -> Result<ExitCode, String> {
    let House { lobby, keeper, entry } = house;
    let listener = bind(order.host, order.port).await?;
    let address = listener.local_addr().map_err(|why| why.to_string())?;
    let local_only = address.ip().is_loopback() && order.address.is_none();
    let public = order.address.as_ref().map(|url| url.trim_end_matches('/').to_owned());
    let public = public.unwrap_or_else(|| format!("http://{}", reachable(address)));
    let home = if local_only {
        format!("http://{address}/")
    } else {
        // The key is in the address only once: it becomes a cookie and leaves the address bar.
        format!("{public}/enter/{}", lobby.owner_key())
    };
    let accounts = match entry {
        Some(entry) => {
            let post = order.mail.house(&public, |name| std::env::var(name).ok())?;
            Some(Arc::new(accounts::open(&keeper, &lobby, entry, &post)?))
        }
        None => None,
    };
    outln!("Maproom is running at {home}");
    if !local_only {
        outln!(
            "Keep this address private: it opens your lobby. Send friends the links of their seats instead."
        );
    }
    outln!("Matches are saved in {}. Press Ctrl+C to stop.", keeper.place());
    if !order.no_browser && std::io::stdout().is_terminal() && has_screen() {
        // Without a browser the address above must do.
        let _ = open::that_detached(&home);
    }
    if let Ok(address) = listener.local_addr() {
        info!("listening on port {}", address.port());
    }
    let serving = Serving {
        listener,
        local_only,
        address: order.address.clone(),
        proxies: order.proxy.clone(),
        limits: ConnectionLimits::of_this_machine(),
        accounts,
    };
    if let Some(address) = order.metrics {
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|why| format!("--metrics: can't listen on {address}: {why}"))?;
        tokio::spawn(web::watch(Arc::clone(&lobby), listener));
    }
    web::serve(lobby, serving, stopped()).await.map_err(|why| format!("the server stopped: {why}"))?;
    info!("closed");
    Ok(ExitCode::SUCCESS)
}

/// The given port, or the default port, or any free port.
async fn bind(host: IpAddr, port: Option<u16>) -> Result<TcpListener, String> {
    let fail = |why: std::io::Error, port: u16| {
        let address = SocketAddr::new(host, port);
        format!("can't listen on {address}: {why}")
    };
    match port {
        Some(port) => TcpListener::bind((host, port)).await.map_err(|why| fail(why, port)),
        None => match TcpListener::bind((host, PORT)).await {
            Ok(listener) => Ok(listener),
            Err(_) => TcpListener::bind((host, 0)).await.map_err(|why| fail(why, 0)),
        },
    }
}

/// An address that a friend's browser can open; `0.0.0.0` is not.
fn reachable(address: SocketAddr) -> SocketAddr {
    if !address.ip().is_unspecified() {
        return address;
    }
    // The address from which this machine would reach others; no packet is sent.
    let towards =
        if address.is_ipv4() { ("0.0.0.0:0", "192.0.2.1:9") } else { ("[::]:0", "[2001:db8::1]:9") };
    let outward = UdpSocket::bind(towards.0).and_then(|socket| {
        socket.connect(towards.1)?;
        socket.local_addr()
    });
    if let Ok(outward) = outward {
        return SocketAddr::new(outward.ip(), address.port());
    }
    let here =
        if address.is_ipv4() { IpAddr::from([127, 0, 0, 1]) } else { IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]) };
    SocketAddr::new(here, address.port())
}

/// Whether there is a desktop to open a browser on.
fn has_screen() -> bool {
    !cfg!(target_os = "linux")
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Completes when the user or the system asks the program to stop.
async fn stopped() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminated) => tokio::select! {
                () = interrupted => {}
                _ = terminated.recv() => {}
            },
            Err(_) => interrupted.await,
        }
    }
    #[cfg(not(unix))]
    interrupted.await;
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::arguments::{Arguments, Command};

    const UNIT: &str = include_str!("../../../deploy/maproom.service");
    const CONTAINER: &str = include_str!("../../../deploy/Containerfile");

    fn served(words: impl Iterator<Item = String>) -> ServeOrder {
        let words = std::iter::once("maproom".to_owned()).chain(words).map(OsString::from);
        match Arguments::try_read(words).expect("understood").command {
            Some(Command::Serve(order)) => order,
            other => panic!("{other:?}"),
        }
    }

    /// The value of a setting of the unit.
    fn unit(name: &str) -> &'static str {
        let line = UNIT.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        line.unwrap_or_else(|| panic!("{name} is in the unit"))
    }

    #[test]
    fn the_unit_starts_a_server_that_opens_its_doors() {
        let address = UNIT.lines().find_map(|line| line.strip_prefix("Environment=MAPROOM_ADDRESS="));
        let command = unit("ExecStart").replace("${MAPROOM_ADDRESS}", address.expect("an address"));
        let mut words = command.split_whitespace().map(str::to_owned);
        assert_eq!(words.next().as_deref(), Some("/usr/local/bin/maproom"));
        assert_eq!(words.next().as_deref(), Some("serve"));
        let order = served(std::iter::once("serve".to_owned()).chain(words));
        assert_eq!(accounts::check_doors(&order), Ok(()));
        assert_eq!(Place::of(order.data.as_deref(), None), Ok(Place::Folder("/var/lib/maproom".into())));
        assert_eq!(unit("StateDirectory"), "maproom");
        assert!(order.host.is_loopback() && order.metrics.is_some_and(|address| address.ip().is_loopback()));
        assert_eq!((unit("KillSignal"), unit("TimeoutStopSec")), ("SIGTERM", "5"));
    }

    #[test]
    fn the_container_starts_a_server() {
        let words = CONTAINER.lines().find_map(|line| line.strip_prefix("CMD ")).expect("a command");
        let words: Vec<String> = serde_json::from_str(words).expect("a list");
        let order = served(words.into_iter());
        assert_eq!(Place::of(order.data.as_deref(), None), Ok(Place::Folder("/data".into())));
        assert!(order.host.is_unspecified() && order.no_browser);
        assert!(CONTAINER.contains("\nUSER 10001:10001\n") && CONTAINER.contains("\nSTOPSIGNAL SIGTERM\n"));
    }
}
