//! Which database is meant, read from an address such as `postgres:///maproom?host=/run/postgresql`.

use std::net::IpAddr;
use std::time::Duration;

use store::StoreError;
use tokio::time::timeout;
use tokio_postgres::config::{ChannelBinding, Host, SslMode};
use tokio_postgres::{Client, Config, Connection, Socket};

use crate::address::{Address, Mode};
use crate::errors::detail;
use crate::tls::{Stream, Tls};

/// How long a statement may wait for a row that somebody else changes, and how long it may take.
const LIMITS: &str =
    "-c lock_timeout=2000 -c statement_timeout=5000 -c idle_in_transaction_session_timeout=20000";

/// How long the system may take until a connection is there.
const CONNECT: Duration = Duration::from_secs(5);
/// How long connecting may take in all, with encryption and password.
pub(crate) const CONNECTING: Duration = Duration::from_secs(12);
/// How long the system goes on sending to a server that does not answer.
const UNANSWERED: Duration = Duration::from_secs(5);
/// How long a connection is silent before the system asks whether anybody is there, and how often it then asks: a line on which nothing
/// comes back any more is noticed also if whatever was sent had arrived.
const SILENT: Duration = Duration::from_secs(2);
const ASKS: Duration = Duration::from_secs(1);
const TIMES: u32 = 3;

/// A database and how to connect to it.
#[derive(Clone)]
pub(crate) struct Target {
    config: Config,
    tls: Tls,
    /// Its address without what opens it.
    pub(crate) place: String,
}

impl Target {
    /// Reads an address, and the authorities whose certificates count.
    pub(crate) fn read(address: &str) -> Result<Self, StoreError> {
        Self::understand(address).map_err(StoreError::Other)
    }

    fn understand(address: &str) -> Result<Self, String> {
        let Address { rest, mode, roots, says_binding } = Address::read(address)?;
        // What stands in the address may be a password, so it is not repeated.
        let mut config: Config = rest.parse().map_err(|why| {
            format!(
                "the address of the database can't be read: {}. It looks like \
                 postgres:///maproom?host=/run/postgresql or postgres://maproom:PASSWORD@db.example/maproom",
                detail(&why)
            )
        })?;
        if config.get_dbname().is_none() {
            return Err("the address of the database names none: such as postgres://HOST/maproom".to_owned());
        }
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            #[cfg(unix)]
            config.host_path("/run/postgresql");
            #[cfg(not(unix))]
            config.host("127.0.0.1");
        }
        let place = place(&config);
        let mode = match mode {
            Some(mode) => mode,
            None if roots.is_none() && !is_away(&config) => Mode::Disable,
            None => Mode::VerifyFull,
        };
        let tls = Tls::new(mode, roots.as_ref())?;
        if tls.is_on() {
            if config.get_hosts().iter().any(is_socket) {
                return Err("there is no TLS over a socket of this machine, and nobody who could listen: leave sslmode \
                            and sslrootcert out of the address"
                    .to_owned());
            }
            if config.get_hosts().is_empty() {
                // Then these are what certificates must be for.
                for address in config.get_hostaddrs().to_vec() {
                    config.host(address.to_string());
                }
            }
            config.ssl_mode(SslMode::Require);
        } else {
            config.ssl_mode(SslMode::Disable);
        }
        if mode == Mode::Require && roots.is_none() && !says_binding {
            // As nobody looks at the certificate, the password has to prove that there is nobody in between.
            config.channel_binding(ChannelBinding::Require);
        }
        let options = config.get_options().map_or_else(|| LIMITS.to_owned(), |own| format!("{LIMITS} {own}"));
        config.options(options).connect_timeout(CONNECT).tcp_user_timeout(UNANSWERED);
        config.keepalives_idle(SILENT).keepalives_interval(ASKS).keepalives_retries(TIMES);
        if config.get_application_name().is_none() {
            config.application_name("maproom");
        }
        Ok(Self { config, tls, place })
    }

    /// Makes a connection. The error is in words.
    pub(crate) async fn connect(&self) -> Result<(Client, Connection<Socket, Stream>), String> {
        match timeout(CONNECTING, self.config.connect(self.tls.clone())).await {
            Ok(connected) => connected.map_err(|why| detail(&why)),
            Err(_) => Err("it does not answer".to_owned()),
        }
    }
}

