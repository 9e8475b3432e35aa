//! Version 1 of the protocol, `v1.bsatn.spacetimedb`: one message a payload.

mod client;
mod server;
mod update;

pub use client::ClientMessage;
pub use server::{ProcedureStatus, ReducerCall, ServerMessage, UpdateStatus};
pub use update::{CompressableQueryUpdate, QueryUpdate, QueryUpdateError, TableUpdate};
