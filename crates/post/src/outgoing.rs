//! Requests to addresses that users have named.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Error};

use crate::is_public;

/// How long a request may take, from looking the name up to the head of the answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// How much of an answer is read at most. It is its head: nothing beyond the status is looked at.
const LARGEST_ANSWER: usize = 64 * 1024;

/// Which addresses may be connected to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Those of the public network, by https.
    Public,
    /// This machine too, and that without encryption: for tests only.
    LoopbackToo,
}

/// Why something could not be delivered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The status that the other side answered with, if it answered.
    pub status: Option<u16>,
    /// What to tell the owner of the channel: nothing about the house or its network.
    pub why: String,
}

impl Refusal {
    pub(crate) fn status(status: u16) -> Refusal {
        Refusal { status: Some(status), why: format!("the other side answered with status {status}") }
    }

    pub(crate) fn no_answer(why: impl Into<String>) -> Refusal {
        Refusal { status: None, why: why.into() }
    }
}

/// Looks names up and lets only allowed addresses through. The connection is made to what is returned here, so no second look-up
/// can lead elsewhere.
struct Checked {
    reach: Reach,
    names: DefaultResolver,
}

impl fmt::Debug for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checked").field("reach", &self.reach).finish_non_exhaustive()
    }
}

impl Checked {
    fn may_reach(&self, uri: &Uri, address: SocketAddr) -> bool {
        let encrypted = uri.scheme_str() == Some("https");
        let ip = address.ip();
        match self.reach {
            Reach::Public => encrypted && is_public(ip),
            Reach::LoopbackToo => ip.is_loopback() || (encrypted && is_public(ip)),
        }
    }
}

impl Resolver for Checked {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        let mut allowed = self.empty();
        for address in &self.names.resolve(uri, config, timeout)? {
            if self.may_reach(uri, *address) {
                allowed.push(*address);
            }
        }
        if allowed.is_empty() { Err(Error::HostNotFound) } else { Ok(allowed) }
    }
}

/// Sends requests to addresses that users have named: public ones only, by https, without following redirects, with a limit on
/// time and size. A proxy of the environment is not used, for then somebody else would look the names up.
#[derive(Clone, Debug)]
pub struct Outgoing {
    agent: Agent,
    reach: Reach,
}

impl Outgoing {
    /// For addresses within reach.
    pub fn new(reach: Reach) -> Outgoing {
        Outgoing::with_patience(reach, PATIENCE)
    }

    fn with_patience(reach: Reach, patience: Duration) -> Outgoing {
        let config = Agent::config_builder()
            .https_only(reach == Reach::Public)
            .proxy(None)
            .max_redirects(0)
            .http_status_as_error(false)
            .timeout_global(Some(patience))
            .max_response_header_size(LARGEST_ANSWER)
            // A connection that is kept would be one whose address was checked long ago.
            .max_idle_connections(0)
            .user_agent("Maproom")
            .build();
        let names = Checked { reach, names: DefaultResolver::default() };
        Outgoing { agent: Agent::with_parts(config, DefaultConnector::default(), names), reach }
    }

    /// What is wrong with an address that somebody enters, if it can be told without connecting.
    pub fn check(&self, address: &str) -> Result<(), String> {
        let uri: Uri = address.parse().map_err(|_| "This is no web address.".to_owned())?;
        let allowed = uri.scheme_str() == Some("https")
            || (self.reach == Reach::LoopbackToo && uri.scheme_str() == Some("http"));
        match uri.authority() {
            Some(authority)
                if allowed && !authority.as_str().contains('@') && !authority.host().is_empty() =>
            {
                Ok(())
            }
            _ => Err("The address must begin with https:// and have no user name in it.".to_owned()),
        }
    }

    /// Posts a body. Anything but a status from 200 to 299 is a refusal; the body of the answer is not read.
    pub fn post(&self, address: &str, headers: &[(&str, String)], body: &[u8]) -> Result<(), Refusal> {
        self.check(address).map_err(Refusal::no_answer)?;
        let mut request = self.agent.post(address);
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        match request.send(body) {
            Ok(answer) if answer.status().is_success() => Ok(()),
            Ok(answer) => Err(Refusal::status(answer.status().as_u16())),
            Err(error) => Err(Refusal::no_answer(in_words(&error))),
        }
    }
}

/// An error without anything that tells about the house's network.
fn in_words(error: &Error) -> &'static str {
    match error {
        Error::Timeout(_) => "no answer within 5 seconds",
        Error::HostNotFound => "no public address of that name was found",
        Error::Io(why) if why.kind() == std::io::ErrorKind::ConnectionRefused => "the connection was refused",
        // What the encryption objects to comes wrapped as bad data.
        Error::Io(why) if why.kind() == std::io::ErrorKind::InvalidData => {
            "no secure connection could be made"
        }
        Error::Rustls(_) | Error::Tls(_) => "no secure connection could be made",
        Error::LargeResponseHeader(..) => "the answer was too long",
        Error::BadUri(_) | Error::Http(_) => "the address can't be used",
        _ => "the connection failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn each_address_of_a_name_is_judged_by_itself() {
        let may_reach = |reach, scheme: &str, address: &str| {
            let names = Checked { reach, names: DefaultResolver::default() };
            let uri = format!("{scheme}://example.org/").parse().unwrap();
            names.may_reach(&uri, SocketAddr::new(address.parse().unwrap(), 443))
        };
        for (scheme, address, public, loopback_too) in [
            ("https", "1.1.1.1", true, true),
            ("https", "2606:4700::1111", true, true),
            ("http", "1.1.1.1", false, false),
            ("https", "127.0.0.1", false, true),
            ("http", "127.0.0.1", false, true),
            ("http", "::1", false, true),
            ("https", "10.0.0.1", false, false),
            ("https", "169.254.169.254", false, false),
            ("https", "::ffff:127.0.0.1", false, false),
        ] {
            assert_eq!(may_reach(Reach::Public, scheme, address), public, "{scheme} {address}");
            assert_eq!(may_reach(Reach::LoopbackToo, scheme, address), loopback_too, "{scheme} {address}");
        }
    }

    #[test]
    fn who_never_answers_is_not_waited_for() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let outgoing = Outgoing::with_patience(Reach::LoopbackToo, Duration::from_millis(50));
        for scheme in ["http", "https"] {
            let refusal = outgoing.post(&format!("{scheme}://{address}/"), &[], b"x").unwrap_err();
            assert_eq!(
                (refusal.status, refusal.why.as_str()),
                (None, "no answer within 5 seconds"),
                "{scheme}"
            );
        }
    }
}
