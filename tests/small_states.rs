//! Every state of what is small enough: each place of a record, each sequence of calls of a sink, each form
//! of a number, each way to fill a table, compared with a model that is too simple to be wrong.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "small_states/numbers.rs"]
mod numbers;
#[path = "small_states/places.rs"]
mod places;
#[path = "small_states/sinks.rs"]
mod sinks;
#[cfg(feature = "embedded-io-07")]
#[path = "small_states/streams.rs"]
mod streams;
#[path = "small_states/tables.rs"]
mod tables;
