//! The open connections: how many there may be, from where, and which one makes room for another.
//!
//! A connection costs a file descriptor and memory whether it says something or not. So their number is limited, in total and
//! by network. When all places are taken, the connection that has waited longest without a request is closed: whoever only
//! holds places loses them to whoever wants something. Live updates and requests under way are never closed for others.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, IoSlice};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::{Sleep, sleep};

use crate::bucket::{Network, is_this_machine};

/// The most connections, however many files the system allows.
const MOST: usize = 10_000;
/// File descriptors that are left for the database, bots and the rest.
const OTHER_FILES: usize = 200;
/// The most connections from one network: a school or a club behind one address has room.
const FROM_ONE_NETWORK: usize = 256;
/// The most pages with live updates from one network.
const LIVE_FROM_ONE_NETWORK: usize = 128;
/// Places beyond the total that only this machine gets, so that its owner is never shut out.
const FOR_THIS_MACHINE: usize = 32;
/// How long a connection may take to send the next request with all its headers.
const REQUEST_TIME: Duration = Duration::from_secs(60);
/// How long a request may take from its headers to the beginning of its answer.
const ANSWER_TIME: Duration = Duration::from_secs(60);
/// How long a connection may take nothing of what is sent to it.
const STALL_TIME: Duration = Duration::from_secs(30);
/// How often an idle page with live updates is pinged.
const PING_TIME: Duration = Duration::from_secs(25);

/// The limits of connections.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// How many there may be.
    pub total: usize,
    /// How many from one network. This machine itself and proxies have no such limit.
    pub from_one_network: usize,
    /// How long the next request may take to arrive with its headers.
    pub request_time: Duration,
    /// How long a request may take from its headers to the beginning of its answer: a body that trickles in is given up.
    pub answer_time: Duration,
    /// How long nothing may be taken of what is sent.
    pub stall_time: Duration,
    /// How often a page with live updates is pinged, and asked again whether its session is still open.
    pub ping_time: Duration,
}

impl ConnectionLimits {
    /// The limits for so many file descriptors.
    fn for_files(files: usize) -> Self {
        // Even a system that allows next to nothing lets a few people in.
        let total = files.saturating_sub(OTHER_FILES + FOR_THIS_MACHINE).max(files / 2).clamp(16, MOST);
        Self {
            total,
            from_one_network: FROM_ONE_NETWORK.min(total),
            request_time: REQUEST_TIME,
            answer_time: ANSWER_TIME,
            stall_time: STALL_TIME,
            ping_time: PING_TIME,
        }
    }

    /// The limits that this machine has room for. Raises the limit of open files as far as the system allows.
    pub fn of_this_machine() -> Self {
        Self::for_files(raise_file_limit())
    }
}

/// Raises the limit of open files as far as is needed and allowed, and returns what it is then.
#[cfg(unix)]
fn raise_file_limit() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = (MOST + OTHER_FILES + FOR_THIS_MACHINE) as u64;
    let (Some(now), goal) = (current, maximum.map_or(wanted, |most| most.min(wanted))) else {
        return wanted as usize;
    };
    let raised = now < goal && setrlimit(Resource::Nofile, Rlimit { current: Some(goal), maximum }).is_ok();
    usize::try_from(if raised { goal } else { now }).unwrap_or(usize::MAX)
}

#[cfg(not(unix))]
fn raise_file_limit() -> usize {
    MOST + OTHER_FILES + FOR_THIS_MACHINE
}

/// Counts what each network has, up to a limit.
#[derive(Debug)]
pub struct NetworkCount {
    most: usize,
    counts: Mutex<HashMap<Network, usize>>,
}

impl NetworkCount {
    /// A count for pages with live updates.
    pub fn for_live_pages() -> Arc<Self> {
        Self::up_to(LIVE_FROM_ONE_NETWORK)
    }

    fn up_to(most: usize) -> Arc<Self> {
        Arc::new(Self { most, counts: Mutex::default() })
    }

