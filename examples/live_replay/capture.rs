//! What a client and a server have sent each other.

/// The messages of connection `v2-absent`, back to back: one WebSocket message each, from a
/// subscription on, with some left out. It has asked for no compression of its own, so that the
/// server compresses as it likes: with brotli, from 1,025 bytes on.
const BYTES: &[u8] = include_bytes!("../../tests/data/spacetimedb_live/v2-absent.bin");

/// Bytes of each message of the client, and of the one that came back. A WebSocket says so itself.
const LENGTHS: [(usize, usize); 26] = [
    (57, 14),
    (35, 72),
    (35, 989),
    (35, 79),
    (35, 98),
    (33, 81),
    (35, 750),
    (35, 1463),
    (28, 236),
    (27, 464),
    (18, 23),
    (32, 33),
    (21, 34),
    (29, 105),
    (25, 35),
    (21, 44),
    (21, 107),
    (27, 61),
    (40, 36),
    (30, 33),
    (39, 104),
    (35, 117),
    (35, 208),
    (13, 14),
    (10, 11),
    (19, 2489),
];

/// A request and what came back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exchange {
    pub(crate) sent: &'static [u8],
    pub(crate) received: &'static [u8],
}

/// The exchanges in order; `None` where the capture is not as long as it should be.
pub(crate) fn exchanges() -> impl Iterator<Item = Option<Exchange>> {
    let mut rest = BYTES;
    let mut take = move |len: usize| {
        let (message, behind) = rest.split_at_checked(len)?;
        rest = behind;
        Some(message)
    };
    LENGTHS.into_iter().map(move |(sent, received)| {
        Some(Exchange { sent: take(sent)?, received: take(received)? })
    })
}

const _: () = {
    let (mut rest, mut len) = (LENGTHS.as_slice(), 0);
    while let [(sent, received), behind @ ..] = rest {
        len += *sent + *received;
        rest = behind;
    }
    assert!(len == BYTES.len(), "these are the messages of another capture");
};
