//! A row list read where it lies.

use core::fmt;

use super::rows::{Rows, Tail, TypedRows};
use crate::bsatn::array::{count_bytes, take_count};
use crate::bsatn::sum::unknown_tag;
use crate::bsatn::{Decode, Encode, Output};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::reader::Reader;

/// How the rows of a list are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeHint<'a> {
    /// Each row has this many bytes.
    FixedSize(u16),
    /// Where each row starts: a `u64` each, least significant byte first.
    RowOffsets(&'a [[u8; 8]]),
}

/// Rows that were validated once and are read where they lie.
///
/// Decoding looks at the hint alone, and at every offset once; after that [`get`](Self::get) takes
/// a few instructions and cannot fail. What is in the rows is not looked at.
///
/// Accepted are exactly the lists whose rows cover their data:
///
/// | hint | data | |
/// |---|---|---|
/// | `FixedSize(0)` | none | no rows |
/// | `FixedSize(0)` | some | `UnevenRows` |
/// | `FixedSize(n)` | a multiple of `n` | that many rows |
/// | `FixedSize(n)` | any other length | `UnevenRows` |
/// | `RowOffsets([])` | none | no rows |
/// | `RowOffsets([])` | some | `UnevenRows` |
/// | first offset not 0 | | `BadPosition` |
/// | an offset before the one in front of it | | `NotAscending` |
/// | an offset behind the data | | `BadPosition` |
/// | other offsets | | one row each, also empty ones |
///
/// ```
/// use onewrite::bsatn::{Decode, RowList, Tail};
///
/// let list = RowList::from_slice(b"\x00\x02\x00\x04\x00\x00\x00\x07\x00\x08\x00")?;
/// assert_eq!(list.get(1), Some(&[8, 0][..]));
/// for row in list.typed::<u16>(Tail::Strict) {
///     assert!(row? > 6);
/// }
/// # Ok::<(), onewrite::error::DecodeError>(())
/// ```
#[derive(Clone, Copy)]
pub struct RowList<'a> {
    pub(super) hint: SizeHint<'a>,
    pub(super) data: &'a [u8],
    /// Number of rows.
    pub(super) len: usize,
    /// Where `data` starts in the input.
    pub(super) at: usize,
}

impl<'a> RowList<'a> {
    /// Number of rows.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How the rows are told apart.
    #[inline]
    #[must_use]
    pub const fn hint(&self) -> SizeHint<'a> {
        self.hint
    }

    /// The bytes of all rows.
    #[inline]
    #[must_use]
    pub const fn data(&self) -> &'a [u8] {
        self.data
    }

    /// The bytes of row `index`, or `None` past the last one.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&'a [u8]> {
        if index >= self.len {
            return None;
        }
        let (start, end) = self.bounds(index)?;
        self.data.get(start..end)
    }

    /// The bytes of the rows, in order.
    #[inline]
    #[must_use]
    pub const fn rows(&self) -> Rows<'a> {
        Rows::new(*self)
    }

    /// The rows as values of `T`, each decoded as it is reached.
    #[inline]
    #[must_use]
    pub const fn typed<T: Decode<'a>>(&self, tail: Tail) -> TypedRows<'a, T> {
        TypedRows::new(*self, tail)
    }

    /// Where row `index` starts and ends in `data`.
    #[inline]
    pub(super) fn bounds(&self, index: usize) -> Option<(usize, usize)> {
        match self.hint {
            SizeHint::FixedSize(size) => {
                let size = usize::from(size);
                let start = index.checked_mul(size)?;
                Some((start, start.checked_add(size)?))
            }
            SizeHint::RowOffsets(offsets) => {
                let start = position(offsets.get(index)?);
                let end = offsets.get(index.checked_add(1)?).map_or(self.data.len(), position);
                Some((start, end))
            }
        }
    }
}

/// An offset that was checked.
#[inline]
fn position(offset: &[u8; 8]) -> usize {
    usize::try_from(u64::from_le_bytes(*offset)).unwrap_or(usize::MAX)
}

impl<'de: 'a, 'a> Decode<'de> for RowList<'a> {
    const MIN_SIZE: usize = 1 + 2 + 4;
    const MAX_SIZE: usize = usize::MAX;
    const DEPTH: usize = 3;

    #[inline]
    fn decode(reader: &mut Reader<'de>) -> Result<Self, DecodeError> {
        match common(reader) {
            Some(list) => Ok(list),
            None => any(reader),
        }
    }
}

/// What servers send most: rows of fixed size, or none. All that stands in front of the rows is
/// looked at once; takes nothing where the list is another or not sound.
#[inline]
fn common<'a>(reader: &mut Reader<'a>) -> Option<RowList<'a>> {
    let mut ahead = *reader;
    let Ok(&[0, s0, s1, l0, l1, l2, l3]) = ahead.array() else {
        let mut ahead = *reader;
        let [1, counts @ ..] = ahead.array::<9>().ok()? else { return None };
        if *counts != [0; 8] {
            return None;
        }
        let at = ahead.position();
        *reader = ahead;
        return Some(RowList { at, ..RowList::default() });
    };
    let size = u16::from_le_bytes([s0, s1]);
    let at = ahead.position();
    let data = ahead.bytes(usize::try_from(u32::from_le_bytes([l0, l1, l2, l3])).ok()?).ok()?;
    let rows = data.len().checked_div(size.into())?;
    if data.len().checked_rem(size.into())? != 0 {
        return None;
    }
    *reader = ahead;
    Some(RowList { hint: SizeHint::FixedSize(size), data, len: rows, at })
}

