//! Bytes that try to break the decoders: what each target does with an input.
//!
//! A target is a function. libFuzzer calls it from `fuzz_targets`, and `tests/replay.rs` on stable Rust with
//! the vectors of `tests/data` and damaged ones. It panics where the library breaks a promise: that it
//! does not panic, that pieces say what the whole says, that what was read and is written again is the
//! same, and that another implementation reads the same.

pub mod capi;
pub mod circuit;
pub mod compression;
pub mod connection;
mod cuts;
#[allow(dead_code, reason = "shared with the tests")]
#[path = "../../tests/http_h2/frames.rs"]
mod frames;
pub mod http;
#[path = "../../tests/http_talk/mod.rs"]
mod http_talk;
mod numbers;
pub mod page;
#[allow(dead_code, reason = "shared with the tests")]
#[path = "../../tests/page/dom.rs"]
mod page_dom;
mod page_items;
pub mod render_batch;
#[allow(dead_code, reason = "shared with the tests")]
#[path = "../../tests/circuit/rig.rs"]
mod rig;
pub mod seeds;
#[allow(dead_code, reason = "shared with the tests")]
#[path = "../../tests/http_h2/shell.rs"]
mod shell;
pub mod spacetimedb;
mod transactions;
#[allow(dead_code, reason = "shared with the tests")]
#[path = "../../tests/http_h2/vectors.rs"]
mod vectors;
pub mod websocket;
#[path = "../../tests/spacetimedb_streaming/whole.rs"]
mod whole;

/// What happens with an input.
pub type Target = fn(&[u8]);

/// The targets by name.
pub const TARGETS: [(&str, Target); 17] = [
    ("brotli", compression::brotli),
    ("bsatn", spacetimedb::bsatn),
    ("capi", capi::capi),
    ("circuit", circuit::circuit),
    ("connection", connection::connection),
    ("gzip", compression::gzip),
    ("handshake", websocket::handshake),
    ("hpack", http::hpack),
    ("http1", http::http1),
    ("http2", http::http2),
    ("hub", circuit::hub),
    ("json", circuit::json),
    ("message", spacetimedb::message),
    ("page", page::page),
    ("render_batch", render_batch::render_batch),
    ("row_list", spacetimedb::row_list),
    ("websocket", websocket::websocket),
];

pub use numbers::Numbers;
