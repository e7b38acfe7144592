//! Which addresses a hook or a push endpoint may have.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is in the public network. Whatever a user names may only be connected to if it is: otherwise a hook could
/// reach the house's own machines.
///
/// ```
/// assert!(post::is_public("1.1.1.1".parse().unwrap()));
/// assert!(!post::is_public("::ffff:127.0.0.1".parse().unwrap()));
/// ```
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !matches!(
        (a, b, c),
        (0 | 10 | 127 | 224..=255, _, _)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (192, 168, _)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
    )
}

/// Only 2000::/3 is given out; of it documentation, tunnels and other special blocks are left out, because a tunnel can lead
/// to an IPv4 address that is not public.
fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = address.to_ipv4_mapped() {
        return is_public_v4(inner);
    }
    let [a, b, ..] = address.segments();
    let special = (a == 0x2001 && (b < 0x200 || b == 0xdb8)) || a == 0x2002 || (a == 0x3fff && b < 0x1000);
    a & 0xe000 == 0x2000 && !special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_public() {
        let table = [
            (
                "1.1.1.1 8.8.8.8 100.63.0.1 100.128.0.1 172.15.0.1 172.32.0.1 192.0.1.1 198.17.0.1 198.20.0.1 223.255.255.255",
                true,
            ),
            ("2606:4700::1111 2a00:1450::1 2001:4860:4860::8888 ::ffff:8.8.8.8", true),
            (
                "0.0.0.0 10.0.0.1 127.0.0.1 127.255.0.1 100.64.0.1 100.127.0.1 169.254.169.254 172.16.0.1 172.31.9.9",
                false,
            ),
            (
                "192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.0.1 198.51.100.1 203.0.113.1",
                false,
            ),
            ("224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255", false),
            (
                ":: ::1 ::127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 64:ff9b::a00:1 64:ff9b:1::1 100::1",
                false,
            ),
            (
                "2001::1 2001:db8::1 2002:7f00:1::1 3fff::1 fc00::1 fd12::1 fe80::1 fec0::1 ff02::1 5f00::1",
                false,
            ),
        ];
        for (addresses, public) in table {
            for address in addresses.split(' ') {
                assert_eq!(is_public(address.parse().unwrap()), public, "{address}");
            }
        }
    }
}
