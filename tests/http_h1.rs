//! HTTP/1.1: what goes in and what comes out.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

#[path = "http_h1/answers.rs"]
mod answers;
#[path = "http_h1/bodies.rs"]
mod bodies;
#[path = "http_h1/cases.rs"]
mod cases;
#[path = "http_h1/connection.rs"]
mod connection;
mod http_talk;
#[path = "http_h1/limits.rs"]
mod limits;
#[path = "http_h1/others.rs"]
mod others;
#[path = "http_h1/random.rs"]
mod random;
#[path = "http_h1/rules.rs"]
mod rules;
#[path = "http_h1/shell.rs"]
mod shell;
