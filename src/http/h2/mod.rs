//! HTTP/2.

use super::{Counters, Fed, Handler, Next, Routes, Waiting};

/// What a client sends first (RFC 9113 section 3.4).
pub(super) const PREFACE: [u8; 24] = *b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The state of a connection over HTTP/2.
#[derive(Debug)]
pub(super) struct H2<const STREAMS: usize, const BLOCK: usize, const MEMO: usize>;

impl<const STREAMS: usize, const BLOCK: usize, const MEMO: usize> H2<STREAMS, BLOCK, MEMO> {
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
    /// The owner's buffer is full: GOAWAY with `ENHANCE_YOUR_CALM`.
    pub(super) fn overflow(&mut self, _: &mut Counters, _: &mut [u8]) -> Fed {
        Fed { next: Next::Close, ..Fed::NOTHING }
    }

    /// The client took too long: GOAWAY with `NO_ERROR`.
    pub(super) fn time_out(&mut self, _: &mut Counters, _: &mut [u8]) -> Fed {
        Fed { next: Next::Close, ..Fed::NOTHING }
    }

    /// The next feed writes GOAWAY with `NO_ERROR`, and closes once no stream is open.
    pub(super) const fn shutdown(&mut self) {}

    pub(super) const fn waiting(&self) -> Waiting {
        Waiting::Idle
    }
}

/// Length of the shortest output in which each frame fits that goes out whole.
pub(super) const fn min_output(_: &Routes<'_>) -> usize {
    0
}
