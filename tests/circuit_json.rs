//! JSON as a browser sends it: what is taken, what is refused, and what is found in it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "circuit_json/grammar.rs"]
mod grammar;
mod numbers;
#[path = "circuit_json/peer.rs"]
mod peer;
#[path = "circuit_json/reading.rs"]
mod reading;
