//! Blazor render batches: what ASP.NET Core's `RenderBatchWriter` sends, byte for byte.
//!
//! A [`Batch`] borrows what changed: the edits of each component and the reference frames they
//! refer to. Two writers share everything but how the bytes leave:
//!
//! | writer | for | memory besides the string table |
//! |---|---|---|
//! | [`write_into`] | a buffer that holds the whole batch | none |
//! | [`BatchProducer`] | a UART, a socket, any [`Sink`](crate::sink::Sink) | 4 bytes a string, a scratch |
//!
//! [`encoded_len`] tells the length beforehand. [`BatchView`] reads a batch where it lies, and
//! [`validate_tree`] finds what would make a browser throw or hang.
//!
//! ```
//! use onewrite::render_batch::{self, Batch, BatchView, Diff, Edit, Frame, Name, Value};
//! use onewrite::string_table::StringTable;
//!
//! const CLASS: Name<'_> = Name::new("class");
//!
//! let frames = [
//!     Frame::element("p", 3),
//!     Frame::attribute_named(CLASS, Value::Str("count"), 0),
//!     Frame::text("Current count: 1"),
//! ];
//! let edits = [Edit::prepend_frame(0, 0)];
//! let diffs = [Diff { component: 1, edits: &edits }];
//! let batch = Batch { diffs: &diffs, frames: &frames, ..Batch::default() };
//!
//! let mut table = StringTable::<64>::new();
//! let mut out = [0; 256];
//! let len = render_batch::write_into(&mut table, &batch, &mut out)?;
//! let view = BatchView::strict(&out[..len])?;
//! assert!(view.frames().eq(frames));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # On the wire
//!
//! All integers are little-endian. Positions are `i32` byte offsets from the first byte.
//!
//! | # | table | content |
//! |---|---|---|
//! | 1 | diffs | for each component: `i32` id, `i32` count, edits of 16 bytes ([`EditRecord`]) |
//! | 2 | diff positions | `i32` count, then the `i32` position of each diff |
//! | 3 | reference frames | `i32` count, then frames of 20 bytes ([`FrameRecord`]) |
//! | 4 | disposed components | `i32` count, then `i32` ids |
//! | 5 | disposed event handlers | `i32` count, then `u64` ids |
//! | 6 | string data | each string: its length in bytes, 7 bits a byte, low first; UTF-8 |
//! | 7 | string table | the `i32` position of each string; no count |
//! | 8 | trailer | the `i32` positions of tables 2, 3, 4, 5 and 7 |
//!
//! Strings are numbered as they are first written: the edits of all components, then the frames;
//! in an attribute the name before the value. A batch holds one entry for all equal strings among
//! element and attribute names, empty attribute values, and texts that are empty or white space
//! only. Every other string has an entry of its own. Null is -1 and has no entry.
//!
//! Source: dotnet/aspnetcore, `src/Components/Shared/src/RenderBatchWriter.cs`, commit
//! c8caba5522. The same bytes serve .NET Core 3.0 to .NET 10; frame types 9 and 10 came with .NET 8. The UTF-16 string table
//! that .NET 11 prepares for WebAssembly alone is another format and not written here.
//!
//! Batches compress well, but compressing secrets together with what an attacker can choose leaks
//! them (CRIME, BREACH): that is the transport's decision, and Blazor leaves it off.

mod batch;
mod check;
mod edit;
mod error;
mod frame;
mod frame_record;
mod in_place;
mod layout;
mod measure;
mod name;
mod numbering;
mod reader;
mod room;
mod stream;
mod string_data;
mod string_list;
mod tree_error;
mod validate_tree;

#[doc(hidden)]
pub use batch::EDIT_KEY;
pub use batch::{Batch, Diff, Options};
pub use edit::{Edit, EditRecord, EditType, EditView};
pub use error::{BatchError, Place};
pub use frame::{Frame, FrameType, FrameView, Value};
pub use frame_record::FrameRecord;
pub use in_place::write_into;
pub use measure::encoded_len;
pub use name::Name;
pub(crate) use name::is_white_space;
pub use reader::{BatchView, DiffView, Item, Items};
pub use stream::BatchProducer;
#[doc(hidden)]
pub use string_list::StringList;
pub use tree_error::TreeError;
pub use validate_tree::{Tree, validate_tree};

use crate::string_table;

/// The null string's number.
const NULL: i32 = -1;
/// Hash of the empty string.
const EMPTY_HASH: u32 = string_table::hash("");
