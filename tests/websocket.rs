//! The WebSocket protocol: what goes in and what comes out, wherever it is cut.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "websocket/assembly.rs"]
mod assembly;
#[path = "websocket/cases.rs"]
mod cases;
#[path = "websocket/damage.rs"]
mod damage;
#[path = "websocket/frames.rs"]
mod frames;
#[path = "websocket/handshake.rs"]
mod handshake;
mod numbers;
#[path = "websocket/peer.rs"]
mod peer;
#[path = "websocket/sending.rs"]
mod sending;
#[path = "websocket/shell.rs"]
mod shell;
#[path = "websocket/updates.rs"]
mod updates;
