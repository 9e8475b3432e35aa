//! Who is let in: secrets, tickets, origins.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "circuit_gate/gate.rs"]
mod gate;
#[path = "circuit_gate/origin.rs"]
mod origin;
#[path = "circuit_gate/secret.rs"]
mod secret;
#[path = "circuit_gate/ticket.rs"]
mod ticket;
