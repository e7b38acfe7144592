//! Where a server of the tests' own runs: on this machine as it is, or in a network namespace with an address of its own.

use std::ffi::OsString;
use std::io;
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::Command;

/// An address, and how to come to where it is.
#[derive(Clone, Debug)]
pub struct Place {
    address: IpAddr,
    /// The program and its arguments that run another one there; none if that is here.
    enter: Vec<OsString>,
}

impl Place {
    /// This machine, for nobody else.
    pub fn here() -> Self {
        Self { address: Ipv4Addr::LOCALHOST.into(), enter: Vec::new() }
    }

    /// A network of its own, and what stands before a command to run it there, such as `nsenter --target 7 --net --`.
    pub fn elsewhere(address: IpAddr, enter: Vec<OsString>) -> Self {
        Self { address, enter }
    }

    /// The address there.
    pub fn address(&self) -> IpAddr {
        self.address
    }

    /// Whether that is this machine as it is.
    pub fn is_here(&self) -> bool {
        self.enter.is_empty()
    }

    /// A program that is run there.
    pub fn command(&self, program: &Path) -> Command {
        let Some((first, rest)) = self.enter.split_first() else { return Command::new(program) };
        let mut command = Command::new(first);
        command.args(rest).arg(program);
        command
    }

    /// A port on which nobody listens: the usual one in a network where nobody else is.
    pub fn port(&self, usual: u16) -> io::Result<u16> {
        if !self.is_here() {
            return Ok(usual);
        }
        let free = TcpListener::bind((self.address, 0))?;
        Ok(free.local_addr()?.port())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_elsewhere_is_run_by_what_goes_there() {
        let here = Place::here().command(Path::new("psql"));
        assert_eq!((here.get_program(), here.get_args().count()), ("psql".as_ref(), 0));
        let words = ["nsenter", "--net"].map(OsString::from).to_vec();
        let there = Place::elsewhere(Ipv4Addr::new(10, 77, 0, 2).into(), words);
        let command = there.command(Path::new("psql"));
        assert_eq!(command.get_program(), "nsenter");
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["--net", "psql"]);
        assert_eq!(there.port(5432).expect("one"), 5432);
        assert_ne!(Place::here().port(5432).expect("one"), 0);
    }
}
