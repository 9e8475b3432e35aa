//! Blazor's hub messages: SignalR over MessagePack, both directions, without IO.
//!
//! A client says first which protocol it speaks, in a text: [`HANDSHAKE`]. From then on each binary
//! WebSocket message has [`Messages`], each a [`Message`]: a [`Call`] of the browser's or an [`Answer`] of
//! the server's in an envelope that both share.
//!
//! ```
//! use onewrite::circuit::hub::{Call, FromClient, Message, Messages};
//!
//! let payload = b"\x19\x95\x01\x80\xc0\xb1OnRenderCompleted\x92\x02\xc0\x02\x91\x06";
//! let mut messages = Messages::new(payload);
//! let first = FromClient::decode(messages.next().unwrap()?)?;
//! let call = Call::OnRenderCompleted { batch: 2, error: None };
//! assert_eq!(first, Message::Invocation { id: None, call });
//! assert_eq!(FromClient::decode(messages.next().unwrap()?)?, Message::Ping);
//! # Ok::<(), onewrite::error::DecodeError>(())
//! ```
//!
//! Text and bytes are borrowed from the input. What is written has the shortest forms, but for the
//! [head of a batch](BATCH_HEAD), whose length never changes.

mod answer;
mod batch_head;
mod call;
mod handshake;
mod message;
mod messages;
mod output;

pub use answer::{Answer, JsResult};
pub use batch_head::{AROUND_BATCH, BATCH_HEAD, BATCH_TAIL, batch_head};
pub use call::Call;
pub use handshake::{
    HANDSHAKE, HANDSHAKE_REFUSED, HANDSHAKE_REPLY, HandshakeError, check_handshake,
};
pub use message::{FromClient, FromServer, Message, Outcome};
pub use messages::Messages;
pub use output::{MAX_LEN, TooLong};
