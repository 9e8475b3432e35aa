//! HTTP/2.

use super::{Counters, Fed, Handler, Next, Routes};

/// What a client sends first (RFC 9113 section 3.4).
pub(super) const PREFACE: [u8; 24] = *b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The state of a connection over HTTP/2.
#[derive(Debug)]
pub(super) struct H2<const STREAMS: usize, const BLOCK: usize>;

impl<const STREAMS: usize, const BLOCK: usize> H2<STREAMS, BLOCK> {
    pub(super) const fn new() -> Self {
        Self
    }

    pub(super) fn feed<H: Handler + ?Sized>(
        &mut self,
        _: &mut Counters,
        _: &Routes<'_>,
        _: &mut H,
        _: &[u8],
        _: &mut [u8],
    ) -> Fed {
        Fed { consumed: 0, written: 0, next: Next::Close }
    }
}
