//! The machines: network namespaces, each with an address of its own, which live as long as a process in them that ends with the test.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use testkit::place::Place;

use crate::ether::Ether;
use crate::house::until;

/// The machines. People are where the test is.
pub const PEOPLE: usize = 0;
pub const DATABASE: usize = 1;
pub const NATS: usize = 2;
/// The first server.
pub const A: usize = 3;
/// The second.
pub const B: usize = 4;
const COUNT: usize = 5;

/// The names in what is told of them.
pub const NAMES: [&str; COUNT] = ["people", "database", "NATS", "A", "B"];

/// All machines, and the network between them.
pub struct Hosts {
    pub ether: Ether,
    /// Who keeps the namespaces of all but the first: they end when their input does.
    keepers: Vec<Child>,
}

/// The address of a machine.
pub fn address(host: usize) -> IpAddr {
    Ipv4Addr::new(10, 77, 0, u8::try_from(host + 1).expect("a small number")).into()
}

fn interface(host: usize) -> String {
    format!("maproom{host}")
}

impl Hosts {
    /// Makes them. The process must be in a network namespace of its own and its root.
    pub fn build(seed: u64) -> Self {
        let ether = Ether::begin(COUNT, interface, seed);
        let ether = ether.unwrap_or_else(|why| panic!("the interfaces of the machines can't be made: {why}"));
        let own = std::fs::read_link("/proc/self/ns/net").expect("its namespace");
        let keepers = (1..COUNT).map(|host| {
            let mut keeper = Command::new("unshare");
            keeper.args(["--net", "--", "cat"]).stdin(Stdio::piped()).stdout(Stdio::null());
            let keeper = keeper.spawn().expect("unshare starts");
            let namespace = format!("/proc/{}/ns/net", keeper.id());
            until("a namespace", || {
                std::fs::read_link(&namespace).ok().filter(|namespace| *namespace != own)
            });
            run(Command::new("ip").args([
                "link",
                "set",
                &interface(host),
                "netns",
                &keeper.id().to_string(),
            ]));
            keeper
        });
        let hosts = Self { ether, keepers: keepers.collect() };
        for host in 0..COUNT {
            let (interface, address) = (interface(host), format!("{}/24", address(host)));
            hosts.ip(host, &["link", "set", "lo", "up"]);
            hosts.ip(host, &["address", "add", &address, "dev", &interface]);
            hosts.ip(host, &["link", "set", &interface, "up"]);
        }
        hosts
    }

    /// A machine as a place of servers.
    pub fn place(&self, host: usize) -> Place {
        Place::elsewhere(address(host), self.enter(host))
    }

    /// What stands before a command that is to run on a machine.
    fn enter(&self, host: usize) -> Vec<OsString> {
        let Some(keeper) = host.checked_sub(1).and_then(|index| self.keepers.get(index)) else {
            return Vec::new();
        };
        let process = keeper.id().to_string();
        ["nsenter", "--target", &process, "--net", "--"].map(OsString::from).to_vec()
    }

    /// A program on a machine; it ends with the thread that starts it, however that ends.
    pub fn command(&self, host: usize, program: &Path) -> Command {
        let mut command = self.place(host).command(Path::new("setpriv"));
        command.args(["--pdeathsig", "KILL", "--"]).arg(program);
        command
    }

    fn ip(&self, host: usize, arguments: &[&str]) {
        run(self.place(host).command(Path::new("ip")).args(arguments));
    }

    /// Pulls the plug of a machine, or puts it back.
    pub fn plug(&self, host: usize, is_in: bool) {
        self.ip(host, &["link", "set", &interface(host), if is_in { "up" } else { "down" }]);
    }

    /// Has a machine know no way to another, or know it again.
    pub fn forget_way(&self, from: usize, to: usize, is_known: bool) {
        let change = if is_known { "del" } else { "add" };
        self.ip(from, &["route", change, "blackhole", &address(to).to_string()]);
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for keeper in &mut self.keepers {
            drop(keeper.stdin.take());
            drop(keeper.wait());
        }
    }
}

/// Runs a program to its end, which must be a good one.
fn run(command: &mut Command) {
    let done = command.output();
    let done = done.unwrap_or_else(|why| panic!("{command:?} can't be started: {why}"));
    assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
}
