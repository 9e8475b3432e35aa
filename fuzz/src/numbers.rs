//! Numbers that follow from an input.

/// Numbers that look random and are the same for the same bytes, so that a finding can be repeated.
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    /// Those of `seed`.
    #[must_use]
    pub fn of(seed: &[u8]) -> Self {
        // FNV-1a.
        let hash = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        Self(seed.iter().fold(0xcbf2_9ce4_8422_2325, hash) | 1)
    }

    /// A number from zero, less than `end`, which is not zero.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end
    }

    /// `bytes`, cut into pieces of up to `most` bytes.
    pub(crate) fn cut<'b>(&mut self, mut bytes: &'b [u8], most: usize) -> Vec<&'b [u8]> {
        let mut pieces = Vec::new();
        while !bytes.is_empty() {
            let (piece, rest) = bytes.split_at(1 + self.below(most.min(bytes.len())));
            pieces.push(piece);
            bytes = rest;
        }
        pieces
    }
}
