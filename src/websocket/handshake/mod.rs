//! The request and the response that turn HTTP/1.1 into a WebSocket (RFC 6455 section 4).

mod client;
mod head;
mod server;

pub use client::{Ask, BadField, ClientHandshake, Opened, ResponseError};
pub use server::{FORBIDDEN, Refusal, Request, TOO_LARGE, Upgrade};
