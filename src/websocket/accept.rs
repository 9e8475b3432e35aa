//! What a server proves with (RFC 6455 section 4.2.2, item 5.4).

use super::{base64, sha1};

/// Bytes of `Sec-WebSocket-Key`: sixteen, in base64.
pub const KEY_LEN: usize = 24;

/// Bytes of `Sec-WebSocket-Accept`: a SHA-1 digest, in base64.
pub const ACCEPT_LEN: usize = 28;

/// What is put behind a key before both are hashed.
const GUID: &[u8; 36] = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// The `Sec-WebSocket-Key` of sixteen random bytes.
#[must_use]
pub const fn key(random: &[u8; 16]) -> [u8; KEY_LEN] {
    base64::encode(random)
}

/// The `Sec-WebSocket-Accept` that answers `key`.
///
/// ```
/// use onewrite::websocket::accept;
///
/// const ACCEPT: [u8; 28] = accept(b"dGhlIHNhbXBsZSBub25jZQ==");
/// assert_eq!(&ACCEPT, b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
/// ```
#[must_use]
pub const fn accept(key: &[u8; KEY_LEN]) -> [u8; ACCEPT_LEN] {
    let mut message = [0; KEY_LEN + GUID.len()];
    crate::record::put::<0, KEY_LEN, { KEY_LEN + GUID.len() }>(&mut message, *key);
    crate::record::put::<KEY_LEN, { GUID.len() }, { KEY_LEN + GUID.len() }>(&mut message, *GUID);
    base64::encode(&sha1::digest_of_two_blocks(&message))
}
