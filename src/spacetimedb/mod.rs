//! SpacetimeDB's client protocol: what goes over the WebSocket, read where it lies.
//!
//! A server's [`Payload`] says how it is compressed. Its body is a message of version 1 or 2, or
//! several of version 2 in version 3; which one, client and server have agreed when they connected.
//! The rows in it are [`RowList`](crate::bsatn::RowList)s. A client's message has no such byte in
//! front: [`v2::ClientMessage`] is all that there is.
//!
//! | version | from the server | from the client |
//! |---|---|---|
//! | 1 | [`v1::ServerMessage`] | [`v1::ClientMessage`] |
//! | 2 | [`v2::ServerMessage`] | [`v2::ClientMessage`] |
//! | 3 | [`v3::ServerMessages`] | [`v3::write_to`], of [`v2::ClientMessage`]s |
//!
//! ```
//! use onewrite::bsatn::{Decode, Tail};
//! use onewrite::spacetimedb::v2::{ServerMessage, TableUpdateRows};
//!
//! # let body = b"\x04\x01\0\0\0\x09\0\0\0\x01\0\0\0\x04\0\0\0tick\x01\0\0\0\0\0\x02\0\x02\0\0\0\x07\0\x01\0\0\0\0\0\0\0\0";
//! if let ServerMessage::TransactionUpdate { query_sets } = ServerMessage::from_slice(body)? {
//!     for table in query_sets.iter().flat_map(|set| set.tables) {
//!         for rows in table.rows {
//!             if let TableUpdateRows::PersistentTable { inserts, .. } = rows {
//!                 for row in inserts.typed::<u16>(Tail::AllowTail) {
//!                     assert_eq!((table.table, row?), ("tick", 7));
//!                 }
//!             }
//!         }
//!     }
//! }
//! # Ok::<(), onewrite::error::DecodeError>(())
//! ```
//!
//! [`MultiDictionary`](multi_dictionary::MultiDictionary) is where a client keeps the rows.
//!
//! For a client of any version there are, around [`websocket`](crate::websocket): [`Address`] for the
//! handshake, [`Request`] for what it asks, [`Pending`] for what has no answer yet, and
//! [`connection::Connection`] for what comes in, payloads in pieces or compressed. The example
//! `spacetimedb_client` puts them together.
//!
//! Source of the format: the messages that a server 2.8.3 exchanges with its clients, and the
//! golden messages of the crate `spacetimedb-client-api-messages` 2.10.1 in
//! `tests/data/spacetimedb`.

mod address;
mod client;
pub mod connection;
mod list;
pub mod multi_dictionary;
mod payload;
mod pending;
mod request;
pub mod stream;
mod table_rows;
pub mod v1;
pub mod v2;
pub mod v3;

pub use address::{Address, Compression, NoRoom, bearer};
pub use client::{Arguments, CallArguments, MessageError, PAYLOAD_LIMIT, Queries};
pub use list::{List, ListIter};
pub use payload::Payload;
pub use pending::{Pending, TooManyRequests};
pub use request::Request;
pub use table_rows::TableRows;
