//! The HTTP server: a listener, the connections, the routes, and a regular clean-up.

use std::io::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tracing::warn;

use crate::accounts::Accounts;
use crate::connections::{Connection, ConnectionLimits, Connections, Place};
use crate::lobby::Lobby;
use crate::proxies::Proxies;
use crate::routes::{self, App};

/// How long unfinished requests may delay the shutdown.
const LAST_CALL: Duration = Duration::from_secs(3);
/// How often idle matches are dropped from memory.
const SWEEP: Duration = Duration::from_secs(60);
/// How often it is looked for orders whose answer is due.
const LOOK_AT_ORDERS: Duration = Duration::from_millis(200);
/// How often it is looked whose time has run out.
const LOOK_AT_CLOCKS: Duration = Duration::from_secs(1);
/// How long to wait when the system has no more connections to give.
const BREATH: Duration = Duration::from_millis(100);
/// The most that a connection keeps of what it reads: headers longer than this are refused.
const BUFFER: usize = 64 << 10;
/// What somebody hears for whom there is no place.
const NO_PLACE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\n\
    Content-Length: 48\r\nConnection: close\r\n\r\nToo many connections: try again in a few minutes";

/// The settings of the HTTP server.
pub struct Serving {
    /// The bound listener.
    pub listener: TcpListener,
    /// Whether only this machine can reach it: then the lobby is open without a key.
    pub local_only: bool,
    /// The public address behind a reverse proxy, such as `https://war.example`.
    pub address: Option<String>,
    /// The addresses of that proxy, besides this machine's own.
    pub proxies: Vec<IpAddr>,
    /// How many connections there may be, and how long they may take.
    pub limits: ConnectionLimits,
    /// The accounts; `None` for a server without.
    pub accounts: Option<Arc<Accounts>>,
}

impl Serving {
    /// The proxies in front of the server.
    pub(crate) fn proxies(&self) -> Proxies {
        match (&self.address, &self.accounts) {
            (_, Some(_)) => Proxies::only_at(&self.proxies),
            (Some(_), None) => Proxies::at(&self.proxies),
            (None, None) => Proxies::default(),
        }
    }
}

/// Serves until `stop` completes; open pages notice because their connections close.
pub async fn serve(
    lobby: Arc<Lobby>,
    serving: Serving,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let rounds = match serving.accounts.as_deref().and_then(Accounts::notices) {
        Some(notices) => Some(notices.start()?),
        None => None,
    };
    let (sweeping, accounts) = (Arc::clone(&lobby), serving.accounts.clone());
    let sweeper = tokio::spawn(async move {
        loop {
            tokio::time::sleep(SWEEP).await;
            sweeping.sweep();
            sweeping.note_time().await;
            if let Some(accounts) = &accounts {
                accounts.sweep(&sweeping).await;
            }
            sweeping.tend_contests().await;
        }
    });
    let timing = Arc::clone(&lobby);
    let timekeeper = tokio::spawn(async move {
        loop {
            tokio::time::sleep(LOOK_AT_CLOCKS).await;
            if let Err(why) = timing.sweep_deadlines().await {
                warn!("the clocks could not be looked at: {why}");
            }
        }
    });
    let resting = Arc::clone(&lobby);
    let rester = tokio::spawn(async move {
        if let Err(why) = resting.wake_rests().await {
            warn!("days of rest could not be looked at: {why}");
        }
    });
    let answering = Arc::clone(&lobby);
    let answerer = tokio::spawn(async move {
        if let Err(why) = answering.wake_orders().await {
            warn!("standing orders could not be looked at: {why}");
        }
        loop {
            tokio::time::sleep(LOOK_AT_ORDERS).await;
            answering.sweep_answers().await;
        }
    });
    let (batches, laboratory) = (Arc::clone(&lobby), lobby.laboratory().cloned());
    let labourer = tokio::spawn(async move { batches.tend_laboratory().await });
    let looking = Arc::clone(&lobby);
    let looker = tokio::spawn(async move {
        if let Err(why) = looking.look_for_partings().await {
            warn!("stored matches could not be compared with the current rules: {why}");
        }
    });
    let keeping = Arc::clone(&lobby);
    let company = tokio::spawn(keeping.keep_company());
    let leaving = Arc::clone(&lobby);
    let (close, closing) = watch::channel(false);
    let app = App::new(lobby, &serving, closing.clone());
    let (at_work, mut all_done) = mpsc::channel::<()>(1);
    let door = Door {
        connections: Connections::new(serving.limits),
        proxies: serving.proxies(),
        router: routes::router(app),
        closing,
        at_work,
    };
    let mut stop = pin!(stop);
    loop {
        tokio::select! {
            accepted = serving.listener.accept() => match accepted {
                Ok((stream, from)) => door.let_in(stream, from),
                // Of a connection that was gone before it was accepted there is nothing to say.
                Err(_) => tokio::time::sleep(BREATH).await,
            },
            () = &mut stop => break,
        }
    }
    drop(serving.listener);
    // Live connections would otherwise delay the shutdown forever.
    let _ = close.send(true);
    drop(door);
    // Every connection keeps a sender until it ends.
    let _ = tokio::time::timeout(LAST_CALL, all_done.recv()).await;
    company.abort();
    leaving.take_leave().await;
    sweeper.abort();
    timekeeper.abort();
    rester.abort();
    answerer.abort();
    looker.abort();
    labourer.abort();
    if let Some(laboratory) = laboratory {
        let _ = tokio::task::spawn_blocking(move || laboratory.close()).await;
    }
    // He finishes the message that he is just sending, and waits for the other side as long as that takes.
    let _ = tokio::task::spawn_blocking(move || drop(rounds)).await;
    Ok(())
}

