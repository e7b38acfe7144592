//! `maproom serve`: the table in the browser.

use std::io::IsTerminal as _;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use bots::external::{Command, External};
use bots::search::Resources;
use kernel::{MatchDice, Options};
use store::SqliteStore;
use tokio::net::TcpListener;
use tracing::info;
use web::{BotProgram, Lobby, Serving};

use crate::arguments::ServeOrder;
use crate::files;
use crate::registry;

/// The port that is tried first.
const PORT: u16 = 4040;

/// Runs `maproom serve`.
pub fn run(order: &ServeOrder) -> Result<ExitCode, String> {
    let folder = match &order.data {
        Some(folder) => folder.clone(),
        None => files::data_folder()
            .ok_or("this system has no data folder: say where to save matches with --data DIR")?,
    };
    let programs = programs(order)?;
    introduce(&programs);
    Resources::set_memory((order.tree_memory as usize) << 20);
    let store = SqliteStore::open(&folder).map_err(|why| why.to_string())?;
    let lobby = Lobby::open(Arc::new(store), registry::titles()).map_err(|why| why.to_string())?;
    let lobby = lobby.with_programs(programs);
    let runtime = tokio::runtime::Runtime::new().map_err(|why| format!("can't start: {why}"))?;
    runtime.block_on(open_doors(Arc::new(lobby), order, folder))
}

/// Says which programs can be asked to take a seat: in the form for a new game they stand among the bots.
fn introduce(programs: &[BotProgram]) {
    for BotProgram { command, games } in programs {
        outln!("The program {} ({}) plays {}.", command.name(), command.words().join(" "), games.join(", "));
    }
}

/// The programs of the command line, each tried out at a table of every game.
fn programs(order: &ServeOrder) -> Result<Vec<BotProgram>, String> {
    let mut programs: Vec<BotProgram> = Vec::new();
    for text in &order.bot {
        let fail = |why: String| format!("--bot {text:?}: {why}");
        if !text.contains('=') {
            return Err(fail("write a name and a command, such as \"mine=python3 my_bot.py\"".to_owned()));
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

async fn open_doors(lobby: Arc<Lobby>, order: &ServeOrder, folder: PathBuf) -> Result<ExitCode, String> {
    let listener = bind(order.host, order.port).await?;
    let address = listener.local_addr().map_err(|why| why.to_string())?;
    let local_only = address.ip().is_loopback() && order.address.is_none();
    let home = if local_only {
        format!("http://{address}/")
    } else {
        let public = order.address.as_ref().map(|url| url.trim_end_matches('/').to_owned());
        let public = public.unwrap_or_else(|| format!("http://{}", reachable(address)));
        // The key stands in the address once, becomes a cookie, and leaves the address bar.
        format!("{public}/enter/{}", lobby.owner_key())
    };
    outln!("Maproom is open at {home}");
    if !local_only {
        outln!("Keep this address to yourself: it opens your lobby. Give friends the links to their seats.");
    }
    outln!("Matches are saved in {}. Press Ctrl+C to stop.", folder.display());
    if !order.no_browser && std::io::stdout().is_terminal() && has_screen() {
        // Where there is no browser the address above is all there is to say.
        let _ = open::that_detached(&home);
    }
    info!("open");
    let secure = order.address.as_ref().is_some_and(|url| url.starts_with("https:"));
    let serving = Serving { listener, local_only, secure };
    web::serve(lobby, serving, stopped()).await.map_err(|why| format!("the server stopped: {why}"))?;
    info!("closed");
    Ok(ExitCode::SUCCESS)
}

/// The port that was asked for, or the usual one, or any that is free.
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

/// An address that a friend's browser can use: "every address of this machine" is none.
fn reachable(address: SocketAddr) -> SocketAddr {
    if !address.ip().is_unspecified() {
        return address;
    }
    // The address that this machine would speak from to another; asking sends nothing.
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

/// Whether there is a desktop that could show a browser.
fn has_screen() -> bool {
    !cfg!(target_os = "linux")
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Done when the person or the system asks the program to end.
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
