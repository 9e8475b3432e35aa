//! HTTP/1.

use super::{Counters, Fed, Handler, Next, Routes};

/// The state of a connection over HTTP/1.1.
#[derive(Debug)]
pub(super) struct H1;

impl H1 {
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
