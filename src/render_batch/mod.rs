//! Blazor render batches: what ASP.NET Core's `RenderBatchWriter` sends, byte for byte.

mod batch;
mod edit;
mod frame;
mod name;

pub use batch::{Batch, Diff, Options};
pub use edit::{Edit, EditRecord, EditType, EditView};
pub use frame::{Frame, FrameRecord, FrameType, FrameView, Value};
pub use name::Name;
