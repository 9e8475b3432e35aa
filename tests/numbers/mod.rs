//! Numbers that look random and are the same in every run, on every machine.

/// Marsaglia's xorshift64, from a seed that is not 0.
#[derive(Clone, Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number from 0, less than `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        // The lowest bits look least random.
        usize::try_from((self.next() >> 11) % limit as u64).unwrap()
    }
}
