//! The hash by which keys are looked up.

use core::hash::{Hash, Hasher};

/// Chosen for speed on numbers: a multiply a word, and one more. Keys made to collide slow a
/// look-up down to a linear search; they cannot make it fail.
#[inline(always)]
pub(super) fn hash<K: Hash>(key: &K) -> u32 {
    let mut mixer = Mixer { state: 0 };
    key.hash(&mut mixer);
    (mixer.finish() >> 32) as u32
}

struct Mixer {
    state: u64,
}

impl Mixer {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    #[inline(always)]
    const fn word(&mut self, word: u64) {
        self.state = (self.state.rotate_left(29) ^ word).wrapping_mul(Self::FACTOR);
    }
}

impl Hasher for Mixer {
    /// Folds once more: a multiply alone never brings a word's upper bits down.
    #[inline(always)]
    fn finish(&self) -> u64 {
        (self.state ^ self.state >> 32).wrapping_mul(Self::FACTOR)
    }

    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word));
        }
        for byte in rest {
            self.word(u64::from(*byte));
        }
    }

    #[inline(always)]
    fn write_u8(&mut self, number: u8) {
        self.word(u64::from(number));
    }

    #[inline(always)]
    fn write_u16(&mut self, number: u16) {
        self.word(u64::from(number));
    }

    #[inline(always)]
    fn write_u32(&mut self, number: u32) {
        self.word(u64::from(number));
    }

    #[inline(always)]
    fn write_u64(&mut self, number: u64) {
        self.word(number);
    }
}