/// Whether a database is on another machine.
fn is_away(config: &Config) -> bool {
    let is_away = |host: &Host| match host {
        #[cfg(unix)]
        Host::Unix(_) => false,
        Host::Tcp(name) => {
            name != "localhost" && name.parse::<IpAddr>().map_or(true, |address| !address.is_loopback())
        }
    };
    config.get_hosts().iter().any(is_away)
        || config.get_hostaddrs().iter().any(|address| !address.is_loopback())
}

fn is_socket(host: &Host) -> bool {
    !matches!(host, Host::Tcp(_))
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
        Target::read(address).err().expect(address).to_string()
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

    /// What the connections to this address are like: encrypted or not, and how far the password is bound to them.
    fn way(address: &str) -> (SslMode, ChannelBinding) {
        let target = Target::read(address).expect(address);
        assert_eq!(target.tls.is_on(), target.config.get_ssl_mode() == SslMode::Require);
        (target.config.get_ssl_mode(), target.config.get_channel_binding())
    }

    #[test]
    fn nobody_reads_what_goes_to_another_machine() {
        use ChannelBinding as Binding;
        let open = (SslMode::Disable, Binding::Prefer);
        let secret = (SslMode::Require, Binding::Prefer);
        for (address, expected) in [
            ("postgres:///maproom", open),
            ("postgres://localhost/maproom", open),
            ("postgres://127.0.0.1,[::1]/maproom", open),
            ("postgres://db.example/maproom?sslmode=disable", open),
            ("postgres://db.example/maproom", secret),
            ("postgres://localhost,db.example/maproom", secret),
            ("postgres:///maproom?hostaddr=10.0.0.5", secret),
            ("postgres://localhost/maproom?hostaddr=10.0.0.5", secret),
            ("postgres://localhost/maproom?sslmode=verify-full", secret),
            ("postgres://localhost/maproom?sslrootcert=system", secret),
            ("postgres://db.example/maproom?sslmode=require", (SslMode::Require, Binding::Require)),
            ("postgres://db.example/maproom?sslmode=require&channel_binding=prefer", secret),
            (
                "postgres://db.example/maproom?sslmode=require&channel_binding=disable",
                (SslMode::Require, Binding::Disable),
            ),
        ] {
            assert_eq!(way(address), expected, "{address}");
        }
        let target = Target::read("postgres:///maproom?hostaddr=10.0.0.5").expect("read");
        assert_eq!(target.config.get_hosts(), [Host::Tcp("10.0.0.5".to_owned())]);
    }

    #[test]
    fn what_would_protect_from_nobody_is_refused() {
        for (address, words) in [
            ("postgres://127.0.0.1", "names none"),
            ("postgres://db.example/maproom?sslmode=prefer", "sslmode=verify-full"),
            ("postgres://db.example/maproom?sslmode=verify-ca", "verify-full is needed"),
            ("postgres://db.example/maproom?sslmode=require&sslrootcert=system", "verify-full is needed"),
            ("postgres://db.example/maproom?sslmode=disable&sslrootcert=system", "leave one of them out"),
            ("postgres:///maproom?sslmode=verify-full", "no TLS over a socket"),
            ("postgres://db.example/maproom?host=/run/postgresql", "no TLS over a socket"),
            ("postgres://db.example/maproom?sslrootcert=/nowhere/ca.pem", "sslrootcert=/nowhere/ca.pem"),
            ("postgres://db.example/maproom?sslcrl=x", "unknown option `sslcrl`"),
        ] {
            let why = refusal(address);
            assert!(why.contains(words), "{address}: {why}");
        }
    }
}
