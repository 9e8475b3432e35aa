//! Version 2 of the protocol, `v2.bsatn.spacetimedb`: one message a payload.

mod client;
mod server;
mod update;

pub use client::ClientMessage;
pub(super) use client::Wire;
pub use server::{ProcedureStatus, ReducerOutcome, ServerMessage};
pub use update::{QuerySetUpdate, TableUpdate, TableUpdateRows};
