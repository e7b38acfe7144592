//! The connection to NATS.

use std::fmt;
use std::future::Future;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event};
use tokio::runtime::{Builder, Runtime};

use crate::key::read_key;

/// How long to try to connect.
const CONNECT: Duration = Duration::from_secs(5);
/// How long to wait before another try to connect again, at most.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Which server, and who one is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its address, such as `nats://127.0.0.1:4222`; it may hold a name and a password. `tls://` asks for TLS.
    pub address: String,
    /// The file with the key, if it wants one.
    pub key: Option<PathBuf>,
}

/// Without the password.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, rest) = self.address.split_once("://").unwrap_or(("nats", &self.address));
        let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
        write!(f, "{scheme}://{host}")
    }
}

impl Target {
    /// Whether nobody on the way to it can read what is said: it is on this machine, or asks for TLS.
    pub fn is_private(&self) -> bool {
        self.is_here() || self.has_tls()
    }

    fn has_tls(&self) -> bool {
        self.address.starts_with("tls://")
    }

    /// Whether it is on this machine.
    fn is_here(&self) -> bool {
        let rest = self.address.split_once("://").map_or(self.address.as_str(), |(_, rest)| rest);
        let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
        let host = match host.strip_prefix('[') {
            Some(bracketed) => bracketed.split(']').next().unwrap_or_default(),
            None => host.split(':').next().unwrap_or_default(),
        };
        host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
    }

    /// Connects. From then on it connects again by itself; `hear` is told whether it is connected.
    pub(crate) async fn connect<H, F>(&self, who: &str, hear: H) -> Result<Client, NoLine>
    where
        H: Fn(bool) -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + Sync + 'static,
    {
        self.connect_with(ConnectOptions::new(), who, hear).await
    }

    /// The same for somebody who does not want to hear what they say themselves.
    pub(crate) async fn connect_quietly<H, F>(&self, who: &str, hear: H) -> Result<Client, NoLine>
    where
        H: Fn(bool) -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + Sync + 'static,
    {
        self.connect_with(ConnectOptions::new().no_echo(), who, hear).await
    }

    async fn connect_with<H, F>(
        &self,
        mut options: ConnectOptions,
        who: &str,
        hear: H,
    ) -> Result<Client, NoLine>
    where
        H: Fn(bool) -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + Sync + 'static,
    {
        if let Some(file) = &self.key {
            options = options.nkey(read_key(file).map_err(NoLine::ForGood)?);
        }
        // A server of a cluster may name others to go to when it is gone: what was private stays so.
        if self.has_tls() {
            options = options.require_tls(true);
        } else if self.is_here() {
            options = options.ignore_discovered_servers();
        }
        let options = options
            .name(format!("maproom {who}"))
            // Answers to one kind of participant are nothing that another may read.
            .custom_inbox_prefix(format!("_INBOX_{who}"))
            .connection_timeout(CONNECT)
            .request_timeout(Some(CONNECT))
            .ping_interval(Duration::from_secs(5))
            .reconnect_delay_callback(|tries| {
                LONGEST_PAUSE.min(Duration::from_millis(50).saturating_mul(tries as u32))
            })
            .event_callback(move |event| {
                if let Event::ServerError(why) = &event {
                    tracing::warn!("NATS: {why}");
                }
                let heard = match event {
                    Event::Connected => Some(hear(true)),
                    Event::Disconnected => Some(hear(false)),
                    _ => None,
                };
                async move {
                    if let Some(heard) = heard {
                        heard.await;
                    }
                }
            });
        let connected = tokio::time::timeout(2 * CONNECT, options.connect(self.address.as_str())).await;
        match connected {
            Ok(Ok(client)) => Ok(client),
            Ok(Err(why)) if is_for_good(why.kind()) => {
                Err(NoLine::ForGood(format!("NATS at {self} does not let us in: {why}")))
            }
            Ok(Err(why)) => Err(NoLine::ForNow(format!("can't reach NATS at {self}: {why}"))),
            Err(_) => Err(NoLine::ForNow(format!("can't reach NATS at {self}: no answer"))),
        }
    }
}

/// Why there is no connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoLine {
    /// The server may come.
    ForNow(String),
    /// It will not become better by itself.
    ForGood(String),
}

impl From<NoLine> for String {
    fn from(why: NoLine) -> Self {
        match why {
            NoLine::ForNow(why) | NoLine::ForGood(why) => why,
        }
    }
}

/// Says why there is still no connection: once, if it will not become better by itself.
#[derive(Default)]
pub(crate) struct Complaint(String);

impl Complaint {
    pub fn say(&mut self, why: NoLine) {
        match why {
            NoLine::ForGood(why) if why != self.0 => {
                tracing::warn!("{why}");
                self.0 = why;
            }
            NoLine::ForGood(why) | NoLine::ForNow(why) => tracing::debug!("{why}"),
        }
    }
}

fn is_for_good(kind: ConnectErrorKind) -> bool {
    use ConnectErrorKind::{Authentication, AuthorizationViolation, ServerParse, Tls};
    matches!(kind, Authentication | AuthorizationViolation | ServerParse | Tls)
}

/// Threads for the connection. What waits for it does so elsewhere.
pub(crate) fn runtime() -> Result<Runtime, String> {
    let mut builder = Builder::new_multi_thread();
    let built = builder.worker_threads(1).thread_name("nats").enable_all().build();
    built.map_err(|why| format!("can't begin to work: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_on_this_machine_or_with_tls_nobody_listens() {
        let is_private = |address: &str| Target { address: address.to_owned(), key: None }.is_private();
        let private = [
            "nats://127.0.0.1:4222",
            "localhost:4222",
            "nats://me:pw@[::1]:4222",
            "tls://war.example",
            "tls://10.0.0.7",
        ];
        let open = [
            "nats://10.0.0.7:4222",
            "nats://localhost.example",
            "nats://127.0.0.1@war.example",
            "war.example",
        ];
        assert!(private.iter().all(|address| is_private(address)));
        assert!(!open.iter().any(|address| is_private(address)));
    }

    #[test]
    fn passwords_are_not_shown() {
        let shown = |address: &str| Target { address: address.to_owned(), key: None }.to_string();
        assert_eq!(shown("nats://lent:secret@war.example:4222"), "nats://war.example:4222");
        assert_eq!(shown("lent:se@cret@war.example"), "nats://war.example");
        assert_eq!(shown("tls://war.example"), "tls://war.example");
        assert_eq!(shown("127.0.0.1:4222"), "nats://127.0.0.1:4222");
    }
}
