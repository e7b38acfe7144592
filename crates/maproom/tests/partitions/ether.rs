//! What the machines of the test are joined by: it carries packets from one to the other, some of them late, and loses others.
//!
//! Every machine has a network interface whose other end is here (a TUN device). So what happens to a packet is decided for each
//! pair of machines and each direction, by the same seeded dice everywhere, whatever queues and filters the kernel was built with;
//! the connections over it are the kernel's own, with their time-outs and repeats.

use std::io;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_tun::Tun;

use crate::house::Random;

/// The largest packet.
const MTU: usize = 1_500;

/// How packets fare from one machine to another.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// How many of a thousand are lost.
    pub lost: usize,
    /// How long the others take.
    pub delay: Duration,
    /// How much longer they may take.
    pub jitter: Duration,
}

impl Way {
    /// As if the machines were one.
    pub const CLEAR: Self = Self { lost: 0, delay: Duration::ZERO, jitter: Duration::ZERO };
    /// Nothing gets through.
    pub const CUT: Self = Self { lost: 1_000, ..Self::CLEAR };
    /// Far away over a bad line: a fifth of a second, and one packet in twenty lost.
    pub const BAD: Self =
        Self { lost: 50, delay: Duration::from_millis(175), jitter: Duration::from_millis(50) };
}

/// All ways, and what has gone over them.
struct Ways {
    /// From, then to.
    ways: Vec<Vec<Way>>,
    random: Random,
    carried: u64,
    lost: u64,
}

/// A packet and when it is due.
type Due = (Instant, Vec<u8>);

/// The network.
pub struct Ether {
    ways: Arc<Mutex<Ways>>,
}

impl Ether {
    /// Makes so many interfaces, the names of which begin alike and end with their numbers, and carries packets between the addresses
    /// of a network that end with these numbers.
    ///
    /// # Errors
    ///
    /// What the system said.
    pub fn begin(count: usize, name: impl Fn(usize) -> String, seed: u64) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let entered = runtime.enter();
        let tuns = (0..count).map(|number| {
            let made = Tun::builder().name(&name(number)).mtu(MTU as i32).build();
            let mut made = made.map_err(|why| io::Error::other(why.to_string()))?;
            made.pop().ok_or_else(|| io::Error::other("no interface was made"))
        });
        let tuns: Arc<[Tun]> = tuns.collect::<io::Result<Vec<_>>>()?.into();
        drop(entered);
        let ways = vec![vec![Way::CLEAR; count]; count];
        let ways = Arc::new(Mutex::new(Ways { ways, random: Random(seed), carried: 0, lost: 0 }));
        let known = Arc::clone(&ways);
        // It ends with the process.
        thread::spawn(move || {
            runtime.block_on(async move {
                for from in 0..count {
                    let lines = (0..count).map(|to| {
                        let (sender, receiver) = unbounded_channel();
                        tokio::spawn(deliver(Arc::clone(&tuns), to, receiver));
                        sender
                    });
                    tokio::spawn(carry(Arc::clone(&tuns), from, Arc::clone(&known), lines.collect()));
                }
                std::future::pending::<()>().await;
            });
        });
        Ok(Self { ways })
    }

    /// From now on packets from one machine to another fare so.
    pub fn set(&self, from: usize, to: usize, way: Way) {
        locked(&self.ways).ways[from][to] = way;
    }

    /// How many packets were carried, and how many lost.
    pub fn counts(&self) -> (u64, u64) {
        let ways = locked(&self.ways);
        (ways.carried, ways.lost)
    }
}

fn locked(ways: &Mutex<Ways>) -> MutexGuard<'_, Ways> {
    ways.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Ways {
    /// When a packet arrives; `None` if it does not.
    fn take(&mut self, from: usize, to: usize) -> Option<Instant> {
        let way = *self.ways.get(from)?.get(to)?;
        if self.random.below(1_000) < way.lost {
            self.lost += 1;
            return None;
        }
        self.carried += 1;
        let more = self.random.below(usize::try_from(way.jitter.as_micros()).ok()? + 1);
        Some(Instant::now() + way.delay + Duration::from_micros(more as u64))
    }
}

/// Takes what a machine sends.
async fn carry(tuns: Arc<[Tun]>, from: usize, ways: Arc<Mutex<Ways>>, lines: Vec<UnboundedSender<Due>>) {
    let mut packet = [0; MTU];
    loop {
        let Ok(length) = tuns[from].recv(&mut packet).await else {
            // An interface that is down says so again and again.
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        let packet = &packet[..length];
        let Some(to) = number_in(packet) else { continue };
        let due = locked(&ways).take(from, to);
        if let (Some(due), Some(line)) = (due, lines.get(to)) {
            let _ = line.send((due, packet.to_vec()));
        }
    }
}

/// Delivers what one machine sends to another, in the order in which it was sent.
async fn deliver(tuns: Arc<[Tun]>, to: usize, mut line: UnboundedReceiver<Due>) {
    while let Some((due, packet)) = line.recv().await {
        if due > Instant::now() {
            tokio::time::sleep_until(due.into()).await;
        }
        // An interface that is down takes nothing.
        let _ = tuns[to].send(&packet).await;
    }
}

/// The last number of the address to which a packet of IPv4 goes, less one.
fn number_in(packet: &[u8]) -> Option<usize> {
    let is_of_four = packet.first()? >> 4 == 4;
    let [.., last] = Ipv4Addr::from(<[u8; 4]>::try_from(packet.get(16..20)?).ok()?).octets();
    usize::from(last).checked_sub(1).filter(|_| is_of_four)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_go_where_their_address_says() {
        let mut packet = [0; 20];
        packet[0] = 0x45;
        packet[16..].copy_from_slice(&[10, 77, 0, 3]);
        assert_eq!(number_in(&packet), Some(2));
        packet[0] = 0x60;
        assert_eq!(number_in(&packet), None, "another protocol");
        assert_eq!(number_in(&packet[..19]), None, "no packet");
    }

    #[test]
    fn as_many_are_lost_as_was_said() {
        let ways = vec![vec![Way::CLEAR, Way::BAD], vec![Way::CUT, Way::CLEAR]];
        let mut ways = Ways { ways, random: Random(1), carried: 0, lost: 0 };
        let mut carried = |from, to| (0..10_000).filter(|_| ways.take(from, to).is_some()).count();
        assert_eq!((carried(0, 0), carried(1, 0)), (10_000, 0));
        assert!((9_350..9_650).contains(&carried(0, 1)));
        let due = (0..100).find_map(|_| ways.take(0, 1)).expect("one gets through");
        assert!(due > Instant::now() + Duration::from_millis(100));
        assert!(ways.take(0, 2).is_none(), "nobody is there");
    }
}
