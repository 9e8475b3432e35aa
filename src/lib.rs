//! One record, one write.
//!
//! A serializer without an allocator, for machines from a Cortex-M0 to a Raspberry Pi and up. A
//! record's bytes are laid out at compile time, assembled in one place, and leave in one write.
//! What never changes is a literal that the compiler made.
//!
//! ```
//! use onewrite::sink::{SinkExt, SliceSink};
//! use onewrite::template;
//!
//! template!(HEAD = "HTTP/1.1 200 OK\r\ncontent-length: ", len: dec(3), "\r\n\r\n");
//!
//! let mut buffer = [0; 64];
//! let mut sink = SliceSink::new(&mut buffer);
//! HEAD.write_to(&mut sink, 4)?; // a copy, and three digits
//! if let Some(body) = sink.record::<4>()? {
//!     *body = 7u32.to_le_bytes(); // straight into the buffer
//! }
//! assert_eq!(sink.into_written(), b"HTTP/1.1 200 OK\r\ncontent-length: 004\r\n\r\n\x07\0\0\0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules, bottom up
//!
//! | module | job |
//! |---|---|
//! | [`error`] | errors as small `Copy` values: where, and what |
//! | [`mod@leb128`] | integers of variable length |
//! | [`sink`], [`source`], [`reader`] | where bytes go, records come from, a counting cursor |
//! | [`record`] | records of fixed size: layout, encoding, decoding |
//! | [`literal`](mod@literal) | bytes made at compile time |
//! | [`string_table`] | strings that are written once |
//! | [`bsatn`] | values and row lists of SpacetimeDB |
//! | [`compression`] | gzip and brotli, inflated into one slice |
//! | [`http`] | HTTP responses as literals, and a server core without IO |
//! | [`render_batch`] | Blazor render batches |
//! | [`websocket`] | the WebSocket protocol, server and client, without IO |
//! | [`circuit`] | the server's side of a Blazor circuit, without IO |
//! | [`page`] | Blazor pages as functions: components, and the edits between two renderings |
//! | [`spacetimedb`] | messages of SpacetimeDB's client protocol, and tables to keep rows in |
//!
//! What the compiler makes of the hot paths is shown in [`machine_code`].
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `derive` (default) | `#[derive(Record)]`, and of `bsatn` `#[derive(Encode, Decode)]` |
//! | `http-quick` (default) | ways of `http` for the most usual requests: fewer instructions, 9 KB of code |
//! | `embedded-io-07` | `embedded_io::Write` as a sink, `embedded_io::Read` as a source |
//! | `embedded-io-async-07` | the same over `embedded_io_async` |
//! | `defmt` | `defmt::Format` for what a firmware would log |
//! | `serde` | `bsatn::serde`: BSATN of types that derive serde's traits |
//! | `zerocopy-08` | `record::copy_slice` and `CopyRecords`: records that lie in memory as on the wire, in one copy |
//! | `gzip` | `compression::gzip`, and SpacetimeDB's payloads that are compressed with it |
//! | `brotli` | the same for brotli |
//! | `brotli-dictionary` | brotli's dictionary of 122,784 bytes, which SpacetimeDB's servers do not use |
//!
//! # Panics
//!
//! Nothing here panics, and in a release build for bare metal no panic is linked. The asynchronous
//! methods are the exception: into every `async fn` the compiler puts a panic for a future that is
//! polled again after it has completed.
#![no_std]
#![forbid(unsafe_code)]

// Bottom up: a module names only modules of a layer below its own (tests/layers.rs).
pub mod error;
#[cfg(any(feature = "embedded-io-07", feature = "embedded-io-async-07"))]
mod interruptions;
pub mod leb128;

pub mod reader;
pub mod sink;
pub mod source;

pub mod record;

pub mod literal;
pub mod string_table;

pub mod bsatn;
pub mod compression;
pub mod http;
pub mod render_batch;
pub mod websocket;

pub mod circuit;
pub mod page;
pub mod spacetimedb;

#[cfg(doc)]
pub mod machine_code;

#[doc(hidden)]
pub use record::private as __private;

#[cfg(feature = "derive")]
pub use onewrite_derive::Record;
pub use record::Record;

/// Runs the README's examples as tests.
#[cfg(all(doctest, feature = "derive", feature = "embedded-io-07"))]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

/// Runs the examples of the page on SpacetimeDB's protocol.
#[cfg(all(doctest, feature = "derive"))]
#[doc = include_str!("../docs/spacetimedb.md")]
struct SpacetimedbExamples;

/// Runs the examples of the page on circuits.
#[cfg(doctest)]
#[doc = include_str!("../docs/circuit.md")]
struct CircuitExamples;

/// Runs the examples of the page on HTTP.
#[cfg(doctest)]
#[doc = include_str!("../docs/http.md")]
struct HttpExamples;

/// Runs the examples of the page on the WebSocket protocol.
#[cfg(doctest)]
#[doc = include_str!("../docs/websocket.md")]
struct WebsocketExamples;

/// Runs the examples of the page on pages.
#[cfg(doctest)]
#[doc = include_str!("../docs/page.md")]
struct PageExamples;
