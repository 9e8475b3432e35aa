//! Blazor render batches.

// In the order of the header.
pub(crate) mod item;

pub(crate) mod batch;

pub(crate) mod validate;

mod string_slots;
