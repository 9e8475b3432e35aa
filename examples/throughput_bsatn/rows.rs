//! The measured rows, made where they are measured.
//!
//! | row | columns | bytes |
//! |---|---|---|
//! | `u32` | `id: u32` | 4 |
//! | `fixed` | `id: u32`, `hp: i32`, `x: f32`, `y: f32`, `score: u64` | 24 |
//! | `mixed` | `id: u32`, `score: u64`, `delta: i32`, `name`: 2 to 18 bytes of text | 22 to 38 |
//!
//! `u32` is the row of the benchmark in the pull request that these measurements follow, with the
//! ids from 0 on; `tests/data/README.md` has the rules for the others.

use core::fmt::Debug;

use onewrite::bsatn::{Decode, Encode};

/// Rows of the largest workloads.
pub(crate) const MOST: usize = 10_000;
/// Rows of each workload.
pub(crate) const NUMBERS: [usize; 3] = [1, 100, MOST];

/// A row, and what it has to look like on the wire.
pub(crate) trait Row: Encode + Decode<'static> + Copy + Debug + PartialEq + 'static {
    /// The row as it is read from bytes that are soon gone.
    type At<'r>: Decode<'r>;

    /// Whether `other` is this row.
    fn is(&self, other: &Self::At<'_>) -> bool;

    /// Takes the row's bytes, put down column by column, off the front of `bytes`; whether they were
    /// there.
    fn is_next(&self, bytes: &mut &[u8]) -> bool;
}

#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub(crate) struct Id {
    pub(crate) id: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub(crate) struct Fixed {
    pub(crate) id: u32,
    pub(crate) hp: i32,
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) score: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub(crate) struct Mixed<'a> {
    pub(crate) id: u32,
    pub(crate) score: u64,
    pub(crate) delta: i32,
    pub(crate) name: &'a str,
}

impl Row for Id {
    type At<'r> = Self;

    fn is(&self, other: &Self) -> bool {
        self == other
    }

    fn is_next(&self, bytes: &mut &[u8]) -> bool {
        next(bytes, &self.id.to_le_bytes())
    }
}

impl Row for Fixed {
    type At<'r> = Self;

    fn is(&self, other: &Self) -> bool {
        self == other
    }

    fn is_next(&self, bytes: &mut &[u8]) -> bool {
        next(bytes, &self.id.to_le_bytes())
            && next(bytes, &self.hp.to_le_bytes())
            && next(bytes, &self.x.to_le_bytes())
            && next(bytes, &self.y.to_le_bytes())
            && next(bytes, &self.score.to_le_bytes())
    }
}

impl Row for Mixed<'static> {
    type At<'r> = Mixed<'r>;

    fn is(&self, other: &Mixed<'_>) -> bool {
        self == other
    }

    fn is_next(&self, bytes: &mut &[u8]) -> bool {
        next(bytes, &self.id.to_le_bytes())
            && next(bytes, &self.score.to_le_bytes())
            && next(bytes, &self.delta.to_le_bytes())
            && next(bytes, &u32::try_from(self.name.len()).unwrap_or_default().to_le_bytes())
            && next(bytes, self.name.as_bytes())
    }
}

/// Takes `wanted` off the front of `bytes`; whether it was there.
fn next(bytes: &mut &[u8], wanted: &[u8]) -> bool {
    match bytes.split_at_checked(wanted.len()) {
        Some((found, rest)) if found == wanted => {
            *bytes = rest;
            true
        }
        _ => false,
    }
}

/// Numbers that look random: splitmix64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl Fixed {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "as the rule says"
    )]
    pub(crate) fn made(id: u32, numbers: &mut Numbers) -> Self {
        let a = numbers.next();
        Self {
            id,
            hp: (a as u32 % 101) as i32,
            x: f32::from((a >> 8) as u16) / 16.0,
            y: f32::from((a >> 24) as u16) / 16.0,
            score: numbers.next(),
        }
    }
}

/// Bytes of the longest name.
pub(crate) const NAME: usize = 18;

impl Mixed<'static> {
    /// `room` is where the name goes; `None` where it is too small.
    #[allow(clippy::cast_possible_truncation, reason = "as the rule says")]
    pub(crate) fn made(
        id: u32,
        numbers: &mut Numbers,
        room: &mut &'static mut [u8],
    ) -> Option<Self> {
        let (a, b) = (numbers.next(), numbers.next());
        let len = 2 + (a % 17) as usize;
        let free = core::mem::take(room);
        let (name, rest) = free.split_at_mut_checked(len)?;
        *room = rest;
        let (start, digits) = name.split_at_mut_checked(2)?;
        start.copy_from_slice(b"p-");
        for (digit, shift) in digits.iter_mut().zip((0..16).rev()) {
            *digit = *b"0123456789abcdef".get((b >> (4 * shift)) as usize % 16)?;
        }
        let name = str::from_utf8(name).ok()?;
        Some(Self { id, score: a >> 20, delta: (a as u32).cast_signed(), name })
    }
}
