//! Blazor render batches: what ASP.NET Core's `RenderBatchWriter` sends, byte for byte.

mod batch;
mod check;
mod edit;
mod error;
mod frame;
mod in_place;
mod layout;
mod measure;
mod name;
mod reader;
mod stream;
mod string_data;
mod validate_tree;

pub use batch::{Batch, Diff, Options};
pub use edit::{Edit, EditRecord, EditType, EditView};
pub use error::{BatchError, Place};
pub use frame::{Frame, FrameRecord, FrameType, FrameView, Value};
pub use in_place::write_into;
pub use measure::encoded_len;
pub use name::Name;
pub use reader::{BatchView, DiffView, Item, Items};
pub use stream::BatchProducer;
pub use validate_tree::{Tree, TreeError, validate_tree};

use crate::string_table;

/// The null string's number.
const NULL: i32 = -1;
/// Hash of the empty string.
const EMPTY_HASH: u32 = string_table::hash("");
