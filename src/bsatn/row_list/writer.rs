//! Rows to a row list.

use crate::bsatn::array::{count_bytes, len_of};
use crate::bsatn::{Encode, Output};

/// Rows as a row list, with the hint that the server would choose.
///
/// That is `FixedSize` where all rows have the same number of bytes, from 1 to 65,535, and
/// `RowOffsets` for all others and for none at all.
///
/// ```
/// use onewrite::bsatn::{Encode, RowListWriter};
///
/// let mut buffer = [0; 16];
/// let len = RowListWriter::new(&[7u16, 8]).encode_to_slice(&mut buffer)?;
/// assert_eq!(buffer[..len], *b"\x00\x02\x00\x04\x00\x00\x00\x07\x00\x08\x00");
/// # Ok::<(), onewrite::error::WriteError<core::convert::Infallible>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RowListWriter<'r, T> {
    rows: &'r [T],
    /// Bytes of each row; 0 where offsets tell them apart.
    size: u16,
    /// Bytes of all rows.
    len: usize,
}

impl<'r, T: Encode> RowListWriter<'r, T> {
    /// Measures `rows`: once, or not at all where all values of the type are equally long.
    #[must_use]
    pub fn new(rows: &'r [T]) -> Self {
        let len = len_of(rows);
        let size = match rows {
            [first, rest @ ..] => common_size(first.encoded_len(), rest),
            [] => 0,
        };
        Self { rows, size, len }
    }

    /// Number of rows.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// The size of all rows, if it is one that a hint can say, else 0.
fn common_size<T: Encode>(first: usize, rest: &[T]) -> u16 {
    let Ok(size) = u16::try_from(first) else { return 0 };
    if T::MIN_SIZE != T::MAX_SIZE {
        for row in rest {
            if row.encoded_len() != first {
                return 0;
            }
        }
    }
    size
}

impl<T: Encode> Encode for RowListWriter<'_, T> {
    const MIN_SIZE: usize = 1 + 2 + 4;
    const MAX_SIZE: usize = usize::MAX;
    type Scratch = [u8; 0];

    #[inline]
    fn encoded_len(&self) -> usize {
        let hint = match self.size {
            0 => self.rows.len().saturating_mul(8).saturating_add(1 + 4),
            _ => 1 + 2,
        };
        self.len.saturating_add(4).saturating_add(hint)
    }

    #[inline]
    fn put<O: Output>(&self, out: &mut O) {
        if self.size == 0 {
            out.array([1]);
            out.array(count_bytes(self.rows.len()));
            let mut offset: u64 = 0;
            for row in self.rows {
                out.array(offset.to_le_bytes());
                // A length that a u64 cannot count was refused before.
                offset =
                    offset.saturating_add(u64::try_from(row.encoded_len()).unwrap_or(u64::MAX));
            }
        } else {
            let [low, high] = self.size.to_le_bytes();
            out.array([0, low, high]);
        }
        out.array(count_bytes(self.len));
        match T::as_bytes(self.rows) {
            Some(bytes) => out.bytes(bytes),
            None => out.items(self.rows),
        }
    }
}
