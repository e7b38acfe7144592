//! Which database is meant, read from an address such as `postgres:///maproom?host=/run/postgresql`.

use std::time::Duration;

use store::StoreError;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

/// How long a statement may wait for a row that somebody else changes, and how long it may take.
const LIMITS: &str =
    "-c lock_timeout=2000 -c statement_timeout=5000 -c idle_in_transaction_session_timeout=20000";

/// How long it may take until a connection is there.
const CONNECT: Duration = Duration::from_secs(5);
/// How long the system goes on sending to a server that does not answer.
const UNANSWERED: Duration = Duration::from_secs(5);
/// How long a connection is silent before the system asks whether anybody is there, and how often it then asks: a line on which nothing
/// comes back any more is noticed also if whatever was sent had arrived.
const SILENT: Duration = Duration::from_secs(2);
const ASKS: Duration = Duration::from_secs(1);
const TIMES: u32 = 3;

/// A database and how to connect to it.
pub(crate) struct Target {
    pub(crate) config: Config,
    /// Its address without what opens it.
    pub(crate) place: String,
}

impl Target {
    /// Reads an address.
    pub(crate) fn read(address: &str) -> Result<Self, StoreError> {
        let refuse = |why: String| Err(StoreError::Other(why));
        let mut config: Config = match address.parse() {
            Ok(config) => config,
            // What stands in the address may be a password, so it is not repeated.
            Err(why) => {
                return refuse(format!(
                    "the address of the database can't be read: {}. It looks like \
                     postgres:///maproom?host=/run/postgresql or postgres://maproom:PASSWORD@127.0.0.1/maproom",
                    crate::errors::detail(&why)
                ));
            }
        };
        if config.get_dbname().is_none() {
            return refuse(
                "the address of the database names none: such as postgres://HOST/maproom".to_owned(),
            );
        }
        let addresses = config.get_hostaddrs().iter().filter(|address| !address.is_loopback());
        let away: Vec<String> =
            config.get_hosts().iter().filter_map(away).chain(addresses.map(ToString::to_string)).collect();
        let is_encrypted = matches!(config.get_ssl_mode(), SslMode::Require);
        if is_encrypted {
            return refuse(
                "sslmode=require: this Maproom speaks no TLS to databases. Use a socket of this machine \
                 (postgres:///maproom?host=/run/postgresql) or a tunnel to it (ssh, WireGuard, stunnel)"
                    .to_owned(),
            );
        }
        if let (Some(host), false) = (away.first(), config.get_ssl_mode() == SslMode::Disable) {
            return refuse(format!(
                "the database at {host} is on another machine, and this Maproom speaks no TLS to databases: \
                 everybody in between could read the matches. Use a tunnel to it (ssh, WireGuard, stunnel), or, if the \
                 network is your own, add sslmode=disable to the address"
            ));
        }
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            #[cfg(unix)]
            config.host_path("/run/postgresql");
            #[cfg(not(unix))]
            config.host("127.0.0.1");
        }
        let place = place(&config);
        let options = config.get_options().map_or_else(|| LIMITS.to_owned(), |own| format!("{LIMITS} {own}"));
        config.options(options).ssl_mode(SslMode::Disable).connect_timeout(CONNECT);
        config.tcp_user_timeout(UNANSWERED);
        config.keepalives_idle(SILENT).keepalives_interval(ASKS).keepalives_retries(TIMES);
        if config.get_application_name().is_none() {
            config.application_name("maproom");
        }
        Ok(Self { config, place })
    }
}

/// The name of a host that is not this machine.
fn away(host: &Host) -> Option<String> {
    match host {
        #[cfg(unix)]
        Host::Unix(_) => None,
        Host::Tcp(name) => {
            let is_here = name == "localhost"
                || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
            (!is_here).then(|| name.clone())
        }
    }
}

/// Where a database is, without user and password.
fn place(config: &Config) -> String {
    let host = match config.get_hosts().first() {
        #[cfg(unix)]
        Some(Host::Unix(path)) => {
            format!("/{}?host={}", config.get_dbname().unwrap_or_default(), path.display())
        }
        Some(Host::Tcp(name)) => {
            let port = config.get_ports().first().map(|port| format!(":{port}")).unwrap_or_default();
            format!("{name}{port}/{}", config.get_dbname().unwrap_or_default())
        }
        None => format!("/{}", config.get_dbname().unwrap_or_default()),
    };
    format!("postgres://{host}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(address: &str) -> String {
        Target::read(address).err().expect("refused").to_string()
    }

    #[test]
    fn what_opens_a_database_is_not_told() {
        let target = Target::read("postgres://me:hush@127.0.0.1:5433/maproom").expect("read");
        assert_eq!(target.place, "postgres://127.0.0.1:5433/maproom");
        let target = Target::read("postgres://me:hush@/maproom?host=/run/postgresql").expect("read");
        assert_eq!(target.place, "postgres:///maproom?host=/run/postgresql");
        assert_eq!(
            Target::read("postgres:///maproom").expect("read").place,
            "postgres:///maproom?host=/run/postgresql"
        );
        assert!(!refusal("postgres://me:hush@127.0.0.1:port/maproom").contains("hush"));
    }

    #[test]
    fn nobody_reads_what_goes_to_another_machine() {
        assert!(refusal("postgres://db.example/maproom").contains("sslmode=disable"));
        assert!(refusal("postgres://127.0.0.1/maproom?sslmode=require").contains("no TLS"));
        assert!(refusal("postgres://127.0.0.1").contains("names none"));
        assert!(Target::read("postgres://db.example/maproom?sslmode=disable").is_ok());
        assert!(Target::read("postgres://localhost/maproom").is_ok());
    }
}
