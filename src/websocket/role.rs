//! The two ends of a connection.

use core::fmt::Debug;

/// An end of a connection: [`Server`] or [`Client`].
///
/// A client masks each frame with a key of its own, a server masks none (RFC 6455 section 5.1). So a
/// [`Sender`](crate::websocket::Sender) of a client takes a [`Key`](Self::Key) with each frame, and that of
/// a server nothing: `()`.
pub trait Role: private::Role {
    /// What masks a frame that this end sends: `[u8; 4]` that nobody can foretell, or `()`.
    type Key: Copy + Debug;

    /// Bytes of the longest header that this end sends: 10 or 14.
    const HEAD_ROOM: usize;
}

/// Accepts connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Server {}

/// Opens connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {}

impl Role for Server {
    type Key = ();
    const HEAD_ROOM: usize = 10;
}

impl Role for Client {
    type Key = [u8; 4];
    const HEAD_ROOM: usize = 14;
}

pub(super) mod private {
    use super::{Client, Server};

    /// Keeps other types from being a role.
    #[allow(unnameable_types, reason = "so nobody implements it")]
    pub trait Role {
        /// Whether frames that come from the other end are masked.
        const PEER_MASKS: bool;

        /// The key of a frame, as it stands in a header.
        fn key(key: <Self as super::Role>::Key) -> Option<[u8; 4]>
        where
            Self: super::Role;
    }

    impl Role for Server {
        const PEER_MASKS: bool = true;

        fn key((): ()) -> Option<[u8; 4]> {
            None
        }
    }

    impl Role for Client {
        const PEER_MASKS: bool = false;

        fn key(key: [u8; 4]) -> Option<[u8; 4]> {
            Some(key)
        }
    }
}
