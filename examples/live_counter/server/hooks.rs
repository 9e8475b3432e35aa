//! What tests may do to a server that was started with `--test-hooks`.

use std::io::Write as _;

use onewrite::circuit::Store;
use onewrite::http::{Exchanged, Response};

use super::site::Pages;

/// Something to be done to all pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hook {
    /// Nothing: what is the state?
    State,
    /// Every WebSocket is cut.
    Drop,
    /// Every circuit is over.
    Forget,
    /// The next batch is counted and not sent.
    Skip,
    /// The first edit of the next batch is for a node that is not there.
    Damage,
    /// From here on batches have numbers that are one too high.
    Gap,
    /// The first batch is sent once more.
    Duplicate,
    /// Every page is told of an error.
    Error,
    /// Every connection is closed with a hub message.
    Close,
}

impl Hook {
    const ALL: [Self; 9] = [
        Self::State,
        Self::Drop,
        Self::Forget,
        Self::Skip,
        Self::Damage,
        Self::Gap,
        Self::Duplicate,
        Self::Error,
        Self::Close,
    ];

    /// Their paths, in the same order.
    pub(crate) const PATHS: [&str; 9] = [
        "/_t/state",
        "/_t/drop",
        "/_t/forget",
        "/_t/skip",
        "/_t/damage",
        "/_t/gap",
        "/_t/dup",
        "/_t/error",
        "/_t/close",
    ];

    pub(crate) fn at(number: usize) -> Option<Self> {
        Self::ALL.get(number).copied()
    }
}

/// The response of all of them.
pub(crate) static ROUTE: Response<'_> = Response::exchanged(MAX);

const MAX: usize = 16 * 1024;

/// Writes how things are, before anything is done.
pub(crate) fn state<S: Store + 'static>(
    pages: &mut Pages<S>,
    output: &mut [u8],
) -> Option<Exchanged> {
    let (circuits, live) = pages.circuits();
    let counters = *pages.counters();
    let mut clicks = String::new();
    pages.for_each_page(|_, page| {
        let comma = if clicks.is_empty() { "" } else { "," };
        clicks += &format!("{comma}{}", page.state.count);
    });
    let body = format!(
        "{{\"circuits\":{circuits},\"live\":{live},\"clicks\":[{clicks}],\"started\":{},\"closed\":{},\
         \"reconnected\":{},\"events\":{},\"batches\":{},\"acknowledged\":{},\"refused\":{}}}\n",
        counters.started,
        counters.closed,
        counters.reconnected,
        counters.events,
        counters.batches,
        counters.acknowledged,
        counters.refused_in_all(),
    );
    let room = output.len();
    let mut rest = output;
    write!(
        rest,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncache-control: no-store\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len(),
    )
    .ok()?;
    Some(Exchanged::Response(room - rest.len()))
}