    /// One more for a network, until the value is dropped; `None` if it has as many as it may. This machine may have any
    /// number.
    pub fn take(self: &Arc<Self>, from: IpAddr) -> Option<Counted> {
        if is_this_machine(from) {
            return Some(Counted { of: None });
        }
        let network = Network::of(from);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(network).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Counted { of: Some((network, Arc::clone(self))) })
    }
}

/// One of the things that are counted.
#[derive(Debug)]
pub struct Counted {
    of: Option<(Network, Arc<NetworkCount>)>,
}

impl Drop for Counted {
    fn drop(&mut self) {
        let Some((network, all)) = &self.of else { return };
        let mut counts = all.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(network) {
            *count -= 1;
            if *count == 0 {
                counts.remove(network);
            }
        }
    }
}

/// All open connections.
#[derive(Debug)]
pub struct Connections {
    limits: ConnectionLimits,
    by_network: Arc<NetworkCount>,
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    open: usize,
    /// The number of the next wait: the lowest has waited longest.
    next: u64,
    /// The connections without a request, and how to close each.
    waiting: BTreeMap<u64, Arc<Notify>>,
}

impl Connections {
    /// No connection yet.
    pub fn new(limits: ConnectionLimits) -> Arc<Self> {
        let by_network = NetworkCount::up_to(limits.from_one_network);
        Arc::new(Self { limits, by_network, table: Mutex::default() })
    }

    /// The limits.
    pub fn limits(&self) -> &ConnectionLimits {
        &self.limits
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place for a connection; `None` if there is none. `is_proxy` says that many people share the address.
    pub fn admit(self: &Arc<Self>, from: IpAddr, is_proxy: bool) -> Option<Arc<Place>> {
        let counted = if is_proxy { None } else { Some(self.by_network.take(from)?) };
        let mut table = self.table();
        if table.open >= self.limits.total {
            let reserve = if is_this_machine(from) { FOR_THIS_MACHINE } else { 0 };
            match table.waiting.pop_first() {
                Some((_, close)) => close.notify_one(),
                None if table.open < self.limits.total + reserve => {}
                None => return None,
            }
        }
        table.open += 1;
        drop(table);
        let place = Place {
            connections: Arc::clone(self),
            close: Arc::default(),
            waits_as: Mutex::new(None),
            _counted: counted,
        };
        place.wait();
        Some(Arc::new(place))
    }
}

/// The place of an open connection; free again when the connection is dropped.
#[derive(Debug)]
pub struct Place {
    connections: Arc<Connections>,
    close: Arc<Notify>,
    /// Its number among those that wait; `None` during a request.
    waits_as: Mutex<Option<u64>>,
    _counted: Option<Counted>,
}

impl Place {
    /// A request has arrived: the connection is not closed for others until it is answered.
    pub fn work(&self) {
        let mut waits_as = self.waits_as.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = waits_as.take() {
            self.connections.table().waiting.remove(&number);
        }
    }

    /// Its request is answered: it waits for the next.
    pub fn wait(&self) {
        let mut waits_as = self.waits_as.lock().unwrap_or_else(PoisonError::into_inner);
        let mut table = self.connections.table();
        let number = table.next;
        table.next += 1;
        if let Some(before) = waits_as.replace(number) {
            table.waiting.remove(&before);
        }
        table.waiting.insert(number, Arc::clone(&self.close));
    }

    /// Completes when the connection has to make room for another.
    pub async fn closed(&self) {
        self.close.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.work();
        self.connections.table().open -= 1;
    }
}

/// A stream that keeps its place, and fails when nothing of what is sent is taken for too long.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    /// Runs while something waits to be taken.
    stalled: Option<Pin<Box<Sleep>>>,
    place: Arc<Place>,
}

impl Connection {
    /// A stream at its place.
    pub fn new(stream: TcpStream, place: Arc<Place>) -> Self {
        Self { stream, stalled: None, place }
    }

