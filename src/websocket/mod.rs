//! The WebSocket protocol, server and client, without IO (RFC 6455).
//!
//! Bytes in, bytes out: no socket, no clock, no random numbers, no allocator. An end of a connection is a
//! handshake, then a [`Receiver`] for what comes in and a [`Sender`] for what goes out.
//!
//! | | server | client |
//! |---|---|---|
//! | handshake | [`Request::decode`], or [`Upgrade`] behind an HTTP core; [`Request::respond`] | [`ClientHandshake`] |
//! | what comes in | [`Receiver<Server>`], masked | [`Receiver<Client>`], not masked |
//! | what goes out | [`Sender<Server>`], not masked | [`Sender<Client>`], masked with the caller's keys |
//!
//! Messages are handed on in pieces, as they arrive, so that a message of any length passes through a
//! buffer of any length: a row update of SpacetimeDB goes straight into its
//! [`MessageStream`](crate::spacetimedb::stream::MessageStream). Or an [`Assembly`] puts them together, in
//! memory that starts small.
//!
//! # A frame
//!
//! | offset | size | type | meaning |
//! |---|---|---|---|
//! | 0 | 1 | bits | `80` last frame of the message, `70` reserved, `0f` opcode: 0 goes on, 1 text, 2 binary, 8 close, 9 ping, a pong |
//! | 1 | 1 | bits | `80` masked, `7f` length, or 126, or 127 |
//! | 2 | 0, 2 or 8 | big-endian | length, in the fewest bytes that it takes |
//! | then | 0 or 4 | bytes | key of a client's frame; byte i of the payload is xored with byte i mod 4 of it |
//! | then | length | | payload |
//!
//! A server's header has 2, 4 or 10 bytes and a client's 6, 8 or 14: [`Header`].
//!
//! # A server
//!
//! ```
//! use onewrite::sink::SliceSink;
//! use onewrite::websocket::{Assembly, Data, Error, Event, Limits, Message, Receiver, Sender, Server};
//!
//! /// Sends back every message in `input`; returns whether the connection goes on.
//! fn echo(
//!     receiver: &mut Receiver<Server>,
//!     assembly: &mut Assembly<'_>,
//!     sender: &mut Sender<Server>,
//!     mut input: &mut [u8],
//!     output: &mut SliceSink<'_>,
//! ) -> Result<bool, Box<dyn std::error::Error>> {
//!     loop {
//!         match assembly.next(receiver, &mut input) {
//!             Ok(Some(Message::Data(data))) => sender.message(data, (), output)?,
//!             Ok(Some(Message::Ping(payload))) => sender.answer(&Event::Ping(payload), (), output)?,
//!             Ok(Some(Message::Close(close))) => sender.answer(&Event::Close(close), (), output)?,
//!             Ok(Some(Message::Pong(_))) => {}
//!             Ok(None) => return Ok(!receiver.is_closed()),
//!             // Among them a message that the memory is too short for.
//!             Err(error) => {
//!                 sender.fail(error, (), output)?;
//!                 return Ok(false);
//!             }
//!         }
//!     }
//! }
//!
//! let mut receiver = Receiver::new(Limits::DEFAULT);
//! let mut memory = [0; 256];
//! let mut assembly = Assembly::new(&mut memory);
//! let mut sender = Sender::new();
//! let mut buffer = [0; 256];
//! let mut output = SliceSink::new(&mut buffer);
//! // The masked text of RFC 6455 section 5.7, in two pieces, and a close frame.
//! let mut input = *b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58\x88\x80\0\0\0\0";
//! let (first, second) = input.split_at_mut(8);
//! assert!(echo(&mut receiver, &mut assembly, &mut sender, first, &mut output)?);
//! assert!(!echo(&mut receiver, &mut assembly, &mut sender, second, &mut output)?);
//! assert_eq!(output.into_written(), b"\x81\x05Hello\x88\x00");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is left to the caller
//!
//! Time: a peer that sends nothing, or too slowly, is closed by whoever has a clock, and whoever has one
//! sends pings. Which origins are welcome. Keys and masks of a client: numbers that nobody can foretell.
//! After the last close frame, the connection below. There are no extensions: neither end offers or takes
//! any, compression included.

mod accept;
mod assembly;
mod base64;
mod close;
mod error;
mod event;
mod fragments;
mod handshake;
mod header;
mod mask;
mod output;
mod receiver;
mod role;
mod sender;
mod sha1;
mod utf8;

pub use accept::{ACCEPT_LEN, KEY_LEN, accept, key};
pub use assembly::Assembly;
pub use close::{Close, CloseCode, MAX_REASON};
pub use error::{Error, ErrorKind, SendError};
pub use event::{Data, Event, Kind, Message};
pub use fragments::{Fragments, FragmentsError, FrameProducer};
pub use handshake::{
    Ask, BadField, ClientHandshake, FORBIDDEN, Opened, Refusal, Request, ResponseError, TOO_LARGE,
    Upgrade,
};
pub use header::{Header, HeaderBytes, MAX_CONTROL, MAX_HEADER, Opcode};
pub use mask::Mask;
pub(crate) use receiver::{Found, Ready};
pub use receiver::{Limits, Receiver};
pub use role::{Client, Role, Server};
pub use sender::{Part, Sender};
