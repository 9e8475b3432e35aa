//! Blazor's circuits without IO: a page in a browser that is driven from here.
//!
//! | | |
//! |---|---|
//! | [`Connection`] | a connection of a browser's: bytes in, bytes out |
//! | [`Server`] | what all connections share: circuits in a fixed number of places, and what they count |
//! | [`Handler`] | what a server does with its pages |
//! | [`NoStore`], [`BatchStore`] | what is kept for a browser whose connection was cut |
//! | [`hub`], [`message_pack`] | messages, both directions, and what they are made of |
//! | [`json`] | the JSON in a client's messages, without a tree |
//! | [`event`], [`root`] | what a client says in it: events, and places in the page to be filled |
//! | [`secret`], [`ticket`] | what nobody can guess, and what lets somebody in once |
//! | [`gate`] | the requests of HTTP around a circuit, and the way into it |
//! | [`origin`] | which pages may talk to this server |

mod connection;
mod counters;
pub mod event;
pub mod gate;
mod handler;
pub mod hub;
pub mod json;
pub mod message_pack;
pub mod origin;
mod refusal;
pub mod root;
pub mod secret;
mod server;
mod slot;
mod store;
pub mod ticket;

pub use connection::{CIRCUIT_LEN, Connection, Next, Waiting};
pub use counters::Counters;
pub use handler::{BatchSink, Closed, Handled, Handler, JsCall, Location, NotSent};
pub use refusal::Refusal;
pub use server::{Options, Renderer, Server};
pub use slot::{JS_CALLS, MAX_ROOTS, Slot};
pub use store::{BatchStore, NoStore, Store};
