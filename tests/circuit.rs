//! Blazor's circuits: messages, and what a connection makes of them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "circuit/abuse.rs"]
mod abuse;
#[path = "circuit/hub.rs"]
mod hub;
#[path = "circuit/life.rs"]
mod life;
#[path = "circuit/message_pack.rs"]
mod message_pack;
mod numbers;
#[path = "circuit/reconnect.rs"]
mod reconnect;
#[path = "circuit/rig.rs"]
mod rig;
#[path = "circuit/vectors.rs"]
mod vectors;
