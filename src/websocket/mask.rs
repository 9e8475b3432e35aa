//! Masking (RFC 6455 section 5.3).

/// The key of a frame, at a place in its payload.
///
/// Masking and unmasking are the same. A payload may come in pieces of any length: the key remembers how
/// far it is.
///
/// ```
/// use onewrite::websocket::Mask;
///
/// let mut payload = *b"\x7f\x9f\x4d\x51\x58";
/// let mut mask = Mask::new([0x37, 0xfa, 0x21, 0x3d]);
/// let (start, end) = payload.split_at_mut(3);
/// mask.apply(start);
/// mask.apply(end);
/// assert_eq!(&payload, b"Hello");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask {
    /// The key's bytes in the order in which they are used next.
    next: u32,
}

impl Mask {
    /// The key, in front of a payload.
    #[must_use]
    pub const fn new(key: [u8; 4]) -> Self {
        Self { next: u32::from_le_bytes(key) }
    }

    /// Masks `bytes`, which follow on those of the call before, where they lie.
    pub fn apply(&mut self, bytes: &mut [u8]) {
        let len = bytes.len();
        let wide = u64::from(self.next) << 32 | u64::from(self.next);
        let mask = |words: &mut [[u8; 8]]| {
            for word in words {
                *word = (u64::from_le_bytes(*word) ^ wide).to_le_bytes();
            }
        };
        // In blocks of one length, which the compiler makes vectors of.
        let (blocks, rest) = bytes.as_chunks_mut::<64>();
        for block in blocks {
            mask(block.as_chunks_mut().0);
        }
        let (words, rest) = rest.as_chunks_mut();
        mask(words);
        let (words, rest) = rest.as_chunks_mut::<4>();
        for word in words {
            *word = (u32::from_le_bytes(*word) ^ self.next).to_le_bytes();
        }
        for (byte, key) in rest.iter_mut().zip(self.next.to_le_bytes()) {
            *byte ^= key;
        }
        self.skip(len);
    }

    /// Goes on as if `len` bytes had been masked.
    #[allow(clippy::cast_possible_truncation, reason = "only the remainder of four counts")]
    pub const fn skip(&mut self, len: usize) {
        self.next = self.next.rotate_right(8 * (len as u32 % 4));
    }
}
