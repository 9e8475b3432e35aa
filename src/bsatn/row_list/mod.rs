//! Row lists: how a table's rows stand in a message.
//!
//! | field | bytes | meaning |
//! |---|---|---|
//! | `size_hint` | 1 + 2, or 1 + 4 + 8 a row | 0: all rows have this many bytes; 1: where each row starts |
//! | `rows_data` | 4 + | the rows, one behind the other |
//!
//! The hint is a sum of `FixedSize(u16)` and `RowOffsets(array<u64>)`. The server sends fixed sizes
//! where all rows are equally long, up to 65,535 bytes; offsets where they differ or have no bytes,
//! and for a list without rows.

pub(crate) mod pieces;
mod rows;
pub(crate) mod stream;
mod stream_error;
mod view;
mod writer;

pub use rows::{Rows, Tail, TypedRows};
pub use stream::{RowCut, RowListStream, RowsEvent};
pub use stream_error::{StreamError, StreamErrorKind};
pub use view::{RowList, SizeHint};
pub use writer::RowListWriter;