/// Any list, and what is wrong with it.
fn any<'a>(reader: &mut Reader<'a>) -> Result<RowList<'a>, DecodeError> {
    let start = *reader;
    let mut offsets_at = reader.position();
    let hint = match reader.u8()? {
        0 => SizeHint::FixedSize(reader.u16_le()?),
        1 => {
            let before = *reader;
            let count = take_count(reader)?;
            offsets_at = reader.position();
            match reader.arrays(count) {
                Ok(offsets) => SizeHint::RowOffsets(offsets),
                Err(_) => {
                    let count = i64::try_from(count).unwrap_or(i64::MAX);
                    return Err(too_large(&before, count));
                }
            }
        }
        tag => return Err(unknown_tag(&start, "RowSizeHint", tag)),
    };
    let data_at = *reader;
    let len = take_count(reader)?;
    let at = reader.position();
    let data = reader.bytes(len)?;
    let uneven = |size| data_at.error(DecodeErrorKind::UnevenRows { size, len });
    let len = match hint {
        SizeHint::FixedSize(size) => {
            let size = usize::from(size);
            match (data.len().checked_div(size), data.len().checked_rem(size)) {
                (Some(len), Some(0)) => len,
                _ if data.is_empty() => 0,
                _ => return Err(uneven(size)),
            }
        }
        SizeHint::RowOffsets([]) if !data.is_empty() => return Err(uneven(0)),
        SizeHint::RowOffsets(offsets) => {
            check(offsets, data.len(), offsets_at)?;
            offsets.len()
        }
    };
    Ok(RowList { hint, data, len, at })
}

#[cold]
fn too_large(before: &Reader<'_>, count: i64) -> DecodeError {
    before.error(DecodeErrorKind::CountTooLarge { table: "row offsets", count })
}

/// Offsets must start at 0, not go back, and stay inside the data.
fn check(offsets: &[[u8; 8]], len: usize, at: usize) -> Result<(), DecodeError> {
    let (mut before, mut sound) = (0, true);
    let mut first = 0;
    if let [offset, ..] = offsets {
        first = u64::from_le_bytes(*offset);
    }
    // One loop without a branch; what exactly is wrong is asked afterwards.
    for offset in offsets {
        let offset = u64::from_le_bytes(*offset);
        sound &= offset >= before;
        before = offset;
    }
    let fits = usize::try_from(before).is_ok_and(|last| last <= len);
    if sound && first == 0 && fits { Ok(()) } else { Err(complaint(offsets, len, at)) }
}

/// The first offset that is wrong.
#[cold]
fn complaint(offsets: &[[u8; 8]], len: usize, at: usize) -> DecodeError {
    let mut before = 0;
    for (index, offset) in offsets.iter().enumerate() {
        let offset = u64::from_le_bytes(*offset);
        let fits = usize::try_from(offset).is_ok_and(|offset| offset <= len);
        let kind = if offset < before {
            Some(DecodeErrorKind::NotAscending { table: "row offsets" })
        } else if !fits || (index == 0 && offset != 0) {
            let position = i64::try_from(offset).unwrap_or(i64::MAX);
            Some(DecodeErrorKind::BadPosition { table: "rows", position })
        } else {
            None
        };
        if let Some(kind) = kind {
            return DecodeError::new(at.saturating_add(index.saturating_mul(8)), kind);
        }
        before = offset;
    }
    // Not reached: the caller has found one.
    DecodeError::new(at, DecodeErrorKind::NotAscending { table: "row offsets" })
}

/// The same bytes again.
impl Encode for RowList<'_> {
    const MIN_SIZE: usize = 1 + 2 + 4;
    const MAX_SIZE: usize = usize::MAX;
    type Scratch = [u8; 0];

    #[inline]
    fn encoded_len(&self) -> usize {
        let hint = match self.hint {
            SizeHint::FixedSize(_) => 1 + 2,
            SizeHint::RowOffsets(offsets) => offsets.len().saturating_mul(8).saturating_add(1 + 4),
        };
        self.data.len().saturating_add(4).saturating_add(hint)
    }

    fn put<O: Output>(&self, out: &mut O) {
        match self.hint {
            SizeHint::FixedSize(size) => {
                let [low, high] = size.to_le_bytes();
                out.array([0, low, high]);
            }
            SizeHint::RowOffsets(offsets) => {
                out.array([1]);
                out.headed(count_bytes(offsets.len()), offsets.as_flattened());
            }
        }
        out.headed(count_bytes(self.data.len()), self.data);
    }
}

/// Whether the rows have the same bytes, and are told apart in the same way.
impl PartialEq for RowList<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.hint == other.hint && self.data == other.data
    }
}

impl Eq for RowList<'_> {}

impl fmt::Debug for RowList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.rows()).finish()
    }
}

/// How many rows there are, in how many bytes.
#[cfg(feature = "defmt")]
impl defmt::Format for RowList<'_> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "RowList {{ len: {}, bytes: {} }}", self.len, self.data.len());
    }
}

/// A list without rows, as the server sends it.
impl Default for RowList<'_> {
    fn default() -> Self {
        Self { hint: SizeHint::RowOffsets(&[]), data: &[], len: 0, at: 0 }
    }
}
