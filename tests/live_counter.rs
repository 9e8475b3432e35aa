//! The example `live_counter`, as a process: a page that is used, and everything that nobody should send.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic"
)]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "live_counter/abuse.rs"]
mod abuse;
#[path = "http_server/child.rs"]
#[allow(dead_code, reason = "the tests of http_server use all of it")]
mod child;
#[path = "../examples/live_counter/counter/mod.rs"]
mod counter;
#[path = "live_counter/page.rs"]
mod page;
#[path = "../examples/live_counter/server/mod.rs"]
mod server;
#[path = "live_counter/times.rs"]
mod times;
#[path = "live_counter/use.rs"]
mod using;

/// What a new process of this program runs to be the server.
#[test]
fn the_server_itself() {
    child::be_the_server(server::run);
}
