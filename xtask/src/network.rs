//! What the test over a network that fails needs: `ip`, and leave to make network namespaces with TUN devices. The test makes
//! everything else by itself.

use std::process::Command;

use crate::browser::install;
use crate::run::succeeds;

/// Where administrators have their programs, which is on no ordinary user's path.
const SBIN: &str = "/usr/sbin:/sbin";

/// What was found.
pub struct Network {
    missing: Option<String>,
}

/// Makes sure of `ip`, and looks whether it may be used.
pub fn set_up() -> Network {
    println!("== network namespaces");
    let installed = if succeeds(with_path("ip").arg("-V")) { Ok(()) } else { install(&["iproute2"]) };
    let missing = match installed {
        Err(why) => Some(format!("there is no `ip` ({why}; Debian: apt-get install iproute2)")),
        Ok(()) if WAYS.iter().any(|words| is_allowed(words)) => None,
        Ok(()) => Some(
            "this user may make no network namespace with a TUN device in it. It takes either root, or user namespaces for all \
             (`unshare --user --map-root-user --net`) and a /dev/net/tun that all may write to"
                .to_owned(),
        ),
    };
    let network = Network { missing };
    network.remind();
    network
}

/// How to come into a network of one's own: as root, or as root of a user namespace.
const WAYS: [&[&str]; 2] = [&["--net"], &["--user", "--map-root-user", "--net"]];

fn is_allowed(words: &[&str]) -> bool {
    let mut trial = with_path("unshare");
    trial.args(words).args(["--", "ip", "tuntap", "add", "dev", "trial", "mode", "tun"]);
    succeeds(&mut trial)
}

/// A program that may be an administrator's.
fn with_path(program: &str) -> Command {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("env");
    command.arg(format!("PATH={path}:{SBIN}")).arg(program);
    command
}

impl Network {
    /// Says what is missing.
    pub fn remind(&self) {
        if let Some(why) = &self.missing {
            println!("   no partition of a network is tested: {why}");
        }
    }
}
