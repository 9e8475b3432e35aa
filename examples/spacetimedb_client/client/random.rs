//! Numbers that nobody can foretell: what masks frames, and the key of a handshake.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

/// `SipHash` of a counter, under a key of the system's.
#[derive(Debug)]
pub(crate) struct Random {
    key: RandomState,
    count: u64,
}

impl Random {
    pub(crate) fn new() -> Self {
        Self { key: RandomState::new(), count: 0 }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.count += 1;
        let mut hasher = self.key.build_hasher();
        hasher.write_u64(self.count);
        hasher.finish()
    }

    /// The mask of a frame.
    pub(crate) fn mask(&mut self) -> [u8; 4] {
        let [a, b, c, d, ..] = self.next().to_le_bytes();
        [a, b, c, d]
    }

    pub(crate) fn sixteen(&mut self) -> [u8; 16] {
        u128::from(self.next()).wrapping_shl(64).wrapping_add(self.next().into()).to_le_bytes()
    }
}