    /// Watches how long a write waits.
    fn watched<T>(&mut self, written: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let patience = self.place.connections.limits.stall_time;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(patience)));
        match stalled.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watched(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.watched(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn limits(total: usize, from_one_network: usize) -> ConnectionLimits {
        ConnectionLimits { total, from_one_network, ..ConnectionLimits::for_files(1_024) }
    }

    fn visitor(number: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, number])
    }

    #[test]
    fn the_limits_follow_from_the_files_that_the_system_allows() {
        for (files, total) in [(64, 32), (256, 128), (1_024, 792), (20_000, MOST), (1 << 30, MOST)] {
            let limits = ConnectionLimits::for_files(files);
            assert_eq!(limits.total, total, "{files} files");
            assert!(limits.from_one_network <= total && total < files);
        }
        assert!(raise_file_limit() >= 64);
    }

    #[tokio::test]
    async fn whoever_only_holds_a_place_loses_it() {
        let all = Connections::new(limits(3, 3));
        let places: Vec<_> = (0..3).map(|number| all.admit(visitor(number), false).expect("room")).collect();
        places[0].work();
        let fourth = all.admit(visitor(9), false).expect("the one that waits longest makes room");
        places[1].closed().await;
        fourth.work();
        places[2].work();
        assert!(all.admit(visitor(8), false).is_none(), "all are at work");
        assert!(all.admit(HOME, false).is_some(), "there is always room for this machine");
        places[0].wait();
        all.admit(visitor(8), false).expect("room again");
        places[0].closed().await;
        drop((places, fourth));
        let table = all.table();
        assert_eq!((table.open, table.waiting.len()), (0, 0));
    }

    #[test]
    fn one_network_does_not_take_all_places() {
        let all = Connections::new(limits(100, 2));
        let held: Vec<_> = (0..5).filter_map(|_| all.admit(visitor(1), false)).collect();
        assert_eq!(held.len(), 2);
        assert!(all.admit(visitor(2), false).is_some(), "others come in");
        let proxy: Vec<_> = (0..5).filter_map(|_| all.admit(visitor(3), true)).collect();
        let home: Vec<_> = (0..5).filter_map(|_| all.admit(HOME, false)).collect();
        assert_eq!((proxy.len(), home.len()), (5, 5), "many people share the address of a proxy");
        drop(held);
        assert!(all.admit(visitor(1), false).is_some());
        // An IPv6 user has a whole /64.
        let six = |host: u16| IpAddr::from([0x2001, 0xdb8, 7, 7, 0, 0, 0, host]);
        let held: Vec<_> = (0..5).filter_map(|host| all.admit(six(host), false)).collect();
        assert_eq!(held.len(), 2);
    }

    #[tokio::test]
    async fn whoever_takes_nothing_is_dropped() {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let listener = tokio::net::TcpListener::bind((HOME, 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let all = Connections::new(ConnectionLimits {
            stall_time: Duration::from_millis(50),
            ..ConnectionLimits::for_files(1_024)
        });
        let mut reader = TcpStream::connect(address).await.expect("it listens");
        let (stream, from) = listener.accept().await.expect("a connection");
        let place = all.admit(from.ip(), false).expect("room");
        let mut connection = Connection::new(stream, place);
        // Whoever reads is served for as long as it takes.
        let (sent, read) = tokio::join!(
            async {
                for _ in 0..20 {
                    sleep(Duration::from_millis(10)).await;
                    connection.write_all(&[7; 1_000]).await?;
                }
                io::Result::Ok(())
            },
            async { reader.read_exact(&mut [0; 20_000]).await.map(|_| ()) }
        );
        sent.and(read).expect("all of it arrives");
        let endless = async {
            loop {
                if let Err(why) = connection.write_all(&[7; 65_536]).await {
                    return why;
                }
            }
        };
        assert_eq!(endless.await.kind(), io::ErrorKind::TimedOut);
        drop(connection);
        assert_eq!(all.table().open, 0);
    }
}
