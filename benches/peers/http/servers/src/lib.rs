//! What the three servers share: the page that they serve, and the flags that they take.

use std::net::{Ipv4Addr, SocketAddr};

/// The only path that there is.
pub const PATH: &str = "/data";
/// The media type of the page.
pub const MEDIA_TYPE: &str = "text/plain; charset=utf-8";
/// The page: eleven bytes, as in the measurements that we repeat.
pub const BODY: &str = "Hello World";

/// What is spoken on the port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// HTTP/1.1.
    H1,
    /// HTTP/2 by prior knowledge, without TLS.
    H2,
}

/// The loopback address and the protocol of `--port NUMBER` and `--protocol h1|h2`.
///
/// # Panics
/// Where a flag is missing or wrong: the caller is our own program.
pub fn arguments() -> (SocketAddr, Protocol) {
    let (mut port, mut protocol) = (None, None);
    let mut words = std::env::args().skip(1);
    while let (Some(flag), Some(value)) = (words.next(), words.next()) {
        match (flag.as_str(), value.as_str()) {
            ("--port", number) => port = number.parse().ok(),
            ("--protocol", "h1") => protocol = Some(Protocol::H1),
            ("--protocol", "h2") => protocol = Some(Protocol::H2),
            _ => panic!("unknown: {flag} {value}"),
        }
    }
    let usage = "usage: --port NUMBER --protocol h1|h2";
    (SocketAddr::from((Ipv4Addr::LOCALHOST, port.expect(usage))), protocol.expect(usage))
}
