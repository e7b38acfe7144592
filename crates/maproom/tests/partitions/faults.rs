//! What fails, and how it is mended.

use std::thread;
use std::time::{Duration, Instant};

use crate::bots::Bots;
use crate::ether::Way;
use crate::hosts::{A, B, DATABASE, NAMES, NATS, PEOPLE};
use crate::house::Random;
use crate::probe::Probe;
use crate::site::Site;

/// How long a lease is; whoever stands still stands longer.
const LEASE: Duration = Duration::from_secs(10);

/// What can fail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// A server and the database hear nothing of each other.
    DatabaseCut,
    /// The database hears nothing of a server.
    DatabaseDeaf,
    /// A server hears nothing of the database.
    DatabaseMute,
    /// A server knows no way to the database.
    NoWay,
    /// Nobody hears of the database, nor it of anybody.
    DatabaseAlone,
    /// A server and NATS hear nothing of each other.
    NatsCut,
    /// A server hears nothing of NATS.
    NatsMute,
    /// The servers hear nothing of each other.
    PeerCut,
    /// The people hear nothing of a server.
    PeopleCut,
    /// The line between a server and the database is long and bad.
    BadLine,
    /// So is everything that a server is on.
    BadLines,
    /// A server is pulled from the network.
    Unplugged,
    /// A server stands still longer than its leases last.
    StandsStill,
}

/// All of them, in the order of the summary.
pub const ALL: [Fault; 13] = [
    Fault::DatabaseCut,
    Fault::DatabaseDeaf,
    Fault::DatabaseMute,
    Fault::NoWay,
    Fault::DatabaseAlone,
    Fault::NatsCut,
    Fault::NatsMute,
    Fault::PeerCut,
    Fault::PeopleCut,
    Fault::BadLine,
    Fault::BadLines,
    Fault::Unplugged,
    Fault::StandsStill,
];

impl Fault {
    /// Its name in the summary.
    pub fn name(self) -> &'static str {
        match self {
            Self::DatabaseCut => "server from database",
            Self::DatabaseDeaf => "only what goes there",
            Self::DatabaseMute => "only what comes back",
            Self::NoWay => "no route there",
            Self::DatabaseAlone => "database from all",
            Self::NatsCut => "server from NATS",
            Self::NatsMute => "only what NATS says",
            Self::PeerCut => "server from server",
            Self::PeopleCut => "people from server",
            Self::BadLine => "200 ms and 5 % loss to the database",
            Self::BadLines => "and to all",
            Self::Unplugged => "unplugged",
            Self::StandsStill => "stands still",
        }
    }

    /// Lets it happen to a server, tries what still works and what does not, and mends it.
    pub fn happen(self, host: usize, site: &Site, probe: &mut Probe<'_>, bots: &Bots, random: &mut Random) {
        let other = A + B - host;
        self.turn(host, site, true);
        match self {
            Self::DatabaseCut | Self::DatabaseDeaf | Self::DatabaseMute | Self::NoWay => {
                probe.expect_refusals(host);
                probe.go_on_elsewhere(other);
            }
            Self::DatabaseAlone => [host, other].into_iter().for_each(|host| probe.expect_refusals(host)),
            Self::NatsCut | Self::NatsMute => probe.expect_updates(),
            Self::PeerCut => [host, other].into_iter().for_each(|host| probe.go_on_elsewhere(host)),
            Self::PeopleCut | Self::Unplugged => {
                thread::sleep(Duration::from_millis(random.next() % 6_000));
                probe.go_on_elsewhere(other);
            }
            Self::BadLine | Self::BadLines => {
                for host in [other, host] {
                    probe.go_on(host);
                }
                thread::sleep(Duration::from_millis(random.next() % 3_000));
            }
            Self::StandsStill => {
                let begun = Instant::now();
                probe.go_on_elsewhere(other);
                bots.go_on(site);
                let rest = LEASE + Duration::from_millis(random.next() % 3_000);
                thread::sleep(rest.saturating_sub(begun.elapsed()));
            }
        }
        self.turn(host, site, false);
    }

    /// Has it begin or end.
    fn turn(self, host: usize, site: &Site, begins: bool) {
        let hosts = &site.hosts;
        let one_way = |from, to, way| hosts.ether.set(from, to, if begins { way } else { Way::CLEAR });
        let both = |one, other, way| {
            one_way(one, other, way);
            one_way(other, one, way);
        };
        match self {
            Self::DatabaseCut => both(host, DATABASE, Way::CUT),
            Self::DatabaseDeaf => one_way(host, DATABASE, Way::CUT),
            Self::DatabaseMute => one_way(DATABASE, host, Way::CUT),
            Self::NoWay => hosts.forget_way(host, DATABASE, !begins),
            Self::DatabaseAlone => (0..NAMES.len()).for_each(|other| both(DATABASE, other, Way::CUT)),
            Self::NatsCut => both(host, NATS, Way::CUT),
            Self::NatsMute => one_way(NATS, host, Way::CUT),
            Self::PeerCut => both(A, B, Way::CUT),
            Self::PeopleCut => both(PEOPLE, host, Way::CUT),
            Self::BadLine => both(host, DATABASE, Way::BAD),
            Self::BadLines => (0..NAMES.len()).for_each(|other| both(host, other, Way::BAD)),
            Self::Unplugged => hosts.plug(host, !begins),
            Self::StandsStill => site.signal(host, if begins { "-STOP" } else { "-CONT" }),
        }
    }
}
