//! Who sends a request, when a reverse proxy stands in between.
//!
//! Limits by address make no sense if everybody has the address of the proxy. The proxy says whom it speaks for, in
//! `X-Forwarded-For`; but so could anybody. So the header is only believed from a proxy that the owner has named, and only as
//! far as such proxies have written it: from its end, up to the first address that is not theirs.

use std::net::{IpAddr, SocketAddr};

use axum::http::HeaderMap;

use crate::bucket::is_this_machine;

/// The header in which a proxy says whom it speaks for.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// The proxies in front of this server.
#[derive(Clone, Debug, Default)]
pub struct Proxies {
    /// Whether one may be on this machine.
    is_here: bool,
    /// Their addresses elsewhere.
    known: Vec<IpAddr>,
}

impl Proxies {
    /// A proxy on this machine, or at one of these addresses.
    pub fn at(known: &[IpAddr]) -> Self {
        Self { is_here: true, ..Self::only_at(known) }
    }

    /// Proxies at these addresses and nowhere else: where there are accounts, this machine is no proxy unless its owner says so.
    pub fn only_at(known: &[IpAddr]) -> Self {
        Self { is_here: false, known: known.iter().map(IpAddr::to_canonical).collect() }
    }

    /// Whether an address is that of a proxy.
    pub fn is_proxy(&self, address: IpAddr) -> bool {
        (self.is_here && is_this_machine(address)) || self.known.contains(&address.to_canonical())
    }

    /// The address of the one who sends a request over a connection from `peer`.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !self.is_proxy(peer) {
            return peer;
        }
        let mut client = peer;
        for value in headers.get_all(FORWARDED_FOR).iter().rev() {
            let Ok(value) = value.to_str() else { return client };
            for entry in value.rsplit(',') {
                let Some(address) = read_address(entry.trim()) else { return client };
                client = address;
                if !self.is_proxy(address) {
                    return client;
                }
            }
        }
        client
    }
}

/// An address as proxies write it: alone or with a port.
fn read_address(text: &str) -> Option<IpAddr> {
    let alone = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let read = alone.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()));
    read.map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    fn client(proxies: &Proxies, peer: &str, forwarded: &[&str]) -> String {
        let name = HeaderName::from_static(FORWARDED_FOR);
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(name.clone(), HeaderValue::from_str(value).expect("text"));
        }
        proxies.client(peer.parse().expect("an address"), &headers).to_string()
    }

    #[test]
    fn only_a_proxy_is_believed_and_only_what_it_wrote() {
        let proxies = Proxies::at(&["10.0.0.2".parse().expect("an address")]);
        for (peer, forwarded, who) in [
            ("127.0.0.1", &["192.0.2.7"][..], "192.0.2.7"),
            ("::1", &["2001:db8::7"], "2001:db8::7"),
            ("10.0.0.2", &["192.0.2.7:4711"], "192.0.2.7"),
            ("127.0.0.1", &["[2001:db8::7]:443"], "2001:db8::7"),
            // What the client itself wrote stands further left.
            ("127.0.0.1", &["127.0.0.1, 1.1.1.1, 192.0.2.7"], "192.0.2.7"),
            ("127.0.0.1", &["1.1.1.1", "192.0.2.7"], "192.0.2.7"),
            // Two proxies in a row.
            ("127.0.0.1", &["1.1.1.1, 192.0.2.7, 10.0.0.2"], "192.0.2.7"),
            // No word, or one that can't be read, leaves the proxy itself.
            ("127.0.0.1", &[], "127.0.0.1"),
            ("127.0.0.1", &["unknown"], "127.0.0.1"),
            ("127.0.0.1", &["192.0.2.7, nonsense"], "127.0.0.1"),
            // Anybody else only speaks for themselves.
            ("192.0.2.9", &["1.1.1.1"], "192.0.2.9"),
            ("127.0.0.2", &["1.1.1.1"], "127.0.0.2"),
        ] {
            assert_eq!(client(&proxies, peer, forwarded), who, "{peer} {forwarded:?}");
        }
        assert_eq!(client(&Proxies::default(), "127.0.0.1", &["192.0.2.7"]), "127.0.0.1");
        let named = Proxies::only_at(&["127.0.0.1".parse().expect("an address")]);
        assert_eq!(client(&named, "127.0.0.1", &["1.1.1.1, 192.0.2.7"]), "192.0.2.7");
        let elsewhere = Proxies::only_at(&["10.0.0.2".parse().expect("an address")]);
        assert_eq!(client(&elsewhere, "127.0.0.1", &["192.0.2.7"]), "127.0.0.1", "nobody named this machine");
    }
}