/// What a new connection needs.
struct Door {
    connections: Arc<Connections>,
    proxies: Proxies,
    router: Router,
    closing: watch::Receiver<bool>,
    at_work: mpsc::Sender<()>,
}

impl Door {
    /// Serves a connection in a task of its own, if there is a place for it.
    fn let_in(&self, stream: TcpStream, from: SocketAddr) {
        // Without Nagle's algorithm, which would delay an update in pieces by 40 ms.
        let _ = stream.set_nodelay(true);
        let Some(place) = self.connections.admit(from.ip(), self.proxies.is_proxy(from.ip())) else {
            if let Ok(mut stream) = stream.into_std() {
                let _ = stream.write(NO_PLACE);
            }
            return;
        };
        let request_time = self.connections.limits().request_time;
        let (router, closing, at_work) = (self.router.clone(), self.closing.clone(), self.at_work.clone());
        tokio::spawn(async move {
            talk(stream, from, place, router, request_time, closing).await;
            drop(at_work);
        });
    }
}

/// Answers the requests of a connection until it ends, has to make room, or the server closes.
async fn talk(
    stream: TcpStream,
    from: SocketAddr,
    place: Arc<Place>,
    router: Router,
    request_time: Duration,
    mut closing: watch::Receiver<bool>,
) {
    let io = TokioIo::new(Connection::new(stream, Arc::clone(&place)));
    let (router, working) = (TowerToHyperService::new(router), Arc::clone(&place));
    let service = service_fn(move |mut request: Request<Incoming>| {
        working.work();
        request.extensions_mut().insert(ConnectInfo(from));
        let (answer, place) = (router.call(request.map(Body::new)), Arc::clone(&working));
        async move {
            let answer = answer.await;
            // A connection with live updates has no next request.
            if !answer.as_ref().is_ok_and(|answer| answer.status() == StatusCode::SWITCHING_PROTOCOLS) {
                place.wait();
            }
            answer
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(request_time).max_buf_size(BUFFER);
    let mut conversation = pin!(http.serve_connection(io, service).with_upgrades());
    loop {
        tokio::select! {
            // An error is the visitor's: there is nobody left to tell.
            _ = conversation.as_mut() => return,
            () = place.closed() => return,
            changed = closing.changed() => {
                conversation.as_mut().graceful_shutdown();
                if changed.is_err() {
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;
    use crate::lobby::tests::card_lobby;

    /// Longer than anything here takes.
    const PATIENCE: Duration = Duration::from_secs(120);

    /// A server that is in a hurry.
    async fn hasty(request_time: Duration, answer_time: Duration) -> SocketAddr {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let limits = ConnectionLimits { request_time, answer_time, ..ConnectionLimits::of_this_machine() };
        let (address_of, proxies, accounts) = (None, Vec::new(), None);
        let serving = Serving { listener, local_only: true, address: address_of, proxies, limits, accounts };
        tokio::spawn(serve(card_lobby(&Arc::default()), serving, std::future::pending()));
        address
    }

    /// Sends something, then a byte now and then, until the server closes; returns what it said.
    async fn trickle(address: SocketAddr, begin: &str) -> String {
        let stream = TcpStream::connect(address).await.expect("it listens");
        let (mut from, mut to) = stream.into_split();
        to.write_all(begin.as_bytes()).await.expect("it listens");
        let dripping = tokio::spawn(async move {
            while to.write_all(b"x").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        let mut said = Vec::new();
        // A connection that is reset was closed, too.
        let closed = tokio::time::timeout(PATIENCE, from.read_to_end(&mut said)).await;
        drop(closed.expect("the server waits forever"));
        dripping.abort();
        String::from_utf8_lossy(&said).into_owned()
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn whoever_never_comes_to_an_end_is_given_up() {
        let moment = Duration::from_millis(100);
        let address = hasty(moment, PATIENCE).await;
        let begun = Instant::now();
        let said = trickle(address, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ").await;
        assert!(!said.contains("200 OK") && begun.elapsed() >= moment, "headers: {said}");
        let said = trickle(address, "").await;
        assert!(!said.contains("200 OK"), "not a word: {said}");
        let address = hasty(PATIENCE, moment).await;
        let head = "POST /settings HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n\
                    Content-Type: application/x-www-form-urlencoded\r\n\r\ntheme=";
        let said = trickle(address, head).await;
        assert!(said.starts_with("HTTP/1.1 408") && said.contains("took too long"), "a body: {said}");
    }
}
