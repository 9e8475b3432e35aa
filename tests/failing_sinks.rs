//! Every sink that fails at every byte, under every writer.
//!
//! `writers` has a row for each writer to a sink, and `check` what must hold for all of them: in memory that
//! is too short by any number of bytes, and over a driver that breaks off at any byte, takes less than it is
//! offered, or works again later. `rooms` has the writers to a slice. Circuits and HTTP, which are more than
//! one message, have files of their own. `forgotten` reads from the sources that none is left out.
#![cfg(all(
    feature = "derive",
    feature = "embedded-io-07",
    feature = "embedded-io-async-07",
    feature = "serde",
    feature = "zerocopy-08"
))]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "failing_sinks/batches.rs"]
mod batches;
#[path = "failing_sinks/check.rs"]
mod check;
#[path = "failing_sinks/circuit.rs"]
mod circuit;
#[path = "failing_sinks/driver.rs"]
mod driver;
#[path = "failing_sinks/forgotten.rs"]
mod forgotten;
#[path = "failing_sinks/http.rs"]
mod http;
#[path = "circuit/rig.rs"]
#[allow(dead_code, reason = "the tests of circuits do more with it")]
mod rig;
#[path = "failing_sinks/rooms.rs"]
mod rooms;
#[path = "failing_sinks/values.rs"]
mod values;
#[path = "failing_sinks/websocket.rs"]
mod websocket;
#[path = "failing_sinks/writers.rs"]
mod writers;
