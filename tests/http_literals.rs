//! Responses as literals: exact bytes, every status, tags, holes, refusals, and an HPACK decoder of
//! others that reads what we write.
#![cfg(not(target_os = "none"))]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

#[path = "http_literals/bytes.rs"]
mod bytes;
#[path = "http_literals/date.rs"]
mod date;
#[path = "http_literals/decoded.rs"]
mod decoded;
#[path = "http_literals/etag.rs"]
mod etag;
#[path = "http_literals/refused.rs"]
mod refused;
#[path = "http_literals/routes.rs"]
mod routes;
#[path = "http_literals/run_time.rs"]
mod run_time;
#[path = "http_literals/served.rs"]
mod served;
