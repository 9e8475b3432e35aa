//! Numbers that a server cannot foretell, for keys and masks (RFC 6455 sections 4.1 and 5.3).

use std::hash::{BuildHasher as _, RandomState};

/// A number that is new each time.
#[derive(Debug, Default)]
pub(crate) struct Random {
    state: RandomState,
    drawn: u64,
}

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.drawn += 1;
        // The standard library seeds it from the system.
        self.state.hash_one(self.drawn)
    }

    pub(crate) fn mask(&mut self) -> [u8; 4] {
        let [a, b, c, d, ..] = self.next().to_le_bytes();
        [a, b, c, d]
    }

    pub(crate) fn key(&mut self) -> [u8; 16] {
        (u128::from(self.next()) << 64 | u128::from(self.next())).to_le_bytes()
    }
}
