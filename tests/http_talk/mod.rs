//! An owner of a connection that feeds it as it is told.

use onewrite::http::{Conn, Counters, Fed, Handler, Next, Routes, Speaks};

/// What a connection said to what a client sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Talk {
    pub said: Vec<u8>,
    pub closed: bool,
    pub left: Vec<u8>,
    pub counters: Counters,
}

/// Feeds `pieces`, one after the other, into outputs of `room` bytes.
pub(crate) fn talk<'p, P: Speaks, const STREAMS: usize, const BLOCK: usize, const MEMO: usize>(
    conn: &mut Conn<STREAMS, BLOCK, MEMO, P>,
    routes: &Routes<'_>,
    handler: &mut impl Handler,
    pieces: impl IntoIterator<Item = &'p [u8]>,
    room: usize,
) -> Talk {
    talk_through(conn, routes, handler, pieces, &mut vec![0xa5; room])
}

/// The same through an output that is there already.
pub(crate) fn talk_through<
    'p,
    P: Speaks,
    const STREAMS: usize,
    const BLOCK: usize,
    const MEMO: usize,
>(
    conn: &mut Conn<STREAMS, BLOCK, MEMO, P>,
    routes: &Routes<'_>,
    handler: &mut impl Handler,
    pieces: impl IntoIterator<Item = &'p [u8]>,
    output: &mut [u8],
) -> Talk {
    let room = output.len();
    let (mut said, mut left) = (Vec::new(), Vec::new());
    for piece in pieces {
        left.extend_from_slice(piece);
        loop {
            let Fed { consumed, written, next } = conn.feed_with(routes, handler, &left, output);
            said.extend_from_slice(&output[..written]);
            left.drain(..consumed);
            match next {
                Next::Read => break,
                Next::Flush { needed } => {
                    assert!(needed <= room || room < routes.min_output(), "{needed} of {room}");
                    assert!(consumed + written > 0, "no progress in {room} bytes");
                }
                Next::Close | Next::Switch => {
                    let counters = *conn.counters();
                    return Talk { said, closed: true, left, counters };
                }
            }
        }
    }
    Talk { said, closed: false, left, counters: *conn.counters() }
}
