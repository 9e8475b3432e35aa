//! What a server does with its pages.

use core::fmt;

use super::event::Event;
use super::hub::JsResult;
use super::json::Text;
use super::secret::CircuitSecret;
use crate::render_batch::{Batch, BatchError};

/// Makes pages, and does what is to be done when something happens to them.
///
/// A page is a value of the server's own type, one a circuit; what all pages share lies in the handler.
/// Everything is called from within [`Connection::feed`](super::Connection::feed) and
/// [`Connection::pump`](super::Connection::pump), on the caller's stack, and keeps all other circuits
/// waiting.
pub trait Handler {
    /// What a circuit shows.
    type Page;

    /// A circuit's secret; `None` if there are no random numbers for it, and so no circuit.
    fn secret(&mut self) -> Option<CircuitSecret>;

    /// The page of a new circuit; `None` refuses it.
    ///
    /// Both addresses have the [`Origin`](super::origin::Origin) of the connection, and `uri` begins with
    /// `base_uri`.
    fn open(&mut self, base_uri: &str, uri: &str) -> Option<Self::Page>;

    /// Whether a root component may be attached where a page has a marker with this descriptor. It is the
    /// place to take out a single-use [ticket](super::ticket::Tickets).
    ///
    /// Components are numbered from 0 on, in the order in which the client asks for them.
    fn root(&mut self, page: &mut Self::Page, component: i32, descriptor: Text<'_>) -> bool;

    /// Something has happened to an element of the page.
    fn event(&mut self, page: &mut Self::Page, event: &Event<'_>) -> Handled;

    /// Hands what has changed since the batch that was taken last to `out`; nothing if nothing has.
    ///
    /// Called when a batch may be sent: never while as many are unacknowledged as the server allows, so that
    /// changes come together meanwhile. One batch a call.
    fn render(&mut self, page: &mut Self::Page, out: &mut dyn BatchSink);

    /// The next function of the browser's to be called; the same one until it
    /// [has been](Self::js_called). One whose message is longer than [`MAX_LEN`](super::hub::MAX_LEN) ends
    /// the circuit.
    fn js_call<'b>(&'b mut self, page: &'b mut Self::Page) -> Option<JsCall<'b>> {
        let _ = page;
        None
    }

    /// The function has been called. Its answer comes under `handle`, unless that is 0.
    fn js_called(&mut self, page: &mut Self::Page, handle: u32) {
        let _ = (page, handle);
    }

    /// The answer to a call: `[handle, true, value]` in JSON as it came, or what went wrong.
    ///
    /// Scripts send no answer on another connection than that of the call: where the browser comes back on
    /// a new one, what was waited for is an error, `connection cut`.
    fn js_answer(&mut self, page: &mut Self::Page, handle: u32, answer: Result<&str, &str>) {
        let _ = (page, handle, answer);
    }

    /// The browser shows another address, of the connection's origin.
    fn location_changed(&mut self, page: &mut Self::Page, location: &Location<'_>) {
        let _ = (page, location);
    }

    /// The browser is about to show another address; whether it may. It only asks where the page has called
    /// `setHasLocationChangingListeners`. The address may be of any origin.
    fn location_changing(&mut self, page: &mut Self::Page, location: &Location<'_>) -> bool {
        let _ = (page, location);
        true
    }

    /// The browser has removed the marker of a component.
    fn root_removed(&mut self, page: &mut Self::Page, component: i32) {
        let _ = (page, component);
    }

    /// The circuit is over.
    fn closed(&mut self, page: Self::Page, why: Closed) {
        let _ = (page, why);
    }
}

/// Takes batches of a page.
pub trait BatchSink {
    /// Takes `batch`, of which nothing is borrowed afterwards.
    ///
    /// After `Ok` the browser gets it, whatever happens to the connection, or the page is over; a page goes
    /// on from there.
    ///
    /// # Errors
    ///
    /// Why not. The page is then as it was before: what has changed is asked for again.
    fn send(&mut self, batch: &Batch<'_>) -> Result<(), NotSent>;
}

/// Why a batch was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum NotSent {
    /// There is no room for it yet.
    Later,
    /// A batch was taken in this call already.
    Once,
    /// It cannot be written. This ends the circuit.
    Refused(BatchError),
    /// The sink failed. Where it works again, and has not stopped inside a frame, the batch is asked for
    /// once more.
    Broken,
}

impl fmt::Display for NotSent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Later => f.write_str("no room for the batch yet"),
            Self::Once => f.write_str("a batch was taken already"),
            Self::Refused(error) => error.fmt(f),
            Self::Broken => f.write_str("the sink is broken"),
        }
    }
}

impl core::error::Error for NotSent {}

/// What came of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Handled {
    /// It was handled.
    Done,
    /// Its handler is gone: the event had been under way. It is counted.
    Gone,
    /// There never was such a handler. This ends the connection.
    Unknown,
}

/// A function of the browser's, to be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct JsCall<'a> {
    /// Its name, as `Blazor._internal.navigationManager.navigateTo`.
    pub function: &'a str,
    /// Its arguments, an array in JSON.
    pub arguments: &'a str,
    /// What it gives back.
    pub result: JsResult,
    /// The object whose function it is; 0 for that of the page.
    pub object: u64,
    /// Whether an answer is wanted. At most [`JS_CALLS`](super::JS_CALLS) wait for one at a time.
    pub answered: bool,
}

/// An address of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Location<'a> {
    /// The address.
    pub uri: &'a str,
    /// What the page's history has with it.
    pub state: Option<&'a str>,
    /// Whether somebody clicked a link.
    pub intercepted: bool,
}

/// Why a circuit is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Closed {
    /// The connection was cut, and batches are not kept, or not all of them.
    Cut,
    /// The browser was told of an error.
    Error,
    /// Its place was taken by a new one while it had no connection.
    Evicted,
    /// It had no connection for too long.
    Expired,
    /// The browser has left the page.
    Left,
    /// The server has put it away.
    PutAway,
}
