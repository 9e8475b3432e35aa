//! One record, one write.
#![no_std]
#![forbid(unsafe_code)]

// Bottom up: a module names only modules of a layer below its own (tests/layers.rs).
pub mod error;
pub mod leb128;

pub mod reader;
pub mod sink;
pub mod source;

pub mod record;

pub mod literal;
pub mod string_table;

pub mod render_batch;

#[doc(hidden)]
pub use record::private as __private;

#[cfg(feature = "derive")]
pub use onewrite_derive::Record;
pub use record::Record;
