//! What a client says first.

use core::{fmt, str};

use crate::circuit::json::{Error, Text, Value};

/// The byte behind the handshake's JSON.
const END: u8 = 0x1e;

/// The handshake as Blazor's clients send it, in a WebSocket text.
///
/// An object in JSON with the members `protocol` and `version`, and the byte `1e` behind it. Source:
/// SignalR's `HubProtocol.md`, "Overview".
pub const HANDSHAKE: &str = "{\"protocol\":\"blazorpack\",\"version\":1}\x1e";

/// The answer to a handshake that is welcome.
pub const HANDSHAKE_REPLY: &str = "{}\x1e";

/// The answer to one that is not. The connection ends behind it.
pub const HANDSHAKE_REFUSED: &str =
    "{\"error\":\"only blazorpack, version 1, is spoken here\"}\x1e";

/// A handshake that is not welcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum HandshakeError {
    /// There is no `1e` at the end, or it is not UTF-8.
    NotClosed,
    /// It is no object with a protocol and a version.
    NotJson,
    /// Another protocol than `blazorpack`.
    Protocol,
    /// Another version than 1; or 2, which only adds what a client has to ask for.
    Version,
}

impl fmt::Display for HandshakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotClosed => "handshake has no end",
            Self::NotJson => "handshake has no protocol and version in json",
            Self::Protocol => "protocol is not blazorpack",
            Self::Version => "version of the protocol is unknown",
        })
    }
}

impl core::error::Error for HandshakeError {}

/// Looks at a client's handshake, the whole payload of its first WebSocket message.
///
/// ```
/// use onewrite::circuit::hub::{HANDSHAKE, HandshakeError, check_handshake};
///
/// assert_eq!(check_handshake(HANDSHAKE.as_bytes()), Ok(()));
/// let other = b"{\"protocol\":\"json\",\"version\":1}\x1e";
/// assert_eq!(check_handshake(other), Err(HandshakeError::Protocol));
/// ```
///
/// # Errors
///
/// Every kind. [`HANDSHAKE_REFUSED`] tells the client.
pub fn check_handshake(payload: &[u8]) -> Result<(), HandshakeError> {
    let Some((&END, json)) = payload.split_last() else { return Err(HandshakeError::NotClosed) };
    let json = str::from_utf8(json).map_err(|_| HandshakeError::NotClosed)?;
    let (protocol, version) = members(json).map_err(|_| HandshakeError::NotJson)?;
    if protocol != "blazorpack" {
        return Err(HandshakeError::Protocol);
    }
    match version {
        1 | 2 => Ok(()),
        _ => Err(HandshakeError::Version),
    }
}

fn members(json: &str) -> Result<(Text<'_>, u64), Error> {
    let object = Value::parse(json)?.object()?;
    Ok((object.require("protocol")?.text()?, object.require("version")?.u64()?))
}
