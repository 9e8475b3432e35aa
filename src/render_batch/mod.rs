//! Blazor render batches: what ASP.NET Core's `RenderBatchWriter` sends, byte for byte.

mod batch;
mod edit;
mod error;
mod frame;
mod in_place;
mod layout;
mod measure;
mod name;
mod string_data;

pub use batch::{Batch, Diff, Options};
pub use edit::{Edit, EditRecord, EditType, EditView};
pub use error::{BatchError, Place};
pub use frame::{Frame, FrameRecord, FrameType, FrameView, Value};
pub use in_place::write_into;
pub use measure::encoded_len;
pub use name::Name;
