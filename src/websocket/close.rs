//! Why a connection ends (RFC 6455 section 7.4).

use core::fmt;

use super::error::ErrorKind;

/// The longest reason in bytes: what a control frame has room for, behind the code.
pub const MAX_REASON: usize = 123;

/// A close code that may stand on the wire.
///
/// | codes | whose |
/// |---|---|
/// | 1000 to 1003, 1007 to 1014 | the protocol's: RFC 6455 section 7.4.1 and IANA's registry |
/// | 3000 to 3999 | registered by libraries and frameworks |
/// | 4000 to 4999 | private |
///
/// 1005, 1006 and 1015 only say, on this side of the wire, what was not on it; the rest is nobody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CloseCode(u16);

impl CloseCode {
    /// 1000: what the connection was for is done.
    pub const NORMAL: Self = Self(1000);
    /// 1001: a server goes down, or a page is left.
    pub const GOING_AWAY: Self = Self(1001);
    /// 1002: the peer broke the protocol.
    pub const PROTOCOL_ERROR: Self = Self(1002);
    /// 1003: a kind of message that is not taken here.
    pub const UNSUPPORTED_DATA: Self = Self(1003);
    /// 1007: a text that is no UTF-8.
    pub const INVALID_DATA: Self = Self(1007);
    /// 1008: a message against the rules of this side, where no other code says more.
    pub const POLICY_VIOLATION: Self = Self(1008);
    /// 1009: a message that is too large.
    pub const TOO_LARGE: Self = Self(1009);
    /// 1010: a client needs an extension that the server has not agreed to.
    pub const MISSING_EXTENSION: Self = Self(1010);
    /// 1011: a server cannot go on.
    pub const INTERNAL_ERROR: Self = Self(1011);
    /// 1012: a server starts anew.
    pub const SERVICE_RESTART: Self = Self(1012);
    /// 1013: a server has too much to do.
    pub const TRY_AGAIN_LATER: Self = Self(1013);
    /// 1014: a gateway had a bad answer from behind it.
    pub const BAD_GATEWAY: Self = Self(1014);

    /// The code, if it is one that may be sent.
    #[must_use]
    pub const fn new(code: u16) -> Option<Self> {
        match code {
            1000..=1003 | 1007..=1014 | 3000..=4999 => Some(Self(code)),
            _ => None,
        }
    }

    /// The number on the wire, in network byte order there (RFC 6455 section 5.5.1).
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }
}

impl fmt::Display for CloseCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a close frame says.
///
/// | offset | size | type | meaning |
/// |---|---|---|---|
/// | 0 | 2 | u16 BE | code |
/// | 2 | 0 to 123 | UTF-8 | reason |
///
/// Or nothing at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Close<'a> {
    /// Why, if it says.
    pub code: Option<CloseCode>,
    /// For people, mostly for a log. Empty without a code.
    pub reason: &'a str,
}

impl<'a> Close<'a> {
    /// What `payload` says.
    pub(super) fn decode(payload: &'a [u8]) -> Result<Self, ErrorKind> {
        let (code, reason) = match payload {
            [] => return Ok(Self { code: None, reason: "" }),
            [_] => return Err(ErrorKind::CutCloseCode),
            [high, low, reason @ ..] => (u16::from_be_bytes([*high, *low]), reason),
        };
        let Some(valid) = CloseCode::new(code) else {
            return Err(ErrorKind::BadCloseCode { code });
        };
        match core::str::from_utf8(reason) {
            Ok(reason) => Ok(Self { code: Some(valid), reason }),
            Err(_) => Err(ErrorKind::InvalidUtf8),
        }
    }
}
