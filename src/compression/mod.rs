//! Decompression without an allocator: compressed bytes into one slice of the caller's.
//!
//! The slice is the window too: what has been inflated is where copies come from. So there is no
//! ring buffer beside it, however large a window the input asks for, and what does not fit the slice
//! is an error and no bomb. Besides it a decoder takes [`Tables`] for the input's codes.
//!
//! | module | feature | format |
//! |---|---|---|
//! | `gzip` | `gzip` | gzip members (RFC 1952), of DEFLATE (RFC 1951) |
//! | `brotli` | `brotli` | brotli streams (RFC 7932) |
//! | | `brotli-dictionary` | the same with the format's dictionary, of 122,784 bytes |
//!
//! ```
//! # #[cfg(feature = "gzip")] {
//! use onewrite::compression::{DecompressErrorKind, Tables, gzip};
//!
//! let member = b"\x1f\x8b\x08\0\0\0\0\0\x02\xff\xcbH\xcd\xc9\xc9\x07\0\x86\xa6\x106\x05\0\0\0";
//! let mut tables: Tables = Tables::new();
//!
//! // Start small, and come back larger: at least doubled, as each attempt starts from zero.
//! let mut small = [0; 4];
//! let refused = gzip::decompress(member, &mut tables, &mut small).unwrap_err();
//! assert_eq!(refused.kind, DecompressErrorKind::NeedsBuffer { at_least: 5 });
//!
//! let mut large = [0; 8]; // at_least.max(2 * small.len())
//! assert_eq!(gzip::decompress(member, &mut tables, &mut large)?, b"hello");
//! # }
//! # Ok::<(), onewrite::compression::DecompressError>(())
//! ```
//!
//! The work is bounded by the lengths of input and output, for any input; `brotli` says by how much.

#[cfg(any(feature = "gzip", feature = "brotli"))]
mod arena;
#[cfg(any(feature = "gzip", feature = "brotli"))]
mod bits;
#[cfg(feature = "brotli")]
pub mod brotli;
mod error;
#[cfg(feature = "gzip")]
pub mod gzip;
#[cfg(any(feature = "gzip", feature = "brotli"))]
mod output;
#[cfg(any(feature = "gzip", feature = "brotli"))]
mod prefix;
mod tables;

pub use error::{DecompressError, DecompressErrorKind};
pub use tables::{DEFAULT_WORDS, Tables};
