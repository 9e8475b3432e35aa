//! Which site this is, and who is let in from where.

use core::fmt;

/// What a browser calls this server: scheme, host and port (RFC 6454).
///
/// A browser lets any page open a WebSocket to any server, and no page hides where it comes from. So who is
/// let in are the pages of this origin, byte for byte: another one, `null`, or none at all is refused. A
/// host of another name is refused as well, or a name that somebody else points here would do.
///
/// ```
/// use onewrite::circuit::origin::{Origin, Unwelcome};
///
/// const PI: Origin<'_> = Origin::new("http://pi.local:8080").unwrap();
/// assert_eq!(PI.check(Some(b"pi.local:8080"), Some(b"http://pi.local:8080")), Ok(()));
/// assert_eq!(PI.check(Some(b"pi.local:8080"), Some(b"http://evil.example")), Err(Unwelcome::Origin));
/// assert!(PI.covers("http://pi.local:8080/", "http://pi.local:8080/counter"));
/// assert!(!PI.has("http://pi.local:80801/"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Origin<'a> {
    text: &'a str,
    host: &'a str,
}

impl<'a> Origin<'a> {
    /// The origin `scheme://host` or `scheme://host:port`, as browsers write it; `None` if it is none.
    ///
    /// That is `http` or `https`, in lower case, without the port that the scheme has by itself, and without
    /// anything behind it, not even a slash.
    #[must_use]
    pub const fn new(text: &'a str) -> Option<Self> {
        let (host, own_port): (&[u8], &[u8]) = match text.as_bytes() {
            [b'h', b't', b't', b'p', b':', b'/', b'/', host @ ..] => (host, b":80"),
            [b'h', b't', b't', b'p', b's', b':', b'/', b'/', host @ ..] => (host, b":443"),
            _ => return None,
        };
        if !is_host(host, own_port) {
            return None;
        }
        match text.split_at_checked(text.len() - host.len()) {
            Some((_, host)) => Some(Self { text, host }),
            None => None,
        }
    }

    /// Scheme, host and port, as they were given.
    #[must_use]
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    /// Host and port, as they stand in the field of a request.
    #[must_use]
    pub const fn host(&self) -> &'a str {
        self.host
    }

    /// Whether a request with these fields comes from a page of ours, and was meant for us.
    ///
    /// # Errors
    ///
    /// Why not.
    pub fn check(&self, host: Option<&[u8]>, origin: Option<&[u8]>) -> Result<(), Unwelcome> {
        match host {
            None => return Err(Unwelcome::NoHost),
            Some(host) if host != self.host.as_bytes() => return Err(Unwelcome::Host),
            Some(_) => {}
        }
        match origin {
            None => Err(Unwelcome::NoOrigin),
            Some(b"null") => Err(Unwelcome::Null),
            Some(origin) if origin != self.text.as_bytes() => Err(Unwelcome::Origin),
            Some(_) => Ok(()),
        }
    }

    /// Whether `uri` is of this origin.
    #[must_use]
    pub fn has(&self, uri: &str) -> bool {
        // More of a name, or of a port, would be another host.
        matches!(behind(uri, self.text), Some([] | [b'/' | b'?' | b'#', ..]))
    }

    /// Whether `base` is of this origin and `uri` is below it: what a client starts a circuit with.
    #[must_use]
    pub fn covers(&self, base: &str, uri: &str) -> bool {
        self.has(base) && self.has(uri) && behind(uri, base).is_some()
    }
}

/// Why a request is not welcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Unwelcome {
    /// It was meant for another host.
    Host,
    /// It does not say for whom it was meant.
    NoHost,
    /// It does not say which page it comes from: no browser, or a page that asks for nothing unusual.
    NoOrigin,
    /// Its page does not say where it comes from: a file, or a frame that is shut in.
    Null,
    /// It comes from a page of another site.
    Origin,
}

impl fmt::Display for Unwelcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Host => "request is for another host",
            Self::NoHost => "request names no host",
            Self::NoOrigin => "request names no origin",
            Self::Null => "origin is null",
            Self::Origin => "request comes from another origin",
        })
    }
}

impl core::error::Error for Unwelcome {}

/// What is behind `front` in `text`, if it is there.
fn behind<'t>(text: &'t str, front: &str) -> Option<&'t [u8]> {
    let (start, rest) = text.as_bytes().split_at_checked(front.len())?;
    (start == front.as_bytes()).then_some(rest)
}

/// Whether `host` is a name or an address in lower case, with a port that is not the scheme's `own`.
const fn is_host(host: &[u8], own: &[u8]) -> bool {
    let (name, port) = split_port(host);
    let name_is = match name {
        [b'[', address @ .., b']'] => all(address, true),
        name => all(name, false),
    };
    let port_is = match port {
        [] => true,
        [b':', b'1'..=b'9', rest @ ..] => rest.len() < 5 && digits(rest),
        _ => false,
    };
    name_is && port_is && !same(port, own)
}

/// The name, and the port with its colon.
const fn split_port(host: &[u8]) -> (&[u8], &[u8]) {
    let mut at = host.len();
    while at > 0 {
        at -= 1;
        let Some((front, [byte, ..])) = host.split_at_checked(at) else { break };
        if *byte == b':' {
            let Some((_, port)) = host.split_at_checked(front.len()) else { break };
            return (front, port);
        }
        if *byte == b']' {
            break;
        }
    }
    (host, &[])
}

const fn all(mut name: &[u8], address: bool) -> bool {
    if name.is_empty() {
        return false;
    }
    while let [byte, rest @ ..] = name {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' => {}
            b':' if address => {}
            _ => return false,
        }
        name = rest;
    }
    true
}

const fn digits(mut text: &[u8]) -> bool {
    while let [byte, rest @ ..] = text {
        if !byte.is_ascii_digit() {
            return false;
        }
        text = rest;
    }
    true
}

const fn same(mut a: &[u8], mut b: &[u8]) -> bool {
    while let ([x, rest_a @ ..], [y, rest_b @ ..]) = (a, b) {
        if *x != *y {
            return false;
        }
        (a, b) = (rest_a, rest_b);
    }
    a.is_empty() && b.is_empty()
}
