//! HTTP/1.

use super::{Counters, Fed, Handler, Next, Routes, Waiting};

/// The state of a connection over HTTP/1.1.
#[derive(Debug)]
pub(super) struct H1<const MEMO: usize>;

impl<const MEMO: usize> H1<MEMO> {
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
    /// The owner's buffer is full: status 431, or 414.
    pub(super) fn overflow(&mut self, _: &mut Counters, _: &mut [u8]) -> Fed {
        Fed { next: Next::Close, ..Fed::NOTHING }
    }

    /// The client took too long: status 408 if a request has begun.
    pub(super) fn time_out(&mut self, _: &mut Counters, _: &mut [u8]) -> Fed {
        Fed { next: Next::Close, ..Fed::NOTHING }
    }

    /// The next response, or the next feed if none is under way, is the last.
    pub(super) const fn shutdown(&mut self) {}

    /// Bytes of a request were seen that are not consumed.
    pub(super) const fn begin(&mut self) {}

    pub(super) const fn waiting(&self) -> Waiting {
        Waiting::Idle
    }
}

/// Length of the shortest output in which each response fits that goes out whole.
pub(super) const fn min_output(_: &Routes<'_>) -> usize {
    1
}
